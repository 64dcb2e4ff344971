#![doc = include_str!("pages/gate-never-holds.md")]

use super::exact::{Kind, Verdict};
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};

/// What explains that a gate decides nothing.
pub(super) const CAUSES: [Code; 5] = [
    Code::HiddenCharacter,
    Code::ConfusableName,
    Code::UnknownClientTool,
    Code::MatcherNeverMatches,
    Code::MatcherAcceptsEverything,
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let verdicts = subject.exact.borrow_mut().verdicts();
    for verdict in verdicts.iter().filter(|verdict| verdict.kind == Kind::Never) {
        if !is_explained(findings, verdict) {
            findings.push(diagnostic(verdict));
        }
    }
}

/// Whether the cause has been reported.
pub(super) fn is_explained(findings: &Findings, verdict: &Verdict) -> bool {
    verdict.grounds.iter().chain([&verdict.span]).any(|place| findings.blames(&CAUSES, *place))
}

fn diagnostic(verdict: &Verdict) -> Diagnostic {
    let message = if verdict.everywhere {
        "no context satisfies this gate"
    } else {
        "no context that comes this far satisfies this gate"
    };
    let mut diagnostic = Diagnostic::new(Code::GateNeverHolds, verdict.span, message)
        .help("what stands behind it is in no prompt: mend the gate, or remove the rule");
    for (span, label) in &verdict.labels {
        diagnostic = diagnostic.related(*span, label);
    }
    Diagnostic { rule: verdict.rule.as_deref().map(str::to_owned), ..diagnostic }
}
