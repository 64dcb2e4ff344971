//! The runtime's callbacks, answered from a plan: tool calls and transforms.

use promptrules::launch::transform::apply;
use promptrules::launch::{Corpus, RuntimeCall};
use promptrules::message::Section;
use serde_json::json;

use super::{planned, request, set};

fn call(tool: &str) -> RuntimeCall {
    let corpus: Corpus = serde_json::from_value(json!([
        {"name": "deferred", "description": "secret", "input_schema": {"secret": 1}, "mcpServerName": "m"},
        {"name": "bare"},
    ]))
    .unwrap();
    RuntimeCall { tool: tool.into(), arguments: json!({"query": "q"}), corpus: Some(corpus) }
}

#[test]
fn a_search_call_comes_back_under_the_client_s_name_with_the_corpus_beside_it() {
    let launch = planned(set(), &request()).launch.unwrap();
    let local = launch.route(call("tool_search_tool")).unwrap();
    assert_eq!(local.tool.name, "toolSearch");
    let names: Vec<&str> = local.corpus.as_ref().unwrap().tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["deferred", "bare"]);
    let seen_by_the_model = serde_json::to_value(local.model_input()).unwrap();
    assert_eq!(seen_by_the_model, json!({"tool": "tool_search_tool", "arguments": {"query": "q"}}));
    assert!(!format!("{local:?}").contains("secret"));
}

#[test]
fn no_other_tool_gets_the_corpus() {
    let launch = planned(set(), &request()).launch.unwrap();
    let local = launch.route(call("readPage")).unwrap();
    assert_eq!((local.tool.name.as_str(), &local.corpus), ("readPage", &None));
}

#[test]
fn a_tool_that_is_not_registered_is_not_called() {
    let mut request = request();
    request["settings"]["searchEnabled"] = json!(false);
    let launch = planned(set(), &request).launch.unwrap();
    for name in ["toolSearch", "tool_search_tool", "nothing"] {
        assert_eq!(launch.route(call(name)), None, "{name}");
    }
}

#[test]
fn the_plan_carries_the_steps_of_its_transforms() {
    let launch = planned(set(), &request()).launch.unwrap();
    let steps = launch.steps(Section::Guidelines).unwrap();
    assert_eq!(apply(steps, "aaX a").unwrap(), "bX b");
    assert_eq!(launch.steps(Section::Tone), None);
    assert_eq!(launch.steps(Section::Safety), None);
}
