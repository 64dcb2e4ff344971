//! What is not YAML: an error of the parser → the diagnostic that the author can act on.
//!
//! Parsers report where they gave up; this stage looks at the text around that place, and at what
//! was open and read last, for the place that wants mending: the opening quote, the opening bracket,
//! the tab, the line with the wrong indentation. It only words and places faults; whether a text is
//! YAML is not decided here.

mod block;
mod flow;
mod quotes;

use granit_parser::{ErrorKind, ScanError};

use super::lex;
use super::quoting::{quote, shown, value_end};
use super::refuse;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Style {
    Plain,
    Quoted,
    Block,
    /// A list or mapping in brackets, as a whole.
    Collection,
    /// An opening bracket, a document mark or the beginning of the file.
    #[default]
    Mark,
}

/// What was read last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) style: Style,
}

/// A list or mapping that has begun and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) start: usize,
    /// Inside brackets.
    pub(super) flow: bool,
    pub(super) list: bool,
    /// With brackets of its own.
    pub(super) brackets: bool,
}

/// What had been read when the parser gave up.
pub(super) struct Scene<'text> {
    pub(super) file: FileId,
    pub(super) text: &'text str,
    pub(super) open: Vec<Opened>,
    pub(super) last: Token,
    pub(super) root: Option<Span>,
}

impl Scene<'_> {
    /// The diagnostic for an error.
    pub(super) fn explain(&self, error: &ScanError) -> Diagnostic {
        let at = error.marker().byte_offset().unwrap_or(self.last.end).min(self.text.len());
        self.profile(error.kind(), at)
            .or_else(|| self.leftover(at))
            .or_else(|| self.comments(error.kind(), at))
            .or_else(|| self.value_that_begins_wrongly(at))
            .or_else(|| self.tab_in_indentation(error.kind(), at))
            .or_else(|| self.unclosed_bracket(error.kind(), at))
            .or_else(|| self.quotes(error.kind(), at))
            .or_else(|| self.brackets(error.kind(), at))
            .or_else(|| self.block(error.kind(), at))
            .unwrap_or_else(|| self.syntax_at(at, "this is not YAML"))
    }

    /// What is YAML but not for rule files, where the parser refuses it itself.
    fn profile(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        match kind {
            ErrorKind::RecursionLimitExceeded => Some(refuse::too_deep(self.file, at, self.text)),
            ErrorKind::DirectiveDisallowed if self.starts(at, "%YAML") || self.starts(at, "%TAG") => {
                Some(refuse::directive(self.file, self.text, at))
            }
            ErrorKind::UnexpectedCharacter { character } if character.is_control() || *character >= '\u{fffe}' => {
                Some(refuse::character(self.file, at, *character))
            }
            _ => None,
        }
    }

    /// What is no part of the file as meant: a mark of a merge conflict, a fence of Markdown.
    fn leftover(&self, at: usize) -> Option<Diagnostic> {
        let before = lex::between(self.text, 0, lex::line_end(self.text, at));
        let conflict =
            if before.starts_with("<<<<<<< ") { Some(0) } else { before.find("\n<<<<<<< ").map(|at| at + 1) };
        if let Some(start) = conflict {
            let end = lex::line_end(self.text, start);
            return Some(self.syntax(start, end, "this is the mark of a merge conflict").help("resolve the conflict"));
        }
        let start = lex::line_start(self.text, at);
        if self.starts(start, "```") && self.last.style != Style::Block && at == start {
            let end = lex::line_end(self.text, start);
            return Some(self.syntax(start, end, "this is a code fence, and no YAML").help("remove the line"));
        }
        None
    }

    /// A value that would have to be quoted for its first character.
    fn value_that_begins_wrongly(&self, at: usize) -> Option<Diagnostic> {
        let start = lex::value_start(self.text, self.last.end);
        if start > at || start < self.last.end {
            return None;
        }
        if self.last.style == Style::Block && lex::line_content(self.text, start) == start {
            return self.continues_block(start);
        }
        let here = lex::rest(self.text, start);
        let flow = self.in_flow();
        match here.chars().next()? {
            '*' | '&' | '!' => Some(refuse::indicator(self.file, self.text, start, flow)),
            '{' if here.starts_with("{{") => Some(placeholder(self.file, self.text, start, flow)),
            first @ ('@' | '%' | '`') => Some(self.cannot_begin(start, first)),
            first @ ('|' | '>') if flow => Some(self.cannot_begin(start, first)),
            first @ (',' | ']' | '}') if start == at && !flow && self.last.style != Style::Collection => {
                Some(self.cannot_begin(start, first))
            }
            _ => None,
        }
    }

    fn cannot_begin(&self, start: usize, first: char) -> Diagnostic {
        let end = value_end(self.text, start, self.in_flow()).max(start + first.len_utf8());
        let message = if first == '`' {
            "a value cannot begin with a backtick".to_owned()
        } else {
            format!("a value cannot begin with `{first}`")
        };
        self.quote_it(start, end, message)
    }

    /// Something that would have to be quoted.
    fn quote_it(&self, start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
        let fix = quote(self.file, self.text, start, end);
        Diagnostic { fix, ..self.syntax(start, end, message).help("quote it") }
    }

    /// A tab where the parser expected an indentation of blanks.
    fn tab_in_indentation(&self, kind: &ErrorKind, at: usize) -> Option<Diagnostic> {
        use ErrorKind as K;
        let tabs = matches!(
            kind,
            K::TabNotAllowed
                | K::TabInBlockIndentation
                | K::TabInPlainScalar
                | K::TabAtBlockScalarStart
                | K::TabInIndentation
        );
        let spacing = matches!(kind, K::InvalidBlockEntryWhitespace | K::InvalidMappingValueWhitespace);
        let found = if tabs {
            self.tab_on_lines(at)
        } else if spacing {
            lex::between(self.text, lex::line_start(self.text, at), at)
                .rfind('\t')
                .map(|tab| lex::line_start(self.text, at) + tab)
        } else if is_about_quotes(kind) {
            None
        } else {
            self.tab_before(at)
        };
        found.map(|at| tab(self.file, at))
    }

    /// The first tab in the indentation of the line of `at` or of one after it.
    fn tab_on_lines(&self, at: usize) -> Option<usize> {
        let mut line = Some(at);
        while let Some(at) = line {
            if let Some(tab) = self.tab_before(at) {
                return Some(tab);
            }
            line = lex::next_line(self.text, at);
        }
        None
    }

    /// A tab in the indentation of the line of `at`.
    fn tab_before(&self, at: usize) -> Option<usize> {
        lex::indentation(self.text, at).find('\t').map(|tab| lex::line_start(self.text, at) + tab)
    }

    fn in_flow(&self) -> bool {
        self.open.last().is_some_and(|open| open.flow)
    }

    /// The innermost list or mapping without brackets, and its column.
    fn block_collection(&self) -> Option<(Opened, usize)> {
        self.open.iter().rev().find(|open| !open.flow).map(|open| (*open, lex::column(self.text, open.start)))
    }

    fn starts(&self, at: usize, with: &str) -> bool {
        lex::rest(self.text, at).starts_with(with)
    }

    fn syntax(&self, start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::YamlSyntax, Span::new(self.file, start, end), message)
    }

    fn syntax_at(&self, at: usize, message: impl Into<String>) -> Diagnostic {
        let span = refuse::one_character(self.file, self.text, at);
        Diagnostic::new(Code::YamlSyntax, span, message)
    }

    /// The text that stands at `at`, to the end of its line, for a message.
    fn shown_at(&self, at: usize) -> String {
        shown(lex::between(self.text, at, lex::content_end(self.text, at)))
    }
}

