//! From a pattern's graph to an automaton with one state at a time.
//!
//! A state is a set of graph nodes not yet gone on from, and what the assertions need to know of
//! the character before: whether an assertion holds is known only with the character after, so it
//! is decided when that is read. A state from which a match is certain becomes the one accepting
//! sink, which keeps the sets small.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex_syntax::hir::{Class, HirKind, Look};
use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Range, count, ranges};
use super::automaton::Table;
use super::nfa::{Nfa, Node, NodeId};
use crate::analysis::Limit;

/// The most states of one automaton.
const MAX_STATES: usize = 20_000;
/// The most entries of its table.
const MAX_ENTRIES: usize = 4_000_000;
/// The most nodes looked at on the way.
const MAX_WORK: usize = 20_000_000;

/// What assertions see of a neighbouring character: a set of bits.
type Neighbour = u8;
const NONE: Neighbour = 1;
const LINE_FEED: Neighbour = 1 << 1;
const RETURN: Neighbour = 1 << 2;
const ASCII_WORD: Neighbour = 1 << 3;
const WORD: Neighbour = 1 << 4;

/// Whether an assertion holds between two neighbours: the rules of `regex_automata::util::look`.
fn holds(look: Look, before: Neighbour, after: Neighbour) -> bool {
    let before = |bits: Neighbour| before & bits != 0;
    let after = |bits: Neighbour| after & bits != 0;
    match look {
        Look::Start => before(NONE),
        Look::End => after(NONE),
        Look::StartLF => before(NONE | LINE_FEED),
        Look::EndLF => after(NONE | LINE_FEED),
        Look::StartCRLF => before(NONE | LINE_FEED) || before(RETURN) && !after(LINE_FEED),
        Look::EndCRLF => after(NONE | RETURN) || after(LINE_FEED) && !before(RETURN),
        Look::WordAscii => before(ASCII_WORD) != after(ASCII_WORD),
        Look::WordAsciiNegate => before(ASCII_WORD) == after(ASCII_WORD),
        Look::WordUnicode => before(WORD) != after(WORD),
        Look::WordUnicodeNegate => before(WORD) == after(WORD),
        Look::WordStartAscii => !before(ASCII_WORD) && after(ASCII_WORD),
        Look::WordEndAscii => before(ASCII_WORD) && !after(ASCII_WORD),
        Look::WordStartUnicode => !before(WORD) && after(WORD),
        Look::WordEndUnicode => before(WORD) && !after(WORD),
        Look::WordStartHalfAscii => !before(ASCII_WORD),
        Look::WordEndHalfAscii => !after(ASCII_WORD),
        Look::WordStartHalfUnicode => !before(WORD),
        Look::WordEndHalfUnicode => !after(WORD),
    }
}

/// The neighbours that an assertion asks about.
fn interest(look: Look) -> Neighbour {
    match look {
        Look::Start | Look::End => NONE,
        Look::StartLF | Look::EndLF => NONE | LINE_FEED,
        Look::StartCRLF | Look::EndCRLF => NONE | LINE_FEED | RETURN,
        Look::WordAscii
        | Look::WordAsciiNegate
        | Look::WordStartAscii
        | Look::WordEndAscii
        | Look::WordStartHalfAscii
        | Look::WordEndHalfAscii => ASCII_WORD,
        Look::WordUnicode
        | Look::WordUnicodeNegate
        | Look::WordStartUnicode
        | Look::WordEndUnicode
        | Look::WordStartHalfUnicode
        | Look::WordEndHalfUnicode => WORD,
    }
}

fn bits(letter: char) -> Neighbour {
    let mut bits = 0;
    if letter == '\n' {
        bits |= LINE_FEED;
    }
    if letter == '\r' {
        bits |= RETURN;
    }
    if letter.is_ascii_alphanumeric() || letter == '_' {
        bits |= ASCII_WORD;
    }
    if regex_syntax::is_word_character(letter) {
        bits |= WORD;
    }
    bits
}

