#![doc = include_str!("pages/analysis-undecided.md")]

use super::exact::Exact;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};

/// Comes after all other exact checks: it tells what they could not answer.
pub(super) fn check<'a>(_: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    for question in exact.undecided() {
        let message = format!("cannot decide {}: {}", question.asked, question.why);
        let diagnostic = Diagnostic::new(Code::AnalysisUndecided, question.span, message).help(
            "make the question smaller: fewer conditions in a gate, `prefix` and `equals` lists for a long pattern",
        );
        findings.push(Diagnostic { rule: question.rule.as_deref().map(str::to_owned), ..diagnostic });
    }
}
