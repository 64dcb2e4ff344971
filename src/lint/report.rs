//! The findings so far.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// What the checks have found, in the order in which they ran.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Diagnostic>);

impl Findings {
    /// Adds a finding.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        self.0.push(finding);
    }

    /// Whether one of these codes has been reported inside a place: then what follows from it is not said again.
    pub(super) fn blames(&self, codes: &[Code], place: Span) -> bool {
        self.0.iter().any(|finding| codes.contains(&finding.code) && place.contains(finding.span))
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.0
    }
}
