//! What exists on the host, with names turned into numbers.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::matcher::ModelGroup;
use super::value::{SettingType, SettingValue, ValueRef};
use crate::source::Span;

/// A tool name that some rule or the catalog mentions, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(pub(crate) u32);

impl ToolId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A setting of the catalog, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SettingId(pub(crate) u32);

impl SettingId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
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
    pub fn admits(&self, value: ValueRef<'_>) -> bool {
        let listed = match value {
            ValueRef::String(text) => self.allowed.is_empty() || self.allowed.iter().any(|allowed| **allowed == *text),
            ValueRef::Bool(_) | ValueRef::Number(_) => true,
        };
        listed && self.value_type == value.type_of()
    }
}

/// The names of one rule set.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    pub(crate) tools: Vec<Arc<str>>,
    pub(crate) tool_ids: HashMap<Arc<str>, ToolId, FxBuildHasher>,
    pub(crate) settings: Vec<Setting>,
    pub(crate) setting_ids: HashMap<Box<str>, SettingId, FxBuildHasher>,
    /// The tools that the catalog declares as client tools, in written order.
    pub(crate) client_tools: Vec<ToolId>,
    /// Known model ids, in written order.
    pub(crate) models: Vec<Box<str>>,
    /// Named matchers, each behind those that it uses.
    pub(crate) model_groups: Vec<Arc<ModelGroup>>,
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
        &self.tools[id.index()]
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
        &self.settings[id.index()]
    }

    /// All declared settings, in written order.
    pub fn settings(&self) -> impl Iterator<Item = (SettingId, &Setting)> {
        (0..).map(SettingId).zip(&self.settings)
    }

    /// Named matchers, each behind those that it uses.
    #[must_use]
    pub fn model_groups(&self) -> &[Arc<ModelGroup>] {
        &self.model_groups
    }

    /// Known model ids, in written order.
    #[must_use]
    pub fn models(&self) -> &[Box<str>] {
        &self.models
    }
}
