//! The catalog: names become numbers.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::names::Declared;
use super::order::{Kind, Reference, in_order};
use super::suggest::Suggestions;
use super::{Compiler, Mention, meant_boolean, meant_number};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Entry, Node, Value};
use crate::rules::{ModelGroup, Setting, SettingId, SettingType, SettingValue, ToolId, ValueRef};
use crate::source::Span;

/// How many tools all lists may come to. Without a limit, many lists of one large group would
/// come to more than any memory holds.
const MOST_TOOLS: usize = 1_000_000;

/// From this many values on, those of an `enum` are looked up by hash.
const MANY_VALUES: usize = 32;

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
            let values = entry.value.get("enum").map_or(&[][..], Node::items);
            if values.len() > MANY_VALUES {
                self.allowed.insert(id, values.iter().filter_map(Node::as_str).collect());
            }
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
            setting.default = self.default(&setting, default);
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
            let group = Arc::new(group);
            self.catalog.model_groups.push(Arc::clone(&group));
            self.model_groups.insert(name, group);
        }
    }

    fn intern(&mut self, name: &str) -> ToolId {
        if let Some(id) = self.catalog.tool_ids.get(name) {
            return *id;
        }
        let id = ToolId(u32::try_from(self.catalog.tools.len()).unwrap_or(u32::MAX));
        let name: Arc<str> = name.into();
        self.catalog.tools.push(name.clone());
        self.catalog.tool_ids.insert(name, id);
        id
    }

    /// A client tool by name. Whether the catalog has it is a finding, not a load error.
    pub(super) fn tool(&mut self, node: &'a Node) -> Option<ToolId> {
        let id = self.intern(node.as_str()?);
        let name = self.catalog.tools.get(id.index())?.clone();
        self.mentions.tools.push(Mention { name, span: node.span, rule: self.rule.clone() });
        Some(id)
    }

    /// A list of tools and `$group`s, expanded, each tool once.
    pub(super) fn tools(&mut self, node: &'a Node) -> Option<Box<[ToolId]>> {
        let mut tools: IndexSet<ToolId, FxBuildHasher> = IndexSet::default();
        let mut groups: FxHashSet<&str> = FxHashSet::default();
        let mut sound = true;
        for item in node.items() {
            match item.as_str().map(|name| name.strip_prefix('$')) {
                None => sound = false,
                Some(None) => tools.extend(self.tool(item)),
                Some(Some(group)) => {
                    sound &= self.tool_group(group, item);
                    if groups.insert(group) && self.expanded <= MOST_TOOLS {
                        tools.extend(self.tool_groups.get(group).into_iter().flatten());
                    }
                }
            }
        }
        self.count_tools(tools.len(), node);
        (sound && self.expanded <= MOST_TOOLS).then(|| tools.into_iter().collect())
    }

    /// Reports the list by which all lists come to too much. None is expanded after it.
    fn count_tools(&mut self, more: usize, node: &'a Node) {
        let before = self.expanded;
        self.expanded += more;
        if before <= MOST_TOOLS && self.expanded > MOST_TOOLS {
            let message =
                format!("the lists of tools come to more than {MOST_TOOLS} tools once every group is followed");
            self.report(Diagnostic::new(Code::InvalidValue, node.span, message));
        }
    }

    /// Whether a tool group that an item names is declared.
    fn tool_group(&mut self, group: &'a str, item: &'a Node) -> bool {
        self.mentions.tool_groups.push(Mention { name: group.into(), span: item.span, rule: self.rule.clone() });
        if self.tool_groups.contains_key(group) {
            return true;
        }
        if !self.names.is_lost(group) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownToolGroup, item.span, format!("there is no tool group `{group}`"));
            if let Some(meant) = self.suggestions.nearest(group, self.names.tool_groups.keys().copied()) {
                diagnostic = diagnostic.did_you_mean(&format!("${meant}"));
            }
            self.report(diagnostic);
        }
        false
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
        let value = value_of(node)?;
        let admitted = match (value, self.allowed.get(&setting)) {
            (ValueRef::String(text), Some(allowed)) => allowed.contains(text),
            (_, _) => self.catalog.setting(setting).admits(value),
        };
        if admitted {
            return Some(value.to_value());
        }
        let setting = self.catalog.setting(setting);
        let diagnostic = mismatch(setting, value, node.span, &mut self.suggestions);
        let declared = setting.span;
        self.report(diagnostic.related(declared, "declared here"));
        None
    }

    fn default(&mut self, setting: &Setting, node: &'a Node) -> Option<SettingValue> {
        let value = value_of(node)?;
        if setting.admits(value) {
            return Some(value.to_value());
        }
        let diagnostic = mismatch(setting, value, node.span, &mut self.suggestions);
        self.report(diagnostic);
        None
    }
}

/// The setting's value that a node is.
fn value_of(node: &Node) -> Option<ValueRef<'_>> {
    match &node.value {
        Value::Bool(value) => Some(ValueRef::Bool(*value)),
        Value::Number(value) => Some(ValueRef::Number(value)),
        Value::String(value) => Some(ValueRef::String(value)),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) => None,
    }
}

/// A value at a place that its setting does not admit.
fn mismatch(setting: &Setting, value: ValueRef<'_>, place: Span, suggestions: &mut Suggestions) -> Diagnostic {
    let name = &setting.name;
    let (expected, found) = (setting.value_type, value.type_of());
    let message = match value {
        ValueRef::String(text) if expected == found => format!("the setting `{name}` cannot be `{text}`"),
        _ => format!("the setting `{name}` is a {}, not a {}", expected.as_str(), found.as_str()),
    };
    let diagnostic = Diagnostic::new(Code::SettingTypeMismatch, place, message);
    match (expected, value) {
        (SettingType::Boolean, ValueRef::String(text)) => meant(diagnostic, meant_boolean(text)),
        (SettingType::Number, ValueRef::String(text)) => meant(diagnostic, meant_number(text)),
        (SettingType::String, ValueRef::String(text)) => {
            let allowed = setting.allowed.iter().map(AsRef::as_ref);
            match suggestions.nearest(text, allowed) {
                Some(name) => diagnostic.did_you_mean(name),
                None if setting.allowed.len() > MANY_VALUES => diagnostic,
                None => diagnostic.help(format!("it is one of `{}`", setting.allowed.join("`, `"))),
            }
        }
        (SettingType::String, _) => diagnostic.help("quote it if it is a string"),
        (SettingType::Boolean | SettingType::Number, _) => diagnostic,
    }
}

fn meant(diagnostic: Diagnostic, value: Option<impl ToString>) -> Diagnostic {
    match value {
        Some(value) => diagnostic.did_you_mean_just(&value.to_string()),
        None => diagnostic,
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
