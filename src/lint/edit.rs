//! Newlines at the ends of texts, as edits of what is written, whatever the style of the scalar.
//!
//! An edit here changes one end of one value and nothing else; where none does, there is none.

use crate::diagnostic::Edit;
use crate::source::{Sources, Span};

/// One end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Start,
    End,
}

/// How a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Block,
}

/// The edit after which the scalar's value has a newline at this end.
pub(super) fn add_newline(sources: &Sources, scalar: Span, side: Side) -> Option<Edit> {
    let source = sources.text(scalar);
    match (style(source), side) {
        (Style::Double, Side::Start) => Some(insert(scalar, 1, r"\n")),
        (Style::Double, Side::End) => Some(insert(scalar, source.len().checked_sub(1)?, r"\n")),
        (Style::Single | Style::Plain, Side::Start) => Some(replace(scalar, double_quoted(source, r"\n", "")?)),
        (Style::Single | Style::Plain, Side::End) => Some(replace(scalar, double_quoted(source, "", r"\n")?)),
        // An empty line before the first one is a line of the value, folded or not.
        (Style::Block, Side::Start) => Some(insert(scalar, source.find('\n')?, "\n")),
        (Style::Block, Side::End) => {
            let header = header(source);
            let strip = header.find('-')?;
            Some(Edit { span: part(scalar, strip, strip + 1), replacement: String::new() })
        }
    }
}

/// How the `\n` that a scalar has at this end is written, if it is two characters there instead of a newline.
pub(super) fn literal_newline(sources: &Sources, scalar: Span, value: &str, side: Side) -> Option<&'static str> {
    let found = match side {
        Side::Start => value.starts_with(r"\n"),
        Side::End => value.ends_with(r"\n") && !value.ends_with(r"\\n"),
    };
    let style = style(sources.text(scalar));
    match style {
        Style::Plain if found => Some("without quotes"),
        Style::Single if found => Some("in single quotes"),
        Style::Block if found => Some("in a block"),
        Style::Plain | Style::Single | Style::Block | Style::Double => None,
    }
}

/// The edit that puts a scalar into double quotes, where each `\n` in it is a newline.
pub(super) fn read_newlines(sources: &Sources, scalar: Span) -> Option<Edit> {
    let source = sources.text(scalar);
    let text = match style(source) {
        Style::Single => source.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"),
        Style::Plain => source.to_owned(),
        Style::Block | Style::Double => return None,
    };
    // Two backslashes are two characters, and an `n` behind them is an `n`.
    let pieces = text.split(r"\\").map(|piece| piece.replace('\\', r"\\").replace(r"\\n", r"\n"));
    let text = pieces.collect::<Vec<_>>().join(r"\\\\").replace('"', "\\\"");
    Some(replace(scalar, format!("\"{text}\"")))
}

/// The edit after which the scalar's value does not end with a newline; `value` says how it does now.
pub(super) fn strip_newlines(sources: &Sources, scalar: Span, value: &str) -> Option<Edit> {
    let source = sources.text(scalar);
    match style(source) {
        Style::Block => {
            let header = header(source);
            let stripped: String = header.chars().filter(|letter| !"+-".contains(*letter)).chain(['-']).collect();
            Some(Edit { span: part(scalar, 0, header.len()), replacement: stripped })
        }
        Style::Double => {
            let newlines = value.len() - value.trim_end_matches('\n').len();
            let text = source.strip_suffix('"')?;
            let kept = without_escaped_newlines(text, newlines)?;
            Some(Edit { span: part(scalar, kept.len(), text.len()), replacement: String::new() })
        }
        Style::Single | Style::Plain => None,
    }
}

/// The edit that puts an empty string at one end of a list of texts.
pub(super) fn add_empty_item(sources: &Sources, list: Span, last: Span, side: Side) -> Option<Edit> {
    let source = sources.text(list);
    let flow = source.starts_with('[');
    match (flow, side) {
        (true, Side::Start) => Some(insert(list, 1, "\"\", ")),
        (true, Side::End) => Some(Edit { span: Span { start: last.end, ..last }, replacement: ", \"\"".to_owned() }),
        (false, Side::Start) => {
            let indent = indentation(sources, list)?;
            let file = sources.file(list.file).text();
            let start = file.get(..list.start as usize)?.rfind('\n').map_or(0, |newline| newline + 1) + indent.len();
            let item = format!("- \"\"\n{indent}");
            Some(Edit { span: Span::new(list.file, start, start), replacement: item })
        }
        (false, Side::End) => {
            let file = sources.file(last.file).text();
            let keeps = style(sources.text(last)) == Style::Block && header(sources.text(last)).contains('+');
            let rest = file.get(last.end as usize..).filter(|_| !keeps)?;
            let end = last.end as usize + rest.find('\n').unwrap_or(rest.len());
            let item = format!("\n{}- \"\"", indentation(sources, list)?);
            Some(Edit { span: Span::new(last.file, end, end), replacement: item })
        }
    }
}

