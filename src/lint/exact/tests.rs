//! The exact findings against brute force: every context of a small world is resolved, and what happens is compared
//! with what the checks say of it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{Exact, Fate, Part};
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::interpret::{Event, Facts, ModelId, Recorder, choose, interpret, resolve};
use crate::load::{Disk, LoadError, Loaded, load_text};
use crate::message::Section;
use crate::rules::{Contributor, Override, RuleSet};
use crate::source::Span;

/// All ids of at most `longest` characters.
fn ids(letters: &str, longest: usize) -> Vec<String> {
    let mut all = Vec::new();
    let mut last = vec![String::new()];
    for _ in 0..longest {
        last = last.iter().flat_map(|id| letters.chars().map(move |letter| format!("{id}{letter}"))).collect();
        all.extend_from_slice(&last);
    }
    all
}

fn arb_word() -> impl Strategy<Value = String> {
    prop::collection::vec(select(vec!['a', 'B', '1', '-', '/']), 1..4).prop_map(|letters| letters.into_iter().collect())
}

/// A matcher inside another one.
fn arb_pattern() -> impl Strategy<Value = Value> {
    let words = || prop::collection::vec(arb_word(), 1..3);
    let regexes = ["^a", "a$", "^[ab]1?$", "(?i)b", "^a|^B", r"\d-", "", "^(a|B)*$", r"a\b", "^[^/]+$", "1{2}"];
    let leaf = prop_oneof![
        words().prop_map(|words| json!({ "equals": words })),
        words().prop_map(|words| json!({ "prefix": words })),
        words().prop_map(|words| json!({ "suffix": words })),
        words().prop_map(|words| json!({ "contains": words })),
        select(regexes.to_vec()).prop_map(|regex| json!({ "regex": regex })),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(|inner| json!({ "any": inner })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|inner| json!({ "all": inner })),
            inner.prop_map(|inner| json!({ "not": inner })),
        ]
    })
}

fn arb_matcher() -> impl Strategy<Value = Value> {
    let steps = subsequence(vec!["vendor", "lowercase", "dashes"], 0..=3);
    (arb_pattern(), steps).prop_map(|(mut pattern, steps)| {
        if !steps.is_empty() {
            pattern["normalize"] = json!(steps);
        }
        pattern
    })
}

fn arb_match() -> impl Strategy<Value = Value> {
    let families = || prop::collection::vec(arb_word(), 1..4);
    prop_oneof![
        arb_matcher().prop_map(|model| json!({ "model": model })),
        families().prop_map(|families| json!({ "families": families })),
        (arb_matcher(), families()).prop_map(|(model, families)| json!({ "model": model, "families": families })),
    ]
}

fn arb_gate() -> impl Strategy<Value = Value> {
    let tools = || subsequence(vec!["toolA", "toolB"], 1..=2);
    let values = || subsequence(vec!["x", "y"], 1..=2);
    let models = ["a", "B", "1"];
    let leaf = prop_oneof![
        select(vec!["toolA", "toolB"]).prop_map(|tool| json!({ "has_client_tool": tool })),
        tools().prop_map(|tools| json!({ "has_any_client_tool": tools })),
        tools().prop_map(|tools| json!({ "has_all_client_tools": tools })),
        any::<bool>().prop_map(|flag| json!({ "workspaceless": flag })),
        select(vec!["x", "y"]).prop_map(|value| json!({ "setting_equals": { "choice": value } })),
        values().prop_map(|values| json!({ "setting_in": { "choice": values } })),
        Just(json!({ "setting_is_set": "choice" })),
        select(models.to_vec()).prop_map(|prefix| json!({ "model": { "prefix": prefix } })),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|inner| json!({ "any": inner })),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|inner| json!({ "all": inner })),
            inner.prop_map(|inner| json!({ "not": inner })),
        ]
    })
}

/// A mapping with or without a `when`.
fn guarded(rule: Value, when: Option<Value>) -> Value {
    let mut rule = rule;
    if let Some(when) = when {
        rule["when"] = when;
    }
    rule
}

