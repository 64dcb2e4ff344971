//! Ids that a matcher more or less names: guesses that save a search when one of them will do.

use regex_syntax::hir::literal::Extractor;

use crate::rules::{LiteralKind, MatchCondition, Matcher, Pattern};

/// Ids to try first. Nothing says that the matcher accepts them.
pub(in crate::lint) fn named_by(matcher: &Matcher) -> Vec<String> {
    let mut ids = Vec::new();
    of_pattern(&matcher.pattern, &mut ids);
    ids
}

fn of_pattern(pattern: &Pattern, ids: &mut Vec<String>) {
    pattern.conditions.iter().for_each(|condition| of_condition(condition, ids));
}

fn of_condition(condition: &MatchCondition, ids: &mut Vec<String>) {
    match condition {
        MatchCondition::Literals(kind, literals) => {
            literals.iter().for_each(|literal| of_literal(*kind, &literal.text, ids));
        }
        MatchCondition::Regex(regex) => of_regex(regex.regex.as_str(), ids),
        MatchCondition::All(patterns) | MatchCondition::Any(patterns) => {
            patterns.iter().for_each(|pattern| of_pattern(pattern, ids));
        }
        MatchCondition::Not(_) => {}
        MatchCondition::Group(group, _) => of_pattern(&group.matcher.pattern, ids),
    }
}

fn of_literal(kind: LiteralKind, text: &str, ids: &mut Vec<String>) {
    ids.push(text.to_owned());
    match kind {
        LiteralKind::Equals => {}
        LiteralKind::Prefix => ids.push(format!("{text}x")),
        LiteralKind::Suffix => ids.push(format!("x{text}")),
        LiteralKind::Contains => ids.push(format!("x{text}x")),
    }
}

/// The literals that matches begin with, and what may follow one.
fn of_regex(pattern: &str, ids: &mut Vec<String>) {
    let Ok(hir) = regex_syntax::parse(pattern) else { return };
    let found = Extractor::new().extract(&hir);
    for literal in found.literals().unwrap_or_default() {
        if let Ok(text) = std::str::from_utf8(literal.as_bytes()) {
            ids.extend([text.to_owned(), format!("{text}0"), format!("{text}x")]);
        }
    }
}
