//! The base layer within one class of models: where its parts differ, and which rules are to blame.

use std::sync::Arc;

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::message::Section;
use crate::rules::{ActionKind, Contributor, Gate, SectionRule, Text};
use crate::symbolic::{Guarded, Message, Reading, Side, Words, align, full_prompt, opaque, overrides};

use super::Part;
use super::classes::Pair;
use super::kind::{Change, Kind, of_override, of_words};

/// Where the parts of two messages differ.
pub(super) struct Slots {
    pub(super) parts: Vec<(Part, Function)>,
}

impl Slots {
    /// Compares two base layers. `lines` says which of "there are lines" and "there are none" can be.
    pub(super) fn new(space: &mut Space, old: &Message, new: &Message, lines: &[bool]) -> Answer<Self> {
        let mode = space.xor(old.replace, new.replace)?;
        let mut parts = vec![(Part::Mode, mode)];
        for section in Section::ALL.into_iter().filter(|section| *section != Section::ToolInstructions) {
            let part = Part::Section(section);
            parts.push((part, reading(space, part, old, new)?.suspect(space)?));
        }
        parts.push((Part::Content, reading(space, Part::Content, old, new)?.suspect(space)?));
        for (part, region) in &mut parts {
            if !matches!(part, Part::Mode) {
                *region = space.minus(*region, mode)?;
            }
        }
        for given in lines {
            let lines = opaque(*given);
            let (old, new) = (old.with_lines(space, &lines)?, new.with_lines(space, &lines)?);
            let part = Part::Section(Section::ToolInstructions);
            let region = reading(space, part, &old, &new)?.suspect(space)?;
            parts.push((part, space.minus(region, mode)?));
            // Where a section is there on one side only, its place is no news. Lines can make it be there on both.
            let region = reading(space, Part::Order, &old, &new)?.suspect(space)?;
            let presence = presence(space, &old, &new)?;
            parts.push((Part::Order, space.minus(region, presence)?));
        }
        parts.retain(|(_, region)| *region != Function::FALSE);
        Ok(Self { parts })
    }

    pub(super) fn region(&self, space: &mut Space, part: Part) -> Answer<Function> {
        space.any(self.parts.iter().filter(|(name, _)| *name == part).map(|(_, region)| *region))
    }

    pub(super) fn all(&self, space: &mut Space) -> Answer<Function> {
        space.any(self.parts.iter().map(|(_, region)| *region))
    }
}

/// Where a section is overridden on one side only.
fn presence(space: &mut Space, old: &Message, new: &Message) -> Answer<Function> {
    let mut differs = Function::FALSE;
    for section in Section::ALL {
        let (was, is) = (old.section(section).present(space)?, new.section(section).present(space)?);
        let here = space.xor(was, is)?;
        differs = space.or(differs, here)?;
    }
    Ok(differs)
}

/// Where one part of two messages differs.
pub(super) fn reading(space: &mut Space, part: Part, old: &Message, new: &Message) -> Answer<Reading> {
    match part {
        Part::Mode => Ok(Reading { differ: space.xor(old.replace, new.replace)?, open: Function::FALSE }),
        Part::Order => align(space, Function::TRUE, &old.order, &new.order),
        Part::Content => align(space, Function::TRUE, &old.content, &new.content),
        Part::Section(section) => {
            let (old, new) = (old.section(section), new.section(section));
            if old == new {
                return Ok(Reading::ALIKE);
            }
            let mut reading = align(space, Function::TRUE, &old.pieces, &new.pieces)?;
            for kind in ActionKind::ALL {
                let differs = space.xor(old.action(kind), new.action(kind))?;
                reading.differ = space.or(reading.differ, differs)?;
            }
            Ok(reading)
        }
        Part::ToolSearch => Ok(Reading::ALIKE),
    }
}

