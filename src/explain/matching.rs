//! Why a contributor does not take a model id: the first failing condition of its matcher.

use super::because::Because;
use super::describe;
use crate::interpret::ModelId;
use crate::rules::{Contributor, Family, LiteralKind, MatchCondition, Matcher, Pattern};
use crate::source::Span;

/// Why a contributor that was tried does not take the id: its predicate first, then its families.
pub(super) fn refusal(contributor: &Contributor, model: &ModelId<'_>) -> Option<Because> {
    let matching = contributor.matching.as_ref()?;
    match &matching.predicate {
        Some(predicate) => failing(predicate, model),
        None => families(&matching.families, model, matching.span),
    }
}

fn families(families: &[Family], model: &ModelId<'_>, span: Span) -> Option<Because> {
    if families.iter().any(|family| model.raw().starts_with(&*family.prefix)) {
        return None;
    }
    let span = families.first().map_or(span, |family| family.span);
    let prefixes = describe::list(families.iter().map(|family| family.prefix.to_string()));
    let with = if families.len() == 1 { "does not begin with it" } else { "begins with none of them" };
    Some(Because { condition: format!("families {prefixes}"), fact: format!("`{}` {with}", model.raw()), span })
}

/// The first condition of a matcher that refuses the id; nothing if the matcher accepts it.
pub(super) fn failing(matcher: &Matcher, model: &ModelId<'_>) -> Option<Because> {
    first_failing(&matcher.pattern, model, model.form(matcher.normalize))
}

fn first_failing(pattern: &Pattern, model: &ModelId<'_>, text: &str) -> Option<Because> {
    let condition = pattern.conditions.iter().find(|condition| !model.meets(condition, text))?;
    let because = |fact: String, span| Because { condition: describe::match_condition(condition), fact, span };
    Some(match condition {
        MatchCondition::Literals(kind, literals) => {
            let span = literals.first().map_or(pattern.span, |literal| literal.span);
            because(format!("`{text}` {}", refused(*kind, literals.len() > 1)), span)
        }
        MatchCondition::Regex(regex) => because(format!("no match in `{text}`"), regex.span),
        MatchCondition::All(patterns) => {
            return patterns.iter().find_map(|pattern| first_failing(pattern, model, text));
        }
        MatchCondition::Any(_) => because(format!("none accepts `{text}`"), pattern.span),
        MatchCondition::Not(inner) => because(format!("it accepts `{text}`"), inner.span),
        MatchCondition::Group(group, span) => {
            let inner = failing(&group.matcher, model)?;
            let condition = format!("group {}: {}", group.name, inner.condition);
            Because { condition, fact: inner.fact, span: *span }
        }
    })
}

fn refused(kind: LiteralKind, many: bool) -> &'static str {
    match (kind, many) {
        (LiteralKind::Equals, false) => "is not it",
        (LiteralKind::Equals, true) => "is none of them",
        (LiteralKind::Prefix, false) => "does not begin with it",
        (LiteralKind::Prefix, true) => "begins with none of them",
        (LiteralKind::Suffix, false) => "does not end with it",
        (LiteralKind::Suffix, true) => "ends with none of them",
        (LiteralKind::Contains, false) => "does not contain it",
        (LiteralKind::Contains, true) => "contains none of them",
    }
}
