//! Policies against brute force: random rule sets with random policies, each judged in many contexts by a
//! reader of conditions that knows nothing of the program's own.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, reason = "a failing test panics")]
#![allow(dead_code, reason = "the random rule sets are shared with another test")]

#[path = "diff/random.rs"]
mod random;

use promptrules::context::Context;
use promptrules::interpret::{Event, Facts, Recorder, RuleKind, interpret};
use promptrules::load::load_text;
use promptrules::message::{Section, SectionOverride, Step, SystemMessageConfig};
use promptrules::policy::decide;
use promptrules::rules::RuleSet;
use random::{Dice, context, gate, rules};
use serde_json::{Value, json};

const SETS: u64 = 800;
const CONTEXTS: usize = 120;

/// What one run did, by id.
#[derive(Default)]
struct Run {
    contributor: Option<String>,
    lines: Vec<String>,
    blocks: Vec<String>,
}

impl<'r> Recorder<'r> for Run {
    type Text = String;

    fn record(&mut self, event: Event<'r>) {
        match event {
            Event::Chosen(choice) => self.contributor = Some(choice.contributor.id.to_string()),
            Event::Rendered { kind: RuleKind::Line, rule, rendered: true } => self.lines.push(rule.id.to_string()),
            Event::Rendered { kind: RuleKind::Block, rule, rendered: true } => self.blocks.push(rule.id.to_string()),
            _ => {}
        }
    }
}

fn list(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().map(|item| item.as_str().unwrap()).collect(),
        one => vec![one.as_str().unwrap()],
    }
}

/// Whether a condition, as written, is true of a run.
fn holds(condition: &Value, run: &Run, message: &SystemMessageConfig) -> bool {
    let section = |name: &str| {
        let section = Section::ALL.into_iter().find(|section| section.as_str() == name).unwrap();
        message.sections().and_then(|all| all.get(section))
    };
    condition.as_object().unwrap().iter().all(|(key, value)| match key.as_str() {
        "mode" => message.mode() == value,
        "contributor" => run.contributor.as_deref().is_some_and(|id| list(value).contains(&id)),
        "section" => list(value)
            .into_iter()
            .filter_map(section)
            .any(|found| condition.get("action").is_none_or(|action| list(action).contains(&found.action()))),
        "line" => {
            let dropped = matches!(section("tool_instructions"), Some(SectionOverride::Remove));
            !dropped && run.lines.iter().any(|id| list(value).contains(&id.as_str()))
        }
        "block" => run.blocks.iter().any(|id| list(value).contains(&id.as_str())),
        "text_contains" => texts(message).iter().any(|text| text.contains(value.as_str().unwrap())),
        "text_matches" => {
            let pattern = regex::Regex::new(value.as_str().unwrap()).unwrap();
            texts(message).iter().any(|text| pattern.is_match(text))
        }
        "all" => value.as_array().unwrap().iter().all(|inner| holds(inner, run, message)),
        "any" => value.as_array().unwrap().iter().any(|inner| holds(inner, run, message)),
        "not" => !holds(value, run, message),
        _ => true,
    })
}

fn texts(message: &SystemMessageConfig) -> Vec<String> {
    let mut texts: Vec<String> = message.content().cloned().into_iter().collect();
    for (_, value) in message.sections().into_iter().flat_map(|all| all.iter()) {
        texts.extend(value.content().cloned());
        if let SectionOverride::Transform(steps) = value {
            texts.extend(steps.iter().filter_map(|step| match step {
                Step::Append(text) | Step::Prepend(text) => Some(text.clone()),
                Step::Replace { .. } | Step::Remove { .. } => None,
            }));
        }
    }
    texts
}