/// The blanks before the `-` of a block list; nothing if something else stands there. Where the
/// list is no deeper than its key, its span begins with the first item.
fn indentation(sources: &Sources, list: Span) -> Option<&str> {
    let before = sources.file(list.file).text().get(..list.start as usize)?;
    let line = before.rsplit('\n').next()?;
    let indent = line.trim_end_matches(' ').trim_end_matches('-');
    let only_dash = line.trim().is_empty() || line.trim() == "-";
    (only_dash && indent.bytes().all(|byte| byte == b' ')).then_some(if line.trim().is_empty() { line } else { indent })
}

fn style(source: &str) -> Style {
    match source.bytes().next() {
        Some(b'\'') => Style::Single,
        Some(b'"') => Style::Double,
        Some(b'|' | b'>') => Style::Block,
        _ => Style::Plain,
    }
}

/// `|`, `>` and what stands directly behind it.
fn header(source: &str) -> &str {
    source.split([' ', '\t', '\n']).next().unwrap_or_default()
}

/// A plain or single-quoted scalar in double quotes, with something more at its ends. Line breaks
/// are read alike in all three, so they stay.
fn double_quoted(source: &str, before: &str, after: &str) -> Option<String> {
    let text = match style(source) {
        Style::Single => source.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"),
        Style::Plain | Style::Double | Style::Block => source.to_owned(),
    };
    let text = text.replace('\\', r"\\").replace('"', "\\\"");
    Some(format!("\"{before}{text}{after}\""))
}

/// A double-quoted source without so many `\n` at its end; nothing if they are written otherwise.
fn without_escaped_newlines(mut text: &str, newlines: usize) -> Option<&str> {
    for _ in 0..newlines {
        text = text.strip_suffix(r"\n")?;
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        if backslashes % 2 == 1 {
            return None;
        }
    }
    Some(text)
}

fn part(span: Span, start: usize, end: usize) -> Span {
    Span::new(span.file, span.start as usize + start, span.start as usize + end)
}

fn insert(span: Span, at: usize, text: &str) -> Edit {
    Edit { span: part(span, at, at), replacement: text.to_owned() }
}

