#![doc = include_str!("pages/when-does-not-fall-through.md")]

use super::exact::{Exact, Overlaps, Part};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::analysis::language::Lang;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Contributor, Gate};

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let mut overlaps = None;
    for (number, contributor) in subject.rules.contributors.iter().enumerate() {
        let Some(when) = contributor.when.as_ref().filter(|_| contributor.matching.is_some()) else { continue };
        let causes = [Code::GateNeverHolds, Code::MatcherNeverMatches, Code::MatcherAcceptsEverything];
        if exact.is_spoilt(when) || findings.blames(&causes, when.span) {
            continue;
        }
        let fails = exact.gate(when).and_then(|when| exact.space.not(when));
        let asked = || "whether this `when` can fail".to_owned();
        let Some(fails) = exact.decided(fails, when.span, Some(&contributor.id), asked) else { continue };
        if fails == Function::FALSE {
            continue;
        }
        let overlaps = &*overlaps.get_or_insert_with(|| Overlaps::new(exact));
        let found = next(exact, overlaps, number, contributor, fails);
        let asked = || "whether a later contributor accepts the same models".to_owned();
        if let Some(Some((other, context))) = exact.decided(found, when.span, Some(&contributor.id), asked) {
            findings.push(diagnostic(contributor, when, other, context));
        }
    }
}

/// The first contributor in trial order that would get a model if a failing `when` passed it on, unless this one
/// extends it.
fn next<'a>(
    exact: &mut Exact<'a>,
    overlaps: &Overlaps,
    number: usize,
    contributor: &Contributor,
    fails: Function,
) -> Answer<Option<(&'a Contributor, Context)>> {
    let own = exact.takers.of(number).to_vec();
    let Some(first) = own.first().copied() else { return Ok(None) };
    let parents = parents(exact, contributor);
    let inherited_trials = parents.iter().flat_map(|parent| exact.takers.of(*parent)).copied();
    let mut trials: Vec<usize> = own.iter().flat_map(|own| overlaps.of(*own)).chain(inherited_trials).collect();
    trials.sort_unstable();
    trials.dedup();
    let mut inherited: Vec<Lang> = Vec::new();
    let mut trouble = Ok(None);
    for trial in trials.into_iter().filter(|trial| *trial > first) {
        let Some(other) = exact.takers.trials().get(trial).map(|trial| trial.contributor) else { continue };
        if other == number {
            continue;
        }
        if parents.contains(&other) {
            inherited.push(exact.takers.accepts(trial));
            continue;
        }
        let shared: Vec<Lang> =
            own.iter().filter(|own| **own < trial).filter_map(|own| overlaps.lang(exact, *own, trial)).collect();
        // A contributor that nothing reaches has been told so.
        if shared.is_empty() || matches!(exact.sample(other), Ok(None)) {
            continue;
        }
        match passed_on(exact, number, shared, &inherited, fails) {
            Ok(None) => {}
            Ok(Some(context)) => return Ok(exact.contributor(other).map(|other| (other, context))),
            Err(undecided) => trouble = Err(undecided),
        }
    }
    trouble
}

/// A context with an id of these that the contributor takes, where its `when` fails.
fn passed_on(
    exact: &mut Exact<'_>,
    number: usize,
    shared: Vec<Lang>,
    inherited: &[Lang],
    fails: Function,
) -> Answer<Option<Context>> {
    let languages = exact.space.languages();
    let shared = languages.or(shared);
    let lang = languages.minus(shared, inherited.iter().copied());
    if exact.takes_of(number, lang)?.is_none() {
        return Ok(None);
    }
    let model = exact.space.model(lang)?;
    let both = exact.space.and(model, fails)?;
    let who = exact.scope(number, Part::FullPrompt).who;
    exact.witness(&who, both)
}

fn parents(exact: &Exact<'_>, contributor: &Contributor) -> Vec<usize> {
    let parents = std::iter::successors(contributor.parent.as_deref(), |parent| parent.parent.as_deref());
    parents.filter_map(|parent| exact.takers.number(parent)).collect()
}

fn diagnostic(contributor: &Contributor, when: &Gate, other: &Contributor, context: Context) -> Diagnostic {
    let instead = if contributor.parent.is_some() { "the parts of its parents" } else { "the default message" };
    let message = format!("where this `when` fails, its models get {instead}, not `{}`", other.id);
    Diagnostic::new(Code::WhenDoesNotFallThrough, when.span, message)
        .rule(&*contributor.id)
        .related(other.span, "accepts some of the same models, but is not asked")
        .help(format!(
            "let it extend `{}`, or allow the finding with the reason why the models go without it",
            other.id
        ))
        .witness(context)
}
