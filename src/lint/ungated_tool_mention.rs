#![doc = include_str!("pages/ungated-tool-mention.md")]

use std::ops::Range;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::exact::{Exact, Scope, Visitor, walk};
use super::prose::Prose;
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::within;
use crate::rules::{Catalog, ConditionKind, Gate, Template, ToolId, TransformStep};
use crate::source::Span;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let names = Names::new(&subject.rules.catalog);
    let mut mentions: FxHashMap<Span, Vec<Mention<'_>>> = FxHashMap::default();
    for prose in &subject.prose {
        let found = names.mentions(prose.text);
        if !found.is_empty() {
            let mention = |(tool, range)| Mention { tool, range, prose };
            mentions.insert(prose.node.span, found.into_iter().map(mention).collect());
        }
    }
    if mentions.is_empty() {
        return;
    }
    let mut readers = Reader { mentions, found: IndexMap::default() };
    walk(&mut subject.exact.borrow_mut(), &mut readers);
    for ((scalar, tool), ungated) in readers.found {
        let mention = readers.mentions.get(&scalar).and_then(|all| all.iter().find(|one| one.tool == tool));
        findings.extend(mention.map(|mention| diagnostic(subject, mention, ungated)));
    }
}

/// A name of a client tool in a string.
struct Mention<'a> {
    tool: ToolId,
    range: Range<usize>,
    prose: &'a Prose<'a>,
}

/// A mention that some session reads without having the tool.
struct Ungated {
    context: Context,
    rule: Option<Box<str>>,
    used: Option<Span>,
}

struct Reader<'a> {
    mentions: FxHashMap<Span, Vec<Mention<'a>>>,
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

fn diagnostic(subject: &Subject<'_>, mention: &Mention<'_>, ungated: Ungated) -> Diagnostic {
    let Prose { node, text, .. } = mention.prose;
    let span = within(subject.sources, node.span, text, mention.range.clone());
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

/// The client tools of a catalog, as words to look for.
struct Names<'a> {
    words: FxHashMap<&'a str, ToolId>,
    /// Names that are more than one word.
    phrases: Vec<(&'a str, ToolId)>,
}

impl<'a> Names<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let names = catalog.client_tools().iter().map(|tool| (catalog.tool_name(*tool), *tool));
        let (words, phrases) =
            names.filter(|(name, _)| !name.is_empty()).partition::<Vec<_>, _>(|(name, _)| name.chars().all(is_word));
        Self { words: words.into_iter().collect(), phrases }
    }

    /// The names in a text, with their places.
    fn mentions(&self, text: &str) -> Vec<(ToolId, Range<usize>)> {
        let mut found: Vec<(ToolId, Range<usize>)> = Vec::new();
        for (start, word) in words(text) {
            let place = start..start + word.len();
            if let Some(tool) = self.words.get(word).filter(|_| counts(text, word, &place)) {
                found.push((*tool, place));
            }
        }
        for (name, tool) in &self.phrases {
            let places = text.match_indices(name).map(|(start, _)| start..start + name.len());
            found.extend(
                places.filter(|place| is_whole(text, place) && counts(text, name, place)).map(|place| (*tool, place)),
            );
        }
        found
    }
}

fn is_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// The runs of letters, digits and `_`, with where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(|letter| !is_word(letter)).filter_map(move |word| {
        // Offset by the separator that ended the word before.
        let start = at;
        at = start + word.len();
        at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

fn before<'t>(text: &'t str, place: &Range<usize>) -> Option<char> {
    text.get(..place.start).and_then(|before: &'t str| before.chars().next_back())
}

fn after<'t>(text: &'t str, place: &Range<usize>) -> Option<char> {
    text.get(place.end..).and_then(|after: &'t str| after.chars().next())
}

fn is_whole(text: &str, place: &Range<usize>) -> bool {
    !before(text, place).is_some_and(is_word) && !after(text, place).is_some_and(is_word)
}

/// Names that are ordinary words count only in backticks. A name in double braces stands for a value.
fn counts(text: &str, name: &str, place: &Range<usize>) -> bool {
    if text.get(..place.start).is_some_and(|before| before.trim_end().ends_with("{{")) {
        return false;
    }
    let ordinary = !name.chars().any(char::is_uppercase);
    !ordinary || before(text, place) == Some('`') && matches!(after(text, place), Some('`' | '('))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{of, spots};
    use super::words;
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

    #[test]
    fn words_keep_their_places() {
        let found: Vec<(usize, &str)> = words("é a_1, 中b").collect();
        assert_eq!(found, [(0, "é"), (3, "a_1"), (8, "中b")]);
    }
}
