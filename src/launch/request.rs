//! What a host knows when it launches or resumes a session, or changes its model.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A launch request. `Value::Null` stands for what is absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields, default)]
pub struct Request {
    /// The model's id; absent when the server chooses.
    #[serde(deserialize_with = "model_id")]
    pub model: Option<String>,
    /// The model picker's reasoning effort; counts only if it is one that the runtime knows.
    #[serde(deserialize_with = "text")]
    pub thinking_level: Option<String>,
    /// The client tools that the host offers.
    pub client_tools: Vec<ClientTool>,
    /// Host settings, raw; `null` is the same as absent.
    pub settings: Map<String, Value>,
    /// Experiments by model id, or `*` for every model. Any value is accepted: what is not
    /// usable becomes a warning in the plan.
    pub model_capability_overrides: Value,
    /// Opaque: takes part in the launch snapshot only.
    pub plugins: Value,
    /// Opaque: takes part in the launch snapshot only.
    pub mcp_servers: Value,
    /// Whether the session has no workspace folder.
    pub workspaceless: bool,
    /// What is about to happen.
    pub kind: Kind,
}

/// Only mappings are requests; derived code alone would take lists of values too.
impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RequestVisitor)
    }
}

struct RequestVisitor;

impl<'de> Visitor<'de> for RequestVisitor {
    type Value = Request;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Request, A::Error> {
        Request::deserialize(MapAccessDeserializer::new(map))
    }
}

/// What a request is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A new session.
    #[default]
    Create,
    /// A session that the runtime has journaled.
    Resume,
    /// Another model in a running session.
    ModelChange,
}

/// A client tool: written as its name alone, or as a definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientTool {
    /// The name that rules and filters know.
    pub name: String,
    /// What it does, for the model.
    pub description: Option<String>,
    /// The JSON Schema of its input.
    pub input_schema: Option<Value>,
}

impl From<&str> for ClientTool {
    fn from(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

impl<'de> Deserialize<'de> for ClientTool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ClientToolVisitor)
    }
}

/// Tells the two forms apart without losing what is wrong inside a definition.
struct ClientToolVisitor;

impl<'de> Visitor<'de> for ClientToolVisitor {
    type Value = ClientTool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a tool's name or its definition")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<ClientTool, E> {
        Ok(ClientTool::from(name))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ClientTool, A::Error> {
        let Definition { name, description, input_schema } = Definition::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ClientTool { name, description, input_schema })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    name: String,
    #[serde(default, deserialize_with = "text")]
    description: Option<String>,
    input_schema: Option<Value>,
}

/// A string; `null` is none.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

fn model_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let model = Option::<String>::deserialize(deserializer)?;
    if model.as_deref() == Some("") {
        return Err(serde::de::Error::custom("the model id is empty; leave `model` out when the server chooses"));
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault(request: Value) -> String {
        serde_json::from_value::<Request>(request).unwrap_err().to_string()
    }

    #[test]
    fn a_tool_is_a_name_or_a_definition() {
        let request = json!({"client_tools": ["a", {"name": "b", "description": "d", "input_schema": {}}, {"name": "c", "input_schema": null}]});
        let request: Request = serde_json::from_value(request).unwrap();
        let b = ClientTool { name: "b".into(), description: Some("d".into()), input_schema: Some(json!({})) };
        assert_eq!(request.client_tools, ["a".into(), b, "c".into()]);
    }

    #[test]
    fn absent_and_null_are_the_same() {
        let empty: Request = serde_json::from_value(json!({})).unwrap();
        assert_eq!(empty, Request::default());
        let nulls = json!({"model": null, "model_capability_overrides": null, "plugins": null, "mcp_servers": null});
        assert_eq!(serde_json::from_value::<Request>(nulls).unwrap(), empty);
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        assert!(fault(json!({"clientTools": []})).contains("`clientTools`"));
        assert!(fault(json!({"client_tools": [{"name": "a", "defer": "auto"}]})).contains("`defer`"));
        assert!(fault(json!({"client_tools": [{"description": "a"}]})).contains("`name`"));
        assert!(fault(json!({"client_tools": [3]})).contains("a tool's name or its definition"));
        assert!(fault(json!({"kind": "restart"})).contains("model-change"));
        assert!(fault(json!({"model": ""})).contains("empty"));
        assert!(fault(json!({"thinking_level": null})).contains("null"));
        assert!(fault(json!({"client_tools": [{"name": "a", "description": null}]})).contains("null"));
        assert!(fault(json!([])).contains("expected a mapping"));
        assert!(fault(json!({"client_tools": [["a"]]})).contains("a tool's name or its definition"));
    }
}
