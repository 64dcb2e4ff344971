//! Lines and blocks are joined by newlines, so their texts have none at either end.

use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::load::{Node, within};
use crate::rules::{Part, Piece, Template, Text, TextBody};
use crate::source::{Sources, Span};

/// One end of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    End,
}

impl Side {
    fn of<T>(self, items: &[T]) -> Option<&T> {
        match self {
            Self::Start => items.first(),
            Self::End => items.last(),
        }
    }
}

/// What a text has at one of its ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Newline,
    /// Nothing at all: among others, an empty line.
    Nothing,
    Other,
}

/// What is wrong with the two ends of a text, as written in `node`.
pub(super) fn surrounding_newlines(sources: &Sources, text: &Text, node: &Node) -> Vec<Diagnostic> {
    let sides = [Side::Start, Side::End].into_iter().filter(|side| edge(text, *side) == Edge::Newline);
    let mut found: Vec<Diagnostic> = sides.map(|side| diagnostic(sources, text, node, side)).collect();
    // A text that is nothing but a newline has one fault, not two.
    found.dedup_by(|end, start| end.span == start.span && node.items().len() < 2 && is_newline(node));
    found
}

fn is_newline(node: &Node) -> bool {
    string(node.items().first().unwrap_or(node)).as_str() == Some("\n")
}

/// The scalar of an item: itself, or what its `text` or `use` says.
fn string(item: &Node) -> &Node {
    item.get("text").or_else(|| item.get("use")).unwrap_or(item)
}

fn edge(text: &Text, side: Side) -> Edge {
    match &text.body {
        TextBody::One(template) => template_edge(template, side),
        TextBody::List(items) => {
            let edge = side.of(items).map_or(Edge::Other, |item| match &item.part {
                Part::Template(template) => template_edge(template, side),
                Part::Shared(shared, _) => edge(&shared.text, side),
                Part::Parent => Edge::Other,
            });
            if edge == Edge::Nothing && items.len() > 1 { Edge::Newline } else { edge }
        }
    }
}

fn template_edge(template: &Template, side: Side) -> Edge {
    match side.of(&template.pieces) {
        None => Edge::Nothing,
        Some(Piece::Literal(text)) if side == Side::Start && text.starts_with('\n') => Edge::Newline,
        Some(Piece::Literal(text)) if side == Side::End && text.ends_with('\n') => Edge::Newline,
        Some(Piece::Literal(_) | Piece::Variable(_)) => Edge::Other,
    }
}

/// The string that a text ends with on one side.
fn string_span(text: &Text, side: Side) -> Span {
    match &text.body {
        TextBody::One(template) => template.span,
        TextBody::List(items) => side.of(items).map_or(text.span, |item| match &item.part {
            Part::Template(template) => template.span,
            Part::Shared(shared, _) => string_span(&shared.text, side),
            Part::Parent => item.span,
        }),
    }
}

fn diagnostic(sources: &Sources, text: &Text, node: &Node, side: Side) -> Diagnostic {
    let scalar = string(side.of(node.items()).unwrap_or(node));
    let verb = if side == Side::Start { "begins" } else { "ends" };
    let message = format!("the text {verb} with a newline, but the composition puts its own between texts");
    let diagnostic = Diagnostic::new(Code::SurroundingNewline, scalar.span, message);
    let string = string_span(text, side);
    if string != scalar.span {
        return diagnostic.related(string, format!("this shared text {verb} with it"));
    }
    let written = scalar.as_str().unwrap_or_default();
    if written.is_empty() {
        let diagnostic = diagnostic.help("an empty item at this end is an empty line: remove it");
        return match without_item(sources, node, side) {
            Some(edit) => {
                diagnostic.fix(Fix { title: "remove the empty item".to_owned(), edits: vec![edit], safe: true })
            }
            None => diagnostic,
        };
    }
    let edit = match side {
        Side::Start => leading(sources, scalar.span, written),
        Side::End => trailing(sources, scalar.span, written),
    };
    match edit {
        Some(edit) => diagnostic.fix(Fix { title: "drop the newline".to_owned(), edits: vec![edit], safe: true }),
        None => diagnostic,
    }
}

/// The edit that removes the first or last of several items: its whole line, or the item and its comma.
fn without_item(sources: &Sources, list: &Node, side: Side) -> Option<Edit> {
    // Something has to be left, whatever goes at the other end.
    list.items().iter().find(|item| string(item).as_str() != Some(""))?;
    let (item, text) = (side.of(list.items())?.span, sources.file(list.span.file).text());
    let start = list.span.range().start;
    let range = if text.get(start..)?.starts_with('[') {
        match side {
            Side::Start => item.range().start..list.items().get(1)?.span.range().start,
            Side::End => list.items().iter().nth_back(1)?.span.range().end..item.range().end,
        }
    } else {
        line_of_item(text, item)?
    };
    let removed = text.get(range.clone())?;
    let (of_item, span) = (sources.text(item), Span::new(item.file, range.start, range.end));
    // Nothing else, such as a comment, goes with it.
    let rest = removed.replacen(of_item, "", 1);
    let is_alone =
        !of_item.contains('\n') && rest.chars().all(|char| char.is_whitespace() || char == ',' || char == '-');
    is_alone.then(|| Edit { span, replacement: String::new() })
}

/// The line of a block list's item, with its line end, if nothing stands before its `-` there.
fn line_of_item(text: &str, item: Span) -> Option<std::ops::Range<usize>> {
    let start = text.get(..item.range().start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let before = text.get(start..item.range().start)?;
    let dash = before.trim_start_matches(' ');
    let length = text.get(item.range().end..)?.find('\n').map_or(text.len() - item.range().end, |newline| newline + 1);
    (dash.starts_with('-') && dash.trim_end_matches(' ') == "-").then_some(start..item.range().end + length)
}

fn leading(sources: &Sources, scalar: Span, text: &str) -> Option<Edit> {
    let newlines = text.len() - text.trim_start_matches('\n').len();
    let span = within(sources, scalar, text, 0..newlines);
    (newlines > 0 && span != scalar).then(|| Edit { span, replacement: String::new() })
}

/// A block scalar is told to strip (`|-`); elsewhere the newlines are written out and go.
fn trailing(sources: &Sources, scalar: Span, text: &str) -> Option<Edit> {
    let source = sources.text(scalar);
    if source.starts_with(['|', '>']) {
        let header = source.lines().next()?.split([' ', '\t', '#']).next()?;
        let start = scalar.start as usize;
        let span = Span::new(scalar.file, start, start + header.len());
        let kept: String = header.chars().filter(|letter| !matches!(letter, '+' | '-')).collect();
        return Some(Edit { span, replacement: format!("{kept}-") });
    }
    let kept = text.trim_end_matches('\n').len();
    let span = within(sources, scalar, text, kept..text.len());
    (kept < text.len() && span != scalar).then(|| Edit { span, replacement: String::new() })
}
