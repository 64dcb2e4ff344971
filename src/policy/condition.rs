//! Conditions of policies as functions of contexts.

use super::search::search;
use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::message::Section;
use crate::rules::{ActionKind, Contributor, PolicyCondition, Test};
use crate::symbolic::{Message, Side, Unit, Words, ends_alike};

/// Where a condition is true, and where the value of a number setting decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    pub(super) holds: Function,
    pub(super) open: Function,
}

impl Truth {
    fn known(holds: Function) -> Self {
        Self { holds, open: Function::FALSE }
    }
}

/// What is asked of the messages of one contributor.
pub(super) struct Asked<'a> {
    pub(super) space: &'a mut Space,
    pub(super) side: &'a Side<'a>,
    pub(super) message: &'a Message,
    pub(super) contributor: Option<&'a Contributor>,
}

impl Asked<'_> {
    /// Where all tests of a condition are true.
    pub(super) fn condition(&mut self, condition: &PolicyCondition) -> Answer<Truth> {
        let mut all = Truth::known(Function::TRUE);
        for test in &condition.tests {
            let truth = self.test(test)?;
            all = self.and(all, truth)?;
        }
        Ok(all)
    }

    fn test(&mut self, test: &Test) -> Answer<Truth> {
        Ok(match test {
            Test::Replaces(true) => Truth::known(self.message.replace),
            Test::Replaces(false) => Truth::known(self.space.not(self.message.replace)?),
            Test::Contributor(ids) => {
                Truth::known(Function::constant(self.contributor.is_some_and(|rule| ids.contains(&rule.id))))
            }
            Test::Section(sections, actions) => Truth::known(self.sections(sections, actions.as_deref())?),
            Test::Line(ids) => Truth::known(self.lines(ids)?),
            Test::Block(ids) => Truth::known(self.units(&self.side.blocks, ids)?),
            Test::TrailingEndsWith(id) => self.ends_with(id)?,
            Test::Text(pattern) => self.text(pattern)?,
            Test::All(conditions) => {
                let mut all = Truth::known(Function::TRUE);
                for condition in conditions {
                    let truth = self.condition(condition)?;
                    all = self.and(all, truth)?;
                }
                all
            }
            Test::Any(conditions) => {
                let mut any = Truth::known(Function::FALSE);
                for condition in conditions {
                    let truth = self.condition(condition)?;
                    any = self.or(any, truth)?;
                }
                any
            }
            Test::Not(condition) => {
                let truth = self.condition(condition)?;
                self.not(truth)?
            }
        })
    }

    fn not(&mut self, truth: Truth) -> Answer<Truth> {
        let either = self.space.or(truth.holds, truth.open)?;
        Ok(Truth { holds: self.space.not(either)?, open: truth.open })
    }

    fn and(&mut self, left: Truth, right: Truth) -> Answer<Truth> {
        let holds = self.space.and(left.holds, right.holds)?;
        let (left, right) = (self.space.or(left.holds, left.open)?, self.space.or(right.holds, right.open)?);
        let may = self.space.and(left, right)?;
        Ok(Truth { holds, open: self.space.minus(may, holds)? })
    }

    fn or(&mut self, left: Truth, right: Truth) -> Answer<Truth> {
        let holds = self.space.or(left.holds, right.holds)?;
        let open = self.space.or(left.open, right.open)?;
        Ok(Truth { holds, open: self.space.minus(open, holds)? })
    }

    fn sections(&mut self, sections: &[Section], actions: Option<&[ActionKind]>) -> Answer<Function> {
        let mut any = Function::FALSE;
        for section in sections {
            let guarded = self.message.section(*section);
            for kind in actions.unwrap_or(&ActionKind::ALL) {
                any = self.space.or(any, guarded.action(*kind))?;
            }
        }
        Ok(any)
    }

    /// Where a line is in the message: rendered, and not dropped with the whole section.
    fn lines(&mut self, ids: &[Box<str>]) -> Answer<Function> {
        let rendered = self.units(&self.side.lines, ids)?;
        let removed = self.message.section(Section::ToolInstructions).action(ActionKind::Remove);
        self.space.minus(rendered, removed)
    }

    fn units(&mut self, units: &[Unit], ids: &[Box<str>]) -> Answer<Function> {
        let mut any = Function::FALSE;
        for unit in units.iter().filter(|unit| ids.contains(&unit.id)) {
            any = self.space.or(any, unit.words.clone()?.given)?;
        }
        Ok(any)
    }

    /// Where the block is rendered and the content ends with its text.
    fn ends_with(&mut self, id: &str) -> Answer<Truth> {
        let blocks = &self.side.blocks;
        let Some(place) = blocks.iter().position(|unit| *unit.id == *id) else {
            return Ok(Truth::known(Function::FALSE));
        };
        let words: Words = match blocks.get(place) {
            Some(unit) => unit.words.clone()?,
            None => Words::NONE,
        };
        let mut later = Function::FALSE;
        for unit in blocks.iter().skip(place + 1) {
            later = self.space.or(later, unit.words.clone()?.given)?;
        }
        let last = self.space.minus(words.given, later)?;
        let covered = self.space.and(words.given, later)?;
        let reading = ends_alike(self.space, covered, &self.message.content, &words.pieces)?;
        let alike = self.space.minus(covered, reading.differ)?;
        let alike = self.space.minus(alike, reading.open)?;
        Ok(Truth { holds: self.space.or(last, alike)?, open: reading.open })
    }

    /// Where some text of the message has a match.
    fn text(&mut self, pattern: &regex::Regex) -> Answer<Truth> {
        let mut any = Truth::known(Function::FALSE);
        let sections = self.message.sections.iter().map(|(_, guarded)| &guarded.pieces);
        for pieces in sections.chain([&self.message.content]) {
            let found = search(self.space, pieces, pattern)?;
            any = self.or(any, found)?;
        }
        Ok(any)
    }
}
