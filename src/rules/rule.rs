//! The rules themselves: base, contributors, lines and blocks.

use std::sync::{Arc, OnceLock};

use regex::Regex;

use super::{
    ActionKind, Binding, Catalog, Gate, Matcher, ModelIndex, Policy, RulesDigest, SettingId, SharedText, Text, ToolId,
};
use crate::diagnostic::{Code, Severity};
use crate::message::{Section, Step};
use crate::source::Span;

/// A rule set that loaded.
#[derive(Debug)]
pub struct RuleSet {
    /// The names.
    pub catalog: Catalog,
    /// Shared texts, in written order, whether or not a rule uses them.
    pub texts: Vec<Arc<SharedText>>,
    /// The default message.
    pub base: Base,
    /// Per-model rules, in trial order.
    pub contributors: Vec<Arc<Contributor>>,
    /// Universal tool-instruction lines, in order.
    pub lines: Vec<Line>,
    /// Universal trailing blocks, in order.
    pub blocks: Vec<Block>,
    /// When tools are deferred; without it they never are.
    pub tool_search: Option<ToolSearch>,
    /// What must hold of every resolution.
    pub policies: Vec<Policy>,
    /// The set's own levels of findings.
    pub lint: Vec<LintLevel>,
    /// Finds the contributors that can take an id.
    pub(crate) index: ModelIndex,
    /// Taken when a launch first asks for it.
    pub(crate) digest: OnceLock<RulesDigest>,
}

impl RuleSet {
    /// The rules in one number, and what they read.
    pub(crate) fn digest(&self) -> &RulesDigest {
        self.digest.get_or_init(|| RulesDigest::of(self))
    }
}

/// A level that the set gives a finding.
#[derive(Clone, Debug)]
pub struct LintLevel {
    /// The finding.
    pub code: Code,
    /// How it is reported; nothing for `off`.
    pub severity: Option<Severity>,
    /// The code's place.
    pub span: Span,
}

/// When tools are deferred, and behind which tool.
#[derive(Debug)]
pub struct ToolSearch {
    /// The `tool_search` key.
    pub span: Span,
    /// Switches tool search on where it is `true`.
    pub enabled_setting: SettingId,
    /// From how many tools on they are deferred.
    pub threshold_setting: Option<SettingId>,
    /// The threshold where the setting gives no usable number.
    pub defer_threshold: u64,
    /// The models that can use it.
    pub supported_models: Matcher,
    /// The client tool that searches.
    pub client_tool: ToolId,
    /// The runtime's name for that tool.
    pub runtime_tool: Box<str>,
    /// Tools that are never deferred; groups are expanded.
    pub never_defer: Box<[ToolId]>,
}

/// A finding that a rule's author has accepted.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The finding.
    pub code: Code,
    /// Why.
    pub reason: Box<str>,
    /// The code's place.
    pub span: Span,
}

/// The default message.
#[derive(Debug)]
pub struct Base {
    /// The `base` key.
    pub span: Span,
    /// Names for its strings.
    pub bindings: Box<[Arc<Binding>]>,
    /// Overrides by section, in written order.
    pub sections: Box<[SectionRule]>,
    /// Text after all sections.
    pub content: Option<Text>,
    /// Accepted findings.
    pub allow: Box<[Allow]>,
}

/// A per-model rule.
#[derive(Debug)]
pub struct Contributor {
    /// Unique among all rules of the set.
    pub id: Box<str>,
    /// The id's place.
    pub span: Span,
    /// What it is for.
    pub description: Option<Box<str>>,
    /// Which ids it takes; nothing on one that only others extend.
    pub matching: Option<Match>,
    /// The contributor whose parts lie underneath.
    pub parent: Option<Arc<Contributor>>,
    /// Guards its own parts.
    pub when: Option<Gate>,
    /// Names for its strings.
    pub bindings: Box<[Arc<Binding>]>,
    /// Overrides by section, in written order.
    pub sections: Box<[SectionRule]>,
    /// Text after all sections.
    pub content: Option<Text>,
    /// A whole prompt.
    pub full_prompt: Option<FullPrompt>,
    /// Accepted findings.
    pub allow: Box<[Allow]>,
}

/// Which model ids a contributor takes. At least one of the two is there.
#[derive(Debug)]
pub struct Match {
    /// A predicate: tried before all families.
    pub predicate: Option<Matcher>,
    /// Prefixes of the raw id.
    pub families: Box<[Family]>,
    /// The `match` value.
    pub span: Span,
}

/// A prefix of the raw id.
#[derive(Clone, Debug)]
pub struct Family {
    /// The prefix.
    pub prefix: Box<str>,
    /// The scalar.
    pub span: Span,
}

/// Everything that one rule says about one section.
#[derive(Debug)]
pub struct SectionRule {
    /// The section.
    pub section: Section,
    /// The section's name.
    pub span: Span,
    /// The first whose gate holds and that gives a text counts; never none.
    pub overrides: Box<[Override]>,
}

/// One override of a section.
#[derive(Debug)]
pub struct Override {
    /// Its gate.
    pub when: Option<Gate>,
    /// What it does.
    pub action: Action,
    /// The mapping.
    pub span: Span,
    /// The action's name.
    pub action_span: Span,
}

/// What an override does.
#[derive(Debug)]
pub enum Action {
    /// The content takes the section's place.
    Replace(Text),
    /// The content follows the section.
    Append(Text),
    /// The content goes before the section.
    Prepend(Text),
    /// The section is dropped.
    Remove,
    /// The section stays as it is.
    Preserve,
    /// The host rewrites the section's text.
    Transform(Box<[TransformStep]>),
}

impl Action {
    /// The content, where the action has one.
    #[must_use]
    pub fn content(&self) -> Option<&Text> {
        match self {
            Self::Replace(text) | Self::Append(text) | Self::Prepend(text) => Some(text),
            Self::Remove | Self::Preserve | Self::Transform(_) => None,
        }
    }

    /// Which action it is.
    #[must_use]
    pub fn kind(&self) -> ActionKind {
        match self {
            Self::Replace(_) => ActionKind::Replace,
            Self::Append(_) => ActionKind::Append,
            Self::Prepend(_) => ActionKind::Prepend,
            Self::Remove => ActionKind::Remove,
            Self::Preserve => ActionKind::Preserve,
            Self::Transform(_) => ActionKind::Transform,
        }
    }

    /// The action's name.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        self.kind().as_str()
    }
}

/// A step of a transform whose pattern is known to compile.
#[derive(Debug)]
pub struct TransformStep {
    /// The step as it goes out.
    pub step: Step,
    /// Its pattern, where it has one.
    pub regex: Option<Regex>,
    /// The mapping.
    pub span: Span,
}

/// A whole prompt in place of the foundation.
#[derive(Debug)]
pub struct FullPrompt {
    /// Its gate, beside the contributor's own.
    pub when: Option<Gate>,
    /// The prompt.
    pub text: Text,
    /// The `full_prompt` key.
    pub span: Span,
}

/// A universal tool-instruction line.
#[derive(Debug)]
pub struct Line {
    /// Unique among all rules of the set.
    pub id: Box<str>,
    /// The id's place.
    pub span: Span,
    /// What it is for.
    pub description: Option<Box<str>>,
    /// Its gate.
    pub when: Option<Gate>,
    /// Names for its strings.
    pub bindings: Box<[Arc<Binding>]>,
    /// What it says.
    pub text: Text,
    /// Accepted findings.
    pub allow: Box<[Allow]>,
}

/// A universal trailing block: the same shape as a line, another place.
pub type Block = Line;
