//! Partitions of all characters into the classes that patterns can tell apart.
//!
//! Characters are counted without the surrogates, which no string has, so that every class of a
//! partition has a character.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The number of a character among all characters.
pub(super) type Ordinal = u32;

/// The first ordinal that is none.
pub(super) const END: Ordinal = 0x11_0000 - 0x800;

/// An inclusive range of characters.
pub(super) type Range = (Ordinal, Ordinal);

/// The ordinal of a character.
pub(super) fn ordinal(letter: char) -> Ordinal {
    let point = u32::from(letter);
    if point < 0xD800 { point } else { point - 0x800 }
}

/// The character of an ordinal below [`END`].
pub(super) fn character(ordinal: Ordinal) -> char {
    let point = if ordinal < 0xD800 { ordinal } else { ordinal + 0x800 };
    char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Sorted inclusive ranges without those of surrogates.
pub(super) fn ranges(points: impl Iterator<Item = (char, char)>) -> Vec<Range> {
    points.map(|(first, last)| (ordinal(first), ordinal(last))).collect()
}

/// A number for every character; the numbers are dense, in order of first appearance.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    /// First ordinal and class of each interval; the first begins at 0.
    intervals: Vec<(Ordinal, u32)>,
    ascii: [u32; 128],
    classes: u32,
}

impl Alphabet {
    /// All characters in one class.
    pub(super) fn trivial() -> Self {
        Self { intervals: vec![(0, 0)], ascii: [0; 128], classes: 1 }
    }

    /// The characters that differ in which of the sets they belong to.
    pub(super) fn of_sets<'a>(sets: impl Iterator<Item = &'a [Range]>) -> Self {
        let mut edges = Vec::new();
        for (set, ranges) in sets.enumerate() {
            for &(first, last) in ranges {
                edges.push((first, set));
                edges.push((last + 1, set));
            }
        }
        edges.sort_unstable();
        let mut inside: Vec<usize> = Vec::new();
        let mut marks = vec![(0, inside.clone())];
        for (at, set) in edges.into_iter().take_while(|(at, _)| *at < END) {
            match inside.binary_search(&set) {
                Ok(found) => drop(inside.remove(found)),
                Err(place) => inside.insert(place, set),
            }
            marks.push((at, inside.clone()));
        }
        Self::of_intervals(marks).0
    }

    /// From keys of intervals in ascending order (of two at one place the later counts), the
    /// first at 0. Also the key of each class.
    pub(super) fn of_intervals<K: Clone + Eq + Hash>(marks: Vec<(Ordinal, K)>) -> (Self, Vec<K>) {
        let mut numbers: FxHashMap<K, u32> = HashMap::default();
        let mut keys = Vec::new();
        let mut intervals: Vec<(Ordinal, u32)> = Vec::with_capacity(marks.len());
        let mut marks = marks.into_iter().peekable();
        while let Some((at, key)) = marks.next() {
            if marks.peek().is_some_and(|(next, _)| *next == at) {
                continue;
            }
            let class = *numbers.entry(key).or_insert_with_key(|key| {
                keys.push(key.clone());
                count(keys.len()) - 1
            });
            if intervals.last().is_none_or(|(_, last)| *last != class) {
                intervals.push((at, class));
            }
        }
        let mut alphabet = Self { intervals, ascii: [0; 128], classes: count(keys.len()) };
        alphabet.fill_ascii();
        (alphabet, keys)
    }

    /// The coarsest partition that is finer than both.
    pub(super) fn product(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        let mut marks = Vec::with_capacity(self.intervals.len() + other.intervals.len());
        let mut key = (0, 0);
        loop {
            let at = match (left.peek(), right.peek()) {
                (Some((left, _)), Some((right, _))) => *left.min(right),
                (Some((at, _)), None) | (None, Some((at, _))) => *at,
                (None, None) => break,
            };
            if let Some((_, class)) = left.next_if(|(start, _)| *start == at) {
                key.0 = *class;
            }
            if let Some((_, class)) = right.next_if(|(start, _)| *start == at) {
                key.1 = *class;
            }
            marks.push((at, key));
        }
        Self::of_intervals(marks).0
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.classes as usize
    }

    /// The class of a character.
    pub(super) fn class(&self, letter: char) -> u32 {
        match self.ascii.get(letter as usize) {
            Some(class) => *class,
            None => self.search(ordinal(letter)),
        }
    }

    /// First ordinal and class of each interval.
    pub(super) fn intervals(&self) -> &[(Ordinal, u32)] {
        &self.intervals
    }

    /// A character of each class, the one that people read best, and the classes' order by it.
    pub(super) fn representatives(&self) -> Vec<char> {
        let mut found: Vec<Option<char>> = vec![None; self.len()];
        let mut order = Vec::with_capacity(self.len());
        let starts = self.intervals.iter().map(|(at, _)| character(*at));
        let readable = starts.clone().filter(|letter| letter.is_alphanumeric());
        for letter in GRAPHIC.chars().chain(NICE.chars()).chain(readable).chain(starts) {
            if order.len() == self.len() {
                break;
            }
            if let Some(slot @ None) = found.get_mut(self.class(letter) as usize) {
                *slot = Some(letter);
                order.push(letter);
            }
        }
        order
    }

    fn search(&self, ordinal: Ordinal) -> u32 {
        let after = self.intervals.partition_point(|(start, _)| *start <= ordinal);
        self.intervals.get(after.saturating_sub(1)).map_or(0, |(_, class)| *class)
    }

    fn fill_ascii(&mut self) {
        let mut intervals = self.intervals.iter().peekable();
        let mut current = 0;
        for (slot, at) in self.ascii.iter_mut().zip(0..) {
            if let Some((_, class)) = intervals.next_if(|(start, _)| *start == at) {
                current = *class;
            }
            *slot = current;
        }
    }
}

