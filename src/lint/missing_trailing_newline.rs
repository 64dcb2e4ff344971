#![doc = include_str!("pages/missing-trailing-newline.md")]

use super::edit::Side;
use super::exact::Exact;
use super::report::Findings;
use super::run_on;
use super::subject::Subject;
use crate::diagnostic::Code;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    run_on::check(subject, exact, Side::End, Code::MissingTrailingNewline, findings);
}
