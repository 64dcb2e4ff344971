//! Launches a second, snapshot included. `cargo bench --bench launch`
//!
//! The goal is 100,000 on one core at 20 contributors with ten bare tool names: 10 µs each.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that cannot start may stop")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use promptrules::launch::{Request, plan};
use promptrules::load::load_text;
use promptrules::rules::RuleSet;
use serde_json::{Value, json};

const TOOLS: [&str; 11] = [
    "openBrowserPage",
    "readPage",
    "clickElement",
    "screenshotPage",
    "runTask",
    "getTaskOutput",
    "runTests",
    "rename",
    "usages",
    "problems",
    "toolSearch",
];
const LINES: usize = 20;
const SIZES: [usize; 3] = [20, 200, 2_000];
const REQUESTS: usize = 500;

fn main() {
    divan::main();
}

/// From a request to a plan: what a host calls.
#[divan::bench(args = SIZES)]
fn launch(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = rules(contributors);
    let requests: Vec<Request> = requests(contributors).map(read).collect();
    bencher.counter(ItemsCount::new(REQUESTS)).bench_local(|| {
        for request in &requests {
            black_box(plan(&rules, black_box(request)));
        }
    });
}

/// From a line of JSON to a line of JSON: what the kept-alive pipe does.
#[divan::bench(args = SIZES)]
fn line(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = rules(contributors);
    let lines: Vec<String> = requests(contributors).map(|request| request.to_string()).collect();
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(REQUESTS)).bench_local(|| {
        for line in &lines {
            out.clear();
            let request: Request = serde_json::from_str(black_box(line)).expect("a request");
            serde_json::to_writer(&mut out, &plan(&rules, &request)).expect("memory takes it");
            black_box(&out);
        }
    });
}

/// The first launch alone also takes the fingerprint of the rules.
#[divan::bench(args = SIZES)]
fn first_launch(bencher: Bencher<'_, '_>, contributors: usize) {
    let request = requests(contributors).map(read).next().expect("there are requests");
    bencher.with_inputs(|| rules(contributors)).bench_local_values(|rules| {
        black_box(plan(&rules, &request));
        rules
    });
}

fn read(request: Value) -> Request {
    serde_json::from_value(request).expect("a request")
}

fn requests(contributors: usize) -> impl Iterator<Item = Value> {
    (0..REQUESTS).map(move |number| {
        let family = number * 7 % (contributors + 2);
        let level = if number % 4 < 2 { "low" } else { "high" };
        let ending = ["", "-2026", "-mini"][number % 3];
        let model = format!("fam{}-v{}{ending}", family / 4, family % 4);
        let tools: Vec<&str> = TOOLS.into_iter().cycle().skip(number).take(10).collect();
        json!({
            "model": model,
            "client_tools": tools,
            "settings": {"opusPrompt": number % 2 == 0, "effortLevel": level},
            "workspaceless": number % 5 == 0,
        })
    })
}

fn rules(contributors: usize) -> RuleSet {
    let rules = json!({
        "version": 1,
        "catalog": {
            "client_tools": TOOLS,
            "tool_groups": {"browser": ["openBrowserPage", "readPage", "clickElement"]},
            "settings": {
                "opusPrompt": {"type": "boolean", "default": false},
                "toolSearchEnabled": {"type": "boolean", "default": true},
                "effortLevel": {"type": "string", "enum": ["low", "medium", "high"]},
            },
        },
        "base": {"sections": {"identity": {"action": "replace", "content": words(30)}}},
        "contributors": (0..contributors).map(contributor).collect::<Value>(),
        "tool_instructions": (0..LINES).map(line_rule).collect::<Value>(),
        "trailing": [
            {"id": "w", "when": {"workspaceless": true}, "text": words(60)},
            {"id": "f", "text": words(80)},
        ],
        "tool_search": {
            "enabled_setting": "toolSearchEnabled",
            "supported_models": {"normalize": ["lowercase", "dashes"], "prefix": ["fam0", "fam2", "fam4"]},
            "client_tool": "toolSearch",
            "runtime_tool": "tool_search_tool",
            "never_defer": ["runTests", "$browser"],
        },
    });
    load_text("ruleset.yaml", &rules.to_string()).expect("the rules load").rules
}

fn contributor(number: usize) -> Value {
    let family = format!("fam{}-v{}", number / 4, number % 4);
    let pattern = |end: &str| format!("^{family}{end}");
    let matching = match number % 4 {
        0 => json!({"families": [family]}),
        1 => json!({"model": {"normalize": ["vendor", "lowercase", "dashes"], "regex": pattern("(-|$)")}}),
        2 => json!({"model": {"prefix": family}}),
        _ => json!({"model": {"any": [{"equals": family}, {"regex": pattern("-[0-9]+$")}]}}),
    };
    let mut rule = json!({
        "id": format!("c{number}"),
        "match": matching,
        "sections": {
            "tone": {"action": "append", "content": format!("\n{}", words(40))},
            "guidelines": {"action": "append", "content": [
                format!("\n{}", words(30)),
                {"when": {"workspaceless": true}, "text": words(20)},
            ]},
        },
    });
    if number % 5 == 0 {
        rule["when"] = json!({"setting_equals": {"opusPrompt": true}});
    }
    if number % 3 == 0 {
        rule["sections"]["tool_instructions"] = json!({"action": "append", "content": words(20)});
    }
    rule
}

fn line_rule(number: usize) -> Value {
    let tool = |skip: usize| TOOLS.into_iter().cycle().nth(number * 3 + skip);
    let mut rule = json!({"id": format!("l{number}"), "text": words(28)});
    match number % 4 {
        0 => {}
        1 => rule["when"] = json!({"has_client_tool": tool(0)}),
        2 => rule["when"] = json!({"has_any_client_tool": [tool(0), tool(1)]}),
        _ => {
            let not_low = json!({"not": {"setting_equals": {"effortLevel": "low"}}});
            rule["when"] = json!({"all": [{"has_client_tool": tool(0)}, not_low]});
        }
    }
    rule
}

fn words(number: usize) -> String {
    let text = "when the agent edits code it keeps each change small and checks the result before it reports back";
    text.split(' ').cycle().take(number).collect::<Vec<_>>().join(" ")
}
