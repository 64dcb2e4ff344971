#![doc = include_str!("pages/policy-violated.md")]

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::{Violation, decide};
use crate::rules::Policy;

/// Every policy is decided over all contexts.
pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let verdicts = decide(subject.rules, subject.documents);
    for violation in verdicts.violations {
        if let Some(policy) = subject.rules.policies.get(violation.policy) {
            findings.push(diagnostic(policy, violation));
        }
    }
    for (number, undecided) in verdicts.undecided {
        if let Some(policy) = subject.rules.policies.get(number) {
            let message = format!("cannot decide whether the policy `{}` holds: {undecided}", policy.id);
            findings.push(Diagnostic::new(Code::AnalysisUndecided, policy.span, message));
        }
    }
}

fn diagnostic(policy: &Policy, violation: Violation) -> Diagnostic {
    let found = match violation.culprit {
        Some(culprit) => {
            let message = format!("`{}` breaks the policy `{}`", culprit.rule, policy.id);
            Diagnostic::new(Code::PolicyViolated, culprit.span, message)
                .label(culprit.does)
                .related(policy.condition.span, "the policy")
                .rule(culprit.rule)
        }
        None => {
            let message = format!("the policy `{}` does not hold", policy.id);
            Diagnostic::new(Code::PolicyViolated, policy.span, message)
        }
    };
    let found = match &policy.description {
        Some(description) => found.help(description.trim().trim_end_matches('.').to_owned()),
        None => found,
    };
    found.witness(violation.witness)
}
