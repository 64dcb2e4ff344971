//! `explain` is `resolve` with a recorder: the same result, and texts whose pieces are the whole.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failing test panics, a skipped one says so"
)]

use std::path::Path;

use promptrules::context::Context;
use promptrules::explain::{Explanation, Verdict, explain, json};
use promptrules::interpret::{RuleKind, resolve};
use promptrules::load::{Loaded, load_text};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

fn load(rules: &Value) -> Loaded {
    load_text("ruleset.yaml", &rules.to_string()).unwrap_or_else(|error| panic!("{rules}: {error:?}"))
}

/// The explanation of one context, checked against `resolve`.
fn check(loaded: &Loaded, context: &Context) {
    let explanation = explain(&loaded.rules, context);
    let message = resolve(&loaded.rules, context);
    assert_eq!(explanation.message.summary(), message.summary());
    assert_eq!(explanation.message.clone().map(|text| text.as_str().to_owned()), message);
    let document: Value = serde_json::from_str(&json(&loaded.sources, &explanation)).unwrap();
    assert_eq!(document["systemMessage"], serde_json::to_value(&message).unwrap());
    check_tiling(loaded, &explanation, &document);
    check_verdicts(loaded, &explanation);
}

/// The pieces of each text are the text, none is empty, and each rule is one that is there.
fn check_tiling(loaded: &Loaded, explanation: &Explanation<'_>, document: &Value) {
    let message = &document["systemMessage"];
    let mut texts = 0;
    for (path, pieces) in document["provenance"].as_object().unwrap() {
        let whole = path.split('.').fold(message, |value, key| &value[key]).as_str().unwrap();
        let pieces = pieces.as_array().unwrap();
        let joined: String = pieces.iter().map(|piece| piece["text"].as_str().unwrap()).collect();
        assert_eq!(joined, whole, "{path}");
        for piece in pieces {
            assert_ne!(piece["text"], "", "{path}");
            assert_ne!(piece["separator"].is_boolean(), piece["line"].is_u64(), "{piece}");
        }
        texts += 1;
    }
    let sections = message["sections"].as_object().into_iter().flatten();
    let with_content = sections.filter(|(_, section)| section.get("content").is_some()).count();
    assert_eq!(texts, with_content + usize::from(message.get("content").is_some()));
    let rules = explanation.rules.iter().map(|rule| rule.id).chain(["base"]).collect::<Vec<_>>();
    let contents = explanation.message.sections().into_iter().flat_map(|sections| sections.iter());
    let contents = contents.filter_map(|(_, value)| value.content()).chain(explanation.message.content());
    for segment in contents.flat_map(|text| text.segments()) {
        if let Some(origin) = segment.origin {
            assert!(rules.contains(&origin.rule));
            assert!(!loaded.sources.text(origin.span).is_empty());
        }
    }
}

/// Every rule has one verdict, and what the message shows agrees with it.
fn check_verdicts(loaded: &Loaded, explanation: &Explanation<'_>) {
    let rules = &loaded.rules;
    let ids = rules.contributors.iter().map(|rule| &*rule.id);
    let ids = ids.chain(rules.lines.iter().chain(&rules.blocks).map(|rule| &*rule.id));
    assert!(explanation.rules.iter().map(|rule| rule.id).eq(ids));
    let content = explanation.message.content();
    for rule in &explanation.rules {
        let shows = content.is_some_and(|text| {
            text.segments().any(|segment| segment.origin.is_some_and(|origin| origin.rule == rule.id))
        });
        match rule.kind {
            RuleKind::Block => assert_eq!(shows, rule.verdict == Verdict::Applied, "{}", rule.id),
            RuleKind::Line => assert!(rule.verdict != Verdict::NotReached, "{}", rule.id),
            RuleKind::Contributor => assert!(!shows || rule.verdict == Verdict::Applied, "{}", rule.id),
        }
        if rule.kind != RuleKind::Contributor && rule.verdict != Verdict::Applied {
            assert!(rule.verdict.because().is_some(), "{} is not there, and nothing says why", rule.id);
        }
    }
    let applied =
        explanation.rules.iter().any(|rule| rule.kind == RuleKind::Contributor && rule.verdict == Verdict::Applied);
    assert_eq!(applied, explanation.reason.is_none());
}

