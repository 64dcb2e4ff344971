//! The base and the contributors.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::names::Declared;
use super::order::in_order;
use super::{Compiler, every, nearest};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Entry, Node, Value};
use crate::message::{Section, Step};
use crate::rules::{Action, Allow, Base, Contributor, Family, FullPrompt, Match, Override, SectionRule, TransformStep};
use crate::source::Span;

impl<'a> Compiler<'a> {
    /// The one default message of the set; `root` is blamed where there is none.
    pub(super) fn base(&mut self, documents: &'a [Document], root: Span) -> Option<Base> {
        let mut bases = documents.iter().filter_map(|document| document.root.entry("base"));
        let Some(first) = bases.next() else {
            let message = "the rule set has no `base`, the default message";
            self.report(Diagnostic::new(Code::MissingBase, root, message));
            return None;
        };
        for second in bases {
            let diagnostic = Diagnostic::new(Code::DuplicateBase, second.key_span, "the rule set has a second `base`");
            self.report(diagnostic.related(first.key_span, "the first one"));
        }
        let node = &first.value;
        self.in_rule(node, |compiler| {
            let bindings = compiler.bind(node)?;
            let sections = compiler.sections(node);
            let content = compiler.optional_text(node, "content");
            let allow = allow(node);
            Some(Base { span: first.key_span, bindings, sections: sections?, content: content?, allow })
        })
    }

    /// All contributors in rule order, each linked to its parent.
    pub(super) fn contributors(&mut self, documents: &'a [Document]) -> Option<Vec<Arc<Contributor>>> {
        let references: Declared<'a, _> =
            self.names.contributors.iter().map(|(id, node)| (*id, parents(node))).collect();
        let order = in_order(&references, "contributor", Code::ExtendsCycle, self.diagnostics);
        let mut compiled: FxHashMap<&str, Arc<Contributor>> = FxHashMap::default();
        for id in order {
            let Some(node) = self.names.contributors.get(id).copied() else { continue };
            let contributor = self.in_rule(node, |compiler| compiler.contributor(node, &compiled));
            if let Some(contributor) = contributor {
                compiled.insert(id, Arc::new(contributor));
            }
        }
        self.require_matches(documents);
        every(self.names.contributors.keys().map(|id| compiled.remove(id)))
    }

    fn contributor(&mut self, node: &'a Node, compiled: &FxHashMap<&str, Arc<Contributor>>) -> Option<Contributor> {
        let id = node.get("id")?;
        let parent = self.parent(node, compiled);
        let matching = self.matching(node);
        let when = self.when(node);
        let bindings = self.bind(node)?;
        let sections = self.sections(node);
        let content = self.optional_text(node, "content");
        let full_prompt = self.full_prompt(node);
        Some(Contributor {
            id: id.as_str()?.into(),
            span: id.span,
            description: description(node),
            matching: matching?,
            parent: parent?,
            when: when?,
            bindings,
            sections: sections?,
            content: content?,
            full_prompt: full_prompt?,
            allow: allow(node),
        })
    }

