//! The findings so far.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// What some of the checks have found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// With the number of the check.
    all: Vec<(usize, Diagnostic)>,
    /// The check that is under way.
    check: usize,
    /// Where each code has been reported.
    places: FxHashMap<Code, BTreeSet<Span>>,
    /// The second places of each code.
    related: FxHashSet<(Code, Span)>,
}

impl Findings {
    /// Adds a finding.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        self.places.entry(finding.code).or_default().insert(finding.span);
        self.related.extend(finding.related.iter().map(|label| (finding.code, label.span)));
        self.all.push((self.check, finding));
    }

    /// None, for checks that come behind those of these findings and can blame them.
    pub(super) fn behind(causes: &Self) -> Self {
        Self { places: causes.places.clone(), related: causes.related.clone(), ..Self::default() }
    }

    /// Goes on to the check with this number.
    pub(super) fn go_on(&mut self, check: usize) {
        self.check = check;
    }

    /// Adds findings.
    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        findings.into_iter().for_each(|finding| self.push(finding));
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
        let Span { file, start, end } = place;
        let inside = Span { file, start, end: 0 }..=Span { file, start: end, end };
        self.places_of(codes).any(|places| places.range(inside.clone()).any(|found| place.contains(*found)))
    }

    /// Whether one of these codes has been reported of something that a place is part of.
    pub(super) fn covers(&self, codes: &[Code], place: Span) -> bool {
        let Span { file, start, .. } = place;
        let before = Span { file, start: 0, end: 0 }..=Span { file, start, end: u32::MAX };
        self.places_of(codes).any(|places| places.range(before.clone()).any(|found| found.contains(place)))
    }

    fn places_of(&self, codes: &[Code]) -> impl Iterator<Item = &BTreeSet<Span>> {
        codes.iter().filter_map(|code| self.places.get(code))
    }

    /// Whether a finding of this code has a place as its second one.
    pub(super) fn relates(&self, code: Code, place: Span) -> bool {
        self.related.contains(&(code, place))
    }

    /// All of them in the order of the checks.
    pub(super) fn in_order(all: impl IntoIterator<Item = Self>) -> Vec<Diagnostic> {
        let mut all: Vec<(usize, Diagnostic)> = all.into_iter().flat_map(|findings| findings.all).collect();
        all.sort_by_key(|(check, _)| *check);
        all.into_iter().map(|(_, finding)| finding).collect()
    }
}