/// The characters that assertions with this interest can tell apart.
fn assertion_alphabet(interest: Neighbour) -> Option<Alphabet> {
    if interest & !NONE == 0 {
        return None;
    }
    let one = |letter: char| ranges([(letter, letter)].into_iter());
    let ascii = ranges([('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')].into_iter());
    let word: &[Range] = if interest & WORD == 0 { &[] } else { unicode_word()? };
    let sets = [one('\n'), one('\r'), ascii];
    Some(Alphabet::of_sets(sets.iter().map(Vec::as_slice).chain([word])))
}

fn unicode_word() -> Option<&'static [Range]> {
    static WORD_CHARACTERS: OnceLock<Option<Vec<Range>>> = OnceLock::new();
    WORD_CHARACTERS.get_or_init(parse_unicode_word).as_deref()
}

fn parse_unicode_word() -> Option<Vec<Range>> {
    let hir = regex_syntax::parse(r"\w").ok()?;
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => Some(ranges(class.iter().map(|range| (range.start(), range.end())))),
        _ => None,
    }
}

/// The automaton of the texts in which the pattern has a match.
pub(super) fn determinize(nfa: &Nfa) -> Result<Table, Limit> {
    let interest = nfa.nodes.iter().fold(0, |all, node| match node {
        Node::Assert(look, _) => all | interest(*look),
        Node::Read(..) | Node::Split(_) | Node::Match => all,
    });
    let alphabet = match assertion_alphabet(interest) {
        Some(assertions) => assertions.product(&nfa.alphabet()),
        None => nfa.alphabet(),
    };
    Subsets::new(nfa, alphabet, interest).run()
}

/// A state before it has a number.
type Key = (Neighbour, Box<[NodeId]>);

/// The state from which everything is accepted.
const SINK: u32 = 0;

struct Subsets<'a> {
    nfa: &'a Nfa,
    alphabet: Alphabet,
    /// What the pattern's assertions can see of a character, and the classes with just that.
    contexts: Vec<(Neighbour, Vec<u32>)>,
    interest: Neighbour,
    /// The classes of each set of the graph.
    readers: Vec<Vec<u32>>,
    numbers: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    seen: Marks,
    work: usize,
}

impl<'a> Subsets<'a> {
    fn new(nfa: &'a Nfa, alphabet: Alphabet, interest: Neighbour) -> Self {
        let mut letters = vec!['\0'; alphabet.len()];
        for letter in alphabet.representatives() {
            if let Some(slot) = letters.get_mut(alphabet.class(letter) as usize) {
                *slot = letter;
            }
        }
        let mut contexts: Vec<(Neighbour, Vec<u32>)> = Vec::new();
        for (class, letter) in (0..).zip(letters) {
            let bits = bits(letter) & interest;
            match contexts.iter_mut().find(|(context, _)| *context == bits) {
                Some((_, classes)) => classes.push(class),
                None => contexts.push((bits, vec![class])),
            }
        }
        let readers = nfa.sets.iter().map(|set| classes_of(&alphabet, set)).collect();
        let seen = Marks::new(nfa.nodes.len());
        let (numbers, keys) = (HashMap::default(), Vec::new());
        Self { nfa, alphabet, contexts, interest, readers, numbers, keys, seen, work: 0 }
    }

    fn run(mut self) -> Result<Table, Limit> {
        let width = self.alphabet.len();
        self.keys.push((0, Box::default()));
        let mut next = vec![SINK; width];
        let mut accept = vec![true];
        let start_nodes = self.settle(&[self.nfa.start]);
        let start = self.number((self.interest & NONE, start_nodes.clone()))?;
        let restart: &[NodeId] = if self.nfa.anchored { &[] } else { &start_nodes };
        while let Some(key) = self.keys.get(accept.len()).cloned() {
            accept.push(self.reads(&key, NONE).is_none());
            next.extend(self.row(&key, restart)?);
        }
        Ok(Table { alphabet: self.alphabet, start, next, accept })
    }

    /// The successors of a state by class.
    fn row(&mut self, key: &Key, restart: &[NodeId]) -> Result<Vec<u32>, Limit> {
        let mut row = vec![SINK; self.alphabet.len()];
        for at in 0..self.contexts.len() {
            let Some((context, classes)) = self.contexts.get(at).cloned() else { break };
            let Some(reads) = self.reads(key, context) else { continue };
            let restarted = self.settle(restart);
            let restarted = self.number((context, restarted))?;
            for (class, mut targets) in self.by_class(&reads, &classes) {
                let number = if targets.is_empty() {
                    restarted
                } else {
                    targets.extend_from_slice(restart);
                    let settled = self.settle(&targets);
                    self.number((context, settled))?
                };
                if let Some(slot) = row.get_mut(class as usize) {
                    *slot = number;
                }
            }
        }
        Ok(row)
    }

