//! Faults of lines and their indentation: keys without `:`, wrong columns, text that continues.

use granit_parser::ErrorKind;

use super::{Scene, Style};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::load::yaml::lex;
use crate::load::yaml::quoting::{quote, shown};
use crate::source::Span;

impl Scene<'_> {
    pub(super) fn block(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        use ErrorKind as K;
        Some(match kind {
            K::MappingValueNotAllowed | K::InvalidColonPlacement => self.colon(at),
            K::SimpleKeyExpected | K::InvalidSimpleKey => self.entry_without_colon(at),
            K::ExpectedBlockMappingKey
            | K::ExpectedBlockSequenceEntry
            | K::ExpectedDocumentStart
            | K::ExpectedNodeContent
            | K::InvalidIndentation
            | K::InvalidFlowScalarIndent
            | K::UnexpectedEofBlockSequence
            | K::UnexpectedEofBlockMapping => self.after_value(at).unwrap_or_else(|| self.misplaced(at)),
            K::BlockSequenceEntryNotAllowed => self.dash(at),
            K::MappingKeyNotAllowed => {
                self.quote_it(at, lex::content_end(self.text, at), "a value cannot begin with `? `")
            }
            K::InvalidDocumentEnd => {
                let start = lex::line_start(self.text, at);
                self.syntax(start, lex::content_end(self.text, start), "text follows the mark `...`")
                    .help("remove the line")
            }
            K::DirectiveDisallowed => {
                self.quote_it(at, lex::content_end(self.text, at), "a line cannot begin with `%`")
            }
            K::InvalidBlockScalarHeader => self.header(at),
            K::ZeroBlockScalarIndent => {
                let end = lex::content_end(self.text, at);
                self.syntax(at, end, "the indentation of a block text cannot be 0")
                    .help("write a number from 1 to 9, or none")
            }
            K::InvalidBlockScalarIndent => self.block_indent(at),
            _ => return None,
        })
    }

    /// A `: ` where no key can stand.
    fn colon(&self, at: usize) -> Diagnostic {
        let last = self.last;
        if last.end != at || !matches!(last.style, Style::Plain | Style::Quoted) {
            return self.after_value_with_colon(at);
        }
        let line = lex::line_content(self.text, at);
        if line <= last.start {
            let end = lex::content_end(self.text, last.start);
            let quoted = last.style == Style::Quoted;
            let message =
                if quoted { "`: ` cannot follow a closing quote here" } else { "a plain value cannot contain `: `" };
            return self.quote_it(last.start, end, message);
        }
        if lex::column(self.text, line) == lex::column(self.text, last.start) && self.looks_like_entry(last.start) {
            return self.entry_without_colon(last.start);
        }
        let key = lex::between(self.text, line, at);
        if key.contains(' ') && !key.starts_with("- ") {
            return self
                .syntax(line, at, "a plain value cannot contain `: `")
                .help("quote the whole value, or write it as a block with `|-`");
        }
        self.syntax(line, at, format!("{} is indented like a part of the value above", shown(key)))
            .help("indent it like the entry it follows, or quote the value above if this is text")
    }

    /// A `:` after a value in quotes or brackets.
    fn after_value_with_colon(&self, at: usize) -> Diagnostic {
        let last = self.last;
        if last.style == Style::Collection && lex::line_start(self.text, last.start) == lex::line_start(self.text, at) {
            let end = lex::content_end(self.text, last.start);
            return self.quote_it(last.start, end, "`: ` cannot follow a closing bracket here");
        }
        self.syntax_at(at, "there is no key before this `:`").help("write the key, or quote the value if it is text")
    }

    /// Whether the first line of the value at `at` may be an entry whose `: ` is missing.
    fn looks_like_entry(&self, at: usize) -> bool {
        let line = lex::between(self.text, at, lex::content_end(self.text, at));
        let own_line = lex::line_content(self.text, at) == at;
        let most_words = if own_line { 4 } else { 2 };
        tight_colon(line).is_some() || line.split_whitespace().count() <= most_words
    }

    /// A line at the column of keys that has no `: `.
    fn entry_without_colon(&self, at: usize) -> Diagnostic {
        let end = lex::content_end(self.text, at);
        let line = lex::between(self.text, at, end);
        if self.is_tight_dash(at, line) {
            return self.tight_dash(at);
        }
        if let Some(colon) = tight_colon(line) {
            return self.tight_colon(at, at + colon);
        }
        if let Some(diagnostic) = self.continues_block(at) {
            return diagnostic;
        }
        if line.starts_with("//") || line.starts_with("/*") {
            return self.syntax(at, end, "this is no comment").help("begin a comment with `#`");
        }
        self.syntax(at, end, format!("there is no `:` after {}", shown(line)))
            .help("write `: ` after the key, or indent the line if it continues the text above")
    }

    /// Whether a line begins with a `-` that was to begin an item.
    fn is_tight_dash(&self, at: usize, line: &str) -> bool {
        let column = lex::column(self.text, at);
        let mut lists = self.open.iter().filter(|open| open.list && !open.flow);
        let in_list = self.block_collection().is_none_or(|(block, _)| block.list)
            || lists.any(|list| lex::column(self.text, list.start) == column);
        in_list && line.starts_with('-') && !line.starts_with("--") && !lex::blank_follows(line)
    }

    fn tight_dash(&self, at: usize) -> Diagnostic {
        let insert = Edit { span: Span::new(self.file, at + 1, at + 1), replacement: " ".to_owned() };
        self.syntax(at, at + 1, "there is no blank after this `-`").help("write `- ` before an item").fix(Fix {
            title: "insert a blank".to_owned(),
            edits: vec![insert],
            safe: false,
        })
    }

    fn tight_colon(&self, at: usize, colon: usize) -> Diagnostic {
        let key = shown(lex::between(self.text, at, colon + 1));
        let after = lex::rest(self.text, colon + 1).chars().next().filter(|char| char.is_whitespace() && *char != '\n');
        let message = match after {
            Some(char) => format!("the character U+{:04X} after {key} is no blank", u32::from(char)),
            None => format!("there is no blank after {key}"),
        };
        let end = colon + 1 + after.map_or(0, char::len_utf8);
        let insert = Edit { span: Span::new(self.file, colon + 1, end), replacement: " ".to_owned() };
        self.syntax(at, colon + 1, message).help("write `: ` after a key").fix(Fix {
            title: "insert a blank".to_owned(),
            edits: vec![insert],
            safe: false,
        })
    }

    /// A line after a block text that is indented less than it.
    pub(super) fn continues_block(&self, at: usize) -> Option<Diagnostic> {
        let gap = lex::between(self.text, self.last.end, at);
        if self.last.style != Style::Block || !gap.trim_matches([' ', '\t', '\n']).is_empty() {
            return None;
        }
        let end = lex::content_end(self.text, at);
        Some(
            self.syntax(at, end, "this line is indented less than the text above it")
                .help("indent it like the text, if it belongs to it"),
        )
    }

    /// Something at a column where nothing can stand.
    fn misplaced(&self, at: usize) -> Diagnostic {
        let start = lex::line_content(self.text, at);
        let end = lex::content_end(self.text, start);
        let line = lex::between(self.text, start, end);
        if let Some(diagnostic) = self.outside_root(start) {
            return diagnostic;
        }
        let Some((_, column)) = self.block_collection() else {
            return self
                .syntax(start, end, "nothing can follow the value above")
                .help("quote the value above if this belongs to it");
        };
        let here = lex::column(self.text, start);
        let item = line.starts_with("- ") || line == "-";
        if self.is_tight_dash(start, line) {
            return self.tight_dash(start);
        }
        let key = lex::between(self.text, start, start + key_length(line));
        let below_text = self.continues_block(start).or_else(|| self.after_comment(start));
        let diagnostic = match (below_text, here == column) {
            (Some(diagnostic), _) => return diagnostic,
            (None, true) if item => self.syntax(start, start + 1, "a list item stands where a key is expected"),
            (None, true) => return self.item_without_dash(start, key),
            (None, false) => {
                let message =
                    format!("the indentation of {} fits nothing above it", shown(if item { "-" } else { key }));
                self.syntax(start, start + if item { 1 } else { key.len() }, message)
            }
        };
        diagnostic.help("indent it like the entry it belongs beside")
    }

    /// A key at the column of the items of a list.
    fn item_without_dash(&self, at: usize, key: &str) -> Diagnostic {
        let message = format!("{} stands where a list item is expected", shown(key));
        let diagnostic = self
            .syntax(at, at + key.len(), message)
            .help("write `- ` before it if it begins an item; otherwise indent it like the entry it belongs beside");
        let next = lex::next_line(self.text, at).map(|next| lex::column(self.text, lex::skip_blanks(self.text, next)));
        if next != Some(lex::column(self.text, at) + 2) {
            return diagnostic;
        }
        let edit = Edit { span: Span::new(self.file, at, at), replacement: "- ".to_owned() };
        diagnostic.fix(Fix { title: "insert `- `".to_owned(), edits: vec![edit], safe: false })
    }

    /// A line that is indented more than a comment before it, which ended a block text.
    fn after_comment(&self, at: usize) -> Option<Diagnostic> {
        let gap = lex::between(self.text, self.last.end, at);
        let hash = self.last.end + gap.find('#').filter(|_| self.last.style == Style::Block)?;
        let mut lines = gap.lines().map(|line| line.trim_matches(lex::BLANKS));
        let only_comments = lines.all(|line| line.is_empty() || line.starts_with('#'));
        if !only_comments || lex::column(self.text, hash) >= lex::column(self.text, at) {
            return None;
        }
        let comment = Span::new(self.file, hash, lex::line_end(self.text, hash));
        let message = "this line fits nothing, as a comment has ended the text above it";
        let diagnostic = self.syntax(at, lex::content_end(self.text, at), message);
        let diagnostic = diagnostic.related(comment, "the text ends at this comment");
        Some(diagnostic.help("indent the comment like the text to make it a part of it, or put it above the key"))
    }

    /// Text after the file's one value.
    fn outside_root(&self, at: usize) -> Option<Diagnostic> {
        let root = self.root.filter(|_| self.open.is_empty())?;
        let (start, end) = (root.range().start, root.range().end);
        if lex::column(self.text, start) > lex::column(self.text, at) {
            let end = start + key_length(lex::between(self.text, start, lex::content_end(self.text, start)));
            let span = Span::new(self.file, at, lex::content_end(self.text, at));
            let diagnostic = self.syntax(start, end, "the file begins indented, and later lines are not");
            return Some(diagnostic.related(span, "not indented").help("remove the blanks before the first entry"));
        }
        if self.starts(end, ":") {
            return Some(self.tight_colon(start, end));
        }
        None
    }

    /// `- ` after a key, on its line.
    fn dash(&self, at: usize) -> Diagnostic {
        if lex::line_content(self.text, at) == at {
            return self.misplaced(at);
        }
        let end = lex::content_end(self.text, at);
        let fix = quote(self.file, self.text, at, end);
        let diagnostic = self.syntax(at, end, "a list cannot begin on the line of its key");
        Diagnostic { fix, ..diagnostic.help("begin the list on the next line; quote the value if it is text") }
    }

    /// A `#` without a blank before it, or in the middle of a plain value.
    pub(super) fn comments(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        let diagnostic = match kind {
            ErrorKind::CommentNotSeparated => self
                .syntax_at(at, "there is no blank before this `#`")
                .help("put a blank before a comment, or quote the whole value"),
            ErrorKind::CommentInterceptedScalar => self
                .syntax(at, lex::line_end(self.text, at), "this comment ends the value, and the next line goes on")
                .help("quote the whole value if `#` is part of it"),
            _ => return None,
        };
        Some(diagnostic)
    }

    /// `|` or `>` with something after it.
    fn header(&self, at: usize) -> Diagnostic {
        let end = lex::content_end(self.text, at);
        let mark = shown(lex::between(self.text, at, at + 1));
        let fix = quote(self.file, self.text, at, end);
        let diagnostic = self.syntax(at, end, format!("text stands on the line of {mark}"));
        Diagnostic { fix, ..diagnostic.help("begin the text on the next line, or quote it") }
    }

    /// A first line of a block text that is indented less than its place or blank lines before it.
    fn block_indent(&self, at: usize) -> Diagnostic {
        let header = lex::value_start(self.text, self.last.end);
        let here = lex::column(self.text, at);
        let mut line = lex::next_line(self.text, header);
        while let Some(start) = line.filter(|start| *start < lex::line_start(self.text, at)) {
            if lex::line_end(self.text, start) - start > here {
                let diagnostic = self.syntax(
                    start,
                    lex::line_end(self.text, start),
                    "this blank line is longer than the indentation of the text after it",
                );
                return diagnostic.help("remove its blanks");
            }
            line = lex::next_line(self.text, start);
        }
        let message = "this line is indented less than its block text demands";
        self.syntax(at, lex::content_end(self.text, at).max(at), message)
            .help("indent it, or correct the number after `|` or `>`")
    }
}

/// Where the `:` stands that should have a blank after it, in a line that begins with a plain word.
fn tight_colon(line: &str) -> Option<usize> {
    let colon = line.find(':')?;
    let key = line.get(..colon)?;
    let after = lex::rest(line, colon + 1);
    let word = !key.is_empty() && !key.contains([' ', '\t', '/', '.']);
    (word && !after.is_empty() && !after.starts_with([' ', '\t', '/'])).then_some(colon)
}

/// The length of the key that a line begins with, or of the line.
fn key_length(line: &str) -> usize {
    let colon = line.find(": ").or_else(|| line.strip_suffix(':').map(str::len));
    colon.unwrap_or(line.len())
}
