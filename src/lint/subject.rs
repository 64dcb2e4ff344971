//! What the checks look at, and the walks that several of them share.

use std::cell::RefCell;

use super::exact::Exact;
use super::layers::Layer;
use super::prose::{self, Prose};
use crate::compile::Mentions;
use crate::load::{Document, Loaded, Node};
use crate::rules::RuleSet;
use crate::source::{FileId, Sources, Span};

/// A rule set that loaded, with everything that is known of it.
pub(super) struct Subject<'a> {
    pub(super) sources: &'a Sources,
    pub(super) documents: &'a [Document],
    pub(super) rules: &'a RuleSet,
    pub(super) mentions: &'a Mentions,
    /// Files of the folder that nothing includes, in path order.
    pub(super) left_out: Vec<FileId>,
    /// Every string of every text, as written.
    pub(super) prose: Vec<Prose<'a>>,
    /// Exact answers; a check borrows them once.
    pub(super) exact: RefCell<Exact<'a>>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(loaded: &'a Loaded, left_out: Vec<FileId>) -> Self {
        Self {
            sources: &loaded.sources,
            documents: &loaded.documents,
            rules: &loaded.rules,
            mentions: &loaded.mentions,
            left_out,
            prose: prose::all(&loaded.documents),
            exact: RefCell::new(Exact::new(&loaded.rules)),
        }
    }

    /// The nodes that an `allow` may stand on: contributors, lines, blocks and the base.
    pub(super) fn rule_nodes(&self) -> impl Iterator<Item = &'a Node> {
        self.documents.iter().flat_map(rule_nodes)
    }

    /// The id of the rule that a place lies in, where that rule has one.
    pub(super) fn rule_at(&self, place: Span) -> Option<String> {
        rule_at(self.documents, place)
    }

    /// The base and all contributors.
    pub(super) fn layers(&self) -> impl Iterator<Item = Layer<'a>> {
        let contributors = self.rules.contributors.iter().map(|contributor| Layer::contributor(contributor));
        std::iter::once(Layer::base(&self.rules.base)).chain(contributors)
    }

    /// The values under a key of every file's `catalog`.
    pub(super) fn catalog(&self, key: &'static str) -> impl Iterator<Item = &'a Node> {
        self.documents.iter().filter_map(move |document| document.root.get("catalog")?.get(key))
    }

    /// The known models with the places that list them.
    pub(super) fn models(&self) -> impl Iterator<Item = (&'a str, Span)> {
        self.catalog("models").flat_map(Node::items).filter_map(|model| Some((model.as_str()?, model.span)))
    }

    /// The tools that are known but never client tools: kind, name and place.
    pub(super) fn other_tools(&self) -> impl Iterator<Item = (&'a str, &'a str, Span)> {
        self.catalog("other_tools").flat_map(Node::entries).flat_map(|kind| {
            let tools = kind.value.items().iter();
            tools.filter_map(|tool| Some((kind.key.as_str(), tool.as_str()?, tool.span)))
        })
    }

    /// The declared client tools with their places.
    pub(super) fn client_tools(&self) -> impl Iterator<Item = (&'a str, Span)> {
        self.catalog("client_tools").flat_map(Node::items).filter_map(|tool| {
            let name = tool.get("name").unwrap_or(tool);
            Some((name.as_str()?, name.span))
        })
    }
}

/// Contributors, lines, blocks and the base, as written.
fn rule_nodes(document: &Document) -> impl Iterator<Item = &Node> {
    let lists = ["contributors", "tool_instructions", "trailing"];
    let rules = lists.into_iter().filter_map(|list| document.root.get(list)).flat_map(Node::items);
    document.root.get("base").into_iter().chain(rules)
}

/// The id of the rule that a place lies in, where that rule has one.
pub(super) fn rule_at(documents: &[Document], place: Span) -> Option<String> {
    let document = documents.iter().find(|document| document.file == place.file)?;
    let rule = rule_nodes(document).find(|rule| rule.span.contains(place))?;
    rule.get("id")?.as_str().map(str::to_owned)
}
