//! Faults of quoted text: never closed, closed too early, unknown escapes.

use granit_parser::ErrorKind;

use super::{Scene, Style, is_about_quotes};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::load::yaml::lex::{self, Kind, Lexeme};
use crate::load::yaml::quoting::{quote, value_end};
use crate::load::yaml::refuse;
use crate::source::Span;

impl Scene<'_> {
    pub(super) fn quotes(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        use ErrorKind as K;
        match kind {
            K::UnclosedQuotedScalar | K::DocumentIndicatorInQuotedScalar | K::InvalidQuotedScalarIndent => {
                Some(self.after_value(at).unwrap_or_else(|| self.unclosed_quote(at)))
            }
            K::InvalidTrailingSingleQuotedScalar | K::InvalidTrailingDoubleQuotedScalar => Some(self.closed_early(at)),
            kind if is_about_quotes(kind) => Some(self.bad_escape(at)),
            _ => None,
        }
    }

    fn unclosed_quote(&self, at: usize) -> Diagnostic {
        let apostrophe = self.starts(at, "'");
        let diagnostic = self.syntax_at(at, "this quote is never closed");
        let span = refuse::one_character(self.file, self.text, at);
        let mark = if apostrophe { "'" } else { "\"" };
        let diagnostic = Diagnostic { span, ..diagnostic }.help(format!("close it with `{mark}`"));
        if apostrophe {
            diagnostic.help("if it is an apostrophe, put the whole text in double quotes")
        } else {
            diagnostic
        }
    }

    /// Text after the closing quote of a string; `at` is where the text begins.
    fn closed_early(&self, at: usize) -> Diagnostic {
        let Some(string) = self.string_before(at) else {
            return self.syntax_at(at, "text follows a closing quote").help("quote the whole value");
        };
        if self.leaves_its_block(string.start, string.end) {
            return self.unclosed_quote(string.start);
        }
        let single = self.starts(string.start, "'");
        if self.brackets_around(string.start) && lex::rest(self.text, at).starts_with(['"', '\'']) && string.end < at {
            return self
                .syntax(string.start, string.end, "there is no `,` after this item")
                .help("separate items with `,`");
        }
        if self.is_key_place(string.start) {
            return self
                .syntax(string.start, string.end, "there is no `:` after this key")
                .help("write `: ` after the key");
        }
        if let Some(diagnostic) = self.comma_after_entry(at) {
            return diagnostic;
        }
        let end = lex::content_end(self.text, at);
        let adjacent = string.end == at && lex::rest(self.text, at).starts_with(char::is_alphanumeric);
        if single && adjacent {
            return self.inner_apostrophe(string.end - 1);
        }
        if adjacent {
            let message = format!("the string ends at this quote, and {} follows", self.shown_at(at));
            return self
                .syntax(string.end - 1, string.end, message)
                .help("write quotes inside the string as `\\\"`, or put it in single quotes");
        }
        let whole = value_end(self.text, string.start, false);
        let fix = quote(self.file, self.text, string.start, whole);
        let message = format!("{} follows the closing quote", self.shown_at(at));
        Diagnostic { fix, ..self.syntax(at, end, message).help("put quotes around the whole value") }
    }

    fn inner_apostrophe(&self, at: usize) -> Diagnostic {
        let span = Span::new(self.file, at, at + 1);
        let edit = Edit { span, replacement: "''".to_owned() };
        self.syntax(at, at + 1, format!("the string ends at this apostrophe, and {} follows", self.shown_at(at + 1)))
            .help("double the apostrophe or use double quotes")
            .fix(Fix { title: "double the apostrophe".to_owned(), edits: vec![edit], safe: false })
    }

    /// The string that ends before `at`, with nothing between.
    fn string_before(&self, at: usize) -> Option<Lexeme> {
        let mut found = None;
        let mut from = self.last.end;
        let mut depth = usize::from(self.in_flow());
        while let Some(lexeme) = lex::lexeme(self.text, from, depth > 0).filter(|lexeme| lexeme.end <= at) {
            match lexeme.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                Kind::Quoted { .. } => found = Some(lexeme),
                Kind::Indicator | Kind::Plain => {}
            }
            from = lexeme.end;
        }
        found.filter(|string| string.end == from)
    }

    /// Whether the lines after the first one of a string are not indented as its place demands: then
    /// it was to end before, and some later quote closed it.
    pub(super) fn leaves_its_block(&self, start: usize, end: usize) -> bool {
        // Most strings are on one line, which may be long.
        let several_lines = lex::between(self.text, start, end).contains('\n');
        let (Some((_, column)), true) = (self.block_collection(), several_lines) else { return false };
        let mut line = lex::next_line(self.text, start);
        while let Some(at) = line.filter(|at| *at < end) {
            let content = lex::line_content(self.text, at);
            if content < lex::line_end(self.text, at) && lex::column(self.text, content) <= column {
                return true;
            }
            line = lex::next_line(self.text, at);
        }
        false
    }

    fn brackets_around(&self, at: usize) -> bool {
        self.in_flow() || self.open_bracket_before(at).is_some()
    }

    /// Whether a key of the innermost mapping begins at `at`.
    fn is_key_place(&self, at: usize) -> bool {
        let (Some((block, column)), false) = (self.block_collection(), self.in_flow()) else { return false };
        !block.list && lex::line_content(self.text, at) == at && lex::column(self.text, at) == column
    }

    /// Text after a value in brackets, on the same line.
    pub(super) fn after_value(&self, at: usize) -> Option<Diagnostic> {
        let last = self.last;
        let gap = lex::between(self.text, last.end, at);
        let beside = last.end <= at && gap.trim_matches(lex::BLANKS).is_empty();
        if !beside || last.style != Style::Collection || self.in_flow() {
            return None;
        }
        if self.starts(at, ":") {
            return None;
        }
        if let Some(diagnostic) = self.comma_after_entry(at) {
            return Some(diagnostic);
        }
        let end = value_end(self.text, last.start, false);
        let message = format!("{} follows the closing bracket", self.shown_at(at));
        let fix = quote(self.file, self.text, last.start, end);
        Some(Diagnostic {
            fix,
            ..self.syntax(last.start, end.max(at), message).help("quote the whole value if it is text")
        })
    }

    /// A `,` at the end of a line, as in JSON.
    fn comma_after_entry(&self, at: usize) -> Option<Diagnostic> {
        let alone = lex::between(self.text, at, lex::content_end(self.text, at)) == ",";
        alone.then(|| self.syntax(at, at + 1, "entries on lines of their own have no `,` after them").help("remove it"))
    }

    /// An escape that YAML does not have, in the string that begins at `at`.
    fn bad_escape(&self, at: usize) -> Diagnostic {
        let mut from = at + 1;
        while let Some(offset) = lex::rest(self.text, from).find('\\') {
            let start = from + offset;
            match escape(lex::rest(self.text, start)) {
                Ok(length) => from = start + length,
                Err(length) => return self.escape(start, start + length),
            }
        }
        self.syntax_at(at, "an escape in this string is no character")
            .help("write a backslash as `\\\\`, or use single quotes")
    }

    fn escape(&self, start: usize, end: usize) -> Diagnostic {
        let message = format!("there is no escape {} in double quotes", self.shown_part(start, end));
        let edit = Edit { span: Span::new(self.file, start, start), replacement: "\\".to_owned() };
        self.syntax(start, end, message).help("write a backslash as `\\\\`, or use single quotes").fix(Fix {
            title: "double the backslash".to_owned(),
            edits: vec![edit],
            safe: false,
        })
    }

    fn shown_part(&self, start: usize, end: usize) -> String {
        crate::load::yaml::quoting::shown(lex::between(self.text, start, end))
    }
}

/// The length of the escape that the text begins with; an error if it is none of YAML's.
fn escape(text: &str) -> Result<usize, usize> {
    let Some(name) = text.chars().nth(1) else { return Err(text.len()) };
    let digits = match name {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\' | 'N' | '_' | 'L' | 'P'
        | '\n' => {
            return Ok(2);
        }
        _ => return Err(1 + name.len_utf8()),
    };
    let written = lex::rest(text, 2).bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let length = 2 + written;
    let Some(code) = hexadecimal(lex::between(text, 2, length)).filter(|_| written == digits) else {
        return Err(length);
    };
    let second = lex::rest(text, length).strip_prefix("\\u").and_then(|digits| hexadecimal(lex::between(digits, 0, 4)));
    let pair = (0xd800..0xdc00).contains(&code) && second.is_some_and(|code| (0xdc00..0xe000).contains(&code));
    if pair { Ok(length + 6) } else { char::from_u32(code).map(|_| length).ok_or(length) }
}

fn hexadecimal(digits: &str) -> Option<u32> {
    u32::from_str_radix(digits, 16).ok()
}
