//! A shortest id of a language: best-first search in a product of automata.
//!
//! The distances of the single automata make a consistent bound for any Boolean combination, so
//! states from which the language is out of reach are never expanded and the first id that is
//! reached is a best one: fewest characters outside graphic ASCII, then fewest characters.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::alphabet::{count, is_graphic};
use super::automaton::NEVER;
use super::plan::Plan;
use super::product::Product;
use crate::analysis::{Answer, Limit, Undecided};

/// The most steps of single automata in the search for one id.
const MAX_STEPS: usize = 8_000_000;
/// The most numbers held for the states of one search.
const MAX_HELD: usize = 4_000_000;

/// What a character outside graphic ASCII costs; a graphic one costs 1.
const AWKWARD: u64 = 1 << 24;

/// What a character adds to the cost of an id.
fn cost(letter: char) -> u64 {
    if is_graphic(letter) { 1 } else { AWKWARD }
}

/// What an id costs: the best one costs least.
pub(super) fn cost_of(id: &str) -> u64 {
    id.chars().map(cost).sum()
}

/// Product states in order of discovery, each with the best known way to it.
struct Visited {
    states: IndexSet<Box<[u32]>, FxBuildHasher>,
    ways: Vec<Way>,
}

/// The last step of a way, and its cost from the start.
#[derive(Clone, Copy)]
struct Way {
    from: Option<u32>,
    letter: char,
    cost: u64,
    done: bool,
}

impl Visited {
    fn new() -> Self {
        Self { states: IndexSet::default(), ways: Vec::new() }
    }

    /// Notes a way to a state; its number if that is the best way so far.
    fn reach(&mut self, state: &[u32], from: Option<u32>, letter: char) -> Option<u32> {
        let before = from.and_then(|from| self.ways.get(from as usize)).map_or(0, |way| way.cost);
        let way = Way { from, letter, cost: before + cost(letter), done: false };
        if let Some(number) = self.states.get_index_of(state) {
            let known = self.ways.get_mut(number)?;
            let better = !known.done && way.cost < known.cost;
            if better {
                *known = way;
            }
            return better.then(|| count(number));
        }
        self.ways.push(way);
        Some(count(self.states.insert_full(state.into()).0))
    }

    /// Takes a state for expansion, once.
    fn open(&mut self, number: u32) -> Option<Box<[u32]>> {
        let way = self.ways.get_mut(number as usize).filter(|way| !way.done)?;
        way.done = true;
        self.states.get_index(number as usize).cloned()
    }

    fn cost(&self, number: u32) -> u64 {
        self.ways.get(number as usize).map_or(0, |way| way.cost)
    }

    /// The id that leads to a state.
    fn id(&self, number: u32) -> Box<str> {
        let mut letters = Vec::new();
        let mut at = Some(number);
        while let Some(way) = at.and_then(|at| self.ways.get(at as usize)) {
            letters.push(way.letter);
            at = way.from;
        }
        letters.into_iter().rev().collect()
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

/// Counts the steps of one search against its limits.
#[derive(Default)]
struct Effort {
    steps: usize,
}

impl Effort {
    /// Accounts for the expansion of one more state.
    fn expand(&mut self, product: &Product<'_>, visited: &Visited) -> Answer<()> {
        let width = product.len() + 1;
        self.steps += width * product.letters().len();
        let within = self.steps <= MAX_STEPS && visited.len() * width <= MAX_HELD;
        if within { Ok(()) } else { Err(Undecided::new(Limit::JointStates)) }
    }
}

/// A best non-empty id in the language of a plan.
pub(super) fn best(product: &Product<'_>, plan: &Plan) -> Answer<Option<Box<str>>> {
    let mut search = Search { product, plan, visited: Visited::new(), queue: BinaryHeap::new(), scratch: Vec::new() };
    let mut effort = Effort::default();
    effort.expand(product, &search.visited)?;
    search.expand(&product.start(), None);
    while let Some((_, ahead, Reverse(number))) = search.queue.pop() {
        let Some(state) = search.visited.open(number) else { continue };
        if ahead == Reverse(0) {
            return Ok(Some(search.visited.id(number)));
        }
        effort.expand(product, &search.visited)?;
        search.expand(&state, Some(number));
    }
    Ok(None)
}

struct Search<'a> {
    product: &'a Product<'a>,
    plan: &'a Plan,
    visited: Visited,
    /// By the least cost of an id through the state, then by the least way ahead.
    queue: BinaryHeap<(Reverse<u64>, Reverse<u32>, Reverse<u32>)>,
    scratch: Vec<u32>,
}

impl Search<'_> {
    fn expand(&mut self, state: &[u32], from: Option<u32>) {
        let mut next = Vec::with_capacity(state.len());
        for letter in self.product.letters() {
            self.product.step(state, letter, &mut next);
            let ahead = self.plan.distance(self.product, &next, &mut self.scratch);
            if ahead == NEVER {
                continue;
            }
            if let Some(number) = self.visited.reach(&next, from, letter.letter) {
                let through = self.visited.cost(number) + u64::from(ahead);
                self.queue.push((Reverse(through), Reverse(ahead), Reverse(number)));
            }
        }
    }
}
