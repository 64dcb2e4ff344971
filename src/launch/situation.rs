//! One request in the terms of one rule set: the effective model, the client tools that rules
//! see, whether tool search is active. Everything that the rest of a plan is made from.

use rustc_hash::FxHashSet;

use super::overrides::{Overrides, ReasoningEffort};
use super::plan::Warning;
use super::request::{ClientTool, Kind, Request};
use super::tools::{self, SearchNames};
use crate::interpret::{Facts, setting_warnings};
use crate::rules::RuleSet;

pub(super) struct Situation<'a> {
    pub(super) overrides: Overrides<'a>,
    /// The model that rules see; the runtime gets the requested one.
    pub(super) effective_model: Option<&'a str>,
    /// The requested client tools: each name once, the first counts, none with the runtime's name for another.
    pub(super) tools: Vec<&'a ClientTool>,
    pub(super) search: Option<SearchNames<'a>>,
    /// What rules see.
    pub(super) facts: Facts<'a>,
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Situation<'a> {
    pub(super) fn new(rules: &'a RuleSet, request: &'a Request) -> Self {
        let mut warnings = Vec::new();
        let model = request.model.as_deref();
        let overrides = Overrides::of(model, &request.model_capability_overrides, &mut warnings);
        for warning in setting_warnings(&rules.catalog, &request.settings) {
            warnings.push(Warning { field: warning.setting, entry: String::new(), message: warning.message });
        }
        let search = SearchNames::of(rules);
        let tools = offered(request, search, &mut warnings);
        let effective_model = overrides.family.or(model);
        let visible = visible(&tools, &overrides, search);
        let mut facts = Facts::with_tools(&rules.catalog, effective_model, visible, &request.settings);
        facts.workspaceless = request.workspaceless;
        facts.tool_search_active = tools::is_active(rules, &facts);
        Self { overrides, effective_model, tools, search, facts, warnings }
    }

    /// The names of the client tools that filters leave, in request order.
    pub(super) fn visible_tools(&self) -> impl Iterator<Item = &'a str> {
        visible(&self.tools, &self.overrides, self.search)
    }

    /// An override wins over the model picker; on resume the runtime keeps what it journaled.
    pub(super) fn reasoning_effort(&self, request: &Request) -> Option<ReasoningEffort> {
        let picked = || ReasoningEffort::from_name(request.thinking_level.as_deref()?);
        self.overrides.reasoning_effort.or_else(|| match request.kind {
            Kind::Create | Kind::ModelChange => picked(),
            Kind::Resume => None,
        })
    }
}

fn offered<'a>(
    request: &'a Request,
    search: Option<SearchNames<'_>>,
    warnings: &mut Vec<Warning>,
) -> Vec<&'a ClientTool> {
    let mut seen = FxHashSet::with_capacity_and_hasher(request.client_tools.len(), Default::default());
    let mut tools = Vec::with_capacity(request.client_tools.len());
    for tool in request.client_tools.iter().filter(|tool| seen.insert(tool.name.as_str())) {
        match search.filter(|search| tool.name == search.runtime && tool.name != search.client) {
            None => tools.push(tool),
            Some(SearchNames { client, runtime }) => {
                let message = format!("left out: `{runtime}` is the runtime's name for the client tool `{client}`");
                warnings.push(Warning { field: "client_tools".to_owned(), entry: tool.name.clone(), message });
            }
        }
    }
    tools
}

/// A name stays if an allow-list is absent or matches it, and no deny-list matches it.
fn visible<'a, 's>(
    tools: &'s [&'a ClientTool],
    overrides: &'s Overrides<'a>,
    search: Option<SearchNames<'a>>,
) -> impl Iterator<Item = &'a str> + use<'a, 's> {
    let names = tools.iter().map(|tool| tool.name.as_str());
    names.filter(move |name| {
        let runtime_name = search.filter(|search| search.client == *name).map(|search| search.runtime);
        let allowed = overrides.available_tools.as_ref().is_none_or(|filter| filter.matches(name, runtime_name));
        allowed && !overrides.excluded_tools.as_ref().is_some_and(|filter| filter.matches(name, runtime_name))
    })
}
