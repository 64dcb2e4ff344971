//! Where a text gives something: a string does if its bindings have values, a list if one of its items does.

use super::Exact;
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::message::Section;
use crate::rules::{Binding, BindingSource, Item, Override, Part, Piece, SectionRule, Template, Text, TextBody};

/// Whose parents `{parent: true}` stands for: those of this contributor, in this section.
pub(in crate::lint) type Heir = Option<(usize, Section)>;

impl<'a> Exact<'a> {
    /// Where a text is there, an empty one included.
    pub(in crate::lint) fn gives_text(&mut self, text: &'a Text, heir: Heir) -> Answer<Function> {
        match &text.body {
            TextBody::One(template) => self.gives_string(template),
            TextBody::List(items) => items.iter().try_fold(Function::FALSE, |any, item| {
                if any == Function::TRUE {
                    return Ok(any);
                }
                let gives = self.gives_item(item, heir)?;
                self.space.or(any, gives)
            }),
        }
    }

    fn gives_item(&mut self, item: &'a Item, heir: Heir) -> Answer<Function> {
        let when = self.when(item.when.as_ref())?;
        let part = match &item.part {
            Part::Template(template) => self.gives_string(template)?,
            Part::Shared(shared, _) => self.gives_shared(&shared.text)?,
            Part::Parent => self.inherits(heir)?,
        };
        self.space.and(when, part)
    }

    fn gives_shared(&mut self, text: &'a Text) -> Answer<Function> {
        let place = std::ptr::from_ref(text);
        if let Some(known) = self.yields.get(&place) {
            return known.clone();
        }
        let answer = self.gives_text(text, None);
        self.yields.insert(place, answer.clone());
        answer
    }

    /// Where every binding that a string uses has a value.
    pub(in crate::lint) fn gives_string(&mut self, template: &'a Template) -> Answer<Function> {
        template.pieces.iter().try_fold(Function::TRUE, |all, piece| match piece {
            Piece::Literal(_) => Ok(all),
            Piece::Variable(binding) => {
                let bound = self.is_bound(binding)?;
                self.space.and(all, bound)
            }
        })
    }

    fn is_bound(&mut self, binding: &'a Binding) -> Answer<Function> {
        let catalog = &self.rules.catalog;
        match &binding.source {
            BindingSource::FirstClientTool(tools) => tools.iter().try_fold(Function::FALSE, |any, tool| {
                let tool = self.space.tool(catalog.tool_name(*tool))?;
                self.space.or(any, tool)
            }),
            BindingSource::Setting(setting) => self.space.setting_is_set(catalog.setting(*setting)),
        }
    }

    /// Where the parents give the section an override with content.
    fn inherits(&mut self, heir: Heir) -> Answer<Function> {
        let Some((number, section)) = heir else { return Ok(Function::FALSE) };
        let parent = self.contributor(number).and_then(|contributor| contributor.parent.as_deref());
        let Some((parent, number)) = parent.and_then(|parent| Some((parent, self.takers.number(parent)?))) else {
            return Ok(Function::FALSE);
        };
        let farther = self.inherits(Some((number, section)))?;
        let Some(rule) = parent.sections.iter().find(|rule| rule.section == section) else { return Ok(farther) };
        let (mut applied, mut content) = (Function::FALSE, Function::FALSE);
        for chosen in &rule.overrides {
            let applies = self.applies(chosen, Some((number, section)))?;
            if chosen.action.content().is_some() {
                let first = self.space.minus(applies, applied)?;
                content = self.space.or(content, first)?;
            }
            applied = self.space.or(applied, applies)?;
        }
        let when = self.when(parent.when.as_ref())?;
        let says = self.space.and(when, applied)?;
        self.space.choose(says, content, farther)
    }

    /// Where an override counts if none in front of it does: its gate holds and it gives a text, if it is to have one.
    pub(in crate::lint) fn applies(&mut self, chosen: &'a Override, heir: Heir) -> Answer<Function> {
        let when = self.when(chosen.when.as_ref())?;
        let Some(content) = chosen.action.content() else { return Ok(when) };
        let gives = self.gives_text(content, heir)?;
        self.space.and(when, gives)
    }

    /// Where one of the first overrides of a section applies.
    pub(in crate::lint) fn first_overrides_apply(
        &mut self,
        contributor: Option<usize>,
        rule: &'a SectionRule,
        how_many: usize,
    ) -> Answer<Function> {
        let heir = contributor.map(|number| (number, rule.section));
        rule.overrides.iter().take(how_many).try_fold(Function::FALSE, |any, chosen| {
            let applies = self.applies(chosen, heir)?;
            self.space.or(any, applies)
        })
    }
}
