//! Explanations: the same run as [`resolve`](crate::interpret::resolve), recorded.
//!
//! Input: rules and a context. Output: an [`Explanation`], that is the message with the origin
//! of every character, who was chosen and why, and the verdict on every rule. There is no second
//! interpreter: [`interpret`] runs with a [`Trace`], and this stage only reads what it recorded.

mod because;
mod build;
pub mod describe;
mod human;
mod json;
mod matching;
mod near;
mod overrides;
mod traced;

use crate::context::Context;
use crate::interpret::{Choice, DefaultReason, Event, Facts, RuleKind, interpret};
use crate::message::{Section, SystemMessageConfig};
use crate::rules::{Override, RuleSet};
use crate::source::Span;

pub use because::{Because, Reader};
pub use human::{Detail, human};
pub use json::json;
pub use traced::{Segment, Trace, Traced};

/// Why one session gets what it gets.
#[derive(Debug)]
pub struct Explanation<'r> {
    /// What `resolve` gives, with the origin of every character.
    pub message: SystemMessageConfig<Traced<'r>>,
    /// The model that rules saw.
    pub model: Option<String>,
    /// The contributor that was chosen; nothing if none was.
    pub choice: Option<Choice<'r>>,
    /// Why the default message stands alone, if it does.
    pub reason: Option<DefaultReason>,
    /// The verdict on every contributor, line and block, in rule order.
    pub rules: Vec<RuleVerdict<'r>>,
    /// Who overrides each section of the message, in its order.
    pub sections: Vec<SectionSource<'r>>,
    /// Every override of the rules that took part, and what became of it.
    pub overrides: Vec<OverrideVerdict<'r>>,
    /// What was probably meant by names that come to nothing.
    pub hints: Vec<String>,
}

/// What became of one rule.
#[derive(Debug)]
pub struct RuleVerdict<'r> {
    /// Its id.
    pub id: &'r str,
    /// Where the id is written.
    pub span: Span,
    /// Its kind.
    pub kind: RuleKind,
    /// The verdict.
    pub verdict: Verdict,
}

/// What became of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It took part.
    Applied,
    /// It was asked and did not take part: by which condition, if it was one.
    NotApplied(Option<Because>),
    /// It was never asked.
    NotReached,
}

impl Verdict {
    /// The name in output.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::NotApplied(_) => "not-applied",
            Self::NotReached => "not-reached",
        }
    }

    /// The condition that decided, if one did.
    #[must_use]
    pub fn because(&self) -> Option<&Because> {
        match self {
            Self::NotApplied(because) => because.as_ref(),
            Self::Applied | Self::NotReached => None,
        }
    }
}

/// Who overrides a section of the message.
#[derive(Clone, Copy, Debug)]
pub struct SectionSource<'r> {
    /// The section.
    pub section: Section,
    /// The override that counts, with the id of its rule; nothing where only the lines are there.
    pub rule: Option<(&'r str, &'r Override)>,
    /// How many tool-instruction lines were composed into it.
    pub lines: usize,
}

/// What became of one override.
#[derive(Debug)]
pub struct OverrideVerdict<'r> {
    /// The id of its rule, or `base`.
    pub rule: &'r str,
    /// The section.
    pub section: Section,
    /// The override.
    pub chosen: &'r Override,
    /// What became of it.
    pub fate: Fate<'r>,
}

/// What became of an override of a rule that took part.
#[derive(Debug)]
pub enum Fate<'r> {
    /// It is in the message.
    Counts,
    /// It would have been, but a nearer rule says something about the section.
    Replaced(&'r str),
    /// It was asked and did not apply: by which condition, if it was one.
    NotApplied(Option<Because>),
    /// An earlier alternative applied.
    NotReached,
}

/// Explains the resolution of one context.
#[must_use]
pub fn explain<'r>(rules: &'r RuleSet, context: &Context) -> Explanation<'r> {
    let facts = Facts::new(&rules.catalog, context);
    let mut trace = Trace::default();
    let message = interpret(rules, &facts, &mut trace);
    explain_run(rules, &facts, context, message, &trace)
}

/// Explains a run that has been recorded.
pub(crate) fn explain_run<'r>(
    rules: &'r RuleSet,
    facts: &Facts<'_>,
    context: &Context,
    message: SystemMessageConfig<Traced<'r>>,
    trace: &Trace<'r>,
) -> Explanation<'r> {
    let reader = Reader { catalog: &rules.catalog, facts, context };
    build::explanation(rules, &reader, message, &trace.events)
}

/// The contributor that a run chose.
pub(crate) fn chosen<'r>(events: &[Event<'r>]) -> Option<Choice<'r>> {
    events.iter().find_map(|event| if let Event::Chosen(choice) = event { Some(*choice) } else { None })
}

#[cfg(test)]
mod tests;
