//! Every compiled matcher of a set, each once.

use rustc_hash::FxHashSet;

use crate::rules::{
    ConditionKind, Gate, Line, MatchCondition, Matcher, Part, Pattern, RuleSet, SectionRule, Text, TextBody,
};
use crate::source::Span;

/// Those of groups, contributors, gates and tool search.
pub(in crate::lint) fn matchers(rules: &RuleSet) -> Vec<&Matcher> {
    let mut found: Vec<&Matcher> = rules.catalog.model_groups().iter().map(|group| &group.matcher).collect();
    of_sections(&rules.base.sections, &mut found);
    rules.base.content.iter().for_each(|text| of_text(text, &mut found));
    for contributor in &rules.contributors {
        found.extend(contributor.matching.as_ref().and_then(|matching| matching.predicate.as_ref()));
        contributor.when.iter().for_each(|gate| of_gate(gate, &mut found));
        of_sections(&contributor.sections, &mut found);
        contributor.content.iter().for_each(|text| of_text(text, &mut found));
        if let Some(prompt) = &contributor.full_prompt {
            prompt.when.iter().for_each(|gate| of_gate(gate, &mut found));
            of_text(&prompt.text, &mut found);
        }
    }
    rules.lines.iter().chain(&rules.blocks).for_each(|line| of_line(line, &mut found));
    found.extend(rules.tool_search.as_ref().map(|search| &search.supported_models));
    let mut seen = FxHashSet::default();
    found.retain(|matcher| seen.insert(matcher.pattern.span));
    found
}

fn of_line<'a>(line: &'a Line, found: &mut Vec<&'a Matcher>) {
    line.when.iter().for_each(|gate| of_gate(gate, found));
    of_text(&line.text, found);
}

fn of_sections<'a>(sections: &'a [SectionRule], found: &mut Vec<&'a Matcher>) {
    for chosen in sections.iter().flat_map(|rule| &rule.overrides) {
        chosen.when.iter().for_each(|gate| of_gate(gate, found));
        chosen.action.content().into_iter().for_each(|text| of_text(text, found));
    }
}

fn of_text<'a>(text: &'a Text, found: &mut Vec<&'a Matcher>) {
    let TextBody::List(items) = &text.body else { return };
    for item in items {
        item.when.iter().for_each(|gate| of_gate(gate, found));
        if let Part::Shared(shared, _) = &item.part {
            of_text(&shared.text, found);
        }
    }
}

/// The matchers of a gate.
pub(super) fn of_gate<'a>(gate: &'a Gate, found: &mut Vec<&'a Matcher>) {
    for condition in &gate.conditions {
        if let ConditionKind::Model(matcher) = &condition.kind {
            found.push(matcher);
        }
        condition.kind.gates().iter().for_each(|gate| of_gate(gate, found));
    }
}

/// The places of the groups that a pattern names, however far.
pub(in crate::lint) fn groups(pattern: &Pattern, places: &mut Vec<Span>) {
    for condition in &pattern.conditions {
        match condition {
            MatchCondition::Group(group, _) => {
                places.push(group.matcher.pattern.span);
                groups(&group.matcher.pattern, places);
            }
            MatchCondition::All(patterns) | MatchCondition::Any(patterns) => {
                patterns.iter().for_each(|pattern| groups(pattern, places));
            }
            MatchCondition::Not(pattern) => groups(pattern, places),
            MatchCondition::Literals(..) | MatchCondition::Regex(_) => {}
        }
    }
}
