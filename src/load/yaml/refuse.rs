//! What YAML has and rule files do without: `yaml-unsupported`, in words for the author.

use super::lex;
use super::quoting::{quote, shown, value_end};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::source::{FileId, Span};

const SHARING: &str = "to share rules or texts use `extends`, `texts` and groups";

const INCLUDING: &str =
    "a shared text stands in `texts` and is named by `use`; more rule files are named under `include`";

fn unsupported(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::YamlUnsupported, span, message)
}

/// Refuses text with a character that YAML does not have as such.
pub(super) fn characters(file: FileId, text: &str) -> Result<(), Box<Diagnostic>> {
    // Nearly every text has none, and is gone through many bytes at a time.
    for (number, part) in text.as_bytes().chunks(PART).enumerate() {
        if !part.iter().fold(false, |suspect, byte| suspect | may_begin_forbidden(*byte)) {
            continue;
        }
        let candidates = part.iter().enumerate().filter(|(_, byte)| may_begin_forbidden(**byte));
        for at in candidates.map(|(at, _)| number * PART + at) {
            if let Some(found) = lex::rest(text, at).chars().next().filter(|char| forbidden(*char)) {
                return Err(character(file, at, found).into());
            }
        }
    }
    Ok(())
}

/// How many bytes are looked at together.
const PART: usize = 512;

/// The first bytes of every forbidden character, and of few others.
fn may_begin_forbidden(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\t') & (byte != b'\n') | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xef)
}

fn forbidden(char: char) -> bool {
    match char {
        '\t' | '\n' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        _ => char.is_control(),
    }
}

/// A character that may not stand in a file.
pub(super) fn character(file: FileId, at: usize, char: char) -> Diagnostic {
    let point = u32::from(char);
    let escape = if point < 0x100 { format!("\\x{point:02x}") } else { format!("\\u{point:04x}") };
    unsupported(
        Span::new(file, at, at + char.len_utf8()),
        format!("the control character U+{point:04X} cannot stand in a rule file"),
    )
    .help(format!("remove it, or write it as `{escape}` in double quotes"))
}

/// A list or mapping that lies in too many others.
pub(super) fn too_deep(file: FileId, at: usize, text: &str) -> Diagnostic {
    unsupported(
        one_character(file, text, at),
        format!("lists and mappings are nested deeper than {}", super::MAX_DEPTH),
    )
}

/// A second document.
pub(super) fn document(file: FileId, text: &str, at: usize) -> Diagnostic {
    let span = Span::new(file, at, lex::content_end(text, at).max(at));
    unsupported(span, "a second document begins here, and a rule file is one document")
        .help("put it in a file of its own and `include` that, or remove the `---` or `...` before it")
}

/// `%YAML`, `%TAG` and the like.
pub(super) fn directive(file: FileId, text: &str, at: usize) -> Diagnostic {
    let span = Span::new(file, at, lex::content_end(text, at));
    unsupported(
        span,
        format!("rule files have no directives such as {}", shown(lex::between(text, at, lex::content_end(text, at)))),
    )
    .help("remove the line")
}

/// A value or key that begins with `*`, `&` or `!`, at `at`.
pub(super) fn indicator(file: FileId, text: &str, at: usize, brackets: bool) -> Diagnostic {
    let end = value_end(text, at, brackets);
    let value = lex::between(text, at, end);
    let word = value.split([' ', '\t']).next().unwrap_or_default();
    let word = if brackets { word } else { word.strip_suffix(':').unwrap_or(word) };
    let span = Span::new(file, at, at + word.len());
    let (what, shares) = match value.chars().next() {
        Some('*') => ("an alias", true),
        Some('&') => ("an anchor", true),
        _ => ("a tag", false),
    };
    let first = value.chars().next().unwrap_or_default();
    let message = format!("{} would be {what}, which rule files do not have, as it begins with `{first}`", shown(word));
    let diagnostic = unsupported(span, message);
    if first != '*' && stands_before_value(text, span.range(), brackets) {
        return if shares { diagnostic.help(SHARING) } else { without_tag(text, diagnostic) };
    }
    if word == "!include" {
        return diagnostic.help(INCLUDING).help("quote it if it is text");
    }
    let diagnostic = diagnostic.help("quote it");
    let named = word == value && word.chars().skip(1).all(|char| char.is_alphanumeric() || "_-".contains(char));
    match (shares, named) {
        (true, true) => diagnostic.help(SHARING),
        (true | false, _) => Diagnostic { fix: quote(file, text, at, end), ..diagnostic },
    }
}

