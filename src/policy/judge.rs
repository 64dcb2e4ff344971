//! One resolution, and whether a policy holds of it: what the interpreter says, without any analysis.

use std::collections::BTreeMap;

use crate::analysis::gate::Space;
use crate::context::Context;
use crate::interpret::{Event, Facts, Recorder, RuleKind, interpret, written};
use crate::message::{Section, SectionOverride, Step, SystemMessageConfig};
use crate::rules::{Contributor, Demand, Line, Override, Policy, PolicyCondition, RuleSet, Test};
use crate::symbolic::{Atom, Side};

/// What one run did.
pub(super) struct Resolution<'r> {
    pub(super) context: Context,
    pub(super) message: SystemMessageConfig,
    pub(super) contributor: Option<&'r Contributor>,
    pub(super) lines: Vec<&'r Line>,
    pub(super) blocks: Vec<&'r Line>,
    /// The override of each section that counts, with the rule that it is written in.
    pub(super) overrides: BTreeMap<Section, (&'r str, &'r Override)>,
}

impl<'r> Resolution<'r> {
    /// Runs the interpreter.
    pub(super) fn new(rules: &'r RuleSet, context: &Context) -> Self {
        let mut watch = Watch::default();
        let message = interpret(rules, &Facts::new(&rules.catalog, context), &mut watch);
        Self {
            context: context.clone(),
            message,
            contributor: watch.contributor,
            lines: watch.lines,
            blocks: watch.blocks,
            overrides: overrides(&watch.overrides),
        }
    }

    /// Whether lines arrive: a section that is removed takes them along.
    pub(super) fn has_lines(&self) -> bool {
        let sections = self.message.sections();
        !matches!(sections.and_then(|all| all.get(Section::ToolInstructions)), Some(SectionOverride::Remove))
    }

    /// Every text of the message.
    pub(super) fn texts(&self) -> Vec<&str> {
        let mut texts: Vec<&str> = self.message.content().map(String::as_str).into_iter().collect();
        for (_, value) in self.message.sections().into_iter().flat_map(|all| all.iter()) {
            texts.extend(texts_of(value));
        }
        texts
    }
}

/// The texts of an override.
pub(super) fn texts_of(value: &SectionOverride) -> Vec<&str> {
    match value {
        SectionOverride::Replace(text) | SectionOverride::Append(text) | SectionOverride::Prepend(text) => {
            vec![text]
        }
        SectionOverride::Transform(steps) => steps
            .iter()
            .filter_map(|step| match step {
                Step::Append(text) | Step::Prepend(text) => Some(text.as_str()),
                Step::Replace { .. } | Step::Remove { .. } => None,
            })
            .collect(),
        SectionOverride::Remove | SectionOverride::Preserve => Vec::new(),
    }
}

/// The default message is read after the contributors' parts, and lies underneath them.
fn overrides<'r>(told: &[(&'r str, Section, &'r Override)]) -> BTreeMap<Section, (&'r str, &'r Override)> {
    let mut all = BTreeMap::new();
    for (rule, section, chosen) in told {
        if *rule != "base" || !all.contains_key(section) {
            all.insert(*section, (*rule, *chosen));
        }
    }
    all
}

/// Follows a run.
#[derive(Default)]
struct Watch<'r> {
    contributor: Option<&'r Contributor>,
    lines: Vec<&'r Line>,
    blocks: Vec<&'r Line>,
    overrides: Vec<(&'r str, Section, &'r Override)>,
}

impl<'r> Recorder<'r> for Watch<'r> {
    type Text = String;

    fn record(&mut self, event: Event<'r>) {
        match event {
            Event::Chosen(choice) => self.contributor = Some(choice.contributor),
            Event::Override { rule, section, chosen } => self.overrides.push((rule, section, chosen)),
            Event::Rendered { kind: RuleKind::Line, rule, rendered: true } => self.lines.push(rule),
            Event::Rendered { kind: RuleKind::Block, rule, rendered: true } => self.blocks.push(rule),
            _ => {}
        }
    }
}

/// Whether a policy fails in a resolution that it is about.
pub(super) fn violates(space: &Space, side: &Side<'_>, policy: &Policy, resolution: &Resolution<'_>) -> bool {
    let truth = holds(space, side, &policy.condition, resolution);
    match policy.demand {
        Demand::Never => truth,
        Demand::Always => !truth,
    }
}

/// Whether a condition is true of a resolution.
pub(super) fn holds(space: &Space, side: &Side<'_>, condition: &PolicyCondition, resolution: &Resolution<'_>) -> bool {
    condition.tests.iter().all(|test| passes(space, side, test, resolution))
}

/// Whether one test is true of a resolution.
pub(super) fn passes(space: &Space, side: &Side<'_>, test: &Test, resolution: &Resolution<'_>) -> bool {
    let message = &resolution.message;
    match test {
        Test::Replaces(replaces) => (message.mode() == "replace") == *replaces,
        Test::Contributor(ids) => resolution.contributor.is_some_and(|rule| ids.contains(&rule.id)),
        Test::Section(sections, actions) => sections.iter().any(|section| {
            let value = message.sections().and_then(|all| all.get(*section));
            let named = |value: &SectionOverride| {
                actions.as_ref().is_none_or(|all| all.iter().any(|kind| kind.as_str() == value.action()))
            };
            value.is_some_and(named)
        }),
        Test::Line(ids) => resolution.has_lines() && resolution.lines.iter().any(|line| ids.contains(&line.id)),
        Test::Block(ids) => resolution.blocks.iter().any(|block| ids.contains(&block.id)),
        Test::TrailingEndsWith(id) => {
            let rendered = resolution.blocks.iter().any(|block| block.id == *id);
            let text = text_of(space, side, id, &resolution.context);
            rendered && message.content().is_some_and(|content| content.ends_with(&text))
        }
        Test::Text(pattern) => resolution.texts().into_iter().any(|text| pattern.is_match(text)),
        Test::All(conditions) => conditions.iter().all(|inner| holds(space, side, inner, resolution)),
        Test::Any(conditions) => conditions.iter().any(|inner| holds(space, side, inner, resolution)),
        Test::Not(inner) => !holds(space, side, inner, resolution),
    }
}

/// The text of a line or block in a context.
pub(super) fn text_of(space: &Space, side: &Side<'_>, id: &str, context: &Context) -> String {
    let catalog = &side.rules.catalog;
    let facts = Facts::new(catalog, context);
    let unit =
        side.blocks.iter().chain(&side.lines).find(|unit| *unit.id == *id).and_then(|unit| unit.words.as_ref().ok());
    let mut text = String::new();
    for piece in unit.into_iter().flat_map(|words| &words.pieces).filter(|piece| space.holds(piece.guard, context)) {
        match &piece.atom {
            Atom::Text(part) | Atom::Value(part) => text.push_str(part),
            Atom::Number(name) => {
                let value = catalog.setting_id(name).and_then(|setting| facts.setting(setting));
                text.push_str(&value.map(written).unwrap_or_default());
            }
            Atom::Parent | Atom::Lines | Atom::Mark(_) => {}
        }
    }
    text
}
