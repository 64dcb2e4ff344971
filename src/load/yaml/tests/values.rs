//! Values and the spans of nodes.

use serde_json::json;

use super::{File, fault, value};
use crate::load::node::{Node, Value};

/// Every node and key with the text that its span covers.
fn covered(text: &str) -> Vec<String> {
    let file = File::new(text);
    let mut found = Vec::new();
    walk(&file, &file.parse().unwrap(), &mut found);
    found
}

fn walk(file: &File, node: &Node, found: &mut Vec<String>) {
    let text = file.sources.text(node.span);
    let place = if text.is_empty() { format!("{}", node.span.start) } else { text.to_owned() };
    found.push(place);
    for entry in node.entries() {
        found.push(format!("{}:", file.sources.text(entry.key_span)));
        walk(file, &entry.value, found);
    }
    for item in node.items() {
        walk(file, item, found);
    }
}

#[test]
fn plain_scalars_follow_the_core_schema() {
    let text =
        "[no, on, off, yes, 2024-01-02, 017, 0o17, 0x1F, 0b11, 1e3, 1.50, -0, ~, null, Null, True, FALSE, 12:30, 1_0]";
    let expected = json!([
        "no",
        "on",
        "off",
        "yes",
        "2024-01-02",
        17,
        15,
        31,
        "0b11",
        1000.0,
        1.5,
        0,
        null,
        null,
        null,
        true,
        false,
        "12:30",
        "1_0"
    ]);
    assert_eq!(value(text), expected);
    assert_eq!(value("['017', \"true\", 'null', \"\", '~']"), json!(["017", "true", "null", "", "~"]));
}

#[test]
fn keys_are_strings_whatever_they_look_like_in_quotes() {
    let expected = json!({"1": 1, "true": 2, "null": 3, "<<": 4, "on": 5, "": 6});
    assert_eq!(value("'1': 1\n\"true\": 2\n'null': 3\n'<<': 4\non: 5\n'': 6"), expected);
    assert_eq!(value("? a\n: b\n"), json!({"a": "b"}));
}

#[test]
fn block_scalars() {
    assert_eq!(value("a: |\n  x\n   y\n\n\nb: >-\n  x\n  y\n\n  z\n"), json!({"a": "x\n y\n", "b": "x y\nz"}));
    assert_eq!(value("a: |+\n  x\n\nb: |2-\n   x\n"), json!({"a": "x\n\n", "b": " x"}));
    // A file that ends in one reads as if it ended with a line break.
    assert_eq!(value("a: |\n  x"), value("a: |\n  x\n"));
    assert_eq!(value("a: >\n  x"), json!({"a": "x\n"}));
    assert_eq!(value("a: |-\n  x"), json!({"a": "x"}));
}

#[test]
fn separators_of_unicode_are_text() {
    assert_eq!(value("a: x\u{2028}y\u{85}z\u{2029}\nb: 1"), json!({"a": "x\u{2028}y\u{85}z\u{2029}", "b": 1}));
    assert_eq!(value("a: |\n  x\u{85}y\n"), json!({"a": "x\u{85}y\n"}));
    assert_eq!(fault("a: \u{2028}x\nb: @"), "yaml-syntax 2:4 \"@\"");
}

#[test]
fn escapes() {
    assert_eq!(value(r#""\x41\u00e9\U0001F600\ud83d\ude00\n\x07\/ \_""#), json!("Aé😀😀\n\u{7}/ \u{a0}"));
}

#[test]
fn documents() {
    for text in ["---\na: 1\n", "--- {a: 1}\n", "a: 1\n...\n", "# c\n---\n# d\na: 1\n...\n# e\n", "\u{feff}a: 1"] {
        assert_eq!(value(text), json!({"a": 1}), "{text}");
    }
}

#[test]
fn nothing_is_null_at_the_first_line() {
    for (text, line) in [("", ""), ("\n\n", ""), ("# only\n# comments", "# only"), ("---\n", "---"), ("\u{feff}", "")] {
        let file = File::new(text);
        let node = file.parse().unwrap();
        assert!(matches!(node.value, Value::Null));
        assert_eq!((node.span.start, file.sources.text(node.span)), (0, line), "{text:?}");
    }
}

#[test]
fn scalars_cover_their_quotes_and_headers() {
    assert_eq!(covered("'it''s' # c"), ["'it''s'"]);
    assert_eq!(covered("- \"a\n  b\"\n- a\n  b\n"), ["- \"a\n  b\"\n- a\n  b", "\"a\n  b\"", "a\n  b"]);
    assert_eq!(covered("a: |\n  x \n\n"), ["a: |\n  x ", "a:", "|\n  x "]);
    assert_eq!(
        covered("a: >2- # c\n\n  x\nb: |\nc: 1"),
        ["a: >2- # c\n\n  x\nb: |\nc: 1", "a:", ">2- # c\n\n  x", "b:", "|", "c:", "1"]
    );
    assert_eq!(covered("- |\n x\n# |\n- # >\n  >+\n  y\n\n"), ["- |\n x\n# |\n- # >\n  >+\n  y", "|\n x", ">+\n  y"]);
}

#[test]
fn collections_cover_their_content() {
    assert_eq!(
        covered("a:\n  - b: 1\n    c: [d, {e: f}]\n  - g\n"),
        [
            "a:\n  - b: 1\n    c: [d, {e: f}]\n  - g",
            "a:",
            "- b: 1\n    c: [d, {e: f}]\n  - g",
            "b: 1\n    c: [d, {e: f}]",
            "b:",
            "1",
            "c:",
            "[d, {e: f}]",
            "d",
            "{e: f}",
            "e:",
            "f",
            "g",
        ]
    );
    assert_eq!(covered("[a: b, [ ], { }]"), ["[a: b, [ ], { }]", "a: b", "a:", "b", "[ ]", "{ }"]);
    assert_eq!(covered("? a\n: b"), ["? a\n: b", "a:", "b"]);
}

#[test]
fn absent_values_stand_after_their_key_or_dash() {
    assert_eq!(covered("a:\nb : # c\nc: ~\n"), ["a:\nb : # c\nc: ~", "a:", "2", "b:", "6", "c:", "~"]);
    assert_eq!(covered("- # c\n-\n- a:\n"), ["- # c\n-\n- a:", "1", "7", "a:", "a:", "12"]);
    assert_eq!(covered("{a, b: , c: }"), ["{a, b: , c: }", "a:", "2", "b:", "6", "c:", "11"]);
}

#[test]
fn duplicates_are_found_in_long_mappings_too() {
    let mut text: String = (0..100).map(|number| format!("key{number}: {number}\n")).collect();
    assert_eq!(value(&text).as_object().unwrap().len(), 100);
    text.push_str("\"key50\": 1\n");
    let file = File::new(&text);
    let fault = file.parse().unwrap_err();
    assert_eq!(file.place(&fault), "duplicate-key 101:1 \"\\\"key50\\\"\"");
    assert_eq!(file.sources.start(fault.related[0].span).line, 51);
}

#[test]
fn equal_keys_in_different_mappings_are_fine() {
    assert_eq!(value("a: {a: 1}\nb: [{a: 1}, {a: 2}]"), json!({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}));
}
