//! Questions about all contexts that these checks leave to exact analysis.
//!
//! Each function here is a hook: it has the signature that the checks need and, for now, an answer that is right
//! wherever it says that something is impossible. The exact answers belong to the analysis of gates and languages.

use super::subject::Subject;
use crate::interpret::{ModelId, choose};
use crate::rules::{
    Condition, ConditionKind, Contributor, Gate, Line, LiteralKind, MatchCondition, Pattern, SettingId, SettingValue,
    ToolId,
};

use super::layers::{is_blank, is_certain};

/// HOOK: whether some context satisfies all of these gates. Now: unless two of their conditions contradict each other.
pub(super) fn can_hold_together<'a>(gates: impl IntoIterator<Item = &'a Gate>) -> bool {
    let mut facts = Vec::new();
    gates.into_iter().for_each(|gate| demand(gate, &mut facts));
    let contradicts = |(at, fact): (usize, &Fact<'_>)| facts.iter().skip(at + 1).any(|other| fact.contradicts(other));
    !facts.iter().enumerate().any(contradicts)
}

/// HOOK: whether in every context some line applies, so that the composition pads `tool_instructions`.
/// Now: a line without a gate whose text is always there.
pub(super) fn always_padded<'a>(subject: &Subject<'a>) -> Option<&'a Line> {
    let pads = |line: &&Line| line.when.is_none() && is_certain(&line.text) && !is_blank(&line.text);
    subject.rules.lines.iter().find(pads)
}

/// HOOK: whether some id that the contributor takes would go to another one without it. Now: tried with the ids
/// that the catalog and the matchers themselves name.
pub(super) fn shields(subject: &Subject<'_>, contributor: &Contributor) -> bool {
    let mut ids: Vec<String> = subject.rules.catalog.models().iter().map(|model| model.to_string()).collect();
    for other in &subject.rules.contributors {
        named_ids(other, &mut ids);
    }
    ids.iter().any(|id| {
        let model = ModelId::new(id);
        let takes =
            choose(subject.rules, &model).is_some_and(|choice| std::ptr::eq(&**choice.contributor, contributor));
        let others = subject.rules.contributors.iter().filter(|other| !std::ptr::eq(&***other, contributor));
        takes && others.into_iter().any(|other| accepts(other, &model))
    })
}

/// Whether the contributor would take an id if it were alone.
pub(super) fn accepts(contributor: &Contributor, model: &ModelId<'_>) -> bool {
    contributor.matching.as_ref().is_some_and(|matching| {
        matching.predicate.as_ref().is_some_and(|predicate| model.is_accepted_by(predicate))
            || matching.families.iter().any(|family| model.raw().starts_with(&*family.prefix))
    })
}

/// The literals of a contributor's matchers, as ids that it may well take.
fn named_ids(contributor: &Contributor, ids: &mut Vec<String>) {
    let Some(matching) = &contributor.matching else { return };
    for family in &matching.families {
        ids.extend([family.prefix.to_string(), format!("{}x", family.prefix)]);
    }
    if let Some(predicate) = &matching.predicate {
        literals(&predicate.pattern, ids);
    }
}

fn literals(pattern: &Pattern, ids: &mut Vec<String>) {
    for condition in &pattern.conditions {
        match condition {
            MatchCondition::Literals(kind, literals) => ids.extend(literals.iter().map(|literal| match kind {
                LiteralKind::Suffix => format!("x{}", literal.text),
                LiteralKind::Equals | LiteralKind::Prefix | LiteralKind::Contains => literal.text.to_string(),
            })),
            MatchCondition::Regex(regex) => ids.extend(sample(regex.regex.as_str())),
            MatchCondition::All(patterns) | MatchCondition::Any(patterns) => {
                patterns.iter().for_each(|pattern| literals(pattern, ids));
            }
            MatchCondition::Not(_) => {}
            MatchCondition::Group(group, _) => literals(&group.matcher.pattern, ids),
        }
    }
}

/// The literals that matches of a regex begin with.
fn sample(pattern: &str) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Vec::new() };
    let sequence = regex_syntax::hir::literal::Extractor::new().extract(&hir);
    let literals = sequence.literals().unwrap_or_default().iter();
    literals.filter_map(|literal| String::from_utf8(literal.as_bytes().to_vec()).ok()).collect()
}

/// Something that must be so for a gate to hold.
#[derive(Clone, Copy)]
enum Fact<'a> {
    Tool(ToolId, bool),
    ToolSearch(bool),
    Workspaceless(bool),
    Setting(SettingId, &'a SettingValue),
}

impl Fact<'_> {
    fn contradicts(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tool(left, has), Self::Tool(right, also)) => left == right && has != also,
            (Self::ToolSearch(left), Self::ToolSearch(right))
            | (Self::Workspaceless(left), Self::Workspaceless(right)) => left != right,
            (Self::Setting(left, value), Self::Setting(right, other)) => left == right && value != other,
            (Self::Tool(..) | Self::ToolSearch(_) | Self::Workspaceless(_) | Self::Setting(..), _) => false,
        }
    }
}

fn demand<'a>(gate: &'a Gate, facts: &mut Vec<Fact<'a>>) {
    for Condition { kind, .. } in &gate.conditions {
        match kind {
            ConditionKind::HasClientTool(tool) => facts.push(Fact::Tool(*tool, true)),
            ConditionKind::HasAllClientTools(tools) => facts.extend(tools.iter().map(|tool| Fact::Tool(*tool, true))),
            ConditionKind::ToolSearchActive(active) => facts.push(Fact::ToolSearch(*active)),
            ConditionKind::Workspaceless(flag) => facts.push(Fact::Workspaceless(*flag)),
            ConditionKind::SettingEquals(pairs) => {
                facts.extend(pairs.iter().map(|(setting, value)| Fact::Setting(*setting, value)));
            }
            ConditionKind::All(gates) => gates.iter().for_each(|gate| demand(gate, facts)),
            ConditionKind::Not(gate) => deny(gate, facts),
            ConditionKind::HasAnyClientTool(_)
            | ConditionKind::SettingIn(_)
            | ConditionKind::SettingIsSet(_)
            | ConditionKind::Model(_)
            | ConditionKind::Any(_) => {}
        }
    }
}

/// What must be so for a gate of a single condition not to hold.
fn deny<'a>(gate: &'a Gate, facts: &mut Vec<Fact<'a>>) {
    let [Condition { kind, .. }] = &*gate.conditions else { return };
    match kind {
        ConditionKind::HasClientTool(tool) => facts.push(Fact::Tool(*tool, false)),
        ConditionKind::HasAnyClientTool(tools) => facts.extend(tools.iter().map(|tool| Fact::Tool(*tool, false))),
        ConditionKind::ToolSearchActive(active) => facts.push(Fact::ToolSearch(!active)),
        ConditionKind::Workspaceless(flag) => facts.push(Fact::Workspaceless(!flag)),
        ConditionKind::Not(gate) => demand(gate, facts),
        ConditionKind::HasAllClientTools(_)
        | ConditionKind::SettingEquals(_)
        | ConditionKind::SettingIn(_)
        | ConditionKind::SettingIsSet(_)
        | ConditionKind::Model(_)
        | ConditionKind::All(_)
        | ConditionKind::Any(_) => {}
    }
}
