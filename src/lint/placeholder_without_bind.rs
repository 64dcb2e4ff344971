#![doc = include_str!("pages/placeholder-without-bind.md")]

use rustc_hash::FxHashSet;

use super::prose::Prose;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::within;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let mut prose = subject.prose_with("{{").filter(|prose| !prose.binds && prose.text.contains("{{")).peekable();
    if prose.peek().is_none() {
        return;
    }
    let names = known(subject);
    for prose in prose {
        report(subject, prose, &names, findings);
    }
}

/// Names that somebody may take for variables: what rules bind, and tools.
fn known<'a>(subject: &Subject<'a>) -> FxHashSet<&'a str> {
    let layers = subject.layers().flat_map(|layer| layer.bindings);
    let universal = subject.rules.lines.iter().chain(&subject.rules.blocks).flat_map(|rule| &rule.bindings);
    let bindings = layers.chain(universal).map(|binding| binding.name.as_ref());
    let other = subject.other_tools().map(|(_, name, _)| name);
    bindings.chain(subject.client_tools().map(|(name, _)| name)).chain(other).collect()
}

fn report(subject: &Subject<'_>, prose: &Prose<'_>, names: &FxHashSet<&str>, findings: &mut Findings) {
    for (at, _) in prose.text.match_indices("{{") {
        let Some((before, rest)) = prose.text.split_at_checked(at) else { continue };
        let Some((name, _)) = rest.strip_prefix("{{").and_then(|rest| rest.split_once("}}")) else { continue };
        if before.ends_with('{') || !names.contains(name.trim()) {
            continue;
        }
        let span = within(subject.sources, prose.node.span, prose.text, at..at + name.len() + 4);
        let message = format!("`{{{{{name}}}}}` stays as it is, since nothing binds `{}` here", name.trim());
        let diagnostic = Diagnostic::new(Code::PlaceholderWithoutBind, span, message)
            .help("bind the name under `bind` of the rule whose own string this is");
        findings.push(Diagnostic { rule: prose.rule.map(str::to_owned), ..diagnostic });
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{of, spots};

    #[test]
    fn braces_of_other_things_are_ordinary() {
        let found = of("
catalog: {client_tools: [readPage]}
trailing:
  - {id: a, text: '{{ other }} {{readPage} {readPage}} {{{readPage}}} {{read\n\nPage}} {{'}
  - {id: b, bind: {page: {first_client_tool: [readPage]}}, when: {has_client_tool: readPage}, text: '{{page}} {{{{page}}'}
");
        assert_eq!(spots(&found, Code::PlaceholderWithoutBind), [""; 0]);
    }

    #[test]
    fn steps_never_bind() {
        let found = of(r#"
catalog: {client_tools: [readPage]}
base:
  bind: {page: {first_client_tool: [readPage]}}
  sections: {tone: {action: transform, steps: [{append: "\n{{page}}"}, {replace: {pattern: x, with: "{{readPage}}"}}]}}
  content: '{{page}}'
"#);
        assert_eq!(spots(&found, Code::PlaceholderWithoutBind).len(), 2, "one for each step, none for the content");
    }
}
