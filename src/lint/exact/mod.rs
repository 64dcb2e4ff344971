//! What the exact checks share: one space of gate functions for the whole run, with what is known so far.
//!
//! Everything is found when it is first asked for and kept: functions by gate, who takes which ids, what has been
//! undecided. A question is about *some context that gets there* ([`Exact::witness`]): nothing is proved of
//! contexts that cannot come to a place, say other models in a contributor's sections.

mod composed;
mod hooks;
mod ids;
mod judge;
mod matchers;
mod overlap;
mod reach;
mod takers;
mod walk;
mod yields;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::analysis::gate::{Function, Space};
use crate::analysis::language::{Lang, Languages};
use crate::analysis::{Answer, Undecided};
use crate::context::Context;
use crate::rules::{Condition, ConditionKind, Contributor, Gate, RuleSet, Text, ToolId};
use crate::source::Span;

pub(super) use composed::Says;
pub(super) use ids::named_by;
pub(super) use judge::{Kind, Verdict};
pub(super) use matchers::{groups, matchers};
pub(super) use overlap::Overlaps;
pub(super) use reach::{Part, Place, Scope, Who};
pub(super) use takers::{Fate, Takers};
pub(super) use walk::{Purpose, Visitor, walk};

/// The exact answers of one run.
pub(super) struct Exact<'a> {
    pub(super) rules: &'a RuleSet,
    pub(super) space: Space,
    pub(super) takers: Takers<'a>,
    /// By number: whether the catalog has the tool.
    declared: Vec<bool>,
    gates: FxHashMap<*const Gate, Answer<Function>>,
    yields: FxHashMap<*const Text, Answer<Function>>,
    who: FxHashMap<(usize, Part), Who>,
    verdicts: Option<Rc<[Verdict]>>,
    padded: Option<bool>,
    undecided: Vec<Question>,
}

/// A question that ended at a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// What it is about.
    pub(super) span: Span,
    /// The rule that it is about.
    pub(super) rule: Option<Box<str>>,
    /// What was asked, behind `cannot decide`: `whether this gate ever holds`.
    pub(super) asked: String,
    /// The limit.
    pub(super) why: Undecided,
}

impl<'a> Exact<'a> {
    pub(super) fn new(rules: &'a RuleSet) -> Self {
        let mut languages = Languages::new(rules.catalog.models().iter().map(AsRef::as_ref));
        let takers = Takers::new(rules, &mut languages);
        let mut declared = vec![false; rules.catalog.tool_count()];
        for tool in rules.catalog.client_tools() {
            if let Some(slot) = declared.get_mut(tool.index()) {
                *slot = true;
            }
        }
        Self {
            rules,
            space: Space::new(languages),
            takers,
            declared,
            gates: FxHashMap::default(),
            yields: FxHashMap::default(),
            who: FxHashMap::default(),
            verdicts: None,
            padded: None,
            undecided: Vec::new(),
        }
    }

