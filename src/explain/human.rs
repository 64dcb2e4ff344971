//! An explanation for people: who was chosen and why, who says what, and where it is written.

use std::fmt::Write;

use super::json::texts;
use super::{Because, Explanation, Fate, RuleVerdict, SectionSource, Segment, Verdict};
use crate::interpret::{ChosenBy, DefaultReason, RuleKind};
use crate::message::SystemMessageConfig;
use crate::rules::Override;
use crate::source::{Sources, Span};

/// How much an explanation tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What took part, and the lines and blocks that did not.
    Short,
    /// Also what was tried before and what never was, overrides that do not count, and all texts.
    All,
}

/// The explanation as text.
#[must_use]
pub fn human(sources: &Sources, explanation: &Explanation<'_>, detail: Detail) -> String {
    let mut page = Page { sources, explanation, all: detail == Detail::All, out: String::new() };
    page.base();
    page.sections();
    page.universal(RuleKind::Line, "lines");
    page.universal(RuleKind::Block, "blocks");
    if page.all {
        page.texts();
    }
    page.hints();
    page.line(&format!("summary\n  {}", explanation.message.summary()));
    page.out
}

struct Page<'a> {
    sources: &'a Sources,
    explanation: &'a Explanation<'a>,
    all: bool,
    out: String,
}

