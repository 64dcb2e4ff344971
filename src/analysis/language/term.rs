//! Languages as shared Boolean terms over leaves: equal terms have equal handles. Complements are
//! pushed to the leaves, so that a leaf and its complement meet and cancel out.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::alphabet::count;

/// A set of model ids, as a handle into the [`Languages`](super::Languages) that made it. Equal
/// handles are equal sets; the reverse is a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lang(u32);

impl Lang {
    /// No id.
    pub const NOTHING: Self = Self(0);
    /// Every id.
    pub const EVERYTHING: Self = Self(1);
}

/// What a handle stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    Nothing,
    Everything,
    /// A leaf, by its number.
    Leaf(u32),
    /// Of a leaf.
    Not(Lang),
    /// At least two, sorted, distinct.
    And(Box<[Lang]>),
    /// At least two, sorted, distinct.
    Or(Box<[Lang]>),
}

/// All terms; operands of a term have smaller handles.
#[derive(Debug)]
pub(super) struct Terms {
    terms: IndexSet<Term, FxBuildHasher>,
}

impl Terms {
    pub(super) fn new() -> Self {
        Self { terms: [Term::Nothing, Term::Everything].into_iter().collect() }
    }

    #[expect(clippy::indexing_slicing, reason = "a Lang is only made by `intern` of the same Terms")]
    pub(super) fn get(&self, lang: Lang) -> &Term {
        &self.terms[lang.0 as usize]
    }

    fn intern(&mut self, term: Term) -> Lang {
        Lang(count(self.terms.insert_full(term).0))
    }

    pub(super) fn leaf(&mut self, leaf: u32) -> Lang {
        self.intern(Term::Leaf(leaf))
    }

    pub(super) fn not(&mut self, lang: Lang) -> Lang {
        match self.get(lang).clone() {
            Term::Nothing => Lang::EVERYTHING,
            Term::Everything => Lang::NOTHING,
            Term::Not(inner) => inner,
            Term::Leaf(_) => self.intern(Term::Not(lang)),
            Term::And(parts) => {
                let parts: Vec<Lang> = parts.iter().map(|part| self.not(*part)).collect();
                self.or(parts)
            }
            Term::Or(parts) => {
                let parts: Vec<Lang> = parts.iter().map(|part| self.not(*part)).collect();
                self.and(parts)
            }
        }
    }

    pub(super) fn and(&mut self, langs: impl IntoIterator<Item = Lang>) -> Lang {
        let mut parts = Vec::new();
        for lang in langs {
            match self.get(lang) {
                Term::Nothing => return Lang::NOTHING,
                Term::Everything => {}
                Term::And(inner) => parts.extend_from_slice(inner),
                Term::Leaf(_) | Term::Not(_) | Term::Or(_) => parts.push(lang),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let simpler: Vec<Lang> = parts.iter().map(|part| self.given(*part, &parts)).collect();
        if simpler == parts {
            return self.combine(parts, Lang::NOTHING, Lang::EVERYTHING, Term::And);
        }
        self.and(simpler)
    }

    /// An alternative with what the other parts of a conjunction (sorted) settle left out.
    fn given(&mut self, part: Lang, all: &[Lang]) -> Lang {
        let Term::Or(ways) = self.get(part).clone() else { return part };
        if ways.iter().any(|way| all.binary_search(way).is_ok()) {
            return Lang::EVERYTHING;
        }
        let open: Vec<Lang> = ways.iter().copied().filter(|way| !self.is_refuted(*way, all)).collect();
        if open.len() == ways.len() { part } else { self.or(open) }
    }

    fn is_refuted(&self, way: Lang, all: &[Lang]) -> bool {
        let holds = |lang: &Lang| all.binary_search(lang).is_ok();
        match self.get(way) {
            Term::Not(leaf) => holds(leaf),
            Term::Leaf(_) => self.terms.get_index_of(&Term::Not(way)).is_some_and(|place| holds(&Lang(count(place)))),
            Term::And(parts) => parts.iter().any(|part| self.is_refuted(*part, all)),
            Term::Nothing | Term::Everything | Term::Or(_) => false,
        }
    }

    pub(super) fn or(&mut self, langs: impl IntoIterator<Item = Lang>) -> Lang {
        let mut parts = Vec::new();
        for lang in langs {
            match self.get(lang) {
                Term::Everything => return Lang::EVERYTHING,
                Term::Nothing => {}
                Term::Or(inner) => parts.extend_from_slice(inner),
                Term::Leaf(_) | Term::Not(_) | Term::And(_) => parts.push(lang),
            }
        }
        self.combine(parts, Lang::EVERYTHING, Lang::NOTHING, Term::Or)
    }

    fn combine(&mut self, mut parts: Vec<Lang>, clash: Lang, none: Lang, make: fn(Box<[Lang]>) -> Term) -> Lang {
        parts.sort_unstable();
        parts.dedup();
        let opposed = parts.iter().any(|part| match self.get(*part) {
            Term::Not(inner) => parts.binary_search(inner).is_ok(),
            _ => false,
        });
        match parts.as_slice() {
            _ if opposed => clash,
            [] => none,
            [one] => *one,
            _ => self.intern(make(parts.into())),
        }
    }
}
