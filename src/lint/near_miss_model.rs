#![doc = include_str!("pages/near-miss-model.md")]

use std::sync::Arc;

use super::judgement::accepts;
use super::models::{Taken, is};
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
    let models = subject.taken().iter();
    let sound = models.filter(|taken| !findings.blames(&[Code::HiddenCharacter, Code::ConfusableName], taken.span));
    let mut misses: Vec<Miss<'_>> = sound.filter_map(|taken| miss(subject, taken)).collect();
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
            if found.contains(&base) {
                continue;
            }
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

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{codes, of, spots};

    fn missed(models: &str, contributors: &[(&str, &str)]) -> Vec<String> {
        let rules: String = contributors
            .iter()
            .map(|(id, matching)| format!("  - {{id: {id}, description: x, match: {matching}, content: x}}\n"))
            .collect();
        let found = of(&format!("catalog: {{models: [{models}]}}\ncontributors:\n{rules}"));
        assert!(codes(&found).iter().all(|code| *code == "near-miss-model"), "{:?}", codes(&found));
        spots(&found, Code::NearMissModel)
    }

    #[test]
    fn every_way_to_spell_an_id_is_tried() {
        for model in ["GPT-5-4", "gpt-5.4", "gpt-5_4", "gpt_5_4", "openai/gpt-5-4", "OpenAI/GPT-5.4-mini"] {
            let found = missed(&format!("gpt-5-4-x, {model}"), &[("gpt", "{families: [gpt-5-4]}")]);
            assert_eq!(found, ["gpt-5-4"], "{model}");
        }
        assert_eq!(missed("gpt-5.4, gpt-5-4", &[("gpt", "{model: {equals: gpt-5.4}}")]), ["{equals: gpt-5.4}"]);
    }

    #[test]
    fn other_models_are_no_near_misses() {
        assert_eq!(missed("gpt-5-4, gpt-54, claude", &[("gpt", "{families: [gpt-5-4]}")]), [""; 0]);
        let all = "{model: {normalize: [vendor, lowercase, dashes], prefix: gpt-5-4}}";
        assert_eq!(missed("gpt-5.4, OpenAI/GPT-5-4", &[("gpt", all)]), [""; 0]);
    }

    #[test]
    fn a_model_with_a_contributor_of_its_own_is_none() {
        let vendors = [("gpt", "{families: [gpt-]}"), ("router", "{families: [router/]}")];
        assert_eq!(missed("gpt-5, router/gpt-5", &vendors), [""; 0]);
        let general = [("opus", "{families: [claude-opus-4-8]}"), ("claude", "{families: [claude-]}")];
        assert_eq!(missed("claude-opus-4-8, claude-opus-4.8", &general), ["claude-opus-4-8"]);
    }
}
