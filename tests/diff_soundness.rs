//! `diff` against brute force: random pairs of rule sets, all of whose answers are compared with what the
//! interpreter does in many contexts.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, reason = "a failing test panics")]

#[path = "diff/random.rs"]
mod random;
#[path = "diff/refactor.rs"]
mod refactor;

use promptrules::diff::{Diff, Difference, Level, Part, Verdict, diff};
use promptrules::interpret::{ModelId, choose, resolve};
use std::path::Path;

use promptrules::load::{Loaded, Memory, load_from, load_text};
use promptrules::message::{Section, SystemMessageConfig};
use random::{Dice, context, edit, rules};
use serde_json::{Value, json};

/// How many random pairs; `DIFF_PAIRS` asks for more.
const PAIRS: u64 = 2_500;
const CONTEXTS: usize = 150;
/// Pairs that once showed a fault.
const FOUND: [u64; 2] = [4_934, 7_838];

fn pairs() -> u64 {
    std::env::var("DIFF_PAIRS").ok().and_then(|number| number.parse().ok()).unwrap_or(PAIRS)
}

fn load(rules: &Value) -> Option<Loaded> {
    load_text("ruleset.yaml", &rules.to_string()).ok()
}

fn pair(dice: &mut Dice) -> Option<(Loaded, Loaded, String)> {
    let mut rules = rules(dice);
    let old = load(&rules)?;
    let before = rules.clone();
    for _ in 0..=dice.roll(2) {
        edit(dice, &mut rules);
    }
    let shown = format!("old {before}\nnew {rules}");
    Some((old, load(&rules)?, shown))
}

#[test]
fn what_is_called_identical_is_and_what_is_shown_differs() {
    let (mut identical, mut different, mut undecided, mut loaded) = (0_u64, 0_u64, 0_u64, 0_u64);
    let pairs = pairs();
    for seed in (1..=pairs).chain(FOUND) {
        let mut dice = Dice::new(seed);
        let Some((old, new, shown)) = pair(&mut dice) else { continue };
        loaded += 1;
        let found = diff(&old, &new);
        let shown = format!("seed {seed}\n{shown}\n{found:#?}");
        match found.verdict() {
            Verdict::Identical => identical += 1,
            Verdict::Different => different += 1,
            Verdict::Undecided => undecided += 1,
        }
        assert!(found.undecided.is_empty(), "{shown}");
        for difference in &found.differences {
            check_witness(&old, &new, difference, &shown);
        }
        for _ in 0..CONTEXTS {
            let context = context(&mut dice);
            let (before, after) = (resolve(&old.rules, &context), resolve(&new.rules, &context));
            if before != after {
                check_coverage(&found, context.model.as_deref(), &before, &after, &format!("{context:?}\n{shown}"));
            }
        }
    }
    assert!(
        loaded > pairs / 2 && identical > pairs / 15 && different > pairs / 5,
        "{loaded} {identical} {different} {undecided}"
    );
}

/// A context that differs is told of: for its model, and in one of the parts that differ.
fn check_coverage(
    found: &Diff,
    model: Option<&str>,
    before: &SystemMessageConfig,
    after: &SystemMessageConfig,
    shown: &str,
) {
    let told = |difference: &&Difference| match model {
        Some(model) => difference.models.iter().any(|known| known == model),
        None => difference.classes.iter().any(|class| class.example.is_none()),
    };
    let told: Vec<&Difference> = found.differences.iter().filter(told).collect();
    assert!(!told.is_empty(), "{shown}");
    if before.mode() != after.mode() {
        assert!(told.iter().any(|difference| difference.parts.contains(&Part::Mode)), "mode: {shown}");
        return;
    }
    for section in Section::ALL {
        let of = |message: &SystemMessageConfig| message.sections().and_then(|all| all.get(section)).cloned();
        if of(before) != of(after) {
            let part = Part::Section(section);
            assert!(told.iter().any(|difference| difference.parts.contains(&part)), "{section}: {shown}");
        }
    }
    if before.content() != after.content() {
        assert!(told.iter().any(|difference| difference.parts.contains(&Part::Content)), "content: {shown}");
    }
}