/// Items whose texts are numbered when the rule set is put together.
fn arb_items() -> impl Strategy<Value = Vec<Value>> {
    let texts = ["toolA", "toolB", "toolA and toolB", "{{one}}", "nothing"];
    let item = (select(texts.to_vec()), prop::option::of(arb_gate()));
    prop::collection::vec(item.prop_map(|(text, when)| guarded(json!({ "text": text }), when)), 1..3)
}

fn arb_section() -> impl Strategy<Value = Value> {
    let one = (arb_items(), prop::option::of(arb_gate()))
        .prop_map(|(items, when)| guarded(json!({ "action": "append", "content": items }), when));
    prop::collection::vec(one, 1..4).prop_map(Value::from)
}

fn arb_contributor() -> impl Strategy<Value = Value> {
    let matching = prop_oneof![
        select(vec!["a", "B", "1"]).prop_map(|family| json!({ "families": [family] })),
        arb_matcher().prop_map(|model| json!({ "model": model })),
    ];
    let prompt = (arb_items(), prop::option::of(arb_gate()));
    let prompt = prop::option::weighted(0.2, prompt.prop_map(|(text, when)| guarded(json!({ "text": text }), when)));
    let rule = (matching, prop::option::of(arb_gate()), arb_section(), prompt, any::<bool>());
    rule.prop_map(|(matching, when, section, prompt, extends)| {
        let mut rule = guarded(json!({ "match": matching, "sections": { "tone": section } }), when);
        if let Some(prompt) = prompt {
            rule["full_prompt"] = prompt;
        }
        rule["extends"] = json!(extends);
        rule
    })
}

fn arb_line() -> impl Strategy<Value = Value> {
    (arb_items(), prop::option::of(arb_gate())).prop_map(|(items, when)| guarded(json!({ "text": items }), when))
}

/// Ids, bindings, parents, and a number behind each text.
fn assemble(contributors: Vec<Value>, lines: Vec<Value>) -> Value {
    let bind = json!({ "one": { "first_client_tool": ["toolB"] } });
    let mut contributors = contributors;
    let count = contributors.len();
    for (number, rule) in contributors.iter_mut().enumerate() {
        rule["id"] = json!(format!("c{number}"));
        rule["bind"] = bind.clone();
        let extends = rule["extends"] == json!(true) && number + 1 < count;
        rule["extends"] = json!(format!("c{}", number + 1));
        if !extends {
            rule.as_object_mut().unwrap().remove("extends");
        }
    }
    let mut lines = lines;
    for (number, line) in lines.iter_mut().enumerate() {
        line["id"] = json!(format!("l{number}"));
        line["bind"] = bind.clone();
    }
    let mut rules = json!({
        "version": 1,
        "base": { "sections": {} },
        "catalog": {
            "client_tools": ["toolA", "toolB"],
            "settings": { "choice": { "type": "string", "enum": ["x", "y"], "default": "x" } },
        },
        "contributors": contributors,
        "trailing": lines,
    });
    number_texts(&mut rules, &mut 0);
    rules
}

fn number_texts(value: &mut Value, next: &mut usize) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| number_texts(item, next)),
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(text) if key == "text" => {
                        *next += 1;
                        *text = format!("{text} #{next}#");
                    }
                    other => number_texts(other, next),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn loaded(rules: &Value) -> Loaded {
    match load_text("ruleset.yaml", &rules.to_string()) {
        Ok(loaded) => loaded,
        Err(LoadError::Rules(failed)) => panic!("{rules}: {:?}", failed.diagnostics),
        Err(error) => panic!("{error}"),
    }
}

/// All contexts that the gates of these rules can tell apart, as far as ids are short.
fn contexts() -> Vec<Context> {
    let mut all = Vec::new();
    let models: Vec<Option<String>> = ids("aB1", 2)
        .into_iter()
        .map(Some)
        .chain(["a11", "a-", "B/a", "1-1"].map(|id| Some(id.into())))
        .chain([None])
        .collect();
    for model in &models {
        for bits in 0..8 {
            for choice in [None, Some("x"), Some("y"), Some("z")] {
                let tools = [("toolA", 1), ("toolB", 2)].into_iter().filter(|(_, bit)| bits & bit != 0);
                all.push(Context {
                    model: model.clone(),
                    client_tools: tools.map(|(tool, _)| tool.to_owned()).collect(),
                    settings: choice.map(|choice| ("choice".to_owned(), json!(choice))).into_iter().collect(),
                    tool_search_active: false,
                    workspaceless: bits & 4 != 0,
                });
            }
        }
    }
    all
}

