//! The set's own levels of findings.

use super::Compiler;
use super::names::Declared;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::load::{Document, Node};
use crate::rules::LintLevel;
use crate::source::Span;

impl<'a> Compiler<'a> {
    pub(super) fn lint(&mut self, documents: &'a [Document]) -> Option<Vec<LintLevel>> {
        let mut seen: Declared<'a, Span> = Declared::default();
        let mut levels = Vec::new();
        let entries = documents.iter().filter_map(|document| document.root.get("lint")).flat_map(Node::entries);
        for entry in entries.filter(|entry| !entry.value.faulty) {
            if let Some(first) = seen.insert(&entry.key, entry.key_span) {
                let message = format!("the level of `{}` is declared twice", entry.key);
                self.report(
                    Diagnostic::new(Code::DuplicateName, entry.key_span, message).related(first, "first declared here"),
                );
                continue;
            }
            let severity = match entry.value.get("level")?.as_str()? {
                "error" => Some(Severity::Error),
                "warning" => Some(Severity::Warning),
                "info" => Some(Severity::Info),
                _ => None,
            };
            levels.push(LintLevel { code: entry.key.parse().ok()?, severity, span: entry.key_span });
        }
        Some(levels)
    }
}
