//! Every compiled matcher of a set, each once.

use rustc_hash::FxHashSet;

use super::reach::{Part, Scope};
use super::walk::{Purpose, Visitor, walk};
use crate::rules::{ConditionKind, Gate, MatchCondition, Matcher, Pattern, RuleSet};
use crate::source::Span;

/// All of them, with what they are for.
pub(in crate::lint) fn matchers(rules: &RuleSet) -> Vec<(Purpose, &Matcher)> {
    let mut collector = Collector::default();
    walk(rules, &mut collector);
    collector.found
}

#[derive(Default)]
struct Collector<'a> {
    found: Vec<(Purpose, &'a Matcher)>,
    /// The places of the matchers of gates: those of shared texts are come to at each use.
    seen: FxHashSet<Span>,
}

impl<'a> Visitor<'a> for Collector<'a> {
    /// A matcher is what it is whoever comes to it.
    fn scope(&mut self, _: usize, _: Part) -> Scope<'a> {
        Scope::universal(None)
    }

    fn gate(&mut self, _: &Scope<'a>, gate: &'a Gate) {
        let mut matchers = Vec::new();
        of_gate(gate, &mut matchers);
        matchers.retain(|matcher| self.seen.insert(matcher.pattern.span));
        self.found.extend(matchers.into_iter().map(|matcher| (Purpose::Gate, matcher)));
    }

    fn matcher(&mut self, purpose: Purpose, matcher: &'a Matcher) {
        self.found.push((purpose, matcher));
    }
}

/// The matchers of a gate.
pub(super) fn of_gate<'a>(gate: &'a Gate, found: &mut Vec<&'a Matcher>) {
    for condition in &gate.conditions {
        if let ConditionKind::Model(matcher) = &condition.kind {
            found.push(matcher);
        }
        condition.kind.gates().iter().for_each(|gate| of_gate(gate, found));
    }
}

/// The places of the groups that a pattern names, however far.
pub(in crate::lint) fn groups(pattern: &Pattern, places: &mut Vec<Span>) {
    for condition in &pattern.conditions {
        match condition {
            MatchCondition::Group(group, _) => {
                places.push(group.matcher.pattern.span);
                groups(&group.matcher.pattern, places);
            }
            MatchCondition::All(patterns) | MatchCondition::Any(patterns) => {
                patterns.iter().for_each(|pattern| groups(pattern, places));
            }
            MatchCondition::Not(pattern) => groups(pattern, places),
            MatchCondition::Literals(..) | MatchCondition::Regex(_) => {}
        }
    }
}
