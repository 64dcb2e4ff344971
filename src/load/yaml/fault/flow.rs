//! Faults inside brackets: never closed, a missing comma, text that would have to be quoted.

use granit_parser::ErrorKind;

use super::{Scene, Style};
use crate::diagnostic::Diagnostic;
use crate::load::yaml::lex::{self, Kind};
use crate::load::yaml::quoting::{shown, value_end};
use crate::source::Span;

/// Brackets that do not match.
struct Unmatched {
    open: usize,
    /// The closing bracket of the other kind, if one was found.
    close: Option<usize>,
}

impl Scene<'_> {
    /// A bracket that nothing closes, if that is at the root of the error.
    pub(super) fn unclosed_bracket(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        use ErrorKind as K;
        let outermost = self.open.iter().find(|open| open.brackets).map(|open| open.start);
        let outermost = outermost.or_else(|| self.open_bracket_before(at));
        let certain = matches!(kind, K::UnclosedFlowCollection { .. } | K::MismatchedFlowCollectionEnd { .. });
        let from = outermost.or(certain.then_some(at))?;
        match self.unmatched(from) {
            Some(fault) => Some(self.unmatched_bracket(fault.open, fault.close)),
            None => certain.then(|| self.unmatched_bracket(at, None)),
        }
    }

    fn unmatched_bracket(&self, open: usize, close: Option<usize>) -> Diagnostic {
        let (bracket, closing) = if self.starts(open, "{") { ("{", "}") } else { ("[", "]") };
        let diagnostic = match close {
            Some(at) => {
                let other = shown(lex::between(self.text, at, at + 1));
                let span = Span::new(self.file, at, at + 1);
                self.syntax_at(open, format!("`{bracket}` is closed by {other}")).related(span, "closed here")
            }
            None => self.syntax_at(open, format!("this `{bracket}` is never closed")),
        };
        diagnostic.help(format!("close it with `{closing}`, or quote the value if it is text"))
    }

    /// The innermost bracket that opens between what was read last and `at`, and does not close there.
    pub(super) fn open_bracket_before(&self, at: usize) -> Option<usize> {
        let mut open = Vec::new();
        let mut from = self.last.end;
        while let Some(lexeme) = lex::lexeme(self.text, from, !open.is_empty()).filter(|lexeme| lexeme.start < at) {
            match lexeme.kind {
                Kind::Open => open.push(lexeme.start),
                Kind::Close => drop(open.pop()),
                Kind::Quoted { .. } | Kind::Indicator | Kind::Plain => {}
            }
            from = lexeme.end;
        }
        open.first().copied()
    }

    /// The bracket to blame if those from `start` on do not match, up to the end of their place.
    fn unmatched(&self, start: usize) -> Option<Unmatched> {
        let column = self.block_collection().map(|(_, column)| column);
        let fault = self.match_brackets(start, column)?;
        // Brackets alone on their lines may stand at any column, with their content.
        let own_lines = lex::content_end(self.text, start) == start + 1;
        if own_lines && fault.close.is_none() && self.match_brackets(start, None).is_none() {
            None
        } else {
            Some(fault)
        }
    }

    /// The first bracket from `start` on without its counterpart. With a column, the place of the
    /// brackets ends at the next entry of a mapping or list that is not indented more.
    fn match_brackets(&self, start: usize, column: Option<usize>) -> Option<Unmatched> {
        let mut open: Vec<usize> = Vec::new();
        let mut from = start;
        while let Some(lexeme) = lex::lexeme(self.text, from, true) {
            let new_line = lex::between(self.text, from, lexeme.start).contains('\n');
            if new_line && column.is_some_and(|column| self.begins_entry(lexeme.start, column)) {
                break;
            }
            match lexeme.kind {
                Kind::Quoted { closed: false } => return None,
                // Then the quote is to blame.
                Kind::Quoted { closed: true } if self.leaves_its_block(lexeme.start, lexeme.end) => return None,
                Kind::Open => open.push(lexeme.start),
                Kind::Close => {
                    let opened = open.pop()?;
                    let pair = (
                        lex::between(self.text, opened, opened + 1),
                        lex::between(self.text, lexeme.start, lexeme.end),
                    );
                    if !matches!(pair, ("[", "]") | ("{", "}")) {
                        return Some(Unmatched { open: opened, close: Some(lexeme.start) });
                    }
                    if open.is_empty() {
                        return None;
                    }
                }
                Kind::Quoted { .. } | Kind::Indicator | Kind::Plain => {}
            }
            from = lexeme.end;
        }
        open.pop().map(|open| Unmatched { open, close: None })
    }

    /// Whether the line that begins at `at` is an entry of a block mapping or list or a document mark.
    fn begins_entry(&self, at: usize, column: usize) -> bool {
        if lex::column(self.text, at) > column {
            return false;
        }
        let line = lex::between(self.text, at, lex::content_end(self.text, at));
        line.starts_with("- ") || line.starts_with("---") || line.ends_with(':') || line.contains(": ")
    }

    /// Faults of well-matched brackets.
    pub(super) fn brackets(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        use ErrorKind as K;
        match kind {
            K::MisplacedFlowCollectionEnd => {
                let bracket = shown(lex::between(self.text, at, at + 1));
                Some(
                    self.syntax_at(at, format!("{bracket} closes nothing"))
                        .help("remove it, or quote the value if it is text"),
                )
            }
            K::BlockEntryInFlowCollection | K::PlainScalarStartsWithDashFlowIndicator => {
                let message = "`-` begins no item inside brackets";
                Some(self.syntax_at(at, message).help("separate items with `,`; quote the item if it is text"))
            }
            K::FlowMappingValueAdjacentCollection => {
                Some(self.syntax_at(at, "there is no blank after this `:`").help("write `: `"))
            }
            K::UnexpectedEofFlowSequence | K::UnexpectedEofFlowMapping | K::UnexpectedEofImplicitFlowMapping
                if self.starts(at, ",") =>
            {
                Some(self.syntax_at(at, "there is no item before this `,`").help("remove the `,` or write the item"))
            }
            _ if self.in_flow() || self.open_bracket_before(at).is_some() => Some(self.missing_comma(at)),
            _ => None,
        }
    }

    /// Something where a `,` or the closing bracket is due.
    fn missing_comma(&self, at: usize) -> Diagnostic {
        if let Some(first) = lex::rest(self.text, at).chars().next().filter(|first| matches!(first, '@' | '%' | '`')) {
            return self.cannot_begin(at, first);
        }
        let last = self.last;
        let colon = self.starts(at, ":") && last.end == at && last.style == Style::Plain;
        let first_line = lex::between(self.text, last.start, last.end).lines().next().unwrap_or_default();
        let first_line_end = last.start + first_line.trim_end_matches(lex::BLANKS).len();
        let one_line = last.start + first_line.len() == last.end;
        let json = last_word_quoted(lex::between(self.text, last.start, last.end));
        if colon && let Some(end) = json {
            let end = last.start + end;
            return self.syntax(last.start, end, "there is no `,` after this item").help("separate items with `,`");
        }
        if colon && one_line {
            let end = value_end(self.text, last.start, true);
            return self
                .quote_it(last.start, end, "a plain value cannot contain `: `")
                .help("if two entries were meant, separate them with `,`");
        }
        if colon || last.end <= at && matches!(last.style, Style::Plain | Style::Quoted | Style::Collection) {
            let end = if one_line || last.style != Style::Plain { last.end } else { first_line_end };
            return self.syntax(last.start, end, "there is no `,` after this item").help("separate items with `,`");
        }
        self.syntax_at(at, format!("{} has no place inside these brackets", self.shown_at(at)))
            .help("quote it if it is text")
    }
}

/// Where plain text ends before a quoted word at its end: `1 "key"`.
fn last_word_quoted(text: &str) -> Option<usize> {
    let quote = text.chars().last().filter(|char| matches!(char, '"' | '\''))?;
    let (before, word) = text.rsplit_once([' ', '\t', '\n'])?;
    word.starts_with(quote).then_some(before.trim_end().len())
}
