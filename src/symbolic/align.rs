//! Where two guarded sequences read differently: exactly, without trying every context.
//!
//! Both are read from left to right at once. What counts is how far each has been read, and
//! under which condition: conditions of equal progress are joined, so that the work grows with the
//! places at which the two can stand beside each other, not with the contexts. Limit: the number of those.

use std::collections::BTreeMap;

use super::words::{Atom, Piece};
use crate::analysis::gate::{Function, Space};
use crate::analysis::{Answer, Limit, Undecided};

/// The most pairs of places that are looked at.
const MAX_PLACES: usize = 100_000;

/// How two sequences read, as functions of contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Where they differ.
    pub(crate) differ: Function,
    /// Where the value of a setting meets other text, which only a context can decide.
    pub(crate) open: Function,
}

impl Reading {
    /// They read alike everywhere.
    pub(crate) const ALIKE: Self = Self { differ: Function::FALSE, open: Function::FALSE };

    /// Where they may differ.
    pub(crate) fn suspect(self, space: &mut Space) -> Answer<Function> {
        space.or(self.differ, self.open)
    }
}

/// Where two sequences read differently, among the contexts that satisfy `care`.
pub(crate) fn align(space: &mut Space, care: Function, old: &[Piece], new: &[Piece]) -> Answer<Reading> {
    if old == new || care == Function::FALSE {
        return Ok(Reading::ALIKE);
    }
    let (old, new) = without_common_end(old, new);
    let mut reader = Reader::new(space, old, new, false);
    reader.read(care)?;
    let differ = reader.longer()?;
    Ok(Reading { differ, open: reader.open })
}

/// Where one sequence ends with the other, among the contexts that satisfy `care`.
pub(crate) fn ends_alike(space: &mut Space, care: Function, text: &[Piece], end: &[Piece]) -> Answer<Reading> {
    let (text, end): (Vec<Piece>, Vec<Piece>) =
        (text.iter().rev().cloned().collect(), end.iter().rev().cloned().collect());
    let mut reader = Reader::new(space, &text, &end, true);
    reader.read(care)?;
    let differ = reader.space.or(reader.clash, reader.new_longer)?;
    Ok(Reading { differ, open: reader.open })
}

/// Equal pieces at the end read alike wherever they are there, and what is before them decides.
fn without_common_end<'p>(old: &'p [Piece], new: &'p [Piece]) -> (&'p [Piece], &'p [Piece]) {
    let common = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let shorter = |pieces: &'p [Piece]| pieces.get(..pieces.len() - common).unwrap_or(pieces);
    (shorter(old), shorter(new))
}

/// How far a sequence has been read: the piece, whether it is known to be there, and the bytes of it.
type Place = (usize, bool, usize);

struct Reader<'a> {
    space: &'a mut Space,
    old: &'a [Piece],
    new: &'a [Piece],
    backwards: bool,
    /// Places to go on from, with the conditions under which they are reached. Each step leads to a later one.
    todo: BTreeMap<(Place, Place), Function>,
    clash: Function,
    old_longer: Function,
    new_longer: Function,
    open: Function,
}

impl<'a> Reader<'a> {
    fn new(space: &'a mut Space, old: &'a [Piece], new: &'a [Piece], backwards: bool) -> Self {
        let never = Function::FALSE;
        let todo = BTreeMap::new();
        Self { space, old, new, backwards, todo, clash: never, old_longer: never, new_longer: never, open: never }
    }

    fn longer(&mut self) -> Answer<Function> {
        let either = self.space.or(self.old_longer, self.new_longer)?;
        self.space.or(either, self.clash)
    }

    fn read(&mut self, care: Function) -> Answer<()> {
        self.go((0, false, 0), (0, false, 0), care)?;
        let mut places = 0;
        while let Some(((old, new), condition)) = self.todo.pop_first() {
            places += 1;
            if places > MAX_PLACES {
                return Err(Undecided::new(Limit::Alignments));
            }
            self.step(old, new, condition)?;
        }
        Ok(())
    }

