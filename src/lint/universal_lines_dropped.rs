#![doc = include_str!("pages/universal-lines-dropped.md")]

use super::exact::Exact;
use super::judgement::can_hold_together;
use super::layers::is_blank;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::Action;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    for layer in subject.layers() {
        for (rule, chosen) in layer.overrides().filter(|(rule, _)| rule.section == Section::ToolInstructions) {
            if !matches!(chosen.action, Action::Remove) {
                continue;
            }
            let guards = [layer.when, chosen.when.as_ref()];
            let mut lines = subject.rules.lines.iter().filter(|line| {
                let gates = guards.into_iter().chain([line.when.as_ref()]).flatten();
                !is_blank(&line.text) && can_hold_together(exact, layer, gates)
            });
            let Some(line) = lines.next() else { continue };
            let message = format!("removing `tool_instructions` drops the universal lines, `{}` among them", line.id);
            let diagnostic = Diagnostic::new(Code::UniversalLinesDropped, chosen.action_span, message)
                .related(rule.span, "the section that they are composed into")
                .related(line.span, "would apply")
                .help("`replace` drops the foundation's text and keeps the lines");
            findings.push(Diagnostic { rule: layer.id(), ..diagnostic });
        }
    }
}
