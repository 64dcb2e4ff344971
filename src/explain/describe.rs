//! Conditions of gates and matchers in one line, as a rule file would have them.

use std::fmt::Display;

use crate::rules::{
    Catalog, Condition, ConditionKind, Gate, MatchCondition, Matcher, Pattern, SettingId, ToolId, ValueRef,
};

/// Longer lists are cut: a reader wants to recognise the condition, and has its place.
const MOST_ITEMS: usize = 6;

/// A gate: its conditions, separated by commas.
#[must_use]
pub fn gate(catalog: &Catalog, gate: &Gate) -> String {
    joined(gate.conditions.iter().map(|condition| self::condition(catalog, condition)))
}

/// One condition of a gate: key, then value.
#[must_use]
pub fn condition(catalog: &Catalog, condition: &Condition) -> String {
    let tools = |tools: &[ToolId]| list(tools.iter().map(|tool| catalog.tool_name(*tool).to_owned()));
    let gates = |gates: &[Gate]| list(gates.iter().map(|one| mapping(gate(catalog, one))));
    let value = match &condition.kind {
        ConditionKind::HasClientTool(tool) => catalog.tool_name(*tool).to_owned(),
        ConditionKind::HasAnyClientTool(some) | ConditionKind::HasAllClientTools(some) => tools(some),
        ConditionKind::ToolSearchActive(flag) | ConditionKind::Workspaceless(flag) => flag.to_string(),
        ConditionKind::SettingEquals(pairs) => settings(catalog, pairs, |value| scalar(value.as_ref())),
        ConditionKind::SettingIn(pairs) => {
            settings(catalog, pairs, |values| list(values.iter().map(|value| scalar(value.as_ref()))))
        }
        ConditionKind::SettingIsSet(setting) => catalog.setting(*setting).name.to_string(),
        ConditionKind::Model(matcher) => mapping(self::matcher(matcher)),
        ConditionKind::All(some) | ConditionKind::Any(some) => gates(some),
        ConditionKind::Not(inner) => return format!("not {}", grouped(gate(catalog, inner), inner.conditions.len())),
    };
    format!("{} {value}", condition.kind.key())
}

/// A matcher: its conditions, separated by commas, without the normalisation.
#[must_use]
pub fn matcher(matcher: &Matcher) -> String {
    pattern(&matcher.pattern)
}

pub(super) fn pattern(pattern: &Pattern) -> String {
    joined(pattern.conditions.iter().map(match_condition))
}

pub(super) fn match_condition(condition: &MatchCondition) -> String {
    let patterns = |patterns: &[Pattern]| list(patterns.iter().map(|one| mapping(pattern(one))));
    match condition {
        MatchCondition::Literals(kind, literals) => match &**literals {
            [one] => format!("{} {}", kind.key(), one.text),
            many => format!("{} {}", kind.key(), list(many.iter().map(|literal| literal.text.to_string()))),
        },
        MatchCondition::Regex(pattern) => format!("regex {}", pattern.regex.as_str()),
        MatchCondition::All(some) => format!("all {}", patterns(some)),
        MatchCondition::Any(some) => format!("any {}", patterns(some)),
        MatchCondition::Not(inner) => format!("not {}", grouped(pattern(inner), inner.conditions.len())),
        MatchCondition::Group(group, _) => format!("group {}", group.name),
    }
}

/// A value as JSON has it: strings in quotes.
pub(super) fn scalar(value: ValueRef<'_>) -> String {
    value.to_json().to_string()
}

fn settings<T>(catalog: &Catalog, pairs: &[(SettingId, T)], value: impl Fn(&T) -> String) -> String {
    mapping(joined(pairs.iter().map(|(id, one)| format!("{}: {}", catalog.setting(*id).name, value(one)))))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn mapping(inner: impl Display) -> String {
    format!("{{{inner}}}")
}

fn grouped(inner: String, parts: usize) -> String {
    if parts == 1 { inner } else { mapping(inner) }
}

/// A list, cut where it is long.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.get(..MOST_ITEMS) {
        Some(first) if items.len() > MOST_ITEMS + 1 => {
            format!("[{}, … {} in all]", first.join(", "), items.len())
        }
        Some(_) | None => format!("[{}]", items.join(", ")),
    }
}
