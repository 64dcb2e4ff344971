//! What the documents declare: every name once, whatever its rule is like.

use indexmap::IndexMap;
use indexmap::map::Entry as Slot;
use rustc_hash::FxBuildHasher;

use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Entry, Node};
use crate::source::Span;

/// Declarations by name, in written order.
pub(super) type Declared<'a, T> = IndexMap<&'a str, T, FxBuildHasher>;

/// All names of one set.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub(super) client_tools: Declared<'a, Span>,
    pub(super) other_tools: Declared<'a, Span>,
    pub(super) tool_groups: Declared<'a, &'a Entry>,
    pub(super) settings: Declared<'a, &'a Entry>,
    pub(super) models: Declared<'a, Span>,
    pub(super) model_groups: Declared<'a, &'a Entry>,
    pub(super) texts: Declared<'a, &'a Entry>,
    pub(super) contributors: Declared<'a, &'a Node>,
}

impl<'a> Names<'a> {
    pub(super) fn collect(documents: &'a [Document], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut names = Self::default();
        for document in documents {
            if let Some(catalog) = document.root.get("catalog") {
                names.add_catalog(catalog, diagnostics);
            }
            let texts = document.root.get("texts").map_or(&[][..], Node::entries);
            add_entries(&mut names.texts, "shared text", texts, diagnostics);
        }
        names.add_ids(documents, diagnostics);
        names
    }

    fn add_catalog(&mut self, catalog: &'a Node, diagnostics: &mut Vec<Diagnostic>) {
        let items = |key| catalog.get(key).map_or(&[][..], Node::items);
        let entries = |key| catalog.get(key).map_or(&[][..], Node::entries);
        for tool in items("client_tools") {
            add_tool(&mut self.client_tools, &self.other_tools, tool, diagnostics);
        }
        for tool in entries("other_tools").iter().flat_map(|entry| entry.value.items()) {
            add_tool(&mut self.other_tools, &self.client_tools, tool, diagnostics);
        }
        for model in items("models") {
            if let Some(name) = model.as_str() {
                add(&mut self.models, "model", name, model.span, model.span, |span| *span, diagnostics);
            }
        }
        add_entries(&mut self.tool_groups, "tool group", entries("tool_groups"), diagnostics);
        add_entries(&mut self.settings, "setting", entries("settings"), diagnostics);
        add_entries(&mut self.model_groups, "model group", entries("model_groups"), diagnostics);
    }

    /// Ids of contributors, lines and blocks are one name space; those of policies are another.
    fn add_ids(&mut self, documents: &'a [Document], diagnostics: &mut Vec<Diagnostic>) {
        let mut rules = Declared::default();
        for list in ["contributors", "tool_instructions", "trailing"] {
            add_list(&mut rules, documents, list, diagnostics);
        }
        add_list(&mut Declared::default(), documents, "policies", diagnostics);
        for (name, node) in ids(documents, "contributors") {
            self.contributors.entry(name).or_insert(node.1);
        }
    }
}

fn ids<'a>(documents: &'a [Document], list: &str) -> impl Iterator<Item = (&'a str, (Span, &'a Node))> {
    documents.iter().filter_map(move |document| document.root.get(list)).flat_map(Node::items).filter_map(|rule| {
        let id = rule.get("id")?;
        Some((id.as_str()?, (id.span, rule)))
    })
}

fn add_list<'a>(
    rules: &mut Declared<'a, Span>,
    documents: &'a [Document],
    list: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (name, (span, _)) in ids(documents, list) {
        match rules.entry(name) {
            Slot::Vacant(slot) => _ = slot.insert(span),
            Slot::Occupied(first) => diagnostics.push(
                Diagnostic::new(Code::DuplicateId, span, format!("the id `{name}` is used twice"))
                    .rule(name)
                    .related(*first.get(), "first used here"),
            ),
        }
    }
}

fn add_tool<'a>(
    tools: &mut Declared<'a, Span>,
    others: &Declared<'a, Span>,
    tool: &'a Node,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(name) = tool.get("name").or(Some(tool)).filter(|name| name.as_str().is_some()) else { return };
    let Some(text) = name.as_str() else { return };
    match others.get(text) {
        Some(first) => diagnostics.push(declared_twice("tool", text, name.span, *first)),
        None => add(tools, "tool", text, name.span, name.span, |span| *span, diagnostics),
    }
}

fn add_entries<'a>(
    declared: &mut Declared<'a, &'a Entry>,
    what: &str,
    entries: &'a [Entry],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for entry in entries {
        add(declared, what, &entry.key, entry.key_span, entry, |first| first.key_span, diagnostics);
    }
}

fn add<'a, T>(
    declared: &mut Declared<'a, T>,
    what: &str,
    name: &'a str,
    span: Span,
    value: T,
    place: impl Fn(&T) -> Span,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match declared.entry(name) {
        Slot::Vacant(slot) => _ = slot.insert(value),
        Slot::Occupied(first) => diagnostics.push(declared_twice(what, name, span, place(first.get()))),
    }
}

fn declared_twice(what: &str, name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::DuplicateName, span, format!("the {what} `{name}` is declared twice"))
        .related(first, "first declared here")
}
