//! The `tool_search` of the set: when tools are deferred, and behind which one.

use super::Compiler;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Entry, Node, Value};
use crate::rules::{SettingId, SettingType, ToolSearch};

impl<'a> Compiler<'a> {
    /// Nothing wrong and no `tool_search` is `Some(None)`.
    pub(super) fn tool_search(&mut self, documents: &'a [Document]) -> Option<Option<ToolSearch>> {
        let found: Vec<&'a Entry> =
            documents.iter().filter_map(|document| document.root.entry("tool_search")).collect();
        let compiled: Vec<Option<ToolSearch>> = found.iter().map(|entry| self.one_tool_search(entry)).collect();
        let Some((first, others)) = found.split_first() else { return Some(None) };
        for second in others {
            let message = "the rule set has a second `tool_search`";
            self.report(
                Diagnostic::new(Code::DuplicateToolSearch, second.key_span, message)
                    .related(first.key_span, "the first one"),
            );
        }
        compiled.into_iter().next()?.map(Some)
    }

    fn one_tool_search(&mut self, entry: &'a Entry) -> Option<ToolSearch> {
        let node = &entry.value;
        self.in_rule(node, |compiler| {
            let enabled_setting =
                node.get("enabled_setting").and_then(|setting| compiler.setting_of_type(setting, SettingType::Boolean));
            let threshold_setting = match node.get("threshold_setting") {
                None => Some(None),
                Some(setting) => compiler.setting_of_type(setting, SettingType::Number).map(Some),
            };
            let supported_models = node.get("supported_models").and_then(|models| compiler.matcher(models));
            let client_tool = node.get("client_tool").and_then(|tool| compiler.tool(tool));
            let never_defer = match node.get("never_defer") {
                None => Some(Box::default()),
                Some(tools) => compiler.tools(tools),
            };
            Some(ToolSearch {
                span: entry.key_span,
                enabled_setting: enabled_setting?,
                threshold_setting: threshold_setting?,
                defer_threshold: node.get("defer_threshold").map_or(Some(1), whole)?,
                supported_models: supported_models?,
                client_tool: client_tool?,
                runtime_tool: node.get("runtime_tool")?.as_str()?.into(),
                never_defer: never_defer?,
            })
        })
    }

    /// A setting that is named where only one type is of use.
    fn setting_of_type(&mut self, node: &'a Node, expected: SettingType) -> Option<SettingId> {
        let name = node.as_str()?;
        let id = self.setting(name, node.span)?;
        let setting = self.catalog.setting(id);
        if setting.value_type == expected {
            return Some(id);
        }
        let (found, declared) = (setting.value_type.as_str(), setting.span);
        let message = format!("the setting `{name}` is a {found}, and a {} belongs here", expected.as_str());
        self.report(Diagnostic::new(Code::SettingTypeMismatch, node.span, message).related(declared, "declared here"));
        None
    }
}

fn whole(node: &Node) -> Option<u64> {
    match &node.value {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the schema has whole numbers up to 2^53 only"
        )]
        Value::Number(number) => number.as_u64().or_else(|| number.as_f64().map(|number| number as u64)),
        _ => None,
    }
}
