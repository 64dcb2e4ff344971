//! Which model ids have to be looked at apart: by the contributors that take them on both sides.

use std::sync::Arc;

use crate::analysis::classes::Classes;
use crate::analysis::gate::Space;
use crate::analysis::language::{Lang, Languages};
use crate::analysis::{Answer, Undecided};
use crate::interpret::{ModelId, choose};
use crate::rules::{Contributor, RuleSet};
use crate::symbolic::Side;

/// Ids that one contributor of each side takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) old: Option<&'a Arc<Contributor>>,
    pub(super) new: Option<&'a Arc<Contributor>>,
    /// The ids; nothing for sessions without a model.
    pub(super) lang: Option<Lang>,
    /// Each of the two takes just these ids.
    pub(super) same: bool,
}

/// All pairs: together they have every id, and the sessions without a model.
pub(super) fn pairs<'a>(space: &mut Space, old: &Side<'a>, new: &Side<'a>) -> (Vec<Pair<'a>>, Answer<()>) {
    let mut pairs = vec![Pair { old: None, new: None, lang: None, same: true }];
    let (mut old_rest, mut new_rest) = (old.parts(), new.parts());
    // Parts that are the same language need no question. They are disjoint from all others of both sides.
    old_rest.retain(|(contributor, lang)| {
        let same = new_rest.iter().position(|(_, other)| other == lang);
        let Some(place) = same.filter(|_| *lang != Lang::NOTHING) else { return true };
        pairs.push(Pair { old: *contributor, new: new_rest.swap_remove(place).0, lang: Some(*lang), same: true });
        false
    });
    let langs = |rest: &[(Option<&Arc<Contributor>>, Lang)]| rest.iter().map(|(_, lang)| *lang).collect::<Vec<Lang>>();
    let (old_langs, new_langs) = (langs(&old_rest), langs(&new_rest));
    let languages = space.languages();
    let all = languages.or(old_langs.iter().copied());
    let mut classes = Classes::within(languages, all);
    classes.refine(languages, &old_langs);
    classes.refine(languages, &new_langs);
    for class in classes.classes() {
        let (old, new) = (taken(old.rules, &class.witness), taken(new.rules, &class.witness));
        pairs.push(Pair { old, new, lang: Some(class.lang), same: false });
    }
    (pairs, classes.complete().clone())
}

/// The contributor that the interpreter chooses.
fn taken<'a>(rules: &'a RuleSet, id: &str) -> Option<&'a Arc<Contributor>> {
    choose(rules, &ModelId::new(id)).map(|choice| choice.contributor)
}

/// Ids that both sides treat alike in every respect.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    /// One of them; nothing for sessions without a model.
    pub(super) model: Option<String>,
    /// Those of the catalogs.
    pub(super) known: Vec<String>,
}

/// Splits a pair's ids by the languages that its message depends on.
pub(super) fn alike(space: &mut Space, pair: &Pair<'_>, langs: &[Lang]) -> (Vec<Alike>, Option<Undecided>) {
    let Some(lang) = pair.lang else { return (vec![Alike { model: None, known: Vec::new() }], None) };
    let languages = space.languages();
    let mut classes = Classes::within(languages, lang);
    for lang in langs {
        classes.split(languages, *lang);
    }
    let found: Vec<(Lang, String)> =
        classes.classes().iter().map(|class| (class.lang, class.witness.to_string())).collect();
    let alike = found.into_iter().map(|(lang, witness)| Alike { known: known(languages, lang), model: Some(witness) });
    (alike.collect(), classes.complete().clone().err())
}

fn known(languages: &mut Languages, lang: Lang) -> Vec<String> {
    languages.known_members(lang).into_iter().map(str::to_owned).collect()
}
