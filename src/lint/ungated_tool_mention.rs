#![doc = include_str!("pages/ungated-tool-mention.md")]

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::exact::{Exact, Scope, Visitor, walk};
use super::report::Findings;
use super::spoken::{Mention, Spoken};
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::within;
use crate::rules::{ConditionKind, Gate, Template, ToolId, TransformStep};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let mentions = subject.spoken_tools();
    if mentions.is_empty() {
        return;
    }
    let mut readers = Reader { mentions, found: IndexMap::default() };
    walk(exact, &mut readers);
    for ((scalar, tool), ungated) in readers.found {
        let mention = mentions.get(&scalar).and_then(|all| all.iter().find(|one| one.tool == tool));
        findings.extend(mention.map(|mention| diagnostic(subject, scalar, mention, ungated)));
    }
}

/// A mention that some session reads without having the tool.
struct Ungated {
    context: Context,
    rule: Option<Box<str>>,
    used: Option<Span>,
}

struct Reader<'a> {
    mentions: &'a Spoken<'a>,
    /// By string and tool; the first use of a shared text counts.
    found: IndexMap<(Span, ToolId), Ungated, FxBuildHasher>,
}

impl<'a> Visitor<'a> for Reader<'_> {
    fn string(&mut self, exact: &mut Exact<'a>, scope: &Scope<'a>, template: &'a Template) {
        if self.mentions.contains_key(&template.span) {
            let gives = exact.gives_string(template);
            self.read(exact, scope, template.span, &gives);
        }
    }

    fn step(&mut self, exact: &mut Exact<'a>, scope: &Scope<'a>, step: &'a TransformStep) {
        let inside: Vec<Span> = self.mentions.keys().filter(|span| step.span.contains(**span)).copied().collect();
        for span in inside {
            self.read(exact, scope, span, &Ok(Function::TRUE));
        }
    }
}

impl Reader<'_> {
    fn read<'a>(&mut self, exact: &mut Exact<'a>, scope: &Scope<'a>, span: Span, gives: &Answer<Function>) {
        // What a misspelt name was meant to guarantee is not known.
        if scope.gates.iter().any(|gate| exact.is_spoilt(gate)) {
            return;
        }
        for mention in self.mentions.get(&span).into_iter().flatten() {
            let place = (span, mention.tool);
            let demanded = scope.gates.iter().any(|gate| demands(gate, mention.tool));
            if demanded || self.found.contains_key(&place) {
                continue;
            }
            let answer = gives.clone().and_then(|gives| without(exact, scope, gives, mention.tool));
            let name = exact.rules.catalog.tool_name(mention.tool);
            let asked = || format!("whether every session that reads this has `{name}`");
            if let Some(Some(context)) = exact.decided(answer, span, scope.rule, asked) {
                let rule = scope.rule.map(Into::into);
                self.found.insert(place, Ungated { context, rule, used: scope.shared });
            }
        }
    }
}

/// Whether a gate plainly asks for the tool.
fn demands(gate: &Gate, tool: ToolId) -> bool {
    gate.conditions.iter().any(|condition| match &condition.kind {
        ConditionKind::HasClientTool(name) => *name == tool,
        ConditionKind::HasAllClientTools(names) => names.contains(&tool),
        ConditionKind::All(gates) => gates.iter().any(|gate| demands(gate, tool)),
        ConditionKind::HasAnyClientTool(_)
        | ConditionKind::ToolSearchActive(_)
        | ConditionKind::Workspaceless(_)
        | ConditionKind::SettingEquals(_)
        | ConditionKind::SettingIn(_)
        | ConditionKind::SettingIsSet(_)
        | ConditionKind::Model(_)
        | ConditionKind::Any(_)
        | ConditionKind::Not(_) => false,
    })
}

/// A context that reads the string and does not have the tool.
fn without<'a>(exact: &mut Exact<'a>, scope: &Scope<'a>, gives: Function, tool: ToolId) -> Answer<Option<Context>> {
    let reaching = exact.reaching(scope)?;
    let read = exact.space.and(reaching, gives)?;
    let name = exact.rules.catalog.tool_name(tool);
    let has = exact.space.tool(name)?;
    let lacks = exact.space.minus(read, has)?;
    exact.witness(&scope.who, lacks)
}

fn diagnostic(subject: &Subject<'_>, scalar: Span, mention: &Mention<'_>, ungated: Ungated) -> Diagnostic {
    let span = within(subject.sources, scalar, mention.text, mention.range.clone());
    let name = subject.rules.catalog.tool_name(mention.tool);
    let message = format!("this speaks of `{name}`, which not every session that reads it has");
    let mut diagnostic = Diagnostic::new(Code::UngatedToolMention, span, message)
        .help(format!("gate it with `has_client_tool: {name}`"))
        .witness(ungated.context);
    if let Some(used) = ungated.used {
        diagnostic = diagnostic.related(used, "used here without such a gate");
    }
    Diagnostic { rule: ungated.rule.map(Into::into), ..diagnostic }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{of, spots};
    use crate::diagnostic::Code;

    fn spoken(text: &str) -> Vec<String> {
        let catalog = "catalog: {client_tools: [runTests, rename, github-search, öffneSeite]}";
        spots(&of(&format!("{catalog}\ntrailing: [{{id: l, text: {text}}}]\n")), Code::UngatedToolMention)
    }

    #[test]
    fn names_count_as_whole_words() {
        assert_eq!(spoken("'runTests, xrunTests, runTests_, runTests2.'"), ["runTests"]);
        assert_eq!(spoken("'(#runTests)'"), ["runTests"]);
        assert_eq!(spoken("'runTests once, runTests twice'"), ["runTests"], "once a text");
        assert_eq!(spoken("Die öffneSeite-Funktion."), ["öffneSeite"]);
        assert_eq!(spoken("runtests, RunTests"), [""; 0]);
    }

    #[test]
    fn ordinary_words_count_in_backticks() {
        assert_eq!(spoken("'To rename a symbol, `rename` it: `rename(a, b)`, not `git rename`.'"), ["rename"]);
        assert_eq!(spoken("Please rename it."), [""; 0]);
        assert_eq!(spoken("'Ask `github-search`, not github-searches.'"), ["github-search"]);
    }

    #[test]
    fn places_are_found_in_every_style() {
        assert_eq!(spoken("\"\\u00e9 it's `re\\u006eame`\""), ["re\\u006eame"]);
        assert_eq!(spoken("[Folded., {text: 'It''s runTests.'}]"), ["runTests"]);
    }
}