/// `tone` and the group that contains it, each with overrides of all kinds or not there.
fn arb_group_and_part() -> impl Strategy<Value = Value> {
    let action = prop_oneof![
        3 => select(vec![json!("x"), json!("{{one}}")]).prop_map(|text| json!({ "action": "replace", "content": text })),
        1 => Just(json!({ "action": "append", "content": ["", { "parent": true }, "{{one}}"] })),
        1 => select(vec!["remove", "preserve"]).prop_map(|action| json!({ "action": action })),
    ];
    let one = (action, prop::option::of(arb_gate())).prop_map(|(action, when)| guarded(action, when)).boxed();
    let section = || prop::option::weighted(0.7, prop::collection::vec(one.clone(), 1..3));
    (section(), section()).prop_map(|(identity, tone)| {
        let mut sections = json!({});
        for (name, overrides) in [("identity", identity), ("tone", tone)] {
            if let Some(overrides) = overrides {
                sections[name] = json!(overrides);
            }
        }
        sections
    })
}

/// The same for the default message, which has no parents.
fn with_no_parent(sections: Value) -> Value {
    serde_json::from_str(&sections.to_string().replace(r#"{"parent":true}"#, r#""x""#)).unwrap()
}

/// The overrides that a message was made of, by section.
#[derive(Default)]
struct Composed<'r> {
    found: HashMap<Section, &'r Override>,
    replaced: bool,
}

impl<'r> Recorder<'r> for Composed<'r> {
    type Text = String;

    fn record(&mut self, event: Event<'r>) {
        match event {
            // The default message lies under all others, whenever it is laid.
            Event::Override { rule: "base", section, chosen } => _ = self.found.entry(section).or_insert(chosen),
            Event::Override { section, chosen, .. } => _ = self.found.insert(section, chosen),
            Event::FullPrompt(_) => self.replaced = true,
            _ => {}
        }
    }
}

/// The override of `tone` that a context loses to a replaced `identity`.
fn discarded<'r>(rules: &'r RuleSet, context: &Context) -> Option<&'r Override> {
    let mut composed = Composed::default();
    interpret(rules, &Facts::new(&rules.catalog, context), &mut composed);
    let group = composed.found.get(&Section::Identity).filter(|_| !composed.replaced)?;
    let part = composed.found.get(&Section::Tone)?;
    matches!(group.action, crate::rules::Action::Replace(_)).then_some(*part)
}

/// What happened in all contexts.
#[derive(Default)]
struct Seen {
    /// The outcomes of each gate.
    gates: HashMap<Span, HashSet<bool>>,
    overrides: HashSet<*const Override>,
    /// The chosen contributor and its parents, where their own parts apply.
    parts: HashSet<*const Contributor>,
}

impl<'r> Recorder<'r> for Seen {
    type Text = String;

    fn record(&mut self, event: Event<'r>) {
        match event {
            Event::Gate { gate, holds } => _ = self.gates.entry(gate.span).or_default().insert(holds),
            Event::Override { chosen, .. } => _ = self.overrides.insert(std::ptr::from_ref(chosen)),
            Event::Parts { contributor, apply: true } => _ = self.parts.insert(std::ptr::from_ref(contributor)),
            Event::Parts { .. }
            | Event::Chosen(_)
            | Event::Default(_)
            | Event::FullPrompt(_)
            | Event::Content { .. }
            | Event::Unbound { .. }
            | Event::Asked(_)
            | Event::Rendered { .. } => {}
        }
    }
}