fn condition(dice: &mut Dice, rules: &Value, depth: usize) -> Value {
    let id = |dice: &mut Dice, list: &str| {
        let ids: Vec<String> =
            rules[list].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap().to_owned()).collect();
        (!ids.is_empty()).then(|| dice.pick(&ids).clone())
    };
    match dice.roll(if depth == 0 { 7 } else { 10 }) {
        0 => json!({"mode": "replace"}),
        1 => id(dice, "contributors").map_or(json!({"mode": "customize"}), |id| json!({"contributor": id})),
        2 => json!({"section": ["tone", "safety"], "action": ["append", "transform"]}),
        3 => json!({"section": "tool_instructions"}),
        4 => id(dice, "tool_instructions").map_or(json!({"mode": "replace"}), |id| json!({"line": [id]})),
        5 => id(dice, "trailing").map_or(json!({"mode": "replace"}), |id| json!({"block": id})),
        6 if dice.chance(50) => json!({"text_contains": dice.pick(&["xy", "z\n", "s\nt", "low"])}),
        6 => json!({"text_matches": dice.pick(&["^x", "y$", "x\\s+y", "s.t", "(?m)^z$"])}),
        7 => json!({"all": [condition(dice, rules, depth - 1), condition(dice, rules, depth - 1)]}),
        8 => json!({"any": [condition(dice, rules, depth - 1), condition(dice, rules, depth - 1)]}),
        _ => json!({"not": condition(dice, rules, depth - 1)}),
    }
}

fn fails(rules: &RuleSet, policy: &Value, context: &Context) -> bool {
    let mut run = Run::default();
    let message = interpret(rules, &Facts::new(&rules.catalog, context), &mut run);
    match policy.get("never") {
        Some(condition) => holds(condition, &run, &message),
        None => !holds(&policy["always"], &run, &message),
    }
}

#[test]
fn a_policy_that_holds_is_never_broken_and_a_witness_breaks_it() {
    let (mut held, mut violated, mut undecided) = (0, 0, 0);
    for seed in 1..=SETS {
        let mut dice = Dice::new(seed);
        let mut set = rules(&mut dice);
        let demand = *dice.pick(&["never", "always"]);
        let mut policy = json!({"id": "p"});
        policy[demand] = condition(&mut dice, &set, 2);
        if dice.chance(50) {
            policy["when"] = gate(&mut dice, 1);
        }
        set["policies"] = json!([policy]);
        let Ok(loaded) = load_text("ruleset.yaml", &set.to_string()) else { continue };
        let verdicts = decide(&loaded.rules, &loaded.documents);
        let shown = format!("seed {seed}: {set}\n{verdicts:#?}");
        let gate = loaded.rules.policies[0].when.clone();
        let about =
            |context: &Context| gate.as_ref().is_none_or(|gate| Facts::new(&loaded.rules.catalog, context).holds(gate));
        for violation in &verdicts.violations {
            assert!(about(&violation.witness), "{shown}");
            assert!(fails(&loaded.rules, &policy, &violation.witness), "{shown}");
        }
        match (verdicts.violations.is_empty(), verdicts.undecided.is_empty()) {
            (true, true) => held += 1,
            (false, _) => violated += 1,
            (true, false) => undecided += 1,
        }
        if verdicts.violations.is_empty() && verdicts.undecided.is_empty() {
            for _ in 0..CONTEXTS {
                let context = context(&mut dice);
                assert!(!(about(&context) && fails(&loaded.rules, &policy, &context)), "{context:?}\n{shown}");
            }
        }
    }
    assert!(held > 50 && violated > 100 && undecided < 10, "{held} {violated} {undecided}");
}

#[test]
fn the_shipped_policies_hold() {
    let loaded = promptrules::load::load("rules".as_ref()).unwrap();
    let verdicts = decide(&loaded.rules, &loaded.documents);
    assert!(verdicts.violations.is_empty() && verdicts.undecided.is_empty(), "{verdicts:#?}");
}

#[test]
fn a_number_that_decides_is_found() {
    let set = json!({
        "version": 1,
        "catalog": {"settings": {"n": {"type": "number", "default": 3}}},
        "base": {"sections": {}},
        "trailing": [{"id": "b", "bind": {"n": {"setting": "n"}}, "text": "at most {{n}}"}],
        "policies": [{"id": "p", "never": {"text_contains": "most 77"}}, {"id": "q", "never": {"text_contains": "never"}}],
    });
    let loaded = load_text("ruleset.yaml", &set.to_string()).unwrap();
    let verdicts = decide(&loaded.rules, &loaded.documents);
    assert_eq!(verdicts.violations.len(), 1, "{verdicts:#?}");
    assert_eq!(verdicts.violations[0].witness.settings["n"], 77);
}