/// Whether a value that needs no quotes follows a tag or an anchor: one in quotes or brackets, a block text, or
/// a list or mapping on the next lines.
fn stands_before_value(text: &str, word: std::ops::Range<usize>, brackets: bool) -> bool {
    let line_end = lex::line_end(text, word.start);
    let next = lex::skip_blanks(text, word.end);
    let here = lex::rest(text, next);
    if next < line_end {
        return lex::between(text, word.start, word.end).starts_with("!!") && !here.starts_with([',', ']', '}'])
            || here.starts_with(['"', '\'', '[', '{']) && closes(text, next, brackets)
            || !brackets && here.starts_with(['|', '>']);
    }
    let own = lex::column(text, lex::line_content(text, word.start));
    let dash = |at| lex::rest(text, at).starts_with("- ");
    let column = lex::column(text, next);
    !here.is_empty()
        && !brackets
        && (column > own || column == own && dash(next) && !dash(lex::line_content(text, next.min(word.start))))
}

/// Whether a value in quotes or brackets is all that follows.
fn closes(text: &str, at: usize, brackets: bool) -> bool {
    let end = value_end(text, at, brackets);
    let last = lex::between(text, at, end).chars().next_back();
    let first = lex::rest(text, at).chars().next();
    matches!((first, last), (Some('['), Some(']')) | (Some('{'), Some('}')))
        || end > at + 1 && first == last && matches!(first, Some('"' | '\''))
}

/// A tag that may go: the value behind it says what it is.
fn without_tag(text: &str, diagnostic: Diagnostic) -> Diagnostic {
    let Span { file, start, end } = diagnostic.span;
    let blanks = lex::indentation_length(lex::rest(text, end as usize));
    let edit = Edit { span: Span::new(file, start as usize, end as usize + blanks), replacement: String::new() };
    diagnostic.help("remove the tag").fix(Fix { title: "remove the tag".to_owned(), edits: vec![edit], safe: false })
}

/// `<<`.
pub(super) fn merge_key(span: Span) -> Diagnostic {
    unsupported(span, "rule files have no merge keys (`<<`)").help(SHARING)
}

/// A key that is no string but `what`.
pub(super) fn key(span: Span, text: &str, what: &str) -> Diagnostic {
    let (start, end) = (span.range().start, span.range().end);
    let message = format!("the key {} is {what}, and keys are strings", shown(lex::between(text, start, end)));
    Diagnostic { fix: quote(span.file, text, start, end), ..unsupported(span, message).help("quote it") }
}

/// `: value` without a key.
pub(super) fn no_key(span: Span) -> Diagnostic {
    unsupported(span, "the key before this `:` is missing").help("write the key, or quote the text if it is text")
}

/// A number that JSON does not have.
pub(super) fn number(span: Span, text: &str) -> Diagnostic {
    let (start, end) = (span.range().start, span.range().end);
    let message = format!("{} is beyond the numbers that rule files hold", shown(lex::between(text, start, end)));
    Diagnostic { fix: quote(span.file, text, start, end), ..unsupported(span, message).help("quote it if it is text") }
}

/// The span of the character at an offset.
pub(super) fn one_character(file: FileId, text: &str, at: usize) -> Span {
    let length = lex::rest(text, at).chars().next().filter(|char| *char != '\n').map_or(0, char::len_utf8);
    Span::new(file, at, at + length)
}
