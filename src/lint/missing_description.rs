#![doc = include_str!("pages/missing-description.md")]

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for contributor in subject.rules.contributors.iter().filter(|contributor| contributor.description.is_none()) {
        let message = format!("the contributor `{}` has no description", contributor.id);
        findings.push(
            Diagnostic::new(Code::MissingDescription, contributor.span, message)
                .rule(contributor.id.as_ref())
                .help("say in one sentence which models it is for and what it changes"),
        );
    }
}
