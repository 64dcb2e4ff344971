//! Values of settings.

use serde_json::{Number, Value};

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

/// A value that a rule or the catalog gives a setting.
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
    pub fn from_json(value: &Value) -> Option<Self> {
        ValueRef::from_json(value).map(ValueRef::to_value)
    }

    /// The value, borrowed.
    #[must_use]
    pub fn as_ref(&self) -> ValueRef<'_> {
        match self {
            Self::Bool(value) => ValueRef::Bool(*value),
            Self::Number(value) => ValueRef::Number(value),
            Self::String(value) => ValueRef::String(value),
        }
    }
}

/// Same type, no coercion; numbers by value, so `1` is `1.0`.
impl PartialEq for SettingValue {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

/// A setting's value, borrowed from a context or from the catalog.
#[derive(Clone, Copy, Debug)]
pub enum ValueRef<'a> {
    /// A boolean.
    Bool(bool),
    /// A finite number.
    Number(&'a Number),
    /// A string.
    String(&'a str),
}

impl<'a> ValueRef<'a> {
    /// The value of a JSON scalar; nothing for `null`, lists and mappings.
    #[must_use]
    pub fn from_json(value: &'a Value) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Number(value) => Some(Self::Number(value)),
            Value::String(value) => Some(Self::String(value)),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The value as JSON.
    #[must_use]
    pub fn to_json(self) -> Value {
        match self {
            Self::Bool(value) => Value::Bool(value),
            Self::Number(value) => Value::Number(value.clone()),
            Self::String(value) => Value::String(value.to_owned()),
        }
    }

    /// The value on its own.
    #[must_use]
    pub fn to_value(self) -> SettingValue {
        match self {
            Self::Bool(value) => SettingValue::Bool(value),
            Self::Number(value) => SettingValue::Number(value.clone()),
            Self::String(value) => SettingValue::String(value.into()),
        }
    }

    /// The type that the value has.
    #[must_use]
    pub fn type_of(self) -> SettingType {
        match self {
            Self::Bool(_) => SettingType::Boolean,
            Self::Number(_) => SettingType::Number,
            Self::String(_) => SettingType::String,
        }
    }
}

/// Same type, no coercion; numbers by value, so `1` is `1.0`.
impl PartialEq for ValueRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Number(left), Self::Number(right)) => same_number(left, right),
            (Self::String(left), Self::String(right)) => left == right,
            (Self::Bool(_) | Self::Number(_) | Self::String(_), _) => false,
        }
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (left.as_i128(), right.as_i128()) {
        (Some(left), Some(right)) => left == right,
        (None, _) | (_, None) => left.as_f64() == right.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equality_is_by_value_within_a_type() {
        let same = |left: Value, right: Value| ValueRef::from_json(&left) == ValueRef::from_json(&right);
        assert!(same(json!(1), json!(1.0)));
        assert!(same(json!(-0.0), json!(0)));
        assert!(!same(json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64)));
        assert!(!same(json!(true), json!("true")));
        assert!(!same(json!(1), json!("1")));
    }
}
