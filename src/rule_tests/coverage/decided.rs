//! Which conditions of a gate decided: a condition decides alone where the gate's outcome would be
//! another if only this condition were.

use crate::interpret::Facts;
use crate::rules::{Condition, ConditionKind, Gate};

/// What runs have seen of one gate.
#[derive(Clone, Debug, Default)]
pub(super) struct Use {
    pub(super) held: bool,
    pub(super) failed: bool,
    /// By condition: whether it decided by holding, and by failing.
    decided: Vec<(bool, bool)>,
}

impl Use {
    pub(super) fn observe(&mut self, gate: &Gate, facts: &Facts<'_>) {
        let values: Vec<bool> = conditions(gate).into_iter().map(|condition| facts.satisfies(condition)).collect();
        let outcome = holds(gate, &values);
        self.held |= outcome;
        self.failed |= !outcome;
        self.decided.resize(values.len(), (false, false));
        for (at, (slot, value)) in self.decided.iter_mut().zip(&values).enumerate() {
            let flipped: Vec<bool> = values.iter().enumerate().map(|(i, value)| *value != (i == at)).collect();
            if holds(gate, &flipped) != outcome {
                slot.0 |= *value;
                slot.1 |= !*value;
            }
        }
    }

    /// Whether the condition with this number decided by holding, and by failing.
    pub(super) fn decided(&self, condition: usize) -> (bool, bool) {
        self.decided.get(condition).copied().unwrap_or_default()
    }
}

/// The conditions that are not made of others, in written order.
pub(super) fn conditions(gate: &Gate) -> Vec<&Condition> {
    let mut found = Vec::new();
    collect(gate, &mut found);
    found
}

fn collect<'g>(gate: &'g Gate, found: &mut Vec<&'g Condition>) {
    for condition in &gate.conditions {
        match condition.kind.gates() {
            [] => found.push(condition),
            gates => gates.iter().for_each(|gate| collect(gate, found)),
        }
    }
}

/// The gate as a function of its conditions, which are taken from the values in order.
fn holds(gate: &Gate, values: &[bool]) -> bool {
    all(gate, &mut values.iter())
}

/// Goes through all conditions, whatever the first ones are: each takes its own value.
fn all(gate: &Gate, values: &mut std::slice::Iter<'_, bool>) -> bool {
    gate.conditions.iter().fold(true, |outcome, condition| one(condition, values) & outcome)
}

fn one(condition: &Condition, values: &mut std::slice::Iter<'_, bool>) -> bool {
    let gates = condition.kind.gates();
    if gates.is_empty() {
        return values.next().copied().unwrap_or(false);
    }
    let any = matches!(condition.kind, ConditionKind::Any(_));
    let not = matches!(condition.kind, ConditionKind::Not(_));
    let outcome = gates.iter().fold(!any, |outcome, gate| {
        let holds = all(gate, values);
        if any { outcome | holds } else { outcome & holds }
    });
    outcome != not
}
