//! One walk over all gates and strings, each with what leads to it.

use super::Exact;
use super::reach::{Part, Scope};
use crate::rules::{
    Action, FullPrompt, Gate, Item, Line, Override, Part as ItemPart, SectionRule, Template, Text, TextBody,
    TransformStep,
};

/// Comes to every gate and every string, in the order of the rules; to those of a shared text at each use.
pub(in crate::lint) trait Visitor<'a> {
    /// A gate; the scope is what leads to it.
    fn gate(&mut self, _exact: &mut Exact<'a>, _scope: &Scope<'a>, _gate: &'a Gate) {}

    /// A string of a text.
    fn string(&mut self, _exact: &mut Exact<'a>, _scope: &Scope<'a>, _template: &'a Template) {}

    /// A step of a transform.
    fn step(&mut self, _exact: &mut Exact<'a>, _scope: &Scope<'a>, _step: &'a TransformStep) {}
}

/// Goes through the base, the contributors, the lines and the blocks. What nobody comes to is left out.
pub(in crate::lint) fn walk<'a>(exact: &mut Exact<'a>, visitor: &mut impl Visitor<'a>) {
    let rules = exact.rules;
    let mut walk = Walk { exact, visitor };
    walk.layer(&mut Scope::universal(None), &rules.base.sections, rules.base.content.as_ref());
    for number in 0..rules.contributors.len() {
        walk.contributor(number);
    }
    for line in rules.lines.iter().chain(&rules.blocks) {
        walk.line(line);
    }
}

struct Walk<'w, 'a, V> {
    exact: &'w mut Exact<'a>,
    visitor: &'w mut V,
}

impl<'a, V: Visitor<'a>> Walk<'_, 'a, V> {
    fn contributor(&mut self, number: usize) {
        let Some(contributor) = self.exact.contributor(number) else { return };
        if let Some(when) = &contributor.when {
            let scope = self.exact.scope(number, Part::When);
            self.gate(&scope, when);
        }
        let mut scope = self.exact.scope(number, Part::Layer);
        self.layer(&mut scope, &contributor.sections, contributor.content.as_ref());
        if let Some(prompt) = &contributor.full_prompt {
            let mut scope = self.exact.scope(number, Part::FullPrompt);
            self.full_prompt(&mut scope, prompt);
        }
    }

    fn full_prompt(&mut self, scope: &mut Scope<'a>, prompt: &'a FullPrompt) {
        self.guarded(scope, prompt.when.as_ref(), |walk, scope| walk.text(scope, &prompt.text));
    }

    fn layer(&mut self, scope: &mut Scope<'a>, sections: &'a [SectionRule], content: Option<&'a Text>) {
        for rule in sections {
            for (before, chosen) in rule.overrides.iter().enumerate() {
                self.chosen(scope, rule, before, chosen);
            }
        }
        if let Some(content) = content {
            self.text(scope, content);
        }
    }

    fn chosen(&mut self, scope: &mut Scope<'a>, rule: &'a SectionRule, before: usize, chosen: &'a Override) {
        self.guarded(scope, chosen.when.as_ref(), |walk, scope| {
            scope.earlier = (before > 0).then_some((rule, before));
            match &chosen.action {
                Action::Replace(text) | Action::Append(text) | Action::Prepend(text) => walk.text(scope, text),
                Action::Transform(steps) => {
                    steps.iter().for_each(|step| walk.visitor.step(walk.exact, scope, step));
                }
                Action::Remove | Action::Preserve => {}
            }
            scope.earlier = None;
        });
    }

    fn line(&mut self, line: &'a Line) {
        let mut scope = Scope::universal(Some(&line.id));
        self.guarded(&mut scope, line.when.as_ref(), |walk, scope| walk.text(scope, &line.text));
    }

    fn text(&mut self, scope: &mut Scope<'a>, text: &'a Text) {
        match &text.body {
            TextBody::One(template) => self.string(scope, template),
            TextBody::List(items) => items.iter().for_each(|item| self.item(scope, item)),
        }
    }

    fn item(&mut self, scope: &mut Scope<'a>, item: &'a Item) {
        self.guarded(scope, item.when.as_ref(), |walk, scope| match &item.part {
            ItemPart::Template(template) => walk.string(scope, template),
            ItemPart::Shared(shared, place) => {
                let outer = scope.shared;
                scope.shared = outer.or(Some(*place));
                walk.text(scope, &shared.text);
                scope.shared = outer;
            }
            ItemPart::Parent => {}
        });
    }

    /// What lies behind an optional gate.
    fn guarded(
        &mut self,
        scope: &mut Scope<'a>,
        gate: Option<&'a Gate>,
        inner: impl FnOnce(&mut Self, &mut Scope<'a>),
    ) {
        if let Some(gate) = gate {
            self.gate(scope, gate);
            scope.gates.push(gate);
        }
        inner(self, scope);
        if gate.is_some() {
            scope.gates.pop();
        }
    }

    fn gate(&mut self, scope: &Scope<'a>, gate: &'a Gate) {
        if !scope.who.is_nobody() {
            self.visitor.gate(self.exact, scope, gate);
        }
    }

    fn string(&mut self, scope: &Scope<'a>, template: &'a Template) {
        if !scope.who.is_nobody() {
            self.visitor.string(self.exact, scope, template);
        }
    }
}
