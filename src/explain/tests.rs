//! What a reader gets to see, on a small rule set that has one of everything.

use super::*;
use crate::load::{Loaded, load_text};
use serde_json::{Value, json};

const RULES: &str = r#"version: 1
catalog:
  client_tools: [openPage, readPage, runTests]
  settings:
    tuned: {type: boolean, default: false}
    level: {type: string, enum: [low, high]}
  models: [acme/Rocket-5, rocket-4]
texts:
  scope: Do what was asked.
base:
  sections:
    preamble: {action: replace, content: You are the agent.}
    tone: {action: append, content: "\nBe brief."}
    guidelines: {when: {workspaceless: false}, action: append, content: "\nThere is a project."}
  content: The default's last word.
contributors:
  - id: rocket-5
    match: {model: {normalize: [vendor, lowercase], prefix: [rocket-5, rocket5], not: {contains: mini}}}
    extends: rocket
    when: {setting_equals: {tuned: true}}
    bind: {level: {setting: level}}
    sections:
      tone:
        - {when: {all: [{has_any_client_tool: [openPage, readPage]}, {workspaceless: true}]}, action: remove}
        - action: append
          content: ["", {parent: true}, "Your level is {{level}}.", {use: scope}]
        - {action: preserve}
      guidelines: {when: {any: [{has_client_tool: runTests}, {model: {suffix: -max}}]}, action: remove}
  - id: rocket
    match: {families: [rocket-, rkt-]}
    sections:
      tone: {action: append, content: "\nSpeak plainly."}
      tool_instructions: {action: prepend, content: Think first.}
  - id: lab
    match: {families: [lab-]}
    full_prompt: {when: {setting_is_set: level}, text: You are an experiment.}
  - id: silent
    match: {model: {all: [{prefix: silent}, {regex: '-[0-9]+$'}]}}
    sections:
      tone: {when: {not: {has_client_tool: openPage}}, action: remove}
tool_instructions:
  - {id: browser, when: {has_client_tool: openPage}, bind: {page: {first_client_tool: [readPage]}}, text: "Open, then `{{page}}`."}
  - {id: both, when: {tool_search_active: true, has_all_client_tools: [readPage, runTests]}, text: Both.}
  - {id: always, text: Always.}
trailing:
  - {id: last, text: The end.}
  - {id: level, when: {setting_in: {level: [low]}, setting_is_set: tuned}, text: Low.}
"#;

fn rules() -> Loaded {
    load_text("ruleset.yaml", RULES).unwrap()
}

fn page(context: Value, detail: Detail) -> String {
    let loaded = rules();
    human(&loaded.sources, &explain(&loaded.rules, &serde_json::from_value(context).unwrap()), detail)
}

fn because(context: Value) -> Vec<String> {
    let loaded = rules();
    let explanation = explain(&loaded.rules, &serde_json::from_value(context).unwrap());
    let line = |rule: &RuleVerdict<'_>| match &rule.verdict {
        Verdict::NotApplied(Some(because)) => format!("{}: {}: {}", rule.id, because.condition, because.fact),
        other => format!("{}: {}", rule.id, other.as_str()),
    };
    explanation.rules.iter().map(line).collect()
}

#[test]
fn short_and_all() {
    let context = json!({"model": "acme/Rocket-5-max", "client_tools": ["openPage", "runTests", "openPage"],
        "settings": {"tuned": true, "level": "low"}});
    insta::assert_snapshot!("short", page(context.clone(), Detail::Short));
    insta::assert_snapshot!("all", page(context, Detail::All));
}

#[test]
fn an_opted_out_contributor_over_its_parent() {
    insta::assert_snapshot!("opted-out-parent", page(json!({"model": "rocket-5"}), Detail::All));
}

#[test]
fn a_full_prompt() {
    insta::assert_snapshot!("full-prompt", page(json!({"model": "lab-1", "settings": {"level": "high"}}), Detail::All));
}

#[test]
fn names_that_come_to_nothing() {
    let context = json!({"model": "Rkt-9", "client_tools": ["runtests"], "settings": {"Tuned": true, "level": 3}});
    insta::assert_snapshot!("near-misses", page(context, Detail::All));
}

#[test]
fn near_misses_of_models() {
    let hints = |model: &str| {
        let loaded = rules();
        explain(&loaded.rules, &Context { model: Some(model.to_owned()), ..Context::default() }).hints
    };
    assert_eq!(hints("vendor/rkt-9"), ["`rkt-9` would be taken by `rocket`"]);
    assert_eq!(hints("SILENT-1"), ["`silent-1` would be taken by `silent`"]);
    assert_eq!(hints("rocet-4"), ["`rocet-4` is not in the catalog; did you mean `rocket-4`?"]);
    assert_eq!(hints("rocket-4"), [""; 0]);
    assert_eq!(hints("unheard-of"), [""; 0]);
}

#[test]
fn the_four_reasons() {
    let reason = |context: Value| {
        let loaded = rules();
        let explanation = explain(&loaded.rules, &serde_json::from_value(context).unwrap());
        let text = json(&loaded.sources, &explanation);
        serde_json::from_str::<Value>(&text).unwrap()["base"].clone()
    };
    assert_eq!(reason(json!({})), json!({"contributor": null, "by": null, "reason": "no-model"}));
    assert_eq!(reason(json!({"model": "x"})), json!({"contributor": null, "by": null, "reason": "no-contributor"}));
    assert_eq!(
        reason(json!({"model": "silent-1", "client_tools": ["openPage"]})),
        json!({"contributor": "silent", "by": "predicate", "reason": "nothing-applied"})
    );
    assert_eq!(reason(json!({"model": "rkt-1"})), json!({"contributor": "rocket", "by": "family", "family": "rkt-"}));
    let text = RULES.replace("    extends: rocket\n", "").replace("{parent: true}, ", "");
    let loaded = load_text("ruleset.yaml", &text).unwrap();
    let context = Context { model: Some("rocket-5".to_owned()), ..Context::default() };
    assert_eq!(explain(&loaded.rules, &context).reason, Some(DefaultReason::OptedOut));
}

#[test]
fn the_first_failing_condition_is_the_one_that_is_told() {
    insta::assert_snapshot!("because", [
        json!({"model": "rocket-5-mini", "client_tools": ["openPage"], "settings": {"level": "high"}}),
        json!({"model": "silent-x", "client_tools": ["readPage"], "tool_search_active": true, "settings": {"level": 1}}),
        json!({"model": "silent-1", "client_tools": ["openPage", "readPage"]}),
        json!({}),
    ].map(|context| format!("{context}\n  {}\n", because(context.clone()).join("\n  "))).concat());
}

#[test]
fn the_json_form() {
    let loaded = rules();
    let context =
        json!({"model": "rocket-5", "client_tools": ["readPage"], "settings": {"tuned": true, "level": "high"}});
    let explanation = explain(&loaded.rules, &serde_json::from_value(context).unwrap());
    insta::assert_snapshot!("json", json(&loaded.sources, &explanation));
}
