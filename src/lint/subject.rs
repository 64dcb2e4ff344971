//! What the checks look at, and the walks that several of them share.

use std::sync::OnceLock;

use super::exact::{Purpose, matchers};
use super::layers::Layer;
use super::models::{Taken, taken};
use super::prose::{self, Prose};
use super::spoken::{Spoken, spoken};
use super::written::can_say;
use crate::compile::Mentions;
use crate::load::{Document, Loaded, Node};
use crate::rules::{Matcher, RuleSet};
use crate::source::{FileId, Sources, Span};

/// A rule set that loaded, with everything that is known of it.
pub(super) struct Subject<'a> {
    pub(super) sources: &'a Sources,
    pub(super) documents: &'a [Document],
    pub(super) rules: &'a RuleSet,
    pub(super) mentions: &'a Mentions,
    /// Files of the folder that nothing includes, in path order.
    pub(super) left_out: Vec<FileId>,
    prose: OnceLock<Vec<Prose<'a>>>,
    taken: OnceLock<Vec<Taken<'a>>>,
    matchers: OnceLock<Vec<(Purpose, &'a Matcher)>>,
    spoken_tools: OnceLock<Spoken<'a>>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(loaded: &'a Loaded, left_out: Vec<FileId>) -> Self {
        Self {
            sources: &loaded.sources,
            documents: &loaded.documents,
            rules: &loaded.rules,
            mentions: &loaded.mentions,
            left_out,
            prose: OnceLock::new(),
            taken: OnceLock::new(),
            matchers: OnceLock::new(),
            spoken_tools: OnceLock::new(),
        }
    }

    /// Every string of every text, as written, in the order of the files.
    pub(super) fn prose(&self) -> &[Prose<'a>] {
        self.prose.get_or_init(|| prose::all(self.documents))
    }

    /// Every known model with the contributor that takes it.
    pub(super) fn taken(&self) -> &[Taken<'a>] {
        self.taken.get_or_init(|| taken(self))
    }

    /// Every compiled matcher, with what it is for.
    pub(super) fn matchers(&self) -> &[(Purpose, &'a Matcher)] {
        self.matchers.get_or_init(|| matchers(self.rules))
    }

    /// The client tools that the strings name.
    pub(super) fn spoken_tools(&self) -> &Spoken<'a> {
        self.spoken_tools.get_or_init(|| spoken(&self.rules.catalog, self.prose()))
    }

    /// Those of the strings whose file can have this in a value.
    pub(super) fn prose_with(&self, piece: &'static str) -> impl Iterator<Item = &Prose<'a>> {
        let files = self.prose().chunk_by(|left, right| left.file == right.file);
        let files = files.filter(move |prose| {
            prose.first().is_some_and(|first| can_say(self.sources.file(first.file).text(), piece))
        });
        files.flatten()
    }

    /// The files that can have this in a key or value.
    pub(super) fn documents_with(&self, piece: &'static str) -> impl Iterator<Item = &'a Document> {
        self.documents.iter().filter(move |document| can_say(self.sources.file(document.file).text(), piece))
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

/// Contributors, lines, blocks, policies and the base, as written.
pub(super) fn rule_nodes(document: &Document) -> impl Iterator<Item = &Node> {
    let lists = ["contributors", "tool_instructions", "trailing", "policies"];
    let rules = lists.into_iter().filter_map(|list| document.root.get(list)).flat_map(Node::items);
    document.root.get("base").into_iter().chain(rules)
}

/// The id of the rule that a place lies in, where that rule has one.
pub(super) fn rule_at(documents: &[Document], place: Span) -> Option<String> {
    let document = documents.iter().find(|document| document.file == place.file)?;
    let rule = rule_nodes(document).find(|rule| rule.span.contains(place))?;
    rule.get("id")?.as_str().map(str::to_owned)
}
