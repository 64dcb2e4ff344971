//! Texts as functions of contexts: pieces with the conditions under which they are there.

use std::sync::Arc;

use crate::analysis::Answer;
use crate::analysis::gate::{Atom as Condition, Function, Space};
use crate::analysis::language::Lang;
use crate::message::{Section, Step};

/// One piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    /// Where it is there.
    pub(crate) guard: Function,
    /// What it is.
    pub(crate) atom: Atom,
}

/// What a piece is. Two atoms that are not equal can still read alike, if both are texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// Characters, at least one.
    Text(Arc<str>),
    /// The characters that a binding stands for in some contexts.
    Value(Arc<str>),
    /// The value of a setting, some number that no rule mentions.
    Number(Arc<str>),
    /// What a contributor's parents say, where that is not looked into.
    Parent,
    /// All lines together, where they are not looked into.
    Lines,
    /// Something that is no text.
    Mark(Arc<Mark>),
}

impl Atom {
    /// The characters, where they are known.
    pub(crate) fn characters(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Value(text) => Some(text),
            Self::Number(_) | Self::Parent | Self::Lines | Self::Mark(_) => None,
        }
    }

    /// Whether it reads as text.
    pub(crate) fn is_text(&self) -> bool {
        match self {
            Self::Text(_) | Self::Value(_) | Self::Number(_) | Self::Parent | Self::Lines => true,
            Self::Mark(_) => false,
        }
    }
}

/// What is no text, and equal only to itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    /// A section's place in the order.
    Section(Section),
    /// A step that replaces or removes: its name, pattern and replacement.
    Rewrite(&'static str, String, String),
    /// The beginning of a step that adds text: its name.
    Begin(&'static str),
    /// The end of a step that adds text.
    End,
}

/// A text that is there under some condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// Where there is a text, be it an empty one.
    pub(crate) given: Function,
    /// Its pieces; each guard implies `given`.
    pub(crate) pieces: Vec<Piece>,
}

impl Piece {
    pub(crate) fn text(guard: Function, text: &str) -> Self {
        Self { guard, atom: Atom::Text(text.into()) }
    }

    pub(crate) fn mark(guard: Function, mark: Mark) -> Self {
        Self { guard, atom: Atom::Mark(mark.into()) }
    }
}

/// The pieces of a step.
pub(crate) fn step_pieces(guard: Function, step: &Step) -> Vec<Piece> {
    let adds = |name, text: &str| {
        let text = (!text.is_empty()).then(|| Piece::text(guard, text));
        let begin = Piece::mark(guard, Mark::Begin(name));
        std::iter::once(begin).chain(text).chain([Piece::mark(guard, Mark::End)]).collect()
    };
    match step {
        Step::Replace { pattern, with } => {
            vec![Piece::mark(guard, Mark::Rewrite("replace", pattern.clone(), with.clone()))]
        }
        Step::Remove { pattern } => vec![Piece::mark(guard, Mark::Rewrite("remove", pattern.clone(), String::new()))],
        Step::Append(text) => adds("append", text),
        Step::Prepend(text) => adds("prepend", text),
    }
}

/// The pieces, where a condition holds as well; those that never are there are gone.
pub(crate) fn within(space: &mut Space, pieces: &[Piece], condition: Function) -> Answer<Vec<Piece>> {
    if condition == Function::TRUE {
        return Ok(pieces.to_vec());
    }
    let mut kept = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let guard = space.and(piece.guard, condition)?;
        if guard != Function::FALSE {
            kept.push(Piece { guard, atom: piece.atom.clone() });
        }
    }
    Ok(kept)
}

/// Where the pieces come to at least one character.
pub(crate) fn nonempty(space: &mut Space, pieces: &[Piece]) -> Answer<Function> {
    let mut guards: Vec<Function> = pieces.iter().map(|piece| piece.guard).collect();
    guards.dedup();
    space.any(guards)
}

/// The pieces for one model, or without one.
pub(crate) fn at_model(space: &mut Space, pieces: &[Piece], model: Option<&str>) -> Answer<Vec<Piece>> {
    let mut kept = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let guard = space.at_model(piece.guard, model)?;
        if guard != Function::FALSE {
            kept.push(Piece { guard, atom: piece.atom.clone() });
        }
    }
    Ok(kept)
}

/// The languages of model ids that functions depend on.
pub(crate) fn model_langs(space: &Space, functions: impl IntoIterator<Item = Function>) -> Vec<Lang> {
    let mut functions: Vec<Function> = functions.into_iter().collect();
    functions.sort_unstable();
    functions.dedup();
    let mut langs = Vec::new();
    for function in functions {
        langs.extend(space.support(function).into_iter().filter_map(|condition| match condition {
            Condition::Model(lang) => Some(lang),
            Condition::Tool(_) | Condition::ToolSearchActive | Condition::Workspaceless | Condition::Setting(_) => None,
        }));
    }
    langs.sort_unstable();
    langs.dedup();
    langs
}

impl Words {
    /// No text anywhere.
    pub(crate) const NONE: Self = Self { given: Function::FALSE, pieces: Vec::new() };

    /// The text, where a condition holds as well.
    pub(crate) fn within(&self, space: &mut Space, condition: Function) -> Answer<Self> {
        Ok(Self { given: space.and(self.given, condition)?, pieces: within(space, &self.pieces, condition)? })
    }

    /// This text where it is given, the other elsewhere.
    pub(crate) fn or_else(mut self, space: &mut Space, other: &Self) -> Answer<Self> {
        let absent = space.not(self.given)?;
        let other = other.within(space, absent)?;
        self.given = space.or(self.given, other.given)?;
        self.pieces.extend(other.pieces);
        Ok(self)
    }

    /// The text for one model, or without one.
    pub(crate) fn at_model(&self, space: &mut Space, model: Option<&str>) -> Answer<Self> {
        Ok(Self { given: space.at_model(self.given, model)?, pieces: at_model(space, &self.pieces, model)? })
    }

    /// Every condition in it.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function> {
        std::iter::once(self.given).chain(self.pieces.iter().map(|piece| piece.guard))
    }
}