impl<'a> Page<'a> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn place(&self, span: Span) -> String {
        format!("{}:{}", self.sources.file(span.file).name(), self.sources.start(span).line)
    }

    fn because(&self, because: &Because) -> String {
        format!("{}: {} ({})", because.condition, because.fact, self.place(because.span))
    }

    /// The rules of a kind, in rule order.
    fn rules(&self, kind: RuleKind) -> impl Iterator<Item = &'a RuleVerdict<'a>> + use<'a> {
        self.explanation.rules.iter().filter(move |rule| rule.kind == kind)
    }

    fn base(&mut self) {
        let explanation = self.explanation;
        self.line(&format!("model\n  {}", explanation.model.as_deref().unwrap_or("none: the server chooses")));
        self.line("contributor");
        if let Some(choice) = explanation.choice {
            let by = match choice.by {
                ChosenBy::Predicate => "by its predicate".to_owned(),
                ChosenBy::Family(family) => format!("by its family `{}`", family.prefix),
            };
            let id = &choice.contributor.id;
            self.line(&format!("  {id}, {by} ({})", self.place(choice.contributor.span)));
        }
        if let SystemMessageConfig::Replace { .. } = explanation.message {
            self.line("  its full prompt is the whole message: the foundation and its guardrails are gone");
        }
        if let Some(reason) = explanation.reason {
            self.line(&format!("  {}", default_reason(reason)));
        }
        self.contributors();
    }

    fn contributors(&mut self) {
        let chosen = self.explanation.choice.map(|choice| &*choice.contributor.id);
        for rule in self.rules(RuleKind::Contributor) {
            let is_chosen = chosen == Some(rule.id);
            match &rule.verdict {
                Verdict::Applied if !is_chosen => {
                    self.line(&format!("  {} lies underneath ({})", rule.id, self.place(rule.span)));
                }
                Verdict::NotApplied(because) if is_chosen || self.all => {
                    let what = if is_chosen { "its own parts do not apply" } else { rule.id };
                    self.line(&format!("  {what}{}", self.suffix(because.as_ref())));
                }
                Verdict::Applied | Verdict::NotApplied(_) | Verdict::NotReached => {}
            }
        }
        let unreached = self.rules(RuleKind::Contributor).filter(|rule| rule.verdict == Verdict::NotReached);
        let unreached: Vec<&str> = unreached.map(|rule| rule.id).collect();
        if self.all && !unreached.is_empty() {
            self.line(&format!("  never reached: {}", unreached.join(", ")));
        }
    }

    fn suffix(&self, because: Option<&Because>) -> String {
        because.map_or_else(String::new, |because| format!(": {}", self.because(because)))
    }

    fn sections(&mut self) {
        if !self.explanation.sections.is_empty() {
            self.line("sections");
        }
        for source in &self.explanation.sections {
            let line = self.section(source);
            self.line(&line);
        }
        if self.all {
            self.other_overrides();
        }
    }

    fn section(&self, source: &SectionSource<'_>) -> String {
        let sections = self.explanation.message.sections();
        let action = sections.and_then(|sections| sections.get(source.section)).map_or("", |value| value.action());
        let lines = match source.lines {
            0 => String::new(),
            1 => "1 line".to_owned(),
            many => format!("{many} lines"),
        };
        let from = match (source.rule, source.lines) {
            (None, _) => lines,
            (Some(rule), 0) => self.written(rule),
            (Some(rule), _) => format!("{}, and {lines}", self.written(rule)),
        };
        format!("  {:20} {action:10} {from}", source.section.as_str())
    }

    fn written(&self, (rule, chosen): (&str, &Override)) -> String {
        format!("{rule} ({})", self.place(chosen.action_span))
    }

    /// The overrides of the rules that took part that are not in the message.
    fn other_overrides(&mut self) {
        let others = self.explanation.overrides.iter().filter_map(|other| {
            let why = match &other.fate {
                Fate::Counts => return None,
                Fate::Replaced(nearer) => format!("replaced by {nearer}"),
                Fate::NotApplied(because) => format!("does not apply{}", self.suffix(because.as_ref())),
                Fate::NotReached => "an earlier one applies".to_owned(),
            };
            let action = other.chosen.action.as_str();
            Some(format!(
                "  {:20} {action:10} {}: {why}",
                other.section.as_str(),
                self.written((other.rule, other.chosen))
            ))
        });
        let others: Vec<String> = others.collect();
        if !others.is_empty() {
            self.line("overrides that do not count");
            others.iter().for_each(|line| self.line(line));
        }
    }

    fn universal(&mut self, kind: RuleKind, title: &str) {
        if self.rules(kind).next().is_some() {
            self.line(title);
        }
        for rule in self.rules(kind) {
            let line = match &rule.verdict {
                Verdict::Applied => format!("  + {:20} {}", rule.id, self.place(rule.span)),
                Verdict::NotApplied(Some(because)) => format!("  - {:20} {}", rule.id, self.because(because)),
                Verdict::NotApplied(None) | Verdict::NotReached => format!("  - {}", rule.id),
            };
            self.line(&line);
        }
    }

    fn texts(&mut self) {
        let explanation = self.explanation;
        for (path, text) in texts(&explanation.message) {
            self.line(&format!("text of {path}"));
            for segment in text.segments() {
                self.segment(segment);
            }
        }
    }

    fn segment(&mut self, segment: Segment<'_, '_>) {
        let Some(origin) = segment.origin else {
            self.line(&format!("  separator {:?}", segment.text));
            return;
        };
        self.line(&format!("  {} ({})", origin.rule, self.place(origin.span)));
        for line in segment.text.split('\n') {
            // Writing to a string cannot fail.
            let _infallible = writeln!(self.out, "    | {line}");
        }
    }

    fn hints(&mut self) {
        let explanation = self.explanation;
        if !explanation.hints.is_empty() {
            self.line("near misses");
            explanation.hints.iter().for_each(|hint| self.line(&format!("  {hint}")));
        }
    }
}

/// The reason in words, with the name that programs read.
fn default_reason(reason: DefaultReason) -> &'static str {
    match reason {
        DefaultReason::NoModel => "none, so the default message stands alone (no-model): the server chooses the model",
        DefaultReason::NoContributor => {
            "none, so the default message stands alone (no-contributor): no rule takes this model"
        }
        DefaultReason::OptedOut => {
            "the default message stands alone (opted-out): its `when` fails, and its parents give nothing"
        }
        DefaultReason::NothingApplied => {
            "the default message stands alone (nothing-applied): none of its parts applies"
        }
    }
}
