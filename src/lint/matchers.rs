//! Every model matcher of a set, as written: those of contributors, gates, groups, tool search and policies.

use super::prose::one_or_many;
use crate::load::{Document, Node};

/// One condition of a matcher, at any depth.
#[derive(Clone, Copy)]
pub(super) struct Condition<'a> {
    /// `regex`, `prefix` and so on; `family` for a prefix of `match.families`.
    pub(super) key: &'a str,
    /// The pattern or literal.
    pub(super) node: &'a Node,
    /// Its value.
    pub(super) text: &'a str,
    /// Whether `.` and `_` are dashes where it is compared.
    pub(super) dashes: bool,
}

/// All conditions of these files, in their order.
pub(super) fn conditions<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Vec<Condition<'a>> {
    let mut found = Vec::new();
    for Document { root, .. } in documents {
        let groups = root.get("catalog").and_then(|catalog| catalog.get("model_groups"));
        for entry in groups.map_or(&[][..], Node::entries) {
            top(&entry.value, &mut found);
        }
        // The names of shared texts are no keys of rules.
        let texts = root.get("texts").map_or(&[][..], Node::entries);
        texts.iter().for_each(|entry| search(&entry.value, &mut found));
        for key in ["base", "contributors", "tool_instructions", "trailing", "policies"] {
            root.get(key).into_iter().for_each(|node| search(node, &mut found));
        }
        let supported = root.get("tool_search").and_then(|search| search.get("supported_models"));
        supported.into_iter().for_each(|matcher| top(matcher, &mut found));
    }
    found
}

/// Finds the keys that hold matchers: `match`, `when`, and `except` of policies.
fn search<'a>(node: &'a Node, found: &mut Vec<Condition<'a>>) {
    node.items().iter().for_each(|item| search(item, found));
    for entry in node.entries() {
        match entry.key.as_str() {
            "when" => gate(&entry.value, found),
            "match" => matching(&entry.value, found),
            "except" => entry.value.get("models").into_iter().for_each(|matcher| top(matcher, found)),
            _ => search(&entry.value, found),
        }
    }
}

fn matching<'a>(node: &'a Node, found: &mut Vec<Condition<'a>>) {
    node.get("model").into_iter().for_each(|matcher| top(matcher, found));
    let families = node.get("families").map_or(&[][..], Node::items);
    found.extend(
        families.iter().filter_map(|node| Some(Condition { key: "family", node, text: node.as_str()?, dashes: false })),
    );
}

fn gate<'a>(node: &'a Node, found: &mut Vec<Condition<'a>>) {
    for entry in node.entries() {
        match entry.key.as_str() {
            "model" => top(&entry.value, found),
            "all" | "any" | "not" => one_or_many(&entry.value).iter().for_each(|inner| gate(inner, found)),
            _ => {}
        }
    }
}

fn top<'a>(matcher: &'a Node, found: &mut Vec<Condition<'a>>) {
    let steps = matcher.get("normalize").map_or(&[][..], Node::items);
    pattern(matcher, steps.iter().any(|step| step.as_str() == Some("dashes")), found);
}

fn pattern<'a>(node: &'a Node, dashes: bool, found: &mut Vec<Condition<'a>>) {
    for entry in node.entries() {
        match entry.key.as_str() {
            "all" | "any" | "not" => {
                one_or_many(&entry.value).iter().for_each(|inner| pattern(inner, dashes, found));
            }
            key @ ("equals" | "prefix" | "suffix" | "contains" | "regex") => {
                let values = one_or_many(&entry.value).iter();
                found.extend(values.filter_map(|node| Some(Condition { key, node, text: node.as_str()?, dashes })));
            }
            _ => {}
        }
    }
}
