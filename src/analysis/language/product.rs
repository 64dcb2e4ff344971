//! Several automata that read the same id at once.

use std::borrow::Cow;

use super::alphabet::Alphabet;
use super::automaton::{Automaton, NEVER};

/// A product of automata over their joint classes of characters. A state is a state of each.
#[derive(Debug)]
pub(super) struct Product<'a> {
    automata: Vec<&'a Automaton>,
    letters: Vec<Letter>,
}

/// A joint class of characters.
#[derive(Debug)]
pub(super) struct Letter {
    /// The character that stands for it.
    pub(super) letter: char,
    /// Its class in each automaton.
    classes: Box<[u32]>,
}

impl<'a> Product<'a> {
    /// The product of automata.
    pub(super) fn new(automata: Vec<&'a Automaton>) -> Self {
        let alphabets = automata.iter().map(|automaton| automaton.alphabet());
        let joint = alphabets.fold(None, |joint: Option<Cow<'_, Alphabet>>, one| match joint {
            None => Some(Cow::Borrowed(one)),
            Some(joint) => Some(Cow::Owned(joint.product(one))),
        });
        let letters = joint.unwrap_or_else(|| Cow::Owned(Alphabet::trivial())).representatives();
        let classes = |letter| automata.iter().map(|automaton| automaton.alphabet().class(letter)).collect();
        let letters = letters.into_iter().map(|letter| Letter { letter, classes: classes(letter) }).collect();
        Self { automata, letters }
    }

    /// How many automata there are.
    pub(super) fn len(&self) -> usize {
        self.automata.len()
    }

    /// The joint classes, the most readable first.
    pub(super) fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// The state before the first character.
    pub(super) fn start(&self) -> Box<[u32]> {
        self.automata.iter().map(|_| Automaton::START).collect()
    }

    /// Writes the successor of a state.
    pub(super) fn step(&self, state: &[u32], letter: &Letter, into: &mut Vec<u32>) {
        into.clear();
        let places = self.automata.iter().zip(state).zip(&letter.classes);
        into.extend(places.map(|((automaton, state), class)| automaton.step(*state, *class)));
    }

    /// The distance of one automaton.
    pub(super) fn distance(&self, place: u32, state: &[u32], accept: bool) -> u32 {
        match (self.automata.get(place as usize), state.get(place as usize)) {
            (Some(automaton), Some(state)) => automaton.distance(*state, accept),
            (None, _) | (_, None) => NEVER,
        }
    }
}
