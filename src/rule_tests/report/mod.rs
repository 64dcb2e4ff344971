//! The results of rule tests as text, one format a file, all from the same [`Results`].

mod coverage;
mod human;
mod json;
mod junit;
mod tap;

use std::path::{Path, PathBuf};

use super::coverage::{Count, CoverageReport};
use super::difference::DiffLine;
use super::run::Run;
use super::{TestFile, Why};
use crate::source::{Sources, Span};

pub use coverage::coverage;
pub use human::human;
pub use json::json;
pub use junit::junit;
pub use tap::tap;

/// Everything that one call of `test` has to say.
#[derive(Debug)]
pub struct Results<'a> {
    /// The test files.
    pub tests: &'a Sources,
    /// Their results, in order.
    pub files: Vec<FileResults<'a>>,
    /// Snapshot files without a test file.
    pub stray: Vec<PathBuf>,
    /// What the runs have exercised of each rule set; nothing if nobody asked.
    pub coverage: Option<Vec<SetCoverage<'a>>>,
}

/// The results of one test file.
#[derive(Debug)]
pub struct FileResults<'a> {
    /// The file.
    pub file: &'a TestFile,
    /// The rule files that its results come from.
    pub rules: &'a Sources,
    /// Its runs, in order.
    pub runs: Vec<Run<'a, 'a>>,
    /// Labels of stored snapshots that no test has.
    pub orphans: Vec<String>,
}

/// What runs have exercised of one rule set.
#[derive(Debug)]
pub struct SetCoverage<'a> {
    /// The rule set's files.
    pub rules: &'a Sources,
    /// Its root file as people see it.
    pub name: String,
    /// What is covered.
    pub report: CoverageReport,
}

impl<'a> Results<'a> {
    /// All runs with their files, in order.
    pub fn runs(&self) -> impl Iterator<Item = (&FileResults<'a>, &Run<'a, 'a>)> {
        self.files.iter().flat_map(|file| file.runs.iter().map(move |run| (file, run)))
    }

    /// How many runs there were.
    #[must_use]
    pub fn total(&self) -> usize {
        self.files.iter().map(|file| file.runs.len()).sum()
    }

    /// How many runs failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.runs().filter(|(_, run)| !run.passed()).count()
    }

    /// Snapshots that belong to no test: their file, and the label unless it is the whole file.
    #[must_use]
    pub fn orphans(&self) -> Vec<(String, Option<&str>)> {
        let labels = self.files.iter().flat_map(|file| {
            let snapshots = shown(&super::snapshot_path(Path::new(self.name(file))));
            file.orphans.iter().map(move |label| (snapshots.clone(), Some(label.as_str())))
        });
        labels.chain(self.stray.iter().map(|path| (shown(path), None))).collect()
    }

    /// The counts of all rule sets together.
    #[must_use]
    pub fn covered(&self) -> Option<Count> {
        let sets = self.coverage.as_ref()?;
        Some(sets.iter().fold(Count::default(), |sum, set| sum.and(set.report.total())))
    }

    /// A test file as people see it.
    fn name(&self, file: &FileResults<'_>) -> &'a str {
        self.tests.file(file.file.file).name()
    }

    /// A place in a test file.
    fn place(&self, span: Span) -> String {
        place(self.tests, span)
    }
}

/// A path with `/`, whatever the system.
fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn place(sources: &Sources, span: Span) -> String {
    format!("{}:{}", sources.file(span.file).name(), sources.start(span).line)
}

/// A reason with its place.
fn reason(rules: &Sources, why: &Why) -> String {
    match why.span {
        Some(span) => format!("{} ({})", why.text, place(rules, span)),
        None => why.text.clone(),
    }
}

/// Who says a line, with the place.
fn origin(rules: &Sources, line: &DiffLine<'_>) -> Option<String> {
    line.origin.map(|origin| format!("{} ({})", origin.rule, place(rules, origin.span)))
}
