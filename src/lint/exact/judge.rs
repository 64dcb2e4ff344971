//! Gates that never hold and gates that always do, with the smallest part that is to blame.
//!
//! A gate is judged among the contexts that come to it. Inside it, an alternative of `any` is judged together with
//! all that stands beside and around it. A condition that repeats what stands around it is no fault: it says again
//! what holds. What is under a `not` is judged by itself: that it never holds *here* is what the `not` is for.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::matchers::{groups, of_gate};
use super::walk::{Visitor, walk};
use super::{Exact, Part, Place, Scope, Who};
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::rules::{Condition, ConditionKind, Gate};
use crate::source::Span;

/// What is wrong with a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::lint) enum Kind {
    Never,
    Always,
}

/// A gate that decides nothing.
#[derive(Clone, Debug)]
pub(in crate::lint) struct Verdict {
    pub(in crate::lint) kind: Kind,
    /// The `when` value, or the nested gate that is to blame.
    pub(in crate::lint) span: Span,
    pub(in crate::lint) rule: Option<Box<str>>,
    pub(in crate::lint) place: Place,
    /// Whether it is so in all contexts, not only in those that come to it.
    pub(in crate::lint) everywhere: bool,
    pub(in crate::lint) labels: Vec<(Span, String)>,
    /// What else can be at fault: the groups of models that it names.
    pub(in crate::lint) grounds: Vec<Span>,
}

impl<'a> Exact<'a> {
    /// The verdicts on all gates, in the order of the rules.
    pub(in crate::lint) fn verdicts(&mut self) -> Rc<[Verdict]> {
        if let Some(verdicts) = &self.verdicts {
            return Rc::clone(verdicts);
        }
        let rules = self.rules;
        let mut court =
            Court { exact: self, sessions: FxHashMap::default(), found: IndexMap::default(), facts: Vec::new() };
        walk(rules, &mut court);
        let verdicts = court.verdicts();
        self.verdicts = Some(Rc::clone(&verdicts));
        verdicts
    }
}

/// A gate in a shared text is judged at each use; what is wrong with it is wrong if it is at all of them.
struct Court<'e, 'a> {
    exact: &'e mut Exact<'a>,
    /// How often each gate of a shared text was judged; any other is judged once.
    sessions: FxHashMap<Span, usize>,
    /// By kind and place: the verdict, the gate that was judged, and how often it was the same.
    found: IndexMap<(Kind, Span), (Verdict, Span, usize), FxBuildHasher>,
    facts: Vec<u64>,
}

impl Court<'_, '_> {
    fn count(&mut self, scope: &Scope<'_>, gate: &Gate) {
        if scope.shared.is_some() {
            *self.sessions.entry(gate.span).or_default() += 1;
        }
    }

    fn verdicts(self) -> Rc<[Verdict]> {
        let sessions = self.sessions;
        let all = |judged: &Span, times: usize| sessions.get(judged).is_none_or(|sessions| *sessions == times);
        let found = self.found.into_values().filter(|(_, judged, times)| all(judged, *times));
        found.map(|(verdict, ..)| verdict).collect()
    }
}

impl<'a> Visitor<'a> for Court<'_, 'a> {
    fn scope(&mut self, contributor: usize, part: Part) -> Scope<'a> {
        self.exact.scope(contributor, part)
    }

    fn gate(&mut self, scope: &Scope<'a>, gate: &'a Gate) {
        if is_free(scope, gate, &mut self.facts) || self.exact.is_spoilt(gate) {
            self.count(scope, gate);
            return;
        }
        let mut case = Case { exact: self.exact, scope, who: scope.who.clone(), found: Vec::new() };
        let heard = case.hear(gate);
        let found = case.found;
        let heard =
            self.exact.decided(heard, gate.span, scope.rule, || "whether this gate can hold and fail".to_owned());
        if heard == Some(false) {
            return;
        }
        self.count(scope, gate);
        // What a use says again is no fault of the shared text.
        let stands = |verdict: &Verdict| verdict.everywhere || verdict.kind == Kind::Never || scope.shared.is_none();
        for verdict in found.into_iter().filter(stands) {
            let (_, _, times) = self.found.entry((verdict.kind, verdict.span)).or_insert((verdict, gate.span, 0));
            *times += 1;
        }
    }
}

