//! Coverage for people and for programs.

use serde_json::{Map, Value, json};

use super::{Results, SetCoverage, place};
use crate::rule_tests::coverage::{ConditionItem, Count, GateItem, Item};

/// The counts of each rule set, then what is not covered, with places; empty if nobody asked.
#[must_use]
pub fn coverage(results: &Results<'_>) -> String {
    results.coverage.iter().flatten().map(set).collect()
}

fn set(set: &SetCoverage<'_>) -> String {
    let mut out = format!("coverage of {}\n", set.name);
    let total = ("total", set.report.total());
    for (name, count) in set.report.counts().into_iter().chain([total]) {
        out.push_str(&format!("  {name:14} {}\n", shown(count)));
    }
    let used = set.report.models.iter().filter(|(_, used)| *used).count();
    if !set.report.models.is_empty() {
        out.push_str(&format!("  {:14} {used} of {}, not counted\n", "catalog models", set.report.models.len()));
    }
    let holes = holes(set);
    if !holes.is_empty() {
        out.push_str("not covered\n");
        holes.iter().for_each(|hole| out.push_str(&format!("  {hole}\n")));
    }
    let unused: Vec<&str> = set.report.models.iter().filter(|(_, used)| !used).map(|(id, _)| id.as_str()).collect();
    if !unused.is_empty() {
        out.push_str(&format!("catalog models that no test uses\n  {}\n", unused.join("\n  ")));
    }
    out.push('\n');
    out
}

fn shown(count: Count) -> String {
    format!("{} of {} ({} %)", count.covered, count.total, count.percent())
}

/// What is not covered, a line each.
fn holes(set: &SetCoverage<'_>) -> Vec<String> {
    let report = &set.report;
    let kinds = [
        ("contributor", &report.contributors, "its own parts never apply"),
        ("override", &report.overrides, "never applies"),
        ("line", &report.lines, "is never rendered"),
        ("block", &report.blocks, "is never rendered"),
    ];
    let uncovered = |items: &'_ [Item]| items.iter().filter(|item| !item.covered).cloned().collect::<Vec<_>>();
    let items = kinds.into_iter().flat_map(|(kind, items, what)| {
        uncovered(items)
            .into_iter()
            .map(move |item| format!("{kind} {}: {what} ({})", item.name, place(set.rules, item.span)))
    });
    items.chain(report.gates.iter().flat_map(|gate| gate_holes(set, gate))).collect()
}

fn gate_holes(set: &SetCoverage<'_>, gate: &GateItem) -> Vec<String> {
    let place = place(set.rules, gate.span);
    let name = format!("gate of {}: {}", gate.owner, gate.gate);
    let outcomes = [(gate.held, "never holds"), (gate.failed, "never fails")];
    let missing: Vec<&str> = outcomes.into_iter().filter(|(seen, _)| !seen).map(|(_, what)| what).collect();
    if !missing.is_empty() {
        return vec![format!("{name}: {} ({place})", missing.join(" and "))];
    }
    let undecided = gate.conditions.iter().filter(|condition| !condition.decided());
    undecided.map(|condition| format!("{name}: {} ({place})", undecided_condition(condition))).collect()
}

fn undecided_condition(condition: &ConditionItem) -> String {
    let how = match (condition.held_alone, condition.failed_alone) {
        (false, false) => "never decides alone",
        (true, _) => "never decides alone by failing",
        (false, true) => "never decides alone by holding",
    };
    format!("`{}` {how}", condition.condition)
}

/// The coverage as JSON; nothing if nobody asked.
pub(super) fn json(results: &Results<'_>) -> Option<Value> {
    let sets = results.coverage.as_ref()?;
    let total = results.covered().unwrap_or_default();
    let sets: Vec<Value> = sets.iter().map(set_json).collect();
    Some(json!({"percent": total.percent(), "covered": total.covered, "total": total.total, "rules": sets}))
}

fn set_json(set: &SetCoverage<'_>) -> Value {
    let report = &set.report;
    let items = |items: &[Item]| -> Value { items.iter().map(|item| item_json(set, item)).collect() };
    let counts: Map<String, Value> =
        report.counts().into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect();
    let models: Vec<Value> = report.models.iter().map(|(id, used)| json!({"id": id, "used": used})).collect();
    json!({
        "file": set.name,
        "percent": report.total().percent(),
        "counts": counts,
        "contributors": items(&report.contributors),
        "overrides": items(&report.overrides),
        "lines": items(&report.lines),
        "blocks": items(&report.blocks),
        "gates": report.gates.iter().map(|gate| gate_json(set, gate)).collect::<Vec<_>>(),
        "models": models,
    })
}

fn item_json(set: &SetCoverage<'_>, item: &Item) -> Value {
    let start = set.rules.start(item.span);
    json!({"name": item.name, "covered": item.covered, "file": set.rules.file(item.span.file).name(), "line": start.line})
}

fn gate_json(set: &SetCoverage<'_>, gate: &GateItem) -> Value {
    let conditions: Vec<Value> = gate
        .conditions
        .iter()
        .map(|one| {
            json!({
                "condition": one.condition, "decided": one.decided(),
                "held_alone": one.held_alone, "failed_alone": one.failed_alone,
                "line": set.rules.start(one.span).line,
            })
        })
        .collect();
    json!({
        "owner": gate.owner, "gate": gate.gate, "held": gate.held, "failed": gate.failed,
        "file": set.rules.file(gate.span.file).name(), "line": set.rules.start(gate.span).line,
        "conditions": conditions,
    })
}
