//! Texts: strings and lists, shared ones included.

use std::sync::Arc;

use super::names::Declared;
use super::order::{Kind, in_order};
use super::{Compiler, every};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Entry, Node, Value};
use crate::rules::{Item, Part, SharedText, Text, TextBody};

impl<'a> Compiler<'a> {
    /// The shared texts of the set, each behind those that it uses.
    pub(super) fn compile_texts(&mut self) {
        let entries: Vec<&'a Entry> = self.names.texts.values().copied().collect();
        let mut references = Declared::default();
        for entry in &entries {
            let uses = entry.value.items().iter().filter_map(|item| item.get("use"));
            let uses = uses.filter_map(|name| Some((name.as_str()?, name.span)));
            references.insert(entry.key.as_str(), uses.collect());
        }
        for name in in_order(&references, Kind::Text, self.diagnostics) {
            let Some(entry) = self.names.texts.get(name).copied() else { continue };
            let Some(text) = self.text(&entry.value) else { continue };
            self.texts.insert(name, Arc::new(SharedText { name: name.into(), span: entry.key_span, text }));
        }
    }

    /// The text under a key: nothing wrong and no text is `Some(None)`.
    pub(super) fn optional_text(&mut self, rule: &'a Node, key: &str) -> Option<Option<Text>> {
        match rule.get(key) {
            None => Some(None),
            Some(text) => self.text(text).map(Some),
        }
    }

    pub(super) fn text(&mut self, node: &'a Node) -> Option<Text> {
        let body = match &node.value {
            Value::Sequence(items) => TextBody::List(every(items.iter().map(|item| self.item(item)))?.into()),
            _ => TextBody::One(self.template(node)?),
        };
        Some(Text { span: node.span, body })
    }

    fn item(&mut self, node: &'a Node) -> Option<Item> {
        if node.as_str().is_some() {
            return Some(Item { when: None, part: Part::Template(self.template(node)?), span: node.span });
        }
        let when = self.when(node);
        let part = if let Some(text) = node.get("text") {
            self.template(text).map(Part::Template)
        } else if let Some(name) = node.get("use") {
            self.shared(name)
        } else {
            node.get("parent").map(|_| Part::Parent)
        };
        Some(Item { when: when?, part: part?, span: node.span })
    }

    fn shared(&mut self, node: &'a Node) -> Option<Part> {
        let name = node.as_str()?;
        if let Some(text) = self.texts.get(name) {
            return Some(Part::Shared(text.clone(), node.span));
        }
        // A text that is declared but did not compile has been reported.
        if !self.names.texts.contains_key(name) && !self.names.is_lost(name) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownText, node.span, format!("there is no shared text `{name}`"));
            if let Some(meant) = self.suggestions.nearest(name, self.names.texts.keys().copied()) {
                diagnostic = diagnostic.did_you_mean(meant);
            }
            self.report(diagnostic);
        }
        None
    }
}
