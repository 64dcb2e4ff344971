//! Findings: what can be said of a rule set that loaded.
//!
//! One finding a file: its `check` goes through the `Subject` and reports. The page of each
//! code lies in `pages/` and is the documentation of its module; its examples run as tests. This file
//! lists the checks in an order in which causes come before consequences, and applies what the
//! authors have accepted (`allow`) and the levels of the set (`lint`). Which of them run at the
//! same time is the business of `lanes`.

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
mod lanes;
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
mod spoken;
mod subject;
mod trailing_newline;
mod ungated_tool_mention;
mod universal_lines_dropped;
mod unknown_client_tool;
mod unused_binding;
mod unused_tool_group;
mod volatile_text;
mod when_does_not_fall_through;
mod written;

#[cfg(test)]
mod pages_test;
#[cfg(test)]
mod testing;

use crate::diagnostic::Diagnostic;
use crate::load::{Document, Failed, Files, Loaded};
use crate::source::Sources;

use lanes::Check::{self, Apart, Asking, Chained, First};
use subject::Subject;

/// Every check, causes before consequences: a check may ask [`Findings::blames`](report::Findings::blames) what has
/// been said of a place already.
const CHECKS: &[Check] = &[
    // Characters and names.
    First(hidden_character::check),
    First(confusable_name::check),
    First(unknown_client_tool::check),
    // Model ids.
    Asking(matcher_never_matches::check),
    Asking(matcher_accepts_everything::check),
    Asking(contributor_shadowed::check),
    Asking(family_shadowed::check),
    Apart(regex_unescaped_dot::check),
    Apart(near_miss_model::check),
    Apart(family_not_on_boundary::check),
    Asking(predicate_jumps_order::check),
    // Gates.
    Asking(gate_never_holds::check),
    Asking(gate_always_holds::check),
    // Models that go elsewhere than was meant.
    Asking(when_does_not_fall_through::check),
    Chained(matches_no_known_model::check),
    // What becomes of sections.
    Asking(override_unreachable::check),
    Apart(full_prompt_drops_guardrails::check),
    Apart(safety_section_changed::check),
    Asking(universal_lines_dropped::check),
    Asking(section_masked::check),
    // Texts.
    Chained(empty_text::check),
    Asking(empty_contributor::check),
    Asking(missing_leading_newline::check),
    Asking(missing_trailing_newline::check),
    Apart(doubled_newline::check),
    Asking(trailing_newline::check),
    Apart(comment_in_text::check),
    Apart(placeholder_without_bind::check),
    Asking(ungated_tool_mention::check),
    Asking(duplicate_text::check),
    Apart(secret_in_text::check),
    Apart(volatile_text::check),
    // What is there for nothing.
    Apart(unused_binding::check),
    Apart(unused_tool_group::check),
    Apart(file_not_included::check),
    Apart(missing_description::check),
    // What must hold of every session.
    Apart(policy_violated::check),
    // What the exact checks could not answer.
    Asking(analysis_undecided::check),
];

/// All findings of a rule set, at the levels that it asks for. `files` is where the set was loaded
/// from; those of its folder that nothing includes are added to the sources.
#[must_use]
pub fn check(loaded: &mut Loaded, files: &dyn Files) -> Vec<Diagnostic> {
    let left_out = file_not_included::add_left_out(loaded, files);
    let subject = Subject::new(loaded, left_out);
    let accepted = allow::apply(&subject, lanes::run(&subject, CHECKS));
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
