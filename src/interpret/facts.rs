//! A context in the terms of one rule set: names as numbers, settings with their defaults.

use std::cell::OnceCell;

use serde_json::Value;

use crate::context::Context;
use crate::rules::{Catalog, NormalForm, SettingId, SettingValue, ToolId, ValueRef};

/// Everything that a rule may ask of one context.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The model, if one is named.
    pub model: Option<ModelId<'a>>,
    /// Whether tools are deferred behind tool search.
    pub tool_search_active: bool,
    /// Whether the session has no workspace folder.
    pub workspaceless: bool,
    tools: Vec<u64>,
    settings: Vec<Option<ValueRef<'a>>>,
}

impl<'a> Facts<'a> {
    /// The facts of a context. Tools that no rule names and settings that the catalog does not
    /// know cannot make a difference and are dropped.
    #[must_use]
    pub fn new(catalog: &'a Catalog, context: &'a Context) -> Self {
        let model = context.model.as_deref();
        let tools = context.client_tools.iter().map(String::as_str);
        let mut facts = Self::with_tools(catalog, model, tools, &context.settings);
        facts.tool_search_active = context.tool_search_active;
        facts.workspaceless = context.workspaceless;
        facts
    }

    /// The facts of a session whose flags are still to be set.
    pub(crate) fn with_tools(
        catalog: &'a Catalog,
        model: Option<&'a str>,
        names: impl Iterator<Item = &'a str>,
        given: &'a serde_json::Map<String, Value>,
    ) -> Self {
        let mut tools = vec![0; catalog.tool_count().div_ceil(64)];
        for tool in names.filter_map(|name| catalog.tool(name)) {
            if let Some(word) = tools.get_mut(tool.index() / 64) {
                *word |= 1 << (tool.index() % 64);
            }
        }
        let mut settings: Vec<_> =
            catalog.settings().map(|(_, setting)| setting.default.as_ref().map(SettingValue::as_ref)).collect();
        for (id, value) in given.iter().filter_map(|(name, value)| Some((catalog.setting_id(name)?, value))) {
            if let Some(slot) = settings.get_mut(id.index()).filter(|_| !value.is_null()) {
                *slot = ValueRef::from_json(value).filter(|value| catalog.setting(id).admits(*value));
            }
        }
        let model = model.map(ModelId::new);
        Self { model, tool_search_active: false, workspaceless: false, tools, settings }
    }

    /// Whether the client forwards the tool.
    #[must_use]
    pub fn has_tool(&self, tool: ToolId) -> bool {
        self.tools.get(tool.index() / 64).is_some_and(|word| word >> (tool.index() % 64) & 1 == 1)
    }

    /// The value that a setting has, its default included; nothing when it is unset.
    #[must_use]
    pub fn setting(&self, setting: SettingId) -> Option<ValueRef<'a>> {
        self.settings.get(setting.index()).copied().flatten()
    }
}

/// A model id with the rewritten forms that matchers have asked for so far.
#[derive(Debug)]
pub struct ModelId<'a> {
    raw: &'a str,
    /// By number; nothing where the form is the raw id itself.
    forms: [OnceCell<Option<Box<str>>>; NormalForm::COUNT],
}

impl<'a> ModelId<'a> {
    /// An id as the host spells it.
    #[must_use]
    pub fn new(raw: &'a str) -> Self {
        Self { raw, forms: Default::default() }
    }

    /// The id as the host spells it.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.raw
    }

    /// The id in a normal form.
    #[must_use]
    pub fn form(&self, form: NormalForm) -> &str {
        let cell = self.forms.get(form.number()).filter(|_| form != NormalForm::default());
        let rewritten = cell.and_then(|cell| cell.get_or_init(|| self.rewrite(form)).as_deref());
        rewritten.unwrap_or(self.raw)
    }

    fn rewrite(&self, form: NormalForm) -> Option<Box<str>> {
        let rewritten = form.apply(self.raw);
        (rewritten != self.raw).then(|| rewritten.into())
    }
}

/// A setting of a context that counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingWarning {
    /// The setting's key.
    pub setting: String,
    /// What is wrong with it: lower-case, one sentence.
    pub message: String,
}

/// What a host should be told about the settings of a context: the keys that the catalog does
/// not know, and the values that contradict it (those count as unset). In key order.
#[must_use]
pub fn setting_warnings(catalog: &Catalog, settings: &serde_json::Map<String, Value>) -> Vec<SettingWarning> {
    let mut warnings: Vec<SettingWarning> = settings
        .iter()
        .filter(|(_, value)| !value.is_null())
        .filter_map(|(name, value)| {
            let message = setting_fault(catalog, name, value)?;
            Some(SettingWarning { setting: name.clone(), message })
        })
        .collect();
    warnings.sort_by(|left, right| left.setting.cmp(&right.setting));
    warnings
}

fn setting_fault(catalog: &Catalog, name: &str, value: &Value) -> Option<String> {
    let Some(id) = catalog.setting_id(name) else {
        return Some(format!("the catalog has no setting `{name}`"));
    };
    let setting = catalog.setting(id);
    if ValueRef::from_json(value).is_some_and(|value| setting.admits(value)) {
        return None;
    }
    let mut expected = format!("a {}", setting.value_type.as_str());
    if !setting.allowed.is_empty() {
        let allowed: Vec<String> = setting.allowed.iter().map(|value| format!("`{value}`")).collect();
        expected = format!("one of {}", allowed.join(", "));
    }
    Some(format!("setting `{name}` counts as unset: expected {expected}, got `{}`", shortened(value)))
}

/// A value as compact JSON, cut to 40 characters.
pub(crate) fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(shortened(&json!("é".repeat(50))), format!("\"{}…", "é".repeat(39)));
        assert_eq!(shortened(&json!([1, 2])), "[1,2]");
    }
}
