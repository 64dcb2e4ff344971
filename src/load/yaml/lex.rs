//! A rough reading of YAML text, for explaining faults: lines, and lexemes of one construct.
//!
//! Only ever used on text that the parser has refused or has already read, never to decide what a
//! file means. Offsets are bytes; an offset outside the text or inside a character is the end.

/// The text after an offset.
pub(super) fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The part of the text between two offsets.
pub(super) fn between(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// Where the line of an offset begins.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    between(text, 0, at.min(text.len())).rfind('\n').map_or(0, |before| before + 1)
}

/// Where the line of an offset ends, without its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    rest(text, at).find('\n').map_or(text.len(), |length| at + length)
}

/// Where the line after the one of an offset begins.
pub(super) fn next_line(text: &str, at: usize) -> Option<usize> {
    let end = line_end(text, at);
    (end < text.len()).then_some(end + 1)
}

/// The blanks that the line of an offset begins with.
pub(super) fn indentation(text: &str, at: usize) -> &str {
    let line = between(text, line_start(text, at), line_end(text, at));
    line.get(..indentation_length(line)).unwrap_or_default()
}

/// How many blanks a text begins with.
pub(super) fn indentation_length(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANKS).len()
}

/// Where the first thing on the line of an offset stands.
pub(super) fn line_content(text: &str, at: usize) -> usize {
    line_start(text, at) + indentation(text, at).len()
}

/// The column of an offset, from 0, in bytes.
pub(super) fn column(text: &str, at: usize) -> usize {
    at.saturating_sub(line_start(text, at))
}

/// Where the text that begins at `start` ends on its line: before trailing blanks and a comment.
pub(super) fn content_end(text: &str, start: usize) -> usize {
    let line = between(text, start, line_end(text, start));
    let line = line.match_indices('#').find(|(at, _)| line.get(..*at).is_some_and(|before| before.ends_with(BLANKS)));
    let end = line.map_or(line_end(text, start), |(at, _)| start + at);
    start + between(text, start, end).trim_end_matches(BLANKS).len()
}

/// Blanks, as YAML calls them.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text in quotes, and whether they are closed.
    Quoted {
        /// Whether there is a closing quote.
        closed: bool,
    },
    /// `[` or `{`.
    Open,
    /// `]` or `}`.
    Close,
    /// `,` inside brackets, or one of `:`, `-`, `?` with a blank after it.
    Indicator,
    /// Anything else, to the end of its line at most.
    Plain,
}

/// A lexeme with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The first lexeme at or after an offset, over blanks, line breaks and comments.
pub(super) fn lexeme(text: &str, from: usize, brackets: bool) -> Option<Lexeme> {
    let start = skip_blanks(text, from);
    let here = rest(text, start);
    let first = here.chars().next()?;
    let single = |kind| Some(Lexeme { kind, start, end: start + first.len_utf8() });
    match first {
        '"' | '\'' => Some(quoted(text, start, first)),
        '[' | '{' => single(Kind::Open),
        ']' | '}' => single(Kind::Close),
        ',' if brackets => single(Kind::Indicator),
        ':' if brackets || blank_follows(here) => single(Kind::Indicator),
        '-' | '?' if blank_follows(here) => single(Kind::Indicator),
        _ => Some(Lexeme { kind: Kind::Plain, start, end: start + plain_length(here, brackets) }),
    }
}

/// Whether the first character of the text stands alone.
pub(super) fn blank_follows(text: &str) -> bool {
    text.chars().nth(1).is_none_or(|next| matches!(next, ' ' | '\t' | '\n'))
}

/// The first offset that is no blank, line break or comment.
pub(super) fn skip_blanks(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let here = rest(text, at);
        let trimmed = here.trim_start_matches([' ', '\t', '\n']);
        at += here.len() - trimmed.len();
        let separated = at == 0 || between(text, 0, at).ends_with([' ', '\t', '\n']);
        if !(trimmed.starts_with('#') && separated) {
            return at;
        }
        at = line_end(text, at);
    }
}

/// The first offset after blanks, comments and the indicators `:`, `-`, `?`: where a value begins.
pub(super) fn value_start(text: &str, from: usize) -> usize {
    let mut at = skip_blanks(text, from);
    while rest(text, at).starts_with([':', '-', '?']) && blank_follows(rest(text, at)) {
        at = skip_blanks(text, at + 1);
    }
    at
}

/// Where the value in brackets that begins at an offset ends.
pub(super) fn brackets_end(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut from = start;
    while let Some(lexeme) = lexeme(text, from, true) {
        match lexeme.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Quoted { .. } | Kind::Indicator | Kind::Plain => {}
        }
        from = lexeme.end;
        if depth == 0 {
            return (lexeme.kind == Kind::Close).then_some(from);
        }
    }
    None
}

fn quoted(text: &str, start: usize, quote: char) -> Lexeme {
    let inside = rest(text, start + 1);
    let mut chars = inside.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if char == '\\' && quote == '"' {
            chars.next();
        } else if char == quote {
            if quote == '\'' && chars.next_if(|(_, next)| *next == '\'').is_some() {
                continue;
            }
            return Lexeme { kind: Kind::Quoted { closed: true }, start, end: start + 1 + at + 1 };
        }
    }
    Lexeme { kind: Kind::Quoted { closed: false }, start, end: text.len() }
}

fn plain_length(text: &str, brackets: bool) -> usize {
    let mut before = ' ';
    for (at, char) in text.char_indices() {
        let ends = match char {
            '\n' => true,
            '#' => at > 0 && BLANKS.contains(&before),
            ':' => at > 0 && blank_follows(rest(text, at)),
            ',' | '[' | ']' | '{' | '}' => brackets,
            _ => false,
        };
        if ends {
            return at.max(1);
        }
        before = char;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lexemes() {
        let text = "k: [a b, 'it''s', \"x\\\"\"] # [\n- z";
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(lexeme) = lexeme(text, at, true) {
            found.push(&text[lexeme.start..lexeme.end]);
            at = lexeme.end;
        }
        assert_eq!(found, ["k", ":", "[", "a b", ",", "'it''s'", ",", "\"x\\\"\"", "]", "-", "z"]);
    }

    #[test]
    fn lines() {
        let text = "a: b # c\n \tx#y  \n";
        assert_eq!(content_end(text, 3), 4);
        assert_eq!(content_end(text, 11), 14);
        assert_eq!(indentation(text, 12), " \t");
        assert_eq!(line_content(text, 15), 11);
        assert_eq!((line_start(text, 8), line_end(text, 8), next_line(text, 8)), (0, 8, Some(9)));
        assert_eq!(column(text, 11), 2);
        assert_eq!((line_end(text, 99), line_start(text, 99), rest(text, 99)), (text.len(), text.len(), ""));
    }
}
