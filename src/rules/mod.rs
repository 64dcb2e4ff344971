//! Compiled rules: closed types, valid by construction, immutable and shared by every resolution.
//!
//! Only `compile` makes them. A value of [`RuleSet`] exists only when no load error does;
//! references between rules are already followed ([`Arc`](std::sync::Arc)s, so there can be no cycle), names are
//! numbers, patterns are compiled. Each part keeps the [`Span`](crate::source::Span) that it was
//! written at, for explanations and findings.

mod catalog;
mod digest;
mod gate;
mod index;
mod matcher;
mod model_regex;
mod policy;
mod rule;
mod text;
mod value;

pub use catalog::{Catalog, Setting, SettingId, ToolId};
pub(crate) use digest::RulesDigest;
pub use gate::{Condition, ConditionKind, Gate};
pub(crate) use index::ModelIndex;
pub use matcher::{Literal, LiteralKind, MatchCondition, Matcher, ModelGroup, NormalForm, Pattern, RegexPattern};
pub use model_regex::ModelRegex;
pub use policy::{ActionKind, Demand, Policy, PolicyCondition, Test};
pub use rule::{
    Action, Allow, Base, Block, Contributor, Family, FullPrompt, Line, LintLevel, Match, Override, RuleSet,
    SectionRule, ToolSearch, TransformStep,
};
pub use text::{Binding, BindingSource, Item, Part, Piece, SharedText, Template, Text, TextBody};
pub use value::{SettingType, SettingValue, ValueRef};
