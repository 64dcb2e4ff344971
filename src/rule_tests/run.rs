//! Runs tests against a rule set.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::coverage::Coverage;
use super::difference::{Line, difference};
use super::expect::{Mismatch, Why};
use super::file::{Case, Subject, Test, TestFile};
use super::snapshot::{self, Snapshots};
use super::why;
use crate::context::Context;
use crate::explain::{Explanation, Trace, explain_run};
use crate::interpret::{Facts, interpret};
use crate::launch::{self, Kind, Request};
use crate::rules::RuleSet;
use crate::source::Span;

/// Which tests are run: those whose label contains one of these; all if there are none.
#[derive(Clone, Debug, Default)]
pub struct Filter(pub Vec<String>);

impl Filter {
    fn takes(&self, label: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|wanted| label.contains(wanted))
    }
}

/// One test with one combination of its matrix.
#[derive(Debug)]
pub struct Run<'t, 'r> {
    /// The test.
    pub test: &'t Test,
    /// The test's name, and the combination in brackets.
    pub label: String,
    /// The context that was resolved.
    pub context: Context,
    /// What it falls short of.
    pub mismatches: Vec<Mismatch<'r>>,
    /// What holds of the run as a whole, for those that fail.
    pub why: Vec<Why>,
    /// The result as a snapshot, if the test has one.
    pub snapshot: Option<String>,
}

impl Run<'_, '_> {
    /// Whether the result is as expected.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.mismatches.is_empty()
    }
}

/// Runs the tests of a file that the filter takes. `stored` is what snapshots are compared with;
/// nothing if they are about to be written.
pub fn run<'t, 'r>(
    file: &'t TestFile,
    rules: &'r RuleSet,
    filter: &Filter,
    stored: Option<&Snapshots>,
    mut coverage: Option<&mut Coverage<'r>>,
) -> Vec<Run<'t, 'r>> {
    let mut runs = Vec::new();
    for test in &file.tests {
        for session in sessions(test, rules, filter) {
            runs.push(one(test, session, rules, stored, coverage.as_deref_mut()));
        }
    }
    runs
}

/// What one run is about.
struct Session<'t> {
    label: String,
    context: Cow<'t, Context>,
    /// The launch request that the context comes from.
    request: Option<&'t Request>,
}

fn sessions<'t>(test: &'t Test, rules: &RuleSet, filter: &Filter) -> Vec<Session<'t>> {
    match &test.subject {
        Subject::Contexts(cases) => {
            let labelled = cases.iter().map(|case| (label(test, case), case)).filter(|(label, _)| filter.takes(label));
            labelled
                .map(|(label, case)| Session { label, context: Cow::Borrowed(&case.context), request: None })
                .collect()
        }
        Subject::Request(request) => {
            let taken = filter.takes(&test.name).then(|| Session {
                label: test.name.clone(),
                context: Cow::Owned(launch::context(rules, request).0),
                request: Some(request),
            });
            taken.into_iter().collect()
        }
    }
}

/// The labels of all cases with a snapshot, in file order.
fn snapshot_labels(file: &TestFile) -> impl Iterator<Item = String> {
    file.tests.iter().filter(|test| test.snapshot).flat_map(|test| match &test.subject {
        Subject::Contexts(cases) => cases.iter().map(|case| label(test, case)).collect(),
        Subject::Request(_) => vec![test.name.clone()],
    })
}

/// The snapshots of a file after a run: what the runs gave, and what is stored for tests that were not run.
#[must_use]
pub fn updated(file: &TestFile, stored: &Snapshots, runs: &[Run<'_, '_>]) -> Snapshots {
    let fresh: FxHashMap<&str, &str> =
        runs.iter().filter_map(|run| Some((run.label.as_str(), run.snapshot.as_deref()?))).collect();
    let mut snapshots = Snapshots::default();
    for label in snapshot_labels(file) {
        let body = fresh.get(label.as_str()).copied().or_else(|| stored.get(&label)).map(str::to_owned);
        if let Some(body) = body {
            snapshots.set(label, body);
        }
    }
    snapshots
}

/// The labels of stored snapshots that no test has.
#[must_use]
pub fn orphans(file: &TestFile, stored: &Snapshots) -> Vec<String> {
    let known: FxHashSet<String> = snapshot_labels(file).collect();
    stored.labels().filter(|label| !known.contains(*label)).map(str::to_owned).collect()
}

fn label(test: &Test, case: &Case) -> String {
    if case.label.is_empty() { test.name.clone() } else { format!("{} [{}]", test.name, case.label) }
}

fn one<'t, 'r>(
    test: &'t Test,
    session: Session<'t>,
    rules: &'r RuleSet,
    stored: Option<&Snapshots>,
    coverage: Option<&mut Coverage<'r>>,
) -> Run<'t, 'r> {
    let Session { label, context, request } = session;
    let facts = Facts::new(&rules.catalog, &context);
    let mut trace = Trace::default();
    let message = interpret(rules, &facts, &mut trace);
    if let Some(coverage) = coverage {
        coverage.observe(&facts, &trace.events);
    }
    let explanation = explain_run(rules, &facts, &context, message, &trace);
    let mut mismatches = test.expect.as_ref().map(|expect| expect.mismatches(&explanation)).unwrap_or_default();
    let snapshot = test.snapshot.then(|| body(&explanation, rules, request));
    if let (Some(body), Some(stored)) = (&snapshot, stored) {
        mismatches.extend(stale(test.span, stored.get(&label), body));
    }
    let snapshot = snapshot.map(|body| text(&body));
    let why = if mismatches.is_empty() { Vec::new() } else { why::of_run(&explanation) };
    let context = (*context).clone();
    Run { test, label, context, mismatches, why, snapshot }
}

/// What a snapshot holds: the message, and of a launch request the rest of the plan.
fn body<'r>(explanation: &Explanation<'r>, rules: &RuleSet, request: Option<&Request>) -> Vec<Line<'r>> {
    let message = || snapshot::message(&explanation.message);
    match request {
        None => message(),
        Some(request) if request.kind == Kind::ModelChange => snapshot::plan(&launch::plan(rules, request)),
        Some(request) => message().into_iter().chain(snapshot::plan(&launch::plan(rules, request))).collect(),
    }
}

fn text(body: &[Line<'_>]) -> String {
    body.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// The difference from the stored snapshot, if there is any.
fn stale<'r>(span: Span, stored: Option<&str>, body: &[Line<'r>]) -> Option<Mismatch<'r>> {
    if stored == Some(text(body).as_str()) {
        return None;
    }
    let expected = super::difference::plain(stored.unwrap_or_default());
    let why = Why { text: "if the new result is right, run `promptrules test --update`".to_owned(), span: None };
    Some(Mismatch {
        path: "snapshot".to_owned(),
        span,
        expected: if stored.is_some() { "the stored result" } else { "a stored result" }.to_owned(),
        actual: if stored.is_some() { "another result" } else { "none is stored" }.to_owned(),
        lines: if stored.is_some() { difference(&expected, body) } else { super::difference::shown(body.to_vec()) },
        why: vec![why],
    })
}
