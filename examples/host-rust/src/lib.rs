//! From a launch plan to the SDK's session configuration.

use std::sync::Arc;

use async_trait::async_trait;
use github_copilot_sdk::tool::ToolHandler;
use github_copilot_sdk::transforms::{SystemMessageTransform, TransformContext};
use github_copilot_sdk::types::{DeferMode, SessionConfig, Tool, ToolInvocation, ToolResult, ToolSearchConfig};
use github_copilot_sdk::{Error, SystemMessageConfig};
use promptrules::launch::{self, Defer, Launch, Plan, RuntimeCall, transform};
use promptrules::message::{Section, SectionOverride, Step};
use serde_json::{Value, json};

/// What the host does for a call of one of its own tools, by the client's name.
pub type Answer = Arc<dyn Fn(&str, &Value) -> String + Send + Sync>;

/// The configuration with which a session is created as planned.
///
/// # Errors
///
/// Where the SDK's types do not take what the plan holds; a test makes sure that they do.
pub fn session_config(plan: &Plan, answer: Answer) -> Result<SessionConfig, serde_json::Error> {
    let mut config = SessionConfig::default();
    config.model.clone_from(&plan.model);
    let effort = serde_json::to_value(plan.reasoning_effort)?;
    config.reasoning_effort = effort.as_str().map(str::to_owned);
    let Some(launch) = &plan.launch else { return Ok(config) };
    let launch = Arc::new(launch.clone());
    config.available_tools.clone_from(&launch.available_tools);
    config.excluded_tools.clone_from(&launch.excluded_tools);
    if let Some(capabilities) = &launch.model_capabilities {
        config.model_capabilities = Some(serde_json::from_value(json!(capabilities))?);
    }
    let tools = launch.tools.iter().map(|tool| sdk_tool(tool, &launch, &answer));
    let search: ToolSearchConfig = serde_json::from_value(serde_json::to_value(&launch.tool_search)?)?;
    Ok(config
        .with_tools(tools.collect::<Vec<Tool>>())
        .with_tool_search(search)
        .with_system_message(system_message(&launch.system_message)?)
        .with_system_message_transform(Arc::new(Transforms(launch))))
}

/// The prompt in the SDK's own type.
///
/// # Errors
///
/// Where the type does not take it.
pub fn system_message(
    message: &promptrules::message::SystemMessageConfig,
) -> Result<SystemMessageConfig, serde_json::Error> {
    serde_json::from_value(serde_json::to_value(message)?)
}

fn sdk_tool(tool: &launch::Tool, launch: &Arc<Launch>, answer: &Answer) -> Tool {
    let mut registered = Tool::new(tool.registered_as())
        .with_description(format!("The editor's {}.", tool.name))
        .with_handler(Arc::new(Router { launch: launch.clone(), answer: answer.clone() }));
    registered.overrides_built_in_tool = tool.overrides_built_in_tool();
    registered.defer = tool.defer.map(|defer| match defer {
        Defer::Auto => DeferMode::Auto,
        Defer::Never => DeferMode::Never,
    });
    registered
}

/// Leads each call back to the tool that the client knows.
struct Router {
    launch: Arc<Launch>,
    answer: Answer,
}

#[async_trait]
impl ToolHandler for Router {
    async fn call(&self, call: ToolInvocation) -> Result<ToolResult, Error> {
        let call = RuntimeCall { tool: call.tool_name, arguments: call.arguments, corpus: None };
        let text = match self.launch.route(call) {
            Some(local) => (self.answer)(&local.tool.name, &local.arguments),
            None => "there is no such tool".to_owned(),
        };
        Ok(ToolResult::Text(text))
    }
}

/// Answers the runtime when it asks what becomes of a section.
struct Transforms(Arc<Launch>);

impl Transforms {
    fn steps(&self, name: &str) -> Option<&[Step]> {
        self.0.steps(Section::ALL.into_iter().find(|section| section.as_str() == name)?)
    }
}

#[async_trait]
impl SystemMessageTransform for Transforms {
    fn section_ids(&self) -> Vec<String> {
        let sections = self.0.system_message.sections().into_iter().flat_map(|sections| sections.iter());
        let transformed = sections.filter(|(_, value)| matches!(value, SectionOverride::Transform(_)));
        transformed.map(|(section, _)| section.as_str().to_owned()).collect()
    }

    async fn transform_section(&self, name: &str, text: &str, _: TransformContext) -> Option<String> {
        // Rules that load have no pattern that does not compile; the text would stay as it is.
        transform::apply(self.steps(name)?, text).ok()
    }
}