    fn go(&mut self, old: Place, new: Place, condition: Function) -> Answer<()> {
        if condition != Function::FALSE {
            let before = self.todo.get(&(old, new)).copied().unwrap_or(Function::FALSE);
            let both = self.space.or(before, condition)?;
            self.todo.insert((old, new), both);
        }
        Ok(())
    }

    fn step(&mut self, old: Place, new: Place, condition: Function) -> Answer<()> {
        let (left, right) = (self.old.get(old.0), self.new.get(new.0));
        match (left, right) {
            (None, None) => Ok(()),
            (Some(left), Some(right)) if !old.1 && !new.1 && left == right => {
                self.go((old.0 + 1, false, 0), (new.0 + 1, false, 0), condition)
            }
            (Some(left), _) if !old.1 => {
                let (there, gone) = self.split(condition, left.guard)?;
                self.go((old.0, true, 0), new, there)?;
                self.go((old.0 + 1, false, 0), new, gone)
            }
            (_, Some(right)) if !new.1 => {
                let (there, gone) = self.split(condition, right.guard)?;
                self.go(old, (new.0, true, 0), there)?;
                self.go(old, (new.0 + 1, false, 0), gone)
            }
            (Some(_), None) => Self::add(self.space, &mut self.old_longer, condition),
            (None, Some(_)) => Self::add(self.space, &mut self.new_longer, condition),
            (Some(left), Some(right)) => self.compare((old, &left.atom), (new, &right.atom), condition),
        }
    }

    fn split(&mut self, condition: Function, guard: Function) -> Answer<(Function, Function)> {
        Ok((self.space.and(condition, guard)?, self.space.minus(condition, guard)?))
    }

    fn add(space: &mut Space, all: &mut Function, condition: Function) -> Answer<()> {
        *all = space.or(*all, condition)?;
        Ok(())
    }

    /// Both pieces are there.
    fn compare(&mut self, old: (Place, &'a Atom), new: (Place, &'a Atom), condition: Function) -> Answer<()> {
        let ((old, left), (new, right)) = (old, new);
        let next = |place: Place| (place.0 + 1, false, 0);
        if let (Some(left), Some(right)) = (left.characters(), right.characters()) {
            let (left, right) = (rest(left, old.2, self.backwards), rest(right, new.2, self.backwards));
            let common = left.len().min(right.len());
            if !alike(left, right, common, self.backwards) {
                return Self::add(self.space, &mut self.clash, condition);
            }
            let after = |place: Place, text: &[u8]| {
                if text.len() == common { next(place) } else { (place.0, true, place.2 + common) }
            };
            return self.go(after(old, left), after(new, right), condition);
        }
        match (left, right) {
            (left, right) if left == right && old.2 == 0 && new.2 == 0 => self.go(next(old), next(new), condition),
            (Atom::Number(_) | Atom::Parent, other) | (other, Atom::Number(_) | Atom::Parent) if other.is_text() => {
                Self::add(self.space, &mut self.open, condition)
            }
            (Atom::Lines, other) | (other, Atom::Lines) if other.is_text() => {
                Self::add(self.space, &mut self.open, condition)
            }
            _ => Self::add(self.space, &mut self.clash, condition),
        }
    }
}

/// The bytes of a text that have not been read yet.
fn rest(text: &str, read: usize, backwards: bool) -> &[u8] {
    let bytes = text.as_bytes();
    let rest = if backwards { bytes.get(..bytes.len().saturating_sub(read)) } else { bytes.get(read..) };
    rest.unwrap_or_default()
}

fn alike(left: &[u8], right: &[u8], common: usize, backwards: bool) -> bool {
    if backwards {
        left.iter().rev().take(common).eq(right.iter().rev().take(common))
    } else {
        left.get(..common) == right.get(..common)
    }
}
