//! What a launch derives from `tool_search`: compared as functions of contexts, too.

use serde_json::json;

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::context::Context;
use crate::interpret::{Facts, ModelId, choose, resolve};
use crate::launch::{ToolSearchConfig, is_active, tool_search};
use crate::rules::{RuleSet, SettingValue, ToolId};

use super::classes::{Alike, Pair, alike};
use super::collect::{Collector, Found};
use super::written::Written;
use super::{Class, Level, Part, ToolSearchFacts, Witness};
use crate::analysis::language::Lang;
use crate::symbolic::model_langs;

/// Compares the two sides' `tool_search`.
pub(super) fn compare(
    space: &mut Space,
    old: &RuleSet,
    new: &RuleSet,
    written: &(Written, Written),
    found: &mut Collector,
) {
    if let Err(undecided) = compare_or_fail(space, old, new, written, found) {
        found.undecided("when tool search is active", undecided.to_string());
    }
}

fn compare_or_fail(
    space: &mut Space,
    old: &RuleSet,
    new: &RuleSet,
    written: &(Written, Written),
    found: &mut Collector,
) -> Answer<()> {
    let (before, after) = (active(space, old)?, active(space, new)?);
    let switched = space.xor(before, after)?;
    let (lost, won) = (space.minus(before, after)?, space.minus(after, before)?);
    let (lost, won) = (space.satisfiable(lost)?, space.satisfiable(won)?);
    let cause = match (&old.tool_search, &new.tool_search) {
        (None, Some(_)) => "tool search is new",
        (Some(_), None) => "tool search is gone",
        _ if !lost => "tool search is active in more contexts",
        _ if !won => "tool search is active in fewer contexts",
        _ => "tool search is active in other contexts",
    };
    let behind = super::written::changed_behind(&written.0, &written.1, "tool_search");
    let because: Vec<String> = behind.iter().map(|(name, before, after)| name.changed(before, after)).collect();
    let because = if because.is_empty() { String::new() } else { format!(": {}", because.join("; ")) };
    let mut reporter = Reporter { space, old, new, found };
    reporter.report(&format!("{cause}{because}"), switched, &[], |before, after| before.active != after.active)?;
    let both = reporter.space.and(before, after)?;
    reporter
        .report("other tools are never deferred", both, &[], |before, after| before.never_defer != after.never_defer)?;
    reporter.report("the search tool has another name in the runtime", both, &[], |before, after| {
        before.runtime_tool != after.runtime_tool
    })?;
    reporter
        .report("another client tool searches", both, &[], |before, after| before.client_tool != after.client_tool)?;
    let settings: Vec<String> = [old, new].into_iter().filter_map(threshold_setting).collect();
    reporter.report("tools are deferred from another number on", both, &settings, |before, after| {
        before.defer_threshold != after.defer_threshold
    })
}

fn threshold_setting(rules: &RuleSet) -> Option<String> {
    let setting = rules.tool_search.as_ref()?.threshold_setting?;
    Some(rules.catalog.setting(setting).name.to_string())
}

/// Where tool search is active. The flag of a context is what the host derives by this.
fn active(space: &mut Space, rules: &RuleSet) -> Answer<Function> {
    let Some(search) = &rules.tool_search else { return Ok(Function::FALSE) };
    let setting = rules.catalog.setting(search.enabled_setting);
    let enabled = space.setting_is_one_of(setting, &[SettingValue::Bool(true)])?;
    let lang = space.languages().matcher(&search.supported_models);
    let (model, tool) = (space.model(lang)?, space.tool(rules.catalog.tool_name(search.client_tool))?);
    space.all([enabled, model, tool])
}

struct Reporter<'r> {
    space: &'r mut Space,
    old: &'r RuleSet,
    new: &'r RuleSet,
    found: &'r mut Collector,
}

