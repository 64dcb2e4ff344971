//! A comparison for people at a terminal.

use super::{Changes, told};
use crate::diff::{Difference, Level, Verdict};
use crate::report::command_line;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

/// The comparison with styles for a terminal; the caller strips them elsewhere.
#[must_use]
pub fn human(changes: &Changes<'_>) -> String {
    let mut text = String::new();
    for difference in changes.fresh() {
        text.push_str(&one(difference));
    }
    let accepted: Vec<&Difference> = changes.accepted().collect();
    if !accepted.is_empty() {
        text.push_str(&format!("{BOLD}accepted before{RESET}\n"));
        for difference in accepted {
            text.push_str(&format!(
                "  {}  {} {}\n",
                difference.fingerprint,
                difference.level.as_str(),
                difference.cause
            ));
        }
        text.push('\n');
    }
    for open in &changes.diff.undecided {
        text.push_str(&format!("{BOLD}undecided{RESET}  {}: {}\n", open.what, open.why));
    }
    if !changes.diff.undecided.is_empty() {
        text.push('\n');
    }
    text.push_str(&verdict(changes));
    text
}

fn one(difference: &Difference) -> String {
    let colour = match difference.level {
        Level::Guardrail => "\u{1b}[31m",
        Level::Selection => "\u{1b}[33m",
        Level::Gate | Level::Text | Level::Bytes => "\u{1b}[36m",
    };
    let mut text = format!("{BOLD}{colour}{}{RESET}{BOLD}  {}{RESET}\n", difference.level.as_str(), difference.cause);
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {DIM}{name:8}{RESET} {value}\n"));
    line("parts", &told::parts(difference));
    let names = told::names(difference.models.iter().map(String::as_str), "");
    let colon = if names.is_empty() { "" } else { ": " };
    line("models", &format!("{}{colon}{names}", told::models(difference)));
    for class in &difference.classes {
        line("of", &told::class(class, "`"));
    }
    line("see", &command_line(&difference.witness.context));
    for became in told::became(difference) {
        line("what", &became.heading);
        if let Some(diff) = became.diff {
            diff.lines().for_each(|row| line("", &format!("| {}", row.trim_end())));
        }
    }
    line("approve", &difference.fingerprint);
    text.push('\n');
    text
}

fn verdict(changes: &Changes<'_>) -> String {
    let (old, new) = (changes.old, changes.new);
    match changes.diff.verdict() {
        Verdict::Identical => format!("{BOLD}identical{RESET}: every context gets the same from {old} and {new}\n"),
        Verdict::Undecided => {
            format!("{BOLD}undecided{RESET}: no difference is known between {old} and {new}, and no proof\n")
        }
        Verdict::Different => {
            let counts = Level::ALL.into_iter().filter_map(|level| {
                let number = changes.fresh().filter(|difference| difference.level == level).count();
                (number > 0).then(|| format!("{number} {}", level.as_str()))
            });
            let mut counts: Vec<String> = counts.collect();
            let accepted = changes.accepted().count();
            if accepted > 0 {
                counts.push(format!("{accepted} accepted before"));
            }
            let tail = if changes.diff.undecided.is_empty() { ", and nothing else" } else { ", and open questions" };
            format!("{BOLD}different{RESET}: {} from {old} to {new}{tail}\n", counts.join(", "))
        }
    }
}
