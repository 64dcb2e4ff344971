//! From the events of a run to the verdict on every rule.

use std::sync::Arc;

use super::because::{Because, Reader};
use super::{Explanation, RuleVerdict, SectionSource, Traced, Verdict, chosen, matching, near, overrides};
use crate::interpret::{Choice, ChosenBy, DefaultReason, Event, RuleKind};
use crate::message::{Section, SectionOverride, SystemMessageConfig};
use crate::rules::{Contributor, RuleSet};

pub(super) fn explanation<'r>(
    rules: &'r RuleSet,
    reader: &Reader<'_>,
    message: SystemMessageConfig<Traced<'r>>,
    events: &[Event<'r>],
) -> Explanation<'r> {
    let choice = chosen(events);
    let overrides = overrides::verdicts(rules, reader, events);
    Explanation {
        sections: sections(&message, events),
        model: reader.facts.model.as_ref().map(|model| model.raw().to_owned()),
        choice,
        reason: events.iter().find_map(default_reason),
        rules: contributors(rules, reader, choice, events).chain(rendered(reader, events)).collect(),
        overrides,
        hints: near::hints(rules, reader, choice),
        message,
    }
}

fn default_reason(event: &Event<'_>) -> Option<DefaultReason> {
    if let Event::Default(reason) = event { Some(*reason) } else { None }
}

/// Why an event left something out, if it did.
pub(super) fn failure(reader: &Reader<'_>, event: &Event<'_>) -> Option<Because> {
    if let Event::Gate { gate, holds: false } = event {
        return reader.failing(gate);
    }
    if let Event::Unbound { binding, template } = event {
        return Some(reader.unbound(binding, template));
    }
    None
}

fn contributors<'r>(
    rules: &'r RuleSet,
    reader: &Reader<'_>,
    choice: Option<Choice<'r>>,
    events: &[Event<'r>],
) -> impl Iterator<Item = RuleVerdict<'r>> {
    let number = choice.and_then(|choice| number_of(rules, choice.contributor));
    rules.contributors.iter().enumerate().map(move |(at, contributor)| {
        let verdict = took_part(reader, contributor, events).unwrap_or_else(|| {
            let Some(model) = &reader.facts.model else { return Verdict::NotReached };
            let tried = was_tried(contributor, at, choice.map(|choice| choice.by).zip(number));
            if tried { Verdict::NotApplied(matching::refusal(contributor, model)) } else { Verdict::NotReached }
        });
        RuleVerdict { id: &contributor.id, span: contributor.span, kind: RuleKind::Contributor, verdict }
    })
}

fn number_of(rules: &RuleSet, contributor: &Arc<Contributor>) -> Option<usize> {
    rules.contributors.iter().position(|other| Arc::ptr_eq(other, contributor))
}

/// Whether a contributor that was not chosen was asked about the id: predicates in rule order up
/// to the one that accepts; families only if none does.
fn was_tried(contributor: &Contributor, at: usize, chosen: Option<(ChosenBy<'_>, usize)>) -> bool {
    let Some(matching) = &contributor.matching else { return false };
    match chosen {
        None => true,
        Some((ChosenBy::Predicate, number)) => matching.predicate.is_some() && at < number,
        Some((ChosenBy::Family(_), number)) => matching.predicate.is_some() || at < number,
    }
}

/// The verdict on a contributor that was chosen or lies underneath the chosen one.
fn took_part<'r>(reader: &Reader<'_>, contributor: &'r Contributor, events: &[Event<'r>]) -> Option<Verdict> {
    let is_it = |other: &Contributor| std::ptr::eq(other, contributor);
    if events.iter().any(|event| matches!(event, Event::FullPrompt(other) if is_it(other))) {
        return Some(Verdict::Applied);
    }
    let parts = |event: &Event<'r>| match event {
        Event::Parts { contributor: other, apply } if is_it(other) => Some(*apply),
        _ => None,
    };
    let (at, applies) = events.iter().enumerate().find_map(|(at, event)| Some((at, parts(event)?)))?;
    if !applies {
        return Some(Verdict::NotApplied(contributor.when.as_ref().and_then(|gate| reader.failing(gate))));
    }
    let own = || events.iter().skip(at + 1).take_while(|event| !is_boundary(event));
    if own().any(|event| matches!(event, Event::Override { .. } | Event::Content { .. })) {
        return Some(Verdict::Applied);
    }
    Some(Verdict::NotApplied(own().find_map(|event| failure(reader, event))))
}

/// Where the parts of one contributor end: the next one's, or the default message.
fn is_boundary(event: &Event<'_>) -> bool {
    match event {
        Event::Parts { .. } | Event::Default(_) | Event::Asked(_) | Event::Rendered { .. } => true,
        Event::Override { rule, .. } | Event::Content { rule } => *rule == "base",
        Event::Chosen(_) | Event::Gate { .. } | Event::Unbound { .. } | Event::FullPrompt(_) => false,
    }
}

/// The verdicts on lines and blocks, in rule order: each is recorded after what was asked for it.
fn rendered<'r>(reader: &Reader<'_>, events: &[Event<'r>]) -> Vec<RuleVerdict<'r>> {
    let mut verdicts = Vec::new();
    let mut why: Option<Because> = None;
    for event in events {
        if let Event::Rendered { kind, rule, rendered } = event {
            let because = why.take().filter(|_| !rendered);
            let verdict = if *rendered { Verdict::Applied } else { Verdict::NotApplied(because) };
            verdicts.push(RuleVerdict { id: &rule.id, span: rule.span, kind: *kind, verdict });
        } else if matches!(event, Event::Asked(_)) {
            why = None;
        } else if why.is_none() {
            why = failure(reader, event);
        }
    }
    verdicts
}

fn sections<'r>(message: &SystemMessageConfig<Traced<'r>>, events: &[Event<'r>]) -> Vec<SectionSource<'r>> {
    let lines = events
        .iter()
        .filter(|event| matches!(event, Event::Rendered { kind: RuleKind::Line, rendered: true, .. }))
        .count();
    let source = |(section, value): (Section, &SectionOverride<Traced<'r>>)| SectionSource {
        section,
        rule: overrides::counting(section, events),
        lines: if section == Section::ToolInstructions && !matches!(value, SectionOverride::Remove) {
            lines
        } else {
            0
        },
    };
    message.sections().map(|sections| sections.iter().map(source).collect()).unwrap_or_default()
}
