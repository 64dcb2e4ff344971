//! Why a gate fails: its first failing condition, and the fact that makes it fail.
//!
//! Input: compiled gates, and the facts and context of one run. Output: [`Because`]. What holds
//! and what does not is asked of the interpreter's own evaluation, never worked out here.

use std::collections::BTreeSet;

use super::{describe, matching};
use crate::context::Context;
use crate::interpret::Facts;
use crate::rules::{Binding, BindingSource, Catalog, Condition, ConditionKind, Gate, SettingId, Template, ToolId};
use crate::source::Span;

/// A condition that decided, and the fact that made it do so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The condition, as a rule file would have it in one line.
    pub condition: String,
    /// The fact, in a few words.
    pub fact: String,
    /// Where the condition is written.
    pub span: Span,
}

/// One run's facts, with the words for them.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The names of the rules.
    pub catalog: &'a Catalog,
    /// What gates were asked of.
    pub facts: &'a Facts<'a>,
    /// What the facts were made of.
    pub context: &'a Context,
}

impl Reader<'_> {
    /// The first condition of a gate that fails; nothing if the gate holds.
    #[must_use]
    pub fn failing(&self, gate: &Gate) -> Option<Because> {
        let condition = gate.conditions.iter().find(|condition| !self.facts.satisfies(condition))?;
        if let ConditionKind::All(gates) = &condition.kind {
            return gates.iter().find_map(|gate| self.failing(gate));
        }
        if let (ConditionKind::Model(matcher), Some(model)) = (&condition.kind, &self.facts.model) {
            let mut because = matching::failing(matcher, model)?;
            because.condition = format!("model {}", because.condition);
            return Some(because);
        }
        Some(Because {
            condition: describe::condition(self.catalog, condition),
            fact: self.fact(condition),
            span: condition.key_span,
        })
    }

    /// The fact that decides a condition, whichever way.
    #[must_use]
    pub fn fact(&self, condition: &Condition) -> String {
        match &condition.kind {
            ConditionKind::HasClientTool(tool) => self.tool(*tool),
            ConditionKind::HasAnyClientTool(tools) => self.any_tool(tools),
            ConditionKind::HasAllClientTools(tools) => self.all_tools(tools),
            ConditionKind::ToolSearchActive(_) => format!("it is {}", self.facts.tool_search_active),
            ConditionKind::Workspaceless(_) => format!("it is {}", self.facts.workspaceless),
            ConditionKind::SettingEquals(pairs) => self.settings(pairs.iter().map(|(setting, _)| *setting)),
            ConditionKind::SettingIn(pairs) => self.settings(pairs.iter().map(|(setting, _)| *setting)),
            ConditionKind::SettingIsSet(setting) => self.setting(*setting),
            ConditionKind::Model(_) => match &self.facts.model {
                Some(model) => format!("the model is `{}`", model.raw()),
                None => "there is no model".to_owned(),
            },
            ConditionKind::All(gates) | ConditionKind::Any(gates) => self.facts_of(gates),
            ConditionKind::Not(gate) => self.facts_of(std::slice::from_ref(gate)),
        }
    }

    /// Why a string gives nothing.
    #[must_use]
    pub fn unbound(&self, binding: &Binding, template: &Template) -> Because {
        let (source, fact) = match &binding.source {
            BindingSource::FirstClientTool(tools) => {
                let names = tools.iter().map(|tool| self.catalog.tool_name(*tool).to_owned());
                (format!("first_client_tool {}", describe::list(names)), self.any_tool(tools))
            }
            BindingSource::Setting(setting) => {
                (format!("setting {}", self.catalog.setting(*setting).name), self.setting(*setting))
            }
        };
        Because { condition: format!("{{{{{}}}}} from {source}", binding.name), fact, span: template.span }
    }

    fn tool(&self, tool: ToolId) -> String {
        let not = if self.facts.has_tool(tool) { "" } else { "not " };
        format!("{not}among {}", self.tools())
    }

    fn any_tool(&self, tools: &[ToolId]) -> String {
        match tools.iter().find(|tool| self.facts.has_tool(**tool)) {
            Some(tool) => format!("{} is among {}", self.catalog.tool_name(*tool), self.tools()),
            None => format!("none of them among {}", self.tools()),
        }
    }

    fn all_tools(&self, tools: &[ToolId]) -> String {
        match tools.iter().find(|tool| !self.facts.has_tool(**tool)) {
            Some(tool) => format!("{} is not among {}", self.catalog.tool_name(*tool), self.tools()),
            None => format!("all of them among {}", self.tools()),
        }
    }

    fn tools(&self) -> String {
        let distinct: BTreeSet<&String> = self.context.client_tools.iter().collect();
        format!("{} client tool{}", distinct.len(), if distinct.len() == 1 { "" } else { "s" })
    }

    fn settings(&self, settings: impl ExactSizeIterator<Item = SettingId>) -> String {
        let many = settings.len() > 1;
        let each = settings.map(|setting| {
            let name = if many { &*self.catalog.setting(setting).name } else { "it" };
            self.setting(setting).replacen("it", name, 1)
        });
        each.collect::<Vec<_>>().join(", ")
    }

    fn setting(&self, setting: SettingId) -> String {
        let entry = self.catalog.setting(setting);
        let given = self.context.settings.get(&*entry.name).filter(|value| !value.is_null());
        match (self.facts.setting(setting), given) {
            (Some(value), Some(_)) => format!("it is {}", describe::scalar(value)),
            (Some(value), None) => format!("it is {}, the default", describe::scalar(value)),
            (None, Some(value)) => {
                format!("it is unset, since the catalog does not admit {}", crate::interpret::shortened(value))
            }
            (None, None) => "it is unset".to_owned(),
        }
    }

    /// The facts of all conditions in some gates, each named, since they stand together.
    fn facts_of(&self, gates: &[Gate]) -> String {
        let conditions: Vec<&Condition> = gates.iter().flat_map(|gate| &gate.conditions).collect();
        match &*conditions {
            [one] => self.fact(one),
            many => {
                let fact = |condition: &&Condition| {
                    format!("{}: {}", describe::condition(self.catalog, condition), self.fact(condition))
                };
                many.iter().map(fact).collect::<Vec<_>>().join("; ")
            }
        }
    }
}