    /// A contributor by its number.
    pub(super) fn contributor(&self, number: usize) -> Option<&'a Contributor> {
        self.rules.contributors.get(number).map(|contributor| &**contributor)
    }

    /// Whether a gate names a tool that the catalog does not have. That is a finding of its own, and nothing that
    /// follows from it is worth saying.
    pub(super) fn is_spoilt(&self, gate: &Gate) -> bool {
        let unknown = |tool: &ToolId| !self.declared.get(tool.index()).copied().unwrap_or_default();
        gate.conditions.iter().any(|condition| match &condition.kind {
            ConditionKind::HasClientTool(tool) => unknown(tool),
            ConditionKind::HasAnyClientTool(tools) | ConditionKind::HasAllClientTools(tools) => {
                tools.iter().any(unknown)
            }
            ConditionKind::All(gates) | ConditionKind::Any(gates) => gates.iter().any(|gate| self.is_spoilt(gate)),
            ConditionKind::Not(gate) => self.is_spoilt(gate),
            ConditionKind::ToolSearchActive(_)
            | ConditionKind::Workspaceless(_)
            | ConditionKind::SettingEquals(_)
            | ConditionKind::SettingIn(_)
            | ConditionKind::SettingIsSet(_)
            | ConditionKind::Model(_) => false,
        })
    }

    /// Where a gate holds.
    pub(super) fn gate(&mut self, gate: &'a Gate) -> Answer<Function> {
        let place = std::ptr::from_ref(gate);
        if let Some(known) = self.gates.get(&place) {
            return known.clone();
        }
        let answer = gate.conditions.iter().try_fold(Function::TRUE, |all, condition| {
            let holds = self.condition(condition)?;
            self.space.and(all, holds)
        });
        self.gates.insert(place, answer.clone());
        answer
    }

    /// Where one key of a gate holds.
    pub(super) fn condition(&mut self, condition: &'a Condition) -> Answer<Function> {
        match &condition.kind {
            ConditionKind::All(gates) => gates.iter().try_fold(Function::TRUE, |all, gate| {
                let holds = self.gate(gate)?;
                self.space.and(all, holds)
            }),
            ConditionKind::Any(gates) => gates.iter().try_fold(Function::FALSE, |any, gate| {
                let holds = self.gate(gate)?;
                self.space.or(any, holds)
            }),
            ConditionKind::Not(gate) => {
                let holds = self.gate(gate)?;
                self.space.not(holds)
            }
            ConditionKind::HasClientTool(_)
            | ConditionKind::HasAnyClientTool(_)
            | ConditionKind::HasAllClientTools(_)
            | ConditionKind::ToolSearchActive(_)
            | ConditionKind::Workspaceless(_)
            | ConditionKind::SettingEquals(_)
            | ConditionKind::SettingIn(_)
            | ConditionKind::SettingIsSet(_)
            | ConditionKind::Model(_) => self.space.condition(&self.rules.catalog, condition),
        }
    }

    /// Where an optional gate holds; an absent one holds everywhere.
    pub(super) fn when(&mut self, gate: Option<&'a Gate>) -> Answer<Function> {
        gate.map_or(Ok(Function::TRUE), |gate| self.gate(gate))
    }

    /// A context of these that satisfies the function: a smallest one, for the first contributor that has one.
    pub(super) fn witness(&mut self, who: &Who, function: Function) -> Answer<Option<Context>> {
        let Who::Takers(takers) = who else { return self.anyone(function) };
        let mut trouble = Ok(None);
        for taker in takers.iter() {
            let answer = self.space.and(taker.function, function);
            match answer.and_then(|function| self.taker(taker.contributor, function)) {
                Ok(None) => {}
                Ok(Some(context)) => return Ok(Some(context)),
                Err(undecided) => trouble = Err(undecided),
            }
        }
        trouble
    }

    /// Whether a context of these satisfies the function.
    pub(super) fn possible(&mut self, who: &Who, function: Function) -> Answer<bool> {
        let Who::Takers(takers) = who else { return self.space.satisfiable(function) };
        let mut trouble = Ok(false);
        for taker in takers.iter() {
            let answer = self.space.and(taker.function, function);
            match answer.and_then(|function| self.taker_can(taker.contributor, function)) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(undecided) => trouble = Err(undecided),
            }
        }
        trouble
    }

    fn anyone(&mut self, function: Function) -> Answer<Option<Context>> {
        if function == Function::FALSE { Ok(None) } else { self.space.witness(function) }
    }

    fn taker_can(&mut self, contributor: usize, function: Function) -> Answer<bool> {
        if self.space.asks_model(function) {
            return Ok(self.taker(contributor, function)?.is_some());
        }
        Ok(function != Function::FALSE)
    }

    /// A context whose model the contributor takes.
    fn taker(&mut self, contributor: usize, function: Function) -> Answer<Option<Context>> {
        if function == Function::FALSE {
            return Ok(None);
        }
        if !self.space.asks_model(function) {
            let Some(id) = self.sample(contributor)? else { return Ok(None) };
            let context = self.space.witness(function)?;
            return Ok(context.map(|context| Context { model: Some(id.into()), ..context }));
        }
        // The ids that it takes are approached from above: each round leaves out those of one more that is in front.
        loop {
            let lang = self.takers.lang(self.space.languages(), contributor);
            let given = self.space.model(lang)?;
            let both = self.space.and(given, function)?;
            let Some(context) = self.space.witness(both)? else { return Ok(None) };
            let id = context.model.as_deref().unwrap_or_default();
            if !self.takers.block(self.space.languages(), contributor, id) {
                return Ok(Some(context));
            }
        }
    }

    /// An id of a language that the contributor takes, nothing if it takes none of them.
    pub(super) fn takes_of(&mut self, contributor: usize, lang: Lang) -> Answer<Option<Box<str>>> {
        loop {
            let own = self.takers.lang(self.space.languages(), contributor);
            let both = self.space.languages().and([own, lang]);
            let Some(id) = self.space.languages().member(both)? else { return Ok(None) };
            if !self.takers.block(self.space.languages(), contributor, &id) {
                return Ok(Some(id));
            }
        }
    }

    /// An id that the contributor takes, nothing if others take all that it accepts.
    pub(super) fn sample(&mut self, contributor: usize) -> Answer<Option<Box<str>>> {
        self.takers.sample(self.space.languages(), contributor)
    }

    /// The answer, or a note that there is none.
    pub(super) fn decided<T>(
        &mut self,
        answer: Answer<T>,
        span: Span,
        rule: Option<&str>,
        asked: impl FnOnce() -> String,
    ) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(why) => {
                self.note(Question { span, rule: rule.map(Into::into), asked: asked(), why });
                None
            }
        }
    }

    /// Keeps a question, unless the same pattern has already been too much for another one.
    fn note(&mut self, question: Question) {
        let same = |known: &Question| match (&known.why.subject, &question.why.subject) {
            (Some(known), Some(subject)) => known == subject,
            (None, _) | (_, None) => known.span == question.span && known.why == question.why,
        };
        if !self.undecided.iter().any(same) {
            self.undecided.push(question);
        }
    }

    /// The questions without an answer so far.
    pub(super) fn undecided(&self) -> &[Question] {
        &self.undecided
    }
}
