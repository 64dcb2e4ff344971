//! The base and the contributors in one shape, and how contributors lie over each other.

use std::sync::Arc;

use crate::message::Section;
use crate::rules::{
    Action, Base, Binding, Contributor, FullPrompt, Gate, Item, Override, Part, Piece, SectionRule, Template, Text,
    TextBody,
};

/// The base or a contributor.
#[derive(Clone, Copy)]
pub(super) struct Layer<'a> {
    /// The contributor; nothing for the base.
    pub(super) contributor: Option<&'a Contributor>,
    pub(super) when: Option<&'a Gate>,
    pub(super) bindings: &'a [Arc<Binding>],
    pub(super) sections: &'a [SectionRule],
    pub(super) content: Option<&'a Text>,
    pub(super) full_prompt: Option<&'a FullPrompt>,
}

impl<'a> Layer<'a> {
    pub(super) fn base(base: &'a Base) -> Self {
        Self {
            contributor: None,
            when: None,
            bindings: &base.bindings,
            sections: &base.sections,
            content: base.content.as_ref(),
            full_prompt: None,
        }
    }

    pub(super) fn contributor(contributor: &'a Contributor) -> Self {
        Self {
            contributor: Some(contributor),
            when: contributor.when.as_ref(),
            bindings: &contributor.bindings,
            sections: &contributor.sections,
            content: contributor.content.as_ref(),
            full_prompt: contributor.full_prompt.as_ref(),
        }
    }

    /// The id; the base has none.
    pub(super) fn id(&self) -> Option<String> {
        self.contributor.map(|contributor| contributor.id.as_ref().to_owned())
    }

    pub(super) fn section(&self, section: Section) -> Option<&'a SectionRule> {
        self.sections.iter().find(|rule| rule.section == section)
    }

    /// All overrides with their sections.
    pub(super) fn overrides(&self) -> impl Iterator<Item = (&'a SectionRule, &'a Override)> {
        self.sections.iter().flat_map(|rule| rule.overrides.iter().map(move |chosen| (rule, chosen)))
    }

    /// The parents, the nearest first.
    pub(super) fn parents(&self) -> impl Iterator<Item = Layer<'a>> {
        let first = self.contributor.and_then(|contributor| contributor.parent.as_deref());
        std::iter::successors(first, |contributor| contributor.parent.as_deref()).map(Layer::contributor)
    }

    /// What `{parent: true}` can stand for in an override of a section.
    pub(super) fn inherited(&self, section: Section) -> Inherited<'a> {
        let mut inherited = Inherited { overrides: Vec::new(), certain: false };
        for parent in self.parents() {
            for chosen in parent.section(section).map_or(&[][..], |rule| &rule.overrides) {
                inherited.overrides.push(chosen);
                if parent.when.is_none() && is_certain_override(chosen) {
                    inherited.certain = chosen.action.content().is_some();
                    return inherited;
                }
            }
        }
        inherited
    }

    /// Every text of the layer: sections, content, full prompt.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a Text> {
        let overrides = self.overrides().filter_map(|(_, chosen)| chosen.action.content());
        overrides.chain(self.content).chain(self.full_prompt.map(|prompt| &prompt.text))
    }
}

/// What the parents can say about a section.
pub(super) struct Inherited<'a> {
    /// The nearest first, up to one that always applies.
    pub(super) overrides: Vec<&'a Override>,
    /// Whether one of them always gives a text.
    pub(super) certain: bool,
}

/// Whether the override applies wherever its rule does.
pub(super) fn is_certain_override(chosen: &Override) -> bool {
    chosen.when.is_none() && chosen.action.content().is_none_or(is_certain)
}

/// Whether the text is there in every context.
pub(super) fn is_certain(text: &Text) -> bool {
    match &text.body {
        TextBody::One(template) => is_constant(template),
        TextBody::List(items) => items.iter().any(|item| is_certain_item(item, false)),
    }
}

/// Whether the item is there in every context; `parent` says whether what it repeats is.
pub(super) fn is_certain_item(item: &Item, parent: bool) -> bool {
    item.when.is_none()
        && match &item.part {
            Part::Template(template) => is_constant(template),
            Part::Shared(shared, _) => is_certain(&shared.text),
            Part::Parent => parent,
        }
}

fn is_constant(template: &Template) -> bool {
    template.pieces.iter().all(|piece| matches!(piece, Piece::Literal(_)))
}

/// Whether the text says nothing in every context.
pub(super) fn is_blank(text: &Text) -> bool {
    match &text.body {
        TextBody::One(template) => is_blank_string(template),
        TextBody::List(items) => items.iter().all(|item| match &item.part {
            Part::Template(template) => is_blank_string(template),
            Part::Shared(shared, _) => is_blank(&shared.text),
            Part::Parent => false,
        }),
    }
}

fn is_blank_string(template: &Template) -> bool {
    template.pieces.iter().all(|piece| matches!(piece, Piece::Literal(text) if text.trim().is_empty()))
}

/// The strings of a text that are its rule's own, shared ones left out.
pub(super) fn own_strings(text: &Text) -> Vec<&Template> {
    match &text.body {
        TextBody::One(template) => vec![template],
        TextBody::List(items) => items
            .iter()
            .filter_map(|item| match &item.part {
                Part::Template(template) => Some(template),
                Part::Shared(..) | Part::Parent => None,
            })
            .collect(),
    }
}

/// Whether the override takes the place of the section's text.
pub(super) fn replaces(chosen: &Override) -> bool {
    matches!(&chosen.action, Action::Replace(text) if !is_blank(text))
}
