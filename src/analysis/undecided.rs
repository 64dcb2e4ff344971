//! The third truth value: a question that ended at a stated limit.

use std::fmt;

/// The answer to an exact question: a proof, or the limit that it ended at.
pub type Answer<T> = Result<T, Undecided>;

/// A question that was not decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub struct Undecided {
    /// The limit that was reached.
    pub limit: Limit,
    /// The pattern, setting or other thing that was too big, where one is to blame.
    pub subject: Option<Box<str>>,
}

impl Undecided {
    pub(crate) fn new(limit: Limit) -> Self {
        Self { limit, subject: None }
    }

    pub(crate) fn about(limit: Limit, subject: &str) -> Self {
        Self { limit, subject: Some(subject.into()) }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subject {
            Some(subject) => write!(out, "{} (`{subject}`)", self.limit),
            None => write!(out, "{}", self.limit),
        }
    }
}

/// What ended a question. All limits count steps, never time, so that answers repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// A pattern is not of the form that the analysis reads.
    PatternForm,
    /// A pattern, its repetitions written out, has too many parts.
    PatternSize,
    /// The automaton of a pattern has too many states.
    PatternStates,
    /// Several patterns together have too many states.
    JointStates,
    /// There are too many classes of model ids.
    Classes,
    /// Gates have too many distinct conditions.
    Conditions,
    /// The decision diagram of a gate is too big.
    DiagramNodes,
    /// Too many combinations of model conditions had to be looked at.
    ModelCombinations,
    /// A number beyond 2^53 is compared, where equality of numbers is no longer transitive.
    HugeNumber,
    /// The interpreter did not confirm what was computed.
    Unconfirmed,
    /// Two texts can stand beside each other in too many ways.
    Alignments,
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::PatternForm => "a pattern is not of a form that can be analysed",
            Self::PatternSize => "a pattern with its repetitions written out is too long",
            Self::PatternStates => "the automaton of a pattern has too many states",
            Self::JointStates => "the patterns together have too many states",
            Self::Classes => "there are too many classes of model ids",
            Self::Conditions => "there are too many distinct conditions",
            Self::DiagramNodes => "the decision diagram is too big",
            Self::ModelCombinations => "there are too many combinations of model conditions",
            Self::HugeNumber => "a number beyond 2^53 is compared",
            Self::Unconfirmed => "no context that shows it could be confirmed",
            Self::Alignments => "two texts can be aligned in too many ways",
        })
    }
}
