//! A comparison for programs: the format of the contract, with more keys where there is more to say.

use serde::Serialize;

use super::{Changes, told};
use crate::diff::{Class, Difference, Level, Open, Verdict, Witness};
use crate::report::command_line;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    verdict: Verdict,
    differences: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accepted: Vec<Item<'a>>,
    undecided: &'a [Open],
}

#[derive(Serialize)]
struct Item<'a> {
    level: Level,
    cause: &'a str,
    rules: &'a [String],
    models: &'a [String],
    classes: Vec<ClassItem<'a>>,
    parts: Vec<String>,
    witness: &'a Witness,
    command: String,
    fingerprint: &'a str,
}

#[derive(Serialize)]
struct ClassItem<'a> {
    what: String,
    #[serde(flatten)]
    class: &'a Class,
}

/// The comparison as one JSON document, ending with a newline.
#[must_use]
pub fn json(changes: &Changes<'_>) -> String {
    let document = Document {
        version: 1,
        verdict: changes.diff.verdict(),
        differences: changes.fresh().map(item).collect(),
        accepted: changes.accepted().map(item).collect(),
        undecided: &changes.diff.undecided,
    };
    let text = serde_json::to_string_pretty(&document);
    let mut text = text.unwrap_or_else(|error| serde_json::Value::String(error.to_string()).to_string());
    text.push('\n');
    text
}

fn item(difference: &Difference) -> Item<'_> {
    let classes = difference.classes.iter().map(|class| ClassItem { what: told::class(class, "`"), class });
    Item {
        level: difference.level,
        cause: &difference.cause,
        rules: &difference.rules,
        models: &difference.models,
        classes: classes.collect(),
        parts: difference.parts.iter().map(|part| part.name()).collect(),
        witness: &difference.witness,
        command: command_line(&difference.witness.context),
        fingerprint: &difference.fingerprint,
    }
}
