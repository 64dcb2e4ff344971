//! Near misses: what was probably meant by a model id, tool or setting that comes to nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::because::Reader;
use crate::compile::nearest;
use crate::interpret::{Choice, ModelId, choose};
use crate::rules::{NormalForm, RuleSet};

pub(super) fn hints(rules: &RuleSet, reader: &Reader<'_>, choice: Option<Choice<'_>>) -> Vec<String> {
    let model = reader.facts.model.as_ref().and_then(|model| near_model(rules, model, choice));
    model.into_iter().chain(near_tools(reader)).chain(near_settings(reader)).collect()
}

/// Another spelling of the id that an earlier contributor takes, or any where none takes the id.
fn near_model(rules: &RuleSet, model: &ModelId<'_>, choice: Option<Choice<'_>>) -> Option<String> {
    let number = |choice: Choice<'_>| rules.contributors.iter().position(|one| Arc::ptr_eq(one, choice.contributor));
    let actual = choice.and_then(number);
    let better = |spelling: &String| {
        let other = choose(rules, &ModelId::new(spelling))?;
        let earlier = actual.is_none_or(|actual| number(other).is_some_and(|number| number < actual));
        earlier.then(|| format!("`{spelling}` would be taken by `{}`", other.contributor.id))
    };
    if let Some(hint) = spellings(rules, model.raw()).iter().find_map(better) {
        return Some(hint);
    }
    let known = choice.is_none().then(|| nearest(model.raw(), rules.catalog.models().iter().map(|id| &**id)))?;
    let known = known.filter(|known| choose(rules, &ModelId::new(known)).is_some())?;
    Some(format!("`{}` is not in the catalog; did you mean `{known}`?", model.raw()))
}

/// The id in its normal forms, as the catalog spells the same model, and behind the catalog's vendors.
fn spellings(rules: &RuleSet, id: &str) -> Vec<String> {
    let normal = |id: &str| NormalForm { vendor: true, lowercase: true, dashes: true }.apply(id).into_owned();
    let flags = [false, true];
    let forms = flags.into_iter().flat_map(|vendor| {
        flags.into_iter().flat_map(move |lowercase| {
            flags.into_iter().map(move |dashes| NormalForm { vendor, lowercase, dashes }.apply(id).into_owned())
        })
    });
    let models = rules.catalog.models();
    let same = models.iter().filter(|known| normal(known) == normal(id)).map(|known| known.to_string());
    let vendors: BTreeSet<&str> =
        models.iter().filter_map(|known| known.rsplit_once('/')).map(|(vendor, _)| vendor).collect();
    let bare = id.rsplit('/').next().unwrap_or(id);
    let behind = vendors.into_iter().map(|vendor| format!("{vendor}/{bare}"));
    forms.chain(same).chain(behind).filter(|spelling| spelling != id).collect()
}

/// Tools of the session that no rule knows, but that look like one that rules know.
fn near_tools(reader: &Reader<'_>) -> impl Iterator<Item = String> {
    let catalog = reader.catalog;
    let known = move || catalog.client_tools().iter().map(|tool| catalog.tool_name(*tool));
    let unknown = reader.context.client_tools.iter().filter(move |tool| catalog.tool(tool).is_none());
    unknown.filter_map(move |tool| {
        let meant = nearest(tool, known())?;
        Some(format!("the rules know no client tool `{tool}`; did you mean `{meant}`?"))
    })
}

fn near_settings(reader: &Reader<'_>) -> impl Iterator<Item = String> {
    let catalog = reader.catalog;
    let unknown = reader.context.settings.keys().filter(move |key| catalog.setting_id(key).is_none());
    unknown.filter_map(move |key| {
        let meant = nearest(key, catalog.settings().map(|(_, setting)| &*setting.name))?;
        Some(format!("the catalog has no setting `{key}`; did you mean `{meant}`?"))
    })
}
