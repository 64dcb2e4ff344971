//! Lines and blocks are joined by newlines, so their texts have none at either end.

use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::load::{Node, within};
use crate::rules::{Part, Piece, Template, Text, TextBody};
use crate::source::{Sources, Span};

/// What is wrong with the two ends of a text, as written in `node`.
pub(super) fn surrounding_newlines(sources: &Sources, text: &Text, node: &Node) -> Vec<Diagnostic> {
    let (first, last) = (node.items().first().unwrap_or(node), node.items().last().unwrap_or(node));
    let many = node.items().len() > 1;
    let mut found = Vec::new();
    if begins(text, many) {
        found.push(diagnostic(sources, string(first), "begins", leading));
    }
    if ends(text, many) && (many || found.is_empty() || string(first).as_str().is_none_or(|text| text.len() > 1)) {
        found.push(diagnostic(sources, string(last), "ends", trailing));
    }
    found
}

/// The scalar of an item: itself, or what its `text` or `use` says.
fn string(item: &Node) -> &Node {
    item.get("text").or_else(|| item.get("use")).unwrap_or(item)
}

fn begins(text: &Text, many: bool) -> bool {
    match &text.body {
        TextBody::One(template) => starts_with_newline(template),
        TextBody::List(items) => items.first().is_some_and(|item| match &item.part {
            Part::Template(template) => starts_with_newline(template) || many && template.pieces.is_empty(),
            Part::Shared(shared, _) => begins(&shared.text, is_long(&shared.text)),
            Part::Parent => false,
        }),
    }
}

fn ends(text: &Text, many: bool) -> bool {
    match &text.body {
        TextBody::One(template) => ends_with_newline(template),
        TextBody::List(items) => items.last().is_some_and(|item| match &item.part {
            Part::Template(template) => ends_with_newline(template) || many && template.pieces.is_empty(),
            Part::Shared(shared, _) => ends(&shared.text, is_long(&shared.text)),
            Part::Parent => false,
        }),
    }
}

fn is_long(text: &Text) -> bool {
    matches!(&text.body, TextBody::List(items) if items.len() > 1)
}

fn starts_with_newline(template: &Template) -> bool {
    matches!(template.pieces.first(), Some(Piece::Literal(text)) if text.starts_with('\n'))
}

fn ends_with_newline(template: &Template) -> bool {
    matches!(template.pieces.last(), Some(Piece::Literal(text)) if text.ends_with('\n'))
}

fn diagnostic(
    sources: &Sources,
    scalar: &Node,
    verb: &str,
    edit: impl Fn(&Sources, Span, &str) -> Option<Edit>,
) -> Diagnostic {
    let message = format!("the text {verb} with a newline, but the composition puts its own between texts");
    let diagnostic = Diagnostic::new(Code::SurroundingNewline, scalar.span, message);
    match scalar.as_str().and_then(|text| edit(sources, scalar.span, text)) {
        Some(edit) => diagnostic.fix(Fix { title: "drop the newline".to_owned(), edits: vec![edit], safe: true }),
        None => diagnostic,
    }
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
