//! Ids that two trials both accept and that somebody could really send.
//!
//! A predicate that drops the path before the last `/` accepts `gpt-/claude-opus` as a Claude model, and the family
//! `gpt-` accepts it too; nobody means that. So what is worth saying of two contributors is said of ids without
//! a path, unless one of the two is itself about paths.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::{Exact, Takers};
use crate::analysis::language::Lang;
use crate::analysis::selection::By;
use crate::rules::{Contributor, LiteralKind, MatchCondition, NormalForm, Pattern};

use regex_syntax::hir::Look;
use regex_syntax::hir::literal::Extractor;

/// Folded, so that ids in all normal forms compare.
const FOLD: NormalForm = NormalForm { vendor: false, lowercase: true, dashes: true };

/// What every id of each trial begins with, to tell most pairs apart without an automaton.
pub(in crate::lint) struct Overlaps {
    beginnings: Vec<Beginnings>,
    /// The trials of each start.
    by_start: BTreeMap<String, Vec<usize>>,
    /// The trials with conditions that are about paths.
    about_paths: Vec<usize>,
    /// The ids without a path.
    plain: Lang,
}

struct Beginnings {
    /// Each id that has no path begins with one of these, folded.
    starts: Vec<String>,
    /// Whether the trial's conditions are about paths.
    paths: bool,
}

impl Overlaps {
    pub(in crate::lint) fn new(exact: &mut Exact<'_>) -> Self {
        let beginnings = beginnings(&exact.takers, exact.rules.contributors.iter().map(|rule| &**rule));
        let languages = exact.space.languages();
        let path = languages.literals(NormalForm::default(), LiteralKind::Contains, ["/"]);
        let mut by_start: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (trial, beginnings) in beginnings.iter().enumerate() {
            for start in &beginnings.starts {
                by_start.entry(start.clone()).or_default().push(trial);
            }
        }
        let about_paths = beginnings.iter().enumerate().filter(|(_, own)| own.paths).map(|(trial, _)| trial).collect();
        Self { beginnings, by_start, about_paths, plain: languages.not(path) }
    }

    /// The trials for which [`Self::lang`] is something, in order.
    pub(in crate::lint) fn of(&self, trial: usize) -> Vec<usize> {
        let Some(own) = self.beginnings.get(trial) else { return Vec::new() };
        if own.paths {
            return (0..self.beginnings.len()).collect();
        }
        let mut found = self.about_paths.clone();
        for start in &own.starts {
            let longer = self.by_start.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded));
            let longer = longer.take_while(|(other, _)| other.starts_with(start.as_str())).map(|(_, trials)| trials);
            let shorter = (0..start.len()).filter_map(|length| self.by_start.get(start.get(..length)?));
            found.extend(longer.chain(shorter).flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A language with all ids that both trials accept and somebody could send; nothing where that is plainly none.
    pub(in crate::lint) fn lang(&self, exact: &mut Exact<'_>, left: usize, right: usize) -> Option<Lang> {
        let (Some(one), Some(other)) = (self.beginnings.get(left), self.beginnings.get(right)) else { return None };
        let accepts = [exact.takers.accepts(left), exact.takers.accepts(right)];
        if one.paths || other.paths {
            return Some(exact.space.languages().and(accepts));
        }
        let meet =
            |one: &String| other.starts.iter().any(|other| one.starts_with(&**other) || other.starts_with(&**one));
        one.starts.iter().any(meet).then(|| exact.space.languages().and(accepts.into_iter().chain([self.plain])))
    }
}

fn beginnings<'a>(takers: &Takers<'_>, contributors: impl Iterator<Item = &'a Contributor>) -> Vec<Beginnings> {
    let contributors: Vec<&Contributor> = contributors.collect();
    let of = |trial: &super::takers::Trial| {
        let matching = contributors.get(trial.contributor).and_then(|rule| rule.matching.as_ref());
        match trial.by {
            By::Predicate => match matching.and_then(|matching| matching.predicate.as_ref()) {
                Some(predicate) => Beginnings {
                    starts: starts(&predicate.pattern).unwrap_or_else(|| vec![String::new()]),
                    paths: mentions_path(&predicate.pattern),
                },
                None => Beginnings { starts: Vec::new(), paths: false },
            },
            By::Family(place) => {
                let prefix = matching.and_then(|matching| matching.families.get(place)).map_or("", |own| &own.prefix);
                Beginnings { starts: vec![fold(prefix)], paths: prefix.contains('/') }
            }
        }
    };
    takers.trials().iter().map(of).collect()
}

fn fold(text: &str) -> String {
    FOLD.apply(text).into_owned()
}

/// What each accepted id without a path begins with, folded; nothing if that could be anything.
fn starts(pattern: &Pattern) -> Option<Vec<String>> {
    let shortest = |starts: &Vec<String>| std::cmp::Reverse(starts.iter().map(String::len).min());
    pattern.conditions.iter().filter_map(starts_of).min_by_key(shortest)
}

fn starts_of(condition: &MatchCondition) -> Option<Vec<String>> {
    match condition {
        MatchCondition::Literals(LiteralKind::Equals | LiteralKind::Prefix, literals) => {
            Some(literals.iter().map(|literal| fold(&literal.text)).collect())
        }
        MatchCondition::Literals(LiteralKind::Suffix | LiteralKind::Contains, _) | MatchCondition::Not(_) => None,
        MatchCondition::Regex(regex) => starts_of_regex(regex.regex.as_str()),
        MatchCondition::All(patterns) => patterns.iter().find_map(starts),
        MatchCondition::Any(patterns) => {
            let each: Option<Vec<Vec<String>>> = patterns.iter().map(starts).collect();
            each.map(|starts| starts.concat())
        }
        MatchCondition::Group(group, _) => starts(&group.matcher.pattern),
    }
}

fn starts_of_regex(pattern: &str) -> Option<Vec<String>> {
    let hir = regex_syntax::parse(pattern).ok()?;
    if !hir.properties().look_set_prefix().contains(Look::Start) {
        return None;
    }
    let found = Extractor::new().extract(&hir);
    let text = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => fold(text),
        // A character that was cut in the middle.
        Err(error) => fold(&String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default())),
    };
    Some(found.literals()?.iter().map(|literal| text(literal.as_bytes())).collect())
}

fn mentions_path(pattern: &Pattern) -> bool {
    pattern.conditions.iter().any(|condition| match condition {
        MatchCondition::Literals(_, literals) => literals.iter().any(|literal| literal.text.contains('/')),
        MatchCondition::Regex(regex) => regex.regex.as_str().contains('/'),
        MatchCondition::All(patterns) | MatchCondition::Any(patterns) => patterns.iter().any(mentions_path),
        MatchCondition::Not(pattern) => mentions_path(pattern),
        MatchCondition::Group(group, _) => mentions_path(&group.matcher.pattern),
    })
}
