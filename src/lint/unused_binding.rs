#![doc = include_str!("pages/unused-binding.md")]

use std::sync::Arc;

use super::layers::own_strings;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Binding, Piece, Text};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for layer in subject.layers().filter(|layer| !layer.bindings.is_empty()) {
        let texts: Vec<&Text> = layer.texts().collect();
        report(layer.bindings, &texts, layer.id(), findings);
    }
    for rule in subject.rules.lines.iter().chain(&subject.rules.blocks) {
        report(&rule.bindings, &[&rule.text], Some(rule.id.to_string()), findings);
    }
}

fn report(bindings: &[Arc<Binding>], texts: &[&Text], rule: Option<String>, findings: &mut Findings) {
    for binding in bindings.iter().filter(|binding| !texts.iter().any(|text| uses(text, binding))) {
        let message = format!("no text of the rule uses the binding `{}`", binding.name);
        let diagnostic = Diagnostic::new(Code::UnusedBinding, binding.span, message)
            .help(format!("use it as `{{{{{}}}}}`, or remove it", binding.name));
        findings.push(Diagnostic { rule: rule.clone(), ..diagnostic });
    }
}

fn uses(text: &Text, binding: &Arc<Binding>) -> bool {
    let mut pieces = own_strings(text).into_iter().flat_map(|template| &template.pieces);
    pieces.any(|piece| matches!(piece, Piece::Variable(used) if Arc::ptr_eq(used, binding)))
}
