#![doc = include_str!("pages/near-miss-model.md")]

use std::sync::Arc;

use super::judgement::accepts;
use super::models::{Taken, is, taken};
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::interpret::{Choice, ChosenBy, ModelId, choose};
use crate::rules::{Contributor, NormalForm};
use crate::source::Span;

/// A known model that misses a contributor by its spelling.
struct Miss<'a> {
    contributor: &'a Arc<Contributor>,
    /// What takes the other spelling.
    place: Span,
    model: &'a str,
    span: Span,
    spelling: String,
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let models = taken(subject).into_iter();
    let sound = models.filter(|taken| !findings.blames(&[Code::HiddenCharacter, Code::ConfusableName], taken.span));
    let mut misses: Vec<Miss<'_>> = sound.filter_map(|taken| miss(subject, &taken)).collect();
    misses.sort_by_key(|miss| (miss.place, miss.span));
    for near in misses.chunk_by(|left, right| left.place == right.place) {
        let Some(first) = near.first() else { continue };
        let id = &first.contributor.id;
        let message = format!("`{id}` takes `{}`, but not `{}` of the catalog", first.spelling, first.model);
        let diagnostic = Diagnostic::new(Code::NearMissModel, first.place, message)
            .rule(id.as_ref())
            .help("`normalize: [vendor, lowercase, dashes]` makes a matcher take every spelling");
        let related = near.iter().map(|miss| (miss.span, "not taken"));
        findings.push(related.fold(diagnostic, |diagnostic, (span, text)| diagnostic.related(span, text)));
    }
}

/// The contributor that takes another spelling of a known model, if the model itself does not go to
/// one that is meant for it: a contributor that takes both spellings is only the next best.
fn miss<'a>(subject: &Subject<'a>, taken: &Taken<'a>) -> Option<Miss<'a>> {
    let near = spellings(taken.model).into_iter().find_map(|spelling| {
        let choice = choose(subject.rules, &ModelId::new(&spelling))?;
        let other = !is(taken.choice, choice.contributor);
        let next_best = taken.choice.is_none_or(|taken| accepts(taken.contributor, &ModelId::new(&spelling)));
        (other && next_best).then(|| (place(choice), choice.contributor, spelling.clone()))
    });
    let (place, contributor, spelling) = near?;
    Some(Miss { contributor, place, model: taken.model, span: taken.span, spelling })
}

fn place(choice: Choice<'_>) -> Span {
    match choice.by {
        ChosenBy::Family(family) => family.span,
        ChosenBy::Predicate => {
            let matching = choice.contributor.matching.as_ref();
            let predicate = matching.and_then(|matching| matching.predicate.as_ref());
            predicate.map_or(choice.contributor.span, |predicate| predicate.pattern.span)
        }
    }
}

/// Other spellings of an id: without its vendor, in lower case, with `-`, `.` or `_` where it has another of them.
/// HOOK: all of them at once is a question about languages.
fn spellings(model: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for vendor in [false, true] {
        for lowercase in [false, true] {
            let base = NormalForm { vendor, lowercase, dashes: false }.apply(model).into_owned();
            let dashes = NormalForm { dashes: true, ..NormalForm::default() }.apply(&base).into_owned();
            let dots = between_digits(&dashes, '.');
            found.extend([dots, between_digits(&dashes, '_'), dashes.replace('-', "_"), dashes, base]);
        }
    }
    found.sort();
    found.dedup();
    found.retain(|spelling| spelling != model && !spelling.is_empty());
    found
}

/// The id with its dashes between digits written otherwise.
fn between_digits(id: &str, separator: char) -> String {
    let letters: Vec<char> = id.chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let write = |(at, letter): (usize, &char)| {
        if *letter == '-' && digit(at.checked_sub(1)) && digit(Some(at + 1)) { separator } else { *letter }
    };
    letters.iter().enumerate().map(write).collect()
}
