//! Model matchers: mappings of conditions on an id, patterns compiled.

use std::fmt::Display;
use std::ops::Range;

use regex::Regex;

use super::{Compiler, every, one_or_many};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Entry, Node};
use crate::rules::{Literal, LiteralKind, MatchCondition, Matcher, ModelRegex, NormalForm, Pattern, RegexPattern};
use crate::source::Sources;

impl<'a> Compiler<'a> {
    /// A matcher at its top, where `normalize` may stand.
    pub(super) fn matcher(&mut self, node: &'a Node) -> Option<Matcher> {
        let steps = node.get("normalize").map_or(&[][..], Node::items);
        let has = |step| steps.iter().any(|item| item.as_str() == Some(step));
        let normalize = NormalForm { vendor: has("vendor"), lowercase: has("lowercase"), dashes: has("dashes") };
        Some(Matcher { normalize, pattern: self.pattern(node)? })
    }

    fn pattern(&mut self, node: &'a Node) -> Option<Pattern> {
        let conditions = node.entries().iter().filter(|entry| entry.key != "normalize");
        let conditions = every(conditions.map(|entry| self.match_condition(entry)))?;
        Some(Pattern { conditions: conditions.into(), span: node.span })
    }

    fn match_condition(&mut self, entry: &'a Entry) -> Option<MatchCondition> {
        let value = &entry.value;
        Some(match entry.key.as_str() {
            "equals" => literals(LiteralKind::Equals, value)?,
            "prefix" => literals(LiteralKind::Prefix, value)?,
            "suffix" => literals(LiteralKind::Suffix, value)?,
            "contains" => literals(LiteralKind::Contains, value)?,
            "regex" => MatchCondition::Regex(RegexPattern {
                regex: self.pattern_of(value, Subject::Ids, ModelRegex::new)?,
                span: value.span,
            }),
            "all" => MatchCondition::All(self.patterns(value)?),
            "any" => MatchCondition::Any(self.patterns(value)?),
            "not" => MatchCondition::Not(Box::new(self.pattern(value)?)),
            "group" => self.group(value)?,
            _ => return None,
        })
    }

    fn patterns(&mut self, node: &'a Node) -> Option<Box<[Pattern]>> {
        Some(every(node.items().iter().map(|item| self.pattern(item)))?.into())
    }

    fn group(&mut self, node: &'a Node) -> Option<MatchCondition> {
        let name = node.as_str()?;
        if let Some(group) = self.model_groups.get(name) {
            return Some(MatchCondition::Group(group.clone(), node.span));
        }
        // A group that is declared but did not compile has been reported.
        if !self.names.model_groups.contains_key(name) && !self.names.is_lost(name) {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownModelGroup, node.span, format!("there is no model group `{name}`"));
            if let Some(meant) = self.suggestions.nearest(name, self.names.model_groups.keys().copied()) {
                diagnostic = diagnostic.did_you_mean(meant);
            }
            self.report(diagnostic);
        }
        None
    }

    /// A pattern on texts.
    pub(super) fn regex(&mut self, node: &'a Node) -> Option<Regex> {
        self.pattern_of(node, Subject::Texts, Regex::new)
    }

    fn pattern_of<R, E: Display>(
        &mut self,
        node: &'a Node,
        subject: Subject,
        build: impl FnOnce(&str) -> Result<R, E>,
    ) -> Option<R> {
        match built(self.sources, node, subject, build) {
            Ok(regex) => Some(regex),
            Err(diagnostic) => {
                self.report(*diagnostic);
                None
            }
        }
    }
}

/// The pattern of a string in Rust `regex` syntax; its faults are shown inside it.
pub(crate) fn regex(sources: &Sources, node: &Node) -> Result<Regex, Box<Diagnostic>> {
    built(sources, node, Subject::Texts, Regex::new)
}

/// What a pattern is matched against.
#[derive(Clone, Copy)]
enum Subject {
    /// Model ids, by a matcher.
    Ids,
    Texts,
}

fn built<R, E: Display>(
    sources: &Sources,
    node: &Node,
    subject: Subject,
    build: impl FnOnce(&str) -> Result<R, E>,
) -> Result<R, Box<Diagnostic>> {
    let pattern = node.as_str().unwrap_or_default();
    build(pattern).map_err(|error| {
        let fault = Fault::of(pattern, subject, &error);
        let span = crate::load::within(sources, node.span, pattern, fault.range);
        let diagnostic = Diagnostic::new(Code::InvalidRegex, span, format!("not a regular expression: {}", fault.what));
        Box::new(fault.help.into_iter().fold(diagnostic, Diagnostic::help))
    })
}

fn literals(kind: LiteralKind, node: &Node) -> Option<MatchCondition> {
    let literal = |item: &Node| Some(Literal { text: item.as_str()?.into(), span: item.span });
    Some(MatchCondition::Literals(kind, every(one_or_many(node).iter().map(literal))?.into()))
}

/// What is wrong with a pattern, and where in it.
struct Fault {
    range: Range<usize>,
    what: String,
    help: Option<&'static str>,
}

impl Fault {
    fn of(pattern: &str, subject: Subject, error: &impl Display) -> Self {
        let whole = 0..pattern.len();
        match regex_syntax::parse(pattern) {
            Err(regex_syntax::Error::Parse(error)) => Self {
                range: visible(pattern, error.span().start.offset, error.span().end.offset),
                what: error.kind().to_string(),
                help: help(error.kind(), subject, pattern.get(error.span().start.offset..).unwrap_or_default()),
            },
            Err(regex_syntax::Error::Translate(error)) => Self {
                range: visible(pattern, error.span().start.offset, error.span().end.offset),
                what: error.kind().to_string(),
                help: None,
            },
            Err(_) => Self { range: whole, what: error.to_string(), help: None },
            Ok(_) => Self { range: whole, what: "the compiled pattern would be too large".to_owned(), help: None },
        }
    }
}

/// A range of at least one character, if the pattern has one there.
fn visible(pattern: &str, start: usize, end: usize) -> Range<usize> {
    let next =
        || pattern.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |char| start + char.len_utf8());
    start..if start == end { next() } else { end }
}

fn help(kind: &regex_syntax::ast::ErrorKind, subject: Subject, rest: &str) -> Option<&'static str> {
    use regex_syntax::ast::ErrorKind as K;
    match (kind, subject) {
        (K::UnsupportedLookAround, Subject::Ids) => {
            Some("a matcher excludes ids by `not`, beside or around its `regex`")
        }
        (K::RepetitionMissing, _) if rest.starts_with('*') => {
            Some("`*` repeats what stands before it; for anything write `.*`")
        }
        _ => None,
    }
}