fn replace(span: Span, replacement: String) -> Edit {
    Edit { span, replacement }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Node, yaml};
    use crate::source::SourceFile;

    /// Every way to write a text without newlines at its ends.
    const SCALARS: &[&str] = &[
        "text: plain",
        "text: two words # and a comment",
        "text: plain over\n  two lines\n\n  and more",
        r#"text: it's \d "quoted""#,
        "text: 'single'",
        "text: 'it''s \\n \"x\"' # comment",
        "text: 'single over\n  two lines\n\n  and more'",
        r#"text: "double""#,
        r#"text: "ends in \\""#,
        "text: \"double over\n  two lines \\\n  joined\"",
        "text: |-\n  literal\n  lines",
        "text: |-\n  literal\n  lines\n\n\nnext: 1",
        "text: |2-\n    more indented\n  less",
        "text: |-2\n    more indented\n  less",
        "text: |- # comment\n  literal",
        "text: >-\n  folded\n  lines\n\n    kept\n  end\n",
        "text: >-\n\n  begins empty",
        "{text: plain, next: 1}",
        "{text: 'single', next: 1}",
        "{text: \"double\"}",
        "text: é 🙂 ü",
    ];

    fn parsed(text: &str) -> (Sources, Node) {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a.yaml".into(), "a.yaml".into(), text.into()));
        let node = yaml::parse(file, sources.file(file)).unwrap_or_else(|error| panic!("{text}\n{error:?}"));
        (sources, node)
    }

    fn edited(text: &str, edit: &Edit) -> String {
        let mut text = text.to_owned();
        text.replace_range(edit.span.range(), &edit.replacement);
        text
    }

    fn value(text: &str) -> serde_json::Value {
        parsed(text).1.to_json()
    }

    #[test]
    fn a_newline_is_added_in_every_style() {
        for source in SCALARS {
            let (sources, node) = parsed(source);
            let scalar = node.get("text").unwrap();
            for side in [Side::Start, Side::End] {
                let text = edited(source, &add_newline(&sources, scalar.span, side).unwrap());
                let mut expected = node.to_json();
                let old = scalar.as_str().unwrap();
                expected["text"] = match side {
                    Side::Start => format!("\n{old}"),
                    Side::End => format!("{old}\n"),
                }
                .into();
                assert_eq!(value(&text), expected, "{source}\n→\n{text}");
            }
        }
    }

    #[test]
    fn a_newline_of_two_characters_is_read_as_one() {
        let cases = [
            (r"text: '\nOne.\nTwo.'", "\nOne.\nTwo."),
            (r#"text: '\nit''s a "\d" \\n' # why"#, "\nit's a \"\\d\" \\\\n"),
            (r"text: \nplain", "\nplain"),
            ("text: '\\nover\n  two lines'", "\nover two lines"),
        ];
        for (source, expected) in cases {
            let (sources, node) = parsed(source);
            let scalar = node.get("text").unwrap();
            assert!(literal_newline(&sources, scalar.span, scalar.as_str().unwrap(), Side::Start).is_some());
            let text = edited(source, &read_newlines(&sources, scalar.span).unwrap());
            assert_eq!(value(&text)["text"], expected, "{source} → {text}");
        }
        for (source, side) in
            [(r#"text: "\\nx""#, Side::Start), (r"text: 'x\\n'", Side::End), ("text: 'nx'", Side::Start)]
        {
            let (sources, node) = parsed(source);
            let scalar = node.get("text").unwrap();
            assert_eq!(literal_newline(&sources, scalar.span, scalar.as_str().unwrap(), side), None, "{source}");
        }
    }

    #[test]
    fn newlines_are_stripped() {
        let cases = [
            ("text: |\n  literal\n", "text: |-\n  literal\n"),
            ("text: |+ # why\n  literal\n\n\nnext: 1\n", "text: |- # why\n  literal\n\n\nnext: 1\n"),
            ("text: |2+\n    literal\n\n", "text: |2-\n    literal\n\n"),
            ("text: >\n  folded\n  lines", "text: >-\n  folded\n  lines"),
            (r#"text: "a\n""#, r#"text: "a""#),
            (r#"text: "a\n\n\n""#, r#"text: "a""#),
        ];
        for (source, expected) in cases {
            let (sources, node) = parsed(source);
            let scalar = node.get("text").unwrap();
            let text = edited(source, &strip_newlines(&sources, scalar.span, scalar.as_str().unwrap()).unwrap());
            assert_eq!(text, expected);
            let stripped = scalar.as_str().unwrap().trim_end_matches('\n');
            assert_eq!(value(&text)["text"], stripped, "{source}");
        }
    }

    #[test]
    fn what_cannot_be_stripped_is_left() {
        for source in ["text: 'a\n\n  '", "text: \"a\\n\n\n  \""] {
            let (sources, node) = parsed(source);
            let scalar = node.get("text").unwrap();
            assert_eq!(strip_newlines(&sources, scalar.span, scalar.as_str().unwrap()), None, "{source}");
        }
    }

    #[test]
    fn an_empty_item_is_added_in_every_style() {
        let lists = [
            "text: [a, b]",
            "text: [ 'a', b, ]",
            "text:\n  - a # why\n  - b # because\n",
            "text:\n- a\n- b",
            "text:\n  - |-\n    a\n  - >-\n    b\n    c\n\n\nnext: 1\n",
            "a:\n  - text:\n    - {text: x}\n    - text: y\n",
            "text:\n  # first\n  - a\n  - b\n  # last\nnext: 1\n",
        ];
        for source in lists {
            let (sources, node) = parsed(source);
            let owner = node.get("a").map_or(&node, |list| &list.items()[0]);
            let list = owner.get("text").unwrap();
            let last = list.items().last().unwrap();
            for side in [Side::Start, Side::End] {
                let text = edited(
                    source,
                    &add_empty_item(&sources, list.span, last.span, side)
                        .unwrap_or_else(|| panic!("{source} {side:?} {:?}", sources.text(list.span))),
                );
                let mut expected = list.to_json();
                let at = if side == Side::Start { 0 } else { list.items().len() };
                expected.as_array_mut().unwrap().insert(at, "".into());
                let found = value(&text);
                let found = found.get("a").map_or(&found["text"], |list| &list[0]["text"]);
                assert_eq!(*found, expected, "{source}\n→\n{text}");
            }
        }
    }
}
