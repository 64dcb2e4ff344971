#![doc = include_str!("pages/duplicate-text.md")]

use std::collections::hash_map::Entry;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::exact::{Exact, Who};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Binding, BindingSource, Item, Line, Part, Piece, Template, Text, TextBody};

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    // By their words in a number: few texts need their words in full.
    let mut firsts: FxHashMap<u64, &Line> = FxHashMap::default();
    let mut said: FxHashMap<String, Vec<&Line>> = FxHashMap::default();
    let mut buffer = String::new();
    for line in subject.rules.lines.iter().chain(&subject.rules.blocks) {
        buffer.clear();
        if add_text(exact, &line.text, &mut buffer).is_none() || buffer.trim().is_empty() {
            continue;
        }
        let first = match firsts.entry(number(&buffer)) {
            Entry::Vacant(place) => {
                place.insert(line);
                continue;
            }
            Entry::Occupied(first) => *first.get(),
        };
        if let Some(words) = words(exact, &first.text) {
            said.entry(words).or_insert_with(|| vec![first]);
        }
        let same = said.entry(folded(&buffer)).or_default();
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

/// What a text says, white space aside.
fn words<'a>(exact: &mut Exact<'a>, text: &'a Text) -> Option<String> {
    let mut words = String::new();
    add_text(exact, text, &mut words)?;
    Some(folded(&words))
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same for the same words.
fn number(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.split_whitespace().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

/// Adds what a text says, in every context the same for the same words; nothing if a gate in it is beyond the limits.
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
