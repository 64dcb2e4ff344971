//! What a rule binds, and the strings that use it.

use std::ops::Range;
use std::sync::Arc;

use super::{Compiler, every, nearest};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Entry, Node};
use crate::rules::{Binding, BindingSource, Piece, SettingType, Template};

impl<'a> Compiler<'a> {
    /// The `bind` of a rule. From here on, and until the rule ends, its strings may use the names.
    pub(super) fn bind(&mut self, rule: &'a Node) -> Option<Box<[Arc<Binding>]>> {
        let Some(bind) = rule.get("bind") else { return Some(Box::default()) };
        let bindings = every(bind.entries().iter().map(|entry| self.binding(entry)));
        // Without a rule's bindings nothing can be said of its strings.
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
        let mut sound = true;
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
                    sound = false;
                    rest = after;
                }
            }
        }
        plain.push_str(rest);
        pieces.extend(literal(&plain));
        sound.then_some(pieces)
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
        let closed = after.split_once("}}").filter(|(name, _)| !name.contains("{{") && !name.contains('\n'));
        let Some((name, after)) = closed else {
            let message = "`{{` is not closed by `}}`";
            let help = "close it, or write `{{{{` for two braces";
            self.report_inside(node, text, opening..opening + 2, Code::UnclosedVariable, message, help);
            return None;
        };
        if let Some(binding) = bindings.iter().find(|binding| *binding.name == *name) {
            return Some((binding.clone(), after));
        }
        let help = match nearest(name, bindings.iter().map(|binding| binding.name.as_ref())) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "bind it under `bind`, or write `{{{{` for two braces".to_owned(),
        };
        let start = opening + 2;
        let message = format!("the rule binds no `{name}`");
        self.report_inside(node, text, start..start + name.len(), Code::UndefinedVariable, &message, &help);
        None
    }

    fn report_inside(
        &mut self,
        node: &'a Node,
        text: &str,
        range: Range<usize>,
        code: Code,
        message: &str,
        help: &str,
    ) {
        let span = crate::load::within(self.sources, node.span, text, range);
        self.report(Diagnostic::new(code, span, message).help(help));
    }
}

fn literal(text: &str) -> Option<Piece> {
    (!text.is_empty()).then(|| Piece::Literal(text.into()))
}