/// Where a section is newly replaced or removed; `safety` newly transformed, too.
pub(super) fn newly_lost(
    space: &mut Space,
    section: Section,
    old: &Message,
    new: &Message,
) -> Answer<Vec<(ActionKind, Function)>> {
    let (old, new) = (old.section(section), new.section(section));
    let mut kinds = vec![ActionKind::Replace, ActionKind::Remove];
    if section == Section::Safety {
        kinds.push(ActionKind::Transform);
    }
    let was = space.any(kinds.iter().map(|kind| old.action(*kind)))?;
    let mut lost = Vec::new();
    for kind in kinds {
        let region = space.minus(new.action(kind), was)?;
        if region != Function::FALSE {
            lost.push((kind, region));
        }
    }
    Ok(lost)
}

/// The parts of one rule, as one side has it.
#[derive(Clone, Copy)]
struct Rule<'a> {
    id: &'a str,
    when: Option<&'a Gate>,
    sections: &'a [SectionRule],
    content: Option<&'a Text>,
    contributor: Option<&'a Contributor>,
}

/// A change of one rule's part.
pub(super) struct Blame {
    /// The rule, by its new id where it has one.
    pub(super) rule: String,
    /// The part that it shows in.
    pub(super) part: Part,
    pub(super) change: Change,
    /// The rule takes part on one side only: another one is extended.
    pub(super) inherited: bool,
}

/// The changes of the rules of a pair, for one model, where they can show.
pub(super) fn blames(
    space: &mut Space,
    (old, new): (&Side<'_>, &Side<'_>),
    pair: &Pair<'_>,
    model: Option<&str>,
    slots: &Slots,
) -> Answer<Vec<Blame>> {
    let mut blames = Vec::new();
    for (before, after) in rules(old, new, pair) {
        let mut changes = Vec::new();
        for section in Section::ALL {
            let region = slots.region(space, Part::Section(section))?;
            if region == Function::FALSE {
                continue;
            }
            let was = section_of(space, old, before, section)?;
            let is = section_of(space, new, after, section)?;
            for change in of_override(space, &was, &is, model)? {
                changes.push((Part::Section(section), region, change));
            }
        }
        let content = slots.region(space, Part::Content)?;
        if content != Function::FALSE {
            let was = content_of(space, old, before)?;
            let is = content_of(space, new, after)?;
            for change in of_words(space, was.as_ref(), is.as_ref(), model)? {
                changes.push((Part::Content, content, change));
            }
        }
        let mode = slots.region(space, Part::Mode)?;
        let shown = space.or(mode, content)?;
        if shown != Function::FALSE {
            let was = prompt_of(space, old, before, pair.old)?;
            let is = prompt_of(space, new, after, pair.new)?;
            for change in of_words(space, was.as_ref(), is.as_ref(), model)? {
                let part = if mode == Function::FALSE { Part::Content } else { Part::Mode };
                changes.push((part, shown, change));
            }
        }
        let Some(rule) = after.or(before) else { continue };
        for (part, shown, change) in changes {
            let region = space.and(change.region, shown)?;
            if region != Function::FALSE {
                let inherited = before.is_none() || after.is_none();
                let change = Change { kind: change.kind, region };
                blames.push(Blame { rule: rule.id.to_owned(), part, change, inherited });
            }
        }
    }
    Ok(blames)
}

/// The rules that make the base layer of a pair, each with its counterpart: the default
/// message, the contributors themselves, and what they extend.
fn rules<'a>(old: &'a Side<'_>, new: &'a Side<'_>, pair: &Pair<'a>) -> Vec<(Option<Rule<'a>>, Option<Rule<'a>>)> {
    let mut all = vec![(Some(base(old)), Some(base(new)))];
    let (before, after) = (chain(pair.old), chain(pair.new));
    if let (Some(own), Some(other)) = (before.first(), after.first()) {
        all.push((Some(*own), Some(*other)));
    }
    let (before, mut after) = (before.get(1..).unwrap_or_default(), after.get(1..).unwrap_or_default().to_vec());
    for rule in before {
        let place = after.iter().position(|other| other.id == rule.id);
        all.push((Some(*rule), place.map(|place| after.remove(place))));
    }
    all.extend(after.into_iter().map(|rule| (None, Some(rule))));
    all
}

