//! What all ids of a language begin with: a cheap proof that two languages share no id.
//!
//! Kept for the whole id and for the part after its last `/`, both folded (ASCII lower case, `.`
//! and `_` as `-`), so that leaves under different normal forms compare.

use super::automaton::{Automaton, NEVER};
use crate::rules::NormalForm;

/// The longest prefix that is looked at.
const LONGEST: usize = 64;

const FOLD: NormalForm = NormalForm { vendor: false, lowercase: true, dashes: true };

/// Folded text that every id of a language begins with; more than one language can share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// There is no id at all.
    NoId,
    /// Every id, and the last segment of every id, begins with these.
    Begins { id: Box<str>, segment: Box<str> },
}

impl Prefix {
    /// Nothing is known.
    pub(super) fn unknown() -> Self {
        Self::Begins { id: "".into(), segment: "".into() }
    }

    /// Of an automaton that reads the whole id.
    pub(super) fn of_id(automaton: &Automaton) -> Self {
        match required(automaton) {
            Some(id) => Self::Begins { id: id.into(), segment: "".into() },
            None => Self::NoId,
        }
    }

    /// Of an automaton that reads what follows the last `/`.
    pub(super) fn of_last_segment(automaton: &Automaton) -> Self {
        match required(automaton) {
            Some(segment) => Self::Begins { id: "".into(), segment: segment.into() },
            None => Self::NoId,
        }
    }

    /// Of the ids in both languages.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Begins { id, segment }, Self::Begins { id: other_id, segment: other_segment }) => {
                match (longer(id, other_id), longer(segment, other_segment)) {
                    (Some(id), Some(segment)) => Self::Begins { id, segment },
                    (None, _) | (_, None) => Self::NoId,
                }
            }
            (Self::NoId, _) | (_, Self::NoId) => Self::NoId,
        }
    }

    /// Of the ids in either language.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::NoId, one) | (one, Self::NoId) => one,
            (Self::Begins { id, segment }, Self::Begins { id: other_id, segment: other_segment }) => {
                Self::Begins { id: common(&id, &other_id), segment: common(&segment, &other_segment) }
            }
        }
    }

    /// Whether no id can be in both languages. False says nothing.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Begins { id, segment }, Self::Begins { id: other_id, segment: other_segment }) => {
                clash(id, other_id) || clash(segment, other_segment)
            }
            (Self::NoId, _) | (_, Self::NoId) => true,
        }
    }
}

fn clash(left: &str, right: &str) -> bool {
    left.bytes().zip(right.bytes()).any(|(left, right)| left != right)
}

fn longer(left: Box<str>, right: Box<str>) -> Option<Box<str>> {
    (!clash(&left, &right)).then_some(if left.len() < right.len() { right } else { left })
}

fn common(left: &str, right: &str) -> Box<str> {
    left.chars().zip(right.chars()).take_while(|(left, right)| left == right).map(|(letter, _)| letter).collect()
}

/// The folded text that all accepted texts begin with; nothing if none is accepted.
fn required(automaton: &Automaton) -> Option<String> {
    let folded = folded_classes(automaton);
    let mut state = Automaton::START;
    if automaton.distance(state, true) == NEVER {
        return None;
    }
    let mut prefix = String::new();
    while prefix.len() < LONGEST && !automaton.accepts(state) {
        let live = (0..).zip(&folded).map(|(class, letter)| (automaton.step(state, class), *letter));
        let mut live = live.filter(|(target, _)| automaton.distance(*target, true) != NEVER);
        let Some((target, Some(letter))) = live.next() else { break };
        if live.any(|other| other != (target, Some(letter))) {
            break;
        }
        prefix.push(letter);
        state = target;
    }
    Some(prefix)
}

/// What all characters of each class fold to, if that is one ASCII character.
fn folded_classes(automaton: &Automaton) -> Vec<Option<char>> {
    let alphabet = automaton.alphabet();
    let mut folded: Vec<Option<Option<char>>> = vec![None; alphabet.len()];
    let mut note = |class: u32, letter: Option<char>| {
        if let Some(slot) = folded.get_mut(class as usize) {
            *slot = match *slot {
                None => Some(letter),
                Some(before) if before == letter => Some(letter),
                Some(_) => Some(None),
            };
        }
    };
    for letter in (0..128_u8).map(char::from) {
        note(alphabet.class(letter), Some(FOLD.rewrite(letter)));
    }
    note(alphabet.class('\u{80}'), None);
    for (_, class) in alphabet.intervals().iter().filter(|(at, _)| *at > 128) {
        note(*class, None);
    }
    folded.into_iter().map(Option::flatten).collect()
}
