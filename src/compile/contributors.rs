//! The base and the contributors.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{Declared, lists_of};
use super::order::{Kind, in_order};
use super::{Compiler, every, nearest};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Entry, Node, Value};
use crate::message::{Section, Step};
use crate::rules::{Action, Allow, Base, Contributor, Family, FullPrompt, Match, Override, SectionRule, TransformStep};
use crate::source::Span;

impl<'a> Compiler<'a> {
    /// The one default message of the set; `root` is blamed where there is none.
    pub(super) fn base(&mut self, documents: &'a [Document], root: Span) -> Option<Base> {
        let bases: Vec<&'a Entry> = documents.iter().filter_map(|document| document.root.entry("base")).collect();
        let compiled: Vec<Option<Base>> = bases.iter().map(|entry| self.one_base(entry)).collect();
        match bases.split_first() {
            None if documents.iter().any(|document| may_mean_base(&document.root)) => {}
            None => {
                let message = "the rule set has no `base`, the default message";
                let help = "the smallest one is `base: {sections: {}}`";
                self.report(Diagnostic::new(Code::MissingBase, root, message).help(help));
            }
            Some((first, others)) => {
                for second in others {
                    let message = "the rule set has a second `base`";
                    let diagnostic = Diagnostic::new(Code::DuplicateBase, second.key_span, message);
                    self.report(diagnostic.related(first.key_span, "the first one"));
                }
            }
        }
        compiled.into_iter().next()?
    }

    fn one_base(&mut self, entry: &'a Entry) -> Option<Base> {
        let node = &entry.value;
        self.in_rule(node, |compiler| {
            let bindings = compiler.bind(node);
            let sections = compiler.sections(node);
            let content = compiler.optional_text(node, "content");
            let (span, allow) = (entry.key_span, allow(node));
            Some(Base { span, bindings: bindings?, sections: sections?, content: content?, allow })
        })
    }

    /// All contributors in rule order, each linked to its parent.
    pub(super) fn contributors(&mut self, documents: &'a [Document]) -> Option<Vec<Arc<Contributor>>> {
        let references: Declared<'a, _> =
            self.names.contributors.iter().map(|(id, node)| (*id, parents(node))).collect();
        let order = in_order(&references, Kind::Contributor, self.diagnostics);
        let mut compiled: FxHashMap<&str, Arc<Contributor>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for id in order {
            let Some(node) = self.names.contributors.get(id).copied() else { continue };
            seen.insert(node.span);
            let contributor = self.in_rule(node, |compiler| compiler.contributor(node, &compiled));
            if let Some(contributor) = contributor {
                compiled.insert(id, Arc::new(contributor));
            }
        }
        self.look_at_others(documents, &seen, &compiled);
        self.require_matches(documents);
        every(self.names.contributors.keys().map(|id| compiled.remove(id)))
    }

    /// Finds what else is wrong with contributors that cannot be addressed, as they have no id or
    /// one that is taken, or that are part of a circle.
    fn look_at_others(
        &mut self,
        documents: &'a [Document],
        seen: &FxHashSet<Span>,
        compiled: &FxHashMap<&str, Arc<Contributor>>,
    ) {
        for rule in lists_of(documents, "contributors").flatten().filter(|rule| !seen.contains(&rule.span)) {
            self.in_rule(rule, |compiler| compiler.contributor(rule, compiled));
        }
    }

    fn contributor(&mut self, node: &'a Node, compiled: &FxHashMap<&str, Arc<Contributor>>) -> Option<Contributor> {
        let parent = self.parent(node, compiled);
        let matching = self.matching(node);
        let when = self.when(node);
        let bindings = self.bind(node);
        let sections = self.sections(node);
        let content = self.optional_text(node, "content");
        let full_prompt = self.full_prompt(node);
        let id = node.get("id")?;
        Some(Contributor {
            id: id.as_str()?.into(),
            span: id.span,
            description: description(node),
            matching: matching?,
            parent: parent?,
            when: when?,
            bindings: bindings?,
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
        if !self.names.contributors.contains_key(name) && !self.names.is_lost(name) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownContributor, extends.span, format!("there is no contributor `{name}`"));
            if let Some(meant) = self.suggestions.nearest(name, self.names.contributors.keys().copied()) {
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
        let rules = || lists_of(documents, "contributors").flatten();
        let extended: FxHashSet<&str> = rules().flat_map(|rule| self.may_extend(rule)).collect();
        for rule in rules().filter(|rule| !rule.faulty && rule.get("match").is_none()) {
            let (Some(id), Some(first)) = (rule.get("id").and_then(Node::as_str), rule.entries().first()) else {
                continue;
            };
            if !extended.contains(id) {
                let message = format!("the contributor `{id}` has no `match`, and no other extends it");
                self.report(Diagnostic::new(Code::MissingKey, first.key_span, message).rule(id));
            }
        }
    }

    /// The contributors that a rule extends or may have meant to: a misspelt name or key is reported as such.
    fn may_extend(&mut self, rule: &'a Node) -> Vec<&'a str> {
        let Some(name) = rule.get("extends").and_then(Node::as_str) else {
            let strings = rule.entries().iter().filter_map(|entry| entry.value.as_str());
            return if rule.faulty { strings.collect() } else { Vec::new() };
        };
        let known = &self.names.contributors;
        if known.contains_key(name) {
            return vec![name];
        }
        self.suggestions.nearest(name, known.keys().copied()).into_iter().collect()
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
        let overrides = every(super::one_or_many(&entry.value).iter().map(|item| self.section_override(item)));
        let section = Section::ALL.into_iter().find(|section| section.as_str() == entry.key)?;
        Some(SectionRule { section, span: entry.key_span, overrides: overrides?.into() })
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

/// Whether a fault of a file that has been reported is why it has no `base`: it is no mapping, or the key is misspelt.
fn may_mean_base(root: &Node) -> bool {
    let keys = root.entries().iter().map(|entry| entry.key.as_str());
    !matches!(root.value, Value::Mapping(_)) || keys.into_iter().any(|key| nearest(key, ["base"]).is_some())
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
