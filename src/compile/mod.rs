//! The door between front end and run time: documents → [`RuleSet`], collecting every error.
//!
//! A document here is a spanned tree that keeps to the schema. There is no second set of types
//! for it: the schema already says what a document is, and the tree still knows every place.
//! Where the schema stage found a fault, there is nothing to compile and nothing more to say; the
//! rest of the rule is compiled all the same, so that every other fault is found as well.

mod bindings;
mod catalog;
mod contributors;
mod gates;
mod lint;
mod matchers;
mod names;
mod order;
mod policies;
mod suggest;
mod surrounding;
mod texts;
mod tool_search;
mod universal;

use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::Diagnostic;
use crate::load::{Document, Node};
use crate::rules::{Binding, Catalog, ModelGroup, ModelIndex, RuleSet, SettingId, SharedText, ToolId};
use crate::source::{Sources, Span};

pub(crate) use matchers::regex;
pub(crate) use suggest::{meant_boolean, meant_number, nearest};

use names::Names;
use suggest::Suggestions;

/// A name in a rule file, for findings about names.
#[derive(Clone, Debug)]
pub struct Mention {
    /// The name as written.
    pub name: Arc<str>,
    /// Its place.
    pub span: Span,
    /// The id of the rule that says it, if a rule does.
    pub rule: Option<Arc<str>>,
}

/// Every place where a rule file names a tool or a tool group, in order.
#[derive(Debug, Default)]
pub struct Mentions {
    /// Names in gates, bindings, groups and lists of client tools.
    pub tools: Vec<Mention>,
    /// Uses of tool groups, without the `$`.
    pub tool_groups: Vec<Mention>,
}

/// Compiles the documents of one set, in include order; `root` stands for the set as a whole.
///
/// Gives a rule set only if it finds no error; the errors are added to `diagnostics`.
pub(crate) fn compile(
    sources: &Sources,
    documents: &[Document],
    root: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(RuleSet, Mentions)> {
    let before = diagnostics.len();
    let names = Names::collect(documents, diagnostics);
    let compiler = Compiler {
        sources,
        names,
        suggestions: Suggestions::default(),
        diagnostics,
        catalog: Catalog::default(),
        mentions: Mentions::default(),
        tool_groups: FxHashMap::default(),
        expanded: 0,
        allowed: FxHashMap::default(),
        model_groups: FxHashMap::default(),
        texts: FxHashMap::default(),
        bindings: None,
        rule: None,
    };
    let compiled = compiler.rule_set(documents, root);
    compiled.filter(|_| diagnostics.len() == before)
}

/// The state of one compilation.
struct Compiler<'a> {
    sources: &'a Sources,
    names: Names<'a>,
    suggestions: Suggestions,
    diagnostics: &'a mut Vec<Diagnostic>,
    catalog: Catalog,
    mentions: Mentions,
    tool_groups: FxHashMap<&'a str, Vec<ToolId>>,
    /// How many tools the lists of rules have come to so far.
    expanded: usize,
    /// The values of large `enum`s.
    allowed: FxHashMap<SettingId, FxHashSet<&'a str>>,
    /// Those that compiled.
    model_groups: FxHashMap<&'a str, Arc<ModelGroup>>,
    /// Those that compiled.
    texts: FxHashMap<&'a str, Arc<SharedText>>,
    /// What the current rule binds; nothing where braces are ordinary characters.
    bindings: Option<Box<[Arc<Binding>]>>,
    /// The id of the current rule.
    rule: Option<Arc<str>>,
}

impl<'a> Compiler<'a> {
    /// Every step runs, whatever an earlier one found; what depends on a failed part is left out.
    fn rule_set(mut self, documents: &'a [Document], root: Span) -> Option<(RuleSet, Mentions)> {
        self.compile_catalog();
        self.compile_texts();
        let base = self.base(documents, root);
        let contributors = self.contributors(documents);
        let lines = self.universal(documents, "tool_instructions");
        let blocks = self.universal(documents, "trailing");
        let tool_search = self.tool_search(documents);
        let policies = self.policies(documents);
        let lint = self.lint(documents);
        let index = ModelIndex::new(contributors.as_deref().unwrap_or_default());
        let rules = RuleSet {
            catalog: self.catalog,
            texts: self.names.texts.keys().filter_map(|name| self.texts.get(name).cloned()).collect(),
            base: base?,
            contributors: contributors?,
            lines: lines?,
            blocks: blocks?,
            tool_search: tool_search?,
            policies: policies?,
            lint: lint?,
            index,
            digest: OnceLock::new(),
        };
        Some((rules, self.mentions))
    }

    fn report(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.rule.is_none() {
            diagnostic.rule = self.rule.as_deref().map(str::to_owned);
        }
        self.diagnostics.push(diagnostic);
    }

    /// Compiles one rule: what it reports is about this rule, and what it binds ends with it.
    fn in_rule<T>(&mut self, node: &'a Node, compile: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.rule = node.get("id").and_then(Node::as_str).map(Into::into);
        let compiled = compile(self);
        self.rule = None;
        self.bindings = None;
        compiled
    }
}

/// All values, if each is there. Goes through all of them first, so that each can report.
fn every<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let mut sound = true;
    let mut all = Vec::with_capacity(values.size_hint().0);
    for value in values {
        sound &= value.is_some();
        all.extend(value);
    }
    sound.then_some(all)
}

/// The nodes of a value that is one or a list of them.
pub(crate) fn one_or_many(node: &Node) -> &[Node] {
    match &node.value {
        crate::load::Value::Sequence(items) => items,
        _ => std::slice::from_ref(node),
    }
}
