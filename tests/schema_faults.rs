//! One fault of form at a time: each is told once, with its code, at the key or value itself.
//!
//! The data are rule files as JSON, which is YAML, with the places of their faults as JSON pointers.
//! A `key` is meant itself; without one it is the value. A missing key has the place of what holds it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failing test panics")]

use std::fmt::Write;

use promptrules::diagnostic::{Code, Diagnostic};
use promptrules::load::{Failed, LoadError, load_text};
use serde_json::Value;

const FAULTS: &str = include_str!("conformance/schema-faults.jsonl");

/// The codes of faults of form; whoever names nothing that is declared has others as well.
const OF_FORM: [Code; 7] = [
    Code::UnknownKey,
    Code::WrongType,
    Code::MissingKey,
    Code::InvalidValue,
    Code::UnknownSection,
    Code::UnknownAction,
    Code::UnsupportedVersion,
];

/// What stands at a place: a key or a value, as JSON.
fn at(failed: &Failed, diagnostic: &Diagnostic) -> Value {
    serde_json::from_str(failed.sources.text(diagnostic.span)).unwrap_or(Value::from("(no JSON)"))
}

/// What stands at the place that is expected.
fn expected(rules: &Value, error: &Value) -> Value {
    let pointer = error["pointer"].as_str().unwrap();
    if let Some(key) = error.get("key") {
        return key.clone();
    }
    let value = rules.pointer(pointer).unwrap().clone();
    if error["code"] != "missing-key" {
        return value;
    }
    match (pointer.rsplit_once('/'), &value) {
        (None, _) => rules.clone(),
        (Some((_, item)), Value::Object(keys)) if item.parse::<usize>().is_ok() => {
            keys.keys().next().map_or(value.clone(), |first| Value::from(first.as_str()))
        }
        (Some((_, key)), _) => Value::from(key),
    }
}

#[test]
fn faults_of_form() {
    let mut wrong = String::new();
    for line in FAULTS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let rules = &case["rules"];
        let failed = match load_text("ruleset.yaml", &rules.to_string()) {
            Err(LoadError::Rules(failed)) => failed,
            other => panic!("{}: {other:?}", case["name"]),
        };
        let found = failed.diagnostics.iter().filter(|diagnostic| OF_FORM.contains(&diagnostic.code));
        let mut found: Vec<String> =
            found.map(|diagnostic| format!("{} at {}", diagnostic.code.as_str(), at(&failed, diagnostic))).collect();
        let errors = case["errors"].as_array().unwrap().iter();
        let mut wanted: Vec<String> =
            errors.map(|error| format!("{} at {}", error["code"].as_str().unwrap(), expected(rules, error))).collect();
        found.sort();
        wanted.sort();
        if found != wanted {
            writeln!(wrong, "{}: {found:?} instead of {wanted:?}", case["name"]).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
