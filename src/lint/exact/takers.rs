//! Which model ids each contributor really gets, found by asking the interpreter and refining.
//!
//! The ids that a contributor takes are those that it accepts and nobody in front of it does. That set is
//! approached from above: as long as the interpreter gives an id of it to somebody else, that one's ids are left
//! out as well. So only those in front that matter are ever looked at, and what the interpreter confirms is a
//! proof without any automaton.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ids::named_by;
use crate::analysis::Answer;
use crate::analysis::language::{Lang, Languages};
use crate::analysis::selection::By;
use crate::interpret::{Choice, ChosenBy, ModelId, choose};
use crate::rules::{Contributor, RuleSet};

/// One question of a selection, in trial order.
#[derive(Clone, Copy, Debug)]
pub(in crate::lint) struct Trial {
    pub(in crate::lint) contributor: usize,
    pub(in crate::lint) by: By,
    /// The ids that it accepts, whoever gets them.
    pub(in crate::lint) accepts: Lang,
}

/// What becomes of a trial.
#[derive(Clone, Debug)]
pub(in crate::lint) enum Fate {
    /// Some id gets as far as it and is accepted.
    Takes,
    /// It accepts ids, such as this one, but these trials in front accept them all; a smallest list.
    Shadowed(Box<str>, Vec<usize>),
    /// It accepts no id.
    AcceptsNothing,
}

/// The selection of one rule set.
pub(in crate::lint) struct Takers<'a> {
    rules: &'a RuleSet,
    trials: Vec<Trial>,
    /// The trials of each contributor.
    of: Vec<Vec<usize>>,
    /// The trials in front whose ids are left out of a trial's so far.
    blockers: Vec<Vec<usize>>,
    samples: Vec<Option<Answer<Option<Box<str>>>>>,
    numbers: FxHashMap<*const Contributor, usize>,
    /// Those that extend each contributor directly.
    children: Vec<Vec<usize>>,
    /// The first known model that each trial takes, once it was asked for.
    known: Option<FxHashMap<usize, &'a str>>,
}

impl<'a> Takers<'a> {
    pub(super) fn new(rules: &'a RuleSet, languages: &mut Languages) -> Self {
        let trials = trials(rules, languages);
        let mut of = vec![Vec::new(); rules.contributors.len()];
        for (number, trial) in trials.iter().enumerate() {
            if let Some(own) = of.get_mut(trial.contributor) {
                own.push(number);
            }
        }
        let numbers: FxHashMap<_, _> =
            rules.contributors.iter().enumerate().map(|(number, rule)| (Arc::as_ptr(rule), number)).collect();
        let mut children = vec![Vec::new(); rules.contributors.len()];
        for (number, rule) in rules.contributors.iter().enumerate() {
            let parent = rule.parent.as_ref().and_then(|parent| numbers.get(&Arc::as_ptr(parent)));
            if let Some(siblings) = parent.and_then(|parent| children.get_mut(*parent)) {
                siblings.push(number);
            }
        }
        let (blockers, samples) = (vec![Vec::new(); trials.len()], vec![None; rules.contributors.len()]);
        Self { rules, trials, of, blockers, samples, numbers, children, known: None }
    }

    /// All trials, in order.
    pub(in crate::lint) fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// The numbers of a contributor's trials.
    pub(in crate::lint) fn of(&self, contributor: usize) -> &[usize] {
        self.of.get(contributor).map_or(&[], Vec::as_slice)
    }

    /// The number of a contributor.
    pub(in crate::lint) fn number(&self, contributor: &Contributor) -> Option<usize> {
        self.numbers.get(&std::ptr::from_ref(contributor)).copied()
    }

    /// All that extend a contributor, however far.
    pub(super) fn heirs(&self, contributor: usize) -> Vec<usize> {
        let children = |number: usize| self.children.get(number).map_or(&[][..], Vec::as_slice);
        let mut heirs = children(contributor).to_vec();
        let mut at = 0;
        while let Some(heir) = heirs.get(at).copied() {
            heirs.extend_from_slice(children(heir));
            at += 1;
        }
        heirs
    }

    /// The trial that takes an id.
    pub(in crate::lint) fn taken_by(&self, id: &str) -> Option<usize> {
        self.trial_of(choose(self.rules, &ModelId::new(id))?)
    }

