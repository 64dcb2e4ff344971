//! Plans of single requests: what the conformance data does not reach, and what holds for all.

use promptrules::launch::{Plan, Request, plan};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{planned, request, rules, set};

fn warned(plan: &Plan) -> Vec<(&str, &str)> {
    plan.warnings.iter().map(|warning| (warning.field.as_str(), warning.entry.as_str())).collect()
}

fn with(key: &str, value: Value) -> Value {
    let mut request = request();
    request[key] = value;
    request
}

#[test]
fn a_whole_plan_is_written_in_the_sdk_s_names() {
    let rules = set();
    let overrides =
        json!({"claude-1": {"reasoningEffort": "max", "excludedTools": ["toolSearch", "bash"], "availableTools": "*"}});
    let mut plan = serde_json::to_value(planned(rules, &with("model_capability_overrides", overrides))).unwrap();
    let snapshot = plan.as_object_mut().unwrap().shift_remove("snapshot").unwrap();
    assert!(snapshot.as_str().unwrap().starts_with("v1:rules="));
    let expected = json!({
        "model": "claude-1",
        "effectiveModel": "claude-1",
        "sessionConfig": {
            "model": "claude-1",
            "reasoningEffort": "max",
            "availableTools": ["builtin:*", "mcp:*", "custom:*"],
            "excludedTools": ["tool_search_tool", "bash"],
            "toolSearch": {"enabled": false},
            "tools": [{"name": "readPage", "registeredAs": "readPage"}, {"name": "own", "registeredAs": "own"}],
            "systemMessage": {
                "mode": "customize",
                "sections": {
                    "identity": {"action": "replace", "content": "I am."},
                    "guidelines": {"action": "transform", "steps": [{"replace": {"pattern": "a+", "with": "b"}}]},
                    "tone": {"action": "append", "content": "Tuned."},
                    "tool_instructions": {"action": "append", "content": "\nRead pages."},
                },
            },
        },
        "summary": "mode=customize sections=[identity:replace, guidelines:transform, tone:append, tool_instructions:append]",
        "warnings": [],
    });
    assert_eq!(plan, expected);
}

#[test]
fn active_tool_search_registers_its_tool_under_the_runtime_s_name() {
    let plan = planned(set(), &request());
    let config = &serde_json::to_value(plan).unwrap()["sessionConfig"];
    assert_eq!(config["toolSearch"], json!({"enabled": true, "deferThreshold": 7}));
    let expected = json!([
        {"name": "toolSearch", "registeredAs": "tool_search_tool", "defer": "never", "overridesBuiltInTool": true},
        {"name": "readPage", "registeredAs": "readPage", "defer": "auto"},
        {"name": "own", "registeredAs": "own", "defer": "auto"},
    ]);
    assert_eq!(config["tools"], expected);
}

#[test]
fn a_tool_with_the_runtime_s_name_is_left_out_with_a_warning() {
    let tools = json!(["tool_search_tool", "own", "own", "tool_search_tool"]);
    for model in ["claude-1", "gpt"] {
        let mut request = with("client_tools", tools.clone());
        request["model"] = json!(model);
        let plan = planned(set(), &request);
        assert_eq!(warned(&plan), [("client_tools", "tool_search_tool")]);
        let names: Vec<String> = plan.launch.unwrap().tools.into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["own"]);
    }
}

#[test]
fn settings_that_count_for_nothing_are_warned_about() {
    let settings = json!({"tuned": "yes", "nope": 1, "level": null, "unread": 3});
    let plan = planned(set(), &with("settings", settings));
    assert_eq!(warned(&plan), [("nope", ""), ("tuned", ""), ("unread", "")]);
}

#[test]
fn without_tool_search_in_the_rules_nothing_is_renamed_or_deferred() {
    let bare = rules("{version: 1, base: {sections: {}}}");
    let tools = json!(["toolSearch", "tool_search_tool"]);
    let mut request = with("client_tools", tools);
    request["settings"] = json!({});
    request["model_capability_overrides"] = json!({"*": {"excludedTools": ["custom:toolSearch"]}});
    let plan = planned(&bare, &request);
    assert_eq!(plan.warnings, []);
    let config = &serde_json::to_value(plan).unwrap()["sessionConfig"];
    assert_eq!(config["toolSearch"], json!({"enabled": false}));
    assert_eq!(config["excludedTools"], json!(["custom:toolSearch"]));
    assert_eq!(config["tools"].as_array().unwrap().len(), 2);
}

