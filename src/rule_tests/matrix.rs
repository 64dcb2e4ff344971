//! Matrices: every combination of values for some keys of a context.

use serde_json::Value;

use super::file::Case;
use crate::context::Context;
use crate::load::Node;

/// More combinations than this are a mistake.
pub(super) const MOST_CASES: usize = 100_000;

/// One key of a context (or of its settings) with the values that it takes.
struct Axis<'n> {
    key: &'n str,
    setting: bool,
    values: &'n [Node],
}

/// How many combinations a matrix has.
pub(super) fn size(matrix: &Node) -> usize {
    axes(matrix).iter().fold(1, |size: usize, axis| size.saturating_mul(axis.values.len()))
}

/// Every combination over a base context, the last key changing fastest.
pub(super) fn cases(base: &Context, matrix: &Node) -> Vec<Case> {
    let mut cases = vec![Case { label: String::new(), context: base.clone() }];
    for axis in axes(matrix) {
        cases = cases.iter().flat_map(|case| axis.values.iter().map(|value| with(case, &axis, value))).collect();
    }
    cases
}

fn axes(matrix: &Node) -> Vec<Axis<'_>> {
    let mut axes = Vec::new();
    for entry in matrix.entries() {
        if entry.key == "settings" {
            let settings = entry.value.entries().iter();
            axes.extend(settings.map(|one| Axis { key: &one.key, setting: true, values: one.value.items() }));
        } else {
            axes.push(Axis { key: &entry.key, setting: false, values: entry.value.items() });
        }
    }
    axes
}

fn with(case: &Case, axis: &Axis<'_>, value: &Node) -> Case {
    let json = value.to_json();
    let mut case = case.clone();
    let separator = if case.label.is_empty() { "" } else { ", " };
    let prefix = if axis.setting { "settings." } else { "" };
    case.label.push_str(&format!("{separator}{prefix}{}={}", axis.key, shown(&json)));
    set(&mut case.context, axis, json);
    case
}

/// Strings without quotes: a label is for people.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// The schema has seen to it that values have the right types.
fn set(context: &mut Context, axis: &Axis<'_>, value: Value) {
    if axis.setting {
        context.settings.insert(axis.key.to_owned(), value);
        return;
    }
    match axis.key {
        "model" => context.model = value.as_str().map(str::to_owned),
        "client_tools" => context.client_tools = serde_json::from_value(value).unwrap_or_default(),
        "tool_search_active" => context.tool_search_active = value == Value::Bool(true),
        "workspaceless" => context.workspaceless = value == Value::Bool(true),
        _ => {}
    }
}
