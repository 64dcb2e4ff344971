//! Short questions of checks that are not themselves about gates or ids. What cannot be decided counts as possible.

use super::{Exact, Part, Who};
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::analysis::language::Lang;
use crate::rules::{Gate, Line, Part as ItemPart, Piece, Text, TextBody};

impl<'a> Exact<'a> {
    /// Whether some context satisfies all of these gates, among those that come to the sections of a contributor, or
    /// among all.
    pub(in crate::lint) fn can_hold_together(
        &mut self,
        contributor: Option<usize>,
        gates: impl IntoIterator<Item = &'a Gate>,
    ) -> bool {
        let who = contributor.map_or(Who::Anyone, |number| self.scope(number, Part::Layer).who);
        let mut both = Ok(Function::TRUE);
        for gate in gates {
            both = both.and_then(|both| {
                let gate = self.gate(gate)?;
                self.space.and(both, gate)
            });
        }
        both.and_then(|both| self.possible(&who, both)).unwrap_or(true)
    }

    /// Whether in every context some line says something, so that the composition pads `tool_instructions`.
    pub(in crate::lint) fn is_always_padded(&mut self) -> bool {
        let padded = |exact: &mut Self| -> Answer<bool> {
            let mut any = Function::FALSE;
            for line in &exact.rules.lines {
                let says = exact.says(line)?;
                any = exact.space.or(any, says)?;
            }
            let none = exact.space.not(any)?;
            Ok(!exact.possible(&Who::Anyone, none)?)
        };
        if self.padded.is_none() {
            self.padded = Some(padded(self).unwrap_or(false));
        }
        self.padded.unwrap_or(false)
    }

    /// Where a line surely contributes text.
    fn says(&mut self, line: &'a Line) -> Answer<Function> {
        let when = self.when(line.when.as_ref())?;
        let text = self.says_text(&line.text)?;
        self.space.and(when, text)
    }

    fn says_text(&mut self, text: &'a Text) -> Answer<Function> {
        let blank =
            |pieces: &[Piece]| pieces.iter().all(|piece| matches!(piece, Piece::Literal(text) if text.is_empty()));
        match &text.body {
            TextBody::One(template) if blank(&template.pieces) => Ok(Function::FALSE),
            TextBody::One(template) => self.gives_string(template),
            TextBody::List(items) => items.iter().try_fold(Function::FALSE, |any, item| {
                let says = match &item.part {
                    ItemPart::Template(template) if blank(&template.pieces) => Function::FALSE,
                    ItemPart::Template(template) => self.gives_string(template)?,
                    ItemPart::Shared(shared, _) => self.says_text(&shared.text)?,
                    ItemPart::Parent => Function::FALSE,
                };
                let when = self.when(item.when.as_ref())?;
                let both = self.space.and(when, says)?;
                self.space.or(any, both)
            }),
        }
    }

    /// Whether some id that the contributor takes would go to another one without it.
    pub(in crate::lint) fn shields(&mut self, contributor: usize) -> bool {
        let trials = self.takers.trials();
        let others: Vec<Lang> =
            trials.iter().filter(|trial| trial.contributor != contributor).map(|trial| trial.accepts).collect();
        let others = self.space.languages().or(others);
        !matches!(self.takes_of(contributor, others), Ok(None))
    }
}
