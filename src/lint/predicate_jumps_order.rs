#![doc = include_str!("pages/predicate-jumps-order.md")]

use rustc_hash::FxHashMap;

use super::exact::{Exact, Overlaps};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::selection::By;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Contributor, Family};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let families = families(exact);
    let Some(first) = families.values().map(|family| family.contributor).min() else { return };
    let overlaps = Overlaps::new(exact);
    for (number, contributor) in subject.rules.contributors.iter().enumerate().skip(first + 1) {
        let Some(predicate) = contributor.matching.as_ref().and_then(|matching| matching.predicate.as_ref()) else {
            continue;
        };
        let Some(own) = exact.takers.of(number).first().copied() else { continue };
        let mut taken: Vec<(&Earlier<'_>, Box<str>)> = Vec::new();
        let overlapping = overlaps.of(own).into_iter().filter_map(|trial| families.get(&trial));
        for family in overlapping.filter(|family| family.contributor < number) {
            let answer = taken_from(exact, &overlaps, number, own, family);
            let asked = || format!("whether it takes models of the prefix `{}`", family.family.prefix);
            if let Some(Some(id)) = exact.decided(answer, predicate.pattern.span, Some(&contributor.id), asked)
                && !taken.iter().any(|(other, _)| other.contributor == family.contributor)
            {
                taken.push((family, id));
            }
        }
        findings.extend(diagnostic(contributor, predicate.pattern.span, &taken));
    }
}

/// A prefix of a contributor.
struct Earlier<'a> {
    contributor: usize,
    id: &'a str,
    family: &'a Family,
    trial: usize,
}

/// By their trials.
fn families<'a>(exact: &Exact<'a>) -> FxHashMap<usize, Earlier<'a>> {
    let trials = exact.takers.trials().iter().enumerate();
    let families = trials.filter_map(|(number, trial)| {
        let By::Family(place) = trial.by else { return None };
        let rule = exact.contributor(trial.contributor)?;
        let family = rule.matching.as_ref()?.families.get(place)?;
        Some((number, Earlier { contributor: trial.contributor, id: &rule.id, family, trial: number }))
    });
    families.collect()
}

/// An id that begins with the prefix and that the later contributor takes.
fn taken_from(
    exact: &mut Exact<'_>,
    overlaps: &Overlaps,
    number: usize,
    own: usize,
    family: &Earlier<'_>,
) -> Answer<Option<Box<str>>> {
    match overlaps.lang(exact, own, family.trial) {
        // A contributor that nothing reaches has been told so.
        Some(lang) if !matches!(exact.sample(family.contributor), Ok(None)) => exact.takes_of(number, lang),
        Some(_) | None => Ok(None),
    }
}

fn diagnostic(contributor: &Contributor, span: Span, taken: &[(&Earlier<'_>, Box<str>)]) -> Option<Diagnostic> {
    let (first, id) = taken.first()?;
    let message = format!(
        "this predicate takes models that begin with `{}`, before `{}` in front of it is tried",
        first.family.prefix, first.id
    );
    let mut diagnostic = Diagnostic::new(Code::PredicateJumpsOrder, span, message)
        .rule(&*contributor.id)
        .help(format!("put `{}` in front: all predicates are tried before all families", contributor.id))
        .witness(Context { model: Some(id.to_string()), ..Context::default() });
    for (family, _) in taken {
        diagnostic = diagnostic.related(family.family.span, "is tried after all predicates");
    }
    Some(diagnostic)
}
