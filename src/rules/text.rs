//! Texts: what a rule says, before a context decides which parts of it.

use std::sync::Arc;

use super::{Gate, SettingId, ToolId};
use crate::source::Span;

/// A text as written: one string, or a list that is joined by newlines.
#[derive(Clone, Debug)]
pub struct Text {
    /// The scalar or list.
    pub span: Span,
    /// The parts.
    pub body: TextBody,
}

/// The two forms of a text.
#[derive(Clone, Debug)]
pub enum TextBody {
    /// A single string.
    One(Template),
    /// Items, never none; those that apply are joined by one newline.
    List(Box<[Item]>),
}

/// One item of a list.
#[derive(Clone, Debug)]
pub struct Item {
    /// The item's gate.
    pub when: Option<Gate>,
    /// What it gives.
    pub part: Part,
    /// The item as a whole: its string or its mapping.
    pub span: Span,
}

/// What an item gives.
#[derive(Clone, Debug)]
pub enum Part {
    /// A string of its own.
    Template(Template),
    /// A shared text, with the place that names it.
    Shared(Arc<SharedText>, Span),
    /// What the contributor's parents say about the same section.
    Parent,
}

/// A string with its variables found.
#[derive(Clone, Debug)]
pub struct Template {
    /// The scalar.
    pub span: Span,
    /// Literal text and variables in turn.
    pub pieces: Box<[Piece]>,
}

/// A piece of a string.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text as it stands.
    Literal(Box<str>),
    /// The value of a binding.
    Variable(Arc<Binding>),
}

/// A name that a rule's own strings may use.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name.
    pub name: Box<str>,
    /// Where it is bound.
    pub span: Span,
    /// Where its value comes from.
    pub source: BindingSource,
}

/// Where a binding's value comes from.
#[derive(Clone, Debug)]
pub enum BindingSource {
    /// The first of these tools, in written order, that the client forwards; groups are expanded.
    FirstClientTool(Box<[ToolId]>),
    /// The value of a setting: boolean, number, or one of an `enum`.
    Setting(SettingId),
}

/// A named text of the set.
#[derive(Debug)]
pub struct SharedText {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// The text; it has no variables.
    pub text: Text,
}
