//! Questions about all contexts that checks of sections and texts ask: exact answers, with what cannot be decided as possible.

use super::exact::Exact;
use super::layers::{Layer, is_blank, is_certain};
use super::subject::Subject;
use crate::interpret::ModelId;
use crate::rules::{Contributor, Gate, Line};

/// Whether some context satisfies all of these gates, in a session that comes to the sections of the layer.
pub(super) fn can_hold_together<'a>(
    exact: &mut Exact<'a>,
    layer: Layer<'a>,
    gates: impl IntoIterator<Item = &'a Gate>,
) -> bool {
    let number = layer.contributor.and_then(|contributor| exact.takers.number(contributor));
    exact.can_hold_together(number, gates)
}

/// A line that is there in every context.
pub(super) fn certain_line<'a>(subject: &Subject<'a>) -> Option<&'a Line> {
    let pads = |line: &&Line| line.when.is_none() && is_certain(&line.text) && !is_blank(&line.text);
    subject.rules.lines.iter().find(pads)
}

/// Whether some id that the contributor takes would go to another one without it.
pub(super) fn shields(exact: &mut Exact<'_>, contributor: &Contributor) -> bool {
    exact.takers.number(contributor).is_some_and(|number| exact.shields(number))
}

/// Whether the contributor would take an id if it were alone.
pub(super) fn accepts(contributor: &Contributor, model: &ModelId<'_>) -> bool {
    contributor.matching.as_ref().is_some_and(|matching| {
        matching.predicate.as_ref().is_some_and(|predicate| model.is_accepted_by(predicate))
            || matching.families.iter().any(|family| model.raw().starts_with(&*family.prefix))
    })
}
