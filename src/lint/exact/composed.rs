//! Which override of a section a message gets: the nearest layer that says something counts, and in it the first
//! override that applies.

use super::Exact;
use super::reach::{Part, Who};
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::context::Context;
use crate::rules::{Gate, SectionRule};

/// What one layer says about a section.
#[derive(Clone, Copy)]
pub(in crate::lint) struct Says<'a> {
    /// The number of the contributor; nothing for the base.
    pub(in crate::lint) contributor: Option<usize>,
    /// What guards the layer as a whole.
    pub(in crate::lint) when: Option<&'a Gate>,
    pub(in crate::lint) rule: &'a SectionRule,
}

impl<'a> Exact<'a> {
    /// Where this override of a layer is the one that counts; `nearer` are the layers that lie over it.
    pub(in crate::lint) fn counts(
        &mut self,
        nearer: impl IntoIterator<Item = Says<'a>>,
        layer: Says<'a>,
        at: usize,
    ) -> Answer<Function> {
        let Some(chosen) = layer.rule.overrides.get(at) else { return Ok(Function::FALSE) };
        let heir = layer.contributor.map(|number| (number, layer.rule.section));
        let when = self.when(layer.when)?;
        let applies = self.applies(chosen, heir)?;
        let earlier = self.first_overrides_apply(layer.contributor, layer.rule, at)?;
        let here = self.space.and(when, applies)?;
        let mut counts = self.space.minus(here, earlier)?;
        for over in nearer {
            let says = self.says_something(over)?;
            counts = self.space.minus(counts, says)?;
        }
        Ok(counts)
    }

    fn says_something(&mut self, layer: Says<'a>) -> Answer<Function> {
        let when = self.when(layer.when)?;
        let any = self.first_overrides_apply(layer.contributor, layer.rule, layer.rule.overrides.len())?;
        self.space.and(when, any)
    }

    /// A session of the contributor's own models, or of none that a contributor takes, in which all of this holds.
    pub(in crate::lint) fn session(&mut self, contributor: Option<usize>, wanted: Function) -> Answer<Option<Context>> {
        match contributor {
            Some(number) => {
                let who = self.who(number, Part::Message);
                self.witness(&who, wanted)
            }
            None => self.default_session(wanted),
        }
    }

    /// The ids that nobody takes are approached from above, as those of a contributor are.
    fn default_session(&mut self, mut wanted: Function) -> Answer<Option<Context>> {
        loop {
            let Some(context) = self.witness(&Who::Anyone, wanted)? else { return Ok(None) };
            let id = context.model.as_deref();
            let Some(taker) = id.and_then(|id| self.takers.taken_by(id)) else { return Ok(Some(context)) };
            let taken = self.space.model(self.takers.accepts(taker))?;
            wanted = self.space.minus(wanted, taken)?;
        }
    }
}
