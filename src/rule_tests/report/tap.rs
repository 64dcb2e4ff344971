//! Results in the Test Anything Protocol, version 14.

use super::Results;
use super::human::whole;

/// The results: a plan, then a point for each run, with what is wrong as a YAML block.
#[must_use]
pub fn tap(results: &Results<'_>) -> String {
    let orphans = results.orphans();
    let mut out = format!("TAP version 14\n1..{}\n", results.total() + orphans.len());
    for (number, (file, run)) in results.runs().enumerate() {
        let not = if run.passed() { "" } else { "not " };
        let name = described(&format!("{}: {}", results.name(file), run.label));
        out.push_str(&format!("{not}ok {} - {name}\n", number + 1));
        if !run.passed() {
            out.push_str(&diagnostics(&whole(file.rules, run)));
        }
    }
    for (number, (file, label)) in orphans.iter().enumerate() {
        let name = described(&label.map_or_else(|| file.clone(), |label| format!("{file}: {label}")));
        out.push_str(&format!("not ok {} - {name}\n", results.total() + number + 1));
        out.push_str(&diagnostics("a stored snapshot that no test has"));
    }
    out
}

/// One line, in which nothing is a directive.
fn described(name: &str) -> String {
    name.replace('\\', "\\\\").replace('#', "\\#").replace(['\n', '\r'], " ")
}

fn diagnostics(text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect();
    format!("  ---\n  message: |\n{lines}  ...\n")
}
