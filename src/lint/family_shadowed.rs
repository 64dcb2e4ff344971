#![doc = include_str!("pages/family-shadowed.md")]

use super::exact::{Exact, Fate};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::selection::By;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Contributor, Family};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    for (number, contributor) in subject.rules.contributors.iter().enumerate() {
        // Where nothing of it is ever reached, the contributor has been told so.
        if exact.takers.of(number).len() < 2 || matches!(exact.sample(number), Ok(None)) {
            continue;
        }
        for trial in exact.takers.of(number).to_vec() {
            findings.extend(shadowed(exact, contributor, trial));
        }
    }
}

fn shadowed(exact: &mut Exact<'_>, contributor: &Contributor, trial: usize) -> Option<Diagnostic> {
    let By::Family(place) = exact.takers.trials().get(trial)?.by else { return None };
    let family = contributor.matching.as_ref()?.families.get(place)?;
    let fate = exact.takers.fate(exact.space.languages(), trial);
    let asked = || format!("whether any model is taken by the prefix `{}`", family.prefix);
    match exact.decided(fate, family.span, Some(&contributor.id), asked)? {
        Fate::Takes | Fate::AcceptsNothing => None,
        Fate::Shadowed(id, front) => Some(diagnostic(exact, contributor, family, &id, &front)),
    }
}

fn diagnostic(exact: &Exact<'_>, contributor: &Contributor, family: &Family, id: &str, front: &[usize]) -> Diagnostic {
    let message = format!("no model gets as far as the prefix `{}`", family.prefix);
    let diagnostic = Diagnostic::new(Code::FamilyShadowed, family.span, message)
        .rule(&*contributor.id)
        .witness(Context { model: Some(id.to_owned()), ..Context::default() });
    let amount = if front.len() == 1 { "all" } else { "some" };
    front.iter().fold(diagnostic, |diagnostic, trial| match place(exact, *trial) {
        Some((span, rule)) if std::ptr::eq(rule, contributor) => {
            diagnostic.related(span, format!("takes {amount} of its model ids before it"))
        }
        Some((span, rule)) => diagnostic.related(span, format!("takes {amount} of its model ids, for `{}`", rule.id)),
        None => diagnostic,
    })
}

/// The prefix or predicate that a trial is about.
fn place<'a>(exact: &Exact<'a>, trial: usize) -> Option<(Span, &'a Contributor)> {
    let trial = exact.takers.trials().get(trial)?;
    let contributor = exact.contributor(trial.contributor)?;
    let matching = contributor.matching.as_ref()?;
    let span = match trial.by {
        By::Predicate => matching.predicate.as_ref()?.pattern.span,
        By::Family(place) => matching.families.get(place)?.span,
    };
    Some((span, contributor))
}
