//! The output: one system message configuration, and the line that a host logs about it.
//!
//! The shapes are those of the SDK's `SystemMessageConfig`: `append`, `customize` and
//! `replace`, with overrides of twelve named sections. They are generic over the text, so that
//! the same interpreter yields plain strings or strings that know where they come from.

use std::fmt;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

/// A named section of the foundation prompt, as the SDK spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The opening sentences.
    Preamble,
    /// The group that says who the agent is.
    Identity,
    /// How the agent speaks.
    Tone,
    /// How the agent spends tool calls.
    ToolEfficiency,
    /// The machine and folder it works in.
    EnvironmentContext,
    /// How it changes code.
    CodeChangeRules,
    /// General guidance.
    Guidelines,
    /// Limits of what it may do.
    Safety,
    /// How to use each tool.
    ToolInstructions,
    /// Instructions of the user and the repository.
    CustomInstructions,
    /// What the runtime adds at launch.
    RuntimeInstructions,
    /// The last word.
    LastInstructions,
}

impl Section {
    /// All twelve, in the order of the contract.
    pub const ALL: [Self; 12] = [
        Self::Preamble,
        Self::Identity,
        Self::Tone,
        Self::ToolEfficiency,
        Self::EnvironmentContext,
        Self::CodeChangeRules,
        Self::Guidelines,
        Self::Safety,
        Self::ToolInstructions,
        Self::CustomInstructions,
        Self::RuntimeInstructions,
        Self::LastInstructions,
    ];

    /// The name on the wire and in rule files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preamble => "preamble",
            Self::Identity => "identity",
            Self::Tone => "tone",
            Self::ToolEfficiency => "tool_efficiency",
            Self::EnvironmentContext => "environment_context",
            Self::CodeChangeRules => "code_change_rules",
            Self::Guidelines => "guidelines",
            Self::Safety => "safety",
            Self::ToolInstructions => "tool_instructions",
            Self::CustomInstructions => "custom_instructions",
            Self::RuntimeInstructions => "runtime_instructions",
            Self::LastInstructions => "last_instructions",
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One step of a transform; patterns are Rust regexes, every match counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Replaces every match.
    Replace {
        /// What to look for.
        pattern: String,
        /// What to put there; `$1` and `${name}` are captures.
        with: String,
    },
    /// Removes every match.
    Remove {
        /// What to look for.
        pattern: String,
    },
    /// Adds text at the end.
    Append(String),
    /// Adds text at the start.
    Prepend(String),
}

/// What happens to one section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionOverride<T = String> {
    /// The content takes the section's place.
    Replace(T),
    /// The content follows the section.
    Append(T),
    /// The content goes before the section.
    Prepend(T),
    /// The section is dropped.
    Remove,
    /// The section stays as it is.
    Preserve,
    /// The host rewrites the section's text when the runtime calls back.
    Transform(Vec<Step>),
}

impl<T> SectionOverride<T> {
    /// The action's name on the wire.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::Replace(_) => "replace",
            Self::Append(_) => "append",
            Self::Prepend(_) => "prepend",
            Self::Remove => "remove",
            Self::Preserve => "preserve",
            Self::Transform(_) => "transform",
        }
    }

    /// The content, where the action has one.
    #[must_use]
    pub fn content(&self) -> Option<&T> {
        match self {
            Self::Replace(content) | Self::Append(content) | Self::Prepend(content) => Some(content),
            Self::Remove | Self::Preserve | Self::Transform(_) => None,
        }
    }

    /// The same override over another kind of text.
    pub fn map<U>(self, text: impl FnOnce(T) -> U) -> SectionOverride<U> {
        match self {
            Self::Replace(content) => SectionOverride::Replace(text(content)),
            Self::Append(content) => SectionOverride::Append(text(content)),
            Self::Prepend(content) => SectionOverride::Prepend(text(content)),
            Self::Remove => SectionOverride::Remove,
            Self::Preserve => SectionOverride::Preserve,
            Self::Transform(steps) => SectionOverride::Transform(steps),
        }
    }
}

/// Overrides in order, each section at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sections<T = String>(Vec<(Section, SectionOverride<T>)>);

impl<T> Default for Sections<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Sections<T> {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The override of a section.
    #[must_use]
    pub fn get(&self, section: Section) -> Option<&SectionOverride<T>> {
        self.0.iter().find(|(name, _)| *name == section).map(|(_, value)| value)
    }

    /// Sets the override of a section: in place where it has one, else as the last.
    pub fn set(&mut self, section: Section, value: SectionOverride<T>) {
        match self.0.iter_mut().find(|(name, _)| *name == section) {
            Some((_, place)) => *place = value,
            None => self.0.push((section, value)),
        }
    }

    /// Sets the override of a section from the one that it has: in place, or as the last.
    pub fn update(&mut self, section: Section, with: impl FnOnce(Option<SectionOverride<T>>) -> SectionOverride<T>) {
        match self.0.iter_mut().find(|(name, _)| *name == section) {
            Some((_, place)) => *place = with(Some(std::mem::replace(place, SectionOverride::Preserve))),
            None => self.0.push((section, with(None))),
        }
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Section, &SectionOverride<T>)> {
        self.0.iter().map(|(section, value)| (*section, value))
    }

    /// The same overrides over another kind of text.
    pub fn map<U>(self, mut text: impl FnMut(T) -> U) -> Sections<U> {
        Sections(self.0.into_iter().map(|(section, value)| (section, value.map(&mut text))).collect())
    }
}

