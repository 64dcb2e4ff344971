//! Lines and blocks, layered over the base layer.

use super::message::{Guarded, Message};
use super::words::{Atom, Mark, Piece, Words, nonempty, within};
use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::message::Section;
use crate::rules::ActionKind;

/// Texts joined by a separator, each where it is given.
pub(crate) fn joined(space: &mut Space, separator: &str, texts: &[Words]) -> Answer<Words> {
    let mut all = Words::NONE;
    for words in texts {
        let between = space.and(all.given, words.given)?;
        if between != Function::FALSE {
            all.pieces.push(Piece::text(between, separator));
        }
        all.given = space.or(all.given, words.given)?;
        all.pieces.extend(words.pieces.iter().cloned());
    }
    Ok(all)
}

/// All lines together as one opaque text that is there, or is not.
pub(crate) fn opaque(given: bool) -> Words {
    let pieces = if given { vec![Piece { guard: Function::TRUE, atom: Atom::Lines }] } else { Vec::new() };
    Words { given: Function::constant(given), pieces }
}

impl Message {
    /// The message with the lines in the section `tool_instructions`; those of a full prompt are left to
    /// [`with_blocks`](Self::with_blocks).
    pub(crate) fn with_lines(&self, space: &mut Space, lines: &Words) -> Answer<Self> {
        let mut message = self.clone();
        let customize = space.not(self.replace)?;
        let lines = lines.within(space, customize)?;
        let before = self.section(Section::ToolInstructions);
        let present = before.present(space)?;
        message.set_section(Section::ToolInstructions, with_lines(space, &before, &lines)?);
        let placed = space.minus(lines.given, present)?;
        if placed != Function::FALSE {
            message.order.push(Piece::mark(placed, Mark::Section(Section::ToolInstructions)));
        }
        Ok(message)
    }

    /// The message with the lines behind a full prompt, and the blocks behind everything.
    pub(crate) fn with_blocks(&self, space: &mut Space, lines: &Words, blocks: &[Words]) -> Answer<Self> {
        let first = Words { given: nonempty(space, &self.content)?, pieces: self.content.clone() };
        let mut texts = vec![first, lines.within(space, self.replace)?];
        texts.extend(blocks.iter().cloned());
        let content = joined(space, "\n\n", &texts)?;
        Ok(Self { content: content.pieces, ..self.clone() })
    }
}

/// The table of the contract: what the section's override becomes.
fn with_lines(space: &mut Space, before: &Guarded, lines: &Words) -> Answer<Guarded> {
    let there = lines.given;
    let absent = {
        let present = before.present(space)?;
        space.not(present)?
    };
    let mut after = before.clone();
    let bare = space.or(absent, before.action(ActionKind::Preserve))?;
    let new = space.and(bare, there)?;
    let append = space.or(before.action(ActionKind::Append), new)?;
    let preserve = space.minus(before.action(ActionKind::Preserve), there)?;
    after.set(ActionKind::Append, append);
    after.set(ActionKind::Preserve, preserve);
    let (append, prepend) = (space.and(append, there)?, space.and(before.action(ActionKind::Prepend), there)?);
    let transform = space.and(before.action(ActionKind::Transform), there)?;
    let content = before.content(space)?;
    let has_text = nonempty(space, &content.pieces)?;
    let below = space.and(has_text, there)?;
    let kept = space.minus(there, before.action(ActionKind::Remove))?;
    let mut pieces = Vec::new();
    let mut push = |piece: Piece| {
        if piece.guard != Function::FALSE {
            pieces.push(piece);
        }
    };
    push(Piece::text(append, "\n"));
    before.pieces.iter().cloned().for_each(&mut push);
    push(Piece::text(below, "\n"));
    push(Piece::mark(transform, Mark::Begin("append")));
    push(Piece::text(transform, "\n\n"));
    within(space, &lines.pieces, kept)?.into_iter().for_each(&mut push);
    push(Piece::text(prepend, "\n"));
    push(Piece::mark(transform, Mark::End));
    after.pieces = pieces;
    Ok(after)
}
