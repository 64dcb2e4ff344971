//! What a rule binds, and the strings that use it.

use std::ops::Range;
use std::sync::Arc;

use super::{Compiler, every, nearest};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Entry, Node, Value, within};
use crate::rules::{Binding, BindingSource, Piece, SettingType, Template};

/// How many bytes may be gone through to find the places of one string's faults: each is looked for from
/// the string's beginning.
const MOST_BYTES: usize = 4 * 1024 * 1024;

impl<'a> Compiler<'a> {
    /// The `bind` of a rule. From here on, and until the rule ends, its strings may use the names.
    pub(super) fn bind(&mut self, rule: &'a Node) -> Option<Box<[Arc<Binding>]>> {
        let Some(bind) = rule.get("bind") else { return Some(Box::default()) };
        let Value::Mapping(entries) = &bind.value else { return None };
        let bindings = every(entries.iter().map(|entry| self.binding(entry)));
        // Where a binding is at fault, nothing can be said of variables: braces are ordinary characters.
        let bindings: Box<[_]> = bindings?.into();
        self.bindings = Some(bindings.clone());
        Some(bindings)
    }

    fn binding(&mut self, entry: &'a Entry) -> Option<Arc<Binding>> {
        let source = match entry.value.entries() {
            [only] if only.key == "first_client_tool" => BindingSource::FirstClientTool(self.tools(&only.value)?),
            [only] if only.key == "setting" => self.bound_setting(&only.value)?,
            _ => return None,
        };
        Some(Arc::new(Binding { name: entry.key.as_str().into(), span: entry.key_span, source }))
    }

    /// Free text from settings never reaches a prompt.
    fn bound_setting(&mut self, node: &'a Node) -> Option<BindingSource> {
        let name = node.as_str()?;
        let id = self.setting(name, node.span)?;
        let setting = self.catalog.setting(id);
        if setting.value_type == SettingType::String && setting.allowed.is_empty() {
            let declared = setting.span;
            self.report(
                Diagnostic::new(
                    Code::FreeTextSetting,
                    node.span,
                    format!("the setting `{name}` is free text, which never reaches a prompt"),
                )
                .related(declared, "declared without an `enum`")
                .help("give the setting an `enum` in the catalog, or test its values with `setting_equals`"),
            );
            return None;
        }
        Some(BindingSource::Setting(id))
    }

    /// A string of the current rule. Read once, left to right.
    pub(super) fn template(&mut self, node: &'a Node) -> Option<Template> {
        let text = node.as_str()?;
        let pieces = match self.bindings.clone() {
            None => literal(text).into_iter().collect(),
            Some(bindings) => self.pieces(node, text, &bindings)?.into(),
        };
        Some(Template { span: node.span, pieces })
    }

    fn pieces(&mut self, node: &'a Node, text: &str, bindings: &[Arc<Binding>]) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut faults = 0;
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            plain.push_str(before);
            if let Some(after) = after.strip_prefix("{{") {
                plain.push_str("{{");
                rest = after;
                continue;
            }
            let opening = text.len() - after.len() - 2;
            match self.variable(node, text, opening, after, bindings) {
                Some((binding, after)) => {
                    pieces.extend(literal(&std::mem::take(&mut plain)));
                    pieces.push(Piece::Variable(binding));
                    rest = after;
                }
                None => {
                    faults += 1;
                    rest = if faults * text.len() < MOST_BYTES { after } else { "" };
                }
            }
        }
        plain.push_str(rest);
        pieces.extend(literal(&plain));
        (faults == 0).then_some(pieces)
    }

    /// The binding that a `{{` at `opening` stands for, and the text after its `}}`.
    fn variable<'t>(
        &mut self,
        node: &'a Node,
        text: &'t str,
        opening: usize,
        after: &'t str,
        bindings: &[Arc<Binding>],
    ) -> Option<(Arc<Binding>, &'t str)> {
        let Some((name, after)) = closed(after) else {
            let span = within(self.sources, node.span, text, opening..opening + 2);
            let diagnostic = Diagnostic::new(Code::UnclosedVariable, span, "`{{` is not closed by `}}`");
            self.report(diagnostic.help("close it, or write `{{{{` for two braces"));
            return None;
        };
        if let Some(binding) = bindings.iter().find(|binding| *binding.name == *name) {
            return Some((binding.clone(), after));
        }
        self.undefined(node, text, opening..opening + 4 + name.len(), bindings);
        None
    }

    /// Reports a variable, with its braces at `range`, whose name is not bound.
    fn undefined(&mut self, node: &'a Node, text: &str, range: Range<usize>, bindings: &[Arc<Binding>]) {
        let inner = range.start + 2..range.end - 2;
        let name = text.get(inner.clone()).unwrap_or_default();
        let (place, message) = match name.trim() {
            "" => (range, "the name between the braces is missing".to_owned()),
            trimmed if trimmed != name && bindings.iter().any(|binding| *binding.name == *trimmed) => {
                (inner, format!("the name `{trimmed}` has blanks around it inside the braces"))
            }
            _ => (inner, format!("the rule binds no `{name}`")),
        };
        let span = within(self.sources, node.span, text, place);
        let diagnostic = Diagnostic::new(Code::UndefinedVariable, span, message);
        let meant = nearest(name, bindings.iter().map(|binding| binding.name.as_ref()));
        self.report(match meant.filter(|_| !name.trim().is_empty()) {
            Some(meant) if span == node.span => diagnostic.help(format!("did you mean `{meant}`?")),
            Some(meant) => diagnostic.did_you_mean_just(meant),
            None => diagnostic.help("bind the name under `bind`, or write `{{{{` for two braces"),
        });
    }
}

/// What stands before the next `}}`, and what behind it, if it is on the same line and before the next `{{`.
fn closed(text: &str) -> Option<(&str, &str)> {
    let pairs = text.as_bytes().windows(2);
    let end = pairs.take_while(|pair| !pair.starts_with(b"\n") && *pair != b"{{").position(|pair| pair == b"}}")?;
    Some((text.get(..end)?, text.get(end + 2..)?))
}

fn literal(text: &str) -> Option<Piece> {
    (!text.is_empty()).then(|| Piece::Literal(text.into()))
}
