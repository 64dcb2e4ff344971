//! Gates: mappings of conditions.

use super::{Compiler, every};
use crate::load::{Entry, Node, Value};
use crate::rules::{Condition, ConditionKind, Gate, SettingId, SettingValue};

impl<'a> Compiler<'a> {
    /// The `when` of a mapping: nothing wrong and no gate is `Some(None)`.
    pub(super) fn when(&mut self, node: &'a Node) -> Option<Option<Gate>> {
        match node.get("when") {
            None => Some(None),
            Some(gate) => self.gate(gate).map(Some),
        }
    }

    pub(super) fn gate(&mut self, node: &'a Node) -> Option<Gate> {
        let conditions = every(node.entries().iter().map(|entry| self.condition(entry)))?;
        Some(Gate { conditions: conditions.into(), span: node.span })
    }

    fn condition(&mut self, entry: &'a Entry) -> Option<Condition> {
        let value = &entry.value;
        let kind = match entry.key.as_str() {
            "has_client_tool" => ConditionKind::HasClientTool(self.tool(value)?),
            "has_any_client_tool" => ConditionKind::HasAnyClientTool(self.tools(value)?),
            "has_all_client_tools" => ConditionKind::HasAllClientTools(self.tools(value)?),
            "tool_search_active" => ConditionKind::ToolSearchActive(flag(value)?),
            "workspaceless" => ConditionKind::Workspaceless(flag(value)?),
            "setting_equals" => {
                ConditionKind::SettingEquals(every(value.entries().iter().map(|pair| self.equals(pair)))?.into())
            }
            "setting_in" => {
                ConditionKind::SettingIn(every(value.entries().iter().map(|pair| self.is_one_of(pair)))?.into())
            }
            "setting_is_set" => ConditionKind::SettingIsSet(self.setting(value.as_str()?, value.span)?),
            "model" => ConditionKind::Model(self.matcher(value)?),
            "all" => ConditionKind::All(self.gates(value)?),
            "any" => ConditionKind::Any(self.gates(value)?),
            "not" => ConditionKind::Not(Box::new(self.gate(value)?)),
            _ => return None,
        };
        Some(Condition { kind, key_span: entry.key_span, span: value.span })
    }

    fn gates(&mut self, node: &'a Node) -> Option<Box<[Gate]>> {
        Some(every(node.items().iter().map(|item| self.gate(item)))?.into())
    }

    fn equals(&mut self, pair: &'a Entry) -> Option<(SettingId, SettingValue)> {
        let setting = self.setting(&pair.key, pair.key_span)?;
        Some((setting, self.value_for(setting, &pair.value)?))
    }

    fn is_one_of(&mut self, pair: &'a Entry) -> Option<(SettingId, Box<[SettingValue]>)> {
        let setting = self.setting(&pair.key, pair.key_span)?;
        let values = every(pair.value.items().iter().map(|item| self.value_for(setting, item)))?;
        Some((setting, values.into()))
    }
}

fn flag(node: &Node) -> Option<bool> {
    match node.value {
        Value::Bool(flag) => Some(flag),
        _ => None,
    }
}
