#![doc = include_str!("pages/contributor-shadowed.md")]

use super::exact::Exact;
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::selection::By;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::Contributor;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let exact = &mut *subject.exact.borrow_mut();
    for (number, contributor) in subject.rules.contributors.iter().enumerate() {
        if contributor.matching.is_none() {
            continue;
        }
        let taken = exact.sample(number);
        let asked = || "whether any model gets this contributor".to_owned();
        if exact.decided(taken, contributor.span, Some(&contributor.id), asked) == Some(None)
            && let Some(id) = accepted(exact, number)
        {
            findings.push(diagnostic(exact, number, contributor, &id));
        }
    }
}

/// An id that the contributor accepts, whoever gets it; where there is none, its matcher is to blame.
fn accepted(exact: &mut Exact<'_>, number: usize) -> Option<Box<str>> {
    let own = exact.takers.of(number).to_vec();
    own.into_iter().find_map(|trial| {
        let accepts = exact.takers.accepts(trial);
        exact.space.languages().member(accepts).ok().flatten()
    })
}

fn diagnostic(exact: &mut Exact<'_>, number: usize, contributor: &Contributor, id: &str) -> Diagnostic {
    let trials = exact.takers.shadows(exact.space.languages(), number);
    let mut others: Vec<(usize, By)> = Vec::new();
    for trial in trials.iter().filter_map(|trial| exact.takers.trials().get(*trial)) {
        if !others.iter().any(|(other, _)| *other == trial.contributor) {
            others.push((trial.contributor, trial.by));
        }
    }
    others.sort_by_key(|(other, _)| *other);
    let rules: Vec<(&Contributor, usize, By)> =
        others.into_iter().filter_map(|(other, by)| Some((exact.contributor(other)?, other, by))).collect();
    let names: Vec<&str> = rules.iter().map(|(rule, ..)| &*rule.id).collect();
    let message =
        format!("no model gets the contributor `{}`, as {} all that it accepts", contributor.id, takers(&names));
    let mut diagnostic = Diagnostic::new(Code::ContributorShadowed, contributor.span, message)
        .rule(&*contributor.id)
        .witness(Context { model: Some(id.to_owned()), ..Context::default() });
    for (rule, ..) in &rules {
        let label = if rules.len() == 1 { "takes all of its model ids" } else { "takes some of its model ids" };
        diagnostic = diagnostic.related(rule.span, label);
    }
    diagnostic.help(help(number, &rules))
}

/// `a takes`, `a and b take`.
fn takers(names: &[&str]) -> String {
    match names {
        [] => "others take".to_owned(),
        [only] => format!("`{only}` takes"),
        [firsts @ .., last] => {
            let firsts: Vec<String> = firsts.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and `{last}` take", firsts.join(", "))
        }
    }
}

fn help(number: usize, rules: &[(&Contributor, usize, By)]) -> String {
    if let Some((rule, ..)) = rules.iter().find(|(_, other, by)| *other > number && *by == By::Predicate) {
        return format!("`{}` has a predicate, and all predicates go before all families", rule.id);
    }
    if let [(rule, ..)] = rules
        && rule.when.is_some()
    {
        return format!("a failing `when` of `{}` does not pass a model on to the next contributor", rule.id);
    }
    "put the special contributor in front of the general one".to_owned()
}
