//! The conformance data: rule sets with contexts and the right answers.
//!
//! The named situations are kept here; the large generated file is read from where the contract
//! lies, if it is there.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failing test panics, a skipped one says so"
)]

use std::path::Path;

use promptrules::context::Context;
use promptrules::interpret::resolve;
use promptrules::load::{Schema, load_text};
use promptrules::rules::RuleSet;
use serde_json::Value;

const NAMED: &str = include_str!("conformance/named.jsonl");

fn rules(case: &Value) -> RuleSet {
    match load_text("ruleset.yaml", &case["rules"].to_string()) {
        Ok(loaded) => loaded.rules,
        Err(error) => panic!("{}: {error:?}", case["name"]),
    }
}

/// Compares everything, with the order of `sections` seen through the summary.
fn check(text: &str) -> usize {
    let mut checked = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let rules = rules(&case);
        for resolution in case["resolutions"].as_array().unwrap() {
            let context: Context = serde_json::from_value(resolution["context"].clone()).unwrap();
            let message = resolve(&rules, &context);
            let name = format!("{} with {}", case["name"], resolution["context"]);
            assert_eq!(serde_json::to_value(&message).unwrap(), resolution["systemMessage"], "{name}");
            assert_eq!(message.summary(), resolution["summary"], "{name}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn named_situations() {
    assert!(check(NAMED) > 35);
}

#[test]
fn generated_situations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/generated.jsonl");
    match std::fs::read_to_string(&path) {
        Ok(text) => assert!(check(&text) >= 1200),
        Err(_) => println!("skipped: the generated conformance data is not beside this checkout"),
    }
}

#[test]
fn the_output_keeps_to_its_schema() {
    let schema = serde_json::from_str(Schema::SystemMessage.text()).unwrap();
    let validator = jsonschema::draft202012::options().offline().build(&schema).unwrap();
    for line in NAMED.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let rules = rules(&case);
        for resolution in case["resolutions"].as_array().unwrap() {
            let context: Context = serde_json::from_value(resolution["context"].clone()).unwrap();
            let message = serde_json::to_value(resolve(&rules, &context)).unwrap();
            assert!(validator.is_valid(&message), "{message}");
        }
    }
}