fn seen(rules: &RuleSet) -> (Seen, HashMap<String, Vec<Context>>) {
    let mut seen = Seen::default();
    let mut read: HashMap<String, Vec<Context>> = HashMap::new();
    for context in contexts() {
        let message = interpret(rules, &Facts::new(&rules.catalog, &context), &mut seen);
        let text = serde_json::to_string(&message).unwrap();
        for (at, _) in text.match_indices('#').step_by(2) {
            let number = text[at + 1..].split('#').next().unwrap();
            read.entry(number.to_owned()).or_default().push(context.clone());
        }
    }
    (seen, read)
}

fn of(found: &[Diagnostic], code: Code) -> impl Iterator<Item = &Diagnostic> {
    found.iter().filter(move |found| found.code == code)
}

fn blames(found: &[Diagnostic], codes: &[Code], place: Span) -> bool {
    found.iter().any(|found| codes.contains(&found.code) && place.contains(found.span))
}

fn is_chosen(rules: &RuleSet, id: &str, contributor: &Contributor) -> bool {
    choose(rules, &ModelId::new(id)).is_some_and(|choice| std::ptr::eq(&**choice.contributor, contributor))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn who_takes_which_ids(matchings in prop::collection::vec(arb_match(), 1..6)) {
        let contributors = matchings.into_iter().map(|matching| json!({ "match": matching })).collect();
        let loaded = loaded(&assemble(contributors, Vec::new()));
        let rules = &loaded.rules;
        let mut exact = Exact::new(rules);
        let mut taken = HashMap::new();
        for id in ids("aB1-/", 4) {
            if let Some(trial) = exact.takers.taken_by(&id) {
                taken.entry(trial).or_insert(id);
            }
        }
        for (number, contributor) in rules.contributors.iter().enumerate() {
            let own = exact.takers.of(number).to_vec();
            match exact.sample(number).unwrap() {
                Some(id) => prop_assert!(is_chosen(rules, &id, contributor), "{id} is not for {}", contributor.id),
                None => prop_assert!(own.iter().all(|trial| !taken.contains_key(trial))),
            }
        }
        for trial in 0..exact.takers.trials().len() {
            let fate = exact.takers.fate(exact.space.languages(), trial).unwrap();
            prop_assert!(matches!(fate, Fate::Takes) || !taken.contains_key(&trial), "{fate:?}");
            if let Fate::Shadowed(id, front) = fate {
                let accepts = exact.takers.accepts(trial);
                prop_assert!(exact.space.languages().accepts(accepts, &id));
                prop_assert!(front.iter().all(|front| *front < trial) && !front.is_empty());
            }
        }
        let mut everyone: Vec<usize> = Vec::new();
        for number in 0..rules.contributors.len() {
            if exact.sample(number).unwrap().is_none() {
                let front = exact.takers.shadows(exact.space.languages(), number);
                everyone.extend(front.iter().map(|trial| exact.takers.trials()[*trial].contributor));
                prop_assert!(!everyone.contains(&number));
            }
        }
    }

    #[test]
    fn what_the_runtime_discards(
        base in arb_group_and_part(),
        layers in prop::collection::vec((arb_group_and_part(), prop::option::of(arb_gate()), any::<bool>()), 0..4),
        prompts in prop::collection::vec(any::<bool>(), 4),
    ) {
        let families = ["a1", "a", "B", "1"];
        let contributor = |(((sections, when, extends), family), prompt): (((Value, _, bool), &str), bool)| {
            let rule = json!({ "match": { "families": [family] }, "sections": sections, "extends": extends });
            let mut rule = guarded(rule, when);
            if prompt {
                rule["full_prompt"] = json!({ "when": { "workspaceless": true }, "text": "x" });
            }
            rule
        };
        let contributors = layers.into_iter().zip(families).zip(prompts).map(contributor).collect();
        let mut source = assemble(contributors, Vec::new());
        source["base"] = json!({ "bind": { "one": { "first_client_tool": ["toolB"] } }, "sections": with_no_parent(base) });
        let mut loaded = loaded(&source);
        let found = super::super::check(&mut loaded, &Disk);
        let rules = &loaded.rules;
        let place = |lost: &Override| {
            let sections = rules.contributors.iter().map(|rule| &rule.sections).chain([&rules.base.sections]);
            let mut owners = sections.flatten().filter(|rule| rule.overrides.iter().any(|one| std::ptr::eq(one, lost)));
            let owner = owners.next().unwrap();
            if owner.overrides.len() == 1 { owner.span } else { lost.action_span }
        };
        let told: HashSet<Span> = of(&found, Code::SectionMasked).map(|found| found.span).collect();
        for context in contexts() {
            if let Some(lost) = discarded(rules, &context) {
                prop_assert!(told.contains(&place(lost)), "{context:?}: {source}");
            }
        }
        for finding in of(&found, Code::SectionMasked) {
            let lost = discarded(rules, finding.witness.as_ref().unwrap());
            prop_assert_eq!(lost.map(place), Some(finding.span), "{}", source);
        }
        prop_assert_eq!(told.len(), of(&found, Code::SectionMasked).count());
    }

    #[test]
    fn what_gates_of_policies_and_unused_texts_do(policy in arb_gate(), item in arb_gate()) {
        let mut source = assemble(Vec::new(), Vec::new());
        source["policies"] = json!([{ "id": "p", "never": { "mode": "replace" }, "when": policy }]);
        source["texts"] = json!({ "unused": [{ "when": item, "text": "x" }] });
        let mut loaded = loaded(&source);
        let found = super::super::check(&mut loaded, &Disk);
        let rules = &loaded.rules;
        let crate::rules::TextBody::List(items) = &rules.texts[0].text.body else { panic!("{source}") };
        for gate in rules.policies[0].when.iter().chain(&items[0].when) {
            let facts = contexts();
            let outcomes: HashSet<bool> =
                facts.iter().map(|context| Facts::new(&rules.catalog, context).holds(gate)).collect();
            // A nested gate may be to blame for the whole.
            let never = blames(&found, &[Code::GateNeverHolds], gate.span);
            let always = blames(&found, &[Code::GateAlwaysHolds], gate.span);
            prop_assert!(never || outcomes.contains(&true), "{source}");
            prop_assert!(always || outcomes.contains(&false), "{source}");
            let says = |code| of(&found, code).any(|found| found.span == gate.span);
            prop_assert!(!(says(Code::GateNeverHolds) && outcomes.contains(&true)), "{source}");
            prop_assert!(!(says(Code::GateAlwaysHolds) && outcomes.contains(&false)), "{source}");
        }
    }

    #[test]
    fn what_happens_in_all_contexts(
        contributors in prop::collection::vec(arb_contributor(), 0..4),
        lines in prop::collection::vec(arb_line(), 0..3),
    ) {
        let extended = contributors.iter().any(|rule| rule["extends"] == json!(true));
        let source = assemble(contributors, lines);
        let mut loaded = loaded(&source);
        let found = super::super::check(&mut loaded, &Disk);
        let rules = &loaded.rules;
        let (seen, read) = seen(rules);
        prop_assert_eq!(of(&found, Code::AnalysisUndecided).count(), 0);
        // Gates: soundness of what is said of whole gates, and nothing is missed that only short ids can show.
        for (span, outcomes) in &seen.gates {
            let says = |code| of(&found, code).any(|found| found.span == *span);
            prop_assert!(!(says(Code::GateNeverHolds) && outcomes.contains(&true)), "{source}");
            prop_assert!(!(says(Code::GateAlwaysHolds) && outcomes.contains(&false)), "{source}");
        }
        for finding in found.iter().filter(|found| found.witness.is_some()) {
            check_witness(rules, finding, extended)?;
        }
        // Overrides.
        let mut exact = Exact::new(rules);
        for (number, contributor) in rules.contributors.iter().enumerate() {
            let applies = seen.parts.contains(&std::sync::Arc::as_ptr(contributor));
            for chosen in contributor.sections.iter().flat_map(|rule| &rule.overrides) {
                let counts = seen.overrides.contains(&std::ptr::from_ref(chosen));
                let unreachable = of(&found, Code::OverrideUnreachable).any(|found| found.span.start == chosen.span.start);
                prop_assert!(!(counts && unreachable), "{source}");
                let causes = [Code::GateNeverHolds, Code::MatcherNeverMatches, Code::OverrideUnreachable];
                // What no gate is to blame for: a string without a value for its binding, a full prompt in its place.
                let can = exact.applies(chosen, Some((number, Section::Tone))).unwrap();
                let around = exact.when(contributor.when.as_ref()).unwrap();
                let both = exact.space.and(can, around).unwrap();
                let who = exact.scope(number, Part::Layer).who;
                let silent = !exact.possible(&who, both).unwrap();
                if applies && !counts && !silent && !blames(&found, &causes, chosen.span) {
                    // Only longer ids than those tried can make it count.
                    let models = source.to_string().contains("\"model\"");
                    prop_assert!(models, "{source}\n{:?}", loaded.sources.text(chosen.span));
                }
            }
        }
        // Mentions: whoever reads one without the tool is found out.
        for (number, contexts) in &read {
            let text = loaded.sources.files().next().unwrap().1.text();
            let end = text.find(&format!(" #{number}#")).unwrap();
            let start = text[..end].rfind('"').unwrap() + 1;
            for tool in ["toolA", "toolB"].into_iter().filter(|tool| text[start..end].contains(tool)) {
                let without = contexts.iter().any(|context| !context.client_tools.iter().any(|has| has == tool));
                let place = start + text[start..end].find(tool).unwrap();
                let said = of(&found, Code::UngatedToolMention).any(|found| found.span.start as usize == place);
                prop_assert!(said || !without, "{tool} in {}: {source}", &text[start..end]);
            }
        }
    }
}