impl<T> IntoIterator for Sections<T> {
    type Item = (Section, SectionOverride<T>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// What a session gets: the SDK's `SystemMessageConfig`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemMessageConfig<T = String> {
    /// The foundation, then the content. Rules never produce it; hosts and the SDK have it.
    Append {
        /// What follows the foundation.
        content: Option<T>,
    },
    /// The foundation with sections overridden, then the content.
    Customize {
        /// The overrides.
        sections: Sections<T>,
        /// What follows; never empty.
        content: Option<T>,
    },
    /// The content alone: the foundation and all its guardrails are gone.
    Replace {
        /// The whole prompt.
        content: T,
    },
}

impl<T> SystemMessageConfig<T> {
    /// The mode's name on the wire.
    #[must_use]
    pub fn mode(&self) -> &'static str {
        match self {
            Self::Append { .. } => "append",
            Self::Customize { .. } => "customize",
            Self::Replace { .. } => "replace",
        }
    }

    /// The content, if there is any.
    #[must_use]
    pub fn content(&self) -> Option<&T> {
        match self {
            Self::Append { content } | Self::Customize { content, .. } => content.as_ref(),
            Self::Replace { content } => Some(content),
        }
    }

    /// The overrides, in the one mode that has them.
    #[must_use]
    pub fn sections(&self) -> Option<&Sections<T>> {
        match self {
            Self::Customize { sections, .. } => Some(sections),
            Self::Append { .. } | Self::Replace { .. } => None,
        }
    }

    /// The same configuration over another kind of text.
    pub fn map<U>(self, mut text: impl FnMut(T) -> U) -> SystemMessageConfig<U> {
        match self {
            Self::Append { content } => SystemMessageConfig::Append { content: content.map(text) },
            Self::Customize { sections, content } => {
                SystemMessageConfig::Customize { sections: sections.map(&mut text), content: content.map(text) }
            }
            Self::Replace { content } => SystemMessageConfig::Replace { content: text(content) },
        }
    }
}

impl<T: AsRef<str>> SystemMessageConfig<T> {
    /// The line that a host logs: mode, overridden sections with their actions, and lengths in
    /// UTF-16 code units, as the SDK counts them.
    #[must_use]
    pub fn summary(&self) -> String {
        let length = |text: &T| text.as_ref().encode_utf16().count();
        match self {
            Self::Append { content } => {
                format!("mode=append (content length {})", content.as_ref().map_or(0, length))
            }
            Self::Replace { content } => format!("mode=replace (content length {})", length(content)),
            Self::Customize { sections, content } => {
                let mut line = String::from("mode=customize sections=[");
                for (at, (section, value)) in sections.iter().enumerate() {
                    line.push_str(if at == 0 { "" } else { ", " });
                    line.push_str(section.as_str());
                    line.push(':');
                    line.push_str(value.action());
                }
                line.push(']');
                if let Some(content) = content.as_ref().filter(|content| !content.as_ref().is_empty()) {
                    line.push_str(&format!(" +content(length {})", length(content)));
                }
                line
            }
        }
    }
}

impl<T: Serialize> Serialize for SectionOverride<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("action", self.action())?;
        match self {
            Self::Replace(content) | Self::Append(content) | Self::Prepend(content) => {
                map.serialize_entry("content", content)?;
            }
            Self::Transform(steps) => map.serialize_entry("steps", steps)?,
            Self::Remove | Self::Preserve => {}
        }
        map.end()
    }
}

impl<T: Serialize> Serialize for Sections<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(section, value)| (section.as_str(), value)))
    }
}

impl<T: Serialize> Serialize for SystemMessageConfig<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mode", self.mode())?;
        if let Some(sections) = self.sections() {
            map.serialize_entry("sections", sections)?;
        }
        if let Some(content) = self.content() {
            map.serialize_entry("content", content)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_count_utf16_units_and_keep_the_order() {
        let mut sections = Sections::default();
        sections.set(Section::Tone, SectionOverride::Append("x".to_owned()));
        sections.set(Section::Identity, SectionOverride::Remove);
        sections.set(Section::Tone, SectionOverride::Transform(Vec::new()));
        let config = SystemMessageConfig::Customize { sections, content: Some("a🙂".to_owned()) };
        assert_eq!(config.summary(), "mode=customize sections=[tone:transform, identity:remove] +content(length 3)");
        let append = SystemMessageConfig::<String>::Append { content: None };
        assert_eq!(append.summary(), "mode=append (content length 0)");
        let replace = SystemMessageConfig::Replace { content: "é".to_owned() };
        assert_eq!(replace.summary(), "mode=replace (content length 1)");
    }

    #[test]
    fn the_wire_form_is_the_sdk_s() {
        let mut sections = Sections::default();
        sections.set(Section::Safety, SectionOverride::Remove);
        let step = Step::Replace { pattern: "a+".into(), with: "b".into() };
        sections.set(Section::Tone, SectionOverride::Transform(vec![step, Step::Append("z".into())]));
        let config = SystemMessageConfig::<String>::Customize { sections, content: None };
        assert_eq!(
            serde_json::to_string(&config).unwrap(),
            r#"{"mode":"customize","sections":{"safety":{"action":"remove"},"tone":{"action":"transform","steps":[{"replace":{"pattern":"a+","with":"b"}},{"append":"z"}]}}}"#
        );
    }
}
