//! Two texts as a unified diff.

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

/// The changed lines with three lines around them; nothing where the texts are equal.
#[must_use]
pub fn unified_diff(name: &str, before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let hunks = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input).to_string();
    if hunks.is_empty() { String::new() } else { format!("--- {name}\n+++ {name}\n{hunks}") }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn only_what_changed_is_shown() {
        assert_eq!(unified_diff("a", "x\n", "x\n"), "");
        assert_eq!(unified_diff("a", "x\ny\n", "x\nz\n"), "--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n");
    }
}
