//! What the interpreter tells a recorder, and the two kinds of text that it can compose.

use super::select::Choice;
use crate::message::Section;
use crate::rules::{Binding, Contributor, Gate, Line, Override, Template};
use crate::source::Span;

/// Follows one run. `'r` is the life of the rule set.
pub trait Recorder<'r> {
    /// The kind of text that the run composes.
    type Text: Composed<'r>;

    /// Told as things happen, in order.
    fn record(&mut self, event: Event<'r>);
}

/// Something that happened in a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'r> {
    /// A contributor was chosen.
    Chosen(Choice<'r>),
    /// The default message stands alone.
    Default(DefaultReason),
    /// A gate was asked.
    Gate {
        /// The gate.
        gate: &'r Gate,
        /// Its answer.
        holds: bool,
    },
    /// A contributor's own parts take part, or do not, by its `when`.
    Parts {
        /// The contributor: the chosen one or one of its parents.
        contributor: &'r Contributor,
        /// Whether its `when` holds.
        apply: bool,
    },
    /// An override applies, unless a nearer contributor says something else about the section.
    Override {
        /// The id of the contributor, or `base`.
        rule: &'r str,
        /// The section.
        section: Section,
        /// The override.
        chosen: &'r Override,
    },
    /// A `content` gives a text, which may be empty. The nearest one counts.
    Content {
        /// The id of the contributor, or `base`.
        rule: &'r str,
    },
    /// A string gives nothing, because a binding that it uses has no value.
    Unbound {
        /// The binding.
        binding: &'r Binding,
        /// The string.
        template: &'r Template,
    },
    /// A full prompt applies.
    FullPrompt(&'r Contributor),
    /// A line or block is asked what it contributes; all until it is rendered, or not, is about it.
    Asked(&'r Line),
    /// A line or block was rendered, or not.
    Rendered {
        /// Line or block.
        kind: RuleKind,
        /// The rule.
        rule: &'r Line,
        /// Whether it contributes text.
        rendered: bool,
    },
}

/// Why the default message was used as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefaultReason {
    /// The context names no model.
    NoModel,
    /// No contributor takes the model.
    NoContributor,
    /// The chosen contributor's `when` fails, and its parents give nothing.
    OptedOut,
    /// The chosen contributor applies, but nothing of it does.
    NothingApplied,
}

/// The kinds of rules that have ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleKind {
    /// A per-model rule.
    Contributor,
    /// A universal tool-instruction line.
    Line,
    /// A universal trailing block.
    Block,
}

/// Where a piece of composed text was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'r> {
    /// The id of the rule that says it; `base` for the default message.
    pub rule: &'r str,
    /// The string or list item.
    pub span: Span,
}

/// Text under composition.
pub trait Composed<'r>: Clone + Default {
    /// Adds text that a rule says.
    fn push(&mut self, text: &str, origin: Origin<'r>);
    /// Adds text that the layering puts between.
    fn separate(&mut self, text: &'static str);
    /// Adds composed text.
    fn extend(&mut self, text: Self);
    /// Whether there is none.
    fn is_empty(&self) -> bool;
    /// The text alone.
    fn into_string(self) -> String;

    /// This text with a separator and another text after it.
    #[must_use]
    fn with(mut self, separator: &'static str, text: Self) -> Self {
        self.separate(separator);
        self.extend(text);
        self
    }

    /// This text and another on the next line.
    #[must_use]
    fn line(self, text: Self) -> Self {
        self.with("\n", text)
    }

    /// This text, then another after a blank line; the other alone if this one is empty.
    #[must_use]
    fn paragraph(self, text: Self) -> Self {
        if self.is_empty() { text } else { self.with("\n\n", text) }
    }
}

impl<'r> Composed<'r> for String {
    fn push(&mut self, text: &str, _: Origin<'r>) {
        self.push_str(text);
    }

    fn separate(&mut self, text: &'static str) {
        self.push_str(text);
    }

    fn extend(&mut self, text: Self) {
        self.push_str(&text);
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn into_string(self) -> String {
        self
    }
}

/// Records nothing and composes plain strings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Recorder<'_> for Silent {
    type Text = String;

    fn record(&mut self, _: Event<'_>) {}
}
