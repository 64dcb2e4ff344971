//! What the schema says of a value: the keys that it may have, and its types.

use jsonschema::paths::Location;
use serde_json::Value as Json;

use crate::load::node::{Node, Value};

/// All parts of the schema that speak of one value, conditional ones included.
#[derive(Clone)]
pub(super) struct Shape<'s> {
    schema: &'s Json,
    parts: Vec<&'s Json>,
}

impl<'s> Shape<'s> {
    /// The value whose keyword a path leads to.
    pub(super) fn with_keyword(schema: &'s Json, path: &Location) -> Option<Self> {
        let (parent, _) = path.as_str().rsplit_once('/')?;
        Some(Self::of(schema, [schema.pointer(parent)?]))
    }

    fn of(schema: &'s Json, from: impl IntoIterator<Item = &'s Json>) -> Self {
        let mut parts: Vec<&Json> = Vec::new();
        let mut open: Vec<&Json> = from.into_iter().filter(|part| part.is_object()).collect();
        while let Some(part) = open.pop() {
            if parts.iter().any(|known| std::ptr::eq(*known, part)) {
                continue;
            }
            parts.push(part);
            open.extend(part.get("$ref").and_then(|name| schema.pointer(name.as_str()?.strip_prefix('#')?)));
            open.extend(part.get("allOf").and_then(Json::as_array).into_iter().flatten());
            open.extend(["then", "else"].iter().filter_map(|branch| part.get(branch)).filter(|part| part.is_object()));
        }
        Self { schema, parts }
    }

    /// The value under a key; nothing where the key has no place.
    pub(super) fn property(&self, key: &str) -> Option<Self> {
        let names: Vec<Self> = self.each("propertyNames").map(|names| Self::of(self.schema, [names])).collect();
        if names.iter().flat_map(|names| names.each("enum")).any(|names| !lists(names, key)) {
            return None;
        }
        let own = |part: &&'s Json| part.get("properties")?.get(key);
        let values = self.parts.iter().filter_map(|part| own(part).or_else(|| part.get("additionalProperties")));
        let values: Vec<&Json> = values.filter(|value| value.is_object()).collect();
        (!values.is_empty()).then(|| Self::of(self.schema, values))
    }

    /// Whether the schema names this key itself.
    pub(super) fn names(&self, key: &str) -> bool {
        self.each("properties").any(|properties| properties.get(key).is_some())
    }

    /// The items, where the value may be a list.
    pub(super) fn item(&self) -> Self {
        Self::of(self.schema, self.each("items"))
    }

    /// Whether a value is of one of the types, as far as the schema says any.
    pub(super) fn fits(&self, node: &Node) -> bool {
        let mut types = self.each("type").peekable();
        types.peek().is_none() || types.any(|types| type_names(&node.value).iter().any(|name| lists(types, name)))
    }

    fn each(&self, keyword: &'static str) -> impl Iterator<Item = &'s Json> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }
}

/// Whether a string is one of a list of them, or the only one.
fn lists(names: &Json, name: &str) -> bool {
    match names {
        Json::Array(names) => names.iter().any(|known| known == name),
        only => only == name,
    }
}

fn type_names(value: &Value) -> &'static [&'static str] {
    match value {
        Value::Null => &["null"],
        Value::Bool(_) => &["boolean"],
        Value::Number(_) => &["number", "integer"],
        Value::String(_) => &["string"],
        Value::Sequence(_) => &["array"],
        Value::Mapping(_) => &["object"],
    }
}
