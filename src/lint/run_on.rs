//! Contents that run into the section's own text: what `missing-leading-newline` and `missing-trailing-newline` share.

use super::edit::{Side, add_empty_item, add_newline};
use super::judgement::always_padded;
use super::layers::{Inherited, is_blank, is_certain, is_certain_item};
use super::report::Findings;
use super::runtime::runs_on;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::message::Section;
use crate::rules::{Action, Item, Part, Piece, Template, Text, TextBody};
use crate::source::Span;

/// A string that can stand at one end of a content and has no newline there.
#[derive(Clone, Copy)]
struct Bare {
    span: Span,
    /// Whether it is the rule's own, so that it can be mended where it stands.
    own: bool,
}

/// Reports every content whose action puts this side of it next to the foundation's text.
pub(super) fn check(subject: &Subject<'_>, side: Side, code: Code, findings: &mut Findings) {
    for layer in subject.layers() {
        for (rule, chosen) in layer.overrides() {
            let Some(content) = content(&chosen.action, side) else { continue };
            let padded = rule.section == Section::ToolInstructions && always_padded(subject).is_some();
            if padded || is_blank(content) {
                continue;
            }
            let inherited = layer.inherited(rule.section);
            let bare = bare(content, side, &inherited);
            if let Some(first) = bare.first() {
                let diagnostic = diagnostic(rule.section, side, code, first.span);
                let fix = fix(subject, content, side, &bare);
                findings.push(Diagnostic { rule: layer.id(), fix, ..diagnostic });
            }
        }
    }
}

/// The content that an action puts next to the foundation's text with this side.
fn content(action: &Action, side: Side) -> Option<&Text> {
    match (action, side) {
        (Action::Append(content), Side::Start) | (Action::Prepend(content), Side::End) => Some(content),
        (
            Action::Append(_)
            | Action::Prepend(_)
            | Action::Replace(_)
            | Action::Remove
            | Action::Preserve
            | Action::Transform(_),
            _,
        ) => None,
    }
}

fn diagnostic(section: Section, side: Side, code: Code, span: Span) -> Diagnostic {
    let section_name = section.as_str();
    let (what, word, help) = match side {
        Side::Start => ("the appended text", "last", "begin it with a newline: `\"\"` as the first item of a list"),
        Side::End => ("the prepended text", "first", "end it with a newline: `\"\"` as the last item of a list"),
    };
    let runs_on = runs_on(section, side);
    let message = match (runs_on, side) {
        (true, Side::Start) => format!("{what} runs on from the {word} word of `{section_name}`"),
        (true, Side::End) => format!("{what} runs into the {word} word of `{section_name}`"),
        (false, _) => {
            format!("only the runtime's own line break keeps {what} from the {word} word of `{section_name}`")
        }
    };
    let diagnostic = Diagnostic::new(code, span, message).help(help);
    // Measured, not promised: worth knowing, no more.
    if runs_on { diagnostic } else { Diagnostic { severity: Severity::Info, ..diagnostic } }
}

/// The strings that can stand at this end and have no newline there.
fn bare(text: &Text, side: Side, inherited: &Inherited<'_>) -> Vec<Bare> {
    match &text.body {
        TextBody::One(template) if is_bare(template, side) => vec![Bare { span: template.span, own: true }],
        TextBody::One(_) => Vec::new(),
        TextBody::List(items) => {
            let mut found = Vec::new();
            for item in outermost(items, side, inherited.certain) {
                found.extend(bare_item(item, side, inherited));
            }
            found
        }
    }
}

/// The items that can stand at this end, through the first one that is always there.
pub(super) fn outermost(items: &[Item], side: Side, parent: bool) -> Vec<&Item> {
    let mut ordered: Vec<&Item> = items.iter().collect();
    if side == Side::End {
        ordered.reverse();
    }
    let certain = ordered.iter().position(|item| is_certain_item(item, parent));
    ordered.truncate(certain.map_or(items.len(), |at| at + 1));
    ordered
}

fn bare_item(item: &Item, side: Side, inherited: &Inherited<'_>) -> Option<Bare> {
    match &item.part {
        Part::Template(template) => is_bare(template, side).then_some(Bare { span: template.span, own: true }),
        Part::Shared(shared, place) => {
            let none = Inherited { overrides: Vec::new(), certain: false };
            (!bare(&shared.text, side, &none).is_empty()).then_some(Bare { span: *place, own: false })
        }
        Part::Parent => {
            let none = Inherited { overrides: Vec::new(), certain: false };
            // A parent that does the same itself is told so itself.
            let others = inherited.overrides.iter().filter(|parent| content(&parent.action, side).is_none());
            let runs =
                others.filter_map(|parent| parent.action.content()).any(|text| !bare(text, side, &none).is_empty());
            runs.then_some(Bare { span: item.span, own: false })
        }
    }
}

/// An empty string is a line of its own in a list, and nothing that could run on elsewhere.
fn is_bare(template: &Template, side: Side) -> bool {
    let outer = match side {
        Side::Start => template.pieces.first(),
        Side::End => template.pieces.last(),
    };
    outer.is_some_and(|piece| match (piece, side) {
        (Piece::Literal(text), Side::Start) => !text.starts_with('\n'),
        (Piece::Literal(text), Side::End) => !text.ends_with('\n'),
        (Piece::Variable(_), _) => true,
    })
}

/// A newline for this end of the content and for nothing else.
fn fix(subject: &Subject<'_>, content: &Text, side: Side, bare: &[Bare]) -> Option<Fix> {
    let edits = match &content.body {
        TextBody::One(template) => vec![add_newline(subject.sources, template.span, side)?],
        // An empty item makes a text of a list of which nothing is left, so something has to be left.
        TextBody::List(items) if is_certain(content) => {
            vec![add_empty_item(subject.sources, content.span, items.last()?.span, side)?]
        }
        TextBody::List(_) if bare.iter().all(|bare| bare.own) => {
            let mut spans: Vec<Span> = bare.iter().map(|bare| bare.span).collect();
            spans.sort();
            spans.into_iter().map(|span| add_newline(subject.sources, span, side)).collect::<Option<_>>()?
        }
        TextBody::List(_) => return None,
    };
    let title = match side {
        Side::Start => "begin it with a newline",
        Side::End => "end it with a newline",
    };
    Some(Fix { title: title.to_owned(), edits, safe: true })
}
