//! The spanned tree as the validator reads it: in place, without a copy in JSON.

use std::borrow::Cow;
use std::slice;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object};
use serde_json::{Number, Value as JsonValue};

use crate::load::node::{self, Entry, Value};

/// The representation of documents that is a tree of [`node::Node`].
pub(super) struct Tree;

/// A part of a document.
#[derive(Clone, Copy)]
pub(super) enum Instance<'a> {
    /// A value.
    Value(&'a node::Node),
    /// The name of a key, which `propertyNames` looks at as if it were a value.
    Name(&'a str),
}

impl Json for Tree {
    type Node<'a> = Instance<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    /// A key is looked for from the first entry on, so that a few lookups cost as much as a walk.
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        f(Instance::Name(string))
    }
}

impl<'a> Instance<'a> {
    fn value(self) -> Option<&'a Value> {
        match self {
            Self::Value(node) => Some(&node.value),
            Self::Name(_) => None,
        }
    }

    fn text(self) -> Option<&'a str> {
        match self {
            Self::Value(node) => node.as_str(),
            Self::Name(name) => Some(name),
        }
    }
}

impl<'a> Node<'a, Tree> for Instance<'a> {
    type Object = Entries<'a>;
    type Array = Items<'a>;
    type Number = &'a Number;

    fn as_object(&self) -> Option<Entries<'a>> {
        match self.value()? {
            Value::Mapping(entries) => Some(Entries(entries)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Sequence(_) => None,
        }
    }

    fn as_array(&self) -> Option<Items<'a>> {
        match self.value()? {
            Value::Sequence(items) => Some(Items(items)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Mapping(_) => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.text().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self.value()? {
            Value::Number(number) => Some(number),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.value()? {
            Value::Bool(value) => Some(*value),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.value(), Some(Value::Null))
    }

    fn json_type(&self) -> JsonType {
        match self.value() {
            Some(Value::Null) => JsonType::Null,
            Some(Value::Bool(_)) => JsonType::Boolean,
            Some(Value::Number(_)) => JsonType::Number,
            Some(Value::String(_)) | None => JsonType::String,
            Some(Value::Sequence(_)) => JsonType::Array,
            Some(Value::Mapping(_)) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &JsonValue) -> bool {
        match (self.text(), expected) {
            (Some(text), JsonValue::String(expected)) => text == expected,
            _ => jsonschema::json::cmp::equal(&self.to_value(), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, JsonValue> {
        Cow::Owned(match self {
            Self::Value(node) => node.to_json(),
            Self::Name(name) => JsonValue::String((*name).to_owned()),
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(match self {
            Self::Value(node) => std::ptr::from_ref(*node).addr(),
            Self::Name(name) => name.as_ptr().addr(),
        }))
    }
}

/// A mapping.
pub(super) struct Entries<'a>(&'a [Entry]);

impl<'a> Object<'a, Tree> for Entries<'a> {
    type Node = Instance<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &Box<str>) -> Option<Instance<'a>> {
        self.0.iter().find(|entry| *entry.key == **key).map(|entry| Instance::Value(&entry.value))
    }

    fn members(&self) -> Members<'a> {
        Members(self.0.iter())
    }
}

/// The keys and values of a mapping.
pub(super) struct Members<'a>(slice::Iter<'a, Entry>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, Instance<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|entry| (entry.key.as_str(), Instance::Value(&entry.value)))
    }
}

/// A list.
pub(super) struct Items<'a>(&'a [node::Node]);

impl<'a> Array<'a, Tree> for Items<'a> {
    type Node = Instance<'a>;
    type ElementsIter = std::iter::Map<slice::Iter<'a, node::Node>, fn(&'a node::Node) -> Instance<'a>>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> Self::ElementsIter {
        self.0.iter().map(Instance::Value)
    }
}
