//! What exists on the host, with names turned into numbers.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use serde_json::Number;

use crate::source::Span;

/// A tool name that some rule or the catalog mentions, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(pub(crate) u32);

/// A setting of the catalog, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SettingId(pub(crate) u32);

/// A value that a setting can have.
#[derive(Clone, Debug)]
pub enum SettingValue {
    /// A boolean.
    Bool(bool),
    /// A finite number.
    Number(Number),
    /// A string.
    String(Box<str>),
}

impl SettingValue {
    /// The value of a JSON scalar; nothing for `null`, lists and mappings.
    #[must_use]
    pub fn from_json(value: &serde_json::Value) -> Option<Self> {
        match value {
            serde_json::Value::Bool(value) => Some(Self::Bool(*value)),
            serde_json::Value::Number(value) => Some(Self::Number(value.clone())),
            serde_json::Value::String(value) => Some(Self::String(value.as_str().into())),
            serde_json::Value::Null | serde_json::Value::Array(_) | serde_json::Value::Object(_) => None,
        }
    }

    /// The type that the value has.
    #[must_use]
    pub fn type_of(&self) -> SettingType {
        match self {
            Self::Bool(_) => SettingType::Boolean,
            Self::Number(_) => SettingType::Number,
            Self::String(_) => SettingType::String,
        }
    }

    /// The value as JSON.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Bool(value) => serde_json::Value::Bool(*value),
            Self::Number(value) => serde_json::Value::Number(value.clone()),
            Self::String(value) => serde_json::Value::String(value.to_string()),
        }
    }
}

/// Same type, no coercion; numbers by value, so `1` is `1.0`.
impl PartialEq for SettingValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Number(left), Self::Number(right)) => same_number(left, right),
            (Self::String(left), Self::String(right)) => left == right,
            (Self::Bool(_) | Self::Number(_) | Self::String(_), _) => false,
        }
    }
}

#[expect(clippy::float_cmp, reason = "equality by value is what the rule language promises")]
fn same_number(left: &Number, right: &Number) -> bool {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => left == right,
        (None, _) | (_, None) => left.as_f64() == right.as_f64(),
    }
}

/// The type of a setting's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingType {
    /// `true` or `false`.
    Boolean,
    /// A finite number.
    Number,
    /// A string.
    String,
}

impl SettingType {
    /// The name in rule files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
        }
    }
}

/// A host setting that rules may read.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its key.
    pub name: Box<str>,
    /// Where the catalog declares it.
    pub span: Span,
    /// The type of its values.
    pub value_type: SettingType,
    /// The only values that it may have; empty when any value of the type will do.
    pub allowed: Box<[Box<str>]>,
    /// What counts when the context has no value.
    pub default: Option<SettingValue>,
}

impl Setting {
    /// Whether the setting may have this value: right type, and in the `enum` if there is one.
    #[must_use]
    pub fn admits(&self, value: &SettingValue) -> bool {
        match value {
            SettingValue::String(text) if self.value_type == SettingType::String => {
                self.allowed.is_empty() || self.allowed.contains(text)
            }
            SettingValue::Bool(_) | SettingValue::Number(_) | SettingValue::String(_) => {
                self.value_type == value.type_of()
            }
        }
    }
}

/// The names of one rule set.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    pub(crate) tools: Vec<Box<str>>,
    pub(crate) tool_ids: HashMap<Box<str>, ToolId, FxBuildHasher>,
    pub(crate) settings: Vec<Setting>,
    pub(crate) setting_ids: HashMap<Box<str>, SettingId, FxBuildHasher>,
    /// The tools that the catalog declares as client tools, in written order.
    pub(crate) client_tools: Vec<ToolId>,
    /// Known model ids, in written order.
    pub(crate) models: Vec<Box<str>>,
}

impl Catalog {
    /// The number of a tool that the rules know.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<ToolId> {
        self.tool_ids.get(name).copied()
    }

    /// The name of a tool.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "a ToolId is only made for a name of the same catalog")]
    pub fn tool_name(&self, id: ToolId) -> &str {
        &self.tools[id.0 as usize]
    }

    /// How many tools the rules know, declared or only mentioned.
    #[must_use]
    pub fn tool_count(&self) -> usize {
        self.tools.len()
    }

    /// The declared client tools, in written order.
    #[must_use]
    pub fn client_tools(&self) -> &[ToolId] {
        &self.client_tools
    }

    /// The number of a declared setting.
    #[must_use]
    pub fn setting_id(&self, name: &str) -> Option<SettingId> {
        self.setting_ids.get(name).copied()
    }

    /// A declared setting.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "a SettingId is only made for a setting of the same catalog")]
    pub fn setting(&self, id: SettingId) -> &Setting {
        &self.settings[id.0 as usize]
    }

    /// All declared settings, in written order.
    pub fn settings(&self) -> impl Iterator<Item = (SettingId, &Setting)> {
        (0..).map(SettingId).zip(&self.settings)
    }

    /// Known model ids, in written order.
    #[must_use]
    pub fn models(&self) -> &[Box<str>] {
        &self.models
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(json: serde_json::Value) -> SettingValue {
        SettingValue::from_json(&json).unwrap()
    }

    #[test]
    fn equality_is_by_value_within_a_type() {
        assert_eq!(value(json!(1)), value(json!(1.0)));
        assert_eq!(value(json!(-0.0)), value(json!(0)));
        assert_ne!(value(json!(9_007_199_254_740_993_i64)), value(json!(9_007_199_254_740_992_i64)));
        assert_ne!(value(json!(true)), value(json!("true")));
        assert_ne!(value(json!(1)), value(json!("1")));
    }
}
