#![doc = include_str!("pages/unknown-client-tool.md")]

use super::lookalike::as_read;
use super::report::Findings;
use super::subject::Subject;
use crate::compile::{Mention, nearest};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let declared: Vec<(&str, Span)> = subject.client_tools().collect();
    let names: rustc_hash::FxHashSet<&str> = declared.iter().map(|(name, _)| *name).collect();
    for tool in subject.mentions.tools.iter().filter(|tool| !names.contains(tool.name.as_ref())) {
        let causes = [Code::HiddenCharacter, Code::ConfusableName];
        let spoilt = |(name, span): &(&str, Span)| findings.blames(&causes, *span) && is_read_as(name, &tool.name);
        if !findings.blames(&causes, tool.span) && !declared.iter().any(spoilt) {
            findings.push(diagnostic(subject, &declared, tool));
        }
    }
}

/// Whether a declared name is the mentioned one but for characters that deceive; those are to blame.
fn is_read_as(declared: &str, mentioned: &str) -> bool {
    let seen: String = declared.chars().filter(|char| super::invisible::name(*char).is_none()).collect();
    let seen = seen.trim_matches(|char| super::invisible::odd_blank(char).is_some());
    as_read(seen).as_deref().unwrap_or(seen) == mentioned
}

fn diagnostic(subject: &Subject<'_>, declared: &[(&str, Span)], tool: &Mention) -> Diagnostic {
    let name = &tool.name;
    let new = |message: String| {
        let diagnostic = Diagnostic::new(Code::UnknownClientTool, tool.span, message);
        Diagnostic { rule: tool.rule.as_deref().map(str::to_owned), ..diagnostic }
    };
    if let Some((kind, _, place)) = subject.other_tools().find(|(_, other, _)| **other == **name) {
        return new(format!("`{name}` is one of the `{kind}` tools, never a client tool"))
            .label("no session has it among its client tools")
            .related(place, "declared as no client tool")
            .help("texts may name it; gates see client tools only");
    }
    let meant = nearest(name, declared.iter().map(|(name, _)| *name));
    let spelling = meant.filter(|meant| letters(meant) == letters(name));
    let diagnostic = match spelling {
        Some(meant) => {
            new(format!("`{name}` is no reference name of a client tool, but another spelling of `{meant}`"))
        }
        None => new(format!("the catalog has no client tool `{name}`")),
    };
    match meant {
        Some(meant) => diagnostic.did_you_mean(meant),
        None => diagnostic.help("declare it in `catalog.client_tools` if the host has it"),
    }
}

/// What is left of a name in every spelling: snake case, kebab case, another case.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