/// Whether no fact is asked for twice on the way to and in the gate, and none about the model: then each of its
/// parts can hold and fail, whatever the others do.
fn is_free<'a>(scope: &Scope<'a>, gate: &'a Gate, facts: &mut Vec<u64>) -> bool {
    let plain = match &scope.who {
        Who::Anyone => true,
        Who::Takers(takers) => takers.iter().all(|taker| taker.function == Function::TRUE),
    };
    facts.clear();
    let known = plain && scope.earlier.is_none() && scope.gates.iter().chain([&gate]).all(|gate| note(gate, facts));
    facts.sort_unstable();
    known && facts.windows(2).all(|pair| pair.first() != pair.last())
}

/// Notes the facts that a gate asks for; false if there are others.
fn note(gate: &Gate, facts: &mut Vec<u64>) -> bool {
    const TOOLS: u64 = 0;
    const SETTINGS: u64 = 1 << 32;
    const FLAGS: u64 = 2 << 32;
    let tool = |tool: &crate::rules::ToolId| TOOLS + tool.index() as u64;
    let setting = |setting: &crate::rules::SettingId| SETTINGS + setting.index() as u64;
    gate.conditions.iter().all(|condition| {
        match &condition.kind {
            ConditionKind::HasClientTool(name) => facts.push(tool(name)),
            ConditionKind::HasAnyClientTool(names) | ConditionKind::HasAllClientTools(names) => {
                facts.extend(names.iter().map(tool));
            }
            ConditionKind::ToolSearchActive(_) => facts.push(FLAGS),
            ConditionKind::Workspaceless(_) => facts.push(FLAGS + 1),
            ConditionKind::SettingEquals(pairs) => facts.extend(pairs.iter().map(|(name, _)| setting(name))),
            ConditionKind::SettingIn(pairs) => facts.extend(pairs.iter().map(|(name, _)| setting(name))),
            ConditionKind::SettingIsSet(name) => facts.push(setting(name)),
            ConditionKind::Model(_) => return false,
            ConditionKind::All(gates) | ConditionKind::Any(gates) => return gates.iter().all(|gate| note(gate, facts)),
            ConditionKind::Not(gate) => return note(gate, facts),
        }
        true
    })
}

/// One gate with what leads to it.
struct Case<'c, 'a> {
    exact: &'c mut Exact<'a>,
    scope: &'c Scope<'a>,
    who: Who,
    found: Vec<Verdict>,
}

