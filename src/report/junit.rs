//! Diagnostics as JUnit XML: a passed test for each clean file, a failed one for each thing that fails.

use super::{Report, repository_path};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// The report as one XML document.
#[must_use]
pub fn junit(report: &Report<'_>) -> String {
    let failing: Vec<(&Sources, &Diagnostic)> =
        report.diagnostics().filter(|(_, diagnostic)| report.fails(diagnostic)).collect();
    let mut cases: Vec<String> = failing.iter().map(|(sources, diagnostic)| failed(sources, diagnostic)).collect();
    let failures = cases.len();
    for set in &report.sets {
        let clean = set.sources.files().filter(|(file, _)| {
            !set.diagnostics.iter().any(|diagnostic| diagnostic.span.file == *file && report.fails(diagnostic))
        });
        cases.extend(clean.map(|(_, file)| {
            format!("    <testcase classname=\"promptrules check\" name=\"{}\"/>\n", escaped(&repository_path(file)))
        }));
    }
    let tests = cases.len();
    let head = format!("name=\"promptrules check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {head}>\n  <testsuite {head}>\n{}  </testsuite>\n</testsuites>\n",
        cases.concat()
    )
}

fn failed(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let start = sources.start(diagnostic.span);
    let file = repository_path(sources.file(diagnostic.span.file));
    let name = escaped(&format!("{file}:{}:{} {}", start.line, start.column, diagnostic.code.as_str()));
    let (kind, message) = (diagnostic.code.as_str(), escaped(&diagnostic.message));
    let help = escaped(&diagnostic.help.join("\n"));
    format!(
        "    <testcase classname=\"promptrules check\" name=\"{name}\">\n      <failure type=\"{kind}\" message=\"{message}\">{help}</failure>\n    </testcase>\n"
    )
}

/// Text for XML 1.0, in content and in attributes. What XML cannot hold is shown by its code point.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push_str(&format!("U+{:04X}", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn any_text_becomes_well_formed() {
        assert_eq!(escaped("a<b>&\"c\"\n\u{7}"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;U+0007");
    }
}
