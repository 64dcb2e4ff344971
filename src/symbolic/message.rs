//! The base layer as a function of contexts: the default message, one contributor's parts over
//! it, or a full prompt.

use super::scribe::Scribe;
use super::words::{Mark, Piece, Words, at_model, step_pieces, within};
use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::message::Section;
use crate::rules::{Action, ActionKind, Base, Contributor, Override, SectionRule, Text};

/// What happens to one section, as a function of contexts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Guarded {
    /// Where each action is taken: at most one anywhere. An action that is not listed never is.
    actions: Vec<(ActionKind, Function)>,
    /// The content, or the steps.
    pub(crate) pieces: Vec<Piece>,
}

impl Guarded {
    /// Where an action is taken.
    pub(crate) fn action(&self, kind: ActionKind) -> Function {
        self.actions.iter().find(|(known, _)| *known == kind).map_or(Function::FALSE, |(_, function)| *function)
    }

    /// Where the section is overridden.
    pub(crate) fn present(&self, space: &mut Space) -> Answer<Function> {
        space.any(self.actions.iter().map(|(_, function)| *function))
    }

    pub(crate) fn set(&mut self, kind: ActionKind, function: Function) {
        self.actions.retain(|(known, _)| *known != kind);
        if function != Function::FALSE {
            self.actions.push((kind, function));
            self.actions.sort_by_key(|(kind, _)| *kind);
        }
    }

    /// The same, where a condition holds as well.
    pub(crate) fn within(&self, space: &mut Space, condition: Function) -> Answer<Self> {
        let mut kept = Self { actions: Vec::new(), pieces: within(space, &self.pieces, condition)? };
        for (kind, function) in &self.actions {
            kept.set(*kind, space.and(*function, condition)?);
        }
        Ok(kept)
    }

    /// This override where there is one, the other elsewhere.
    fn or_else(mut self, space: &mut Space, other: &Self) -> Answer<Self> {
        let present = self.present(space)?;
        let absent = space.not(present)?;
        let other = other.within(space, absent)?;
        for (kind, function) in other.actions {
            let both = space.or(self.action(kind), function)?;
            self.set(kind, both);
        }
        self.pieces.extend(other.pieces);
        Ok(self)
    }

    /// The content, where the action has one.
    pub(crate) fn content(&self, space: &mut Space) -> Answer<Words> {
        let with_content = self.actions.iter().filter(|(kind, _)| kind.has_content());
        let given = space.any(with_content.map(|(_, function)| *function))?;
        let text = self.pieces.iter().filter(|piece| piece.atom.is_text()).cloned().collect::<Vec<_>>();
        Words { given: Function::TRUE, pieces: text }.within(space, given)
    }

    pub(crate) fn at_model(&self, space: &mut Space, model: Option<&str>) -> Answer<Self> {
        let mut fixed = Self { actions: Vec::new(), pieces: at_model(space, &self.pieces, model)? };
        for (kind, function) in &self.actions {
            fixed.set(*kind, space.at_model(*function, model)?);
        }
        Ok(fixed)
    }

    /// Every condition in it.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function> {
        let actions = self.actions.iter().map(|(_, function)| *function);
        actions.chain(self.pieces.iter().map(|piece| piece.guard))
    }

    /// The actions that are taken somewhere.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = ActionKind> {
        self.actions.iter().map(|(kind, _)| *kind)
    }
}

/// The message before lines and blocks, as a function of contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// Where a full prompt takes everything's place.
    pub(crate) replace: Function,
    /// By section: those that are overridden somewhere, in the contract's order. Never where there is a full prompt.
    pub(crate) sections: Vec<(Section, Guarded)>,
    /// The places of the overridden sections.
    pub(crate) order: Vec<Piece>,
    /// What follows the sections, or the full prompt.
    pub(crate) content: Vec<Piece>,
}

impl Message {
    /// The base layer of a contributor, or that of the default message.
    pub(crate) fn new(scribe: &mut Scribe<'_>, base: &Base, contributor: Option<&Contributor>) -> Answer<Self> {
        let mut parts = Parts::default();
        parts.add(scribe, &base.sections, base.content.as_ref(), Function::TRUE)?;
        let Some(contributor) = contributor else { return Ok(parts.message(Function::FALSE, Vec::new())) };
        let mut own = Parts::default();
        own.add_chain(scribe, contributor)?;
        let parts = parts.under(scribe.space, own)?;
        let prompt = full_prompt(scribe, contributor)?;
        let customize = scribe.space.not(prompt.given)?;
        Ok(parts.within(scribe.space, customize)?.message(prompt.given, prompt.pieces))
    }

    /// What happens to a section.
    pub(crate) fn section(&self, section: Section) -> Guarded {
        self.sections.iter().find(|(name, _)| *name == section).map(|(_, guarded)| guarded.clone()).unwrap_or_default()
    }

    pub(crate) fn set_section(&mut self, section: Section, guarded: Guarded) {
        match self.sections.iter_mut().find(|(name, _)| *name == section) {
            Some((_, place)) => *place = guarded,
            None => self.sections.push((section, guarded)),
        }
        self.sections.sort_by_key(|(section, _)| *section);
    }

    pub(crate) fn at_model(&self, space: &mut Space, model: Option<&str>) -> Answer<Self> {
        let mut sections = Vec::with_capacity(self.sections.len());
        for (section, guarded) in &self.sections {
            sections.push((*section, guarded.at_model(space, model)?));
        }
        Ok(Self {
            replace: space.at_model(self.replace, model)?,
            sections,
            order: at_model(space, &self.order, model)?,
            content: at_model(space, &self.content, model)?,
        })
    }

