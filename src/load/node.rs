//! The spanned tree: what the YAML stage hands to the schema and document stages.

use crate::source::Span;

/// One YAML value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value's own place: a scalar with its quotes, a block scalar from its `|` or `>` to
    /// the end of its last line, a mapping or list from its first to its last character.
    pub span: Span,
    /// The value.
    pub value: Value,
    /// Set by the schema stage on a value with a fault in it, and on all that enclose it.
    pub faulty: bool,
}

/// A YAML 1.2 core value.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite number.
    Number(serde_json::Number),
    /// Any other scalar.
    String(String),
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping, in written order, its keys distinct.
    Mapping(Vec<Entry>),
}

/// One key of a mapping with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The key's place.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// A fresh node.
    #[must_use]
    pub fn new(span: Span, value: Value) -> Self {
        Self { span, value, faulty: false }
    }

    /// The entry of a mapping with this key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The value under a key of a mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entries of a mapping; none for anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Mapping(entries) => entries,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Sequence(_) => &[],
        }
    }

    /// The items of a list; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::Sequence(items) => items,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Mapping(_) => &[],
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// The same value without places, for the JSON Schema validator.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => serde_json::Value::Bool(*value),
            Value::Number(value) => serde_json::Value::Number(value.clone()),
            Value::String(text) => serde_json::Value::String(text.clone()),
            Value::Sequence(items) => items.iter().map(Node::to_json).collect(),
            Value::Mapping(entries) => entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect(),
        }
    }
}
