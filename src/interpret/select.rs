//! Which contributor a model gets: predicates in rule order, and only then families.

use std::sync::Arc;

use super::facts::ModelId;
use crate::rules::{Contributor, Family, RuleSet};

/// The one contributor that was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'r> {
    /// The contributor.
    pub contributor: &'r Arc<Contributor>,
    /// What of it took the id.
    pub by: ChosenBy<'r>,
}

/// What took the id.
#[derive(Clone, Copy, Debug)]
pub enum ChosenBy<'r> {
    /// The predicate `match.model`.
    Predicate,
    /// One prefix of `match.families`.
    Family(&'r Family),
}

/// Chooses the contributor of a model id; nothing when none takes it.
///
/// The index only narrows the candidates; the order of the rules decides among them.
#[must_use]
pub fn choose<'r>(rules: &'r RuleSet, model: &ModelId<'_>) -> Option<Choice<'r>> {
    by_predicate(rules, model).or_else(|| by_family(rules, model))
}

fn by_predicate<'r>(rules: &'r RuleSet, model: &ModelId<'_>) -> Option<Choice<'r>> {
    let candidates = rules.index.predicate_candidates(|form| model.form(form));
    candidates.into_iter().find_map(|number| {
        let contributor = rules.contributors.get(number)?;
        let predicate = contributor.matching.as_ref()?.predicate.as_ref()?;
        model.is_accepted_by(predicate).then_some(Choice { contributor, by: ChosenBy::Predicate })
    })
}

fn by_family<'r>(rules: &'r RuleSet, model: &ModelId<'_>) -> Option<Choice<'r>> {
    let (number, place) = rules.index.first_family(model.raw())?;
    let contributor = rules.contributors.get(number)?;
    let family = contributor.matching.as_ref()?.families.get(place)?;
    Some(Choice { contributor, by: ChosenBy::Family(family) })
}
