//! Files and places in them: what every span, diagnostic and fix refers to.
//!
//! Text is held normalised (no leading byte-order mark, line ends as `\n`), so that
//! neither can make a difference to any output; [`SourceFile::raw_offset`] leads back to the
//! bytes on disk, for edits.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A file of one [`Sources`], by its number in load order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The number.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A half-open range of bytes in the normalised text of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the range lies in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span of byte offsets; offsets beyond `u32` (files are at most 16 MB) saturate.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end) }
    }

    /// The range as indices.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `other` lies inside this span.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// A place for people: both numbers count from 1, columns in Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in Unicode characters.
    pub column: usize,
}

/// One file as read.
#[derive(Debug)]
pub struct SourceFile {
    path: PathBuf,
    name: String,
    text: String,
    /// The text on disk, kept only where normalising changed it.
    raw: Option<String>,
    lines: OnceLock<Vec<usize>>,
    characters: OnceLock<Vec<usize>>,
}

/// How many bytes of a text are counted at once.
const PART: usize = 4096;

/// How many characters begin in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl SourceFile {
    /// A file at `path`, shown to people as `name`.
    #[must_use]
    pub fn new(path: PathBuf, name: String, raw: String) -> Self {
        let changed = raw.starts_with('\u{feff}') || raw.contains('\r');
        if !changed {
            return Self::with(path, name, raw, None);
        }
        let text = raw.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        Self::with(path, name, text, Some(raw))
    }

    fn with(path: PathBuf, name: String, text: String, raw: Option<String>) -> Self {
        Self { path, name, text, raw, lines: OnceLock::new(), characters: OnceLock::new() }
    }

    /// Where the file lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name that people see: as the user gave it, or relative to the working folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The normalised text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as it is on disk.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.raw.as_deref().unwrap_or(&self.text)
    }

    /// The offset on disk of an offset in the normalised text.
    #[must_use]
    pub fn raw_offset(&self, offset: usize) -> usize {
        let Some(raw) = &self.raw else { return offset };
        let body = raw.trim_start_matches('\u{feff}');
        let mark = raw.len() - body.len();
        let mut bytes = body.bytes().enumerate().peekable();
        let mut seen = 0;
        while let Some((at, byte)) = bytes.next() {
            if seen == offset {
                return mark + at;
            }
            if byte == b'\r' && bytes.peek().is_some_and(|(_, next)| *next == b'\n') {
                bytes.next();
            }
            seen += 1;
        }
        raw.len()
    }

    /// The line and column of a byte offset; an offset past the end is the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let starts = self.line_starts();
        let line = starts.partition_point(|start| *start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        let offset = offset.min(self.text.len());
        Position { line, column: self.characters_before(offset).saturating_sub(self.characters_before(start)) + 1 }
    }

    /// How many characters stand before an offset.
    fn characters_before(&self, offset: usize) -> usize {
        let part = offset / PART;
        let before = self.characters().get(part).copied().unwrap_or(0);
        before + characters(self.text.as_bytes().get(part * PART..offset).unwrap_or_default())
    }

    /// How many characters begin before each part of the text: lines can be as long as files.
    fn characters(&self) -> &[usize] {
        self.characters.get_or_init(|| {
            let parts = self.text.as_bytes().chunks(PART).map(characters);
            let sums = parts.scan(0, |sum, part| {
                *sum += part;
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        })
    }

    /// The span of the first line, without its line end: what a diagnostic about a whole file points at.
    fn first_line(&self) -> usize {
        self.text.find('\n').unwrap_or(self.text.len())
    }

    fn line_starts(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        })
    }
}

/// All files that one run has read.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(file);
        id
    }

    /// The file with this number.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "a FileId is only made by `add` of the same Sources")]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in load order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(u32::try_from(at).unwrap_or(u32::MAX)), file))
    }

    /// The text that a span covers; empty where the span does not fit the file.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text().get(span.range()).unwrap_or_default()
    }

    /// Where a span begins.
    #[must_use]
    pub fn start(&self, span: Span) -> Position {
        self.file(span.file).position(span.start as usize)
    }

    /// Where a span ends (exclusive).
    #[must_use]
    pub fn end(&self, span: Span) -> Position {
        self.file(span.file).position(span.end as usize)
    }

    /// The span that stands for a whole file: its first line.
    #[must_use]
    pub fn whole(&self, id: FileId) -> Span {
        Span::new(id, 0, self.file(id).first_line())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(raw: &str) -> SourceFile {
        SourceFile::new("a.yaml".into(), "a.yaml".into(), raw.into())
    }

    #[test]
    fn positions_count_characters_from_one() {
        let file = file("a: é\nbß: 🙂x");
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position("a: é\nbß: 🙂".len()), Position { line: 2, column: 6 });
        assert_eq!(file.position(10_000), Position { line: 2, column: 7 });
    }

    #[test]
    fn positions_in_long_lines() {
        let text = format!("é\n{}x{}y", "é".repeat(PART), "🙂".repeat(PART));
        for find in ["é\n", "x", "y"] {
            let offset = text.find(find).unwrap();
            let (before, line) = text[..offset].rsplit_once('\n').map_or((&text[..offset], 1), |(_, last)| (last, 2));
            assert_eq!(file(&text).position(offset), Position { line, column: before.chars().count() + 1 }, "{find}");
        }
    }

    #[test]
    fn mark_and_carriage_returns_are_normalised_and_mapped_back() {
        let file = file("\u{feff}a\r\nb\rc\n");
        assert_eq!(file.text(), "a\nb\nc\n");
        let raws: Vec<usize> = (0..=6).map(|offset| file.raw_offset(offset)).collect();
        assert_eq!(raws, [3, 4, 6, 7, 8, 9, 10]);
    }

    #[test]
    fn separators_that_yaml_calls_text_are_no_line_ends() {
        assert_eq!(file("a\u{2028}b\u{85}c").position("a\u{2028}b".len()), Position { line: 1, column: 4 });
    }
}
