//! The YAML stage: the text of one file → a tree of spanned [`Node`]s, or the one fault that the
//! author should mend first.
//!
//! The events come from `granit_parser`, which nothing outside this folder knows; `compose` makes
//! the tree of them and decides what a scalar means (`scalar`, YAML 1.2 core) and what the profile
//! of rule files refuses (`refuse`: anchors, aliases, tags, merge keys, second documents, keys that
//! are no strings, control characters, deep nesting). What is not YAML at all, `fault` explains.
//! `place` leads from a part of a scalar's value back to the text it was written as.
//!
//! This stage knows nothing of rules: no key has a meaning here.
//!
//! Control characters are refused where they stand in the file as such; an escape in double quotes
//! (`"\x07"`) is visible to a reader, and its value is text like any other.

mod compose;
mod fault;
mod lex;
mod place;
mod quoting;
mod refuse;
mod scalar;

#[cfg(test)]
mod tests;

use super::node::Node;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile};

pub use place::within;
pub(super) use quoting::quoted;

/// How many mappings and lists may lie in each other.
const MAX_DEPTH: usize = 64;

/// The tree of a file, or what is wrong with it.
///
/// A file without a value is `null`, at its first line.
///
/// # Errors
///
/// The fault that the author should mend first; a file has one at a time.
#[expect(clippy::result_large_err, reason = "once a file, and callers collect diagnostics by value")]
pub fn parse(file: FileId, source: &SourceFile) -> Result<Node, Diagnostic> {
    let text = source.text();
    refuse::characters(file, text).and_then(|()| compose::compose(file, text)).map_err(|diagnostic| *diagnostic)
}

/// Where the lines begin that a part of a text touches, empty ones left out.
pub(super) fn lines(text: &str, range: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
    let first = (!text.is_empty()).then(|| lex::line_start(text, range.start));
    let starts = std::iter::successors(first, |at| lex::next_line(text, *at)).take_while(move |at| *at < range.end);
    starts.filter(|at| lex::line_end(text, *at) > *at)
}

/// Where the first thing on a line stands.
pub(super) fn content(text: &str, line: usize) -> usize {
    lex::line_content(text, line)
}
