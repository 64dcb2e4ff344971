#![doc = include_str!("pages/unused-allow.md")]

use super::subject::{Subject, rule_nodes};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::Node;
use crate::source::Span;

/// An `allow` entry and the rule that it stands on.
struct Accepted {
    code: Code,
    key: Span,
    rule: Span,
    id: Option<String>,
    used: bool,
}

/// Drops the findings that a rule's author has accepted, and reports what accepts nothing.
pub(super) fn apply(subject: &Subject<'_>, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut accepted: Vec<Accepted> = subject.documents_with("allow").flat_map(rule_nodes).flat_map(accepted).collect();
    let mut kept: Vec<Diagnostic> =
        findings.into_iter().filter(|finding| !is_accepted(finding, &mut accepted)).collect();
    kept.extend(accepted.into_iter().filter(|accepted| !accepted.used).map(|unused| {
        let message = format!("nothing here gives `{}`, so there is nothing to allow", unused.code.as_str());
        Diagnostic { rule: unused.id, ..Diagnostic::new(Code::UnusedAllow, unused.key, message) }
    }));
    kept
}

fn accepted(rule: &Node) -> impl Iterator<Item = Accepted> {
    let id = rule.get("id").and_then(Node::as_str);
    let entries = rule.get("allow").map_or(&[][..], Node::entries).iter();
    entries.filter_map(move |entry| {
        let code = entry.key.parse().ok()?;
        Some(Accepted { code, key: entry.key_span, rule: rule.span, id: id.map(str::to_owned), used: false })
    })
}

fn is_accepted(finding: &Diagnostic, accepted: &mut [Accepted]) -> bool {
    let mut matching =
        accepted.iter_mut().filter(|entry| entry.code == finding.code && entry.rule.contains(finding.span));
    let found = matching.next();
    found.map(|entry| entry.used = true).is_some()
}
