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

    /// Adds findings.
    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        self.0.extend(findings);
    }

    /// Adds those findings for which none of these codes has been reported at the same place.
    pub(super) fn extend_unless(&mut self, causes: &[Code], findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            if !self.blames(causes, finding.span) {
                self.push(finding);
            }
        }
    }

    /// Whether one of these codes has been reported inside a place: then what follows from it is not said again.
    pub(super) fn blames(&self, codes: &[Code], place: Span) -> bool {
        self.0.iter().any(|finding| codes.contains(&finding.code) && place.contains(finding.span))
    }

    /// Whether one of these codes has been reported of something that a place is part of.
    pub(super) fn covers(&self, codes: &[Code], place: Span) -> bool {
        self.0.iter().any(|finding| codes.contains(&finding.code) && finding.span.contains(place))
    }

    /// Whether a finding of this code has a place as its second one.
    pub(super) fn relates(&self, code: Code, place: Span) -> bool {
        self.0.iter().any(|finding| finding.code == code && finding.related.iter().any(|label| label.span == place))
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.0
    }
}
