//! Rule tests: what some contexts must get, kept as data beside the rules.
//!
//! Input: `*.test.yaml` files and the rule sets that they test. Output: [`Run`]s, one for each
//! test and each combination of its matrix, with [`Mismatch`]es that can be understood without
//! opening a rule file, and [`coverage`]. Every run is the one interpreter with a recorder; this
//! stage compares and never decides what a session gets.

pub mod coverage;
mod difference;
mod expect;
mod file;
mod find;
mod matrix;
mod read;
pub mod report;
mod run;
mod snapshot;
mod why;

pub use difference::{DiffLine, Sign};
pub use expect::{Mismatch, Why};
pub use file::{Case, Subject, Test, TestFile};
pub use find::{Found, TEST_ENDING, find};
pub use run::{Filter, Run, orphans, run, updated};
pub use snapshot::{SNAPSHOT_ENDING, Snapshots, snapshot_path, test_path};

#[cfg(test)]
mod tests;
