//! One leaf of a language: a complete automaton over classes of characters, trimmed.
//!
//! The rewriting of ids is built in here, exactly: `lowercase` and `dashes` are maps of characters,
//! so they only change which class a character is in, and `vendor` (only what follows the last `/`
//! counts) is a return to the start at every `/`. Automata always read the raw id.

use std::collections::VecDeque;

use super::alphabet::{Alphabet, count};
use crate::rules::NormalForm;

/// A distance that is none: there is no such id.
pub(super) const NEVER: u32 = u32::MAX;

/// An automaton as it was made.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) alphabet: Alphabet,
    pub(super) start: u32,
    /// Successors by state, then class.
    pub(super) next: Vec<u32>,
    /// By state.
    pub(super) accept: Vec<bool>,
}

impl Table {
    /// The automaton of the raw ids whose rewritten form this one accepts.
    pub(super) fn preimage(self, normalize: NormalForm) -> Self {
        if normalize == NormalForm::default() {
            return self;
        }
        let key = |letter: char| {
            let restarts = normalize.vendor && letter == '/';
            (!restarts).then(|| self.alphabet.class(normalize.rewrite(letter)))
        };
        let mut marks: Vec<(u32, Option<u32>)> = (0..128).zip((0..128_u8).map(|byte| key(byte.into()))).collect();
        marks.push((128, key('\u{80}')));
        let high = self.alphabet.intervals().iter().filter(|(at, _)| *at > 128);
        marks.extend(high.map(|(at, class)| (*at, Some(*class))));
        let (alphabet, keys) = Alphabet::of_intervals(marks);
        let step = |state: u32, key: &Option<u32>| key.map_or(self.start, |class| self.step(state, class));
        let next =
            (0..count(self.accept.len())).flat_map(|state| keys.iter().map(move |key| step(state, key))).collect();
        Self { alphabet, start: self.start, next, accept: self.accept }
    }

    #[expect(clippy::indexing_slicing, reason = "the table is complete: a row of all classes for each state")]
    fn step(&self, state: u32, class: u32) -> u32 {
        self.next[state as usize * self.alphabet.len() + class as usize]
    }

    /// The fewest characters from each state to one that accepts, or to one that does not.
    fn distances(&self, accept: bool) -> Vec<u32> {
        let width = self.alphabet.len();
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.accept.len()];
        for (state, row) in (0..).zip(self.next.chunks(width.max(1))) {
            for target in row {
                if let Some(list) = sources.get_mut(*target as usize)
                    && list.last() != Some(&state)
                {
                    list.push(state);
                }
            }
        }
        let mut distances: Vec<u32> = self.accept.iter().map(|it| if *it == accept { 0 } else { NEVER }).collect();
        let mut open: VecDeque<u32> =
            (0..).zip(&distances).filter(|(_, far)| **far == 0).map(|(state, _)| state).collect();
        while let Some(state) = open.pop_front() {
            let far = distances.get(state as usize).map_or(NEVER, |far| far.saturating_add(1));
            for source in sources.get(state as usize).into_iter().flatten() {
                if let Some(slot @ &mut NEVER) = distances.get_mut(*source as usize) {
                    *slot = far;
                    open.push_back(*source);
                }
            }
        }
        distances
    }
}

/// An automaton with its reachable states only, all states without a choice left folded into one
/// rejecting and one accepting sink.
#[derive(Debug)]
pub(super) struct Automaton {
    alphabet: Alphabet,
    next: Vec<u32>,
    to_accept: Vec<u32>,
    to_reject: Vec<u32>,
}

/// What stands for a state while states are renumbered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Rejects,
    Accepts,
    State(u32),
}

impl Automaton {
    /// The state before the first character.
    pub(super) const START: u32 = 0;

    /// The trimmed form of a table.
    pub(super) fn new(table: Table) -> Self {
        let (to_accept, to_reject) = (table.distances(true), table.distances(false));
        let far = |list: &[u32], state: u32| list.get(state as usize).copied().unwrap_or(NEVER);
        let role = |state: u32| match (far(&to_accept, state), far(&to_reject, state)) {
            (NEVER, _) => Role::Rejects,
            (_, NEVER) => Role::Accepts,
            _ => Role::State(state),
        };
        let mut numbers = rustc_hash::FxHashMap::default();
        let mut order = vec![table.start];
        numbers.insert(role(table.start), 0);
        let mut trimmed =
            Self { next: Vec::new(), to_accept: Vec::new(), to_reject: Vec::new(), alphabet: Alphabet::trivial() };
        let mut done = 0;
        while let Some(state) = order.get(done).copied() {
            done += 1;
            trimmed.to_accept.push(far(&to_accept, state));
            trimmed.to_reject.push(far(&to_reject, state));
            for class in 0..count(table.alphabet.len()) {
                let target = table.step(state, class);
                let number = *numbers.entry(role(target)).or_insert_with(|| {
                    order.push(target);
                    count(order.len()) - 1
                });
                trimmed.next.push(number);
            }
        }
        trimmed.alphabet = table.alphabet;
        trimmed
    }

    pub(super) fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The successor of a state of this automaton under a class of its alphabet.
    #[expect(
        clippy::indexing_slicing,
        reason = "states and classes only come from this automaton; its table is complete"
    )]
    pub(super) fn step(&self, state: u32, class: u32) -> u32 {
        self.next[state as usize * self.alphabet.len() + class as usize]
    }

    /// The fewest characters until the id is accepted (or, with `false`, is not); 0 if it is now.
    pub(super) fn distance(&self, state: u32, accept: bool) -> u32 {
        let list = if accept { &self.to_accept } else { &self.to_reject };
        list.get(state as usize).copied().unwrap_or(NEVER)
    }

    /// Whether an id that ends here is accepted.
    pub(super) fn accepts(&self, state: u32) -> bool {
        self.distance(state, true) == 0
    }
}
