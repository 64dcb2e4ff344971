//! Snapshots: equal for equal inputs in any order, different in the right part for any other.

use promptrules::launch::Snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{cases, request, reversed, rules, set, snapshot};

fn changed(request: &Value) -> Vec<&'static str> {
    let rules = set();
    snapshot(rules, request).changed_since(&snapshot(rules, &super::request())).collect()
}

fn edited(edit: impl FnOnce(&mut Value)) -> Value {
    let mut request = request();
    edit(&mut request);
    request
}

#[test]
fn what_a_relaunch_must_notice() {
    type Edit = fn(&mut Value);
    let rows: [(&str, Edit, &[&str]); 17] = [
        ("another model", |it| it["model"] = json!("claude-2"), &["model"]),
        ("no model", |it| it["model"] = json!(null), &["model", "flags"]),
        ("a family", |it| it["model_capability_overrides"] = json!({"*": {"family": "claude-3"}}), &["model"]),
        ("one tool more", |it| it["client_tools"].as_array_mut().unwrap().push(json!("runTests")), &["tools"]),
        ("a tool that no rule knows", |it| it["client_tools"][2] = json!("another"), &["tools"]),
        ("a description", |it| it["client_tools"][1]["description"] = json!("e"), &["tools"]),
        ("an empty description", |it| it["client_tools"][2] = json!({"name": "own", "description": ""}), &["tools"]),
        ("an input schema", |it| it["client_tools"][1]["input_schema"]["a"] = json!([2, 1]), &["tools"]),
        ("an allow-list", |it| it["model_capability_overrides"] = json!({"*": {"availableTools": "*"}}), &["tools"]),
        ("a deny-list", |it| it["model_capability_overrides"] = json!({"*": {"excludedTools": []}}), &["tools"]),
        ("no search tool", |it| it["client_tools"] = json!(["readPage", "own"]), &["tools", "flags"]),
        ("plugins", |it| it["plugins"][0]["version"] = json!(2), &["plugins"]),
        ("no plugins", |it| it["plugins"] = json!(null), &["plugins"]),
        ("a server", |it| it["mcp_servers"]["two"]["url"] = json!("v"), &["mcpServers"]),
        ("a setting", |it| it["settings"]["level"] = json!("low"), &["settings"]),
        ("the threshold", |it| it["settings"]["searchThreshold"] = json!(3), &["settings"]),
        ("a flag", |it| it["workspaceless"] = json!(true), &["flags"]),
    ];
    for (name, edit, parts) in rows {
        assert_eq!(changed(&edited(edit)), parts, "{name}");
    }
}

#[test]
fn what_makes_no_difference() {
    type Edit = fn(&mut Value);
    let rows: [(&str, Edit); 13] = [
        ("a setting that no rule reads", |it| it["settings"]["unread"] = json!("y")),
        ("a setting that does not exist", |it| it["settings"]["more"] = json!(1)),
        ("a default said aloud", |it| it["settings"]["searchEnabled"] = json!(true)),
        ("a value that counts as unset", |it| it["settings"]["level"] = json!("middle")),
        ("null", |it| it["settings"]["level"] = json!(null)),
        ("the picker", |it| it["thinking_level"] = json!("high")),
        ("a resume", |it| it["kind"] = json!("resume")),
        ("an effort", |it| it["model_capability_overrides"] = json!({"*": {"reasoningEffort": "low"}})),
        ("capabilities", |it| it["model_capability_overrides"] = json!({"*": {"modelCapabilities": {"a": 1}}})),
        ("somebody else's override", |it| it["model_capability_overrides"] = json!({"gpt": {"family": "o"}})),
        ("a name as a definition", |it| it["client_tools"][2] = json!({"name": "own"})),
        ("a tool twice", |it| it["client_tools"][3] = json!({"name": "own", "description": "later"})),
        ("a number written in another way", |it| it["plugins"][0]["version"] = json!(1.0)),
    ];
    for (name, edit) in rows {
        let mut edited = request();
        edited["client_tools"].as_array_mut().unwrap().push(json!("own"));
        edit(&mut edited);
        assert_eq!(changed(&edited), [""; 0], "{name}");
    }
}

