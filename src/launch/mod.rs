//! Launch planning: (rules, launch request) → launch plan.
//!
//! A pure function around [`interpret`]: no I/O, no clock, no globals. The stages stand in files
//! of their own and in this order: `overrides` decides the knobs of the requested model,
//! `filters` what the client tools of the session are, `situation` puts both before the rules as
//! facts, `tools` says how each tool is registered, `snapshot` takes the fingerprint, and `plan`
//! holds and writes the result. Whatever is wrong with an override, a setting or a tool becomes
//! a warning in the plan; nothing here can fail.
//!
//! What a host does with a plan: it spreads `sessionConfig` into the SDK's `createSession`, logs
//! `summary` as information and `sessionConfig` as a whole at trace level, shows `warnings`, and
//! keeps the plan as long as the session lives: nothing is resolved again. The runtime's
//! callbacks are answered from the kept plan, by [`transform`] for sections and by
//! [`Launch::route`] for tool calls.

mod corpus;
mod filters;
mod overrides;
mod plan;
mod request;
mod situation;
mod snapshot;
mod tools;
pub mod transform;

use crate::context::Context;
use crate::interpret::{Silent, interpret};
use crate::rules::RuleSet;

pub use corpus::{Corpus, DeferredTool, LocalCall, ModelInput, RuntimeCall};
pub use overrides::ReasoningEffort;
pub use plan::{Launch, Plan, Warning};
pub use request::{ClientTool, Kind, Request};
pub use snapshot::{Snapshot, SnapshotError};
pub use tools::{Defer, Tool, ToolSearchConfig};
pub(crate) use tools::{is_active, tool_search};

use situation::Situation;

/// Plans the launch or resume of a session, or the model change in a running one.
///
/// Pure and total: equal requests give equal plans, and no request fails.
#[must_use]
pub fn plan(rules: &RuleSet, request: &Request) -> Plan {
    let situation = Situation::new(rules, request);
    let launch = match request.kind {
        Kind::Create | Kind::Resume => Some(launch(rules, request, &situation)),
        Kind::ModelChange => None,
    };
    Plan {
        model: request.model.clone(),
        effective_model: situation.effective_model.map(str::to_owned),
        reasoning_effort: situation.reasoning_effort(request),
        launch,
        warnings: situation.warnings,
    }
}

/// The context that a request comes to, what a rule sees of the session, and what in the request
/// counts for nothing.
#[must_use]
pub fn context(rules: &RuleSet, request: &Request) -> (Context, Vec<Warning>) {
    let situation = Situation::new(rules, request);
    let context = Context {
        model: situation.effective_model.map(str::to_owned),
        client_tools: situation.visible_tools().map(str::to_owned).collect(),
        settings: request.settings.clone(),
        tool_search_active: situation.facts.tool_search_active,
        workspaceless: request.workspaceless,
    };
    (context, situation.warnings)
}

/// Everything that is settled once, when a session is launched.
fn launch(rules: &RuleSet, request: &Request, situation: &Situation<'_>) -> Launch {
    let system_message = interpret(rules, &situation.facts, &mut Silent);
    Launch {
        model_capabilities: situation.overrides.model_capabilities.cloned(),
        available_tools: situation.overrides.available_tools.as_ref().map(|filter| filter.registered(situation.search)),
        excluded_tools: situation.overrides.excluded_tools.as_ref().map(|filter| filter.registered(situation.search)),
        tool_search: tools::tool_search(rules, &situation.facts),
        tools: tools::registered(rules, situation),
        summary: system_message.summary(),
        system_message,
        snapshot: Snapshot::take(rules, request, situation),
    }
}