    /// Every condition in it.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function> {
        let sections = self.sections.iter().flat_map(|(_, guarded)| guarded.functions());
        let pieces = self.order.iter().chain(&self.content).map(|piece| piece.guard);
        std::iter::once(self.replace).chain(sections).chain(pieces)
    }
}

/// The prompt of a contributor that takes everything's place.
pub(crate) fn full_prompt(scribe: &mut Scribe<'_>, contributor: &Contributor) -> Answer<Words> {
    let Some(prompt) = &contributor.full_prompt else { return Ok(Words::NONE) };
    let (own, when) = (scribe.when(contributor.when.as_ref())?, scribe.when(prompt.when.as_ref())?);
    let applies = scribe.space.and(own, when)?;
    scribe.text(&prompt.text, None)?.within(scribe.space, applies)
}

/// What a list of overrides does, where a condition holds.
pub(crate) fn overrides(
    scribe: &mut Scribe<'_>,
    overrides: &[Override],
    when: Function,
    parent: Option<&Words>,
) -> Answer<Guarded> {
    let mut all = Guarded::default();
    let mut left = when;
    for chosen in overrides {
        let holds = scribe.when(chosen.when.as_ref())?;
        let mut applies = scribe.space.and(left, holds)?;
        if let Some(text) = chosen.action.content() {
            let words = scribe.text(text, parent)?;
            applies = scribe.space.and(applies, words.given)?;
            all.pieces.extend(within(scribe.space, &words.pieces, applies)?);
        }
        if let Action::Transform(steps) = &chosen.action
            && applies != Function::FALSE
        {
            all.pieces.extend(steps.iter().flat_map(|step| step_pieces(applies, &step.step)));
        }
        let kind = chosen.action.kind();
        let taken = scribe.space.or(all.action(kind), applies)?;
        all.set(kind, taken);
        left = scribe.space.minus(left, applies)?;
    }
    Ok(all)
}

/// Sections in order, and content.
#[derive(Default)]
struct Parts {
    order: Vec<(Function, Section)>,
    sections: Vec<(Section, Guarded)>,
    content: Option<Words>,
}

impl Parts {
    fn section(&self, section: Section) -> Guarded {
        self.sections.iter().find(|(name, _)| *name == section).map(|(_, guarded)| guarded.clone()).unwrap_or_default()
    }

    fn set(&mut self, section: Section, guarded: Guarded) {
        self.sections.retain(|(name, _)| *name != section);
        self.sections.push((section, guarded));
    }

    fn add_chain(&mut self, scribe: &mut Scribe<'_>, contributor: &Contributor) -> Answer<()> {
        if let Some(parent) = contributor.parent.as_deref() {
            self.add_chain(scribe, parent)?;
        }
        let when = scribe.when(contributor.when.as_ref())?;
        self.add(scribe, &contributor.sections, contributor.content.as_ref(), when)
    }

    /// Lays one rule's parts over what is there.
    fn add(
        &mut self,
        scribe: &mut Scribe<'_>,
        sections: &[SectionRule],
        content: Option<&Text>,
        when: Function,
    ) -> Answer<()> {
        for rule in sections {
            let before = self.section(rule.section);
            let parent = before.content(scribe.space)?;
            let own = overrides(scribe, &rule.overrides, when, Some(&parent))?;
            self.place(scribe.space, rule.section, &before, own)?;
        }
        if let Some(content) = content {
            let words = scribe.text(content, None)?.within(scribe.space, when)?;
            let before = self.content.take().unwrap_or(Words::NONE);
            self.content = Some(words.or_else(scribe.space, &before)?);
        }
        Ok(())
    }

    fn place(&mut self, space: &mut Space, section: Section, before: &Guarded, own: Guarded) -> Answer<()> {
        let (there, named) = (before.present(space)?, own.present(space)?);
        let placed = space.minus(named, there)?;
        if placed != Function::FALSE {
            self.order.push((placed, section));
        }
        let both = own.or_else(space, before)?;
        self.set(section, both);
        Ok(())
    }

    /// Lays nearer parts over these.
    fn under(mut self, space: &mut Space, nearer: Self) -> Answer<Self> {
        let mut places = Vec::new();
        for (placed, section) in &nearer.order {
            let there = self.section(*section).present(space)?;
            let new = space.minus(*placed, there)?;
            if new != Function::FALSE {
                places.push((new, *section));
            }
        }
        self.order.extend(places);
        for (section, guarded) in nearer.sections {
            let before = self.section(section);
            let both = guarded.or_else(space, &before)?;
            self.set(section, both);
        }
        let before = self.content.take().unwrap_or(Words::NONE);
        self.content = Some(nearer.content.unwrap_or(Words::NONE).or_else(space, &before)?);
        Ok(self)
    }

    fn within(mut self, space: &mut Space, condition: Function) -> Answer<Self> {
        for (_, guarded) in &mut self.sections {
            *guarded = guarded.within(space, condition)?;
        }
        for (placed, _) in &mut self.order {
            *placed = space.and(*placed, condition)?;
        }
        self.content = match self.content {
            Some(content) => Some(content.within(space, condition)?),
            None => None,
        };
        Ok(self)
    }

    fn message(mut self, replace: Function, prompt: Vec<Piece>) -> Message {
        self.sections.sort_by_key(|(section, _)| *section);
        let placed = self.order.into_iter().filter(|(placed, _)| *placed != Function::FALSE);
        let order = placed.map(|(placed, section)| Piece::mark(placed, Mark::Section(section))).collect();
        let mut content = prompt;
        content.extend(self.content.into_iter().flat_map(|content| content.pieces));
        Message { replace, sections: self.sections, order, content }
    }
}