fn is_about_quotes(kind: &ErrorKind) -> bool {
    use ErrorKind as K;
    matches!(
        kind,
        K::UnclosedQuotedScalar
            | K::DocumentIndicatorInQuotedScalar
            | K::InvalidQuotedScalarIndent
            | K::InvalidTrailingSingleQuotedScalar
            | K::InvalidTrailingDoubleQuotedScalar
            | K::UnknownQuotedScalarEscape
            | K::InvalidQuotedScalarHexEscape
            | K::InvalidLowSurrogateHexEscape
            | K::InvalidLowSurrogate
            | K::MissingLowSurrogate
            | K::UnpairedLowSurrogate
            | K::InvalidUnicodeEscape
    )
}

/// A tab that decides on the structure.
pub(super) fn tab(file: FileId, at: usize) -> Diagnostic {
    let span = Span::new(file, at, at + 1);
    Diagnostic::new(Code::YamlSyntax, span, "there is a tab in the indentation").help("indent with spaces")
}

/// A value that begins with `{{`, at `start`.
pub(super) fn placeholder(file: FileId, text: &str, start: usize, brackets: bool) -> Diagnostic {
    let end = value_end(text, start, brackets);
    let span = Span::new(file, start, end);
    let message = format!("a value cannot begin with `{{{{`, so {} is no text", shown(lex::between(text, start, end)));
    Diagnostic {
        fix: quote(file, text, start, end),
        ..Diagnostic::new(Code::YamlSyntax, span, message).help("quote it")
    }
}
