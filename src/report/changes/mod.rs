//! A comparison of rule sets as text: one renderer a file, all from the same [`Changes`].

mod github;
mod human;
mod json;
mod markdown;
mod told;
mod words;

use std::collections::BTreeSet;

use crate::diff::{Diff, Difference};
use crate::source::Sources;

pub use github::github;
pub use human::human;
pub use json::json;
pub use markdown::markdown;

/// A comparison, with what is needed to show it.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    /// What the old side is called.
    pub old: &'a str,
    /// What the new side is called.
    pub new: &'a str,
    /// The comparison.
    pub diff: &'a Diff,
    /// Fingerprints of differences that were accepted before.
    pub accepted: &'a BTreeSet<String>,
    /// The files of the new side.
    pub sources: &'a Sources,
}

impl<'a> Changes<'a> {
    /// The differences that nobody has accepted yet.
    pub fn fresh(&self) -> impl Iterator<Item = &'a Difference> {
        let accepted = self.accepted;
        self.diff.differences.iter().filter(move |difference| !accepted.contains(&difference.fingerprint))
    }

    /// Those that were accepted before.
    pub fn accepted(&self) -> impl Iterator<Item = &'a Difference> {
        let accepted = self.accepted;
        self.diff.differences.iter().filter(move |difference| accepted.contains(&difference.fingerprint))
    }
}
