//! Findings: what can be said of a rule set that loaded.
//!
//! One finding a file: its `check` goes through the [`Subject`] and reports. The page of each
//! code lies in `pages/` and is the documentation of its module; its examples run as tests. This file
//! runs the checks in an order in which causes come before consequences, and applies what the
//! authors have accepted (`allow`) and the levels of the set (`lint`).

mod allow;
mod missing_description;
mod report;
mod subject;

#[cfg(test)]
mod pages_test;

use crate::diagnostic::Diagnostic;
use crate::load::Loaded;

use report::Findings;
use subject::Subject;

/// Every check, causes before consequences: a check may ask [`Findings::blames`] what has been
/// said of a place already.
const CHECKS: &[fn(&Subject<'_>, &mut Findings)] = &[missing_description::check];

/// All findings of a rule set, at the levels that it asks for.
#[must_use]
pub fn check(loaded: &Loaded) -> Vec<Diagnostic> {
    let subject = Subject::new(loaded);
    let mut findings = Findings::default();
    for check in CHECKS {
        check(&subject, &mut findings);
    }
    let accepted = allow::apply(&subject, findings.into_diagnostics());
    levelled(loaded, accepted)
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
