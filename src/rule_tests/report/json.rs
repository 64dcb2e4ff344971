//! Results for programs.

use serde::Serialize;
use serde_json::{Value, json};

use super::{FileResults, Results, reason};
use crate::context::Context;
use crate::rule_tests::{DiffLine, Mismatch, Run, Sign};
use crate::source::Sources;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tests: Vec<Item<'a>>,
    orphans: Vec<Value>,
    summary: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Value>,
}

#[derive(Serialize)]
struct Item<'a> {
    file: &'a str,
    line: usize,
    /// The test's name, with the combination of its matrix.
    name: &'a str,
    status: &'static str,
    context: &'a Context,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    because: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Failure<'a>>,
}

#[derive(Serialize)]
struct Failure<'a> {
    path: &'a str,
    line: usize,
    expected: &'a str,
    actual: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    text: Vec<Line<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    because: Vec<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    sign: Sign,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// The results as one JSON document, ending with a newline.
#[must_use]
pub fn json(results: &Results<'_>) -> String {
    let orphans = results.orphans();
    let failed = results.failed();
    let document = Document {
        version: 1,
        tests: results.runs().map(|(file, run)| item(results, file, run)).collect(),
        summary: json!({
            "tests": results.total(), "passed": results.total() - failed, "failed": failed, "orphans": orphans.len(),
        }),
        orphans: orphans.into_iter().map(|(file, name)| json!({"file": file, "name": name})).collect(),
        coverage: super::coverage::json(results),
    };
    let mut text =
        serde_json::to_string_pretty(&document).unwrap_or_else(|error| Value::String(error.to_string()).to_string());
    text.push('\n');
    text
}

fn item<'a>(results: &'a Results<'_>, file: &'a FileResults<'_>, run: &'a Run<'_, '_>) -> Item<'a> {
    Item {
        file: results.name(file),
        line: results.tests.start(run.test.span).line,
        name: &run.label,
        status: if run.passed() { "passed" } else { "failed" },
        context: &run.context,
        because: run.why.iter().map(|why| reason(file.rules, why)).collect(),
        failures: run.mismatches.iter().map(|mismatch| failure(results, file.rules, mismatch)).collect(),
    }
}

fn failure<'a>(results: &'a Results<'_>, rules: &'a Sources, mismatch: &'a Mismatch<'_>) -> Failure<'a> {
    Failure {
        path: &mismatch.path,
        line: results.tests.start(mismatch.span).line,
        expected: &mismatch.expected,
        actual: &mismatch.actual,
        text: mismatch.lines.iter().map(|one| line(rules, one)).collect(),
        because: mismatch.why.iter().map(|why| reason(rules, why)).collect(),
    }
}

fn line<'a>(rules: &'a Sources, line: &'a DiffLine<'_>) -> Line<'a> {
    Line {
        sign: line.sign,
        text: &line.text,
        rule: line.origin.map(|origin| origin.rule),
        file: line.origin.map(|origin| rules.file(origin.span.file).name()),
        line: line.origin.map(|origin| rules.start(origin.span).line),
    }
}
