//! The catalog: names become numbers.

use std::sync::Arc;

use super::names::Declared;
use super::order::{Kind, Reference, in_order};
use super::{Compiler, Mention, every, meant_boolean, meant_number, nearest};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Entry, Node};
use crate::rules::{ModelGroup, Setting, SettingId, SettingType, SettingValue, ToolId, ValueRef};
use crate::source::Span;

impl<'a> Compiler<'a> {
    pub(super) fn compile_catalog(&mut self) {
        let client_tools: Vec<&str> = self.names.client_tools.keys().copied().collect();
        self.catalog.client_tools = client_tools.into_iter().map(|name| self.intern(name)).collect();
        self.catalog.models = self.names.models.keys().map(|name| (*name).into()).collect();
        self.compile_tool_groups();
        self.compile_settings();
        self.compile_model_groups();
    }

    fn compile_tool_groups(&mut self) {
        let entries: Vec<&'a Entry> = self.names.tool_groups.values().copied().collect();
        for entry in entries {
            let tools = entry.value.items().iter().filter_map(|item| self.tool(item)).collect();
            self.tool_groups.insert(&entry.key, tools);
        }
    }

    fn compile_settings(&mut self) {
        let entries: Vec<&'a Entry> = self.names.settings.values().copied().collect();
        for entry in entries {
            let Some(setting) = self.setting_entry(entry) else { continue };
            let id = SettingId(u32::try_from(self.catalog.settings.len()).unwrap_or(u32::MAX));
            self.catalog.setting_ids.insert(setting.name.clone(), id);
            self.catalog.settings.push(setting);
        }
    }

    fn setting_entry(&mut self, entry: &'a Entry) -> Option<Setting> {
        if entry.value.faulty {
            return None;
        }
        let value_type = match entry.value.get("type")?.as_str()? {
            "boolean" => SettingType::Boolean,
            "number" => SettingType::Number,
            _ => SettingType::String,
        };
        let allowed = entry.value.get("enum").map_or(&[][..], Node::items);
        let mut setting = Setting {
            name: entry.key.as_str().into(),
            span: entry.key_span,
            value_type,
            allowed: allowed.iter().filter_map(Node::as_str).map(Into::into).collect(),
            default: None,
        };
        if let Some(default) = entry.value.get("default") {
            setting.default = self.value_of(&setting, default, None);
        }
        Some(setting)
    }

    fn compile_model_groups(&mut self) {
        let entries: Vec<&'a Entry> = self.names.model_groups.values().copied().collect();
        let mut references = Declared::default();
        for entry in &entries {
            let mut found = Vec::new();
            group_references(&entry.value, &mut found);
            references.insert(entry.key.as_str(), found);
        }
        for name in in_order(&references, Kind::ModelGroup, self.diagnostics) {
            let Some(entry) = self.names.model_groups.get(name).copied() else { continue };
            let Some(matcher) = self.matcher(&entry.value) else { continue };
            let group = ModelGroup { name: name.into(), span: entry.key_span, matcher };
            self.model_groups.insert(name, Arc::new(group));
        }
    }

    fn intern(&mut self, name: &str) -> ToolId {
        if let Some(id) = self.catalog.tool_ids.get(name) {
            return *id;
        }
        let id = ToolId(u32::try_from(self.catalog.tools.len()).unwrap_or(u32::MAX));
        self.catalog.tools.push(name.into());
        self.catalog.tool_ids.insert(name.into(), id);
        id
    }

    /// A client tool by name. Whether the catalog has it is a finding, not a load error.
    pub(super) fn tool(&mut self, node: &'a Node) -> Option<ToolId> {
        let name = node.as_str()?;
        self.mentions.tools.push(Mention { name: name.into(), span: node.span, rule: self.rule.clone() });
        Some(self.intern(name))
    }

    /// A list of tools and `$group`s, expanded, each tool once.
    pub(super) fn tools(&mut self, node: &'a Node) -> Option<Box<[ToolId]>> {
        let listed = every(node.items().iter().map(|item| self.tool_or_group(item)))?;
        let mut tools: Vec<ToolId> = Vec::new();
        for tool in listed.into_iter().flatten() {
            if !tools.contains(&tool) {
                tools.push(tool);
            }
        }
        Some(tools.into())
    }

