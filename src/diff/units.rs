//! Lines and blocks: which of the old side is which of the new side, and what changed about it.

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::analysis::language::Lang;
use crate::symbolic::{Unit, Words, model_langs};

use super::kind::{Change, of_words};

/// A line or block of either side, or of both.
#[derive(Clone, Debug)]
pub(super) struct Pairing<'a> {
    pub(super) old: Option<&'a Unit>,
    pub(super) new: Option<&'a Unit>,
}

/// What is known of all lines, or all blocks, of two sides.
pub(super) struct Units<'a> {
    pub(super) old: &'a [Unit],
    pub(super) new: &'a [Unit],
    /// Those that are not the same function of all contexts.
    pub(super) changed: Vec<Pairing<'a>>,
    /// Those that stand in another order relative to others.
    pub(super) moved: Vec<&'a Unit>,
}

impl<'a> Units<'a> {
    pub(super) fn new(old: &'a [Unit], new: &'a [Unit]) -> Self {
        let pairs = pair(old, new);
        let places: Vec<(usize, usize)> = {
            let place = |units: &[Unit], unit: &Unit| units.iter().position(|other| other.id == unit.id);
            let both = pairs.iter().filter_map(|pairing| Some((pairing.old?, pairing.new?)));
            let mut places: Vec<_> =
                both.filter_map(|(before, after)| Some((place(old, before)?, place(new, after)?))).collect();
            places.sort_unstable();
            places
        };
        let kept = longest_rising(&places.iter().map(|(_, new)| *new).collect::<Vec<usize>>());
        let moved = places.iter().filter(|(_, place)| !kept.contains(place)).filter_map(|(_, place)| new.get(*place));
        let moved = moved.collect();
        let changed = pairs.into_iter().filter(Pairing::may_differ).collect();
        Self { old, new, changed, moved }
    }

    /// Whether everything is the same on both sides.
    pub(super) fn same(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty()
    }

    /// The languages that a change depends on.
    pub(super) fn langs(&self, space: &Space) -> Vec<Lang> {
        let (old, new) = (self.old.iter(), self.new.iter());
        let changed = self.changed.iter().flat_map(|pairing| [pairing.old, pairing.new].into_iter().flatten());
        let units: Vec<&Unit> = if self.moved.is_empty() { changed.collect() } else { old.chain(new).collect() };
        let words = units.into_iter().filter_map(|unit| unit.words.as_ref().ok());
        model_langs(space, words.flat_map(Words::functions))
    }
}

impl Pairing<'_> {
    fn may_differ(&self) -> bool {
        match (self.old, self.new) {
            (Some(old), Some(new)) => old.words != new.words || old.words.is_err(),
            (Some(one), None) | (None, Some(one)) => !matches!(&one.words, Ok(words) if words.given == Function::FALSE),
            (None, None) => false,
        }
    }

    /// What changed, for one model.
    pub(super) fn changes(&self, space: &mut Space, model: Option<&str>) -> Answer<Vec<Change>> {
        let (old, new) = (words(self.old)?, words(self.new)?);
        of_words(space, old, new, model)
    }

    /// The ids on both sides, each once.
    pub(super) fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = [self.new, self.old].into_iter().flatten().map(|unit| unit.id.to_string()).collect();
        ids.dedup();
        ids
    }
}

fn words(unit: Option<&Unit>) -> Answer<Option<&Words>> {
    match unit.map(|unit| &unit.words) {
        None => Ok(None),
        Some(Ok(words)) => Ok(Some(words)),
        Some(Err(undecided)) => Err(undecided.clone()),
    }
}

/// By id; then those with other ids that are the same function: they were renamed.
fn pair<'a>(old: &'a [Unit], new: &'a [Unit]) -> Vec<Pairing<'a>> {
    let by_id = |unit: &Unit, units: &'a [Unit]| units.iter().find(|other| other.id == unit.id);
    let mut pairs: Vec<Pairing<'a>> =
        old.iter().filter_map(|unit| Some(Pairing { old: Some(unit), new: Some(by_id(unit, new)?) })).collect();
    let mut added: Vec<&Unit> = new.iter().filter(|unit| by_id(unit, old).is_none()).collect();
    for unit in old.iter().filter(|unit| by_id(unit, new).is_none()) {
        let renamed = added.iter().position(|other| other.words.is_ok() && other.words == unit.words);
        pairs.push(Pairing { old: Some(unit), new: renamed.map(|place| added.remove(place)) });
    }
    pairs.extend(added.into_iter().map(|unit| Pairing { old: None, new: Some(unit) }));
    pairs
}

/// A longest subsequence that rises: what need not be called moved.
fn longest_rising(numbers: &[usize]) -> Vec<usize> {
    let mut best: Vec<Vec<usize>> = Vec::new();
    for number in numbers {
        let place = best.partition_point(|run| run.last() < Some(number));
        let mut run = place.checked_sub(1).and_then(|before| best.get(before)).cloned().unwrap_or_default();
        run.push(*number);
        match best.get_mut(place) {
            Some(slot) => *slot = run,
            None => best.push(run),
        }
    }
    best.pop().unwrap_or_default()
}
