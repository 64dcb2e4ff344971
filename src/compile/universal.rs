//! Universal tool-instruction lines and trailing blocks.

use super::contributors::{allow, description};
use super::names::lists_of;
use super::surrounding::surrounding_newlines;
use super::{Compiler, every};
use crate::load::{Document, Node};
use crate::rules::Line;

impl<'a> Compiler<'a> {
    /// The rules of one of the two lists, in order.
    pub(super) fn universal(&mut self, documents: &'a [Document], list: &str) -> Option<Vec<Line>> {
        let rules: Vec<&'a Node> = lists_of(documents, list).flatten().collect();
        every(rules.into_iter().map(|rule| self.in_rule(rule, |compiler| compiler.line(rule))))
    }

    fn line(&mut self, node: &'a Node) -> Option<Line> {
        let when = self.when(node);
        let bindings = self.bind(node);
        let written = node.get("text")?;
        let text = self.text(written)?;
        for diagnostic in surrounding_newlines(self.sources, &text, written) {
            self.report(diagnostic);
        }
        let id = node.get("id")?;
        Some(Line {
            id: id.as_str()?.into(),
            span: id.span,
            description: description(node),
            when: when?,
            bindings: bindings?,
            text,
            allow: allow(node),
        })
    }
}
