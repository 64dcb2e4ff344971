//! One walk over every place where a gate, a matcher or a string stands, each with what leads to it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::reach::{Part, Place, Scope};
use crate::rules::{
    Action, Contributor, FullPrompt, Gate, Item, Line, Matcher, Override, Part as ItemPart, Policy, RuleSet,
    SectionRule, SharedText, Template, Text, TextBody, TransformStep,
};

/// What a matcher is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lint) enum Purpose {
    /// A named matcher of the catalog.
    Group,
    /// Whom a contributor takes.
    Contributor,
    /// A condition of a gate.
    Gate,
    /// Who can search for tools.
    ToolSearch,
    /// Whom a policy is not about.
    Exception,
}

/// Comes to every gate, matcher and string, in the order of the rules; to those of a shared text at each use.
pub(in crate::lint) trait Visitor<'a> {
    /// Who comes to a part of a contributor.
    fn scope(&mut self, contributor: usize, part: Part) -> Scope<'a>;

    /// A gate; the scope is what leads to it. The matchers in it are not come to apart.
    fn gate(&mut self, _scope: &Scope<'a>, _gate: &'a Gate) {}

    /// A matcher that is not part of a gate.
    fn matcher(&mut self, _purpose: Purpose, _matcher: &'a Matcher) {}

    /// A string of a text that some rule uses.
    fn string(&mut self, _scope: &Scope<'a>, _template: &'a Template) {}

    /// A step of a transform.
    fn step(&mut self, _scope: &Scope<'a>, _step: &'a TransformStep) {}
}

/// Goes through the whole set. Gates and strings that nobody comes to are left out.
pub(in crate::lint) fn walk<'a>(rules: &'a RuleSet, visitor: &mut impl Visitor<'a>) {
    let mut walk = Walk { visitor, used: FxHashSet::default() };
    rules.catalog.model_groups().iter().for_each(|group| walk.visitor.matcher(Purpose::Group, &group.matcher));
    walk.layer(&mut Scope::universal(None), &rules.base.sections, rules.base.content.as_ref());
    for (number, contributor) in rules.contributors.iter().enumerate() {
        walk.contributor(number, contributor);
    }
    rules.lines.iter().chain(&rules.blocks).for_each(|line| walk.line(line));
    if let Some(search) = &rules.tool_search {
        walk.visitor.matcher(Purpose::ToolSearch, &search.supported_models);
    }
    rules.policies.iter().for_each(|policy| walk.policy(policy));
    rules.texts.iter().for_each(|text| walk.unused(text));
}

struct Walk<'w, V> {
    visitor: &'w mut V,
    /// The shared texts that rules use.
    used: FxHashSet<*const SharedText>,
}

impl<'a, V: Visitor<'a>> Walk<'_, V> {
    fn contributor(&mut self, number: usize, contributor: &'a Contributor) {
        if let Some(predicate) = contributor.matching.as_ref().and_then(|matching| matching.predicate.as_ref()) {
            self.visitor.matcher(Purpose::Contributor, predicate);
        }
        if let Some(when) = &contributor.when {
            let scope = self.visitor.scope(number, Part::When);
            self.gate(&scope, when);
        }
        let mut scope = self.visitor.scope(number, Part::Layer);
        self.layer(&mut scope, &contributor.sections, contributor.content.as_ref());
        if let Some(prompt) = &contributor.full_prompt {
            let mut scope = self.visitor.scope(number, Part::FullPrompt);
            self.full_prompt(&mut scope, prompt);
        }
    }

    fn policy(&mut self, policy: &'a Policy) {
        if let Some(when) = &policy.when {
            self.gate(&Scope { place: Place::Policy, ..Scope::universal(Some(&policy.id)) }, when);
        }
        if let Some(models) = &policy.except_models {
            self.visitor.matcher(Purpose::Exception, models);
        }
    }

    /// The gates of a text that no rule uses, each by itself; those of the texts that it uses are theirs.
    fn unused(&mut self, shared: &'a SharedText) {
        let TextBody::List(items) = &shared.text.body else { return };
        if !self.used.contains(&std::ptr::from_ref(shared)) {
            let scope = Scope { place: Place::UnusedText, ..Scope::universal(None) };
            items.iter().filter_map(|item| item.when.as_ref()).for_each(|when| self.gate(&scope, when));
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
                    steps.iter().for_each(|step| walk.visitor.step(scope, step));
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
                walk.used.insert(Arc::as_ptr(shared));
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
            self.visitor.gate(scope, gate);
        }
    }

    fn string(&mut self, scope: &Scope<'a>, template: &'a Template) {
        if !scope.who.is_nobody() {
            self.visitor.string(scope, template);
        }
    }
}
