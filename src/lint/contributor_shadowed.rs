#![doc = include_str!("pages/contributor-shadowed.md")]

use super::exact::Exact;
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::selection::By;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::Contributor;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    exact.takers.know(subject.taken().iter().filter_map(|taken| Some((taken.model, taken.choice?))));
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
    diagnostic.help(help(number, contributor, &rules))
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

fn help(number: usize, contributor: &Contributor, rules: &[(&Contributor, usize, By)]) -> String {
    let only_families = contributor.matching.as_ref().is_some_and(|matching| matching.predicate.is_none());
    // No order of the file puts a family in front of a predicate.
    let jumps =
        |(_, other, by): &&(&Contributor, usize, By)| *by == By::Predicate && (only_families || *other > number);
    if let Some((rule, other, _)) = rules.iter().find(jumps) {
        let place = if *other < number { ", and put the contributor in front of it" } else { "" };
        let id = &rule.id;
        return format!(
            "`{id}` has a predicate, and all predicates go before all families: narrow it, or match by a predicate here \
             too{place}"
        );
    }
    if let [(rule, ..)] = rules
        && rule.when.is_some()
    {
        return format!("a failing `when` of `{}` does not pass a model on to the next contributor", rule.id);
    }
    "put the special contributor in front of the general one".to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Found, of, spots};
    use crate::diagnostic::Code;

    /// The contributors `c0`, `c1` and so on, by their `match`, of which no model gets some.
    fn shadowed(matches: &[&str]) -> Vec<String> {
        spots(&found(matches), Code::ContributorShadowed)
    }

    fn found(matches: &[&str]) -> Found {
        let rule = |(number, matching): (usize, &&str)| {
            format!(
                "  - {{id: c{number}, match: {matching}, sections: {{tone: {{action: append, content: \"\\nx\"}}}}}}\n"
            )
        };
        of(&format!("contributors:\n{}", matches.iter().enumerate().map(rule).collect::<String>()))
    }

    #[test]
    fn several_together_leave_nothing() {
        let (even, odd) = (r"{model: {regex: '^m\d*[02468]$'}}", r"{model: {regex: '^m\d*[13579]$'}}");
        let ascii = "{model: {regex: '^m[0-9]+$'}}";
        let unicode = r"{model: {regex: '^m\d+$'}}";
        assert_eq!(shadowed(&[even, odd, ascii]), ["c2"]);
        // `\d` has digits of other scripts.
        assert_eq!(shadowed(&[even, odd, unicode]), [""; 0]);
        assert_eq!(shadowed(&[even, ascii]), [""; 0]);
    }

    #[test]
    fn predicates_go_before_families_whatever_the_order() {
        assert_eq!(shadowed(&["{families: [gpt-]}", "{model: {prefix: g}}"]), ["c0"]);
        assert_eq!(shadowed(&["{families: [gpt-]}", "{model: {prefix: gpt-5}}"]), [""; 0]);
        assert_eq!(shadowed(&["{families: [gpt-, o1]}", "{model: {prefix: g}}", "{families: [o]}"]), [""; 0]);
        // In its list order a prefix of the same contributor is no other contributor.
        assert_eq!(shadowed(&["{families: [gpt-5, gpt-]}"]), [""; 0]);
    }

    #[test]
    fn normal_forms_and_cases_compare_exactly() {
        let lower = "{model: {normalize: [lowercase], prefix: claude-}}";
        assert_eq!(shadowed(&[lower, "{model: {regex: '^(?i)claude-'}}"]), ["c1"], "no other letters fold to these");
        assert_eq!(shadowed(&["{model: {regex: '^(?i)k'}}", "{model: {normalize: [lowercase], prefix: k}}"]), ["c1"]);
        // U+212A, the Kelvin sign, is a `k` to `(?i)` alone.
        assert_eq!(shadowed(&["{model: {normalize: [lowercase], prefix: k}}", "{model: {regex: '^(?i)k'}}"]), [""; 0]);
        assert_eq!(shadowed(&["{model: {normalize: [vendor], prefix: a}}", "{families: [a]}"]), [""; 0]);
        assert_eq!(shadowed(&["{model: {prefix: a}}", "{model: {normalize: [vendor], prefix: a}}"]), [""; 0]);
        assert_eq!(shadowed(&["{model: {normalize: [dashes], prefix: a-b}}", "{families: [a.b, a_b, a-b]}"]), ["c1"]);
    }

    #[test]
    fn negation_and_empty_patterns_count() {
        assert_eq!(shadowed(&["{model: {not: {prefix: a}}}", "{model: {prefix: a}}", "{families: [b, a]}"]), ["c2"]);
        assert_eq!(shadowed(&["{model: {regex: ''}}", "{model: {prefix: a}}"]), ["c1"]);
        assert_eq!(shadowed(&["{model: {not: {contains: b}}}", "{families: [ab]}"]), [""; 0]);
    }

    #[test]
    fn an_impossible_matcher_is_not_shadowed() {
        let never = "{model: {normalize: [lowercase], prefix: Gpt-}}";
        assert_eq!(shadowed(&["{model: {prefix: g}}", never]), [""; 0]);
        assert_eq!(spots(&found(&[never]), Code::MatcherNeverMatches), ["Gpt-"]);
    }

    #[test]
    fn the_help_helps() {
        let help = |matches: &[&str]| {
            let found = found(matches);
            let shadowed = found.diagnostics.iter().find(|found| found.code == Code::ContributorShadowed).unwrap();
            shadowed.help.join("; ")
        };
        let in_front = "put the special contributor in front of the general one";
        assert_eq!(help(&["{families: [gpt-]}", "{families: [gpt-5]}"]), in_front);
        assert_eq!(help(&["{model: {prefix: gpt-}}", "{model: {prefix: gpt-5}}"]), in_front);
        let jumps = "`c0` has a predicate, and all predicates go before all families: narrow it, or match by a \
                     predicate here too, and put the contributor in front of it";
        assert_eq!(help(&["{model: {prefix: gpt-}}", "{families: [gpt-5]}"]), jumps);
        let behind = "`c1` has a predicate, and all predicates go before all families: narrow it, or match by a \
                      predicate here too";
        assert_eq!(help(&["{families: [gpt-5]}", "{model: {prefix: gpt-}}"]), behind);
    }

    #[test]
    fn only_those_that_matter_are_named() {
        let found = found(&["{model: {suffix: z}}", "{families: [gpt-]}", "{families: [o]}", "{families: [gpt-5]}"]);
        let shadowed = found.diagnostics.iter().find(|found| found.code == Code::ContributorShadowed).unwrap();
        let named: Vec<&str> = shadowed.related.iter().map(|label| found.sources.text(label.span)).collect();
        assert_eq!(named, ["c1"]);
        assert_eq!(shadowed.witness.as_ref().and_then(|context| context.model.as_deref()), Some("gpt-5"));
    }
}
