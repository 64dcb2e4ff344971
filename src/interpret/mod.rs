//! The interpreter: (rules, context) → one system message configuration.
//!
//! A small pure function over three fixed layers, one file each: `base`, `universal` and
//! `trailing`. Rules never configure the layering and never see each other's results. The
//! same code runs with a [`Recorder`], so that an explanation cannot drift from a result.

mod base;
mod evaluate;
mod facts;
mod record;
mod run;
mod select;
mod trailing;
mod universal;

use crate::context::Context;
use crate::message::SystemMessageConfig;
use crate::rules::RuleSet;

pub(crate) use facts::shortened;
pub use facts::{Facts, ModelId, SettingWarning, setting_warnings};
pub use record::{Composed, DefaultReason, Event, Origin, Recorder, RuleKind, Silent};
pub(crate) use run::{decimal, written};
pub use select::{Choice, ChosenBy, choose};

/// Decides the system message of one session.
///
/// Pure and total: the same rules and context give the same configuration, whatever was
/// resolved before; no input panics. Settings that contradict the catalog count as unset, see
/// [`setting_warnings`].
#[must_use]
pub fn resolve(rules: &RuleSet, context: &Context) -> SystemMessageConfig {
    interpret(rules, &Facts::new(&rules.catalog, context), &mut Silent)
}

/// Decides the system message of one session and tells the recorder how.
pub fn interpret<'r, R: Recorder<'r>>(
    rules: &'r RuleSet,
    facts: &Facts<'_>,
    recorder: &mut R,
) -> SystemMessageConfig<R::Text> {
    let mut run = run::Run { rules, facts, recorder };
    let message = base::message(&mut run);
    let message = universal::add_lines(message, &mut run);
    trailing::add_blocks(message, &mut run)
}
