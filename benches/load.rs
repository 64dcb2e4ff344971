//! What loading costs: a single file by number of contributors, and a thousand files of 2 MB in all.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, dead_code, reason = "a benchmark may panic")]

mod common;

use std::path::Path;

use divan::{Bencher, black_box};
use promptrules::load::{Memory, load_from, load_text};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// Text to rule set: parse, validate, compile.
#[divan::bench(args = [20, 200, 2_000, 20_000], sample_count = 10)]
fn one_file(bencher: Bencher<'_, '_>, contributors: usize) {
    let text = common::rules(contributors, 8).to_string();
    bencher.bench(|| black_box(load_text("ruleset.yaml", &text).unwrap()));
}

/// A thousand files of about 2 KB, read from memory.
#[divan::bench(sample_count = 10)]
fn thousand_files(bencher: Bencher<'_, '_>) {
    let mut rules = common::rules(1000, 3000);
    let contributors = std::mem::take(rules["contributors"].as_array_mut().unwrap());
    let lines = std::mem::take(rules["tool_instructions"].as_array_mut().unwrap());
    let names: Vec<String> = (0..contributors.len()).map(|number| format!("part{number}.yaml")).collect();
    rules["include"] = json!(names);
    let part = |(contributor, lines): (&Value, &[Value])| {
        serde_yaml::to_string(&json!({"version": 1, "contributors": [contributor], "tool_instructions": lines}))
            .unwrap()
    };
    let parts = contributors.iter().zip(lines.chunks(3)).map(part);
    let root = ("ruleset.yaml".to_owned(), rules.to_string());
    let files = Memory::new(names.into_iter().zip(parts).chain([root]));
    bencher.bench(|| black_box(load_from(&files, Path::new("ruleset.yaml")).unwrap()));
}
