//! Expectations, and how a result falls short of them.

use regex::Regex;

use super::difference::{DiffLine, difference, lines, plain, shown};
use crate::explain::{Explanation, Traced, Verdict};
use crate::message::{Section, SectionOverride};
use crate::source::Span;

/// A value with its place in the test file.
#[derive(Clone, Debug)]
pub(super) struct Spanned<T> {
    /// The value.
    pub(super) value: T,
    /// Its place.
    pub(super) span: Span,
}

/// What must be true of a result: everything that is there.
#[derive(Debug)]
pub struct Expectation {
    pub(super) mode: Option<Spanned<String>>,
    /// Nothing inside: no contributor may be chosen.
    pub(super) contributor: Option<Spanned<Option<String>>>,
    pub(super) sections: Vec<(Section, SectionExpectation)>,
    pub(super) rendering: Vec<Rendering>,
    pub(super) content: Option<TextExpectation>,
    pub(super) summary: Option<Spanned<String>>,
}

/// A line or block that must be rendered, or must not.
#[derive(Debug)]
pub(super) struct Rendering {
    pub(super) id: Spanned<String>,
    pub(super) rendered: bool,
}

#[derive(Debug)]
pub(super) struct SectionExpectation {
    pub(super) action: Option<Spanned<String>>,
    pub(super) text: TextExpectation,
}

#[derive(Debug)]
pub(super) struct TextExpectation {
    pub(super) absent: Option<Span>,
    pub(super) contains: Vec<Spanned<String>>,
    pub(super) not_contains: Vec<Spanned<String>>,
    pub(super) equals: Option<Spanned<String>>,
    pub(super) matches: Option<Spanned<Regex>>,
}

/// One expectation that a result falls short of.
#[derive(Clone, Debug)]
pub struct Mismatch<'r> {
    /// What was expected of what, as in the test file: `sections.tone.contains`.
    pub path: String,
    /// The expectation's place in the test file.
    pub span: Span,
    /// What was expected.
    pub expected: String,
    /// What is there.
    pub actual: String,
    /// The text that is there, or its difference from the expected one, with who says it.
    pub lines: Vec<DiffLine<'r>>,
    /// Why it is so, in sentences with places.
    pub why: Vec<Why>,
}

/// A reason for what is there.
#[derive(Clone, Debug)]
pub struct Why {
    /// The reason.
    pub text: String,
    /// Where it is written, if somewhere.
    pub span: Option<Span>,
}

/// What an expectation is compared with. The explanation is made when it is first needed.
pub(super) struct Actual<'x, 'r> {
    pub(super) explanation: &'x Explanation<'r>,
}

impl Expectation {
    /// How the result falls short, in the order of the keys.
    pub(super) fn mismatches<'r>(&self, explanation: &Explanation<'r>) -> Vec<Mismatch<'r>> {
        let actual = Actual { explanation };
        let mode = self.mode.iter().filter_map(|mode| actual.mode(mode));
        let contributor = self.contributor.iter().filter_map(|expected| actual.contributor(expected));
        let sections = self.sections.iter().flat_map(|(section, expected)| actual.section(*section, expected));
        let rendering = self.rendering.iter().filter_map(|expected| actual.rendering(expected));
        let content = self.content.iter().flat_map(|expected| {
            let why = Vec::new();
            actual.text("content", expected, explanation.message.content(), "content", &why)
        });
        let summary = self.summary.iter().filter_map(|summary| actual.summary(summary));
        mode.chain(contributor).chain(sections).chain(rendering).chain(content).chain(summary).collect()
    }
}

