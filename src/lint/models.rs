//! What the catalog's models show of contributors: which of them each one takes, and by what.

use super::exact::groups;
use super::subject::Subject;
use crate::interpret::{Choice, ModelId, choose};
use crate::rules::Contributor;
use crate::source::Span;

/// A known model with the contributor that takes it.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) model: &'a str,
    pub(super) span: Span,
    pub(super) choice: Option<Choice<'a>>,
}

/// Every known model.
pub(super) fn taken<'a>(subject: &Subject<'a>) -> Vec<Taken<'a>> {
    let models = subject.models();
    models.map(|(model, span)| Taken { model, span, choice: choose(subject.rules, &ModelId::new(model)) }).collect()
}

/// Whether the choice is this contributor.
pub(super) fn is(choice: Option<Choice<'_>>, contributor: &Contributor) -> bool {
    choice.is_some_and(|choice| std::ptr::eq(&**choice.contributor, contributor))
}

/// The places that decide which ids a contributor takes: its `match`, and the groups that it uses.
pub(super) fn places(contributor: &Contributor) -> Vec<Span> {
    let mut places = vec![contributor.span];
    if let Some(matching) = &contributor.matching {
        places.push(matching.span);
        if let Some(predicate) = &matching.predicate {
            groups(&predicate.pattern, &mut places);
        }
    }
    places
}
