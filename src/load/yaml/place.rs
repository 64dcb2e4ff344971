//! A part of a scalar's value → where it is written.
//!
//! The source of the scalar is read along its value: escapes, doubled quotes, indentation and folded
//! line breaks are stepped over as the value shows them to have been read. So nothing here decides
//! what a text means, and where the two do not go together the whole scalar is the answer.

use std::ops::Range;

use super::lex::{BLANKS, column, indentation_length};
use crate::source::{Sources, Span};

/// The span of the bytes `range` of a scalar's value, given the scalar's own span and value.
///
/// A character that is an escape has the escape's span, a folded line break that of the blanks
/// and the line break; the span of an empty range is empty. Falls back to the scalar's span.
pub fn within(sources: &Sources, scalar: Span, value: &str, range: Range<usize>) -> Span {
    let text = sources.file(scalar.file).text();
    match locate(text, scalar.range(), value, range) {
        Some(found) => Span::new(scalar.file, found.start, found.end),
        None => scalar,
    }
}

fn locate(text: &str, scalar: Range<usize>, value: &str, wanted: Range<usize>) -> Option<Range<usize>> {
    if wanted.start > wanted.end || wanted.end > value.len() {
        return None;
    }
    let source = text.get(scalar.start..)?;
    let reading = Reading::new(text, scalar.start, value, wanted);
    match source.chars().next()? {
        mark @ ('|' | '>') => block(&reading, scalar.start, mark == '>'),
        quote @ ('"' | '\'') => reading.after(1).flow(Some(quote)),
        _ => reading.flow(None),
    }
}

/// A block scalar, from its header on.
fn block(reading: &Reading<'_>, header: usize, folded: bool) -> Option<Range<usize>> {
    let (line, content) = reading.text.get(header..)?.split_once('\n').unwrap_or_default();
    let start = header + line.len() + 1;
    let read = |indent| Reading { at: start, ..reading.clone() }.block(indent, folded);
    if reading.value.trim_start_matches('\n').is_empty() {
        return read(usize::MAX);
    }
    let number = line.split(BLANKS).next()?.chars().find_map(|char| char.to_digit(10));
    let Some(number) = number.and_then(|number| usize::try_from(number).ok()) else {
        let first = content.lines().find(|line| !line.trim_start_matches(' ').is_empty())?;
        return read(first.len() - first.trim_start_matches(' ').len());
    };
    // The number counts from what surrounds the scalar, which begins no later than the header.
    (0..=number + column(reading.text, header)).rev().find_map(read)
}

/// The source read along the value.
#[derive(Clone)]
struct Reading<'text> {
    text: &'text str,
    /// Where the source has been read to.
    at: usize,
    value: &'text str,
    /// How much of the value has been found.
    done: usize,
    wanted: Range<usize>,
    /// Where the wanted part begins and ends.
    start: Option<usize>,
    end: Option<usize>,
    /// Where the last part of the value ended.
    last: usize,
}

impl<'text> Reading<'text> {
    fn new(text: &'text str, at: usize, value: &'text str, wanted: Range<usize>) -> Self {
        Self { text, at, value, done: 0, wanted, start: None, end: None, last: at }
    }

    fn after(mut self, length: usize) -> Self {
        self.at += length;
        self.last = self.at;
        self
    }

    fn source(&self) -> &'text str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn due(&self) -> &'text str {
        self.value.get(self.done..).unwrap_or_default()
    }

    /// The next character of the value, if it is this one, was written as `source`.
    fn take(&mut self, char: char, source: Range<usize>) -> Option<()> {
        if !self.due().starts_with(char) {
            return None;
        }
        let end = self.done + char.len_utf8();
        if (self.done..end).contains(&self.wanted.start) {
            self.start = Some(source.start);
        }
        if self.done < self.wanted.end && self.wanted.end <= end {
            self.end = Some(source.end);
        }
        self.done = end;
        self.last = source.end;
        Some(())
    }

    /// The next character of the source stands for itself.
    fn same(&mut self) -> Option<()> {
        let char = self.source().chars().next()?;
        let start = self.at;
        self.at += char.len_utf8();
        self.take(char, start..self.at)
    }

    fn found(&self) -> Option<Range<usize>> {
        let start = self.start.or((self.wanted.start == self.value.len()).then_some(self.last))?;
        if self.wanted.is_empty() { Some(start..start) } else { Some(start..self.end?) }
    }

