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

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{codes, of, places};

    #[test]
    fn every_place_that_names_a_tool_is_read() {
        let found = of("
catalog:
  client_tools: [{name: readPage, description: x}, toolSearch]
  tool_groups: {g: [readPages]}
  settings: {on: {type: boolean}}
tool_search:
  enabled_setting: on
  supported_models: {prefix: gpt}
  client_tool: tool_search
  runtime_tool: anything
  never_defer: [$g, a]
base: {bind: {x: {first_client_tool: [b, readPage]}}, sections: {}, content: 'Use {{x}}.'}
contributors:
  - id: c
    description: x
    match: {families: [gpt]}
    when: {not: {has_client_tool: c}}
    sections:
      tone: {when: {has_all_client_tools: [d]}, action: append, content: ['', {when: {any: [{has_client_tool: e}]}, text: x}]}
    full_prompt: {when: {has_any_client_tool: [f]}, text: x}
    allow: {full-prompt-drops-guardrails: x}
trailing: [{id: t, when: {all: [{has_client_tool: readpage}]}, text: x}]
");
        let names: Vec<String> = places(&found, Code::UnknownClientTool)
            .iter()
            .map(|place| place.split_once(' ').unwrap().1.to_owned())
            .collect();
        assert_eq!(names, ["readPages", "tool_search", "a", "b", "c", "d", "e", "f", "readpage"]);
        assert!(codes(&found).iter().all(|code| *code == "unknown-client-tool"), "{:?}", codes(&found));
    }

    #[test]
    fn only_near_names_are_suggested() {
        let found = of("
catalog: {client_tools: [openBrowserPage, rename]}
trailing:
  - {id: a, when: {has_client_tool: open-browser-page}, text: x}
  - {id: b, when: {has_client_tool: openBrowser}, text: y}
  - {id: c, when: {has_client_tool: renam}, text: z}
");
        let meant: Vec<Option<&str>> = found
            .diagnostics
            .iter()
            .map(|found| found.fix.as_ref().map(|fix| fix.edits[0].replacement.as_str()))
            .collect();
        assert_eq!(meant, [Some("openBrowserPage"), None, Some("rename")]);
    }
}
