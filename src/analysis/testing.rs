//! Compiled rules by hand, for tests.

use std::sync::Arc;

use crate::rules::{
    Literal, LiteralKind, MatchCondition, Matcher, ModelGroup, ModelRegex, NormalForm, Pattern, RegexPattern,
};
use crate::source::{SourceFile, Sources, Span};

pub(super) fn span() -> Span {
    let file = Sources::default().add(SourceFile::new("a.yaml".into(), "a.yaml".into(), String::new()));
    Span::new(file, 0, 0)
}

/// `v`, `l`, `d` for the steps.
pub(super) fn form(steps: &str) -> NormalForm {
    NormalForm { vendor: steps.contains('v'), lowercase: steps.contains('l'), dashes: steps.contains('d') }
}

pub(super) fn literals(kind: LiteralKind, texts: &[&str]) -> MatchCondition {
    let literals = texts.iter().map(|text| Literal { text: (*text).into(), span: span() });
    MatchCondition::Literals(kind, literals.collect())
}

pub(super) fn equals(text: &str) -> MatchCondition {
    literals(LiteralKind::Equals, &[text])
}

pub(super) fn prefix(text: &str) -> MatchCondition {
    literals(LiteralKind::Prefix, &[text])
}

pub(super) fn regex(pattern: &str) -> MatchCondition {
    MatchCondition::Regex(RegexPattern { regex: ModelRegex::new(pattern).unwrap(), span: span() })
}

pub(super) fn pattern(conditions: Vec<MatchCondition>) -> Pattern {
    Pattern { conditions: conditions.into(), span: span() }
}

pub(super) fn not(condition: MatchCondition) -> MatchCondition {
    MatchCondition::Not(Box::new(pattern(vec![condition])))
}

pub(super) fn matcher(steps: &str, conditions: Vec<MatchCondition>) -> Matcher {
    Matcher { normalize: form(steps), pattern: pattern(conditions) }
}

pub(super) fn group(steps: &str, conditions: Vec<MatchCondition>) -> MatchCondition {
    let group = ModelGroup { name: "g".into(), span: span(), matcher: matcher(steps, conditions) };
    MatchCondition::Group(Arc::new(group), span())
}

/// Whether a matcher accepts an id, said a second time.
pub(super) fn accepts(matcher: &Matcher, id: &str) -> bool {
    pattern_accepts(&matcher.pattern, &matcher.normalize.apply(id), id)
}

fn pattern_accepts(pattern: &Pattern, id: &str, raw: &str) -> bool {
    pattern.conditions.iter().all(|condition| match condition {
        MatchCondition::Literals(kind, literals) => literals.iter().any(|literal| kind.accepts(&literal.text, id)),
        MatchCondition::Regex(pattern) => pattern.regex.is_match(id),
        MatchCondition::All(patterns) => patterns.iter().all(|pattern| pattern_accepts(pattern, id, raw)),
        MatchCondition::Any(patterns) => patterns.iter().any(|pattern| pattern_accepts(pattern, id, raw)),
        MatchCondition::Not(pattern) => !pattern_accepts(pattern, id, raw),
        MatchCondition::Group(group, _) => accepts(&group.matcher, raw),
    })
}

/// All ids of at most `longest` characters of `letters`, shortest first.
pub(super) fn ids(letters: &str, longest: usize) -> Vec<String> {
    let mut all = Vec::new();
    let mut last = vec![String::new()];
    for _ in 0..longest {
        last = last.iter().flat_map(|id| letters.chars().map(move |letter| format!("{id}{letter}"))).collect();
        all.extend_from_slice(&last);
    }
    all
}
