//! Policies: conditions on resolutions, with every name in them looked up.

use regex::Regex;

use super::{Compiler, every, nearest, one_or_many};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Document, Entry, Node};
use crate::message::Section;
use crate::rules::{ActionKind, Demand, Policy, PolicyCondition, Test};

/// The ids that conditions may name.
struct Ids<'a> {
    lines: Vec<&'a str>,
    blocks: Vec<&'a str>,
}

impl<'a> Compiler<'a> {
    /// All policies, in order.
    pub(super) fn policies(&mut self, documents: &'a [Document]) -> Option<Vec<Policy>> {
        let rules =
            |list: &'static str| documents.iter().filter_map(move |file| file.root.get(list)).flat_map(Node::items);
        let ids = |list| rules(list).filter_map(|rule| rule.get("id")?.as_str()).collect();
        let ids = Ids { lines: ids("tool_instructions"), blocks: ids("trailing") };
        every(rules("policies").map(|node| self.in_rule(node, |compiler| compiler.policy(node, &ids))))
    }

    fn policy(&mut self, node: &'a Node, ids: &Ids<'_>) -> Option<Policy> {
        let id = node.get("id")?;
        let (demand, condition) = match (node.get("never"), node.get("always")) {
            (Some(condition), None) => (Demand::Never, condition),
            (None, Some(condition)) => (Demand::Always, condition),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let condition = self.policy_condition(condition, ids);
        let when = self.when(node);
        let except = node.get("except");
        let contributors = except.and_then(|except| except.get("contributors")).map_or(&[][..], Node::items);
        let contributors = every(contributors.iter().map(|name| self.contributor_id(name)));
        let models = match except.and_then(|except| except.get("models")) {
            None => Some(None),
            Some(matcher) => self.matcher(matcher).map(Some),
        };
        Some(Policy {
            id: id.as_str()?.into(),
            span: id.span,
            description: super::contributors::description(node),
            demand,
            condition: condition?,
            when: when?,
            except_contributors: contributors?.into(),
            except_models: models?,
        })
    }

    fn policy_condition(&mut self, node: &'a Node, ids: &Ids<'_>) -> Option<PolicyCondition> {
        let entries = node.entries().iter().filter(|entry| entry.key != "action");
        let tests = every(entries.map(|entry| self.test(node, entry, ids)))?;
        Some(PolicyCondition { tests: tests.into(), span: node.span })
    }

    fn test(&mut self, node: &'a Node, entry: &'a Entry, ids: &Ids<'_>) -> Option<Test> {
        let value = &entry.value;
        Some(match entry.key.as_str() {
            "mode" => Test::Replaces(value.as_str()? == "replace"),
            "contributor" => {
                Test::Contributor(every(one_or_many(value).iter().map(|name| self.contributor_id(name)))?.into())
            }
            "section" => Test::Section(sections(value)?, actions(node.get("action"))?),
            "line" => Test::Line(self.rule_ids(value, "line", &ids.lines)?),
            "block" => Test::Block(self.rule_ids(value, "trailing block", &ids.blocks)?),
            "trailing_ends_with" => Test::TrailingEndsWith(self.rule_id(value, "trailing block", &ids.blocks)?),
            "text_contains" => Test::Text(Regex::new(&regex::escape(value.as_str()?)).ok()?),
            "text_matches" => Test::Text(self.regex(value)?),
            "all" => Test::All(self.policy_conditions(value, ids)?),
            "any" => Test::Any(self.policy_conditions(value, ids)?),
            "not" => Test::Not(Box::new(self.policy_condition(value, ids)?)),
            _ => return None,
        })
    }

    fn policy_conditions(&mut self, node: &'a Node, ids: &Ids<'_>) -> Option<Box<[PolicyCondition]>> {
        Some(every(node.items().iter().map(|item| self.policy_condition(item, ids)))?.into())
    }

    fn contributor_id(&mut self, node: &'a Node) -> Option<Box<str>> {
        let name = node.as_str().filter(|_| !node.faulty)?;
        if self.names.contributors.contains_key(name) {
            return Some(name.into());
        }
        let message = format!("there is no contributor `{name}`");
        let mut diagnostic = Diagnostic::new(Code::UnknownContributor, node.span, message);
        if let Some(meant) = nearest(name, self.names.contributors.keys().copied()) {
            diagnostic = diagnostic.did_you_mean(meant);
        }
        self.report(diagnostic);
        None
    }

    fn rule_ids(&mut self, node: &'a Node, what: &str, known: &[&str]) -> Option<Box<[Box<str>]>> {
        Some(every(one_or_many(node).iter().map(|name| self.rule_id(name, what, known)))?.into())
    }

    fn rule_id(&mut self, node: &'a Node, what: &str, known: &[&str]) -> Option<Box<str>> {
        let name = node.as_str().filter(|_| !node.faulty)?;
        if known.contains(&name) {
            return Some(name.into());
        }
        let mut diagnostic = Diagnostic::new(Code::InvalidValue, node.span, format!("there is no {what} `{name}`"));
        if let Some(meant) = nearest(name, known.iter().copied()) {
            diagnostic = diagnostic.did_you_mean(meant);
        }
        self.report(diagnostic);
        None
    }
}

fn sections(node: &Node) -> Option<Box<[Section]>> {
    let section = |name: &Node| Section::ALL.into_iter().find(|section| Some(section.as_str()) == name.as_str());
    Some(every(one_or_many(node).iter().map(section))?.into())
}

fn actions(node: Option<&Node>) -> Option<Option<Box<[ActionKind]>>> {
    let Some(node) = node else { return Some(None) };
    let action = |name: &Node| ActionKind::ALL.into_iter().find(|action| Some(action.as_str()) == name.as_str());
    Some(Some(every(one_or_many(node).iter().map(action))?.into()))
}
