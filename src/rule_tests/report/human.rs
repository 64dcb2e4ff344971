//! Results for people: every failure on its own, understood without opening a rule file.

use super::{FileResults, Results, origin, reason};
use crate::report::command_line;
use crate::rule_tests::{DiffLine, Mismatch, Run, Sign};
use crate::source::Sources;

/// Longer texts are cut: the place of each line is there.
const MOST_LINES: usize = 40;

/// What failed; an empty text if nothing did.
#[must_use]
pub fn human(results: &Results<'_>) -> String {
    let mut out = String::new();
    for (file, run) in results.runs().filter(|(_, run)| !run.passed()) {
        out.push_str(&failure(results, file, run));
        out.push('\n');
    }
    for (file, label) in results.orphans() {
        let what = label.map_or_else(
            || "the whole file: its test file is not there".to_owned(),
            |label| format!("no test has a snapshot `{label}`"),
        );
        out.push_str(&format!("ORPHAN {file}\n  {what}; `promptrules test --update` removes it\n\n"));
    }
    out
}

fn failure(results: &Results<'_>, file: &FileResults<'_>, run: &Run<'_, '_>) -> String {
    let mut out = format!("FAILED {} {}\n", results.place(run.test.span), run.label);
    out.push_str(&format!("  {}\n", command_line(&run.context)));
    run.why.iter().for_each(|why| out.push_str(&format!("  {}\n", reason(file.rules, why))));
    for mismatch in &run.mismatches {
        let place = results.tests.start(mismatch.span).line;
        out.push_str(&format!("\n  {} (line {place})\n", mismatch.path));
        out.push_str(&details(file.rules, mismatch, "    "));
    }
    out
}

/// Everything about a failed run in one text, for formats that have no structure of their own.
pub(super) fn whole(rules: &Sources, run: &Run<'_, '_>) -> String {
    let mut out = format!("{}\n", command_line(&run.context));
    run.why.iter().for_each(|why| out.push_str(&format!("{}\n", reason(rules, why))));
    for mismatch in &run.mismatches {
        out.push_str(&format!("{}\n{}", mismatch.path, details(rules, mismatch, "  ")));
    }
    out
}

/// What was expected, what is there, and why.
fn details(rules: &Sources, mismatch: &Mismatch<'_>, indent: &str) -> String {
    let mut lines = vec![format!("expected  {}", mismatch.expected), format!("actual    {}", mismatch.actual)];
    lines.extend(text(rules, &mismatch.lines));
    lines.extend(mismatch.why.iter().map(|why| format!("because   {}", reason(rules, why))));
    lines.iter().map(|line| format!("{indent}{}\n", line.trim_end())).collect()
}

/// A text with signs before its lines, and a heading wherever another rule begins to speak.
fn text(rules: &Sources, lines: &[DiffLine<'_>]) -> Vec<String> {
    let mut out = Vec::new();
    let mut speaker: Option<String> = None;
    for line in lines.iter().take(MOST_LINES) {
        let from = origin(rules, line);
        if from.is_some() && from != speaker {
            out.push(format!("  {}", from.as_deref().unwrap_or_default()));
            speaker = from;
        }
        out.push(match line.sign {
            Sign::Same => format!("    | {}", line.text),
            Sign::Missing => format!("  - | {}", line.text),
            Sign::Extra => format!("  + | {}", line.text),
            Sign::Skipped => "    …".to_owned(),
        });
    }
    if lines.len() > MOST_LINES {
        out.push(format!("    … and {} more lines", lines.len() - MOST_LINES));
    }
    out
}
