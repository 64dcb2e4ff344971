//! `quote it`: the suggested edit that turns what was meant as text into a quoted scalar.

use super::lex::{self, BLANKS};
use crate::diagnostic::{Edit, Fix};
use crate::source::{FileId, Span};

/// Text in quotes, such that it reads back as it is: double ones unless those would need escapes.
pub(in crate::load) fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) { format!("'{}'", text.replace('\'', "''")) } else { format!("\"{text}\"") }
}

/// The edit that quotes the text from `start` to `end`, if it lies on one line.
pub(super) fn quote(file: FileId, text: &str, start: usize, end: usize) -> Option<Fix> {
    let value = lex::between(text, start, end);
    if value.is_empty() || value.contains('\n') {
        return None;
    }
    let edit = Edit { span: Span::new(file, start, end), replacement: quoted(value) };
    Some(Fix { title: "quote it".to_owned(), edits: vec![edit], safe: false })
}

/// Where a value that was meant as plain text ends: at the end of its line, or inside brackets
/// before the next `,` or closing bracket.
pub(super) fn value_end(text: &str, start: usize, brackets: bool) -> usize {
    let end = lex::content_end(text, start);
    if !brackets {
        return end;
    }
    let mut depth = 0_usize;
    for (at, char) in lex::between(text, start, end).char_indices() {
        match char {
            '[' | '{' => depth += 1,
            ']' | '}' if depth > 0 => depth -= 1,
            ']' | '}' | ',' if depth == 0 => {
                return start + lex::between(text, start, start + at).trim_end_matches(BLANKS).len();
            }
            _ => {}
        }
    }
    end
}

/// Text as it is shown in a message: in backticks, the first line of it, shortened.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    let cut = line.char_indices().nth(MOST).map(|(at, _)| at);
    match cut.and_then(|at| line.get(..at)) {
        Some(start) => format!("`{start}…`"),
        None => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_that_need_no_escape() {
        assert_eq!(quoted("don't"), "\"don't\"");
        assert_eq!(quoted("a \"b\""), "'a \"b\"'");
        assert_eq!(quoted("it's \\d"), "'it''s \\d'");
    }

    #[test]
    fn values_inside_brackets_end_at_the_separator() {
        let text = "[{{a}} b , c]\nk: {{a, b}} c # d";
        assert_eq!(&text[1..value_end(text, 1, true)], "{{a}} b");
        assert_eq!(&text[17..value_end(text, 17, false)], "{{a, b}} c");
    }

    #[test]
    fn long_text_is_shortened() {
        assert_eq!(shown("a\nb"), "`a`");
        assert_eq!(shown(&"é".repeat(50)), format!("`{}…`", "é".repeat(40)));
    }
}
