//! A term made ready for search: negations at the leaves, leaves as places in a product.

use rustc_hash::FxHashMap;

use super::alphabet::count;
use super::automaton::NEVER;
use super::product::Product;
use super::term::{Lang, Term, Terms};

/// One operator; operands come before it.
#[derive(Debug)]
enum Part {
    Constant(bool),
    /// A leaf of the product, to be accepted or not.
    Leaf(u32, bool),
    All(Vec<u32>),
    Any(Vec<u32>),
}

/// A language over the leaves of a product.
#[derive(Debug, Default)]
pub(super) struct Plan {
    parts: Vec<Part>,
    /// The leaf at each place of the product.
    leaves: Vec<u32>,
}

impl Plan {
    /// A plan for one term. Leaves for which `assume` has an answer take that instead, whether
    /// they are negated or not: with `false` the plan's language is smaller, with `true` larger.
    pub(super) fn new(terms: &Terms, lang: Lang, assume: impl Fn(u32) -> Option<bool>) -> Self {
        let mut maker =
            Maker { terms, assume, plan: Self::default(), places: FxHashMap::default(), made: FxHashMap::default() };
        maker.part(lang, true);
        maker.plan
    }

    /// The leaf at each place.
    pub(super) fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// A lower bound of the characters until an id is in the language; 0 only if it is now, and
    /// [`NEVER`] only if it never is. One more character lowers it by one at most.
    pub(super) fn distance(&self, product: &Product<'_>, state: &[u32], scratch: &mut Vec<u32>) -> u32 {
        scratch.clear();
        for part in &self.parts {
            let of = |part: &u32| scratch.get(*part as usize).copied().unwrap_or(NEVER);
            let distance = match part {
                Part::Constant(true) => 0,
                Part::Constant(false) => NEVER,
                Part::Leaf(place, accept) => product.distance(*place, state, *accept),
                Part::All(parts) => parts.iter().map(of).max().unwrap_or(0),
                Part::Any(parts) => parts.iter().map(of).min().unwrap_or(NEVER),
            };
            scratch.push(distance);
        }
        scratch.last().copied().unwrap_or(NEVER)
    }
}

struct Maker<'a, F> {
    terms: &'a Terms,
    assume: F,
    plan: Plan,
    places: FxHashMap<u32, u32>,
    made: FxHashMap<(Lang, bool), u32>,
}

impl<F: Fn(u32) -> Option<bool>> Maker<'_, F> {
    fn part(&mut self, lang: Lang, positive: bool) -> u32 {
        if let Some(made) = self.made.get(&(lang, positive)) {
            return *made;
        }
        let terms = self.terms;
        let number = match terms.get(lang) {
            Term::Nothing => self.push(Part::Constant(!positive)),
            Term::Everything => self.push(Part::Constant(positive)),
            Term::Leaf(leaf) => self.leaf(*leaf, positive),
            Term::Not(inner) => self.part(*inner, !positive),
            Term::And(parts) => self.list(parts, positive, positive),
            Term::Or(parts) => self.list(parts, positive, !positive),
        };
        self.made.insert((lang, positive), number);
        number
    }

    fn list(&mut self, parts: &[Lang], positive: bool, all: bool) -> u32 {
        let parts = parts.iter().map(|part| self.part(*part, positive)).collect();
        self.push(if all { Part::All(parts) } else { Part::Any(parts) })
    }

    fn leaf(&mut self, leaf: u32, positive: bool) -> u32 {
        if let Some(value) = (self.assume)(leaf) {
            return self.push(Part::Constant(value));
        }
        let leaves = &mut self.plan.leaves;
        let place = *self.places.entry(leaf).or_insert_with(|| {
            leaves.push(leaf);
            count(leaves.len()) - 1
        });
        self.push(Part::Leaf(place, positive))
    }

    fn push(&mut self, part: Part) -> u32 {
        self.plan.parts.push(part);
        count(self.plan.parts.len()) - 1
    }
}
