//! One rule set, compiled into a space of conditions.

use std::sync::Arc;

use super::compose::joined;
use super::message::Message;
use super::scribe::{Numbers, Scribe};
use super::words::{Words, nonempty};
use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::analysis::language::Lang;
use crate::analysis::selection::Selection;
use crate::rules::{Contributor, Line, RuleSet};

/// A line or block as a function of contexts.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its id.
    pub(crate) id: Box<str>,
    /// What it contributes; never an empty text.
    pub(crate) words: Answer<Words>,
}

/// A rule set as functions of contexts.
pub(crate) struct Side<'a> {
    pub(crate) rules: &'a RuleSet,
    pub(crate) selection: Selection,
    pub(crate) lines: Vec<Unit>,
    pub(crate) blocks: Vec<Unit>,
    pub(crate) numbers: Numbers,
}

impl<'a> Side<'a> {
    /// Compiles everything that all models share.
    pub(crate) fn new(space: &mut Space, rules: &'a RuleSet, numbers: &Numbers) -> Self {
        let selection = Selection::new(space.languages(), &rules.contributors);
        let mut scribe = Scribe { space, catalog: &rules.catalog, numbers };
        let lines = rules.lines.iter().map(|line| unit(&mut scribe, line)).collect();
        let blocks = rules.blocks.iter().map(|block| unit(&mut scribe, block)).collect();
        Self { rules, selection, lines, blocks, numbers: numbers.clone() }
    }

    /// What writes this side's texts.
    pub(crate) fn scribe<'s>(&'s self, space: &'s mut Space) -> Scribe<'s> {
        Scribe { space, catalog: &self.rules.catalog, numbers: &self.numbers }
    }

    /// The base layer of a contributor, or of the default message.
    pub(crate) fn message(&self, space: &mut Space, contributor: Option<&Contributor>) -> Answer<Message> {
        Message::new(&mut self.scribe(space), &self.rules.base, contributor)
    }

    /// All lines together.
    pub(crate) fn all_lines(&self, space: &mut Space) -> Answer<Words> {
        let words: Answer<Vec<Words>> = self.lines.iter().map(|unit| unit.words.clone()).collect();
        joined(space, "\n", &words?)
    }

    /// The ids that each contributor takes, then those that none takes.
    pub(crate) fn parts(&self) -> Vec<(Option<&'a Arc<Contributor>>, Lang)> {
        let contributors = self.rules.contributors.iter().map(Some).chain([None]);
        contributors.zip(self.selection.parts()).collect()
    }
}

fn unit(scribe: &mut Scribe<'_>, line: &Line) -> Unit {
    Unit { id: line.id.clone(), words: words(scribe, line) }
}

fn words(scribe: &mut Scribe<'_>, line: &Line) -> Answer<Words> {
    let when = scribe.when(line.when.as_ref())?;
    let mut words = scribe.text(&line.text, None)?.within(scribe.space, when)?;
    let there: Function = nonempty(scribe.space, &words.pieces)?;
    words.given = there;
    Ok(words)
}
