//! From the texts of rules to guarded pieces.

use std::sync::Arc;

use super::words::{Atom, Piece, Words};
use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::interpret::written;
use crate::load::{Document, Node, Value};
use crate::rules::{
    Binding, BindingSource, Catalog, Gate, Item, Part, Piece as Written, Setting, SettingType, SettingValue, Template,
    Text, TextBody, ToolId,
};

/// The numbers that rule files mention: only these can be told apart by conditions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers(Vec<SettingValue>);

impl Numbers {
    /// Notes every number in the documents of a set.
    pub(crate) fn add(&mut self, documents: &[Document]) {
        documents.iter().for_each(|document| self.walk(&document.root));
    }

    fn walk(&mut self, node: &Node) {
        match &node.value {
            Value::Number(number) => {
                let value = SettingValue::Number(number.clone());
                if !self.0.contains(&value) {
                    self.0.push(value);
                }
            }
            Value::Sequence(items) => items.iter().for_each(|item| self.walk(item)),
            Value::Mapping(entries) => {
                entries.iter().filter(|entry| entry.key != "version").for_each(|entry| self.walk(&entry.value));
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

/// Writes the texts of one rule set as functions of contexts.
pub(crate) struct Scribe<'a> {
    pub(crate) space: &'a mut Space,
    pub(crate) catalog: &'a Catalog,
    pub(crate) numbers: &'a Numbers,
}

impl Scribe<'_> {
    /// Where an optional gate holds.
    pub(crate) fn when(&mut self, gate: Option<&Gate>) -> Answer<Function> {
        self.space.when(self.catalog, gate)
    }

    /// A text. `parent` is what `{parent: true}` stands for; without it, it stands for itself.
    pub(crate) fn text(&mut self, text: &Text, parent: Option<&Words>) -> Answer<Words> {
        match &text.body {
            TextBody::One(template) => self.template(template),
            TextBody::List(items) => self.list(items, parent),
        }
    }

    fn list(&mut self, items: &[Item], parent: Option<&Words>) -> Answer<Words> {
        let mut all = Words::NONE;
        for item in items {
            let words = self.item(item, parent)?;
            let between = self.space.and(all.given, words.given)?;
            if between != Function::FALSE {
                all.pieces.push(Piece::text(between, "\n"));
            }
            all.given = self.space.or(all.given, words.given)?;
            all.pieces.extend(words.pieces);
        }
        Ok(all)
    }

    fn item(&mut self, item: &Item, parent: Option<&Words>) -> Answer<Words> {
        let when = self.when(item.when.as_ref())?;
        let words = match &item.part {
            Part::Template(template) => self.template(template)?,
            Part::Shared(shared, _) => self.text(&shared.text, None)?,
            Part::Parent => match parent {
                Some(words) => words.clone(),
                None => {
                    Words { given: Function::TRUE, pieces: vec![Piece { guard: Function::TRUE, atom: Atom::Parent }] }
                }
            },
        };
        words.within(self.space, when)
    }

    fn template(&mut self, template: &Template) -> Answer<Words> {
        let mut parts = Vec::new();
        let mut given = Function::TRUE;
        for piece in &template.pieces {
            let part = match piece {
                Written::Literal(text) => vec![(Function::TRUE, Atom::Text(Arc::from(&**text)))],
                Written::Variable(binding) => self.values(binding)?,
            };
            let has_value = self.space.any(part.iter().map(|(guard, _)| *guard))?;
            given = self.space.and(given, has_value)?;
            parts.push(part);
        }
        let mut pieces = Vec::new();
        for (guard, atom) in parts.into_iter().flatten() {
            let guard = self.space.and(guard, given)?;
            if guard != Function::FALSE {
                pieces.push(Piece { guard, atom });
            }
        }
        Ok(Words { given, pieces: pieces.into_iter().filter(|piece| !is_empty(&piece.atom)).collect() })
    }

    /// The values of a binding, each where it has that one.
    fn values(&mut self, binding: &Binding) -> Answer<Vec<(Function, Atom)>> {
        match &binding.source {
            BindingSource::FirstClientTool(tools) => self.first_tool(tools),
            BindingSource::Setting(setting) => {
                let catalog = self.catalog;
                self.setting(catalog.setting(*setting))
            }
        }
    }

    fn first_tool(&mut self, tools: &[ToolId]) -> Answer<Vec<(Function, Atom)>> {
        let mut values = Vec::new();
        let mut none = Function::TRUE;
        for tool in tools {
            let name = self.catalog.tool_name(*tool);
            let has = self.space.tool(name)?;
            values.push((self.space.and(none, has)?, Atom::Value(name.into())));
            none = self.space.minus(none, has)?;
        }
        Ok(values)
    }

    fn setting(&mut self, setting: &Setting) -> Answer<Vec<(Function, Atom)>> {
        let strings = setting.allowed.iter().map(|text| SettingValue::String(text.clone()));
        let known: Vec<SettingValue> = match setting.value_type {
            SettingType::Boolean => vec![SettingValue::Bool(true), SettingValue::Bool(false)],
            SettingType::String => strings.collect(),
            SettingType::Number => self.numbers.0.clone(),
        };
        let mut values = Vec::new();
        for (place, value) in known.iter().enumerate() {
            if known.iter().take(place).any(|earlier| earlier == value) {
                continue;
            }
            let guard = self.space.setting_is_one_of(setting, std::slice::from_ref(value))?;
            values.push((guard, Atom::Value(written(value.as_ref()).into())));
        }
        if setting.value_type == SettingType::Number {
            let any = self.space.setting_is_set(setting)?;
            let listed = self.space.setting_is_one_of(setting, &known)?;
            values.push((self.space.minus(any, listed)?, Atom::Number(Arc::from(&*setting.name))));
        }
        Ok(values)
    }
}

fn is_empty(atom: &Atom) -> bool {
    atom.characters() == Some("")
}
