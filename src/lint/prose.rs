//! Every string of every text, as it is written: what is said of prose is said of these.

use crate::load::{Document, Node, Value};
use crate::source::FileId;

/// One string of a text.
#[derive(Clone, Copy)]
pub(super) struct Prose<'a> {
    pub(super) file: FileId,
    /// The scalar.
    pub(super) node: &'a Node,
    /// Its value.
    pub(super) text: &'a str,
    /// The id of its rule, where it has one.
    pub(super) rule: Option<&'a str>,
    /// Whether `{{name}}` stands for a value here.
    pub(super) binds: bool,
    pub(super) place: Place,
    /// Whether it is the last of a list of several.
    pub(super) ends_list: bool,
}

/// What a string is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A shared text.
    Shared,
    /// `content` or `full_prompt`.
    Message,
    /// The content of an override that is not `prepend`.
    Section,
    /// The content of a `prepend`.
    Prepend,
    /// A line or block.
    Universal,
    /// An `append` step.
    AppendStep,
    /// A `prepend` step.
    PrependStep,
    /// What a `replace` step puts in.
    ReplaceStep,
}

/// All strings of a set, in the order of the files.
pub(super) fn all<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Vec<Prose<'a>> {
    let mut found = Vec::new();
    for Document { root, .. } in documents {
        let shared = Walk { rule: None, binds: false };
        for entry in root.get("texts").map_or(&[][..], Node::entries) {
            shared.text(&entry.value, Place::Shared, &mut found);
        }
        for rule in root.get("base").into_iter().chain(root.get("contributors").into_iter().flat_map(Node::items)) {
            Walk::of(rule).layer(rule, &mut found);
        }
        let lists = ["tool_instructions", "trailing"].into_iter().filter_map(|list| root.get(list));
        lists.flat_map(Node::items).for_each(|rule| universal(rule, &mut found));
    }
    found
}

/// The strings of a line or block. There are many, so its keys are gone through once.
fn universal<'a>(rule: &'a Node, found: &mut Vec<Prose<'a>>) {
    let mut walk = Walk { rule: None, binds: false };
    let mut text = None;
    for entry in rule.entries() {
        match entry.key.as_str() {
            "id" => walk.rule = entry.value.as_str(),
            "bind" => walk.binds = true,
            "text" => text = Some(&entry.value),
            _ => {}
        }
    }
    text.into_iter().for_each(|text| walk.text(text, Place::Universal, found));
}

/// A walk through one rule.
#[derive(Clone, Copy)]
struct Walk<'a> {
    rule: Option<&'a str>,
    binds: bool,
}

impl<'a> Walk<'a> {
    fn of(rule: &'a Node) -> Self {
        Self { rule: rule.get("id").and_then(Node::as_str), binds: rule.get("bind").is_some() }
    }

    fn layer(self, rule: &'a Node, found: &mut Vec<Prose<'a>>) {
        let sections = rule.get("sections").map_or(&[][..], Node::entries);
        for chosen in sections.iter().flat_map(|entry| one_or_many(&entry.value)) {
            self.chosen(chosen, found);
        }
        if let Some(content) = rule.get("content") {
            self.text(content, Place::Message, found);
        }
        if let Some(prompt) = rule.get("full_prompt") {
            self.text(prompt.get("text").unwrap_or(prompt), Place::Message, found);
        }
    }

    fn chosen(self, chosen: &'a Node, found: &mut Vec<Prose<'a>>) {
        let prepends = chosen.get("action").and_then(Node::as_str) == Some("prepend");
        if let Some(content) = chosen.get("content") {
            self.text(content, if prepends { Place::Prepend } else { Place::Section }, found);
        }
        let literal = Self { binds: false, ..self };
        for step in chosen.get("steps").into_iter().flat_map(Node::items).flat_map(Node::entries) {
            match step.key.as_str() {
                "append" => literal.string(&step.value, Place::AppendStep, false, found),
                "prepend" => literal.string(&step.value, Place::PrependStep, false, found),
                _ => {
                    if let Some(with) = step.value.get("with") {
                        literal.string(with, Place::ReplaceStep, false, found);
                    }
                }
            }
        }
    }

    fn text(self, text: &'a Node, place: Place, found: &mut Vec<Prose<'a>>) {
        let items = one_or_many(text);
        for (number, item) in items.iter().enumerate() {
            let ends_list = items.len() > 1 && number + 1 == items.len();
            self.string(item.get("text").unwrap_or(item), place, ends_list, found);
        }
    }

    fn string(self, node: &'a Node, place: Place, ends_list: bool, found: &mut Vec<Prose<'a>>) {
        let Self { rule, binds } = self;
        if let Some(text) = node.as_str() {
            found.push(Prose { file: node.span.file, node, text, rule, binds, place, ends_list });
        }
    }
}

/// The nodes of a value that is one or a list of them.
pub(super) fn one_or_many(node: &Node) -> &[Node] {
    match &node.value {
        Value::Sequence(items) => items,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Mapping(_) => {
            std::slice::from_ref(node)
        }
    }
}
