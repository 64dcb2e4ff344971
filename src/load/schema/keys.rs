//! The unknown keys of one mapping: what each probably was meant to be.
//!
//! A key that was meant to be a required one excuses that it is missing.

use std::collections::VecDeque;

use super::foreign::known_as;
use super::lost::is_empty;
use super::shape::Shape;
use super::words::where_it_belongs;
use crate::compile::nearest;
use crate::load::node::{Entry, Node, Value};

/// What an unknown key probably is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// One that belongs elsewhere, with the reason.
    Elsewhere(&'static str),
    /// A sentence with a colon in it, which makes the mapping.
    Sentence,
    /// A known key, its value right behind the colon, at this offset of the key.
    TightColon(usize),
    /// Another name of this key.
    Known(String),
    /// This key, which is missing.
    Missing { key: String, only: bool },
    /// Nothing that can be said.
    Nothing,
}

/// The unknown and the missing keys of one mapping.
pub(super) struct Keys {
    unknown: Vec<(String, Meaning)>,
    /// Those that no unknown key stands for.
    missing: Vec<String>,
}

/// A mapping with unknown keys.
pub(super) struct Mapping<'e, 's> {
    pub(super) node: &'e Node,
    pub(super) definition: &'e str,
    pub(super) shape: Shape<'s>,
    /// All keys that it may have.
    pub(super) known: &'e [String],
    /// Those of them that it must have and has not.
    pub(super) missing: Vec<&'e str>,
}

impl Keys {
    pub(super) fn of(mapping: &Mapping<'_, '_>, unknown: &[&Entry]) -> Self {
        let present = mapping.node.entries().iter().filter(|entry| mapping.known.contains(&entry.key));
        let present: Vec<&str> = present.map(|entry| entry.key.as_str()).collect();
        let free = mapping.known.iter().map(String::as_str).filter(|key| !present.contains(key)).collect::<Vec<_>>();
        let mut unknown: Vec<(&Entry, Meaning)> =
            unknown.iter().map(|entry| (*entry, mapping.meaning(entry, &free))).collect();
        let is_meant = |key: &str| unknown.iter().any(|(entry, meaning)| meaning.key(entry) == Some(key));
        let mut missing: VecDeque<&str> = mapping.missing.iter().copied().filter(|key| !is_meant(key)).collect();
        let only = unknown.len() == 1 && missing.len() == 1;
        for (entry, meaning) in unknown.iter_mut().filter(|(_, meaning)| *meaning == Meaning::Nothing) {
            let place = missing.iter().position(|key| mapping.may_be(entry, key));
            if let Some(key) = place.and_then(|place| missing.remove(place)) {
                *meaning = Meaning::Missing { key: key.to_owned(), only };
            }
        }
        Self {
            unknown: unknown.into_iter().map(|(entry, meaning)| (entry.key.clone(), meaning)).collect(),
            missing: missing.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The unknown keys.
    pub(super) fn unknown(&self) -> &[(String, Meaning)] {
        &self.unknown
    }

    /// Whether no unknown key stands for a missing one.
    pub(super) fn lacks(&self, key: &str) -> bool {
        self.missing.iter().any(|missing| missing == key)
    }
}

impl Mapping<'_, '_> {
    fn meaning(&self, entry: &Entry, free: &[&str]) -> Meaning {
        if let Some(reason) = where_it_belongs(self.definition, &entry.key) {
            return Meaning::Elsewhere(reason);
        }
        if let Some(colon) = tight_colon(entry, free) {
            return Meaning::TightColon(colon);
        }
        let near = nearest(&entry.key, free.iter().copied());
        if self.is_sentence(entry) && (near.is_none() || entry.key.contains(' ')) {
            return Meaning::Sentence;
        }
        let foreign = known_as(&entry.key).filter(|key| free.contains(key) && self.may_be(entry, key));
        foreign.or(near).map_or(Meaning::Nothing, |key| Meaning::Known(key.to_owned()))
    }

    /// Whether the mapping is a text item that reads `Note: keep it small`.
    fn is_sentence(&self, entry: &Entry) -> bool {
        let is_item = matches!(self.definition, "text_item" | "override_text_item");
        is_item && self.node.entries().len() == 1 && matches!(entry.value.value, Value::String(_))
    }

    /// Whether the value may stand under another key.
    fn may_be(&self, entry: &Entry, key: &str) -> bool {
        self.shape.property(key).is_some_and(|value| value.fits(&entry.value))
    }
}

impl Meaning {
    /// The key that is meant.
    fn key<'m>(&'m self, entry: &'m Entry) -> Option<&'m str> {
        match self {
            Self::Known(key) | Self::Missing { key, .. } => Some(key),
            Self::TightColon(colon) => entry.key.get(..*colon),
            Self::Elsewhere(_) | Self::Sentence | Self::Nothing => None,
        }
    }
}

/// The colon of `key:value` inside braces.
fn tight_colon(entry: &Entry, free: &[&str]) -> Option<usize> {
    let (key, value) = entry.key.split_once(':')?;
    let is_plain = entry.key_span.range().len() == entry.key.len();
    (is_plain && !value.is_empty() && is_empty(&entry.value) && free.contains(&key)).then_some(key.len())
}
