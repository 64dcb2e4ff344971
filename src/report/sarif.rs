//! Diagnostics as SARIF 2.1.0, for code-scanning services.

use serde::Serialize;
use serde_json::{Value, json};

use super::{Report, command_line, uri};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use crate::source::{Sources, Span};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A rule of the driver: what a code means.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    help: Message,
    default_configuration: Value,
}

#[derive(Serialize)]
struct Message {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

impl Message {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), markdown: None }
    }
}

/// The report as one SARIF log with one run, ending with a newline.
#[must_use]
pub fn sarif(report: &Report<'_>) -> String {
    let mut codes: Vec<Code> = report.diagnostics().map(|(_, diagnostic)| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results: Vec<Value> =
        report.diagnostics().map(|(sources, diagnostic)| result(sources, diagnostic, &codes)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "promptrules",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| rule(*code)).collect::<Vec<Rule>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rule(code: Code) -> Rule {
    let page = code.page();
    Rule {
        id: code.as_str(),
        short_description: Message::plain(summary(page)),
        help: Message { text: page.to_owned(), markdown: Some(page.to_owned()) },
        default_configuration: json!({"level": level(code.severity())}),
    }
}

/// The first paragraph of a page as one line.
fn summary(page: &str) -> String {
    let paragraph = page.split("\n\n").nth(1).unwrap_or(page);
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(sources: &Sources, diagnostic: &Diagnostic, codes: &[Code]) -> Value {
    let mut text = diagnostic.message.clone();
    diagnostic.help.iter().for_each(|help| text.push_str(&format!("\n{help}")));
    if let Some(context) = &diagnostic.witness {
        text.push_str(&format!("\nfor example: {}", command_line(context)));
    }
    let related = diagnostic.related.iter().enumerate().map(|(number, label)| {
        json!({"id": number + 1, "physicalLocation": place(sources, label.span), "message": {"text": label.text}})
    });
    json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": codes.iter().position(|code| *code == diagnostic.code),
        "level": level(diagnostic.severity),
        "message": {"text": text},
        "locations": [{"physicalLocation": place(sources, diagnostic.span)}],
        "relatedLocations": related.collect::<Vec<Value>>(),
        "fixes": diagnostic.fix.iter().map(|found| fix(sources, found)).collect::<Vec<Value>>(),
        "partialFingerprints": {"promptrules/v1": diagnostic.fingerprint(sources)},
    })
}

fn place(sources: &Sources, span: Span) -> Value {
    json!({"artifactLocation": artifact(sources, span), "region": region(sources, span)})
}

fn artifact(sources: &Sources, span: Span) -> Value {
    json!({"uri": uri(sources.file(span.file)), "uriBaseId": "%SRCROOT%"})
}

fn region(sources: &Sources, span: Span) -> Value {
    let (start, end) = (sources.start(span), sources.end(span));
    json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
}

/// The edits of a fix, one change a file.
fn fix(sources: &Sources, fix: &Fix) -> Value {
    let mut changes: Vec<(Value, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let file = artifact(sources, edit.span);
        match changes.iter_mut().find(|(artifact, _)| *artifact == file) {
            Some((_, replacements)) => replacements.push(replacement(sources, edit)),
            None => changes.push((file, vec![replacement(sources, edit)])),
        }
    }
    let change = |(artifact, replacements)| json!({"artifactLocation": artifact, "replacements": replacements});
    json!({
        "description": {"text": fix.title},
        "artifactChanges": changes.into_iter().map(change).collect::<Vec<Value>>(),
    })
}

fn replacement(sources: &Sources, edit: &Edit) -> Value {
    json!({"deletedRegion": region(sources, edit.span), "insertedContent": {"text": edit.replacement}})
}
