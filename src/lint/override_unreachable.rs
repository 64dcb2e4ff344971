#![doc = include_str!("pages/override-unreachable.md")]

use super::exact::{Exact, Part, Scope};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Override, SectionRule};
use crate::source::{Sources, Span};

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let base = Scope::universal(None);
    for rule in &subject.rules.base.sections {
        findings.extend(section(subject, exact, &base, rule));
    }
    for (number, contributor) in subject.rules.contributors.iter().enumerate() {
        if contributor.sections.iter().any(|rule| rule.overrides.len() > 1) {
            let scope = exact.scope(number, Part::Layer);
            for rule in &contributor.sections {
                findings.extend(section(subject, exact, &scope, rule));
            }
        }
    }
}

fn section<'a>(
    subject: &Subject<'a>,
    exact: &mut Exact<'a>,
    scope: &Scope<'a>,
    rule: &'a SectionRule,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, chosen) in rule.overrides.iter().enumerate().skip(1) {
        let answer = judge(exact, scope, rule, at, chosen);
        let asked = || format!("whether this override of `{}` ever counts", rule.section);
        if let Some(Some(context)) = exact.decided(answer, chosen.action_span, scope.rule, asked) {
            let earlier = rule.overrides.iter().take(at);
            found.push(diagnostic(subject.sources, scope, rule, chosen, earlier, context));
        }
    }
    found
}

/// A context in which the override would count if none stood in front of it, if there is none in which it does.
fn judge<'a>(
    exact: &mut Exact<'a>,
    scope: &Scope<'a>,
    rule: &'a SectionRule,
    at: usize,
    chosen: &'a Override,
) -> Answer<Option<Context>> {
    let around = exact.enclosing(scope)?;
    let applies = exact.applies(chosen, scope.contributor.map(|number| (number, rule.section)))?;
    let wanted = exact.space.and(around, applies)?;
    let earlier = exact.first_overrides_apply(scope.contributor, rule, at)?;
    let left = exact.space.minus(wanted, earlier)?;
    if exact.possible(&scope.who, left)? {
        return Ok(None);
    }
    // A gate that never holds, or a text that is never there, is to blame itself.
    exact.witness(&scope.who, wanted)
}

fn diagnostic<'a>(
    sources: &Sources,
    scope: &Scope<'_>,
    rule: &SectionRule,
    chosen: &Override,
    earlier: impl Iterator<Item = &'a Override>,
    context: Context,
) -> Diagnostic {
    let message = format!("this override of `{}` never counts, as one in front of it always does", rule.section);
    let mut diagnostic = Diagnostic::new(Code::OverrideUnreachable, head(sources, chosen.span), message)
        .help("order the list from the special case to the general one")
        .witness(context);
    let earlier: Vec<&Override> = earlier.collect();
    let unguarded = earlier.iter().find(|other| other.when.is_none() && other.action.content().is_none());
    let blamed = unguarded.map_or(earlier.as_slice(), std::slice::from_ref);
    for other in blamed {
        let label = if blamed.len() == 1 { "always counts" } else { "counts, if none in front of it does" };
        diagnostic = diagnostic.related(head(sources, other.span), label);
    }
    Diagnostic { rule: scope.rule.map(str::to_owned), ..diagnostic }
}

/// The first line of a mapping.
fn head(sources: &Sources, span: Span) -> Span {
    let length = sources.text(span).lines().next().map_or(0, |line| line.trim_end().len());
    let start = span.range().start;
    Span::new(span.file, start, start + length)
}
