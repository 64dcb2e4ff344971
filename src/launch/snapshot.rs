//! The fingerprint of everything that a relaunch must notice, part by part.
//!
//! Written as `v1:rules=…,model=…,…`: eight bytes of a SHA-256 in hexadecimal for each part, or
//! `-` where there is nothing. Equal requests under equal rules give the same text on every
//! machine, in any order of keys and tools; which parts of two snapshots differ is a host's
//! reason to relaunch.
//!
//! | part | changes with |
//! | --- | --- |
//! | `rules` | the compiled rules; not with comments, descriptions or the split over files |
//! | `model` | the effective model |
//! | `tools` | the client tools with their definitions, and the filters |
//! | `plugins`, `mcpServers` | these |
//! | `settings` | the values, defaults included, of the settings that the rules read |
//! | `flags` | `workspaceless` and whether tool search is active, if the rules read them |
//!
//! The requested model, the reasoning effort and model capabilities take no part: a model change
//! does not need a relaunch. Nor does the identity of a connected client.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::filters::Filter;
use super::request::{ClientTool, Request};
use super::situation::Situation;
use crate::canonical;
use crate::rules::{RuleSet, RulesDigest};

const VERSION: &str = "v1:";
const PARTS: [&str; 7] = ["rules", "model", "tools", "plugins", "mcpServers", "settings", "flags"];

/// What a session was launched with, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot([Option<u64>; PARTS.len()]);

/// A text that is no snapshot of this version of the program.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no launch snapshot")]
pub struct SnapshotError(String);

impl Snapshot {
    pub(super) fn take(rules: &RuleSet, request: &Request, situation: &Situation<'_>) -> Self {
        let digest = rules.digest();
        let mut buffer = Vec::with_capacity(256);
        let mut hash = |write: &dyn Fn(&mut Vec<u8>)| {
            buffer.clear();
            write(&mut buffer);
            canonical::fingerprint(&buffer)
        };
        Self([
            Some(digest.fingerprint),
            situation.effective_model.map(|model| hash(&|out| out.extend_from_slice(model.as_bytes()))),
            Some(hash(&|out| tools(situation, out))),
            given(&request.plugins).map(|plugins| hash(&|out| canonical::write(plugins, out))),
            given(&request.mcp_servers).map(|servers| hash(&|out| canonical::write(servers, out))),
            Some(&digest.settings)
                .filter(|read| !read.is_empty())
                .map(|_| hash(&|out| settings(rules, digest, situation, out))),
            flags(digest, situation),
        ])
    }

    /// The parts in which an earlier snapshot differs, in their order; none: no need to relaunch.
    pub fn changed_since(&self, earlier: &Self) -> impl Iterator<Item = &'static str> {
        let pairs = self.0.into_iter().zip(earlier.0);
        PARTS.into_iter().zip(pairs).filter(|(_, (now, then))| now != then).map(|(part, _)| part)
    }
}

fn given(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null())
}

/// The tools by name, then the filters; the order of neither counts.
fn tools(situation: &Situation<'_>, out: &mut Vec<u8>) {
    let mut tools = situation.tools.clone();
    tools.sort_unstable_by_key(|tool| &tool.name);
    canonical::list(tools, out, definition);
    for filter in [&situation.overrides.available_tools, &situation.overrides.excluded_tools] {
        match filter {
            None => out.push(b'-'),
            Some(filter) => patterns(filter, out),
        }
    }
}

fn definition(tool: &ClientTool, out: &mut Vec<u8>) {
    canonical::string(&tool.name, out);
    if tool.description.is_some() || tool.input_schema.is_some() {
        canonical::list(&tool.description, out, |text, out| canonical::string(text, out));
        canonical::list(&tool.input_schema, out, canonical::write);
    }
}

fn patterns(filter: &Filter<'_>, out: &mut Vec<u8>) {
    let mut patterns = filter.patterns().to_vec();
    patterns.sort_unstable();
    canonical::list(patterns, out, canonical::string);
}

/// The settings that have a value, by name.
fn settings(rules: &RuleSet, digest: &RulesDigest, situation: &Situation<'_>, out: &mut Vec<u8>) {
    for id in &digest.settings {
        if let Some(value) = situation.facts.setting(*id) {
            canonical::string(&rules.catalog.setting(*id).name, out);
            canonical::write(&value.to_json(), out);
        }
    }
}

/// Two bits: small enough to stand for themselves.
fn flags(digest: &RulesDigest, situation: &Situation<'_>) -> Option<u64> {
    let workspaceless = digest.workspaceless && situation.facts.workspaceless;
    let searching = digest.tool_search_active && situation.facts.tool_search_active;
    let read = digest.workspaceless || digest.tool_search_active;
    read.then_some(u64::from(workspaceless) | u64::from(searching) << 1)
}

impl fmt::Display for Snapshot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separators = [VERSION].into_iter().chain(std::iter::repeat(","));
        for (separator, (part, fingerprint)) in separators.zip(PARTS.into_iter().zip(self.0)) {
            match fingerprint {
                Some(fingerprint) => write!(formatter, "{separator}{part}={fingerprint:016x}")?,
                None => write!(formatter, "{separator}{part}=-")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Snapshot {
    type Err = SnapshotError;

    fn from_str(text: &str) -> Result<Self, SnapshotError> {
        let error = || SnapshotError(text.chars().take(40).collect());
        let mut written = text.strip_prefix(VERSION).ok_or_else(error)?.split(',');
        let mut parts = [None; PARTS.len()];
        for (place, part) in parts.iter_mut().zip(PARTS) {
            let value = written.next().and_then(|it| it.strip_prefix(part)?.strip_prefix('=')).ok_or_else(error)?;
            *place = match value {
                "-" => None,
                digits => Some(u64::from_str_radix(digits, 16).map_err(|_| error())?),
            };
        }
        if written.next().is_some() { Err(error()) } else { Ok(Self(parts)) }
    }
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_reads_back() {
        let snapshot = Snapshot([Some(1), None, Some(u64::MAX), None, None, Some(0), Some(3)]);
        let text = snapshot.to_string();
        assert_eq!(
            text,
            "v1:rules=0000000000000001,model=-,tools=ffffffffffffffff,plugins=-,mcpServers=-,\
             settings=0000000000000000,flags=0000000000000003"
        );
        assert_eq!(text.parse(), Ok(snapshot));
        for bad in ["", "v1:", "v2:rules=1", &text[..text.len() - 20], &format!("{text},more=1"), "…"] {
            assert!(bad.parse::<Snapshot>().is_err(), "{bad}");
        }
    }

    #[test]
    fn differing_parts_are_named_in_order() {
        let one = Snapshot([Some(1), None, Some(2), None, Some(3), None, None]);
        let two = Snapshot([Some(1), Some(1), Some(2), None, None, None, Some(0)]);
        assert_eq!(two.changed_since(&one).collect::<Vec<_>>(), ["model", "mcpServers", "flags"]);
        assert_eq!(one.changed_since(&one).next(), None);
    }
}