    fn trial_of(&self, choice: Choice<'_>) -> Option<usize> {
        let families = choice.contributor.matching.as_ref().map_or(&[][..], |matching| &matching.families);
        let is = |trial: &Trial| match (trial.by, choice.by) {
            (By::Predicate, ChosenBy::Predicate) => true,
            (By::Family(place), ChosenBy::Family(family)) => {
                families.get(place).is_some_and(|own| std::ptr::eq(own, family))
            }
            (By::Predicate, ChosenBy::Family(_)) | (By::Family(_), ChosenBy::Predicate) => false,
        };
        let own = self.of(self.number(choice.contributor)?);
        own.iter().copied().find(|number| self.trials.get(*number).is_some_and(is))
    }

    pub(in crate::lint) fn accepts(&self, trial: usize) -> Lang {
        self.trials.get(trial).map_or(Lang::NOTHING, |trial| trial.accepts)
    }

    fn contributor_of(&self, trial: usize) -> Option<usize> {
        self.trials.get(trial).map(|trial| trial.contributor)
    }

    /// A language that has every id that the contributor takes.
    pub(super) fn lang(&self, languages: &mut Languages, contributor: usize) -> Lang {
        let langs: Vec<Lang> = self.of(contributor).iter().map(|trial| self.left(languages, *trial)).collect();
        languages.or(langs)
    }

    fn left(&self, languages: &mut Languages, trial: usize) -> Lang {
        let blockers = self.blockers.get(trial).map_or(&[][..], Vec::as_slice);
        languages.minus(self.accepts(trial), blockers.iter().map(|blocker| self.accepts(*blocker)))
    }

    /// Leaves out the ids of whoever takes this one in the contributor's place; false if nobody does.
    pub(super) fn block(&mut self, languages: &Languages, contributor: usize, id: &str) -> bool {
        let Some(front) = self.taken_by(id) else { return false };
        if self.contributor_of(front) == Some(contributor) {
            return false;
        }
        let behind = |trial: &usize| *trial > front && languages.accepts(self.accepts(*trial), id);
        let own: Vec<usize> = self.of(contributor).iter().copied().filter(behind).collect();
        let mut blocked = false;
        for trial in own {
            if let Some(blockers) = self.blockers.get_mut(trial).filter(|blockers| !blockers.contains(&front)) {
                blockers.push(front);
                blocked = true;
            }
        }
        blocked
    }

    /// An id that the contributor takes, nothing if there is none.
    pub(super) fn sample(&mut self, languages: &mut Languages, contributor: usize) -> Answer<Option<Box<str>>> {
        if let Some(known) = self.samples.get(contributor).and_then(Clone::clone) {
            return known;
        }
        let answer = match self.guess(contributor) {
            Some(id) => Ok(Some(id)),
            None => self.search(languages, contributor),
        };
        if let Some(slot) = self.samples.get_mut(contributor) {
            *slot = Some(answer.clone());
        }
        answer
    }

    fn search(&mut self, languages: &mut Languages, contributor: usize) -> Answer<Option<Box<str>>> {
        loop {
            let lang = self.lang(languages, contributor);
            let Some(id) = languages.member(lang)? else { return Ok(None) };
            if !self.block(languages, contributor, &id) {
                return Ok(Some(id));
            }
        }
    }

    /// A known model or a literal of its matchers that the interpreter gives to the contributor.
    fn guess(&mut self, contributor: usize) -> Option<Box<str>> {
        let own = self.of(contributor).to_vec();
        let known = self.known();
        if let Some(id) = own.iter().find_map(|trial| known.get(trial)) {
            return Some((*id).into());
        }
        let takes = |id: &String| self.taken_by(id).is_some_and(|trial| own.contains(&trial));
        own.iter().flat_map(|trial| self.guesses(*trial)).find(takes).map(Into::into)
    }

    /// Notes what the catalog's models show, for whoever has chosen their contributors already.
    pub(in crate::lint) fn know(&mut self, models: impl IntoIterator<Item = (&'a str, Choice<'a>)>) {
        let mut known = FxHashMap::default();
        for (id, choice) in models.into_iter().filter(|(id, _)| !id.is_empty()) {
            if let Some(trial) = self.trial_of(choice) {
                known.entry(trial).or_insert(id);
            }
        }
        self.known = Some(known);
    }