    fn parent(
        &mut self,
        node: &'a Node,
        compiled: &FxHashMap<&str, Arc<Contributor>>,
    ) -> Option<Option<Arc<Contributor>>> {
        let Some(extends) = node.get("extends") else { return Some(None) };
        let name = extends.as_str()?;
        if let Some(parent) = compiled.get(name) {
            return Some(Some(parent.clone()));
        }
        // A parent that is declared but did not compile has been reported.
        if !self.names.contributors.contains_key(name) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownContributor, extends.span, format!("there is no contributor `{name}`"));
            if let Some(meant) = nearest(name, self.names.contributors.keys().copied()) {
                diagnostic = diagnostic.did_you_mean(meant);
            }
            self.report(diagnostic);
        }
        None
    }

    fn matching(&mut self, node: &'a Node) -> Option<Option<Match>> {
        let Some(matching) = node.get("match") else { return Some(None) };
        let predicate = match matching.get("model") {
            None => None,
            Some(matcher) => Some(self.matcher(matcher)?),
        };
        let families = matching.get("families").map_or(&[][..], Node::items).iter();
        let families = families.filter_map(|item| Some(Family { prefix: item.as_str()?.into(), span: item.span }));
        Some(Some(Match { predicate, families: families.collect(), span: matching.span }))
    }

    /// Only a contributor that others extend can do without `match`.
    fn require_matches(&mut self, documents: &'a [Document]) {
        let rules = || documents.iter().filter_map(|document| document.root.get("contributors")).flat_map(Node::items);
        let extended: Vec<&str> = rules().filter_map(|rule| rule.get("extends")?.as_str()).collect();
        for rule in rules().filter(|rule| !rule.faulty && rule.get("match").is_none()) {
            let (Some(id), Some(first)) = (rule.get("id").and_then(Node::as_str), rule.entries().first()) else {
                continue;
            };
            if !extended.contains(&id) {
                let message = format!("the contributor `{id}` has no `match`, and no other extends it");
                self.report(Diagnostic::new(Code::MissingKey, first.key_span, message).rule(id));
            }
        }
    }

    fn full_prompt(&mut self, node: &'a Node) -> Option<Option<FullPrompt>> {
        let Some(entry) = node.entry("full_prompt") else { return Some(None) };
        let when = self.when(&entry.value);
        let text = self.text(entry.value.get("text").unwrap_or(&entry.value));
        Some(Some(FullPrompt { when: when?, text: text?, span: entry.key_span }))
    }

    fn sections(&mut self, node: &'a Node) -> Option<Box<[SectionRule]>> {
        let entries = node.get("sections").map_or(&[][..], Node::entries);
        Some(every(entries.iter().map(|entry| self.section(entry)))?.into())
    }

    fn section(&mut self, entry: &'a Entry) -> Option<SectionRule> {
        let section = Section::ALL.into_iter().find(|section| section.as_str() == entry.key)?;
        let overrides = super::one_or_many(&entry.value).iter().map(|item| self.section_override(item));
        Some(SectionRule { section, span: entry.key_span, overrides: every(overrides)?.into() })
    }

    fn section_override(&mut self, node: &'a Node) -> Option<Override> {
        let when = self.when(node);
        let action = node.get("action")?;
        let content = self.optional_text(node, "content");
        let kind = match action.as_str()? {
            "replace" => Action::Replace(content??),
            "append" => Action::Append(content??),
            "prepend" => Action::Prepend(content??),
            "remove" => Action::Remove,
            "preserve" => Action::Preserve,
            "transform" => Action::Transform(self.steps(node)?),
            _ => return None,
        };
        Some(Override { when: when?, action: kind, span: node.span, action_span: action.span })
    }

    fn steps(&mut self, node: &'a Node) -> Option<Box<[TransformStep]>> {
        Some(every(node.get("steps")?.items().iter().map(|step| self.step(step)))?.into())
    }

    fn step(&mut self, node: &'a Node) -> Option<TransformStep> {
        let [Entry { key, value, .. }] = node.entries() else { return None };
        let text = |node: &Node| node.as_str().map(str::to_owned);
        let pattern = value.get("pattern");
        let regex = match pattern {
            Some(pattern) => Some(self.regex(pattern)?),
            None => None,
        };
        let step = match key.as_str() {
            "replace" => Step::Replace { pattern: text(pattern?)?, with: text(value.get("with")?)? },
            "remove" => Step::Remove { pattern: text(pattern?)? },
            "append" => Step::Append(text(value)?),
            "prepend" => Step::Prepend(text(value)?),
            _ => return None,
        };
        Some(TransformStep { step, regex, span: node.span })
    }
}

/// The parent, as often as one override may repeat what it says.
fn parents(node: &Node) -> Vec<(&str, Span)> {
    let Some((name, span)) = node.get("extends").and_then(|extends| Some((extends.as_str()?, extends.span))) else {
        return Vec::new();
    };
    let overrides = node.get("sections").map_or(&[][..], Node::entries).iter();
    let contents = overrides.flat_map(|entry| super::one_or_many(&entry.value)).filter_map(|item| item.get("content"));
    let repeats = contents.map(|content| content.items().iter().filter(|item| item.get("parent").is_some()).count());
    vec![(name, span); repeats.max().unwrap_or(0).clamp(1, 1000)]
}

pub(super) fn description(node: &Node) -> Option<Box<str>> {
    node.get("description").and_then(Node::as_str).map(Into::into)
}

/// The findings that a rule's author has accepted; the schema knows the codes.
pub(super) fn allow(node: &Node) -> Box<[Allow]> {
    let entries = node.get("allow").map_or(&[][..], Node::entries).iter();
    let reason = |value: &Node| match &value.value {
        Value::String(reason) => Some(reason.as_str().into()),
        _ => None,
    };
    let allow = |entry: &Entry| {
        Some(Allow { code: entry.key.parse().ok()?, reason: reason(&entry.value)?, span: entry.key_span })
    };
    entries.filter_map(allow).collect()
}