    /// The edges that can be read from a state before a character with these bits; nothing if a
    /// match is already there.
    fn reads(&mut self, key: &Key, after: Neighbour) -> Option<Vec<(u32, NodeId)>> {
        let nfa = self.nfa;
        let mut reads = Vec::new();
        let mut open: Vec<NodeId> = key.1.to_vec();
        self.seen.clear();
        while let Some(id) = open.pop() {
            if !self.seen.mark(id) {
                continue;
            }
            self.work += 1;
            match nfa.nodes.get(id as usize) {
                Some(Node::Read(set, target)) => reads.push((*set, *target)),
                Some(Node::Assert(look, target)) if holds(*look, key.0, after) => open.push(*target),
                Some(Node::Split(ways)) => open.extend_from_slice(ways),
                Some(Node::Match) => return None,
                Some(Node::Assert(..)) | None => {}
            }
        }
        Some(reads)
    }

    /// The targets of the edges for each of the classes.
    fn by_class(&mut self, reads: &[(u32, NodeId)], classes: &[u32]) -> Vec<(u32, Vec<NodeId>)> {
        let mut targets: Vec<Vec<NodeId>> = vec![Vec::new(); self.alphabet.len()];
        for (set, target) in reads {
            let readers = self.readers.get(*set as usize).map_or(&[][..], Vec::as_slice);
            self.work += readers.len();
            for class in readers {
                if let Some(list) = targets.get_mut(*class as usize) {
                    list.push(*target);
                }
            }
        }
        let mut take = |class: u32| targets.get_mut(class as usize).map(std::mem::take).unwrap_or_default();
        classes.iter().map(|class| (*class, take(*class))).collect()
    }

    /// The nodes that matter of those reachable without reading or asserting: a sorted set.
    fn settle(&mut self, nodes: &[NodeId]) -> Box<[NodeId]> {
        let nfa = self.nfa;
        let mut settled = Vec::new();
        let mut open = nodes.to_vec();
        self.seen.clear();
        while let Some(id) = open.pop() {
            if !self.seen.mark(id) {
                continue;
            }
            self.work += 1;
            match nfa.nodes.get(id as usize) {
                Some(Node::Split(ways)) => open.extend_from_slice(ways),
                Some(Node::Read(..) | Node::Assert(..) | Node::Match) => settled.push(id),
                None => {}
            }
        }
        settled.sort_unstable();
        settled.into()
    }

    fn number(&mut self, key: Key) -> Result<u32, Limit> {
        let matched = key.1.iter().any(|id| matches!(self.nfa.nodes.get(*id as usize), Some(Node::Match)));
        if matched {
            return Ok(SINK);
        }
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let states = self.keys.len();
        if states >= MAX_STATES || states * self.alphabet.len() >= MAX_ENTRIES || self.work > MAX_WORK {
            return Err(Limit::PatternStates);
        }
        let number = count(states);
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        Ok(number)
    }
}

fn classes_of(alphabet: &Alphabet, set: &[Range]) -> Vec<u32> {
    let mut classes: Vec<u32> = Vec::new();
    let mut ranges = set.iter().peekable();
    for (at, class) in alphabet.intervals() {
        while ranges.next_if(|(_, last)| last < at).is_some() {}
        if ranges.peek().is_some_and(|(first, _)| first <= at) {
            classes.push(*class);
        }
    }
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// A set of nodes that is cleared in one step.
struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    fn new(len: usize) -> Self {
        Self { stamps: vec![0; len], now: 0 }
    }

    fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    /// Adds a node; false if it was there.
    fn mark(&mut self, id: NodeId) -> bool {
        match self.stamps.get_mut(id as usize) {
            Some(stamp) if *stamp != self.now => {
                *stamp = self.now;
                true
            }
            Some(_) | None => false,
        }
    }
}
