#![doc = include_str!("pages/empty-text.md")]

use super::layers::{Layer, is_blank};
use super::prose::Place;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::{Action, Part, SectionRule, Text, TextBody};
use crate::source::Span;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let base = Layer::base(&subject.rules.base);
    for layer in subject.layers() {
        let below: Vec<Layer<'_>> = match layer.contributor {
            Some(_) => layer.parents().chain([base]).collect(),
            None => Vec::new(),
        };
        let mut report = |span: Span, message: String, help: &str| {
            let diagnostic = Diagnostic::new(Code::EmptyText, span, message).help(help);
            findings.push(Diagnostic { rule: layer.id(), ..diagnostic });
        };
        for (rule, chosen) in layer.overrides() {
            if let Some((message, help)) = empty_override(rule, &chosen.action, &below)
                && let Some(content) = chosen.action.content()
            {
                report(content.span, message, help);
            }
            for span in chosen.action.content().into_iter().flat_map(|content| orphans(content, layer, rule.section)) {
                report(span, "no parent says anything about this section".to_owned(), "leave the item out");
            }
        }
        // An empty content hides one that lies underneath, which is something.
        let hides = below.iter().any(|below| below.content.is_some());
        if let Some(content) = layer.content.filter(|content| is_blank(content) && !hides) {
            report(content.span, "the content is empty".to_owned(), "leave it out");
        }
    }
    universal(subject, findings);
    strings(subject, findings);
}

/// What is wrong with an override without a text, if it changes nothing underneath.
fn empty_override(rule: &SectionRule, action: &Action, below: &[Layer<'_>]) -> Option<(String, &'static str)> {
    let section = rule.section;
    match action {
        Action::Append(text) | Action::Prepend(text) if is_blank(text) => {
            let message = format!("the empty text adds nothing to `{}`", section.as_str());
            let undoes = below.iter().any(|below| below.section(section).is_some());
            (!undoes).then_some((message, "write a text, or leave the override out"))
        }
        // With universal lines, an empty replacement leaves these alone.
        Action::Replace(text) if is_blank(text) && section != Section::ToolInstructions => {
            Some((format!("the empty text replaces nothing, it removes `{}`", section.as_str()), "say `remove`"))
        }
        Action::Append(_)
        | Action::Prepend(_)
        | Action::Replace(_)
        | Action::Remove
        | Action::Preserve
        | Action::Transform(_) => None,
    }
}

/// The `{parent: true}` items that never stand for anything.
fn orphans(content: &Text, layer: Layer<'_>, section: Section) -> Vec<Span> {
    let TextBody::List(items) = &content.body else { return Vec::new() };
    let inherited = layer.inherited(section);
    if inherited.overrides.iter().any(|parent| parent.action.content().is_some()) {
        return Vec::new();
    }
    items.iter().filter(|item| matches!(item.part, Part::Parent)).map(|item| item.span).collect()
}

fn universal(subject: &Subject<'_>, findings: &mut Findings) {
    let rules = subject.rules.lines.iter().chain(&subject.rules.blocks).filter(|rule| is_blank(&rule.text));
    findings.extend(rules.map(|rule| {
        let message = format!("the text of `{}` is always empty, and then it contributes nothing", rule.id);
        Diagnostic::new(Code::EmptyText, rule.text.span, message).rule(rule.id.as_ref()).help("write a text")
    }));
}

/// Shared texts and steps that are empty.
fn strings(subject: &Subject<'_>, findings: &mut Findings) {
    for prose in subject.prose().iter().filter(|prose| prose.text.is_empty()) {
        let message = match prose.place {
            Place::AppendStep | Place::PrependStep => "the step adds an empty text",
            Place::Shared if !in_list(subject, prose.node.span) => "the shared text is empty",
            Place::Shared
            | Place::Message
            | Place::Section
            | Place::Prepend
            | Place::Universal
            | Place::ReplaceStep => {
                continue;
            }
        };
        let diagnostic = Diagnostic::new(Code::EmptyText, prose.node.span, message).help("leave it out");
        findings.push(Diagnostic { rule: prose.rule.map(str::to_owned), ..diagnostic });
    }
}

/// Whether a string of a shared text is one of several.
fn in_list(subject: &Subject<'_>, span: Span) -> bool {
    let texts = subject.documents.iter().filter_map(|document| document.root.get("texts"));
    !texts.flat_map(crate::load::Node::entries).any(|entry| entry.value.span == span)
}

#[cfg(test)]
mod tests {
    use crate::lint::testing::{codes, of};

    #[test]
    fn what_undoes_or_separates_is_not_nothing() {
        let found = of(r#"
base:
  sections: {tone: {action: append, content: "\nx"}, tool_instructions: {action: replace, content: ""}}
  content: x
contributors:
  - {id: a, description: x, match: {families: [a]}, sections: {tone: {action: append, content: ""}}, content: ""}
  - id: b
    description: x
    match: {families: [b]}
    extends: a
    sections: {tone: {action: append, content: ["", {parent: true}, "", x]}}
tool_instructions: [{id: l, text: [a, "", b]}]
"#);
        assert_eq!(codes(&found), [""; 0]);
    }

    #[test]
    fn a_list_of_nothing_is_nothing() {
        let found = of(r#"
texts: {n: [""]}
base: {sections: {tone: {action: append, content: [{use: n}, {when: {workspaceless: true}, text: "\n"}]}}}
"#);
        assert_eq!(codes(&found), ["empty-text"]);
    }
}
