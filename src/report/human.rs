//! Diagnostics for people: source snippets with labelled places, help, and edits as small diffs.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use super::{Report, command_line};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::source::{FileId, Sources, Span};

/// The report with styles for a terminal (the caller strips them elsewhere). Nothing to say is an empty text.
#[must_use]
pub fn human(report: &Report<'_>) -> String {
    let renderer = Renderer::styled();
    let mut text = String::new();
    for (sources, diagnostic) in report.diagnostics() {
        text.push_str(&renderer.render(&groups(sources, diagnostic)));
        text.push_str("\n\n");
    }
    text
}

fn groups<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let mut group = title.elements(snippets(sources, diagnostic));
    for help in diagnostic.help.iter().filter(|_| diagnostic.fix.is_none()) {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(context) = &diagnostic.witness {
        group = group.element(Level::NOTE.message(format!("for example: {}", command_line(context))));
    }
    let mut groups = vec![group];
    groups.extend(diagnostic.fix.as_ref().and_then(|fix| suggestion(sources, diagnostic, fix)));
    groups
}

/// One snippet a file, that of the primary place first.
fn snippets<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut files: Vec<FileId> = vec![diagnostic.span.file];
    for label in &diagnostic.related {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files.into_iter().map(|file| snippet(sources, diagnostic, file)).collect()
}

fn snippet<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic, file: FileId) -> Snippet<'a, Annotation<'a>> {
    let related = diagnostic.related.iter().filter(|label| label.span.file == file);
    let primary = (diagnostic.span.file == file).then_some(diagnostic.span);
    let spans: Vec<Span> = primary.into_iter().chain(related.clone().map(|label| label.span)).collect();
    let window = Window::around(sources, file, &spans);
    let mut snippet = window.snippet();
    if let Some(span) = primary {
        let annotation = AnnotationKind::Primary.span(window.range(span));
        snippet = snippet.annotation(annotation.label(diagnostic.label.as_deref()));
    }
    snippet.annotations(
        related.map(|label| AnnotationKind::Context.span(window.range(label.span)).label(label.text.as_str())),
    )
}

fn suggestion<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic, fix: &'a Fix) -> Option<Group<'a>> {
    let file = fix.edits.first()?.span.file;
    let spans: Vec<Span> = fix.edits.iter().map(|edit| edit.span).collect();
    let window = Window::around(sources, file, &spans);
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
    fn around(sources: &'a Sources, file: FileId, spans: &[Span]) -> Self {
        let source = sources.file(file);
        let text = source.text();
        let first = spans.iter().map(|span| span.start as usize).min().unwrap_or(0).min(text.len());
        let last = spans.iter().map(|span| span.end as usize).max().unwrap_or(0).min(text.len());
        let start = text.get(..first).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let end = text.get(last..).and_then(|after| after.find('\n')).map_or(text.len(), |newline| last + newline);
        Self {
            name: source.name(),
            text: text.get(start..end).unwrap_or_default(),
            start,
            first_line: source.position(start).line,
        }
    }

    fn snippet<T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text).path(self.name).line_start(self.first_line)
    }

    fn range(&self, span: Span) -> Range<usize> {
        let place = |offset: u32| (offset as usize).saturating_sub(self.start).min(self.text.len());
        place(span.start)..place(span.end)
    }
}
