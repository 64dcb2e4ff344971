//! Messages as functions of all contexts: what `diff` and policies reason about.
//!
//! Input: a compiled rule set and a [`Space`](crate::analysis::gate::Space) of conditions that several rule sets may
//! share. Output: for each contributor a [`Message`], in which every part has the condition under
//! which it is there. It is the interpreter's layering, written for all contexts at once; the
//! interpreter stays the judge: every witness that comes out of here is run through it, and tests compare the two.
//!
//! - [`words`]: a text as a sequence of guarded pieces.
//! - [`scribe`]: from texts of rules to such sequences.
//! - [`message`]: the base layer of one contributor.
//! - [`compose`]: lines and blocks, layered over it.
//! - [`align`]: where two sequences read differently, exactly.
//!
//! Limits: those of the analysis, and the number of ways in which two texts can be aligned.

mod align;
mod compose;
mod message;
mod numbers;
mod scribe;
mod side;
mod words;

pub(crate) use align::{Reading, align, ends_alike};
pub(crate) use compose::{joined, opaque};
pub(crate) use message::{Guarded, Message, full_prompt, overrides};
pub(crate) use numbers::{numbers_in, with_other_numbers};
pub(crate) use scribe::Numbers;
pub(crate) use side::{Side, Unit};
pub(crate) use words::{Atom, Piece, Words, model_langs};
