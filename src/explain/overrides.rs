//! What became of each override of the rules that took part.

use super::because::Reader;
use super::build::failure;
use super::{Fate, OverrideVerdict};
use crate::interpret::Event;
use crate::message::Section;
use crate::rules::{Contributor, Override, RuleSet, SectionRule};

/// The override that a section of the message has: that of the nearest rule. The default
/// message is recorded last and lies underneath.
pub(super) fn counting<'r>(section: Section, events: &[Event<'r>]) -> Option<(&'r str, &'r Override)> {
    let own = |event: &Event<'r>| match event {
        Event::Override { rule, section: about, chosen } if *about == section => Some((*rule, *chosen)),
        _ => None,
    };
    let applied: Vec<_> = events.iter().filter_map(own).collect();
    applied.iter().rev().find(|(rule, _)| *rule != "base").or(applied.last()).copied()
}

pub(super) fn verdicts<'r>(rules: &'r RuleSet, reader: &Reader<'_>, events: &[Event<'r>]) -> Vec<OverrideVerdict<'r>> {
    if events.iter().any(|event| matches!(event, Event::FullPrompt(_))) {
        return Vec::new();
    }
    let taking_part = events.iter().filter_map(|event| match event {
        Event::Parts { contributor, apply: true } => Some(*contributor),
        _ => None,
    });
    let parts = taking_part.map(|contributor: &'r Contributor| (&*contributor.id, &*contributor.sections));
    let parts: Vec<(&'r str, &'r [SectionRule])> = parts.chain([("base", &*rules.base.sections)]).collect();
    let each = parts.into_iter().flat_map(|(rule, sections)| sections.iter().map(move |section| (rule, section)));
    each.flat_map(|(rule, section)| of_section(rule, section, reader, events)).collect()
}

fn of_section<'r>(
    rule: &'r str,
    section: &'r SectionRule,
    reader: &Reader<'_>,
    events: &[Event<'r>],
) -> Vec<OverrideVerdict<'r>> {
    let applied = section.overrides.iter().position(|one| when_applied(one, events).is_some());
    let fate = |(at, one): (usize, &'r Override)| {
        let fate = match applied {
            Some(first) if at > first => Fate::NotReached,
            Some(first) if at == first => match counting(section.section, events) {
                Some((nearer, counts)) if !std::ptr::eq(counts, one) => Fate::Replaced(nearer),
                Some(_) | None => Fate::Counts,
            },
            Some(_) | None => Fate::NotApplied(why_not(one, reader, events)),
        };
        OverrideVerdict { rule, section: section.section, chosen: one, fate }
    };
    section.overrides.iter().enumerate().map(fate).collect()
}

fn when_applied(one: &Override, events: &[Event<'_>]) -> Option<usize> {
    events.iter().position(|event| matches!(event, Event::Override { chosen, .. } if std::ptr::eq(*chosen, one)))
}

/// The first failing condition among those written in the override: its gate, or its text's.
fn why_not(one: &Override, reader: &Reader<'_>, events: &[Event<'_>]) -> Option<super::Because> {
    let within = |event: &&Event<'_>| match event {
        Event::Gate { gate, .. } => one.span.contains(gate.span),
        Event::Unbound { template, .. } => one.span.contains(template.span),
        _ => false,
    };
    events.iter().filter(within).find_map(|event| failure(reader, event))
}
