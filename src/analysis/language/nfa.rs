//! A pattern as a graph whose edges read characters, with every assertion of the `regex` crate.
//!
//! Reading characters instead of bytes makes assertions exact (Unicode word boundaries included)
//! and keeps classes such as `\w` one edge. Which match is found does not matter here, only
//! whether there is one, so greediness and the order of alternatives are dropped.

use std::collections::HashMap;

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};
use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Range, count, ranges};
use crate::analysis::Limit;

/// The most nodes of one pattern.
const MAX_NODES: usize = 100_000;

/// A node by its number.
pub(super) type NodeId = u32;

/// One node.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Reads a character of a set.
    Read(u32, NodeId),
    /// Goes on if the assertion holds.
    Assert(Look, NodeId),
    /// Goes on in any of several ways.
    Split(Vec<NodeId>),
    /// The pattern has matched.
    Match,
}

/// The graph of one pattern.
#[derive(Debug)]
pub(super) struct Nfa {
    pub(super) nodes: Vec<Node>,
    pub(super) start: NodeId,
    /// The sets that edges read.
    pub(super) sets: Vec<Vec<Range>>,
    /// Whether a match can only begin at the start of the text.
    pub(super) anchored: bool,
}

impl Nfa {
    /// The graph of a parsed pattern.
    pub(super) fn new(hir: &Hir) -> Result<Self, Limit> {
        let mut builder = Builder { nodes: Vec::new(), sets: Vec::new(), numbers: HashMap::default() };
        let end = builder.push(Node::Match)?;
        let start = builder.hir(hir, end)?;
        let anchored = hir.properties().look_set_prefix().contains(Look::Start);
        Ok(Self { nodes: builder.nodes, start, sets: builder.sets, anchored })
    }

    /// The characters that the pattern's edges can tell apart.
    pub(super) fn alphabet(&self) -> Alphabet {
        Alphabet::of_sets(self.sets.iter().map(Vec::as_slice))
    }
}

/// Builds a graph from its end to its start.
struct Builder {
    nodes: Vec<Node>,
    sets: Vec<Vec<Range>>,
    numbers: FxHashMap<Vec<Range>, u32>,
}

impl Builder {
    fn push(&mut self, node: Node) -> Result<NodeId, Limit> {
        if self.nodes.len() >= MAX_NODES {
            return Err(Limit::PatternSize);
        }
        self.nodes.push(node);
        Ok(count(self.nodes.len()) - 1)
    }

    /// The entry of a graph that matches `hir` and goes on at `next`.
    fn hir(&mut self, hir: &Hir, next: NodeId) -> Result<NodeId, Limit> {
        match hir.kind() {
            HirKind::Empty => Ok(next),
            HirKind::Literal(literal) => self.literal(&literal.0, next),
            HirKind::Class(class) => self.class(class, next),
            HirKind::Look(look) => self.push(Node::Assert(*look, next)),
            HirKind::Repetition(repetition) => self.repetition(repetition, next),
            HirKind::Capture(capture) => self.hir(&capture.sub, next),
            HirKind::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.hir(part, next)),
            HirKind::Alternation(parts) => {
                let ways = parts.iter().map(|part| self.hir(part, next)).collect::<Result<_, _>>()?;
                self.push(Node::Split(ways))
            }
        }
    }

    fn literal(&mut self, bytes: &[u8], next: NodeId) -> Result<NodeId, Limit> {
        let text = std::str::from_utf8(bytes).map_err(|_| Limit::PatternForm)?;
        text.chars().rev().try_fold(next, |next, letter| self.read(ranges([(letter, letter)].into_iter()), next))
    }

    fn class(&mut self, class: &Class, next: NodeId) -> Result<NodeId, Limit> {
        let set = match class {
            Class::Unicode(class) => ranges(class.iter().map(|range| (range.start(), range.end()))),
            Class::Bytes(class) if class.is_ascii() => {
                ranges(class.iter().map(|range| (range.start().into(), range.end().into())))
            }
            Class::Bytes(_) => return Err(Limit::PatternForm),
        };
        self.read(set, next)
    }

    fn read(&mut self, set: Vec<Range>, next: NodeId) -> Result<NodeId, Limit> {
        let set = match self.numbers.get(&set) {
            Some(number) => *number,
            None => {
                let number = count(self.sets.len());
                self.sets.push(set.clone());
                self.numbers.insert(set, number);
                number
            }
        };
        self.push(Node::Read(set, next))
    }

    fn repetition(&mut self, repetition: &Repetition, next: NodeId) -> Result<NodeId, Limit> {
        let mut entry = match repetition.max {
            None => self.unbounded(&repetition.sub, next)?,
            Some(max) => self.optional(&repetition.sub, max.saturating_sub(repetition.min), next)?,
        };
        for _ in 0..repetition.min {
            let body = self.hir(&repetition.sub, entry)?;
            if body == entry {
                break;
            }
            entry = body;
        }
        Ok(entry)
    }

    /// Any number of times.
    fn unbounded(&mut self, sub: &Hir, next: NodeId) -> Result<NodeId, Limit> {
        let hub = self.push(Node::Split(Vec::new()))?;
        let body = self.hir(sub, hub)?;
        if let Some(node) = self.nodes.get_mut(hub as usize) {
            *node = Node::Split(vec![body, next]);
        }
        Ok(hub)
    }

    /// At most `times` times.
    fn optional(&mut self, sub: &Hir, times: u32, next: NodeId) -> Result<NodeId, Limit> {
        let mut entry = next;
        for _ in 0..times {
            let body = self.hir(sub, entry)?;
            if body == entry {
                break;
            }
            entry = self.push(Node::Split(vec![body, next]))?;
        }
        Ok(entry)
    }
}