/// Graphic ASCII, in the order in which witnesses take it.
const GRAPHIC: &str =
    "abcdefghijklmnopqrstuvwxyz0123456789-._/ABCDEFGHIJKLMNOPQRSTUVWXYZ:+@=,~#%^&*()[]{}<>?!;|$'\"`\\";

/// What stands for a character outside ASCII, if it can.
const NICE: &str = "éßλя中🙂";

/// Whether a witness may have this character without a second thought.
pub(super) fn is_graphic(letter: char) -> bool {
    letter.is_ascii_graphic()
}

/// A length as a number; nothing here comes near `u32::MAX`.
pub(super) fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet(points: &[(char, char)]) -> Alphabet {
        Alphabet::of_sets(std::iter::once(ranges(points.iter().copied()).as_slice()))
    }

    #[test]
    fn graphic_ascii_is_complete() {
        let mut letters: Vec<char> = GRAPHIC.chars().collect();
        letters.sort_unstable();
        let all: Vec<char> = (0..128_u8).map(char::from).filter(char::is_ascii_graphic).collect();
        assert_eq!(letters, all);
    }

    #[test]
    fn surrogates_are_no_class() {
        let low = alphabet(&[('\0', '\u{D7FF}')]);
        let high = alphabet(&[('\u{E000}', char::MAX)]);
        assert_eq!(low.product(&high).len(), 2);
        assert_eq!(character(ordinal('\u{E000}')), '\u{E000}');
    }

    #[test]
    fn products_tell_apart_what_either_does() {
        let left = alphabet(&[('a', 'm')]);
        let right = alphabet(&[('k', 'z'), ('é', 'é')]);
        let both = left.product(&right);
        assert_eq!(both.len(), 4);
        let class = |letter| both.class(letter);
        assert_eq!(class('é'), class('z'));
        assert_ne!(class('k'), class('a'));
        assert_eq!(class('A'), class('中'));
        assert_eq!(both.representatives().len(), 4);
    }
}
