//! Gates: Boolean functions of a context.

use super::{Matcher, SettingId, SettingValue, ToolId};
use crate::source::Span;

/// A `when`: a conjunction of at least one condition.
#[derive(Clone, Debug)]
pub struct Gate {
    /// All of these must hold; in written order, never empty.
    pub conditions: Box<[Condition]>,
    /// The mapping.
    pub span: Span,
}

/// One key of a gate with its value.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What must hold.
    pub kind: ConditionKind,
    /// The key.
    pub key_span: Span,
    /// The value.
    pub span: Span,
}

/// What a condition asks. Lists are never empty.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// The client forwards the tool.
    HasClientTool(ToolId),
    /// The client forwards at least one; groups are expanded, in written order.
    HasAnyClientTool(Box<[ToolId]>),
    /// The client forwards all; groups are expanded, in written order.
    HasAllClientTools(Box<[ToolId]>),
    /// The flag has this value.
    ToolSearchActive(bool),
    /// The flag has this value.
    Workspaceless(bool),
    /// Every setting has its value.
    SettingEquals(Box<[(SettingId, SettingValue)]>),
    /// Every setting has one of its values.
    SettingIn(Box<[(SettingId, Box<[SettingValue]>)]>),
    /// The setting has a value; a default counts.
    SettingIsSet(SettingId),
    /// There is a model, and the matcher accepts its id.
    Model(Matcher),
    /// All gates hold.
    All(Box<[Gate]>),
    /// At least one gate holds.
    Any(Box<[Gate]>),
    /// The gate does not hold.
    Not(Box<Gate>),
}

impl ConditionKind {
    /// The key in rule files.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::HasClientTool(_) => "has_client_tool",
            Self::HasAnyClientTool(_) => "has_any_client_tool",
            Self::HasAllClientTools(_) => "has_all_client_tools",
            Self::ToolSearchActive(_) => "tool_search_active",
            Self::Workspaceless(_) => "workspaceless",
            Self::SettingEquals(_) => "setting_equals",
            Self::SettingIn(_) => "setting_in",
            Self::SettingIsSet(_) => "setting_is_set",
            Self::Model(_) => "model",
            Self::All(_) => "all",
            Self::Any(_) => "any",
            Self::Not(_) => "not",
        }
    }

    /// The gates that the condition is made of; none if it asks a fact.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        match self {
            Self::All(gates) | Self::Any(gates) => gates,
            Self::Not(gate) => std::slice::from_ref(gate),
            Self::HasClientTool(_)
            | Self::HasAnyClientTool(_)
            | Self::HasAllClientTools(_)
            | Self::ToolSearchActive(_)
            | Self::Workspaceless(_)
            | Self::SettingEquals(_)
            | Self::SettingIn(_)
            | Self::SettingIsSet(_)
            | Self::Model(_) => &[],
        }
    }
}
