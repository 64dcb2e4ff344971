//! Exact reasoning over gates and model-id languages: what findings, diff and policies stand on.
//!
//! Input are compiled gates and matchers; output are answers about *all* contexts or *all* model
//! ids, with a smallest witness. An answer is either a proof or an explicit [`Undecided`] that
//! names the limit it ended at; nothing here guesses or samples.
//!
//! - [`language`]: sets of model ids as automata over all strings.
//! - [`classes`]: the partition of all ids that a list of languages can tell apart.
//! - [`gate`]: gates as Boolean functions over their conditions.
//! - [`selection`]: which ids each contributor takes, and from which others.
//!
//! A model id is a non-empty string, as in a context: an empty one is refused there, so no
//! witness is ever empty, and a language with nothing but the empty string is empty.

pub mod classes;
pub mod gate;
pub mod language;
pub mod selection;
#[cfg(test)]
mod testing;
mod undecided;

pub use undecided::{Answer, Limit, Undecided};
