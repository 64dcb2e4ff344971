//! Results as JUnit XML: a suite for each test file, a case for each run.

use super::human::whole;
use super::{FileResults, Results};
use crate::report::escaped;
use crate::rule_tests::Run;

/// The results as one XML document.
#[must_use]
pub fn junit(results: &Results<'_>) -> String {
    let orphans = results.orphans();
    let (tests, failures) = (results.total() + orphans.len(), results.failed() + orphans.len());
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"promptrules test\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n"
    );
    for file in &results.files {
        out.push_str(&suite(results, file));
    }
    if !orphans.is_empty() {
        let number = orphans.len();
        out.push_str(&format!(
            "  <testsuite name=\"snapshots\" tests=\"{number}\" failures=\"{number}\" errors=\"0\">\n"
        ));
        for (file, label) in orphans {
            let name = label.map_or_else(|| file.clone(), |label| format!("{file}: {label}"));
            let message = "a stored snapshot that no test has";
            out.push_str(&case("snapshots", &name, Some((message, ""))));
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(results: &Results<'_>, file: &FileResults<'_>) -> String {
    let name = escaped(results.name(file));
    let failures = file.runs.iter().filter(|run| !run.passed()).count();
    let tests = file.runs.len();
    let mut out = format!("  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n");
    for run in &file.runs {
        let (message, text) = failure(file, run);
        out.push_str(&case(results.name(file), &run.label, (!run.passed()).then_some((&message, &text))));
    }
    out.push_str("  </testsuite>\n");
    out
}

/// What is wrong in one line, and in full.
fn failure(file: &FileResults<'_>, run: &Run<'_, '_>) -> (String, String) {
    let message: Vec<String> = run
        .mismatches
        .iter()
        .map(|mismatch| format!("{}: expected {}, actual {}", mismatch.path, mismatch.expected, mismatch.actual))
        .collect();
    (message.join("; "), whole(file.rules, run))
}

fn case(class: &str, name: &str, failure: Option<(&str, &str)>) -> String {
    let head = format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(class), escaped(name));
    match failure {
        None => format!("{head}/>\n"),
        Some((message, text)) => format!(
            "{head}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
            escaped(message),
            escaped(text)
        ),
    }
}
