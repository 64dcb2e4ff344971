#![doc = include_str!("pages/gate-always-holds.md")]

use super::exact::{Exact, Kind};
use super::gate_never_holds::is_explained;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};

pub(super) fn check<'a>(_: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let verdicts = exact.verdicts();
    for verdict in verdicts.iter().filter(|verdict| verdict.kind == Kind::Always) {
        let explained = is_explained(findings, verdict) || findings.blames(&[Code::GateNeverHolds], verdict.span);
        if !explained {
            let message = if verdict.everywhere {
                "every context satisfies this gate"
            } else {
                "every context that comes this far satisfies this gate"
            };
            let diagnostic = Diagnostic::new(Code::GateAlwaysHolds, verdict.span, message)
                .help("it decides nothing: ask for what was meant, or leave it out");
            findings.push(Diagnostic { rule: verdict.rule.as_deref().map(str::to_owned), ..diagnostic });
        }
    }
}
