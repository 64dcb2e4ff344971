//! Which contexts come to a place in the rules: whose models, behind which gates.

use std::rc::Rc;

use super::Exact;
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::rules::{Gate, SectionRule};
use crate::source::Span;

/// Whose sessions come to a place.
#[derive(Clone, Debug)]
pub(in crate::lint) enum Who {
    /// Everyone's, with a model or without.
    Anyone,
    /// Those whose model one of these takes.
    Takers(Rc<[Taker]>),
}

/// A contributor that takes an id, and what holds beside that.
#[derive(Clone, Copy, Debug)]
pub(in crate::lint) struct Taker {
    pub(super) contributor: usize,
    pub(super) function: Function,
}

impl Who {
    /// Whether nobody's do.
    pub(in crate::lint) fn is_nobody(&self) -> bool {
        match self {
            Self::Anyone => false,
            Self::Takers(takers) => takers.is_empty(),
        }
    }
}

/// A part of a contributor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::lint) enum Part {
    /// Its `when`: asked for its own models and for those of all that extend it.
    When,
    /// Sections and `content`: the same, unless a full prompt applies.
    Layer,
    /// Its `full_prompt`: for its own models alone.
    FullPrompt,
    /// What its own models get together, unless a full prompt applies.
    Message,
}

/// What a place is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lint) enum Place {
    /// What makes messages.
    Rule,
    /// A policy.
    Policy,
    /// A shared text that no rule uses.
    UnusedText,
}

/// A place, by what leads to it.
#[derive(Clone, Debug)]
pub(in crate::lint) struct Scope<'a> {
    /// The id of the rule.
    pub(in crate::lint) rule: Option<&'a str>,
    pub(in crate::lint) place: Place,
    /// The number of the contributor, in one.
    pub(in crate::lint) contributor: Option<usize>,
    pub(in crate::lint) who: Who,
    /// The gates around the place, the outermost first.
    pub(in crate::lint) gates: Vec<&'a Gate>,
    /// In the content of an override: the section, and how many overrides stand in front of it.
    pub(in crate::lint) earlier: Option<(&'a SectionRule, usize)>,
    /// In a shared text: where the rule uses it.
    pub(in crate::lint) shared: Option<Span>,
}

impl<'a> Scope<'a> {
    /// The scope of a rule that every session comes to.
    pub(in crate::lint) fn universal(rule: Option<&'a str>) -> Self {
        Self {
            rule,
            place: Place::Rule,
            contributor: None,
            who: Who::Anyone,
            gates: Vec::new(),
            earlier: None,
            shared: None,
        }
    }
}

impl<'a> Exact<'a> {
    /// The scope of a part of a contributor, its `when` included unless it is the part.
    pub(in crate::lint) fn scope(&mut self, contributor: usize, part: Part) -> Scope<'a> {
        let who = self.who(contributor, part);
        let rule = self.contributor(contributor);
        let when = rule.and_then(|rule| rule.when.as_ref()).filter(|_| part != Part::When);
        Scope {
            rule: rule.map(|rule| &*rule.id),
            place: Place::Rule,
            contributor: Some(contributor),
            who,
            gates: when.into_iter().collect(),
            earlier: None,
            shared: None,
        }
    }

    pub(super) fn who(&mut self, contributor: usize, part: Part) -> Who {
        if let Some(who) = self.who.get(&(contributor, part)) {
            return who.clone();
        }
        let mut numbers = vec![contributor];
        if matches!(part, Part::When | Part::Layer) {
            numbers.extend(self.takers.heirs(contributor));
        }
        let mut takers = Vec::new();
        for number in numbers {
            // Undecided counts as taking ids: what is impossible for all that it accepts is impossible.
            if matches!(self.sample(number), Ok(None)) {
                continue;
            }
            let own = number == contributor && matches!(part, Part::When | Part::FullPrompt);
            let function = if own { Function::TRUE } else { self.without_full_prompt(number) };
            if function != Function::FALSE {
                takers.push(Taker { contributor: number, function });
            }
        }
        let who = Who::Takers(takers.into());
        self.who.insert((contributor, part), who.clone());
        who
    }

    /// Where no full prompt of the contributor applies.
    fn without_full_prompt(&mut self, number: usize) -> Function {
        let Some(contributor) = self.contributor(number) else { return Function::TRUE };
        let Some(prompt) = &contributor.full_prompt else { return Function::TRUE };
        let applies = |exact: &mut Self| {
            let when = exact.when(contributor.when.as_ref())?;
            let guard = exact.when(prompt.when.as_ref())?;
            let text = exact.gives_text(&prompt.text, None)?;
            let both = exact.space.and(when, guard)?;
            let applies = exact.space.and(both, text)?;
            exact.space.not(applies)
        };
        applies(self).unwrap_or(Function::TRUE)
    }

    /// What holds at a place beside whose model it is: the gates around it.
    pub(in crate::lint) fn enclosing(&mut self, scope: &Scope<'a>) -> Answer<Function> {
        scope.gates.iter().try_fold(Function::TRUE, |all, gate| {
            let gate = self.gate(gate)?;
            self.space.and(all, gate)
        })
    }

    /// The same, and that no override in front applies.
    pub(in crate::lint) fn reaching(&mut self, scope: &Scope<'a>) -> Answer<Function> {
        let around = self.enclosing(scope)?;
        let Some((section, before)) = scope.earlier else { return Ok(around) };
        let earlier = self.first_overrides_apply(scope.contributor, section, before)?;
        self.space.minus(around, earlier)
    }
}
