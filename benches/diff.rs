//! What a comparison costs: the shipped rules after an edit, and 200 contributors with 100 lines over 60 conditions.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "a benchmark may panic")]

use std::path::Path;

use divan::{Bencher, black_box};
use promptrules::diff::{Verdict, diff};
use promptrules::load::{Loaded, Memory, load, load_from, load_text};
use promptrules::policy::decide;
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// The shipped rules with some words replaced in every file.
fn shipped(replace: &[(&str, &str)]) -> Loaded {
    let files = load("rules".as_ref()).unwrap();
    let texts = files.sources.files().map(|(_, file)| {
        let edit = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        (file.name().to_owned(), replace.iter().fold(file.text().to_owned(), edit))
    });
    load_from(&Memory::new(texts), Path::new("rules/ruleset.yaml")).unwrap()
}

#[divan::bench(sample_count = 10)]
fn shipped_one_edit(bencher: Bencher<'_, '_>) {
    let (old, new) = (shipped(&[]), shipped(&[("Lead with the outcome", "Begin with the outcome")]));
    assert_eq!(diff(&old, &new).differences.len(), 1);
    bencher.bench_local(|| black_box(diff(&old, &new)));
}

#[divan::bench(sample_count = 10)]
fn shipped_every_matcher_and_line(bencher: Bencher<'_, '_>) {
    let edits = [("([^a-z0-9]|$)", "(-|$)"), ("has_client_tool: runTests", "has_any_client_tool: [runTests, usages]")];
    let (old, new) = (shipped(&[]), shipped(&edits));
    assert_eq!(diff(&old, &new).verdict(), Verdict::Different);
    bencher.bench_local(|| black_box(diff(&old, &new)));
}

#[divan::bench(sample_count = 10)]
fn shipped_policies(bencher: Bencher<'_, '_>) {
    let loaded = shipped(&[]);
    bencher.bench_local(|| black_box(decide(&loaded.rules, &loaded.documents)));
}

const TOOLS: usize = 50;
const SETTINGS: usize = 10;

/// One of 60 conditions.
fn condition(number: usize) -> Value {
    let number = number % (TOOLS + SETTINGS);
    if number < TOOLS {
        json!({"has_client_tool": format!("tool{number}")})
    } else {
        json!({"setting_equals": {format!("setting{}", number - TOOLS): true}})
    }
}

/// Two of them, as different rules combine them.
fn gate(number: usize) -> Value {
    let (first, second) = (condition(number * 7), condition(number * 13 + 5));
    match number % 3 {
        0 => json!({"all": [first, {"not": second}]}),
        1 => json!({"any": [first, second]}),
        _ => first,
    }
}

fn large(word: &str, turn: usize) -> Loaded {
    let contributors: Vec<Value> = (0..200)
        .map(|number| {
            json!({
                "id": format!("c{number}"), "when": gate(number + turn),
                "match": {"model": {"normalize": ["vendor", "lowercase", "dashes"], "regex": format!("^family{number}(-|$)")}},
                "sections": {
                    "tone": {"action": "append", "content": [format!("\nTone {number}."), {"when": gate(number + 1), "text": word}]},
                    "guidelines": [
                        {"when": gate(number + 2), "action": "append", "content": format!("\nGuideline {number}.")},
                        {"action": "append", "content": format!("\n{word}")},
                    ],
                },
            })
        })
        .collect();
    let lines: Vec<Value> = (0..100)
        .map(|number| json!({"id": format!("l{number}"), "when": gate(number), "text": format!("Line {number}, {}.", if number % 10 == 0 { word } else { "same" })}))
        .collect();
    let settings: serde_json::Map<String, Value> =
        (0..SETTINGS).map(|number| (format!("setting{number}"), json!({"type": "boolean"}))).collect();
    let rules = json!({
        "version": 1,
        "catalog": {
            "client_tools": (0..TOOLS).map(|number| format!("tool{number}")).collect::<Vec<_>>(),
            "settings": settings,
            "models": (0..200).map(|number| format!("vendor/Family{number}-x")).collect::<Vec<_>>(),
        },
        "base": {"sections": {"preamble": {"action": "replace", "content": "You."}}},
        "contributors": contributors, "tool_instructions": lines,
    });
    load_text("ruleset.yaml", &rules.to_string()).unwrap()
}

#[divan::bench(sample_count = 5)]
fn large_texts(bencher: Bencher<'_, '_>) {
    let (old, new) = (large("word", 0), large("other", 0));
    let found = diff(&old, &new);
    assert!(found.differences.len() == 210 && found.undecided.is_empty(), "{:?}", found.undecided);
    bencher.bench_local(|| black_box(diff(&old, &new)));
}

#[divan::bench(sample_count = 5)]
fn large_gates(bencher: Bencher<'_, '_>) {
    let (old, new) = (large("word", 0), large("word", 1));
    let found = diff(&old, &new);
    assert!(!found.differences.is_empty() && found.undecided.is_empty(), "{:?}", found.undecided);
    bencher.bench_local(|| black_box(diff(&old, &new)));
}
