//! From a part of a value back to its source, in every style.

use proptest::prelude::*;

use super::File;
use crate::load::node::Node;
use crate::load::yaml::within;
use crate::source::Span;

/// The text that a range of the first value of a mapping is written as.
fn written(text: &str, range: std::ops::Range<usize>) -> String {
    let file = File::new(text);
    let node = file.parse().unwrap();
    let node = &node.entries()[0].value;
    file.sources.text(within(&file.sources, node.span, node.as_str().unwrap(), range)).to_owned()
}

#[test]
fn escapes_and_folds() {
    assert_eq!(written(r#"a: "x\u00e9y\n""#, 1..3), r"\u00e9");
    assert_eq!(written(r#"a: "x\ud83d\ude00y""#, 1..5), r"\ud83d\ude00");
    assert_eq!(written("a: 'it''s'", 2..3), "''");
    assert_eq!(written("a: 'it''s'", 2..4), "''s");
    assert_eq!(written("a: x\n  y", 0..3), "x\n  y");
    assert_eq!(written("a: x\n  y", 1..2), "\n  ");
    assert_eq!(written("a: \"x \n\n  y\"", 1..2), "\n");
    assert_eq!(written("a: \"x\\\n  y\"", 0..2), "x\\\n  y");
    assert_eq!(written("a: |2-\n   x\n   y\n", 1..2), "x");
    assert_eq!(written("a: |2-\n   x\n   y\n", 4..5), "y");
    assert_eq!(written("a: >\n  x\n  y\n\n   z\n", 2..3), "y");
    assert_eq!(written("a: >\n  x\n  y\n\n   z\n", 6..7), "z");
    assert_eq!(written("a: |+\n  x\n\n\nb: 1", 1..4), "\n\n\n");
    assert_eq!(written("a: |\n  x", 1..2), "");
}

#[test]
fn empty_ranges_lie_at_their_place() {
    let file = File::new("a: \"x\\ty\"");
    let node = file.parse().unwrap();
    let span = node.entries()[0].value.span;
    let starts: Vec<u32> = (0..=3).map(|at| within(&file.sources, span, "x\ty", at..at).start).collect();
    assert_eq!(starts, [4, 5, 7, 8]);
}

#[test]
fn what_does_not_go_together_is_the_whole_scalar() {
    let file = File::new("a: \"x\\q\" |\n > '");
    for start in 0..file.sources.file(file.id).text().len() {
        for end in start..20 {
            let span = Span::new(file.id, start, end);
            for value in ["", "x", "\n", " \n\n", "\u{e9}\n\n x"] {
                within(&file.sources, span, value, 0..value.len());
                assert_eq!(within(&file.sources, span, value, 1..50), span);
            }
        }
    }
}

/// Every character of a value that stands for itself is where its span says.
fn check(file: &File, node: &Node) {
    let value = node.as_str().unwrap();
    let mut last = node.span.start;
    for (at, char) in value.char_indices() {
        let span = within(&file.sources, node.span, value, at..at + char.len_utf8());
        let source = file.sources.text(span);
        assert_ne!((span, value.chars().count() > 1), (node.span, true), "{:?}", file.sources.text(node.span));
        assert!(span.start >= last, "{value:?}");
        last = span.end;
        let itself = source.chars().eq([char]);
        let escape = source.starts_with('\\') || source == "''";
        let line_break = char == '\n' && (source.is_empty() || source == "\n") || char == ' ' && source.contains('\n');
        assert!(itself || escape || line_break, "{char:?} as {source:?} in {:?}", file.sources.text(node.span));
    }
    let whole = within(&file.sources, node.span, value, 0..value.len());
    assert!(value.is_empty() || whole.end == last);
}

fn double_quoted(value: &str) -> String {
    let escaped = value.chars().map(|char| match char {
        '"' | '\\' => format!("\\{char}"),
        '\n' => "\\n".to_owned(),
        'z' => "\\x7a".to_owned(),
        '😀' => "\\ud83d\\ude00".to_owned(),
        ' ' => "\\\n\n".replacen("\n\n", "\n    \\ ", 1),
        _ => char.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The value as the body of a block scalar: each line after four blanks.
fn indented(value: &str) -> String {
    value.split('\n').map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}

/// Ways to write a value, not all of which say exactly this value.
fn styles(value: &str) -> Vec<String> {
    let folded = value.replace('\n', "\n\n      ");
    let mut styles = vec![
        format!("k: {}", double_quoted(value)),
        format!("k: '{}'", value.replace('\'', "''").replace('\n', "\n\n      ")),
        format!("k: \"{}\"", folded.replace('\\', "\\\\").replace('"', "\\\"")),
        format!("k: {folded}"),
        format!("k: {}", folded.replace(' ', "\n  ")),
    ];
    for header in ["|", "|-", "|+", ">", ">-", ">+"] {
        styles.push(format!("k:\n  k: {header}\n{}", indented(value)));
        let explicit = header.replacen(['|', '>'], &format!("{}2", &header[..1]), 1);
        styles.push(format!("k:\n  k: {explicit} # c\n{}", indented(value)));
        styles.push(format!("k: {header}\n{}", indented(value).trim_end_matches('\n')));
        styles.push(format!("- - {header}\n{}\n- x", indented(value)));
    }
    styles
}

fn strings<'node>(node: &'node Node, found: &mut Vec<&'node Node>) {
    if node.as_str().is_some() {
        found.push(node);
    }
    node.items().iter().chain(node.entries().iter().map(|entry| &entry.value)).for_each(|node| strings(node, found));
}

proptest! {
    #[test]
    fn every_character_has_its_place(value in "[a-cz .'\"\\\\é😀#:\n\t-]{0,12}") {
        for text in styles(&value) {
            let file = File::new(&text);
            let Ok(node) = file.parse() else { continue };
            let mut found = Vec::new();
            strings(&node, &mut found);
            found.into_iter().for_each(|node| check(&file, node));
        }
    }
}
