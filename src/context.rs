//! What one resolution may look at: nothing else is visible to a rule.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The facts of one session launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// The model's id; absent when the server chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The names of the tools that the client forwards. Order and repetition do not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub client_tools: Vec<String>,
    /// Host settings, raw; `null` is the same as absent.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// Whether tools are deferred behind tool search.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tool_search_active: bool,
    /// Whether the session has no workspace folder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub workspaceless: bool,
}
