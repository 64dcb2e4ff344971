//! Input made to hurt: an answer at once, without a deep call stack.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{File, fault};
use crate::load::yaml::within;

/// Generous for a debug build on a busy machine; a quadratic pass takes far longer.
const AT_ONCE: Duration = Duration::from_secs(10);

fn at_once(text: &str) -> String {
    let start = Instant::now();
    let found = fault(text);
    let shown: String = text.chars().take(20).collect();
    assert!(start.elapsed() < AT_ONCE, "{:?} {shown:?}", start.elapsed());
    found.chars().take(60).collect()
}

#[test]
fn nesting_ends_at_64() {
    for (open, inside, close) in [("[", "", "]"), ("{a: ", "", "}"), ("- ", "x", ""), ("? ", "x", ""), ("- [", "", "]")]
    {
        let deep = |count: usize| format!("{}{inside}{}", open.repeat(count), close.repeat(count));
        let deepest = if open == "- [" || open == "? " { 1 } else { 64 };
        if deepest == 64 {
            assert!(File::new(&deep(64)).parse().is_ok(), "{open}");
            assert!(fault(&deep(65)).starts_with("yaml-unsupported 1:"), "{open}: {}", fault(&deep(65)));
        }
    }
    let mixed = format!("{}{}x{}", "- ".repeat(32), "[".repeat(33), "]".repeat(33));
    assert_eq!(fault(&mixed), "yaml-unsupported 1:97 \"[\"");
    let lines: String = (0..65).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert_eq!(fault(&lines), "yaml-unsupported 65:65 \"a\"");
}

#[test]
fn bottomless_nesting() {
    for open in ["- ", "{a: ", "[", "{", "? ", "- ? ", "[{a: ", "- - [", "a: [", "? [", "{? ", "[[a]: "] {
        for count in [1_000, 100_000] {
            let found = at_once(&open.repeat(count));
            assert!(found.starts_with("yaml-"), "{open}: {found}");
        }
    }
    assert!(at_once(&"[".repeat(1_000_000)).starts_with("yaml-unsupported 1:65"));
}

#[test]
fn long_input() {
    assert!(at_once(&"a".repeat(16_000_000)).starts_with("fine"));
    assert!(at_once(&"a b\n".repeat(500_000)).starts_with("fine"));
    assert!(at_once(&format!("\"{}\"", "a\\n".repeat(500_000))).starts_with("fine"));
    assert!(at_once(&format!("[{}]", "a, ".repeat(200_000))).starts_with("fine"));
    assert!(at_once(&"- a\n".repeat(200_000)).starts_with("fine"));
    assert!(at_once(&(0..100_000).map(|key| format!("k{key}: 1\n")).collect::<String>()).starts_with("fine"));
    assert!(
        at_once(&format!("{{{}}}", (0..100_000).map(|key| format!("k{key}, ")).collect::<String>()))
            .starts_with("fine")
    );
    assert!(at_once(&format!("a: |\n{}", "  x\n\n".repeat(200_000))).starts_with("fine"));
    assert!(at_once(&"#\n".repeat(500_000)).starts_with("fine"));
    assert!(at_once(&" \n".repeat(500_000)).starts_with("fine"));
}

#[test]
fn long_faults() {
    let filler = "k: [a, 'b', \"c\"]\n".repeat(20_000).replace("k:", "- k:");
    for fault in ["- 'x", "- [a", "- a: b: c", "-x: y", "- \"\\q\"", "- k: @", " - x", "\t- x", "- <<: 1"] {
        assert!(at_once(&format!("{filler}{fault}\n")).starts_with("yaml-"), "{fault}");
        assert!(at_once(&format!("{fault}\n{filler}")).starts_with("yaml-"), "{fault}");
    }
    for text in [
        "'", "\"", "[", "{", "[\"", "{{", ": ", "? ", "- - ", "&a ", "*a ", "!a ", "a: ", "'a' ", "\t", "<<<<<<< ",
        "\\",
    ] {
        at_once(&text.repeat(50_000));
        at_once(&format!("k: {}", text.repeat(50_000)));
        at_once(&format!("k: \"{}", text.repeat(50_000)));
        at_once(&format!("k: [{}", text.repeat(50_000)));
        at_once(&format!("{text}\n").repeat(50_000));
    }
}

#[test]
fn aliases_are_refused_before_they_multiply() {
    let mut text = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..5_000 {
        text.push_str(&format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1));
    }
    assert_eq!(at_once(&text), "yaml-unsupported 1:5 \"&a0\"");
}

/// Text of the pieces that YAML is made of.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "é",
        "1",
        "'",
        "\"",
        "''",
        "\\",
        "\\\"",
        "[",
        "]",
        "{",
        "}",
        "{{",
        ",",
        ": ",
        ":",
        "- ",
        "-",
        "? ",
        "#",
        " #",
        "\n",
        "\n ",
        "\n  ",
        "\n    ",
        "\t",
        "\n\t",
        " ",
        "|",
        ">",
        "|-\n",
        ">2\n",
        "&a ",
        "*a ",
        "!t ",
        "!",
        "<<",
        "---\n",
        "...\n",
        "%",
        "@",
        "`",
        "~",
        "key: ",
        "- id: ",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "\r\n",
        "\r",
        "null",
        "\u{7}",
        "<<<<<<< x",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn never_panics(text: &str) {
    let file = File::new(text);
    let whole = file.sources.whole(file.id);
    match file.parse() {
        Ok(node) => {
            inside(&file, &node);
            drop(node.to_json());
        }
        Err(fault) => {
            assert!(fault.span.start <= fault.span.end, "{text:?}");
            let length = file.sources.file(file.id).text().len();
            assert!(fault.span.range().end <= length, "{text:?}");
            assert!(fault.span.start == fault.span.end || !file.sources.text(fault.span).is_empty(), "{text:?}");
            within(&file.sources, fault.span, text, 0..text.len());
        }
    }
    within(&file.sources, whole, text, 0..text.len());
}

/// Nodes lie inside each other, and every string's characters inside it.
fn inside(file: &File, node: &crate::load::node::Node) {
    for entry in node.entries() {
        assert!(node.span.contains(entry.key_span) && node.span.contains(entry.value.span));
        assert!(entry.key_span.end <= entry.value.span.start);
        inside(file, &entry.value);
    }
    for item in node.items() {
        assert!(node.span.contains(item.span));
        inside(file, item);
    }
    if let Some(value) = node.as_str() {
        for (at, char) in value.char_indices() {
            within(&file.sources, node.span, value, at..at + char.len_utf8());
        }
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in soup()) {
        never_panics(&text);
    }

    #[test]
    fn no_characters_panic(text in any::<String>()) {
        never_panics(&text);
    }

    #[test]
    fn line_ends_and_mark_change_no_value(text in soup()) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let json = |text: &str| File::new(text).parse().map(|node| node.to_json()).map_err(|fault| (fault.message, fault.span.start));
        let plain = json(text.trim_start_matches('\u{feff}'));
        prop_assert_eq!(json(&format!("\u{feff}{}", text.replace('\n', "\r\n"))), plain);
    }
}
