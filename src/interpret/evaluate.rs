//! Gates and matchers as functions of the facts.

use super::facts::{Facts, ModelId};
use crate::rules::{Condition, ConditionKind, Gate, MatchCondition, Matcher, Pattern, SettingId, SettingValue};

impl Facts<'_> {
    /// Whether all conditions of a gate hold.
    #[must_use]
    pub fn holds(&self, gate: &Gate) -> bool {
        gate.conditions.iter().all(|condition| self.satisfies(condition))
    }

    /// Whether one condition holds.
    #[must_use]
    pub fn satisfies(&self, condition: &Condition) -> bool {
        match &condition.kind {
            ConditionKind::HasClientTool(tool) => self.has_tool(*tool),
            ConditionKind::HasAnyClientTool(tools) => tools.iter().any(|tool| self.has_tool(*tool)),
            ConditionKind::HasAllClientTools(tools) => tools.iter().all(|tool| self.has_tool(*tool)),
            ConditionKind::ToolSearchActive(flag) => self.tool_search_active == *flag,
            ConditionKind::Workspaceless(flag) => self.workspaceless == *flag,
            ConditionKind::SettingEquals(pairs) => pairs.iter().all(|(setting, value)| self.is(*setting, value)),
            ConditionKind::SettingIn(pairs) => {
                pairs.iter().all(|(setting, values)| values.iter().any(|value| self.is(*setting, value)))
            }
            ConditionKind::SettingIsSet(setting) => self.setting(*setting).is_some(),
            ConditionKind::Model(matcher) => self.model.as_ref().is_some_and(|model| model.is_accepted_by(matcher)),
            ConditionKind::All(gates) => gates.iter().all(|gate| self.holds(gate)),
            ConditionKind::Any(gates) => gates.iter().any(|gate| self.holds(gate)),
            ConditionKind::Not(gate) => !self.holds(gate),
        }
    }

    fn is(&self, setting: SettingId, value: &SettingValue) -> bool {
        self.setting(setting) == Some(value.as_ref())
    }
}

impl ModelId<'_> {
    /// Whether a matcher accepts the id.
    #[must_use]
    pub fn is_accepted_by(&self, matcher: &Matcher) -> bool {
        self.fits(&matcher.pattern, self.form(matcher.normalize))
    }

    /// `text` is the id under the enclosing matcher's normalisation; only a group looks past it.
    pub(crate) fn fits(&self, pattern: &Pattern, text: &str) -> bool {
        pattern.conditions.iter().all(|condition| self.meets(condition, text))
    }

    /// Whether one condition of a pattern accepts the id; `text` as for [`Self::fits`].
    pub(crate) fn meets(&self, condition: &MatchCondition, text: &str) -> bool {
        match condition {
            MatchCondition::Literals(kind, literals) => {
                literals.iter().any(|literal| kind.accepts(&literal.text, text))
            }
            MatchCondition::Regex(pattern) => pattern.regex.is_match(text),
            MatchCondition::All(patterns) => patterns.iter().all(|pattern| self.fits(pattern, text)),
            MatchCondition::Any(patterns) => patterns.iter().any(|pattern| self.fits(pattern, text)),
            MatchCondition::Not(pattern) => !self.fits(pattern, text),
            MatchCondition::Group(group, _) => self.is_accepted_by(&group.matcher),
        }
    }
}
