#![doc = include_str!("pages/full-prompt-drops-guardrails.md")]

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let layers = subject.layers().filter_map(|layer| Some((layer.id(), layer.full_prompt?)));
    findings.extend(layers.map(|(rule, prompt)| {
        let message = "a full prompt takes the place of the foundation, all its guardrails included";
        let diagnostic = Diagnostic::new(Code::FullPromptDropsGuardrails, prompt.span, message)
            .help("override sections instead, or accept it with `allow` and the reason");
        Diagnostic { rule, ..diagnostic }
    }));
}
