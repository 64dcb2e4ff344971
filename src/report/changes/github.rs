//! A comparison as workflow commands, which GitHub shows at the rules to blame.

use super::{Changes, told};
use crate::diff::{Difference, Level};
use crate::report::github::{data, property};
use crate::report::{command_line, repository_path};

/// One command a line, the worst first.
#[must_use]
pub fn github(changes: &Changes<'_>) -> String {
    let mut text: String = changes.fresh().map(|difference| command(changes, difference)).collect();
    for open in &changes.diff.undecided {
        text.push_str(&format!("::warning title=undecided::{}\n", data(&format!("{}: {}", open.what, open.why))));
    }
    text
}

fn command(changes: &Changes<'_>, difference: &Difference) -> String {
    let kind = match difference.level {
        Level::Guardrail => "error",
        Level::Selection | Level::Gate => "warning",
        Level::Text | Level::Bytes => "notice",
    };
    let place = difference.place.map(|span| {
        let file = repository_path(changes.sources.file(span.file));
        format!("file={},line={},", property(&file), changes.sources.start(span).line)
    });
    let classes: Vec<String> = difference.classes.iter().map(|class| told::class(class, "`")).collect();
    let message = format!(
        "{}\n{}: {}\nfor example: {}\nfingerprint: {}",
        difference.cause,
        told::models(difference),
        classes.join("; "),
        command_line(&difference.witness.context),
        difference.fingerprint
    );
    let title = property(difference.level.as_str());
    format!("::{kind} {}title={title}::{}\n", place.unwrap_or_default(), data(&message))
}
