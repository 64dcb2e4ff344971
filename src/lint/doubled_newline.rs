#![doc = include_str!("pages/doubled-newline.md")]

use super::edit::Side;
use super::judgement::certain_line;
use super::report::Findings;
use super::run_on::outermost;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::{Action, Part, Piece, Template, Text, TextBody};
use crate::source::Span;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(line) = certain_line(subject) else { return };
    for layer in subject.layers() {
        let overrides = layer.overrides().filter(|(rule, _)| rule.section == Section::ToolInstructions);
        for (_, chosen) in overrides {
            let Action::Append(content) = &chosen.action else { continue };
            if let Some(span) = begins(content) {
                let message = "the text begins with a newline, and the composition puts its own before it";
                let diagnostic = Diagnostic::new(Code::DoubledNewline, span, message)
                    .related(line.span, "this line is always there, so the newline is too")
                    .help("leave the newline out");
                findings.push(Diagnostic { rule: layer.id(), ..diagnostic });
            }
        }
    }
}

/// The string that makes the text begin with a newline.
fn begins(text: &Text) -> Option<Span> {
    match &text.body {
        TextBody::One(template) => starts(template).then_some(template.span),
        TextBody::List(items) => outermost(items, Side::Start, false).into_iter().find_map(|item| match &item.part {
            // An empty item is a newline to whatever follows it.
            Part::Template(template) => {
                (starts(template) || template.pieces.is_empty() && items.len() > 1).then_some(template.span)
            }
            Part::Shared(shared, place) => begins(&shared.text).map(|_| *place),
            Part::Parent => None,
        }),
    }
}

fn starts(template: &Template) -> bool {
    matches!(template.pieces.first(), Some(Piece::Literal(text)) if text.starts_with('\n') && !text.trim().is_empty())
}
