//! Rules as they are written: whether the author changed a rule, or something that it refers to.

use std::collections::BTreeMap;

use crate::load::{Loaded, Node};

/// Whether two sets say the same in the same words, file by file: then there is nothing to compare.
pub(super) fn same(old: &Loaded, new: &Loaded) -> bool {
    let text =
        |loaded: &Loaded| loaded.documents.iter().map(|file| file.root.to_json().to_string()).collect::<Vec<_>>();
    text(old) == text(new)
}

/// Every rule and every named thing of a set, as text.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// By id, `base` and `tool_search` among them: a rule that bears one of these ids is compared together with it.
    rules: BTreeMap<String, Vec<serde_json::Value>>,
    names: BTreeMap<Name, serde_json::Value>,
}

/// Something that rules refer to by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Setting(String),
    Text(String),
    ModelGroup(String),
    ToolGroup(String),
}

impl Written {
    pub(super) fn new(loaded: &Loaded) -> Self {
        let mut written = Self::default();
        loaded.documents.iter().for_each(|document| written.add(&document.root));
        written
    }

    fn add(&mut self, root: &Node) {
        if let Some(base) = root.get("base") {
            self.add_rule("base", base);
        }
        if let Some(tool_search) = root.get("tool_search") {
            self.add_rule("tool_search", tool_search);
        }
        for list in ["contributors", "tool_instructions", "trailing"] {
            for rule in root.get(list).map_or(&[][..], Node::items) {
                if let Some(id) = rule.get("id").and_then(Node::as_str) {
                    self.add_rule(id, rule);
                }
            }
        }
        let catalog = |key: &str| root.get("catalog").and_then(|catalog| catalog.get(key));
        self.add_names(catalog("settings"), Name::Setting);
        self.add_names(catalog("model_groups"), Name::ModelGroup);
        self.add_names(catalog("tool_groups"), Name::ToolGroup);
        self.add_names(root.get("texts"), Name::Text);
    }

    fn add_rule(&mut self, id: &str, rule: &Node) {
        self.rules.entry(id.to_owned()).or_default().push(rule.to_json());
    }

    fn add_names(&mut self, node: Option<&Node>, name: fn(String) -> Name) {
        for entry in node.map_or(&[][..], Node::entries) {
            self.names.insert(name(entry.key.clone()), entry.value.to_json());
        }
    }

    /// A rule as text; empty if there is none.
    pub(super) fn rule(&self, id: &str) -> String {
        self.rules.get(id).into_iter().flatten().map(|rule| format!("{rule}\n")).collect()
    }

    /// What a rule refers to, directly or through other names.
    fn references(&self, id: &str) -> Vec<Name> {
        let mut found = Vec::new();
        self.rules.get(id).into_iter().flatten().for_each(|rule| references(rule, &mut found));
        let mut next = 0;
        while let Some(name) = found.get(next).cloned() {
            next += 1;
            if let Some(value) = self.names.get(&name) {
                references(value, &mut found);
            }
        }
        found
    }

    /// A named thing as text; empty if there is none.
    fn name(&self, name: &Name) -> String {
        self.names.get(name).map(ToString::to_string).unwrap_or_default()
    }
}

/// The names that changed behind a rule that is written as before; none if the rule itself changed.
pub(super) fn changed_behind(old: &Written, new: &Written, rule: &str) -> Vec<(Name, String, String)> {
    if old.rule(rule) == new.rule(rule) { changed_names(old, new, rule) } else { Vec::new() }
}

/// What a rule refers to and is not what it was: the name, and both declarations.
pub(super) fn changed_names(old: &Written, new: &Written, rule: &str) -> Vec<(Name, String, String)> {
    let mut names: Vec<Name> = new.references(rule);
    names.extend(old.references(rule));
    names.sort_unstable();
    names.dedup();
    let changed = names.into_iter().map(|name| {
        let (before, after) = (old.name(&name), new.name(&name));
        (name, before, after)
    });
    changed.filter(|(_, before, after)| before != after).collect()
}

impl Name {
    /// What changed, in one sentence.
    pub(super) fn changed(&self, before: &str, after: &str) -> String {
        match self {
            Self::Setting(name) => match (default_of(before), default_of(after)) {
                (old, new) if old != new => format!("the default of the setting `{name}` is {new}, not {old}"),
                _ => format!("the setting `{name}` has another declaration"),
            },
            Self::Text(name) => format!("the shared text `{name}` changed"),
            Self::ModelGroup(name) => format!("the model group `{name}` changed"),
            Self::ToolGroup(name) => format!("the tool group `{name}` changed"),
        }
    }
}

fn default_of(setting: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(setting).unwrap_or_default();
    value.get("default").map_or_else(|| "unset".to_owned(), |value| format!("`{value}`"))
}

/// Every name inside a rule, by the key that it stands under.
fn references(value: &serde_json::Value, found: &mut Vec<Name>) {
    use serde_json::Value as Json;
    let mut add = |name: Name| {
        if !found.contains(&name) {
            found.push(name);
        }
    };
    match value {
        Json::Object(map) => {
            for (key, inner) in map {
                match (key.as_str(), inner) {
                    ("use", Json::String(name)) => add(Name::Text(name.clone())),
                    ("group", Json::String(name)) => add(Name::ModelGroup(name.clone())),
                    ("setting" | "setting_is_set" | "enabled_setting" | "threshold_setting", Json::String(name)) => {
                        add(Name::Setting(name.clone()));
                    }
                    ("setting_equals" | "setting_in", Json::Object(pairs)) => {
                        pairs.keys().for_each(|name| add(Name::Setting(name.clone())));
                    }
                    _ => {}
                }
            }
            map.values().for_each(|inner| references(inner, found));
        }
        Json::Array(items) => items.iter().for_each(|item| references(item, found)),
        Json::String(text) => {
            if let Some(group) = text.strip_prefix('$') {
                add(Name::ToolGroup(group.to_owned()));
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
