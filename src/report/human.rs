//! Diagnostics for people: source snippets with labelled places, help, and edits as small diffs.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet};

use super::{Report, command_line};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::source::{FileId, Sources, Span};

/// Of longer stretches of a file only the place is named, not the text shown.
const MOST_BYTES: usize = 32 * 1024;

/// The report with styles for a terminal (the caller strips them elsewhere). Nothing to say is an empty text.
#[must_use]
pub fn human(report: &Report<'_>) -> String {
    let renderer = Renderer::styled();
    let mut text = String::new();
    for (sources, diagnostic) in report.diagnostics() {
        text.push_str(&renderer.render(&groups(sources, diagnostic)));
        text.push_str("\n\n");
    }
    // The renderer shows C0 control characters as symbols, but lets these through to the terminal.
    text.replace(|char| ('\u{80}'..='\u{9f}').contains(&char), "\u{fffd}")
}

fn groups<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let mut group = title.elements(places(sources, diagnostic));
    let suggestion = diagnostic.fix.as_ref().and_then(|fix| suggestion(sources, diagnostic, fix));
    // The first help is the title of the suggestion.
    for help in diagnostic.help.iter().skip(usize::from(suggestion.is_some())) {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(context) = &diagnostic.witness {
        group = group.element(Level::NOTE.message(format!("for example: {}", command_line(context))));
    }
    std::iter::once(group).chain(suggestion).collect()
}

/// A place with what is said of it: nothing but the place itself for the primary one.
#[derive(Clone, Copy)]
struct Mark<'a> {
    span: Span,
    kind: AnnotationKind,
    label: Option<&'a str>,
}

/// One snippet a file, that of the primary place first; several where the places lie far apart.
fn places<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Vec<Element<'a>> {
    let (span, label) = (diagnostic.span, diagnostic.label.as_deref());
    let mut files = vec![(span.file, vec![Mark { span, kind: AnnotationKind::Primary, label }])];
    for label in &diagnostic.related {
        let mark = Mark { span: label.span, kind: AnnotationKind::Context, label: Some(label.text.as_str()) };
        match files.iter_mut().find(|(file, _)| *file == label.span.file) {
            Some((_, marks)) => marks.push(mark),
            None => files.push((label.span.file, vec![mark])),
        }
    }
    let whole = |marks: &[Mark<'a>]| snippet(sources, marks);
    files
        .iter()
        .flat_map(|(_, marks)| whole(marks).map_or_else(|| one_by_one(sources, marks), |all| vec![all]))
        .collect()
}

fn one_by_one<'a>(sources: &'a Sources, marks: &[Mark<'a>]) -> Vec<Element<'a>> {
    marks.iter().map(|mark| snippet(sources, &[*mark]).unwrap_or_else(|| origin(sources, mark.span))).collect()
}

/// The lines of one file with their marks, if they are not too much to show.
fn snippet<'a>(sources: &'a Sources, marks: &[Mark<'a>]) -> Option<Element<'a>> {
    let spans: Vec<Span> = marks.iter().map(|mark| mark.span).collect();
    let window = Window::around(sources, spans.first()?.file, &spans)?;
    let annotations = marks.iter().map(|mark| mark.kind.span(window.range(mark.span)).label(mark.label));
    Some(window.snippet().annotations(annotations).into())
}

fn origin<'a>(sources: &'a Sources, span: Span) -> Element<'a> {
    let (file, start) = (sources.file(span.file), sources.start(span));
    Origin::path(file.name()).line(start.line).char_column(start.column).into()
}

fn suggestion<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic, fix: &'a Fix) -> Option<Group<'a>> {
    let file = fix.edits.first()?.span.file;
    let spans: Vec<Span> = fix.edits.iter().map(|edit| edit.span).collect();
    let window = Window::around(sources, file, &spans)?;
    let title = diagnostic.help.first().unwrap_or(&fix.title);
    let patches = fix.edits.iter().map(|edit| Patch::new(window.range(edit.span), edit.replacement.as_str()));
    Some(Level::HELP.secondary_title(title.as_str()).element(window.snippet().patches(patches)))
}

/// The whole lines of a file that some spans touch: only these are given to the renderer.
struct Window<'a> {
    name: &'a str,
    text: &'a str,
    start: usize,
    first_line: usize,
}

impl<'a> Window<'a> {
    /// Nothing if the lines come to more than is shown.
    fn around(sources: &'a Sources, file: FileId, spans: &[Span]) -> Option<Self> {
        let source = sources.file(file);
        let text = source.text();
        let first = spans.iter().map(|span| span.start as usize).min().unwrap_or(0).min(text.len());
        let last = spans.iter().map(|span| span.end as usize).max().unwrap_or(0).min(text.len());
        let start = text.get(..first).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let end = text.get(last..).and_then(|after| after.find('\n')).map_or(text.len(), |newline| last + newline);
        let text = text.get(start..end).unwrap_or_default();
        let window = Self { name: source.name(), text, start, first_line: source.position(start).line };
        (text.len() <= MOST_BYTES).then_some(window)
    }

    fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text).path(self.name).line_start(self.first_line)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let place = |offset: u32| (offset as usize).saturating_sub(self.start).min(self.text.len());
        place(span.start)..place(span.end)
    }
}
