#![doc = include_str!("pages/safety-section-changed.md")]

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::Action;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for layer in subject.layers() {
        for (rule, chosen) in layer.overrides().filter(|(rule, _)| rule.section == Section::Safety) {
            let what = match &chosen.action {
                Action::Replace(_) => "replaces the foundation's limits of what the agent may do",
                Action::Remove => "removes the foundation's limits of what the agent may do",
                Action::Transform(_) => "rewrites the foundation's limits of what the agent may do",
                Action::Append(_) | Action::Prepend(_) | Action::Preserve => continue,
            };
            let message = format!("`{}` on `safety` {what}", chosen.action.as_str());
            let diagnostic = Diagnostic::new(Code::SafetySectionChanged, chosen.action_span, message)
                .related(rule.span, "the section")
                .help("add to it with `append`, or accept the change with `allow` and the reason");
            findings.push(Diagnostic { rule: layer.id(), ..diagnostic });
        }
    }
}
