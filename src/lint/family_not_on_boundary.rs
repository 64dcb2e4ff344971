#![doc = include_str!("pages/family-not-on-boundary.md")]

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::interpret::ChosenBy;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let models = subject.taken();
    for contributor in &subject.rules.contributors {
        let families = contributor.matching.as_ref().map_or(&[][..], |matching| &matching.families);
        for family in families.iter().filter(|family| ends_in_digit(&family.prefix)) {
            let splits = models.iter().find(|taken| {
                let by = taken.choice.map(|choice| choice.by);
                let rest = taken.model.strip_prefix(&*family.prefix);
                matches!(by, Some(ChosenBy::Family(by)) if std::ptr::eq(by, family))
                    && rest.is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()))
            });
            if let Some(taken) = splits {
                let message = format!("the prefix `{}` ends inside a number of `{}`", family.prefix, taken.model);
                findings.push(
                    Diagnostic::new(Code::FamilyNotOnBoundary, family.span, message)
                        .rule(contributor.id.as_ref())
                        .related(taken.span, "taken as well")
                        .help(format!(
                            "end it on a boundary, or use the `regex` `^{}(-|$)`",
                            family.prefix.replace('.', r"\.")
                        )),
                );
            }
        }
    }
}

fn ends_in_digit(prefix: &str) -> bool {
    prefix.ends_with(|last: char| last.is_ascii_digit())
}
