//! The leaves of languages: lists of literals and regexes, each under a normal form.

use regex_syntax::hir::{Hir, Look};

use super::automaton::Automaton;
use super::determinize::determinize;
use super::nfa::Nfa;
use super::prefix::Prefix;
use crate::analysis::{Limit, Undecided};
use crate::rules::{LiteralKind, ModelRegex, NormalForm};

/// What a leaf asks of an id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LeafKey {
    pub(super) normalize: NormalForm,
    pub(super) pattern: LeafPattern,
}

/// What a leaf compares the rewritten id with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum LeafPattern {
    Literals(LiteralKind, Box<[Box<str>]>),
    Regex(Box<str>),
}

/// A leaf: enough to test one id, and the automaton once it was asked for.
#[derive(Debug)]
pub(super) struct Leaf {
    key: LeafKey,
    regex: Option<ModelRegex>,
    built: Option<Result<Box<Built>, Undecided>>,
}

/// What exact questions need of a leaf.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) automaton: Automaton,
    pub(super) prefix: Prefix,
}

impl Leaf {
    pub(super) fn new(key: LeafKey, regex: Option<ModelRegex>) -> Self {
        Self { key, regex, built: None }
    }

    /// Whether an id is accepted, by comparing: works for patterns beyond the limits too.
    pub(super) fn accepts(&self, id: &str) -> bool {
        let id = self.key.normalize.apply(id);
        match &self.key.pattern {
            LeafPattern::Literals(kind, texts) => texts.iter().any(|text| kind.accepts(text, &id)),
            LeafPattern::Regex(_) => self.regex.as_ref().is_some_and(|regex| regex.is_match(&id)),
        }
    }

    /// Makes the automaton, once.
    pub(super) fn build(&mut self) {
        if self.built.is_none() {
            self.built = Some(build(&self.key).map(Box::new));
        }
    }

    /// The automaton, after [`Self::build`].
    pub(super) fn built(&self) -> Result<&Built, Undecided> {
        match &self.built {
            Some(Ok(built)) => Ok(built),
            Some(Err(undecided)) => Err(undecided.clone()),
            None => Err(Undecided::new(Limit::PatternForm)),
        }
    }
}

fn build(key: &LeafKey) -> Result<Built, Undecided> {
    let subject = match &key.pattern {
        LeafPattern::Literals(..) => None,
        LeafPattern::Regex(pattern) => Some(pattern.clone()),
    };
    let blame = |limit| Undecided { limit, subject: subject.clone() };
    let hir = hir(&key.pattern).map_err(blame)?;
    let nfa = Nfa::new(&hir).map_err(blame)?;
    let table = determinize(&nfa).map_err(blame)?;
    let letters = table.preimage(NormalForm { vendor: false, ..key.normalize });
    if !key.normalize.vendor {
        let automaton = Automaton::new(letters);
        let prefix = Prefix::of_id(&automaton);
        return Ok(Built { automaton, prefix });
    }
    let segment = Automaton::new(letters.clone());
    let prefix = Prefix::of_last_segment(&segment);
    let vendor = NormalForm { vendor: true, ..NormalForm::default() };
    Ok(Built { automaton: Automaton::new(letters.preimage(vendor)), prefix })
}

/// The pattern that finds a match in just the rewritten ids that the leaf accepts.
fn hir(pattern: &LeafPattern) -> Result<Hir, Limit> {
    match pattern {
        LeafPattern::Regex(pattern) => regex_syntax::parse(pattern).map_err(|_| Limit::PatternForm),
        LeafPattern::Literals(kind, texts) => {
            let literals = texts.iter().map(|text| Hir::literal(text.as_bytes())).collect();
            let any = Hir::alternation(literals);
            Ok(match kind {
                LiteralKind::Equals => Hir::concat(vec![Hir::look(Look::Start), any, Hir::look(Look::End)]),
                LiteralKind::Prefix => Hir::concat(vec![Hir::look(Look::Start), any]),
                LiteralKind::Suffix => Hir::concat(vec![any, Hir::look(Look::End)]),
                LiteralKind::Contains => any,
            })
        }
    }
}