impl<'r> Actual<'_, 'r> {
    fn mode(&self, expected: &Spanned<String>) -> Option<Mismatch<'r>> {
        let mode = self.explanation.message.mode();
        (mode != expected.value)
            .then(|| self.mismatch("mode", expected.span, expected.value.clone(), mode.to_owned(), Vec::new()))
    }

    fn contributor(&self, expected: &Spanned<Option<String>>) -> Option<Mismatch<'r>> {
        let chosen = self.explanation.choice.map(|choice| &*choice.contributor.id);
        if chosen == expected.value.as_deref() {
            return None;
        }
        let why = expected.value.iter().flat_map(|id| self.why_rule(id)).collect();
        let name = |id: Option<&str>| id.unwrap_or("none").to_owned();
        Some(self.mismatch("contributor", expected.span, name(expected.value.as_deref()), name(chosen), why))
    }

    fn section(&self, section: Section, expected: &SectionExpectation) -> Vec<Mismatch<'r>> {
        let sections = self.explanation.message.sections();
        let value = sections.and_then(|sections| sections.get(section));
        let path = format!("sections.{section}");
        let why = self.why_section(section);
        let mut mismatches = Vec::new();
        if let Some(action) = &expected.action
            && value.map(SectionOverride::action) != Some(&action.value)
        {
            let actual = value.map_or("no override", SectionOverride::action).to_owned();
            let path = format!("{path}.action");
            mismatches.push(self.mismatch(&path, action.span, action.value.clone(), actual, why.clone()));
            if value.is_none() {
                // What is not there has no text to speak of.
                return mismatches;
            }
        }
        let text = value.and_then(SectionOverride::content);
        match (expected.text.absent, value) {
            (Some(span), Some(value)) => {
                let actual = value.action().to_owned();
                let path = format!("{path}.absent");
                let mut mismatch = self.mismatch(&path, span, "no override".to_owned(), actual, why);
                mismatch.lines = text.map(|text| shown(lines(text))).unwrap_or_default();
                mismatches.push(mismatch);
            }
            (Some(_), None) => {}
            (None, _) => {
                let what = value.map_or("no override", SectionOverride::action);
                mismatches.extend(self.text(&path, &expected.text, text, what, &why));
            }
        }
        mismatches
    }

    fn rendering(&self, expected: &Rendering) -> Option<Mismatch<'r>> {
        let id = &expected.id.value;
        let rule = self.explanation.rules.iter().find(|rule| rule.id == id);
        let rendered = rule.is_some_and(|rule| rule.verdict == Verdict::Applied);
        if rendered == expected.rendered {
            return None;
        }
        let name = |rendered| if rendered { "rendered" } else { "not rendered" };
        let path = format!("lines.{}", name(expected.rendered).replace(' ', "_"));
        let (wanted, actual) = (format!("`{id}` {}", name(expected.rendered)), format!("`{id}` {}", name(rendered)));
        Some(self.mismatch(&path, expected.id.span, wanted, actual, self.why_rule(id)))
    }

    fn summary(&self, expected: &Spanned<String>) -> Option<Mismatch<'r>> {
        let summary = self.explanation.message.summary();
        (summary != expected.value)
            .then(|| self.mismatch("summary", expected.span, expected.value.clone(), summary, Vec::new()))
    }

    /// `what` says what is there, in the end a text or none.
    fn text(
        &self,
        path: &str,
        expected: &TextExpectation,
        text: Option<&Traced<'r>>,
        what: &str,
        why: &[Why],
    ) -> Vec<Mismatch<'r>> {
        let actual = || match text {
            Some(text) => format!("{what}, {} characters", text.as_str().chars().count()),
            None if what == "content" => "no content".to_owned(),
            None if what == "no override" => what.to_owned(),
            None => format!("{what}, without content"),
        };
        let fails = |key: &str, span, expected: String, lines| {
            let mut mismatch = self.mismatch(&format!("{path}.{key}"), span, expected, actual(), why.to_vec());
            mismatch.lines = lines;
            mismatch
        };
        let all = || text.map(|text| shown(lines(text))).unwrap_or_default();
        let whole = text.map(Traced::as_str);
        let mut mismatches = Vec::new();
        if let Some(span) = expected.absent.filter(|_| text.is_some()) {
            mismatches.push(fails("absent", span, "none".to_owned(), all()));
        }
        for needle in expected.contains.iter().filter(|needle| !whole.is_some_and(|text| text.contains(&*needle.value)))
        {
            mismatches.push(fails("contains", needle.span, format!("contains {:?}", needle.value), all()));
        }
        for needle in
            expected.not_contains.iter().filter(|needle| whole.is_some_and(|text| text.contains(&*needle.value)))
        {
            let lines = text.map(|text| self.around(text, &needle.value)).unwrap_or_default();
            mismatches.push(fails("not_contains", needle.span, format!("does not contain {:?}", needle.value), lines));
        }
        for equal in expected.equals.iter().filter(|equal| whole != Some(&*equal.value)) {
            let actual = text.map(lines).unwrap_or_default();
            let lines = difference(&plain(&equal.value), &actual);
            mismatches.push(fails("equals", equal.span, "the text below".to_owned(), lines));
        }
        for pattern in expected.matches.iter().filter(|one| !whole.is_some_and(|text| one.value.is_match(text))) {
            mismatches.push(fails("matches", pattern.span, format!("matches /{}/", pattern.value.as_str()), all()));
        }
        mismatches
    }

    /// The lines of a text that contain something, or where it begins.
    fn around(&self, text: &Traced<'r>, needle: &str) -> Vec<DiffLine<'r>> {
        let start = text.as_str().find(needle).unwrap_or(0);
        let line = |offset: usize| text.as_str().get(..offset).map_or(0, |before| before.matches('\n').count());
        let (first, last) = (line(start), line(start + needle.len()));
        let all = shown(lines(text)).into_iter();
        all.skip(first).take(last + 1 - first).map(|line| DiffLine { sign: super::Sign::Extra, ..line }).collect()
    }

    fn mismatch(&self, path: &str, span: Span, expected: String, actual: String, why: Vec<Why>) -> Mismatch<'r> {
        Mismatch { path: path.to_owned(), span, expected, actual, lines: Vec::new(), why }
    }
}
