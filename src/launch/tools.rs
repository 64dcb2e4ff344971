//! Tool search: whether it is active, from how many tools on, and how each client tool is
//! registered with the runtime.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Number;

use super::situation::Situation;
use crate::interpret::Facts;
use crate::rules::{RuleSet, SettingId, ToolSearch, ValueRef};

/// The two names of the tool-search tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchNames<'r> {
    pub(super) client: &'r str,
    pub(super) runtime: &'r str,
}

impl<'r> SearchNames<'r> {
    pub(super) fn of(rules: &'r RuleSet) -> Option<Self> {
        let search = rules.tool_search.as_ref()?;
        Some(Self { client: rules.catalog.tool_name(search.client_tool), runtime: &search.runtime_tool })
    }
}

/// The SDK's `toolSearch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolSearchConfig {
    /// All tools are loaded at once.
    Disabled,
    /// Tools are deferred once there are more than the threshold.
    Enabled {
        /// A whole number, 0 or more.
        defer_threshold: Number,
    },
}

impl Serialize for ToolSearchConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("enabled", &matches!(self, Self::Enabled { .. }))?;
        if let Self::Enabled { defer_threshold } = self {
            map.serialize_entry("deferThreshold", defer_threshold)?;
        }
        map.end()
    }
}

/// Whether the runtime may load a tool later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Defer {
    /// Once there are enough tools.
    Auto,
    /// It is always loaded.
    Never,
}

/// How a client tool is registered with the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The client's name.
    pub name: String,
    /// The runtime's name, where it is another.
    renamed: Option<String>,
    /// Absent while tool search is not active.
    pub defer: Option<Defer>,
}

impl Tool {
    /// The name that the runtime knows the tool by.
    #[must_use]
    pub fn registered_as(&self) -> &str {
        self.renamed.as_deref().unwrap_or(&self.name)
    }

    /// Whether this is the tool-search tool, which takes the place of the runtime's own.
    #[must_use]
    pub fn overrides_built_in_tool(&self) -> bool {
        self.renamed.is_some()
    }
}

impl Serialize for Tool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("registeredAs", self.registered_as())?;
        if let Some(defer) = &self.defer {
            map.serialize_entry("defer", defer)?;
        }
        if self.overrides_built_in_tool() {
            map.serialize_entry("overridesBuiltInTool", &true)?;
        }
        map.end()
    }
}

/// Whether tool search is active: switched on, known to the model, and with its tool at hand.
pub(crate) fn is_active(rules: &RuleSet, facts: &Facts<'_>) -> bool {
    rules.tool_search.as_ref().is_some_and(|search| {
        facts.setting(search.enabled_setting) == Some(ValueRef::Bool(true))
            && facts.has_tool(search.client_tool)
            && facts.model.as_ref().is_some_and(|model| model.is_accepted_by(&search.supported_models))
    })
}

/// The SDK's `toolSearch` for these facts.
pub(crate) fn tool_search(rules: &RuleSet, facts: &Facts<'_>) -> ToolSearchConfig {
    match &rules.tool_search {
        Some(search) if facts.tool_search_active => {
            let given = search.threshold_setting.and_then(|setting| threshold(setting, facts));
            ToolSearchConfig::Enabled { defer_threshold: given.unwrap_or_else(|| search.defer_threshold.into()) }
        }
        Some(_) | None => ToolSearchConfig::Disabled,
    }
}

/// The setting's value rounded down, if it is a number of 0 or more.
fn threshold(setting: SettingId, facts: &Facts<'_>) -> Option<Number> {
    match facts.setting(setting)? {
        ValueRef::Number(number) => whole(number),
        ValueRef::Bool(_) | ValueRef::String(_) => None,
    }
}

fn whole(number: &Number) -> Option<Number> {
    if number.is_u64() {
        return Some(number.clone());
    }
    let rounded = number.as_f64().filter(|value| *value >= 0.0)?.floor();
    // Beyond 2^64 the cast would not be exact.
    let exact = rounded < 18_446_744_073_709_551_616.0;
    if exact { Some(Number::from(rounded as u64)) } else { Number::from_f64(rounded) }
}

/// Every requested client tool as the runtime gets it; the runtime itself enforces the filters.
pub(super) fn registered(rules: &RuleSet, situation: &Situation<'_>) -> Vec<Tool> {
    let names = situation.tools.iter().map(|tool| tool.name.as_str());
    match &rules.tool_search {
        None => names.map(as_it_is).collect(),
        Some(search) if situation.facts.tool_search_active => {
            names.map(|name| behind_search(rules, search, name)).collect()
        }
        Some(search) => {
            let search_tool = rules.catalog.tool_name(search.client_tool);
            names.filter(|name| *name != search_tool).map(as_it_is).collect()
        }
    }
}

fn as_it_is(name: &str) -> Tool {
    Tool { name: name.to_owned(), renamed: None, defer: None }
}

fn behind_search(rules: &RuleSet, search: &ToolSearch, name: &str) -> Tool {
    let id = rules.catalog.tool(name);
    if id == Some(search.client_tool) {
        let renamed = Some(search.runtime_tool.to_string());
        return Tool { name: name.to_owned(), renamed, defer: Some(Defer::Never) };
    }
    let never = id.is_some_and(|id| search.never_defer.contains(&id));
    Tool { name: name.to_owned(), renamed: None, defer: Some(if never { Defer::Never } else { Defer::Auto }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_rounded_down() {
        let rows = [
            ("0", Some("0")),
            ("-0.0", Some("0")),
            ("2.9", Some("2")),
            ("30", Some("30")),
            ("1e3", Some("1000")),
            ("18446744073709551615", Some("18446744073709551615")),
            ("1e300", Some("1e+300")),
            ("-1", None),
            ("-0.5", None),
        ];
        for (given, expected) in rows {
            let rounded = whole(&serde_json::from_str(given).unwrap()).map(|number| number.to_string());
            assert_eq!(rounded.as_deref(), expected, "{given}");
        }
    }
}