fn check_data(text: &str) -> usize {
    let mut checked = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let loaded = load(&case["rules"]);
        for resolution in case["resolutions"].as_array().unwrap() {
            check(&loaded, &serde_json::from_value(resolution["context"].clone()).unwrap());
            checked += 1;
        }
    }
    checked
}

#[test]
fn named_situations() {
    assert!(check_data(include_str!("conformance/named.jsonl")) > 35);
}

#[test]
fn generated_situations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/generated.jsonl");
    match std::fs::read_to_string(&path) {
        Ok(text) => assert!(check_data(&text) >= 1200),
        Err(_) => println!("skipped: the generated conformance data is not beside this checkout"),
    }
}

const TOOLS: [&str; 3] = ["open", "read", "test"];
const SECTIONS: [&str; 4] = ["tone", "guidelines", "safety", "tool_instructions"];

fn gate() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        select(&TOOLS[..]).prop_map(|tool| json!({"has_client_tool": tool})),
        subsequence(&TOOLS[..], 1..=3).prop_map(|tools| json!({"has_any_client_tool": tools})),
        any::<bool>().prop_map(|flag| json!({"workspaceless": flag})),
        any::<bool>().prop_map(|flag| json!({"setting_equals": {"on": flag}, "tool_search_active": false})),
        Just(json!({"setting_is_set": "level"})),
        select(vec!["a", "a-1", "b"]).prop_map(|prefix| json!({"model": {"prefix": prefix}})),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|gate| json!({"not": gate})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|gates| json!({"any": gates})),
            prop::collection::vec(inner, 1..3).prop_map(|gates| json!({"all": gates})),
        ]
    })
}

/// An object, under a gate or not.
fn gated(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (value, prop::option::of(gate())).prop_map(|(mut value, gate)| {
        if let Some(gate) = gate {
            value["when"] = gate;
        }
        value
    })
}

fn string() -> impl Strategy<Value = String> {
    select(vec!["", "x", "é\n🙂", "\nab", "{{tool}}!", "{{level}} and {{tool}}"]).prop_map(str::to_owned)
}

fn list(parent: bool, strings: impl Strategy<Value = String>) -> impl Strategy<Value = Value> {
    let own = strings.prop_map(|text| json!({ "text": text }));
    let other = if parent { json!({"parent": true}) } else { json!({"use": "shared"}) };
    prop::collection::vec(gated(prop_oneof![3 => own, 1 => Just(json!({"use": "shared"})), 1 => Just(other)]), 1..4)
        .prop_map(Value::from)
}

fn text(parent: bool) -> impl Strategy<Value = Value> {
    prop_oneof![string().prop_map(Value::from), list(parent, string())]
}

fn sections(parent: bool) -> impl Strategy<Value = Value> {
    let content = (select(vec!["replace", "append", "prepend"]), text(parent))
        .prop_map(|(action, content)| json!({"action": action, "content": content}));
    let steps = json!([{"append": "s"}, {"remove": {"pattern": "x"}}]);
    let bare = select(vec![
        json!({"action": "remove"}),
        json!({"action": "preserve"}),
        json!({"action": "transform", "steps": steps}),
    ]);
    let one = gated(prop_oneof![4 => content, 1 => bare]);
    let many = prop::collection::vec(one, 1..3).prop_map(Value::from);
    prop::collection::hash_map(select(&SECTIONS[..]), many, 0..3).prop_map(|sections| json!(sections))
}

fn bind(mut rule: Value) -> Value {
    rule["bind"] = json!({"tool": {"first_client_tool": ["read", "test"]}, "level": {"setting": "level"}});
    rule
}

