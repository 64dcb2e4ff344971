#![doc = include_str!("pages/ungated-tool-mention.md")]

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::exact::{Exact, Part, Scope, Visitor, walk};
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
    let mut reader = Reader { exact, mentions, found: IndexMap::default() };
    walk(subject.rules, &mut reader);
    for ((scalar, tool), readers) in reader.found {
        let mention = mentions.get(&scalar).and_then(|all| all.iter().find(|one| one.tool == tool));
        if let (Some(mention), Some(ungated)) = (mention, readers.ungated) {
            findings.push(diagnostic(subject, scalar, mention, readers.some_have, ungated));
        }
    }
}

/// The sessions that read a mention, at all uses of its text.
#[derive(Default)]
struct Readers {
    /// Whether there are some with the tool.
    some_have: bool,
    /// The first use with some that lack it.
    ungated: Option<Ungated>,
}

/// A mention that some session reads without having the tool.
struct Ungated {
    context: Context,
    rule: Option<Box<str>>,
    used: Option<Span>,
    /// The gate that no session with the tool satisfies.
    ruled_out: Option<Span>,
}

struct Reader<'e, 'a> {
    exact: &'e mut Exact<'a>,
    mentions: &'e Spoken<'a>,
    /// By string and tool.
    found: IndexMap<(Span, ToolId), Readers, FxBuildHasher>,
}

impl<'a> Visitor<'a> for Reader<'_, 'a> {
    fn scope(&mut self, contributor: usize, part: Part) -> Scope<'a> {
        self.exact.scope(contributor, part)
    }

    fn string(&mut self, scope: &Scope<'a>, template: &'a Template) {
        if self.mentions.contains_key(&template.span) {
            let gives = self.exact.gives_string(template);
            self.read(scope, template.span, &gives);
        }
    }

    fn step(&mut self, scope: &Scope<'a>, step: &'a TransformStep) {
        let inside: Vec<Span> = self.mentions.keys().filter(|span| step.span.contains(**span)).copied().collect();
        for span in inside {
            self.read(scope, span, &Ok(Function::TRUE));
        }
    }
}

impl<'a> Reader<'_, 'a> {
    fn read(&mut self, scope: &Scope<'a>, span: Span, gives: &Answer<Function>) {
        // What a misspelt name was meant to guarantee is not known.
        if scope.gates.iter().any(|gate| self.exact.is_spoilt(gate)) {
            return;
        }
        let mentions = self.mentions;
        for mention in mentions.get(&span).into_iter().flatten() {
            let readers = self.found.entry((span, mention.tool)).or_default();
            if scope.gates.iter().any(|gate| demands(gate, mention.tool)) {
                readers.some_have = true;
                continue;
            }
            let name = self.exact.rules.catalog.tool_name(mention.tool);
            let asked = || format!("whether every session that reads this has `{name}`");
            let answer = gives.clone().and_then(|gives| hear(self.exact, scope, gives, name, readers));
            self.exact.decided(answer, span, scope.rule, asked);
        }
    }
}

/// Notes who reads a string at one more use: sessions that have the tool, and a smallest one that does not.
fn hear<'a>(
    exact: &mut Exact<'a>,
    scope: &Scope<'a>,
    gives: Function,
    tool: &str,
    readers: &mut Readers,
) -> Answer<()> {
    if readers.some_have && readers.ungated.is_some() {
        return Ok(());
    }
    let reaching = exact.reaching(scope)?;
    let read = exact.space.and(reaching, gives)?;
    let has = exact.space.tool(tool)?;
    if readers.ungated.is_none() {
        let lacks = exact.space.minus(read, has)?;
        let rule = scope.rule.map(Into::into);
        let witness = exact.witness(&scope.who, lacks)?;
        readers.ungated = witness.map(|context| Ungated { context, rule, used: scope.shared, ruled_out: None });
    }
    if !readers.some_have {
        let both = exact.space.and(read, has)?;
        readers.some_have = exact.possible(&scope.who, both)?;
    }
    if let Some(ungated) = readers.ungated.as_mut().filter(|_| !readers.some_have) {
        ungated.ruled_out = ungated.ruled_out.or(ruled_out(exact, scope, has)?);
    }
    Ok(())
}

/// The innermost gate that no session with the tool satisfies.
fn ruled_out<'a>(exact: &mut Exact<'a>, scope: &Scope<'a>, has: Function) -> Answer<Option<Span>> {
    for gate in scope.gates.iter().rev() {
        let holds = exact.gate(gate)?;
        let both = exact.space.and(holds, has)?;
        if !exact.space.satisfiable(both)? {
            return Ok(Some(gate.span));
        }
    }
    Ok(None)
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

fn diagnostic(
    subject: &Subject<'_>,
    scalar: Span,
    mention: &Mention<'_>,
    some_have: bool,
    ungated: Ungated,
) -> Diagnostic {
    let span = within(subject.sources, scalar, mention.text, mention.range.clone());
    let name = subject.rules.catalog.tool_name(mention.tool);
    let (message, help) = if some_have {
        (
            format!("this speaks of `{name}`, which not every session that reads it has"),
            format!("gate it with `has_client_tool: {name}`"),
        )
    } else {
        (
            format!("this speaks of `{name}`, which no session that reads it has"),
            "say it without the tool's name, or mend what keeps out the sessions that have it".to_owned(),
        )
    };
    let mut diagnostic = Diagnostic::new(Code::UngatedToolMention, span, message).help(help).witness(ungated.context);
    if let Some(gate) = ungated.ruled_out.filter(|_| !some_have) {
        diagnostic = diagnostic.related(gate, "holds only without it");
    }
    if let Some(used) = ungated.used {
        let label = if some_have { "used here without such a gate" } else { "used here" };
        diagnostic = diagnostic.related(used, label);
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
