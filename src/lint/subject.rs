//! What the checks look at, and the walks that several of them share.

use crate::load::{Document, Loaded, Node};
use crate::rules::RuleSet;
use crate::source::Sources;

/// A rule set that loaded, with everything that is known of it.
pub(super) struct Subject<'a> {
    pub(super) sources: &'a Sources,
    pub(super) documents: &'a [Document],
    pub(super) rules: &'a RuleSet,
}

impl<'a> Subject<'a> {
    pub(super) fn new(loaded: &'a Loaded) -> Self {
        Self { sources: &loaded.sources, documents: &loaded.documents, rules: &loaded.rules }
    }

    /// The nodes that an `allow` may stand on: contributors, lines, blocks and the base.
    pub(super) fn rule_nodes(&self) -> impl Iterator<Item = &'a Node> {
        self.documents.iter().flat_map(|document| {
            let lists = ["contributors", "tool_instructions", "trailing"];
            let rules = lists.into_iter().filter_map(|list| document.root.get(list)).flat_map(Node::items);
            document.root.get("base").into_iter().chain(rules)
        })
    }
}