fn contributor(number: usize) -> impl Strategy<Value = Value> {
    let matching = select(vec![
        json!({"families": ["a-", "b"]}),
        json!({"model": {"normalize": ["lowercase"], "any": [{"prefix": "a"}, {"equals": "b"}]}}),
        json!({"model": {"regex": "[0-9]$"}, "families": ["b"]}),
        json!({"families": ["c"]}),
    ]);
    let full = prop::option::weighted(0.3, gated(string().prop_map(|text| json!({ "text": text }))));
    let content = prop::option::weighted(0.4, text(false));
    let parts = (matching, sections(number > 0), content, full, any::<bool>());
    gated(parts.prop_map(move |(matching, sections, content, full, extends)| {
        let mut rule = json!({"id": format!("c{number}"), "match": matching, "sections": sections});
        rule.as_object_mut().unwrap().extend(content.map(|content| ("content".to_owned(), content)));
        rule.as_object_mut().unwrap().extend(full.map(|full| ("full_prompt".to_owned(), full)));
        if extends && number > 0 {
            rule["extends"] = json!(format!("c{}", number - 1));
        }
        bind(rule)
    }))
}

fn universal(kind: &'static str) -> impl Strategy<Value = Value> {
    let strings = select(vec!["x", "é🙂", "{{tool}}!", "{{level}}"]).prop_map(str::to_owned);
    let text = gated(list(false, strings).prop_map(|text| json!({ "text": text })));
    prop::collection::vec(text, 0..4).prop_map(move |texts| {
        let rules = texts.into_iter().enumerate().map(|(number, mut rule)| {
            rule["id"] = json!(format!("{kind}{number}"));
            bind(rule)
        });
        rules.collect()
    })
}

fn rules() -> impl Strategy<Value = Value> {
    let base = (sections(false), prop::option::of(text(false)));
    let contributors = (contributor(0), contributor(1), contributor(2));
    (base, contributors, universal("line"), universal("block")).prop_map(|(base, contributors, lines, blocks)| {
        let (sections, content) = base;
        let mut base = bind(json!({ "sections": sections }));
        base.as_object_mut().unwrap().extend(content.map(|content| ("content".to_owned(), content)));
        json!({
            "version": 1,
            "catalog": {
                "client_tools": TOOLS,
                "settings": {"on": {"type": "boolean", "default": false}, "level": {"type": "number"}},
            },
            "texts": {"shared": ["S", {"when": {"workspaceless": true}, "text": "W"}]},
            "base": base,
            "contributors": [contributors.0, contributors.1, contributors.2],
            "tool_instructions": lines,
            "trailing": blocks,
        })
    })
}

fn context() -> impl Strategy<Value = Context> {
    let model = prop::option::of(select(vec!["a-1", "A-1", "b", "b2", "c", "x"]).prop_map(str::to_owned));
    let tools = subsequence(&TOOLS[..], 0..=3);
    let settings =
        select(vec![json!({}), json!({"on": true}), json!({"level": 2.5, "on": "yes"}), json!({"level": 1})]);
    (model, tools, settings, any::<bool>(), any::<bool>()).prop_map(
        |(model, tools, settings, tool_search_active, workspaceless)| Context {
            model,
            client_tools: tools.into_iter().map(str::to_owned).collect(),
            settings: settings.as_object().unwrap().clone(),
            tool_search_active,
            workspaceless,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_rules_and_contexts(rules in rules(), contexts in prop::collection::vec(context(), 6)) {
        match load_text("ruleset.yaml", &rules.to_string()) {
            // A parent that extends nobody has no `parent` to speak of; all else must load.
            Err(error) => prop_assert!(format!("{error:?}").contains("parent"), "{rules} {error:?}"),
            Ok(loaded) => contexts.iter().for_each(|context| check(&loaded, context)),
        }
    }
}
