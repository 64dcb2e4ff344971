//! One run: gates are asked and texts are read in its terms, and its recorder hears of both.

use std::borrow::Cow;

use super::facts::Facts;
use super::record::{Composed, Event, Origin, Recorder, RuleKind};
use crate::rules::{
    Binding, BindingSource, Gate, Item, Line, Part, Piece, RuleSet, Template, Text, TextBody, ValueRef,
};

/// Which rules are asked, of which facts, and who is told.
pub(super) struct Run<'a, 'r, R> {
    pub(super) rules: &'r RuleSet,
    pub(super) facts: &'a Facts<'a>,
    pub(super) recorder: &'a mut R,
}

impl<'r, R: Recorder<'r>> Run<'_, 'r, R> {
    /// Whether a gate holds; an absent one does.
    pub(super) fn holds(&mut self, gate: Option<&'r Gate>) -> bool {
        let Some(gate) = gate else { return true };
        let holds = self.facts.holds(gate);
        self.recorder.record(Event::Gate { gate, holds });
        holds
    }

    /// What a line or block contributes; nothing if its gate fails or its text comes out empty.
    pub(super) fn rule(&mut self, kind: RuleKind, rule: &'r Line) -> Option<R::Text> {
        self.recorder.record(Event::Asked(rule));
        let holds = self.holds(rule.when.as_ref());
        let text = if holds { self.text(&rule.text, &rule.id, None) } else { None };
        let text = text.filter(|text| !text.is_empty());
        self.recorder.record(Event::Rendered { kind, rule, rendered: text.is_some() });
        text
    }

    /// What a text of a rule gives. `parent` is what `{parent: true}` stands for.
    pub(super) fn text(&mut self, text: &'r Text, rule: &'r str, parent: Option<&R::Text>) -> Option<R::Text> {
        match &text.body {
            TextBody::One(template) => self.template(template, rule),
            TextBody::List(items) => self.list(items, rule, parent),
        }
    }

    fn list(&mut self, items: &'r [Item], rule: &'r str, parent: Option<&R::Text>) -> Option<R::Text> {
        joined(items.iter().filter_map(|item| self.item(item, rule, parent)))
    }

    fn item(&mut self, item: &'r Item, rule: &'r str, parent: Option<&R::Text>) -> Option<R::Text> {
        if !self.holds(item.when.as_ref()) {
            return None;
        }
        match &item.part {
            Part::Template(template) => self.template(template, rule),
            Part::Shared(shared, _) => self.text(&shared.text, rule, None),
            Part::Parent => parent.cloned(),
        }
    }

    fn template(&mut self, template: &'r Template, rule: &'r str) -> Option<R::Text> {
        let origin = Origin { rule, span: template.span };
        let mut text = R::Text::default();
        for piece in &template.pieces {
            match piece {
                Piece::Literal(literal) => text.push(literal, origin),
                Piece::Variable(binding) => {
                    let Some(value) = self.value(binding) else {
                        self.recorder.record(Event::Unbound { binding, template });
                        return None;
                    };
                    text.push(&value, origin);
                }
            }
        }
        Some(text)
    }

    fn value(&self, binding: &'r Binding) -> Option<Cow<'_, str>> {
        match &binding.source {
            BindingSource::FirstClientTool(tools) => {
                let tool = tools.iter().find(|tool| self.facts.has_tool(**tool))?;
                Some(Cow::Borrowed(self.rules.catalog.tool_name(*tool)))
            }
            BindingSource::Setting(setting) => Some(written(self.facts.setting(*setting)?)),
        }
    }
}

/// Texts joined by one newline; nothing if there are none.
pub(super) fn joined<'r, T: Composed<'r>>(texts: impl Iterator<Item = T>) -> Option<T> {
    texts.reduce(|before, text| before.line(text))
}

/// A setting's value as text: numbers as the shortest decimal that reads back the same, without exponent.
pub(crate) fn written(value: ValueRef<'_>) -> Cow<'_, str> {
    match value {
        ValueRef::Bool(true) => Cow::Borrowed("true"),
        ValueRef::Bool(false) => Cow::Borrowed("false"),
        ValueRef::String(text) => Cow::Borrowed(text),
        ValueRef::Number(number) => Cow::Owned(decimal(number)),
    }
}

pub(crate) fn decimal(number: &serde_json::Number) -> String {
    match (number.as_i128(), number.as_f64()) {
        (Some(integer), _) => integer.to_string(),
        // Rust prints a float as the shortest decimal that reads back the same, never with an exponent.
        (None, Some(0.0)) => "0".to_owned(),
        (None, Some(float)) => float.to_string(),
        (None, None) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn numbers_are_written_short_and_without_exponent() {
        let cases = [
            ("1.0", "1"),
            ("-0.0", "0"),
            ("0.1", "0.1"),
            ("1e21", "1000000000000000000000"),
            ("1e-7", "0.0000001"),
            ("-3", "-3"),
            ("9007199254740993", "9007199254740993"),
        ];
        for (written, expected) in cases {
            assert_eq!(decimal(&serde_json::from_str(written).unwrap()), expected, "{written}");
        }
    }
}
