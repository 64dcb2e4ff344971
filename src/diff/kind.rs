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
pub(super) fn of_words(
    space: &mut Space,
    old: Option<&Words>,
    new: Option<&Words>,
    model: Option<&str>,
) -> Answer<Vec<Change>> {
    let (before, after) = match (old, new) {
        (None, None) => return Ok(Vec::new()),
        (None, Some(new)) => return Ok(some(Kind::New, space.at_model(new.given, model)?)),
        (Some(old), None) => return Ok(some(Kind::Gone, space.at_model(old.given, model)?)),
        (Some(old), Some(new)) if old == new => return Ok(Vec::new()),
        (Some(old), Some(new)) => (old, new),
    };
    let same_words = spelled(&before.pieces) == spelled(&after.pieces);
    let (old, new) = (before.at_model(space, model)?, after.at_model(space, model)?);
    let mut changes = conditions(space, old.given, new.given, same_words)?;
    let both = space.and(old.given, new.given)?;
    changes.extend(of_pieces(space, both, &old.pieces, &new.pieces, same_words)?);
    Ok(changes)
}

/// How an override changed, for one model.
pub(super) fn of_override(
    space: &mut Space,
    before: &Guarded,
    after: &Guarded,
    model: Option<&str>,
) -> Answer<Vec<Change>> {
    if before == after {
        return Ok(Vec::new());
    }
    let (old, new) = (before.at_model(space, model)?, after.at_model(space, model)?);
    let (was, is) = (old.present(space)?, new.present(space)?);
    if before.kinds().next().is_none() || after.kinds().next().is_none() {
        let kind = if before.kinds().next().is_none() { Kind::New } else { Kind::Gone };
        return Ok(some(kind, space.or(was, is)?));
    }
    let same_words = before.kinds().eq(after.kinds()) && spelled(&before.pieces) == spelled(&after.pieces);
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
    changes.extend(of_pieces(space, alike, &old.pieces, &new.pieces, same_words)?);
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
fn of_pieces(space: &mut Space, both: Function, old: &[Piece], new: &[Piece], same_words: bool) -> Answer<Vec<Change>> {
    let region = align(space, both, old, new)?.suspect(space)?;
    if region == Function::FALSE {
        return Ok(Vec::new());
    }
    if same_words {
        let other = values(space, old, new)?;
        let other = space.and(region, other)?;
        let mut changes = some(Kind::Text, other);
        changes.extend(some(Kind::Elsewhere, space.minus(region, other)?));
        return Ok(changes);
    }
    let letters = align(space, both, &without_blanks(old), &without_blanks(new))?.suspect(space)?;
    let kind = if letters == Function::FALSE { Kind::Bytes } else { Kind::Text };
    Ok(some(kind, if kind == Kind::Bytes { region } else { space.and(region, letters)? }))
}

/// Where a binding has one value on the old side and another on the new one.
fn values(space: &mut Space, old: &[Piece], new: &[Piece]) -> Answer<Function> {
    let mut sides = [Function::FALSE; 2];
    for (side, (here, there)) in sides.iter_mut().zip([(old, new), (new, old)]) {
        for piece in here.iter().filter(|piece| matches!(piece.atom, Atom::Value(_) | Atom::Number(_))) {
            let also = there.iter().filter(|other| other.atom == piece.atom).map(|other| other.guard);
            let also = space.any(also)?;
            let only = space.minus(piece.guard, also)?;
            *side = space.or(*side, only)?;
        }
    }
    let [lost, won] = sides;
    space.and(lost, won)
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
            Atom::Text(more) | Atom::Value(more) => text.push_str(more),
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
        Atom::Text(text) | Atom::Value(text) => Piece { guard: piece.guard, atom: Atom::Text(blank(text).into()) },
        Atom::Number(_) | Atom::Parent | Atom::Lines | Atom::Mark(_) => piece.clone(),
    });
    pieces.filter(|piece| !matches!(&piece.atom, Atom::Text(text) if text.is_empty())).collect()
}
