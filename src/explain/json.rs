//! An explanation for programs: the format of the contract, with who overrides each section and
//! the hints beside it.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use super::{Because, Explanation, RuleVerdict, SectionSource, Segment, Traced};
use crate::interpret::{ChosenBy, DefaultReason, RuleKind};
use crate::message::SystemMessageConfig;
use crate::source::{Sources, Span};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    system_message: &'a SystemMessageConfig<Traced<'a>>,
    summary: String,
    base: Base<'a>,
    rules: Vec<Rule<'a>>,
    provenance: IndexMap<String, Vec<Piece<'a>>>,
    sections: IndexMap<&'static str, Source<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
}

#[derive(Serialize)]
struct Base<'a> {
    contributor: Option<&'a str>,
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<DefaultReason>,
}

#[derive(Serialize)]
struct Rule<'a> {
    id: &'a str,
    kind: RuleKind,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<Reason<'a>>,
}

#[derive(Serialize)]
struct Reason<'a> {
    condition: &'a str,
    fact: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Piece<'a> {
    Written {
        text: &'a str,
        rule: &'a str,
        #[serde(flatten)]
        place: Place<'a>,
    },
    Separator {
        text: &'a str,
        separator: bool,
    },
}

#[derive(Serialize)]
struct Source<'a> {
    action: &'static str,
    #[serde(flatten)]
    rule: Option<Written<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    lines: usize,
}

#[derive(Serialize)]
struct Written<'a> {
    rule: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The explanation as one JSON document, ending with a newline.
#[must_use]
pub fn json(sources: &Sources, explanation: &Explanation<'_>) -> String {
    let document = Document {
        system_message: &explanation.message,
        summary: explanation.message.summary(),
        base: base(explanation),
        rules: explanation.rules.iter().map(|rule| self::rule(sources, rule)).collect(),
        provenance: provenance(sources, &explanation.message),
        sections: explanation.sections.iter().map(|source| section(sources, explanation, source)).collect(),
        hints: &explanation.hints,
    };
    let mut text =
        serde_json::to_string_pretty(&document).unwrap_or_else(|error| Value::String(error.to_string()).to_string());
    text.push('\n');
    text
}

fn base<'a>(explanation: &'a Explanation<'_>) -> Base<'a> {
    let by = explanation.choice.map(|choice| choice.by);
    Base {
        contributor: explanation.choice.map(|choice| &*choice.contributor.id),
        by: by.map(|by| match by {
            ChosenBy::Predicate => "predicate",
            ChosenBy::Family(_) => "family",
        }),
        family: by.and_then(|by| match by {
            ChosenBy::Predicate => None,
            ChosenBy::Family(family) => Some(&*family.prefix),
        }),
        reason: explanation.reason,
    }
}

fn rule<'a>(sources: &'a Sources, rule: &'a RuleVerdict<'_>) -> Rule<'a> {
    let reason = |because: &'a Because| Reason {
        condition: &because.condition,
        fact: &because.fact,
        place: place(sources, because.span),
    };
    Rule { id: rule.id, kind: rule.kind, verdict: rule.verdict.as_str(), because: rule.verdict.because().map(reason) }
}

fn provenance<'a>(
    sources: &'a Sources,
    message: &'a SystemMessageConfig<Traced<'_>>,
) -> IndexMap<String, Vec<Piece<'a>>> {
    texts(message)
        .map(|(path, text)| (path, text.segments().map(|segment| piece(sources, segment)).collect()))
        .collect()
}

/// The composed texts of a message with their paths in it.
pub(crate) fn texts<'t, 'r>(
    message: &'t SystemMessageConfig<Traced<'r>>,
) -> impl Iterator<Item = (String, &'t Traced<'r>)> {
    let sections = message.sections().into_iter().flat_map(|sections| sections.iter());
    let sections = sections.filter_map(|(name, value)| Some((format!("sections.{name}.content"), value.content()?)));
    sections.chain(message.content().map(|content| ("content".to_owned(), content)))
}

fn piece<'a>(sources: &'a Sources, segment: Segment<'a, 'a>) -> Piece<'a> {
    match segment.origin {
        Some(origin) => Piece::Written { text: segment.text, rule: origin.rule, place: place(sources, origin.span) },
        None => Piece::Separator { text: segment.text, separator: true },
    }
}

fn section<'a>(
    sources: &'a Sources,
    explanation: &'a Explanation<'_>,
    source: &SectionSource<'a>,
) -> (&'static str, Source<'a>) {
    let value = explanation.message.sections().and_then(|sections| sections.get(source.section));
    let written = |(rule, chosen): (&'a str, &'a crate::rules::Override)| Written {
        rule,
        place: place(sources, chosen.action_span),
    };
    let action = value.map_or("", |value| value.action());
    let written = source.rule.map(written);
    (source.section.as_str(), Source { action, rule: written, lines: source.lines })
}

fn place(sources: &Sources, span: Span) -> Place<'_> {
    Place { file: sources.file(span.file).name(), line: sources.start(span).line }
}
