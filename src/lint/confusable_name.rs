#![doc = include_str!("pages/confusable-name.md")]

use super::lookalike::{as_read, first};
use super::matchers;
use super::prose::{self, Prose};
use super::report::Findings;
use super::subject::Subject;
use super::written::can_be_foreign;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Node, within};
use crate::rules::{LiteralKind, NormalForm};
use crate::source::Span;

/// A name with its place.
type Name<'a> = (&'a str, Span);

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for names in kinds(subject) {
        for (name, span) in names.iter().filter(|(name, _)| !name.is_ascii()) {
            let Some(read) = as_read(name) else { continue };
            if let Some((_, other)) = names.iter().find(|(other, _)| *other == read) {
                report(subject, name, *span, &read, Some(*other), findings);
            }
        }
    }
    let is_foreign = |document: &&Document| can_be_foreign(subject.sources.file(document.file).text());
    let foreign: Vec<&Document> = subject.documents.iter().filter(is_foreign).collect();
    literals(subject, &foreign, findings);
    for prose in prose::all(foreign).into_iter().filter(|prose| !prose.text.is_ascii()) {
        words(subject, &prose, findings);
    }
}

/// The names that can be taken for each other, kind by kind: what the catalog declares, and what rules call tools.
fn kinds<'a>(subject: &Subject<'a>) -> Vec<Vec<Name<'a>>> {
    let keys = |key| subject.catalog(key).flat_map(Node::entries).map(|entry| (entry.key.as_str(), entry.key_span));
    let mentioned = subject.mentions.tools.iter().map(|tool| (tool.name.as_ref(), tool.span));
    let other = subject.other_tools().map(|(_, name, span)| (name, span));
    vec![
        subject.client_tools().chain(other).chain(mentioned).collect(),
        subject.models().collect(),
        keys("tool_groups").collect(),
        keys("settings").collect(),
        keys("model_groups").collect(),
    ]
}

/// Literals of matchers that would fit a known model, were it not for their letters.
fn literals(subject: &Subject<'_>, documents: &[&Document], findings: &mut Findings) {
    let literals =
        matchers::conditions(documents.iter().copied()).into_iter().filter(|condition| condition.key != "regex");
    for condition in literals.filter(|condition| !condition.text.is_ascii()) {
        let Some(read) = as_read(condition.text) else { continue };
        let kind = match condition.key {
            "equals" => LiteralKind::Equals,
            "suffix" => LiteralKind::Suffix,
            "contains" => LiteralKind::Contains,
            _ => LiteralKind::Prefix,
        };
        let normal = NormalForm { vendor: true, lowercase: true, dashes: condition.dashes };
        let fits = |model: &str| kind.accepts(&read, model) || kind.accepts(&read, &normal.apply(model));
        if let Some((model, span)) = subject.models().find(|(model, _)| fits(model)) {
            report(subject, condition.text, condition.node.span, model, Some(span), findings);
        }
    }
}

/// Words of a text that are read as the name of a tool.
fn words(subject: &Subject<'_>, prose: &Prose<'_>, findings: &mut Findings) {
    let in_name = |char: char| char.is_alphanumeric() || char == '_';
    let mut at = 0;
    for word in prose.text.split_inclusive(|char| !in_name(char)) {
        let name = word.trim_end_matches(|char| !in_name(char));
        let start = at;
        at += word.len();
        // A word of one script is a word of another language.
        if name.is_ascii() || !name.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            continue;
        }
        let Some(read) = as_read(name) else { continue };
        let declared = subject.client_tools().chain(subject.other_tools().map(|(_, name, span)| (name, span)));
        if let Some((_, other)) = declared.into_iter().find(|(other, _)| *other == read) {
            let span = within(subject.sources, prose.node.span, prose.text, start..start + name.len());
            report(subject, name, span, &read, Some(other), findings);
        }
    }
}

fn report(subject: &Subject<'_>, name: &str, span: Span, meant: &str, other: Option<Span>, findings: &mut Findings) {
    let Some((char, letter)) = first(name) else { return };
    if findings.blames(&[Code::HiddenCharacter], span) {
        return;
    }
    let message = format!("`{name}` looks like `{meant}`, but has U+{:04X} for the letter `{letter}`", u32::from(char));
    let mut diagnostic = Diagnostic::new(Code::ConfusableName, span, message);
    diagnostic.rule = subject.rule_at(span);
    if let Some(other) = other.filter(|other| *other != span) {
        diagnostic = diagnostic.related(other, "the name that it looks like");
    }
    let read = as_read(name).unwrap_or_default();
    findings.push(if subject.sources.text(span) == name {
        diagnostic.did_you_mean(&read)
    } else {
        diagnostic.help("write it in Latin letters")
    });
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{codes, of, spots};

    #[test]
    fn names_of_one_script_are_names() {
        let found = of("
catalog:
  client_tools: [запуск, 検索, größe, rename]
  models: [модель-1]
contributors:
  - {id: a, description: x, match: {families: [модель-]}, content: 'Привет, как дела? Тест rename.'}
trailing:
  - {id: b, when: {has_client_tool: запуск}, text: x}
");
        assert_eq!(codes(&found), [""; 0]);
    }

    #[test]
    fn a_name_that_nobody_has_in_latin_letters_is_only_unknown() {
        let found = of("
catalog: {client_tools: [readPage]}
trailing: [{id: a, when: {has_client_tool: отсутствуеt}, text: x}]
");
        assert_eq!(codes(&found), ["unknown-client-tool"]);
    }

    #[test]
    fn every_place_of_a_name_is_told_once() {
        let found = of("
catalog:
  client_tools: [runTests]
  tool_groups: {tests: [runТests]}
trailing:
  - {id: a, when: {any: [{has_client_tool: runТests}, {has_any_client_tool: [$tests]}]}, text: Use runТests twice.}
");
        assert_eq!(spots(&found, Code::ConfusableName), ["runТests"; 3]);
        assert_eq!(codes(&found).len(), 3);
    }

    #[test]
    fn the_declaration_is_to_blame_if_rules_have_the_plain_name() {
        let found = of("
catalog: {client_tools: [runТests, readPage]}
trailing:
  - {id: a, when: {has_client_tool: runTests}, text: x}
  - {id: b, when: {has_client_tool: read_page}, text: y}
");
        assert_eq!(codes(&found), ["confusable-name", "unknown-client-tool"]);
        assert_eq!(spots(&found, Code::ConfusableName), ["runТests"]);
    }

    #[test]
    fn literals_are_compared_with_models_in_their_own_form() {
        let found = of("
catalog: {models: [Vendor/Claude-Opus-4.8]}
contributors:
  - id: a
    description: x
    match: {model: {normalize: [vendor, lowercase, dashes], any: [{prefix: сlaude-opus-4-8}, {suffix: -４-8}, {contains: gрt}]}}
    content: x
");
        assert_eq!(spots(&found, Code::ConfusableName), ["сlaude-opus-4-8", "-４-8"]);
        assert_eq!(codes(&found).len(), 2);
    }
}