    fn tool_or_group(&mut self, item: &'a Node) -> Option<Vec<ToolId>> {
        let Some(group) = item.as_str()?.strip_prefix('$') else { return Some(vec![self.tool(item)?]) };
        self.mentions.tool_groups.push(Mention { name: group.into(), span: item.span, rule: self.rule.clone() });
        if let Some(tools) = self.tool_groups.get(group) {
            return Some(tools.clone());
        }
        if !self.names.is_lost(group) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownToolGroup, item.span, format!("there is no tool group `{group}`"));
            if let Some(meant) = self.suggestions.nearest(group, self.names.tool_groups.keys().copied()) {
                diagnostic = diagnostic.did_you_mean(&format!("${meant}"));
            }
            self.report(diagnostic);
        }
        None
    }

    /// A declared setting by the key or value that names it.
    pub(super) fn setting(&mut self, name: &str, span: Span) -> Option<SettingId> {
        if let Some(id) = self.catalog.setting_id(name) {
            return Some(id);
        }
        // A setting whose own entry is at fault is known; the fault is reported there.
        if !self.names.settings.contains_key(name) && !self.names.is_lost(name) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownSetting, span, format!("the catalog has no setting `{name}`"));
            if let Some(meant) = self.suggestions.nearest(name, self.names.settings.keys().copied()) {
                diagnostic = diagnostic.did_you_mean(meant);
            }
            self.report(diagnostic);
        }
        None
    }

    /// A value that a rule gives a setting.
    pub(super) fn value_for(&mut self, setting: SettingId, node: &'a Node) -> Option<SettingValue> {
        let setting = self.catalog.setting(setting).clone();
        self.value_of(&setting, node, Some(setting.span))
    }

    fn value_of(&mut self, setting: &Setting, node: &'a Node, declared: Option<Span>) -> Option<SettingValue> {
        let json = node.to_json();
        let value = ValueRef::from_json(&json)?;
        if setting.admits(value) {
            return Some(value.to_value());
        }
        let mut diagnostic = Diagnostic::new(Code::SettingTypeMismatch, node.span, mismatch(setting, value));
        if let Some(declared) = declared {
            diagnostic = diagnostic.related(declared, "declared here");
        }
        diagnostic = match value {
            ValueRef::String(text) => match meant_by(setting, text) {
                Some(Meant::Name(name)) => diagnostic.did_you_mean(name),
                Some(Meant::Value(value)) => diagnostic.did_you_mean_just(&value),
                None if setting.allowed.is_empty() || setting.allowed.len() > 20 => diagnostic,
                None => diagnostic.help(format!("it is one of `{}`", setting.allowed.join("`, `"))),
            },
            ValueRef::Bool(_) | ValueRef::Number(_) if setting.value_type == SettingType::String => {
                diagnostic.help("quote it if it is a string")
            }
            ValueRef::Bool(_) | ValueRef::Number(_) => diagnostic,
        };
        self.report(diagnostic);
        None
    }
}

fn mismatch(setting: &Setting, value: ValueRef<'_>) -> String {
    let name = &setting.name;
    match value {
        ValueRef::String(text) if setting.value_type == SettingType::String => {
            format!("the setting `{name}` cannot be `{text}`")
        }
        _ => format!("the setting `{name}` is a {}, not a {}", setting.value_type.as_str(), value.type_of().as_str()),
    }
}

/// What a value of a setting probably was meant to be.
enum Meant<'a> {
    Name(&'a str),
    Value(String),
}

fn meant_by<'a>(setting: &'a Setting, text: &str) -> Option<Meant<'a>> {
    match setting.value_type {
        SettingType::Boolean => meant_boolean(text).map(|value| Meant::Value(value.to_string())),
        SettingType::Number => meant_number(text).map(|value| Meant::Value(value.to_string())),
        SettingType::String => nearest(text, setting.allowed.iter().map(AsRef::as_ref)).map(Meant::Name),
    }
}

/// Every `group: NAME` inside a matcher.
fn group_references<'a>(matcher: &'a Node, found: &mut Vec<Reference<'a>>) {
    for entry in matcher.entries() {
        match entry.key.as_str() {
            "group" => found.extend(entry.value.as_str().map(|name| (name, entry.value.span))),
            _ => {
                group_references(&entry.value, found);
                entry.value.items().iter().for_each(|item| group_references(item, found));
            }
        }
    }
}
