//! The `rules` part of a snapshot: the meaning of the rules, not how they are written.

use serde_json::{Value, json};

use super::{RULES, cases, files, loaded, reversed, rules, snapshot};
use promptrules::rules::RuleSet;

fn changed(one: &RuleSet, two: &RuleSet) -> bool {
    let take = |rules| snapshot(rules, &json!({}));
    take(two).changed_since(&take(one)).any(|part| part == "rules")
}

fn replaced(from: &str, to: &str) -> RuleSet {
    assert!(RULES.contains(from), "{from}");
    rules(&RULES.replacen(from, to, 1))
}

#[test]
fn how_rules_are_written_does_not_count() {
    let original = rules(RULES);
    let (head, tail) = RULES.split_once("contributors:").unwrap();
    let include = head.replace("version: 1\n", "version: 1\ninclude: [more.yaml]\n");
    let more = format!("version: 1\ncontributors:{tail}");
    let spellings = [
        ("a comment", rules(&format!("# note\n{RULES}"))),
        ("line ends and byte-order mark", rules(&format!("\u{feff}{}", RULES.replace('\n', "\r\n")))),
        ("two files", files([("ruleset.yaml", &include), ("more.yaml", &more)])),
        ("a description", replaced("- id: claude\n", "- id: claude\n    description: x\n")),
        ("an unread setting", replaced("    unread: {type: string}\n", "")),
        ("a known model", replaced("catalog:\n", "catalog:\n  models: [gpt]\n")),
        ("a text that nothing uses", rules(&format!("{RULES}\ntexts: {{x: y}}\n"))),
    ];
    for (name, spelling) in &spellings {
        assert!(!changed(&original, spelling), "{name}");
    }
}

#[test]
fn names_stand_for_what_they_name() {
    let set = |catalog: &str, rest: &str| {
        rules(&format!("version: 1\ncatalog: {{client_tools: [a, b, c]{catalog}}}\n{rest}"))
    };
    let line = |text: &str| {
        format!("base: {{sections: {{}}}}\ntexts: {{one: [s, t], two: [s, t]}}\ntool_instructions: [{{id: l, {text}}}]")
    };
    let same = [
        (
            set("", &line("when: {has_any_client_tool: [a, b]}, text: x")),
            set(", tool_groups: {g: [b, a]}", &line("when: {has_any_client_tool: [$g, a]}, text: x")),
        ),
        (set("", &line("text: [{use: one}]")), set("", &line("text: [{use: two}]"))),
        (
            set("", &line("bind: {p: {first_client_tool: [a]}}, text: '{{p}}'")),
            set("", &line("bind: {q: {first_client_tool: [a]}}, text: '{{q}}'")),
        ),
        (
            set("", &line("when: {any: [{workspaceless: true}, {has_client_tool: a}]}, text: x")),
            set("", &line("when: {any: [{has_client_tool: a}, {workspaceless: true}]}, text: x")),
        ),
    ];
    for (number, (one, two)) in same.iter().enumerate() {
        assert!(!changed(one, two), "{number}");
    }
    let other = [
        (
            set("", &line("when: {all: [{workspaceless: true}, {has_client_tool: a}]}, text: x")),
            set("", &line("when: {any: [{workspaceless: true}, {has_client_tool: a}]}, text: x")),
        ),
        (
            set("", &line("bind: {p: {first_client_tool: [a, b]}}, text: '{{p}}'")),
            set("", &line("bind: {p: {first_client_tool: [b, a]}}, text: '{{p}}'")),
        ),
        (set("", &line("text: [x, y]")), set("", &line("text: [y, x]"))),
        (set("", &line("text: '{{p}}'")), set("", &line("bind: {p: {first_client_tool: [a]}}, text: '{{p}}'"))),
    ];
    for (number, (one, two)) in other.iter().enumerate() {
        assert!(changed(one, two), "{number}");
    }
}

#[test]
fn order_counts_where_the_result_shows_it() {
    let two = |list: &str| rules(&format!("version: 1\nbase: {{sections: {{}}}}\n{list}"));
    let a = "{id: a, text: x}";
    let b = "{id: b, text: y}";
    assert!(changed(&two(&format!("trailing: [{a}, {b}]")), &two(&format!("trailing: [{b}, {a}]"))));
    assert!(changed(&two(&format!("trailing: [{a}]")), &two(&format!("tool_instructions: [{a}]"))));
    let base = |sections: &str| rules(&format!("version: 1\nbase: {{sections: {{{sections}}}}}"));
    let (tone, safety) = ("tone: {action: remove}", "safety: {action: preserve}");
    assert!(changed(&base(&format!("{tone}, {safety}")), &base(&format!("{safety}, {tone}"))));
}

#[test]
fn key_order_does_not_count() {
    for case in cases() {
        let original = rules(&case["rules"].to_string());
        let turned = rules(&reversed(&case["rules"], "sections").to_string());
        assert!(!changed(&original, &turned), "{}", case["name"]);
    }
}

/// Each scalar of every rule of the conformance sets, changed one at a time.
#[test]
fn every_scalar_of_a_rule_counts() {
    let mut tried = 0;
    for case in cases().take(3) {
        let original = rules(&case["rules"].to_string());
        for path in scalars(&case["rules"], String::new()) {
            let mut edited = case["rules"].clone();
            let scalar = edited.pointer_mut(&path).unwrap();
            *scalar = another(scalar);
            if let Some(edited) = loaded(&edited.to_string()) {
                assert!(changed(&original, &edited), "{path} of {}", case["name"]);
                tried += 1;
            }
        }
    }
    assert!(tried > 150, "{tried}");
}

fn another(scalar: &Value) -> Value {
    match scalar {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_f64().unwrap() + 1.0),
        Value::String(text) => json!(format!("{text}x")),
        other => panic!("{other}"),
    }
}

/// Pointers to what rules say; the catalog, shared texts and bindings count only as far as they are used.
fn scalars(value: &Value, path: String) -> Vec<String> {
    let skipped = ["/version", "/catalog", "/texts"].contains(&path.as_str())
        || path.ends_with("/description")
        || path.contains("/allow/")
        || path.contains("/bind/");
    match value {
        _ if skipped => Vec::new(),
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(at, item)| scalars(item, format!("{path}/{at}"))).collect()
        }
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| scalars(value, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))))
            .collect(),
        _ => vec![path],
    }
}