#[test]
fn flags_and_settings_count_only_if_the_rules_read_them() {
    let bare = rules("{version: 1, catalog: {settings: {a: {type: number}}}, base: {sections: {}}}");
    let plain = snapshot(&bare, &json!({"client_tools": []}));
    let other = json!({"client_tools": [], "workspaceless": true, "settings": {"a": 1}});
    assert_eq!(snapshot(&bare, &other), plain);
    assert!(plain.to_string().ends_with("plugins=-,mcpServers=-,settings=-,flags=-"));
}

#[test]
fn key_order_never_counts() {
    for case in cases() {
        let rules = &rules(&case["rules"].to_string());
        for launch in case["launches"].as_array().unwrap() {
            let request = &launch["request"];
            if request["kind"] != "model-change" {
                assert_eq!(snapshot(rules, &reversed(request, "")), snapshot(rules, request));
            }
        }
    }
}

#[test]
fn the_text_is_the_same_on_every_machine() {
    let text = snapshot(set(), &request()).to_string();
    assert_eq!(
        text,
        "v1:rules=39431135c4042f3a,model=c26af0e36be63016,tools=ae8426dcad42d06a,plugins=08942dad09bf3fbc,\
         mcpServers=f69ad7b933cdb978,settings=ae2d1f718d06740e,flags=0000000000000002"
    );
    assert!(text.parse::<Snapshot>().is_ok());
}

fn opaque() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![any::<i32>().prop_map(Value::from), "[a-c]{0,2}".prop_map(Value::from), Just(Value::Null)];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-c]{1,2}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn client_tools() -> impl Strategy<Value = Vec<Value>> {
    let tool = ("[a-f]{1,2}|readPage|toolSearch", proptest::option::of("[a-b]?"), proptest::option::of(opaque()));
    let names = proptest::collection::hash_map(tool.0, (tool.1, tool.2), 0..6);
    names.prop_map(|tools| {
        let entries = tools.into_iter();
        entries
            .map(|(name, (description, schema))| match (description, schema) {
                (None, None) => json!(name),
                (Some(description), schema) => {
                    json!({"name": name, "description": description, "input_schema": schema})
                }
                (None, schema) => json!({"name": name, "input_schema": schema}),
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn tool_and_key_order_never_count(tools in client_tools(), plugins in opaque()) {
        let rules = set();
        let request = |tools: &[Value]| json!({"model": "claude-1", "client_tools": tools, "plugins": plugins});
        let mut backwards = tools.clone();
        backwards.reverse();
        prop_assert_eq!(snapshot(rules, &reversed(&request(&backwards), "")), snapshot(rules, &request(&tools)));
    }

    #[test]
    fn different_inputs_differ(one in (client_tools(), opaque()), two in (client_tools(), opaque())) {
        let rules = set();
        let take = |(tools, plugins): &(Vec<Value>, Value)| snapshot(rules, &json!({"client_tools": tools, "plugins": plugins}));
        let changed: Vec<&str> = take(&two).changed_since(&take(&one)).collect();
        prop_assert_eq!(changed.contains(&"tools"), normal(&one.0) != normal(&two.0));
        prop_assert_eq!(changed.contains(&"plugins"), one.1 != two.1);
    }
}

/// Tools in name order, each in one form.
fn normal(tools: &[Value]) -> Vec<(Value, Value, Value)> {
    let mut tools: Vec<_> = tools
        .iter()
        .map(|tool| match tool {
            Value::String(_) => (tool.clone(), Value::Null, Value::Null),
            tool => (tool["name"].clone(), tool["description"].clone(), tool["input_schema"].clone()),
        })
        .collect();
    tools.sort_by_key(|(name, ..)| name.to_string());
    tools
}
