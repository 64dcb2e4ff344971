//! Two texts line by line, and who says each line of the second.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::explain::Traced;
use crate::interpret::Origin;

/// Unchanged lines that are shown around a change.
const CONTEXT: usize = 2;

/// A line with the string that says its first character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line<'r> {
    pub(crate) text: String,
    pub(crate) origin: Option<Origin<'r>>,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    /// It is in both.
    Same,
    /// Expected, and not there.
    Missing,
    /// There, and not expected.
    Extra,
    /// Lines that are in both are left out here.
    Skipped,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine<'r> {
    /// What became of it.
    pub sign: Sign,
    /// The line.
    pub text: String,
    /// Who says it, where it is there.
    pub origin: Option<Origin<'r>>,
}

/// The lines of a composed text. Separators are said by nobody: a line has the first origin in it.
pub(crate) fn lines<'r>(text: &Traced<'r>) -> Vec<Line<'r>> {
    let mut lines = vec![Line { text: String::new(), origin: None }];
    for segment in text.segments() {
        for (at, piece) in segment.text.split('\n').enumerate() {
            if at > 0 {
                lines.push(Line { text: String::new(), origin: None });
            }
            if let Some(line) = lines.last_mut().filter(|_| !piece.is_empty()) {
                line.origin = line.origin.or(segment.origin);
                line.text.push_str(piece);
            }
        }
    }
    lines
}

/// Lines without an origin.
pub(crate) fn plain(text: &str) -> Vec<Line<'static>> {
    text.split('\n').map(|line| Line { text: line.to_owned(), origin: None }).collect()
}

/// All lines of a text that is there, as they are.
pub(crate) fn shown<'r>(actual: Vec<Line<'r>>) -> Vec<DiffLine<'r>> {
    actual.into_iter().map(|line| DiffLine { sign: Sign::Same, text: line.text, origin: line.origin }).collect()
}

/// What is missing and what is there instead, with a few lines around.
pub(crate) fn difference<'r>(expected: &[Line<'_>], actual: &[Line<'r>]) -> Vec<DiffLine<'r>> {
    let (before, after) = (joined(expected), joined(actual));
    let input = InternedInput::new(before.as_str(), after.as_str());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut out = Vec::new();
    let mut at = 0;
    for hunk in diff.hunks() {
        let (removed, added) = (range(&hunk.before), range(&hunk.after));
        out.extend(actual.get(at..added.start).into_iter().flatten().map(|line| entry(Sign::Same, line)));
        out.extend(expected.get(removed).into_iter().flatten().map(|line| DiffLine {
            sign: Sign::Missing,
            text: line.text.clone(),
            origin: None,
        }));
        out.extend(actual.get(added.clone()).into_iter().flatten().map(|line| entry(Sign::Extra, line)));
        at = added.end;
    }
    out.extend(actual.get(at..).into_iter().flatten().map(|line| entry(Sign::Same, line)));
    folded(out)
}

fn range(range: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}

fn joined(lines: &[Line<'_>]) -> String {
    lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect()
}

fn entry<'r>(sign: Sign, line: &Line<'r>) -> DiffLine<'r> {
    DiffLine { sign, text: line.text.clone(), origin: line.origin }
}

/// Leaves out long runs of unchanged lines.
fn folded(lines: Vec<DiffLine<'_>>) -> Vec<DiffLine<'_>> {
    let changed: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.sign != Sign::Same).map(|(at, _)| at).collect();
    let near = |at: usize| {
        let next = changed.partition_point(|change| *change < at);
        let neighbours = [next.checked_sub(1).and_then(|before| changed.get(before)), changed.get(next)];
        neighbours.into_iter().flatten().any(|change| change.abs_diff(at) <= CONTEXT)
    };
    let mut out: Vec<DiffLine<'_>> = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        if near(at) {
            out.push(line);
        } else if out.last().is_none_or(|last| last.sign != Sign::Skipped) {
            out.push(DiffLine { sign: Sign::Skipped, text: String::new(), origin: None });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_neighbourhood_of_a_change_is_shown() {
        let shown: Vec<String> = difference(&plain("a\nb\nc\nd\ne\nf\ng"), &plain("a\nb\nc\nd\ne\nF\ng\nh"))
            .iter()
            .map(|line| format!("{:?} {}", line.sign, line.text))
            .collect();
        assert_eq!(shown, ["Skipped ", "Same d", "Same e", "Missing f", "Extra F", "Same g", "Extra h"]);
    }
}