impl Reporter<'_> {
    /// Reports what differs among the contexts of a region, which both sides treat alike but for the values
    /// of some settings.
    fn report(
        &mut self,
        cause: &str,
        region: Function,
        settings: &[String],
        differs: fn(&ToolSearchFacts, &ToolSearchFacts) -> bool,
    ) -> Answer<()> {
        let langs = model_langs(self.space, [region]);
        let pair = Pair { old: None, new: None, lang: Some(Lang::EVERYTHING), same: true };
        let (classes, trouble) = alike(self.space, &pair, &langs);
        for class in &classes {
            let here = self.space.at_model(region, class.model.as_deref())?;
            if let Some(witness) = self.witness(class, here, settings, differs)? {
                self.add(cause, class, witness);
            }
        }
        trouble.map_or(Ok(()), Err)
    }

    /// The models of a class, told by the contributors that take them.
    fn add(&mut self, cause: &str, class: &Alike, witness: Witness) {
        let chosen = |rules: &RuleSet, id: &str| {
            choose(rules, &ModelId::new(id)).map(|choice| choice.contributor.id.to_string())
        };
        let example = class.model.clone();
        let ids = if class.known.is_empty() { example.as_slice() } else { &class.known };
        for id in ids {
            let known: Vec<String> = class.known.iter().filter(|known| *known == id).cloned().collect();
            let (old, new) = (chosen(self.old, id), chosen(self.new, id));
            self.found.add(Found {
                level: Level::Gate,
                cause: cause.to_owned(),
                rules: vec!["tool_search".to_owned()],
                parts: vec![Part::ToolSearch],
                class: Class {
                    old,
                    new,
                    example: Some(id.clone()),
                    models: known.len(),
                    members: vec![Some(id.clone())],
                },
                models: known,
                witness: witness.clone(),
            });
        }
    }

    fn witness(
        &mut self,
        class: &Alike,
        region: Function,
        settings: &[String],
        differs: fn(&ToolSearchFacts, &ToolSearchFacts) -> bool,
    ) -> Answer<Option<Witness>> {
        let Some(mut context) = self.space.witness(region)? else { return Ok(None) };
        context.model.clone_from(&class.model);
        for context in variants(context, settings) {
            let facts = [facts(self.old, &context), facts(self.new, &context)];
            let [before, after] = &facts;
            if differs(before, after) {
                let (old, new) = (resolve(self.old, &context), resolve(self.new, &context));
                return Ok(Some(Witness { context, old, new, tool_search: Some(facts) }));
            }
        }
        Ok(None)
    }
}

/// The context, and the same with all kinds of values that a threshold can have: none, no number, a
/// negative one, and two numbers, one of which is not the other side's fixed threshold.
fn variants(context: Context, settings: &[String]) -> Vec<Context> {
    let values = [json!([]), json!(-1), json!(12_345), json!(54_321)];
    let mut all = vec![context];
    for setting in settings {
        for context in all.clone() {
            all.extend(values.iter().map(|value| {
                let mut variant = context.clone();
                variant.settings.insert(setting.clone(), value.clone());
                variant
            }));
        }
    }
    all
}

/// What a launch with this model, these tools and these settings decides.
fn facts(rules: &RuleSet, context: &Context) -> ToolSearchFacts {
    let mut facts = Facts::new(&rules.catalog, context);
    facts.tool_search_active = is_active(rules, &facts);
    let (Some(search), ToolSearchConfig::Enabled { defer_threshold }) =
        (&rules.tool_search, tool_search(rules, &facts))
    else {
        return ToolSearchFacts::default();
    };
    let name = |tool: ToolId| rules.catalog.tool_name(tool).to_owned();
    let mut never_defer: Vec<String> = search.never_defer.iter().map(|tool| name(*tool)).collect();
    never_defer.sort_unstable();
    ToolSearchFacts {
        active: true,
        defer_threshold: Some(defer_threshold),
        client_tool: Some(name(search.client_tool)),
        runtime_tool: Some(search.runtime_tool.to_string()),
        never_defer,
    }
}
