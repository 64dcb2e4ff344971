//! Where a fault lies in the tree.

use jsonschema::paths::{Location, LocationSegment};

use crate::load::node::{Entry, Node, Value};
use crate::source::Span;

#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String),
    Item(usize),
}

/// Where an error lies, and what encloses it.
pub(super) struct Place<'n> {
    pub(super) path: Vec<Step>,
    pub(super) node: &'n Node,
    /// The mapping or list around it.
    pub(super) around: Option<&'n Node>,
    /// The key that holds the value; nothing at the root and in lists.
    pub(super) entry: Option<&'n Entry>,
    /// The key of the list that holds the value.
    pub(super) list: Option<&'n str>,
    /// What a missing key is blamed on: the key that holds the mapping, or a list item's first key.
    pub(super) holder: Span,
    /// The id of the rule around it.
    pub(super) rule: Option<String>,
}

impl<'n> Place<'n> {
    pub(super) fn of(location: &Location, root: &'n Node, file: Span) -> Self {
        let (path, node, holder) = (Vec::new(), root, file);
        let mut place = Self { path, node, around: None, entry: None, list: None, holder, rule: None };
        for segment in location.segments() {
            place = match segment {
                LocationSegment::Property(key) => place.key(&key),
                LocationSegment::Index(index) => place.item(index),
            };
        }
        place
    }

    fn key(mut self, key: &str) -> Self {
        if let Some(entry) = self.node.entry(key) {
            self.path.push(Step::Key(key.to_owned()));
            (self.around, self.node, self.holder) = (Some(self.node), &entry.value, entry.key_span);
            (self.entry, self.list) = (Some(entry), None);
        }
        self
    }

    fn item(mut self, index: usize) -> Self {
        if let Some(item) = self.node.items().get(index) {
            self.path.push(Step::Item(index));
            let first = item.entries().first().map_or(item.span, |entry| entry.key_span);
            (self.around, self.node, self.holder) = (Some(self.node), item, first);
            (self.entry, self.list) = (None, self.entry.map(|entry| entry.key.as_str()));
            self.rule = self.rule.or_else(|| Some(item.get("id")?.as_str()?.to_owned()));
        }
        self
    }

    /// What the value is called in a message.
    pub(super) fn name(&self) -> String {
        match (self.entry, self.list) {
            (Some(entry), _) => format!("`{}`", entry.key),
            (None, Some(list)) => format!("an item of `{list}`"),
            (None, None) => "the file".to_owned(),
        }
    }

    /// The text of a key beside this one.
    pub(super) fn beside(&self, key: &str) -> Option<&'n str> {
        self.around?.get(key)?.as_str()
    }

    /// The span of the value; of its key, where nothing stands there.
    pub(super) fn value_span(&self) -> Span {
        match self.entry {
            Some(entry) if self.node.span.start == self.node.span.end => entry.key_span,
            Some(_) | None if matches!(self.node.value, Value::Null) && self.node.span.start == self.node.span.end => {
                self.holder
            }
            Some(_) | None => self.node.span,
        }
    }
}
