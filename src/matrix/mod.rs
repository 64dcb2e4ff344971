//! What each of many models gets, side by side.
//!
//! Input: rules, model ids, and a context for each. Output: [`Group`]s of models whose results are
//! equal, in the order of their first models. Nothing here decides: each row is one recorded run.

mod report;

use crate::context::Context;
use crate::explain::Trace;
use crate::interpret::{DefaultReason, Event, Facts, RuleKind, interpret};
use crate::message::SystemMessageConfig;
use crate::rules::RuleSet;

pub use report::{csv, human, json, markdown};

/// Models that get the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The ids, in the order of the call.
    pub models: Vec<String>,
    /// What they get.
    pub row: Row,
}

/// What a model gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The contributor that takes it; nothing if none does.
    pub contributor: Option<String>,
    /// Why the default message stands alone, if it does.
    pub reason: Option<DefaultReason>,
    /// The message.
    pub message: SystemMessageConfig,
    /// Ids of the tool-instruction lines that are rendered, in order.
    pub lines: Vec<String>,
}

impl Row {
    /// The sections that the message overrides, with the actions, in order: `tone:append`.
    #[must_use]
    pub fn sections(&self) -> Vec<String> {
        let sections = self.message.sections().into_iter().flat_map(|sections| sections.iter());
        sections.map(|(section, value)| format!("{section}:{}", value.action())).collect()
    }

    /// The length of all composed texts together, in UTF-16 code units, as the SDK counts.
    #[must_use]
    pub fn length(&self) -> usize {
        let sections = self.message.sections().into_iter().flat_map(|sections| sections.iter());
        let texts = sections.filter_map(|(_, value)| value.content()).chain(self.message.content());
        texts.map(|text| text.encode_utf16().count()).sum()
    }
}

/// Resolves each model and puts together those that get the same.
pub fn matrix<'m>(
    rules: &RuleSet,
    models: impl IntoIterator<Item = &'m str>,
    context: impl Fn(&str) -> Context,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for model in models {
        let row = row(rules, &context(model));
        match groups.iter_mut().find(|group| group.row == row) {
            Some(group) => group.models.push(model.to_owned()),
            None => groups.push(Group { models: vec![model.to_owned()], row }),
        }
    }
    groups
}

fn row(rules: &RuleSet, context: &Context) -> Row {
    let mut trace = Trace::default();
    let message = interpret(rules, &Facts::new(&rules.catalog, context), &mut trace);
    let mut row = Row {
        contributor: crate::explain::chosen(&trace.events).map(|choice| choice.contributor.id.to_string()),
        reason: None,
        message: message.map(|text| text.as_str().to_owned()),
        lines: Vec::new(),
    };
    for event in trace.events {
        if let Event::Default(reason) = event {
            row.reason = Some(reason);
        }
        if let Event::Rendered { kind: RuleKind::Line, rule, rendered: true } = event {
            row.lines.push(rule.id.to_string());
        }
    }
    row
}