#[test]
fn an_effort_comes_from_the_override_then_from_the_picker_but_not_on_resume() {
    let effort = |kind: &str, picked: &str, overrides: Value| {
        let mut request = with("model_capability_overrides", overrides);
        request["kind"] = json!(kind);
        request["thinking_level"] = json!(picked);
        let plan = planned(set(), &request);
        assert_eq!(plan.warnings, []);
        serde_json::to_value(plan).unwrap()["sessionConfig"]["reasoningEffort"].clone()
    };
    let high = || json!({"*": {"reasoningEffort": "high"}});
    for kind in ["create", "resume", "model-change"] {
        assert_eq!(effort(kind, "low", high()), "high", "{kind}");
        assert_eq!(effort(kind, "fast", json!({})), Value::Null, "{kind}");
    }
    assert_eq!(effort("create", "xhigh", json!({})), "xhigh");
    assert_eq!(effort("model-change", "none", json!(null)), "none");
    assert_eq!(effort("resume", "low", json!({})), Value::Null);
}

#[test]
fn a_model_change_changes_the_model_and_nothing_else() {
    let overrides = json!({"claude-1": {"family": "gpt", "modelCapabilities": {}, "availableTools": [3]}});
    let mut request = with("model_capability_overrides", overrides);
    request["kind"] = json!("model-change");
    let plan = planned(set(), &request);
    assert_eq!(warned(&plan), [("availableTools", "claude-1")]);
    let mut plan = serde_json::to_value(plan).unwrap();
    plan.as_object_mut().unwrap().shift_remove("warnings");
    let config = json!({"model": "claude-1", "reasoningEffort": "low"});
    assert_eq!(plan, json!({"model": "claude-1", "effectiveModel": "gpt", "sessionConfig": config}));
}

#[test]
fn a_family_applies_without_a_model_too() {
    let mut request = with("model_capability_overrides", json!({"*": {"family": "claude-9"}}));
    request["model"] = Value::Null;
    let plan = serde_json::to_value(planned(set(), &request)).unwrap();
    assert_eq!(plan["effectiveModel"], "claude-9");
    assert_eq!(plan["sessionConfig"]["toolSearch"]["enabled"], true);
    assert!(plan.get("model").is_none() && plan["sessionConfig"].get("model").is_none());
}

/// JSON of any shape, with the words of the contract among its strings and keys.
fn anything() -> impl Strategy<Value = Value> {
    let words = proptest::sample::select(vec![
        "*",
        "claude-1",
        "family",
        "reasoningEffort",
        "availableTools",
        "excludedTools",
        "modelCapabilities",
        "high",
        "custom:toolSearch",
        "toolSearch",
        "",
    ]);
    let text = prop_oneof![words.prop_map(str::to_owned), any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((text.clone(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn no_override_stops_a_launch(overrides in anything(), model in proptest::option::of("(claude-1|\\*|.{1,4})")) {
        let rules = set();
        let mut request: Request = serde_json::from_value(request()).unwrap();
        request.model = model.clone();
        request.model_capability_overrides = overrides;
        let plan = plan(rules, &request);
        let launch = plan.launch.as_ref().unwrap();
        prop_assert_eq!(plan.model, request.model);
        // The prompt is made from rules alone: without a usable family only tools can change it.
        prop_assert!(launch.summary.starts_with("mode=customize sections=[identity:replace"));
        for warning in &plan.warnings {
            let entry = Some(warning.entry.as_str());
            prop_assert!(entry == Some("") || entry == Some("*") || entry == model.as_deref());
            prop_assert!(warning.message.chars().count() < 200);
        }
    }

    #[test]
    fn nothing_else_of_a_request_stops_a_launch(settings in anything(), opaque in anything(), tools: Vec<String>) {
        let mut request: Request = serde_json::from_value(request()).unwrap();
        request.settings = settings.as_object().cloned().unwrap_or_default();
        request.plugins = opaque.clone();
        request.mcp_servers = opaque;
        request.client_tools = tools.iter().map(|name| name.as_str().into()).collect();
        let plan = plan(set(), &request);
        prop_assert_eq!(plan.warnings.iter().filter(|warning| warning.entry.is_empty()).count(), plan.warnings.len());
        prop_assert!(serde_json::to_string(&plan).is_ok());
    }
}
