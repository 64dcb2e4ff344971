//! What kind of change turns one text, or one override, into another.

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::symbolic::{Atom, Guarded, Piece, Words, align};

use super::Level;

/// A kind of change, and where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) kind: Kind,
    pub(super) region: Function,
}

/// How a part of a rule changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// It is gone.
    Gone,
    /// It is new.
    New,
    /// It says the same in more contexts.
    Looser,
    /// It says the same in fewer contexts.
    Tighter,
    /// It says the same under other conditions.
    Elsewhere,
    /// It says something else.
    Text,
    /// It has other white space.
    Bytes,
}

impl Kind {
    pub(super) fn level(self) -> Level {
        match self {
            Self::Gone | Self::New | Self::Text => Level::Text,
            Self::Looser | Self::Tighter | Self::Elsewhere => Level::Gate,
            Self::Bytes => Level::Bytes,
        }
    }
}

/// How a text changed, for one model. Each change with the contexts in which it shows.
pub(super) fn of_words(space: &mut Space, old: Option<&Words>, new: Option<&Words>) -> Answer<Vec<Change>> {
    let (old, new) = match (old, new) {
        (None, None) => return Ok(Vec::new()),
        (None, Some(new)) => return Ok(some(Kind::New, new.given)),
        (Some(old), None) => return Ok(some(Kind::Gone, old.given)),
        (Some(old), Some(new)) if old == new => return Ok(Vec::new()),
        (Some(old), Some(new)) => (old, new),
    };
    let same_words = spelled(&old.pieces) == spelled(&new.pieces);
    let mut changes = conditions(space, old.given, new.given, same_words)?;
    let both = space.and(old.given, new.given)?;
    changes.extend(of_pieces(space, both, &old.pieces, &new.pieces)?);
    Ok(changes)
}

/// How an override changed, for one model.
pub(super) fn of_override(space: &mut Space, old: &Guarded, new: &Guarded) -> Answer<Vec<Change>> {
    if old == new {
        return Ok(Vec::new());
    }
    let (was, is) = (old.present(space)?, new.present(space)?);
    if was == Function::FALSE || is == Function::FALSE {
        let kind = if was == Function::FALSE { Kind::New } else { Kind::Gone };
        return Ok(some(kind, space.or(was, is)?));
    }
    let same_actions = old.kinds().eq(new.kinds());
    let same_words = same_actions && spelled(&old.pieces) == spelled(&new.pieces);
    let mut changes = conditions(space, was, is, same_words)?;
    let both = space.and(was, is)?;
    let mut other = Function::FALSE;
    for kind in old.kinds().chain(new.kinds()) {
        let differs = space.xor(old.action(kind), new.action(kind))?;
        other = space.or(other, differs)?;
    }
    let other = space.and(other, both)?;
    changes.extend(some(if same_words { Kind::Elsewhere } else { Kind::Text }, other));
    let alike = space.minus(both, other)?;
    changes.extend(of_pieces(space, alike, &old.pieces, &new.pieces)?);
    Ok(changes)
}

/// Where something is there on one side only.
fn conditions(space: &mut Space, old: Function, new: Function, same_words: bool) -> Answer<Vec<Change>> {
    let region = space.xor(old, new)?;
    if region == Function::FALSE {
        return Ok(Vec::new());
    }
    let (lost, won) = (space.minus(old, new)?, space.minus(new, old)?);
    let kind = match (lost, won) {
        _ if !same_words => Kind::Text,
        (Function::FALSE, _) => Kind::Looser,
        (_, Function::FALSE) => Kind::Tighter,
        _ => Kind::Elsewhere,
    };
    Ok(some(kind, region))
}

/// How the pieces read, where both are there.
fn of_pieces(space: &mut Space, both: Function, old: &[Piece], new: &[Piece]) -> Answer<Vec<Change>> {
    let region = align(space, both, old, new)?.suspect(space)?;
    if region == Function::FALSE {
        return Ok(Vec::new());
    }
    if spelled(old) == spelled(new) {
        return Ok(some(Kind::Elsewhere, region));
    }
    let letters = align(space, both, &without_blanks(old), &without_blanks(new))?.suspect(space)?;
    let kind = if letters == Function::FALSE { Kind::Bytes } else { Kind::Text };
    Ok(some(kind, if kind == Kind::Bytes { region } else { space.and(region, letters)? }))
}

fn some(kind: Kind, region: Function) -> Vec<Change> {
    if region == Function::FALSE { Vec::new() } else { vec![Change { kind, region }] }
}

/// Everything that can be said, whatever the conditions: texts in one, marks as they are.
fn spelled(pieces: &[Piece]) -> Vec<Atom> {
    let mut all: Vec<Atom> = Vec::new();
    let mut text = String::new();
    for piece in pieces {
        match &piece.atom {
            // A separator that only a condition asks for.
            Atom::Text(newline) if &**newline == "\n" => {}
            Atom::Text(more) => text.push_str(more),
            other @ (Atom::Number(_) | Atom::Parent | Atom::Lines | Atom::Mark(_)) => {
                all.push(Atom::Text(std::mem::take(&mut text).into()));
                all.push(other.clone());
            }
        }
    }
    all.push(Atom::Text(text.into()));
    all
}

/// The pieces without any white space.
fn without_blanks(pieces: &[Piece]) -> Vec<Piece> {
    let blank = |text: &str| text.split_whitespace().collect::<String>();
    let pieces = pieces.iter().map(|piece| match &piece.atom {
        Atom::Text(text) => Piece { guard: piece.guard, atom: Atom::Text(blank(text).into()) },
        Atom::Number(_) | Atom::Parent | Atom::Lines | Atom::Mark(_) => piece.clone(),
    });
    pieces.filter(|piece| !matches!(&piece.atom, Atom::Text(text) if text.is_empty())).collect()
}