/// The witness is what both sides answer, differs, and differs in the reported way.
fn check_witness(old: &Loaded, new: &Loaded, difference: &Difference, shown: &str) {
    let witness = &difference.witness;
    assert_eq!(resolve(&old.rules, &witness.context), witness.old, "{shown}");
    assert_eq!(resolve(&new.rules, &witness.context), witness.new, "{shown}");
    assert_ne!(witness.old, witness.new, "{shown}");
    match difference.level {
        Level::Guardrail => assert!(loses_guardrail(difference), "{difference:#?}\n{shown}"),
        Level::Selection => {
            let model = ModelId::new(witness.context.model.as_deref().unwrap());
            let chosen = [old, new].map(|side| choose(&side.rules, &model).map(|choice| choice.contributor.id.clone()));
            assert_ne!(chosen[0], chosen[1], "{shown}");
        }
        Level::Gate | Level::Text | Level::Bytes => {}
    }
}

fn loses_guardrail(difference: &Difference) -> bool {
    let (old, new) = (&difference.witness.old, &difference.witness.new);
    let newly_replaced = old.mode() != "replace" && new.mode() == "replace";
    let action = |message: &SystemMessageConfig, section| {
        message.sections().and_then(|all| all.get(section)).map(|value| value.action())
    };
    let newly_lost = Section::ALL.into_iter().any(|section| {
        let lost = |action: Option<&str>| {
            matches!(action, Some("replace" | "remove"))
                || section == Section::Safety && matches!(action, Some("transform"))
        };
        !lost(action(old, section)) && lost(action(new, section))
    });
    newly_replaced || newly_lost || difference.cause.ends_with("no longer arrives")
}

#[test]
fn what_keeps_its_meaning_is_called_identical() {
    let mut loaded = 0_u64;
    let pairs = pairs();
    for seed in 1..=pairs {
        let mut dice = Dice::new(seed + 1_000_000);
        let mut rules = rules(&mut dice);
        let Some(old) = load(&rules) else { continue };
        let before = rules.clone();
        let mut names = Vec::new();
        for _ in 0..=dice.roll(3) {
            names.push(refactor::refactor(&mut dice, &mut rules));
        }
        if dice.chance(30) {
            names.push("groups and shared texts renamed");
            refactor::rename_names(&mut rules);
        }
        let files = refactor::split(&mut dice, rules);
        let shown = format!("seed {seed}: {names:?}\nold {before}\nnew {files:?}");
        let Ok(new) = load_from(&Memory::new(files), Path::new("ruleset.yaml")) else { panic!("{shown}") };
        let found = diff(&old, &new);
        assert_eq!(found.verdict(), Verdict::Identical, "{shown}\n{found:#?}");
        loaded += 1;
    }
    assert!(loaded > pairs / 2, "{loaded}");
}

#[test]
fn a_rule_that_is_called_like_the_default_message_hides_nothing() {
    let rules = |text: &str| {
        let contributor =
            json!({"id": "base", "match": {"families": ["a"]}, "sections": {"tone": {"action": "remove"}}});
        let base = json!({"sections": {}, "content": text});
        load(&json!({"version": 1, "base": base, "contributors": [contributor]})).unwrap()
    };
    assert_eq!(diff(&rules("x"), &rules("y")).verdict(), Verdict::Different);
}

#[test]
fn what_is_out_of_reach_is_undecided_and_named() {
    let rules = |number: usize, text: &str| {
        let pattern = format!("(a|b)*a(a|b){{{number}}}x");
        let hard =
            json!({"id": "hard", "match": {"model": {"regex": pattern}}, "sections": {"tone": {"action": "remove"}}});
        load(&json!({"version": 1, "base": {"sections": {}, "content": text}, "contributors": [hard]})).unwrap()
    };
    let found = diff(&rules(60, "x"), &rules(61, "x"));
    assert_eq!(found.verdict(), Verdict::Undecided);
    assert!(found.undecided[0].why.contains("(a|b)*a(a|b){60}x"), "{found:#?}");
    // The same question on both sides is none.
    assert_eq!(diff(&rules(60, "x"), &rules(60, "x")).verdict(), Verdict::Identical);
    assert_eq!(diff(&rules(60, "x"), &rules(60, "y")).verdict(), Verdict::Different);
}
