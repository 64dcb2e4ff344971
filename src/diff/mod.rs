//! What a change of rules does to the messages that sessions get, over all contexts.
//!
//! Input: two rule sets that loaded. Output: a [`Diff`]: differences, each with its level, its cause, the
//! models that it touches and a smallest context that shows it; and the questions that ended at a
//! limit. No difference and no open question is a proof that every context gets the same from both.
//!
//! Model ids are split into the classes that the rules of both sides can tell apart (`classes`). Within
//! a class each side's message is a function of the conditions (`crate::symbolic`); where the two
//! functions differ, the rules that differ there are the causes (`layer`, `units`). Every
//! witness is run through the interpreter, on both sides, before it is reported (`confirm`).

mod base;
mod classes;
mod collect;
mod compare;
mod confirm;
mod kind;
mod launch;
mod layer;
mod units;
mod universal;
mod written;

use serde::Serialize;

use crate::context::Context;
use crate::load::Loaded;
use crate::message::SystemMessageConfig;
use crate::source::Span;

/// How serious a difference is, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A full prompt appears, a section is newly replaced or removed, a line or block no longer arrives.
    Guardrail,
    /// Models get another contributor.
    Selection,
    /// The same text under other conditions.
    Gate,
    /// Other text.
    Text,
    /// White space only.
    Bytes,
}

impl Level {
    /// All levels, worst first.
    pub const ALL: [Self; 5] = [Self::Guardrail, Self::Selection, Self::Gate, Self::Text, Self::Bytes];

    /// The word that people and machines read.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Guardrail => "guardrail",
            Self::Selection => "selection",
            Self::Gate => "gate",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Diff {
    /// What differs, worst first.
    pub differences: Vec<Difference>,
    /// What could not be decided.
    pub undecided: Vec<Open>,
}

/// The answer in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every context gets the same: a proof.
    Identical,
    /// Some context gets something else.
    Different,
    /// No context is known to get something else, and it is not proved that none does.
    Undecided,
}

impl Diff {
    /// The answer in one word.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.differences.is_empty(), self.undecided.is_empty()) {
            (false, _) => Verdict::Different,
            (true, false) => Verdict::Undecided,
            (true, true) => Verdict::Identical,
        }
    }
}

/// One thing that differs, for one cause.
#[derive(Clone, Debug)]
pub struct Difference {
    /// How serious it is.
    pub level: Level,
    /// Why, in one sentence.
    pub cause: String,
    /// The ids of the rules to blame; `base` is the default message.
    pub rules: Vec<String>,
    /// The first of them in the new rule files, if it is there.
    pub place: Option<Span>,
    /// The parts of the message that differ.
    pub parts: Vec<Part>,
    /// The catalog models that it touches, in catalog order.
    pub models: Vec<String>,
    /// The classes of models that it touches.
    pub classes: Vec<Class>,
    /// A smallest context that shows it.
    pub witness: Witness,
    /// A name for this very difference, for approvals.
    pub fingerprint: String,
}

/// A part of the message, or of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The mode.
    Mode,
    /// One section's override.
    Section(crate::message::Section),
    /// The places of the sections.
    Order,
    /// What follows the sections.
    Content,
    /// Deferral of tools.
    ToolSearch,
}

impl Part {
    /// The path that people read.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Mode => "mode".to_owned(),
            Self::Section(section) => section.as_str().to_owned(),
            Self::Order => "order of sections".to_owned(),
            Self::Content => "content".to_owned(),
            Self::ToolSearch => "tool search".to_owned(),
        }
    }
}

/// Model ids that both sides treat alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Class {
    /// The contributor that takes them on the old side.
    pub old: Option<String>,
    /// And on the new side.
    pub new: Option<String>,
    /// One of the ids; nothing for sessions without a model.
    pub example: Option<String>,
    /// How many catalog models are in it.
    pub models: usize,
    /// One id of each of the smaller classes that are told as one.
    #[serde(skip)]
    pub(crate) members: Vec<Option<String>>,
}

/// A context that shows a difference, and what both sides make of it.
#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    /// The context.
    pub context: Context,
    /// What the old rules answer.
    pub old: SystemMessageConfig,
    /// What the new rules answer.
    pub new: SystemMessageConfig,
    /// What both sides make of tool search, where that is what differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_search: Option<[ToolSearchFacts; 2]>,
}

/// What a launch in a context decides about tool search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolSearchFacts {
    /// Whether tools are deferred.
    pub active: bool,
    /// The number of tools from which on they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defer_threshold: Option<serde_json::Number>,
    /// The client tool that searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_tool: Option<String>,
    /// The name of the tool that searches, as the runtime knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_tool: Option<String>,
    /// The tools that are never deferred, in alphabetical order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never_defer: Vec<String>,
}

/// A question that ended at a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Open {
    /// What was asked.
    pub what: String,
    /// Which limit.
    pub why: String,
}

/// Compares two rule sets over all contexts.
#[must_use]
pub fn diff(old: &Loaded, new: &Loaded) -> Diff {
    if written::same(old, new) {
        return Diff { differences: Vec::new(), undecided: Vec::new() };
    }
    compare::compare(old, new)
}
