//! The conformance data: rule sets with requests and the right plans.

use std::collections::BTreeSet;
use std::path::Path;

use promptrules::interpret::resolve;
use promptrules::launch::{Plan, Request, context};
use serde_json::{Value, json};

use super::{FIRST, cases, planned, rules};

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
        let rules = rules(&case["rules"].to_string());
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

#[test]
fn a_launch_resolves_the_context_of_its_request() {
    for case in cases() {
        let rules = rules(&case["rules"].to_string());
        for launch in case["launches"].as_array().unwrap() {
            let request: Request = serde_json::from_value(launch["request"].clone()).unwrap();
            let message = resolve(&rules, &context(&rules, &request).0);
            if let Some(launch) = promptrules::launch::plan(&rules, &request).launch {
                assert_eq!(message, launch.system_message);
            }
        }
    }
}
