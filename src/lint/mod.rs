//! Findings: what can be said of a rule set that loaded.
//!
//! One finding a file: its `check` goes through the `Subject` and reports. The page of each
//! code lies in `pages/` and is the documentation of its module; its examples run as tests. This file
//! runs the checks in an order in which causes come before consequences, and applies what the
//! authors have accepted (`allow`) and the levels of the set (`lint`).

mod allow;
mod analysis_undecided;
mod comment_in_text;
mod confusable_name;
mod contributor_shadowed;
mod doubled_newline;
mod duplicate_text;
mod edit;
mod empty_contributor;
mod empty_text;
mod exact;
mod family_not_on_boundary;
mod family_shadowed;
mod file_not_included;
mod full_prompt_drops_guardrails;
mod gate_always_holds;
mod gate_never_holds;
mod hidden_character;
mod invisible;
mod judgement;
mod layers;
mod lookalike;
mod matcher_accepts_everything;
mod matcher_never_matches;
mod matchers;
mod matches_no_known_model;
mod missing_description;
mod missing_leading_newline;
mod missing_trailing_newline;
mod models;
mod near_miss_model;
mod override_unreachable;
mod placeholder_without_bind;
mod policy_violated;
mod predicate_jumps_order;
mod prose;
mod regex_unescaped_dot;
mod report;
mod run_on;
mod runtime;
mod safety_section_changed;
mod secret_in_text;
mod section_masked;
mod subject;
mod trailing_newline;
mod ungated_tool_mention;
mod universal_lines_dropped;
mod unknown_client_tool;
mod unused_binding;
mod unused_tool_group;
mod volatile_text;
mod when_does_not_fall_through;

#[cfg(test)]
mod pages_test;
#[cfg(test)]
mod testing;

use crate::diagnostic::Diagnostic;
use crate::load::{Document, Failed, Files, Loaded};
use crate::source::Sources;

use report::Findings;
use subject::Subject;

/// Every check, causes before consequences: a check may ask [`Findings::blames`] what has been
/// said of a place already.
const CHECKS: &[fn(&Subject<'_>, &mut Findings)] = &[
    // Characters and names.
    hidden_character::check,
    confusable_name::check,
    unknown_client_tool::check,
    // Model ids.
    matcher_never_matches::check,
    matcher_accepts_everything::check,
    contributor_shadowed::check,
    family_shadowed::check,
    regex_unescaped_dot::check,
    near_miss_model::check,
    family_not_on_boundary::check,
    predicate_jumps_order::check,
    // Gates.
    gate_never_holds::check,
    gate_always_holds::check,
    // Models that go elsewhere than was meant.
    when_does_not_fall_through::check,
    matches_no_known_model::check,
    // What becomes of sections.
    override_unreachable::check,
    full_prompt_drops_guardrails::check,
    safety_section_changed::check,
    universal_lines_dropped::check,
    section_masked::check,
    // Texts.
    empty_text::check,
    empty_contributor::check,
    missing_leading_newline::check,
    missing_trailing_newline::check,
    doubled_newline::check,
    trailing_newline::check,
    comment_in_text::check,
    placeholder_without_bind::check,
    ungated_tool_mention::check,
    duplicate_text::check,
    secret_in_text::check,
    volatile_text::check,
    // What is there for nothing.
    unused_binding::check,
    unused_tool_group::check,
    file_not_included::check,
    missing_description::check,
    // What must hold of every session.
    policy_violated::check,
    // What the exact checks could not answer.
    analysis_undecided::check,
];

/// All findings of a rule set, at the levels that it asks for. `files` is where the set was loaded
/// from; those of its folder that nothing includes are added to the sources.
#[must_use]
pub fn check(loaded: &mut Loaded, files: &dyn Files) -> Vec<Diagnostic> {
    let left_out = file_not_included::add_left_out(loaded, files);
    let subject = Subject::new(loaded, left_out);
    let mut findings = Findings::default();
    for check in CHECKS {
        check(&subject, &mut findings);
    }
    let accepted = allow::apply(&subject, findings.into_diagnostics());
    levelled(loaded, accepted)
}

/// What can be found in files whether or not they load: characters that nobody sees.
#[must_use]
pub fn check_sources(sources: &Sources, documents: &[Document]) -> Vec<Diagnostic> {
    hidden_character::in_sources(sources, documents)
}

/// Everything that is wrong with a rule set that did not load. What an invisible character is to blame
/// for is not said: an error at a name that has one, or at a name that would be known without the one in its declaration.
#[must_use]
pub fn check_failed(failed: &Failed) -> Vec<Diagnostic> {
    let hidden = check_sources(&failed.sources, &failed.documents);
    let seen: Vec<String> = hidden.iter().map(|hidden| hidden_character::seen(&failed.sources, hidden.span)).collect();
    let is_consequence = |error: &Diagnostic| {
        let text = failed.sources.text(error.span);
        let one_line = !text.contains('\n');
        let name = text.trim_matches(['"', '\'', '$']);
        one_line && hidden.iter().any(|hidden| error.span.contains(hidden.span))
            || error.code.as_str().starts_with("unknown-") && seen.iter().any(|seen| *seen == name)
    };
    let errors: Vec<Diagnostic> = failed.diagnostics.iter().filter(|error| !is_consequence(error)).cloned().collect();
    hidden.into_iter().chain(errors).collect()
}

/// The findings at the levels of the set's own `lint`; those that are `off` are gone.
fn levelled(loaded: &Loaded, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let level = |mut finding: Diagnostic| {
        if let Some(level) = loaded.rules.lint.iter().find(|level| level.code == finding.code) {
            finding.severity = level.severity?;
        }
        Some(finding)
    };
    findings.into_iter().filter_map(level).collect()
}
