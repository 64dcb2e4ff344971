//! Witnesses: a smallest context out of a region, run through the interpreter on both sides.

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::context::Context;
use crate::interpret::resolve;
use crate::message::SystemMessageConfig;
use crate::rules::RuleSet;
use crate::symbolic::with_other_numbers;

use super::{Part, Witness};

/// What came of looking for a witness.
pub(super) enum Confirmed {
    /// A context that shows the difference.
    Shown(Box<Witness>),
    /// The difference does not reach the message.
    Hidden,
    /// No context could be confirmed, and it is not proved that there is none.
    Open,
}

/// Looks for a context in which one of the parts differs. `region` has all contexts in which it may;
/// `exact` gives, if it comes to that, those in which it does, and those in which numbers decide.
pub(super) fn confirm(
    space: &mut Space,
    (old, new): (&RuleSet, &RuleSet),
    model: Option<&str>,
    parts: &[Part],
    region: Function,
    exact: &mut dyn FnMut(&mut Space) -> Answer<(Function, Function)>,
) -> Answer<Confirmed> {
    let judge = |context: Context| judge(old, new, parts, context);
    if let Some(witness) = try_region(space, region, model, &judge)? {
        return Ok(Confirmed::Shown(witness));
    }
    let (differ, open) = exact(space)?;
    let (differ, open) = (space.and(region, differ)?, space.and(region, open)?);
    for region in [differ, open] {
        if let Some(witness) = try_region(space, region, model, &judge)? {
            return Ok(Confirmed::Shown(witness));
        }
    }
    let hidden = differ == Function::FALSE && open == Function::FALSE;
    Ok(if hidden { Confirmed::Hidden } else { Confirmed::Open })
}

fn try_region(
    space: &mut Space,
    region: Function,
    model: Option<&str>,
    judge: &dyn Fn(Context) -> Option<Box<Witness>>,
) -> Answer<Option<Box<Witness>>> {
    if region == Function::FALSE {
        return Ok(None);
    }
    let Some(mut context) = space.witness(region)? else { return Ok(None) };
    context.model = model.map(str::to_owned);
    if let Some(witness) = judge(context.clone()) {
        return Ok(Some(witness));
    }
    let variants = with_other_numbers(&context, &[]).into_iter().filter(|variant| space.holds(region, variant));
    Ok(variants.into_iter().find_map(judge))
}

/// Runs both sides; a witness if one of the parts differs.
fn judge(old: &RuleSet, new: &RuleSet, parts: &[Part], context: Context) -> Option<Box<Witness>> {
    let (before, after) = (resolve(old, &context), resolve(new, &context));
    let shown = parts.iter().any(|part| differs(*part, &before, &after));
    shown.then(|| Box::new(Witness { context, old: before, new: after, tool_search: None }))
}

/// Whether one part of two messages differs.
pub(super) fn differs(part: Part, old: &SystemMessageConfig, new: &SystemMessageConfig) -> bool {
    let section = |message: &SystemMessageConfig, section| message.sections().and_then(|all| all.get(section)).cloned();
    let order = |message: &SystemMessageConfig| {
        message.sections().map(|all| all.iter().map(|(section, _)| section).collect::<Vec<_>>())
    };
    match part {
        Part::Mode => old.mode() != new.mode(),
        Part::Section(name) => section(old, name) != section(new, name),
        Part::Order => order(old) != order(new),
        Part::Content => old.content() != new.content(),
        Part::ToolSearch => false,
    }
}

/// How many facts a context has.
pub(super) fn facts(context: &Context) -> usize {
    usize::from(context.model.is_some())
        + context.client_tools.len()
        + context.settings.len()
        + usize::from(context.tool_search_active)
        + usize::from(context.workspaceless)
}
