//! Launches a second, snapshot included. The goal is 100,000 on one core at 20 contributors with
//! ten bare tool names: 10 µs each.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "a benchmark may panic")]

mod common;

use divan::{Bencher, black_box};
use promptrules::launch::{ClientTool, Request, plan};
use promptrules::load::load_text;
use promptrules::rules::RuleSet;
use serde_json::{Value, json};

const SIZES: [usize; 3] = [20, 200, 2_000];
const LINES: usize = 8;

fn main() {
    divan::main();
}

/// Ten of the tools, the one for searching them among these.
fn tools() -> impl Iterator<Item = &'static str> {
    common::TOOLS.into_iter().skip(1)
}

/// From a request to a plan: what a host in Rust calls.
#[divan::bench(args = SIZES)]
fn library(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = rules(contributors);
    let requests = requests(contributors);
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % requests.len();
        black_box(plan(&rules, &requests[next]))
    });
}

/// From a line of JSON to a line of JSON: what the kept-alive pipe does.
#[divan::bench(args = SIZES)]
fn line(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = rules(contributors);
    let lines: Vec<String> = requests(contributors).iter().map(|request| written(request).to_string()).collect();
    let (mut next, mut out) = (0, Vec::new());
    bencher.bench_local(|| {
        next = (next + 1) % lines.len();
        out.clear();
        let request: Request = serde_json::from_str(&lines[next]).unwrap();
        serde_json::to_writer(&mut out, &plan(&rules, &request)).unwrap();
        black_box(out.len())
    });
}

/// The first launch under a rule set: it takes the fingerprint of the rules as well.
#[divan::bench(args = SIZES, sample_count = 20)]
fn first(bencher: Bencher<'_, '_>, contributors: usize) {
    let request = requests(contributors).remove(0);
    bencher.with_inputs(|| rules(contributors)).bench_local_values(|rules| {
        black_box(plan(&rules, &request));
        rules
    });
}

fn rules(contributors: usize) -> RuleSet {
    let mut rules = common::rules(contributors, LINES);
    rules["catalog"]["settings"]["toolSearchEnabled"] = json!({"type": "boolean", "default": true});
    rules["tool_search"] = json!({
        "enabled_setting": "toolSearchEnabled",
        "supported_models": {"normalize": ["lowercase", "dashes"], "prefix": ["fam0", "fam2", "fam4"]},
        "client_tool": "toolSearch",
        "runtime_tool": "tool_search_tool",
        "never_defer": ["runTests"],
    });
    load_text("ruleset.yaml", &rules.to_string()).unwrap().rules
}

fn requests(contributors: usize) -> Vec<Request> {
    let contexts = common::contexts(contributors, 512);
    let request = |context: promptrules::context::Context| Request {
        model: context.model,
        client_tools: tools().map(ClientTool::from).collect(),
        settings: context.settings,
        ..Request::default()
    };
    contexts.into_iter().map(request).collect()
}

fn written(request: &Request) -> Value {
    json!({"model": request.model, "client_tools": tools().collect::<Vec<_>>(), "settings": request.settings})
}
