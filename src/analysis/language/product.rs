//! Several automata that read the same id at once.

use std::collections::HashSet;

use rustc_hash::FxHashSet;

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
    /// `letters` has a character of every class that any of the automata can tell apart; of
    /// several for one joint class the first counts.
    pub(super) fn new(automata: Vec<&'a Automaton>, letters: &[char]) -> Self {
        let mut seen: FxHashSet<Box<[u32]>> = HashSet::default();
        let mut joint = Vec::new();
        for &letter in letters {
            let classes: Box<[u32]> = automata.iter().map(|automaton| automaton.alphabet().class(letter)).collect();
            if seen.insert(classes.clone()) {
                joint.push(Letter { letter, classes });
            }
        }
        Self { automata, letters: joint }
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