    fn known(&mut self) -> &FxHashMap<usize, &'a str> {
        if self.known.is_none() {
            let models = self.rules.catalog.models().iter();
            let choice = |id: &'a str| Some((id, choose(self.rules, &ModelId::new(id))?));
            self.know(models.filter_map(|id| choice(id)));
        }
        self.known.get_or_insert_default()
    }

    /// Ids that a trial may well accept.
    fn guesses(&self, trial: usize) -> Vec<String> {
        let Some(trial) = self.trials.get(trial) else { return Vec::new() };
        let matching = self.rules.contributors.get(trial.contributor).and_then(|rule| rule.matching.as_ref());
        let mut guesses = match trial.by {
            By::Predicate => matching.and_then(|matching| matching.predicate.as_ref()).map_or_else(Vec::new, named_by),
            By::Family(place) => {
                let family = matching.and_then(|matching| matching.families.get(place));
                let prefix = family.map_or("", |family| &family.prefix);
                vec![prefix.to_owned(), format!("{prefix}x"), format!("{prefix}-0")]
            }
        };
        guesses.retain(|id| !id.is_empty());
        guesses
    }

    /// What becomes of one trial, among all others, its own contributor's included.
    pub(in crate::lint) fn fate(&mut self, languages: &mut Languages, trial: usize) -> Answer<Fate> {
        let known = self.known().contains_key(&trial);
        if known || self.guesses(trial).iter().any(|id| self.taken_by(id) == Some(trial)) {
            return Ok(Fate::Takes);
        }
        let accepts = self.accepts(trial);
        let Some(accepted) = languages.member(accepts)? else { return Ok(Fate::AcceptsNothing) };
        let mut front: Vec<usize> = Vec::new();
        loop {
            let others: Vec<Lang> = front.iter().map(|front| self.accepts(*front)).collect();
            let Some(id) = languages.outside(accepts, &others)? else { break };
            match self.taken_by(&id).filter(|taker| *taker != trial && !front.contains(taker)) {
                Some(taker) => front.push(taker),
                None => return Ok(Fate::Takes),
            }
        }
        Ok(Fate::Shadowed(accepted, self.fewest(languages, &[trial], front)))
    }

    /// For a contributor that takes no id: trials of others in front that together accept all of its ids, in trial
    /// order; dropping any of them would leave one.
    pub(in crate::lint) fn shadows(&self, languages: &mut Languages, contributor: usize) -> Vec<usize> {
        let own = self.of(contributor);
        let front = own.iter().filter_map(|trial| self.blockers.get(*trial)).flatten().copied().collect();
        self.fewest(languages, own, front)
    }

    fn fewest(&self, languages: &mut Languages, own: &[usize], mut front: Vec<usize>) -> Vec<usize> {
        front.sort_unstable();
        front.dedup();
        for one in front.clone().into_iter().rev() {
            let others: Vec<usize> = front.iter().copied().filter(|other| *other != one).collect();
            if self.covers(languages, own, &others) {
                front = others;
            }
        }
        front
    }

    fn covers(&self, languages: &mut Languages, own: &[usize], front: &[usize]) -> bool {
        own.iter().all(|trial| {
            let earlier = front.iter().filter(|front| *front < trial);
            let langs: Vec<Lang> = earlier.map(|front| self.accepts(*front)).collect();
            languages.outside(self.accepts(*trial), &langs) == Ok(None)
        })
    }
}

fn trials(rules: &RuleSet, languages: &mut Languages) -> Vec<Trial> {
    let mut trials = Vec::new();
    let matchings =
        || rules.contributors.iter().enumerate().filter_map(|(at, rule)| Some((at, rule.matching.as_ref()?)));
    for (contributor, matching) in matchings() {
        if let Some(predicate) = &matching.predicate {
            trials.push(Trial { contributor, by: By::Predicate, accepts: languages.matcher(predicate) });
        }
    }
    for (contributor, matching) in matchings() {
        for (place, family) in matching.families.iter().enumerate() {
            trials.push(Trial { contributor, by: By::Family(place), accepts: languages.family(family) });
        }
    }
    trials
}
