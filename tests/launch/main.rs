//! Launch planning: the conformance data, and what must hold whatever a request contains.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failing test panics")]
#![allow(clippy::print_stdout, reason = "a test that skips says so")]

mod calls;
#[cfg(feature = "cli")]
mod command;
mod conformance;
mod digest;
mod requests;
mod snapshot;

use std::sync::LazyLock;

use promptrules::launch::{Plan, Request, Snapshot, plan};
use promptrules::load::{Memory, load_from, load_text};
use promptrules::rules::RuleSet;
use serde_json::{Value, json};

const FIRST: &str = include_str!("../conformance/launch.jsonl");

/// A small set in which each kind of thing is read by some rule.
const RULES: &str = r#"
version: 1
catalog:
  client_tools: [readPage, runTests, toolSearch]
  settings:
    tuned: {type: boolean, default: false}
    level: {type: string, enum: [low, high]}
    unread: {type: string}
    searchEnabled: {type: boolean, default: true}
    searchThreshold: {type: number}
base:
  sections:
    identity: {action: replace, content: I am.}
    guidelines:
      action: transform
      steps: [{replace: {pattern: a+, with: b}}]
contributors:
  - id: claude
    match: {families: [claude]}
    when: {setting_equals: {tuned: true}}
    sections: {tone: {action: append, content: Tuned.}}
tool_instructions:
  - {id: pages, when: {has_client_tool: readPage}, text: Read pages.}
  - {id: search, when: {tool_search_active: true}, text: Search tools.}
  - {id: level, bind: {level: {setting: level}}, text: "Level {{level}}."}
trailing:
  - {id: bare, when: {workspaceless: true}, text: No folder.}
tool_search:
  enabled_setting: searchEnabled
  threshold_setting: searchThreshold
  defer_threshold: 7
  supported_models: {prefix: claude}
  client_tool: toolSearch
  runtime_tool: tool_search_tool
  never_defer: [runTests]
"#;

fn set() -> &'static RuleSet {
    static SET: LazyLock<RuleSet> = LazyLock::new(|| rules(RULES));
    &SET
}

/// A rule set from one text; JSON is YAML.
fn rules(text: &str) -> RuleSet {
    loaded(text).unwrap_or_else(|| panic!("the rules do not load:\n{text}"))
}

fn loaded(text: &str) -> Option<RuleSet> {
    Some(load_text("ruleset.yaml", text).ok()?.rules)
}

fn files<const N: usize>(files: [(&str, &str); N]) -> RuleSet {
    load_from(&Memory::new(files), "ruleset.yaml".as_ref()).unwrap().rules
}

fn planned(rules: &RuleSet, request: &Value) -> Plan {
    plan(rules, &serde_json::from_value::<Request>(request.clone()).unwrap())
}

fn snapshot(rules: &RuleSet, request: &Value) -> Snapshot {
    planned(rules, request).launch.unwrap().snapshot
}

/// The same value with the keys of every mapping in reverse, but for those mappings that `keep` names.
fn reversed(value: &Value, keep: &str) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| reversed(item, keep)).collect(),
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map
                .iter()
                .map(|(key, value)| (key.clone(), if key == keep { value.clone() } else { reversed(value, keep) }))
                .collect();
            entries.reverse();
            Value::Object(entries.into_iter().collect())
        }
        scalar => scalar.clone(),
    }
}

/// The conformance cases that always run.
fn cases() -> impl Iterator<Item = Value> {
    FIRST.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// A request that names one of each.
fn request() -> Value {
    json!({
        "model": "claude-1",
        "thinking_level": "low",
        "client_tools": ["toolSearch", {"name": "readPage", "description": "d", "input_schema": {"b": 1, "a": [1, 2]}}, "own"],
        "settings": {"tuned": true, "unread": "x"},
        "plugins": [{"id": "p", "version": 1}],
        "mcp_servers": {"one": {"url": "u"}, "two": {}},
    })
}