    /// A plain or quoted scalar.
    fn flow(mut self, quote: Option<char>) -> Option<Range<usize>> {
        while self.done < self.value.len() {
            let source = self.source();
            if source.trim_start_matches(BLANKS).starts_with('\n') {
                self.fold()?;
            } else if quote == Some('"') && source.starts_with('\\') {
                self.escape()?;
            } else if quote == Some('\'') && source.starts_with("''") {
                self.at += 2;
                self.take('\'', self.at - 2..self.at)?;
            } else if quote.is_some_and(|quote| source.starts_with(quote)) {
                return None;
            } else {
                self.same()?;
            }
        }
        self.found()
    }

    /// A line break with the blanks around it: a blank, or one line break less than are written.
    fn fold(&mut self) -> Option<()> {
        let start = self.at;
        self.skip_blanks();
        self.at += 1;
        if self.empty_lines()? == 0 {
            self.take(' ', start..self.at)?;
        }
        Some(())
    }

    /// Steps over empty lines, each a line break, and the blanks after them.
    fn empty_lines(&mut self) -> Option<usize> {
        for count in 0.. {
            self.skip_blanks();
            if !self.source().starts_with('\n') {
                return Some(count);
            }
            self.same()?;
        }
        None
    }

    fn skip_blanks(&mut self) {
        self.at += indentation_length(self.source());
    }

    fn escape(&mut self) -> Option<()> {
        let start = self.at;
        let name = self.source().chars().nth(1)?;
        self.at += 1 + name.len_utf8();
        let char = match name {
            '\n' => return self.empty_lines().map(|_| ()),
            'x' => char::from_u32(self.hexadecimal(2)?)?,
            'u' => self.sixteen_bits()?,
            'U' => char::from_u32(self.hexadecimal(8)?)?,
            name => single(name)?,
        };
        self.take(char, start..self.at)
    }

    fn sixteen_bits(&mut self) -> Option<char> {
        let code = self.hexadecimal(4)?;
        if !(0xd800..0xdc00).contains(&code) {
            return char::from_u32(code);
        }
        self.source().strip_prefix("\\u")?;
        self.at += 2;
        let low = self.hexadecimal(4)?;
        char::from_u32(0x10000 + ((code - 0xd800) << 10) + low.checked_sub(0xdc00)?)
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let code = u32::from_str_radix(self.source().get(..digits)?, 16).ok()?;
        self.at += digits;
        Some(code)
    }

    /// A block scalar's lines, each with so many blanks before it that are no part of the value.
    fn block(mut self, indent: usize, folded: bool) -> Option<Range<usize>> {
        let mut breaks = Vec::new();
        while self.done < self.value.len() {
            let before = (self.done, self.at);
            self.line_breaks(indent, &mut breaks);
            self.take_breaks(&breaks, folded)?;
            while self.done < self.value.len() && !matches!(self.source().chars().next(), Some('\n') | None) {
                self.same()?;
            }
            if before == (self.done, self.at) {
                return None;
            }
        }
        self.found()
    }

    /// Steps over the line breaks from here to the next text, and over the indentation before it.
    fn line_breaks(&mut self, indent: usize, breaks: &mut Vec<usize>) {
        breaks.clear();
        let mut line_begins = self.done == 0;
        loop {
            if line_begins {
                let spaces = self.source().bytes().take(indent).take_while(|byte| *byte == b' ').count();
                self.at += spaces;
            }
            match self.source().chars().next() {
                Some('\n') => breaks.push(self.at),
                // The last line of a file ends as if it had a line break.
                None if breaks.last() != Some(&self.at) => return breaks.push(self.at),
                Some(_) | None => return,
            }
            self.at += 1;
            line_begins = true;
        }
    }

    /// The value's part for some line breaks: all of them, or fewer where they were folded or chomped.
    fn take_breaks(&mut self, breaks: &[usize], folded: bool) -> Option<()> {
        let due = self.due();
        let count = due.len() - due.trim_start_matches('\n').len();
        let place = |at: usize| at..(at + 1).min(self.text.len());
        let places: Vec<Range<usize>> = breaks.iter().copied().map(place).collect();
        let (first, last) = (places.first().map(|place| place.start), self.at);
        if folded && count == 0 && places.len() == 1 && due.starts_with(' ') {
            return self.take(' ', first?..last);
        }
        let chomped = count == due.len();
        let skipped = match places.len().checked_sub(count)? {
            1 if folded && !chomped => 1,
            0 => 0,
            _ if chomped => 0,
            _ => return None,
        };
        places.into_iter().skip(skipped).take(count).try_for_each(|place| self.take('\n', place))
    }
}

/// The character of an escape of one letter.
fn single(name: char) -> Option<char> {
    Some(match name {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '/' | '\\' => name,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}