/// A witness shows what its finding says.
fn check_witness(rules: &RuleSet, finding: &Diagnostic, extended: bool) -> Result<(), TestCaseError> {
    let context = finding.witness.as_ref().unwrap();
    let contributor = rules.contributors.iter().find(|rule| Some(&*rule.id) == finding.rule.as_deref());
    let model = context.model.as_deref();
    let chosen = |id: &str| choose(rules, &ModelId::new(id)).map(|choice| choice.contributor.id.to_string());
    match finding.code {
        Code::ContributorShadowed => {
            prop_assert!(chosen(model.unwrap()).is_some_and(|other| Some(other) != finding.rule));
        }
        Code::PredicateJumpsOrder => prop_assert_eq!(chosen(model.unwrap()), finding.rule.clone()),
        Code::WhenDoesNotFallThrough => {
            let contributor = contributor.unwrap();
            prop_assert!(is_chosen(rules, model.unwrap(), contributor));
            prop_assert!(!Facts::new(&rules.catalog, context).holds(contributor.when.as_ref().unwrap()));
        }
        Code::UngatedToolMention if !extended => {
            let message = serde_json::to_string(&resolve(rules, context)).unwrap();
            let tool = ["toolA", "toolB"].into_iter().find(|tool| finding.message.contains(tool)).unwrap();
            prop_assert!(message.contains(tool), "{message}");
            prop_assert!(!context.client_tools.iter().any(|has| has == tool));
        }
        Code::DuplicateText => {
            let mut seen = Seen::default();
            interpret(rules, &Facts::new(&rules.catalog, context), &mut seen);
        }
        _ => {}
    }
    Ok(())
}

#[test]
fn a_gate_of_forty_conditions_is_quick() {
    let pair = |at: usize| json!({ "any": [{ "has_client_tool": format!("t{at}") }, { "not": { "has_client_tool": format!("t{}", (at * 7 + 1) % 40) } }] });
    let tools: Vec<String> = (0..40).map(|at| format!("t{at}")).collect();
    let rules = json!({
        "version": 1, "base": { "sections": {} }, "catalog": { "client_tools": tools },
        "trailing": [{ "id": "l", "when": { "all": (0..40).map(pair).collect::<Vec<_>>() }, "text": "x" }],
    });
    let loaded = loaded(&rules);
    let start = std::time::Instant::now();
    let verdicts: Rc<[_]> = Exact::new(&loaded.rules).verdicts();
    assert!(verdicts.is_empty());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
