//! The launch plan, and its JSON under the SDK's own names.

use std::fmt;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::overrides::ReasoningEffort;
use super::snapshot::Snapshot;
use super::tools::{Tool, ToolSearchConfig};
use crate::message::SystemMessageConfig;

/// What a host does with one request.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The requested model: the id that goes to the runtime.
    pub model: Option<String>,
    /// The model that rules see.
    pub effective_model: Option<String>,
    /// How hard the model thinks; absent where the runtime decides.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// What is settled once; nothing for a model change, which keeps what was launched.
    pub launch: Option<Launch>,
    /// What in the request counts for nothing.
    pub warnings: Vec<Warning>,
}

/// What is settled when a session is launched, and kept as long as it lives.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Passed through to the runtime.
    pub model_capabilities: Option<Map<String, Value>>,
    /// The allow-list in the runtime's names; an empty one allows no tool.
    pub available_tools: Option<Vec<String>>,
    /// The deny-list in the runtime's names.
    pub excluded_tools: Option<Vec<String>>,
    /// Whether tools are deferred.
    pub tool_search: ToolSearchConfig,
    /// The client tools that are registered, in request order.
    pub tools: Vec<Tool>,
    /// The prompt.
    pub system_message: SystemMessageConfig,
    /// The line that a host logs as information.
    pub summary: String,
    /// The fingerprint of everything that a relaunch must notice.
    pub snapshot: Snapshot,
}

/// Something in a request that counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// The field of an override entry (empty: the entry itself), the key of a setting, or `client_tools`.
    pub field: String,
    /// The key of the override map (empty for a setting and for the map itself), or the name of the tool.
    pub entry: String,
    /// What was expected, and the value, cut short.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, entry, message } = self;
        match (field.as_str(), entry.as_str()) {
            ("", "") => write!(formatter, "model_capability_overrides: {message}"),
            // The messages about settings name them.
            (_, "") => formatter.write_str(message),
            ("", entry) => write!(formatter, "model_capability_overrides, `{entry}`: {message}"),
            (field, entry) => write!(formatter, "`{field}` of `{entry}`: {message}"),
        }
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        present(&mut map, "model", self.model.as_ref())?;
        present(&mut map, "effectiveModel", self.effective_model.as_ref())?;
        map.serialize_entry("sessionConfig", &SessionConfig(self))?;
        present(&mut map, "summary", self.launch.as_ref().map(|launch| &launch.summary))?;
        map.serialize_entry("warnings", &self.warnings)?;
        present(&mut map, "snapshot", self.launch.as_ref().map(|launch| &launch.snapshot))?;
        map.end()
    }
}

/// What a host spreads into the SDK's `createSession`.
struct SessionConfig<'p>(&'p Plan);

impl Serialize for SessionConfig<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(plan) = self;
        let mut map = serializer.serialize_map(None)?;
        present(&mut map, "model", plan.model.as_ref())?;
        present(&mut map, "reasoningEffort", plan.reasoning_effort.as_ref())?;
        if let Some(launch) = &plan.launch {
            present(&mut map, "modelCapabilities", launch.model_capabilities.as_ref())?;
            present(&mut map, "availableTools", launch.available_tools.as_ref())?;
            present(&mut map, "excludedTools", launch.excluded_tools.as_ref())?;
            map.serialize_entry("toolSearch", &launch.tool_search)?;
            map.serialize_entry("tools", &launch.tools)?;
            map.serialize_entry("systemMessage", &launch.system_message)?;
        }
        map.end()
    }
}

/// Keys whose value is absent are left out.
fn present<M: SerializeMap>(map: &mut M, key: &str, value: Option<&impl Serialize>) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(key, value),
        None => Ok(()),
    }
}
