//! Diagnostics for programs: the format of the contract, with more keys where there is more to say.

use serde::Serialize;
use serde_json::Value;

use super::{Report, command_line};
use crate::diagnostic::{Diagnostic, Edit, Severity};
use crate::source::{Sources, Span};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    diagnostics: Vec<Item<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    infos: usize,
    files: usize,
}

#[derive(Serialize)]
struct Item<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(flatten)]
    place: Place<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixItem<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness<'a>>,
    fingerprint: String,
}

/// Lines and columns count from 1, columns in Unicode characters; ends are exclusive.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct FixItem<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<EditItem<'a>>,
}

#[derive(Serialize)]
struct EditItem<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
}

#[derive(Serialize)]
struct Witness<'a> {
    context: &'a crate::context::Context,
    command: String,
}

/// The report as one JSON document, ending with a newline.
#[must_use]
pub fn json(report: &Report<'_>) -> String {
    let document = Document {
        version: 1,
        diagnostics: report.diagnostics().map(|(sources, diagnostic)| item(sources, diagnostic)).collect(),
        summary: Summary {
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            infos: report.count(Severity::Info),
            files: report.files(),
        },
    };
    let mut text =
        serde_json::to_string_pretty(&document).unwrap_or_else(|error| Value::String(error.to_string()).to_string());
    text.push('\n');
    text
}

fn item<'a>(sources: &'a Sources, diagnostic: &'a Diagnostic) -> Item<'a> {
    let related = diagnostic.related.iter();
    Item {
        code: diagnostic.code.as_str(),
        severity: diagnostic.severity,
        message: &diagnostic.message,
        help: (!diagnostic.help.is_empty()).then(|| diagnostic.help.join("; ")),
        place: place(sources, diagnostic.span),
        rule: diagnostic.rule.as_deref(),
        related: related.map(|label| Related { message: &label.text, place: place(sources, label.span) }).collect(),
        fixes: diagnostic.fix.iter().map(|fix| fix_item(sources, fix)).collect(),
        witness: diagnostic.witness.as_ref().map(|context| Witness { context, command: command_line(context) }),
        fingerprint: diagnostic.fingerprint(sources),
    }
}

fn fix_item<'a>(sources: &'a Sources, fix: &'a crate::diagnostic::Fix) -> FixItem<'a> {
    let edit = |edit: &'a Edit| EditItem { place: place(sources, edit.span), replacement: &edit.replacement };
    FixItem { title: &fix.title, safe: fix.safe, edits: fix.edits.iter().map(edit).collect() }
}

fn place(sources: &Sources, span: Span) -> Place<'_> {
    let (start, end) = (sources.start(span), sources.end(span));
    Place {
        file: sources.file(span.file).name(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}