fn base<'a>(side: &'a Side<'_>) -> Rule<'a> {
    let base = &side.rules.base;
    Rule { id: "base", when: None, sections: &base.sections, content: base.content.as_ref(), contributor: None }
}

/// A contributor and what it extends, the nearest first.
fn chain<'a>(contributor: Option<&'a Arc<Contributor>>) -> Vec<Rule<'a>> {
    let chain = std::iter::successors(contributor.map(AsRef::as_ref), |rule: &&Contributor| rule.parent.as_deref());
    let rule = |rule: &'a Contributor| Rule {
        id: &rule.id,
        when: rule.when.as_ref(),
        sections: &rule.sections,
        content: rule.content.as_ref(),
        contributor: Some(rule),
    };
    chain.map(rule).collect()
}

fn section_of(space: &mut Space, side: &Side<'_>, rule: Option<Rule<'_>>, section: Section) -> Answer<Guarded> {
    let said = rule.and_then(|rule| Some((rule, rule.sections.iter().find(|said| said.section == section)?)));
    let Some((rule, said)) = said else { return Ok(Guarded::default()) };
    let mut scribe = side.scribe(space);
    let when = scribe.when(rule.when)?;
    overrides(&mut scribe, &said.overrides, when, None)
}

fn content_of(space: &mut Space, side: &Side<'_>, rule: Option<Rule<'_>>) -> Answer<Option<Words>> {
    let Some((rule, content)) = rule.and_then(|rule| Some((rule, rule.content?))) else { return Ok(None) };
    let mut scribe = side.scribe(space);
    let when = scribe.when(rule.when)?;
    scribe.text(content, None)?.within(scribe.space, when).map(Some)
}

/// The full prompt, of the chosen contributor only.
fn prompt_of(
    space: &mut Space,
    side: &Side<'_>,
    rule: Option<Rule<'_>>,
    chosen: Option<&Arc<Contributor>>,
) -> Answer<Option<Words>> {
    let rule = rule.and_then(|rule| rule.contributor).filter(|rule| chosen.is_some_and(|own| own.id == rule.id));
    let Some(rule) = rule.filter(|rule| rule.full_prompt.is_some()) else { return Ok(None) };
    full_prompt(&mut side.scribe(space), rule).map(Some)
}

/// The rule of a pair that names its sections in another order than before; the contributor itself if none does.
pub(super) fn reordered(old: &Side<'_>, new: &Side<'_>, pair: &Pair<'_>) -> String {
    let names = |rule: Rule<'_>| rule.sections.iter().map(|said| said.section).collect::<Vec<Section>>();
    let both = rules(old, new, pair).into_iter().filter_map(|(before, after)| Some((before?, after?)));
    let changed = both.filter(|(before, after)| names(*before) != names(*after)).map(|(_, after)| after.id.to_owned());
    let own = pair.new.map_or("base", |rule| &rule.id);
    changed.into_iter().next().unwrap_or_else(|| own.to_owned())
}

/// What a contributor or the default message is called.
pub(super) fn named(rule: &str) -> String {
    if rule == "base" { "the default message".to_owned() } else { format!("`{rule}`") }
}

/// What a kind of change says of a contributor or the default message.
pub(super) fn phrase(rule: &str, kind: Kind) -> String {
    let rule = named(rule);
    match kind {
        Kind::Gone => format!("{rule} has a part less"),
        Kind::New => format!("{rule} has a new part"),
        Kind::Looser => format!("{rule} applies in more contexts"),
        Kind::Tighter => format!("{rule} applies in fewer contexts"),
        Kind::Elsewhere => format!("{rule} applies under other conditions"),
        Kind::Text => format!("{rule} says something else"),
        Kind::Bytes => format!("{rule} has other white space"),
    }
}
