//! What `promptrules` emits is what the SDK's own types take.

#![allow(clippy::unwrap_used, reason = "a failing test panics")]

use std::path::Path;
use std::sync::Arc;

use promptrules::context::Context;
use promptrules::interpret::resolve;
use promptrules::launch::{Request, plan};
use promptrules::load::{load, load_text};
use promptrules_host_example::{session_config, system_message};
use serde_json::{Value, json};

/// Every message of the conformance data survives the way through the SDK's type, but for what the SDK ignores.
#[test]
fn messages_deserialize_into_the_sdk_s_type() {
    let mut seen = 0;
    for line in include_str!("../../../tests/conformance/named.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let rules = load_text("ruleset.yaml", &case["rules"].to_string()).unwrap().rules;
        for resolution in case["resolutions"].as_array().unwrap() {
            let context: Context = serde_json::from_value(resolution["context"].clone()).unwrap();
            let message = resolve(&rules, &context);
            let through_the_sdk = serde_json::to_value(system_message(&message).unwrap()).unwrap();
            assert_eq!(through_the_sdk, without_steps(serde_json::to_value(&message).unwrap()), "{}", case["name"]);
            seen += 1;
        }
    }
    assert!(seen > 35);
}

/// The SDK ignores the steps of a transform: the host applies them.
fn without_steps(mut message: Value) -> Value {
    for (_, value) in message.get_mut("sections").and_then(Value::as_object_mut).into_iter().flatten() {
        value.as_object_mut().unwrap().remove("steps");
    }
    message
}

#[test]
fn a_plan_of_the_shipped_rules_becomes_a_session_configuration() {
    let rules = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules")).unwrap().rules;
    let request: Request = serde_json::from_value(json!({
        "model": "claude-opus-4.8",
        "thinking_level": "high",
        "client_tools": ["runTests", "toolSearch", "problems"],
        "model_capability_overrides": {"*": {"excludedTools": ["problems"]}}
    }))
    .unwrap();
    let config = session_config(&plan(&rules, &request), Arc::new(|_, _| String::new())).unwrap();
    assert_eq!(config.model.as_deref(), Some("claude-opus-4.8"));
    assert_eq!(config.reasoning_effort.as_deref(), Some("high"));
    assert_eq!(config.excluded_tools, Some(vec!["problems".to_owned()]));
    let tools: Vec<(String, bool)> =
        config.tools.unwrap().iter().map(|tool| (tool.name.clone(), tool.overrides_built_in_tool)).collect();
    let expected = [("runTests", false), ("tool_search_tool", true), ("problems", false)];
    assert_eq!(tools, expected.map(|(name, overrides)| (name.to_owned(), overrides)));
    assert_eq!(config.system_message.unwrap().mode.as_deref(), Some("customize"));
}
