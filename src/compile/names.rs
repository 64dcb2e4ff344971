//! What the documents declare: every name once, whatever its rule is like.

use indexmap::IndexMap;
use indexmap::map::Entry as Slot;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Entry, Node, Value};
use crate::source::Span;

/// Declarations by name, in written order.
pub(super) type Declared<'a, T> = IndexMap<&'a str, T, FxBuildHasher>;

/// What declarations under a key look like.
#[derive(Clone, Copy)]
enum Form {
    Mapping,
    List,
    /// Nothing is declared there.
    Other,
}

const TOP_LEVEL: [(&str, Form); 11] = [
    ("version", Form::Other),
    ("include", Form::Other),
    ("catalog", Form::Other),
    ("texts", Form::Mapping),
    ("base", Form::Other),
    ("contributors", Form::List),
    ("tool_instructions", Form::Other),
    ("trailing", Form::Other),
    ("tool_search", Form::Other),
    ("policies", Form::Other),
    ("lint", Form::Other),
];

const CATALOG: [(&str, Form); 6] = [
    ("client_tools", Form::List),
    ("other_tools", Form::Mapping),
    ("tool_groups", Form::Mapping),
    ("settings", Form::Mapping),
    ("models", Form::Other),
    ("model_groups", Form::Mapping),
];

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
    /// What stands where the schema stage found no place for it: under a misspelt key, for instance.
    /// Names among this may well have been declared there, so nothing is said about them.
    lost: FxHashSet<&'a str>,
}

impl<'a> Names<'a> {
    pub(super) fn collect(documents: &'a [Document], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut names = Self::default();
        for document in documents {
            if let Some(catalog) = document.root.get("catalog") {
                names.add_catalog(catalog, diagnostics);
            }
            names.lose(&document.root);
            let texts = document.root.get("texts").map_or(&[][..], Node::entries);
            add_entries(&mut names.texts, "shared text", texts, diagnostics);
        }
        names.add_ids(documents, diagnostics);
        names
    }

    /// Whether a name may have been declared where a fault hides it.
    pub(super) fn is_lost(&self, name: &str) -> bool {
        self.lost.contains(name)
    }

    /// Collects what a faulty file may have meant to declare.
    fn lose(&mut self, root: &'a Node) {
        if !root.faulty {
            return;
        }
        self.lose_unknown(root, &TOP_LEVEL);
        if let Some(catalog) = root.get("catalog") {
            self.lose_unknown(catalog, &CATALOG);
        }
        let rules = root.get("contributors").map_or(&[][..], Node::items).iter();
        rules.filter(|rule| rule.get("id").is_none()).for_each(|rule| self.lose_strings(rule));
    }

    /// Everything below a key that is not known, or whose value has not the form of declarations.
    fn lose_unknown(&mut self, mapping: &'a Node, known: &[(&str, Form)]) {
        if !matches!(mapping.value, Value::Mapping(_)) {
            return self.lose_all(mapping);
        }
        for entry in mapping.entries() {
            let form = known.iter().find(|(key, _)| *key == entry.key).map(|(_, form)| form);
            let is_sound = match (form, &entry.value.value) {
                (Some(Form::Mapping), Value::Mapping(_)) | (Some(Form::List), Value::Sequence(_)) => true,
                (Some(Form::Other), _) => true,
                (Some(Form::Mapping | Form::List) | None, _) => false,
            };
            if !is_sound {
                self.lose_all(&entry.value);
            }
            // Below an empty key, at its own column, stand what were to be declarations.
            if form.is_none() {
                self.lost.insert(&entry.key);
            }
        }
    }

    fn lose_all(&mut self, node: &'a Node) {
        self.lost.extend(node.as_str());
        for entry in node.entries() {
            self.lost.insert(&entry.key);
            self.lose_all(&entry.value);
        }
        node.items().iter().for_each(|item| self.lose_all(item));
    }

    /// The strings of a rule without an `id`: one of them may be it, under a misspelt key.
    fn lose_strings(&mut self, rule: &'a Node) {
        self.lost.extend(rule.entries().iter().filter_map(|entry| entry.value.as_str()));
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
        let lists = ["contributors", "tool_instructions", "trailing"];
        let count = lists.iter().flat_map(|list| lists_of(documents, list)).map(<[Node]>::len).sum();
        let mut rules = Declared::with_capacity_and_hasher(count, FxBuildHasher);
        for list in lists {
            add_list(&mut rules, documents, list, diagnostics);
        }
        add_list(&mut Declared::default(), documents, "policies", diagnostics);
        for (name, node) in ids(documents, "contributors") {
            self.contributors.entry(name).or_insert(node.1);
        }
    }
}

fn ids<'a>(documents: &'a [Document], list: &str) -> impl Iterator<Item = (&'a str, (Span, &'a Node))> {
    lists_of(documents, list).flatten().filter_map(|rule| {
        let id = rule.get("id")?;
        Some((id.as_str()?, (id.span, rule)))
    })
}

/// The items under a top-level key, by document.
pub(super) fn lists_of<'a>(documents: &'a [Document], list: &str) -> impl Iterator<Item = &'a [Node]> {
    documents.iter().filter_map(move |document| document.root.get(list)).map(Node::items)
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
