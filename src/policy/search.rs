//! Where a guarded text has a match of a pattern: exactly, for all contexts at once.
//!
//! An automaton reads the pieces; contexts in which it has come to the same state are joined.
//! Limits: the automaton's size, and patterns that no automaton of this kind can read.

use std::collections::BTreeMap;

use regex::Regex;
use regex_automata::Input;
use regex_automata::dfa::{Automaton, dense};
use regex_automata::util::primitives::StateID;

use super::condition::Truth;
use crate::analysis::gate::{Function, Space};
use crate::analysis::{Answer, Limit, Undecided};
use crate::symbolic::{Atom, Piece};

/// The most bytes of an automaton.
const MAX_BYTES: usize = 4 << 20;

/// Where the pieces have a match. Marks part one text from the next.
pub(super) fn search(space: &mut Space, pieces: &[Piece], pattern: &Regex) -> Answer<Truth> {
    let automaton = automaton(pattern)?;
    let start = automaton
        .start_state_forward(&Input::new(""))
        .map_err(|_| Undecided::about(Limit::PatternForm, pattern.as_str()))?;
    let mut search = Search { space, automaton, start, hit: Function::FALSE, open: Function::FALSE };
    let mut states = BTreeMap::from([(start, Function::TRUE)]);
    for piece in pieces {
        states = search.piece(states, piece)?;
    }
    search.end(states)?;
    let open = search.space.minus(search.open, search.hit)?;
    Ok(Truth { holds: search.hit, open })
}

fn automaton(pattern: &Regex) -> Answer<dense::DFA<Vec<u32>>> {
    let config = dense::Config::new().dfa_size_limit(Some(MAX_BYTES)).determinize_size_limit(Some(MAX_BYTES));
    let built = dense::Builder::new().configure(config).build(pattern.as_str());
    built.map_err(|_| Undecided::about(Limit::PatternForm, pattern.as_str()))
}

/// States of the automaton with the contexts in which it is in them.
type States = BTreeMap<StateID, Function>;

struct Search<'a> {
    space: &'a mut Space,
    automaton: dense::DFA<Vec<u32>>,
    start: StateID,
    hit: Function,
    open: Function,
}

impl Search<'_> {
    fn piece(&mut self, states: States, piece: &Piece) -> Answer<States> {
        let mut after = States::new();
        let mut ended = States::new();
        for (state, condition) in states {
            let there = self.space.and(condition, piece.guard)?;
            let gone = self.space.minus(condition, piece.guard)?;
            self.add(&mut after, state, gone)?;
            if there == Function::FALSE {
                continue;
            }
            match &piece.atom {
                Atom::Text(text) | Atom::Value(text) => match self.read(state, text) {
                    Some(state) => self.add(&mut after, state, there)?,
                    None => self.hit = self.space.or(self.hit, there)?,
                },
                Atom::Number(_) | Atom::Parent | Atom::Lines => self.open = self.space.or(self.open, there)?,
                Atom::Mark(_) => self.add(&mut ended, state, there)?,
            }
        }
        let again = self.end(ended)?;
        self.add(&mut after, self.start, again)?;
        Ok(after)
    }

    /// The state after a text; nothing once there is a match.
    fn read(&self, mut state: StateID, text: &str) -> Option<StateID> {
        for byte in text.bytes() {
            if self.automaton.is_match_state(state) {
                return None;
            }
            state = self.automaton.next_state(state, byte);
        }
        (!self.automaton.is_match_state(state)).then_some(state)
    }

    /// The text ends here. Gives the contexts without a match.
    fn end(&mut self, states: States) -> Answer<Function> {
        let mut without = Function::FALSE;
        for (state, condition) in states {
            let last = self.automaton.next_eoi_state(state);
            let place = if self.automaton.is_match_state(last) { &mut self.hit } else { &mut without };
            *place = self.space.or(*place, condition)?;
        }
        Ok(without)
    }

    fn add(&mut self, states: &mut States, state: StateID, condition: Function) -> Answer<()> {
        if condition != Function::FALSE {
            let before = states.get(&state).copied().unwrap_or(Function::FALSE);
            states.insert(state, self.space.or(before, condition)?);
        }
        Ok(())
    }
}
