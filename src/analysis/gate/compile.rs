//! From gates to functions: where a catalog entry says what a raw value counts as.

use super::atom::Atom;
use super::diagram::{Key, MAX_DEPTH};
use super::{Function, Space};
use crate::analysis::language::Lang;
use crate::analysis::{Answer, Limit, Undecided};
use crate::rules::{Catalog, Condition, ConditionKind, Gate, Setting, SettingType, SettingValue, ToolId};

impl Space {
    /// Where an optional gate holds; an absent one holds everywhere.
    pub fn when(&mut self, catalog: &Catalog, gate: Option<&Gate>) -> Answer<Function> {
        gate.map_or(Ok(Function::TRUE), |gate| self.gate(catalog, gate))
    }

    /// Where a gate holds.
    pub fn gate(&mut self, catalog: &Catalog, gate: &Gate) -> Answer<Function> {
        gate.conditions.iter().try_fold(Function::TRUE, |all, condition| {
            let holds = self.condition(catalog, condition)?;
            self.and(all, holds)
        })
    }

    /// Where one key of a gate holds.
    pub fn condition(&mut self, catalog: &Catalog, condition: &Condition) -> Answer<Function> {
        match &condition.kind {
            ConditionKind::HasClientTool(tool) => self.tool(catalog.tool_name(*tool)),
            ConditionKind::HasAnyClientTool(tools) => self.tools(catalog, tools, false),
            ConditionKind::HasAllClientTools(tools) => self.tools(catalog, tools, true),
            ConditionKind::ToolSearchActive(value) => self.flag(Atom::ToolSearchActive, *value),
            ConditionKind::Workspaceless(value) => self.flag(Atom::Workspaceless, *value),
            ConditionKind::SettingEquals(pairs) => pairs.iter().try_fold(Function::TRUE, |all, (setting, value)| {
                let holds = self.setting_is_one_of(catalog.setting(*setting), std::slice::from_ref(value))?;
                self.and(all, holds)
            }),
            ConditionKind::SettingIn(pairs) => pairs.iter().try_fold(Function::TRUE, |all, (setting, values)| {
                let holds = self.setting_is_one_of(catalog.setting(*setting), values)?;
                self.and(all, holds)
            }),
            ConditionKind::SettingIsSet(setting) => self.setting_is_set(catalog.setting(*setting)),
            ConditionKind::Model(matcher) => {
                let lang = self.languages.matcher(matcher);
                self.model(lang)
            }
            ConditionKind::All(gates) => gates.iter().try_fold(Function::TRUE, |all, gate| {
                let holds = self.gate(catalog, gate)?;
                self.and(all, holds)
            }),
            ConditionKind::Any(gates) => gates.iter().try_fold(Function::FALSE, |any, gate| {
                let holds = self.gate(catalog, gate)?;
                self.or(any, holds)
            }),
            ConditionKind::Not(gate) => {
                let holds = self.gate(catalog, gate)?;
                self.not(holds)
            }
        }
    }

    /// There is a model, and its id is in the language.
    pub fn model(&mut self, lang: Lang) -> Answer<Function> {
        if lang == Lang::NOTHING {
            return Ok(Function::FALSE);
        }
        self.flag(Atom::Model(lang), true)
    }

    /// The client forwards the tool.
    pub fn tool(&mut self, name: &str) -> Answer<Function> {
        let var = self.atoms.tool(name);
        self.diagram.holds(var, &[Key::HOLDS])
    }

    /// Tools are deferred behind tool search.
    pub fn tool_search_active(&mut self) -> Answer<Function> {
        self.flag(Atom::ToolSearchActive, true)
    }

    /// The session has no workspace folder.
    pub fn workspaceless(&mut self) -> Answer<Function> {
        self.flag(Atom::Workspaceless, true)
    }

    /// The setting has one of the values; its default counts where the context has none.
    pub fn setting_is_one_of(&mut self, setting: &Setting, values: &[SettingValue]) -> Answer<Function> {
        let mut keys = Vec::new();
        for value in values.iter().filter(|value| setting.admits(value.as_ref())) {
            keys.push(self.atoms.mention(value)?);
            if setting.default.as_ref() == Some(value) {
                keys.push(Key::ABSENT);
            }
        }
        self.setting(setting, keys)
    }

    /// The setting has a value: one that its catalog entry admits, or its default.
    pub fn setting_is_set(&mut self, setting: &Setting) -> Answer<Function> {
        let mut keys = self.admitted(setting);
        if setting.default.is_some() {
            keys.push(Key::ABSENT);
        }
        self.setting(setting, keys)
    }

    /// The values that a catalog entry admits, without those of an open type that are mentioned.
    fn admitted(&mut self, setting: &Setting) -> Vec<Key> {
        match setting.value_type {
            SettingType::Boolean => vec![Key::YES, Key::NO],
            SettingType::Number => vec![Key::NUMBERS],
            SettingType::String if setting.allowed.is_empty() => vec![Key::STRINGS],
            SettingType::String => setting.allowed.iter().map(|text| self.atoms.mention_string(text)).collect(),
        }
    }

    fn setting(&mut self, setting: &Setting, mut keys: Vec<Key>) -> Answer<Function> {
        keys.sort_unstable();
        keys.dedup();
        let admitted = self.admitted(setting);
        let var = self.atoms.setting(&setting.name, admitted);
        self.diagram.holds(var, &keys)
    }

    fn flag(&mut self, atom: Atom, value: bool) -> Answer<Function> {
        let var = self.atoms.var(atom);
        let holds = self.diagram.holds(var, &[Key::HOLDS])?;
        if value { Ok(holds) } else { self.not(holds) }
    }

    /// All or any of the tools, from the last in the order of variables to the first: linear.
    fn tools(&mut self, catalog: &Catalog, tools: &[ToolId], all: bool) -> Answer<Function> {
        let mut vars: Vec<_> = tools.iter().map(|tool| self.atoms.tool(catalog.tool_name(*tool))).collect();
        vars.sort_unstable();
        vars.dedup();
        if vars.len() > MAX_DEPTH {
            return Err(Undecided::new(Limit::Conditions));
        }
        vars.into_iter().rev().try_fold(Function::constant(all), |rest, var| {
            let (holds, lacks) = if all { (rest, Function::FALSE) } else { (Function::TRUE, rest) };
            self.diagram.decide(var, vec![(Key::HOLDS, holds)], lacks)
        })
    }
}
