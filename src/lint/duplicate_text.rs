#![doc = include_str!("pages/duplicate-text.md")]

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::exact::{Exact, Who};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Binding, BindingSource, Item, Line, Part, Piece, Template, Text, TextBody};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let exact = &mut *subject.exact.borrow_mut();
    let mut said: FxHashMap<String, Vec<&Line>> = FxHashMap::default();
    for line in subject.rules.lines.iter().chain(&subject.rules.blocks) {
        let Some(words) = words(exact, &line.text) else { continue };
        let same = said.entry(words).or_default();
        for first in same.iter() {
            let together = together(exact, first, line);
            let asked = || format!("whether this and `{}` can apply together", first.id);
            if let Some(Some(context)) = exact.decided(together, line.text.span, Some(&line.id), asked) {
                findings.push(diagnostic(first, line, context));
                break;
            }
        }
        same.push(line);
    }
}

/// A context in which both say something.
fn together<'a>(exact: &mut Exact<'a>, first: &'a Line, second: &'a Line) -> Answer<Option<Context>> {
    let parts = [
        exact.when(first.when.as_ref())?,
        exact.when(second.when.as_ref())?,
        exact.gives_text(&first.text, None)?,
        exact.gives_text(&second.text, None)?,
    ];
    let both = exact.space.all(parts)?;
    exact.witness(&Who::Anyone, both)
}

fn diagnostic(first: &Line, second: &Line, context: Context) -> Diagnostic {
    let message = format!("`{}` says the same as `{}`, and both can apply", second.id, first.id);
    Diagnostic::new(Code::DuplicateText, second.text.span, message)
        .rule(&*second.id)
        .related(first.text.span, "said here first")
        .help("keep one of them and join their gates with `any`")
        .witness(context)
}

/// What a text says, white space aside, in every context the same for the same words; nothing if it says nothing.
fn words<'a>(exact: &mut Exact<'a>, text: &'a Text) -> Option<String> {
    let mut words = String::new();
    add_text(exact, text, &mut words)?;
    let folded = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!folded.is_empty()).then_some(folded)
}

fn add_text<'a>(exact: &mut Exact<'a>, text: &'a Text, words: &mut String) -> Option<()> {
    match &text.body {
        TextBody::One(template) => add_string(template, words),
        TextBody::List(items) => {
            for item in items {
                add_item(exact, item, words)?;
                words.push(' ');
            }
        }
    }
    Some(())
}

fn add_item<'a>(exact: &mut Exact<'a>, item: &'a Item, words: &mut String) -> Option<()> {
    if let Some(when) = &item.when {
        let function = exact.gate(when).ok()?;
        _ = write!(words, "\0when {function:?}\0");
    }
    match &item.part {
        Part::Template(template) => add_string(template, words),
        Part::Shared(shared, _) => add_text(exact, &shared.text, words)?,
        Part::Parent => {}
    }
    Some(())
}

fn add_string(template: &Template, words: &mut String) {
    for piece in &template.pieces {
        match piece {
            Piece::Literal(text) => words.push_str(text),
            Piece::Variable(binding) => add_binding(binding, words),
        }
    }
}

fn add_binding(binding: &Binding, words: &mut String) {
    _ = match &binding.source {
        BindingSource::FirstClientTool(tools) => write!(words, "\0first {tools:?}\0"),
        BindingSource::Setting(setting) => write!(words, "\0value {setting:?}\0"),
    };
}
