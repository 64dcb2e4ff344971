//! Launch planning: the conformance data, and what must hold whatever a request contains.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failing test panics")]
#![allow(clippy::print_stdout, reason = "a test that skips says so")]

use std::collections::BTreeSet;
use std::path::Path;

use promptrules::launch::{Plan, Request, plan};
use promptrules::load::load_text;
use promptrules::rules::RuleSet;
use serde_json::{Value, json};

const FIRST: &str = include_str!("conformance/launch.jsonl");

fn rules(rules: &Value) -> RuleSet {
    match load_text("ruleset.yaml", &rules.to_string()) {
        Ok(loaded) => loaded.rules,
        Err(error) => panic!("{error:?}"),
    }
}

fn planned(rules: &RuleSet, request: &Value) -> Plan {
    plan(rules, &serde_json::from_value::<Request>(request.clone()).unwrap())
}

/// The plan as the conformance data has it: `warned` for `warnings`, no snapshot.
fn comparable(plan: &Plan) -> Value {
    let mut written = serde_json::to_value(plan).unwrap();
    let plan = written.as_object_mut().unwrap();
    let warnings = plan.shift_remove("warnings").unwrap();
    let warned: BTreeSet<Vec<String>> = warnings.as_array().unwrap().iter().map(pair).collect();
    plan.insert("warned".into(), json!(warned));
    let has_snapshot = plan.shift_remove("snapshot").is_some();
    assert_eq!(has_snapshot, plan.contains_key("summary"), "a launch has both, a model change neither");
    written
}

fn pair(warning: &Value) -> Vec<String> {
    ["field", "entry"].map(|key| warning[key].as_str().unwrap().to_owned()).into()
}

fn check(text: &str) -> usize {
    let mut checked = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let rules = rules(&case["rules"]);
        for launch in case["launches"].as_array().unwrap() {
            let plan = planned(&rules, &launch["request"]);
            let name = format!("{} with {}", case["name"], launch["request"]);
            assert_eq!(comparable(&plan), launch["plan"], "{name}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn the_first_launches() {
    assert_eq!(check(FIRST), 40);
}

#[test]
fn all_launches() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/launch.jsonl");
    match std::fs::read_to_string(&path) {
        Ok(text) => assert!(check(&text) >= 400),
        Err(_) => println!("skipped: the launch conformance data is not beside this checkout"),
    }
}
