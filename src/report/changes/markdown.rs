//! A comparison as a comment on a pull request: a table of what changed for whom, details folded.

use super::{Changes, told};
use crate::diff::{Difference, Verdict};
use crate::report::command_line;

/// A comment has to stay below 65,536 characters; details that do not fit are left out and counted.
const MOST_BYTES: usize = 60_000;

/// The line by which a workflow finds its own comment again.
const MARKER: &str = "<!-- promptrules diff -->";

/// The comparison as GitHub-flavoured Markdown.
#[must_use]
pub fn markdown(changes: &Changes<'_>) -> String {
    let mut text = format!("{MARKER}\n### Prompt rules: {}\n\n", title(changes));
    text.push_str(&summary(changes));
    let fresh: Vec<&Difference> = changes.fresh().collect();
    if !fresh.is_empty() {
        text.push_str("\n| level | what changed | for whom |\n| --- | --- | --- |\n");
        fresh.iter().for_each(|difference| text.push_str(&row(difference)));
        text.push('\n');
    }
    let mut left_out = 0;
    for details in fresh.iter().map(|difference| details(difference)) {
        if text.len() + details.len() > MOST_BYTES {
            left_out += 1;
        } else {
            text.push_str(&details);
        }
    }
    if left_out > 0 {
        text.push_str(&format!("\n{left_out} more with too long details: run `promptrules diff`.\n"));
    }
    text.push_str(&undecided(changes));
    text.push_str(&accepted(changes));
    text
}

fn title(changes: &Changes<'_>) -> String {
    match (changes.diff.verdict(), changes.fresh().count()) {
        (Verdict::Identical, _) => "identical".to_owned(),
        (Verdict::Undecided, _) => "undecided".to_owned(),
        (Verdict::Different, 0) => "nothing that was not accepted before".to_owned(),
        (Verdict::Different, 1) => "1 difference".to_owned(),
        (Verdict::Different, number) => format!("{number} differences"),
    }
}

fn summary(changes: &Changes<'_>) -> String {
    let sides = format!("from {} to {}", code(changes.old), code(changes.new));
    match changes.diff.verdict() {
        Verdict::Identical => {
            format!("Proved over all models, tools, settings and flags: no session gets another prompt {sides}.\n")
        }
        Verdict::Undecided => format!("No difference is known {sides}, but there is no proof that there is none.\n"),
        Verdict::Different if changes.diff.undecided.is_empty() => {
            format!(
                "Which sessions get another prompt {sides}. Nothing else changes, for any model, tools, settings and flags.\n"
            )
        }
        Verdict::Different => {
            format!("Which sessions get another prompt {sides}. Some questions stayed open, see below.\n")
        }
    }
}

fn row(difference: &Difference) -> String {
    let classes: Vec<String> = difference.classes.iter().take(4).map(|class| told::class(class, "`")).collect();
    let more = difference.classes.len().saturating_sub(classes.len());
    let more = if more > 0 { format!("; {more} more") } else { String::new() };
    let whom = format!("{}: {}{more}", told::models(difference), classes.join("; "));
    format!("| **{}** | {} | {} |\n", difference.level.as_str(), cell(&difference.cause), cell(&whom))
}

fn details(difference: &Difference) -> String {
    let mut text = format!(
        "<details><summary>{}: {}</summary>\n\n",
        difference.level.as_str(),
        html(&difference.cause.replace('`', ""))
    );
    text.push_str(&format!("Differs in: {}\n\n", cell(&told::parts(difference))));
    if !difference.models.is_empty() {
        let names = difference.models.iter().map(|model| code(model)).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("Models: {names}\n\n"));
    }
    text.push_str(&fenced("sh", &command_line(&difference.witness.context)));
    for became in told::became(difference) {
        text.push_str(&format!("{}\n\n", html(&became.heading)));
        if let Some(diff) = &became.diff {
            text.push_str(&fenced("text", diff));
        }
    }
    text.push_str(&format!("Fingerprint: `{}`\n\n</details>\n\n", difference.fingerprint));
    text
}

fn undecided(changes: &Changes<'_>) -> String {
    if changes.diff.undecided.is_empty() {
        return String::new();
    }
    let items = changes.diff.undecided.iter().map(|open| format!("- {}: {}\n", html(&open.what), html(&open.why)));
    format!("\n**Undecided**\n\n{}\n", items.collect::<String>())
}

fn accepted(changes: &Changes<'_>) -> String {
    let items = changes.accepted().map(|difference| {
        format!("- `{}` {}: {}\n", difference.fingerprint, difference.level.as_str(), html(&difference.cause))
    });
    let items: String = items.collect();
    if items.is_empty() {
        return String::new();
    }
    format!("\n<details><summary>Accepted before</summary>\n\n{items}\n</details>\n")
}

/// Text with nothing in it that Markdown takes for HTML.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', " ")
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    html(text).replace('|', "\\|")
}

/// A code span, whatever the text has in it.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// A code block, whatever the text has in it.
fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n\n", text.trim_end_matches('\n'))
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_block() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(fenced("text", "```\nx"), "````text\n```\nx\n````\n\n");
        assert_eq!(cell("a | <b>"), "a \\| &lt;b&gt;");
    }
}