impl<'a> Case<'_, 'a> {
    /// Judges a gate and what is in it; false if nobody comes to it.
    fn hear(&mut self, gate: &'a Gate) -> Answer<bool> {
        let around = self.exact.enclosing(self.scope)?;
        let reaching = self.exact.reaching(self.scope)?;
        if !self.exact.possible(&self.who, reaching)? {
            return Ok(false);
        }
        let holds = self.exact.gate(gate)?;
        if self.excludes(reaching, holds)? {
            self.never(reaching, gate)?;
        } else if self.includes(around, holds)? {
            self.always(around, gate)?;
        } else {
            self.inside(reaching, gate)?;
        }
        Ok(true)
    }

    fn excludes(&mut self, given: Function, holds: Function) -> Answer<bool> {
        let both = self.exact.space.and(given, holds)?;
        Ok(!self.exact.possible(&self.who, both)?)
    }

    fn includes(&mut self, given: Function, holds: Function) -> Answer<bool> {
        let rest = self.exact.space.minus(given, holds)?;
        Ok(!self.exact.possible(&self.who, rest)?)
    }

    /// The parts of a gate that can hold and fail.
    fn inside(&mut self, given: Function, gate: &'a Gate) -> Answer<()> {
        if gate.conditions.iter().all(|condition| is_plain(&condition.kind)) {
            return Ok(());
        }
        let mut parts = Vec::new();
        for condition in &gate.conditions {
            parts.push(self.exact.condition(condition)?);
        }
        for ((condition, holds), given) in gate.conditions.iter().zip(&parts).zip(self.beside_each(given, &parts)?) {
            match &condition.kind {
                ConditionKind::Any(gates) => self.alternatives(given, condition, *holds, gates)?,
                ConditionKind::All(gates) => self.members(given, gates)?,
                ConditionKind::Not(gate) => self.negated(gate)?,
                ConditionKind::HasClientTool(_)
                | ConditionKind::HasAnyClientTool(_)
                | ConditionKind::HasAllClientTools(_)
                | ConditionKind::ToolSearchActive(_)
                | ConditionKind::Workspaceless(_)
                | ConditionKind::SettingEquals(_)
                | ConditionKind::SettingIn(_)
                | ConditionKind::SettingIsSet(_)
                | ConditionKind::Model(_) => {}
            }
        }
        Ok(())
    }

    /// For each part, what is given beside it: all the others.
    fn beside_each(&mut self, given: Function, parts: &[Function]) -> Answer<Vec<Function>> {
        let mut behind = vec![Function::TRUE];
        for part in parts.iter().skip(1).rev() {
            let last = behind.last().copied().unwrap_or(Function::TRUE);
            behind.push(self.exact.space.and(*part, last)?);
        }
        let mut front = given;
        let mut beside = Vec::with_capacity(parts.len());
        for (part, behind) in parts.iter().zip(behind.into_iter().rev()) {
            beside.push(self.exact.space.and(front, behind)?);
            front = self.exact.space.and(front, *part)?;
        }
        Ok(beside)
    }

    fn members(&mut self, given: Function, gates: &'a [Gate]) -> Answer<()> {
        let mut parts = Vec::new();
        for gate in gates {
            parts.push(self.exact.gate(gate)?);
        }
        for ((gate, holds), beside) in gates.iter().zip(&parts).zip(self.beside_each(given, &parts)?) {
            if self.exact.space.implied(Function::TRUE, *holds)? {
                self.always(Function::TRUE, gate)?;
            } else {
                self.inside(beside, gate)?;
            }
        }
        Ok(())
    }

    fn alternatives(
        &mut self,
        given: Function,
        condition: &'a Condition,
        any: Function,
        gates: &'a [Gate],
    ) -> Answer<()> {
        let mut decided = false;
        for gate in gates {
            let holds = self.exact.gate(gate)?;
            if self.excludes(given, holds)? {
                self.never(given, gate)?;
            } else if self.includes(given, holds)? {
                if !decided {
                    self.always(given, gate)?;
                }
                decided = true;
            } else {
                self.inside(given, gate)?;
            }
        }
        if !decided && self.includes(given, any)? {
            let everywhere = self.exact.space.implied(Function::TRUE, any)?;
            self.push(Kind::Always, condition.span, everywhere, Vec::new(), gates);
        }
        Ok(())
    }

    /// What is under a `not`, by itself.
    fn negated(&mut self, gate: &'a Gate) -> Answer<()> {
        let who = std::mem::replace(&mut self.who, Who::Anyone);
        let holds = self.exact.gate(gate)?;
        if self.exact.space.satisfiable(holds)? {
            self.inside(Function::TRUE, gate)?;
        } else {
            self.never(Function::TRUE, gate)?;
        }
        self.who = who;
        Ok(())
    }

    /// Blames the smallest part of a gate that never holds.
    fn never(&mut self, given: Function, gate: &'a Gate) -> Answer<()> {
        let parts = self.parts(gate)?;
        let mut alone = Vec::new();
        for part in &parts {
            if self.excludes(given, part.holds)? {
                alone.push(part.inner);
            }
        }
        if let [Some(inner)] = alone.as_slice() {
            return self.never(given, inner);
        }
        let holds = self.exact.gate(gate)?;
        let everywhere = !self.exact.space.satisfiable(holds)?;
        let mut labels = Vec::new();
        if alone.is_empty() {
            labels = self.conflict(given, parts)?;
        }
        if !everywhere {
            labels.extend(self.cause(holds)?);
        }
        self.push(Kind::Never, gate.span, everywhere, labels, std::slice::from_ref(gate));
        Ok(())
    }

    /// Blames the smallest part of a gate that always holds.
    fn always(&mut self, given: Function, gate: &'a Gate) -> Answer<()> {
        if let [Condition { kind: ConditionKind::Any(gates), .. }] = &*gate.conditions {
            for alternative in gates {
                let holds = self.exact.gate(alternative)?;
                if self.includes(given, holds)? {
                    return self.always(given, alternative);
                }
            }
        }
        if let [Condition { kind: ConditionKind::All(gates), .. }] = &*gate.conditions
            && let [only] = &**gates
        {
            return self.always(given, only);
        }
        let holds = self.exact.gate(gate)?;
        let everywhere = self.exact.space.implied(Function::TRUE, holds)?;
        self.push(Kind::Always, gate.span, everywhere, Vec::new(), std::slice::from_ref(gate));
        Ok(())
    }

    /// What must hold together for a gate to hold; an `any` of several is one part, whatever is in it.
    fn parts(&mut self, gate: &'a Gate) -> Answer<Vec<Conjunct<'a>>> {
        let mut parts = Vec::new();
        for condition in &gate.conditions {
            match &condition.kind {
                ConditionKind::All(gates) => {
                    for gate in gates {
                        parts.push(Conjunct { span: gate.span, inner: Some(gate), holds: self.exact.gate(gate)? });
                    }
                }
                kind => {
                    let inner = match kind {
                        ConditionKind::Any(gates) if gates.len() == 1 => gates.first(),
                        _ => None,
                    };
                    let holds = self.exact.condition(condition)?;
                    parts.push(Conjunct { span: condition.key_span, inner, holds });
                }
            }
        }
        Ok(parts)
    }

    /// The places of as few parts as exclude each other; none if there is just one.
    fn conflict(&mut self, given: Function, mut parts: Vec<Conjunct<'a>>) -> Answer<Vec<(Span, String)>> {
        let mut at = 0;
        while at < parts.len() {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| part.holds);
            let others: Vec<Function> = others.chain([given]).collect();
            let rest = self.exact.space.all(others)?;
            if self.exact.possible(&self.who, rest)? {
                at += 1;
            } else {
                parts.remove(at);
            }
        }
        let label = |at: usize| if at == 0 { "what this asks for" } else { "is excluded by this" };
        if parts.len() < 2 {
            return Ok(Vec::new());
        }
        Ok(parts.iter().enumerate().map(|(at, part)| (part.span, label(at).to_owned())).collect())
    }

    /// What around the gate keeps it from holding, if one thing does.
    fn cause(&mut self, holds: Function) -> Answer<Option<(Span, String)>> {
        for gate in self.scope.gates.iter().rev() {
            let around = self.exact.gate(gate)?;
            let both = self.exact.space.and(around, holds)?;
            if !self.exact.space.satisfiable(both)? {
                return Ok(Some((gate.span, "has to hold as well, and excludes it".to_owned())));
            }
        }
        let around = self.exact.enclosing(self.scope)?;
        let wanted = self.exact.space.and(around, holds)?;
        if let Some(front) = self.override_in_front(wanted)? {
            return Ok(Some((front, "counts instead, wherever it holds".to_owned())));
        }
        let contributor = self.scope.contributor.and_then(|number| self.exact.contributor(number));
        let Some(contributor) = contributor else { return Ok(None) };
        if matches!(self.who, Who::Anyone) || self.exact.possible(&self.who, wanted)? {
            return Ok(None);
        }
        Ok(Some(match &contributor.full_prompt {
            Some(prompt) if self.exact.space.satisfiable(wanted)? && !self.exact.space.asks_model(wanted) => {
                (prompt.span, "applies instead, wherever it holds".to_owned())
            }
            Some(_) | None => (contributor.span, "no model that comes here satisfies it".to_owned()),
        }))
    }

    /// The override in front that counts wherever a function holds.
    fn override_in_front(&mut self, wanted: Function) -> Answer<Option<Span>> {
        let Some((section, before)) = self.scope.earlier else { return Ok(None) };
        if !self.exact.possible(&self.who, wanted)? {
            return Ok(None);
        }
        let heir = self.scope.contributor.map(|number| (number, section.section));
        for chosen in section.overrides.iter().take(before) {
            let applies = self.exact.applies(chosen, heir)?;
            if self.exact.space.implied(wanted, applies)? {
                return Ok(Some(chosen.when.as_ref().map_or(chosen.action_span, |when| when.span)));
            }
        }
        Ok(None)
    }

    fn push(&mut self, kind: Kind, span: Span, everywhere: bool, labels: Vec<(Span, String)>, gates: &[Gate]) {
        let rule = self.scope.rule.map(Into::into);
        let mut matchers = Vec::new();
        gates.iter().for_each(|gate| of_gate(gate, &mut matchers));
        let mut grounds = Vec::new();
        matchers.into_iter().for_each(|matcher| groups(&matcher.pattern, &mut grounds));
        self.found.push(Verdict { kind, span, rule, place: self.scope.place, everywhere, labels, grounds });
    }
}

/// Whether a condition has no gates in it.
fn is_plain(kind: &ConditionKind) -> bool {
    !matches!(kind, ConditionKind::All(_) | ConditionKind::Any(_) | ConditionKind::Not(_))
}

/// One of the things that must hold for a gate to hold.
struct Conjunct<'a> {
    span: Span,
    /// The gate that it is, if it is one.
    inner: Option<&'a Gate>,
    holds: Function,
}
