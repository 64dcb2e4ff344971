#![doc = include_str!("pages/unused-tool-group.md")]

use rustc_hash::FxHashSet;

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Node, Value};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let mut used: FxHashSet<&str> = subject.mentions.tool_groups.iter().map(|group| group.name.as_ref()).collect();
    for policies in subject.documents.iter().filter_map(|document| document.root.get("policies")) {
        add_groups(policies, &mut used);
    }
    let declared = subject.catalog("tool_groups").flat_map(Node::entries);
    for entry in declared.filter(|entry| !used.contains(entry.key.as_str())) {
        if findings.blames(&[Code::HiddenCharacter, Code::ConfusableName], entry.key_span) {
            continue;
        }
        let message = format!("nothing uses the tool group `{}`", entry.key);
        findings.push(
            Diagnostic::new(Code::UnusedToolGroup, entry.key_span, message)
                .help(format!("write `${}` in a list of tools, or remove the group", entry.key)),
        );
    }
}

/// Every `$name` below a node.
fn add_groups<'a>(node: &'a Node, used: &mut FxHashSet<&'a str>) {
    match &node.value {
        Value::String(text) => used.extend(text.strip_prefix('$')),
        Value::Sequence(items) => items.iter().for_each(|item| add_groups(item, used)),
        Value::Mapping(entries) => entries.iter().for_each(|entry| add_groups(&entry.value, used)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
