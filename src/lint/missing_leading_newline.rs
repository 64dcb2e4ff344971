#![doc = include_str!("pages/missing-leading-newline.md")]

use super::edit::Side;
use super::report::Findings;
use super::run_on;
use super::subject::Subject;
use crate::diagnostic::Code;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    run_on::check(subject, Side::Start, Code::MissingLeadingNewline, findings);
}
