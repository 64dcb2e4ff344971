//! Policies: what must hold of every resolution.

use regex::Regex;

use super::{Gate, Matcher};
use crate::message::Section;
use crate::source::Span;

/// A statement about all resolutions.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Unique among policies.
    pub id: Box<str>,
    /// The id's place.
    pub span: Span,
    /// Why it is there.
    pub description: Option<Box<str>>,
    /// Whether the condition must hold never, or always.
    pub demand: Demand,
    /// The condition.
    pub condition: PolicyCondition,
    /// The contexts that it is about.
    pub when: Option<Gate>,
    /// The ids of contributors that it is not about.
    pub except_contributors: Box<[Box<str>]>,
    /// The models that it is not about.
    pub except_models: Option<Matcher>,
}

/// How often a condition must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// In no resolution.
    Never,
    /// In every resolution.
    Always,
}

/// A conjunction of at least one test.
#[derive(Clone, Debug)]
pub struct PolicyCondition {
    /// All of these must be true; in written order.
    pub tests: Box<[Test]>,
    /// The mapping.
    pub span: Span,
}

/// One key of a condition with its value. Lists are never empty; any of their items will do.
#[derive(Clone, Debug)]
pub enum Test {
    /// The mode is `replace`, or it is `customize`.
    Replaces(bool),
    /// One of these contributors was chosen.
    Contributor(Box<[Box<str>]>),
    /// One of these sections is overridden, with one of these actions if any are named.
    Section(Box<[Section]>, Option<Box<[ActionKind]>>),
    /// One of these lines is in the message.
    Line(Box<[Box<str>]>),
    /// One of these blocks is in the message.
    Block(Box<[Box<str>]>),
    /// The content ends with the text of this block.
    TrailingEndsWith(Box<str>),
    /// Some text of the message has a match: the string that was written, or the pattern.
    Text(Regex),
    /// All conditions are true.
    All(Box<[PolicyCondition]>),
    /// At least one condition is true.
    Any(Box<[PolicyCondition]>),
    /// The condition is not true.
    Not(Box<PolicyCondition>),
}

/// What an override can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// The content takes the section's place.
    Replace,
    /// The content follows the section.
    Append,
    /// The content goes before the section.
    Prepend,
    /// The section is dropped.
    Remove,
    /// The section stays as it is.
    Preserve,
    /// The host rewrites the section's text.
    Transform,
}

impl ActionKind {
    /// All actions, in the order of the contract.
    pub const ALL: [Self; 6] =
        [Self::Replace, Self::Append, Self::Prepend, Self::Remove, Self::Preserve, Self::Transform];

    /// The name in rule files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Append => "append",
            Self::Prepend => "prepend",
            Self::Remove => "remove",
            Self::Preserve => "preserve",
            Self::Transform => "transform",
        }
    }

    /// Whether it comes with a content.
    #[must_use]
    pub fn has_content(self) -> bool {
        matches!(self, Self::Replace | Self::Append | Self::Prepend)
    }
}
