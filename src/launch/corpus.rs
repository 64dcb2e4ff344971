//! Tool calls: back from the runtime's name to the client's, with the corpus of deferred tools
//! kept apart from everything that a model sees.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::Launch;
use super::tools::Tool;

/// A deferred tool, as the runtime describes it.
#[derive(Clone, PartialEq, Deserialize)]
pub struct DeferredTool {
    /// The name under which the model would call it.
    pub name: String,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of its input.
    #[serde(default)]
    pub input_schema: Option<Value>,
}

/// The deferred tools of the session: what the runtime sends along with a call of the tool-search tool.
///
/// The local tool searches them; the model must never see them, or tool search has saved nothing.
/// So the corpus has a type of its own, without `Serialize`: nothing that goes out can contain it,
/// because that does not compile. `Debug` shows only the number of tools.
///
/// ```compile_fail,E0277
/// #[derive(serde::Serialize)]
/// struct Transcript {
///     corpus: promptrules::launch::Corpus,
/// }
/// ```
///
/// ```compile_fail,E0277
/// fn to_model(call: &promptrules::launch::LocalCall<'_>) -> serde_json::Result<String> {
///     serde_json::to_string(call)
/// }
/// ```
///
/// What the model may see of a call does have a wire form:
///
/// ```
/// fn to_model(call: &promptrules::launch::LocalCall<'_>) -> serde_json::Result<String> {
///     serde_json::to_string(&call.model_input())
/// }
/// ```
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Corpus(Vec<DeferredTool>);

impl Corpus {
    /// For the local tool that searches them.
    #[must_use]
    pub fn tools(&self) -> &[DeferredTool] {
        &self.0
    }
}

impl FromIterator<DeferredTool> for Corpus {
    fn from_iter<I: IntoIterator<Item = DeferredTool>>(tools: I) -> Self {
        Self(tools.into_iter().collect())
    }
}

impl fmt::Debug for Corpus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Corpus({} tools)", self.0.len())
    }
}

impl fmt::Debug for DeferredTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DeferredTool({})", self.name)
    }
}

/// A tool call as it arrives from the runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct RuntimeCall {
    /// The name that the tool is registered under.
    pub tool: String,
    /// What the model asks.
    pub arguments: Value,
    /// What travels beside a tool-search call.
    pub corpus: Option<Corpus>,
}

/// A tool call as the local tool gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalCall<'p> {
    /// The tool, by the client's name.
    pub tool: &'p Tool,
    /// What the model asks.
    pub arguments: Value,
    /// With the tool-search tool only.
    pub corpus: Option<Corpus>,
}

/// The model-facing part of a call: what may stand in a transcript or go back to a model.
#[derive(Debug, Serialize)]
pub struct ModelInput<'c> {
    /// The name that the model called.
    pub tool: &'c str,
    /// What the model asked.
    pub arguments: &'c Value,
}

impl LocalCall<'_> {
    /// What a model may see of the call.
    #[must_use]
    pub fn model_input(&self) -> ModelInput<'_> {
        ModelInput { tool: self.tool.registered_as(), arguments: &self.arguments }
    }
}

impl Launch {
    /// Maps a call back to the client tool that it is for; nothing if the plan registered no such
    /// tool. A corpus reaches the tool-search tool only.
    #[must_use]
    pub fn route(&self, call: RuntimeCall) -> Option<LocalCall<'_>> {
        let tool = self.tools.iter().find(|tool| tool.registered_as() == call.tool)?;
        let corpus = call.corpus.filter(|_| tool.overrides_built_in_tool());
        Some(LocalCall { tool, arguments: call.arguments, corpus })
    }
}
