//! The comparison itself: class by class, the base layer, the lines and the blocks.

use std::sync::Arc;

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::analysis::language::Languages;
use crate::load::Loaded;
use crate::message::Section;
use crate::rules::{ActionKind, Contributor};
use crate::symbolic::{Message, Numbers, Side, Words, model_langs};

use super::classes::{Alike, Pair, alike, pairs};
use super::collect::{Collector, Found};
use super::confirm::{Confirmed, confirm};
use super::layer::reading;
use super::units::Units;
use super::written::{Name, Written, changed_behind};
use super::{Class, Diff, Level, Part, launch};

/// Compares two rule sets over all contexts.
pub(super) fn compare(old: &Loaded, new: &Loaded) -> Diff {
    let mut models: Vec<Box<str>> = new.rules.catalog.models().to_vec();
    models.extend(old.rules.catalog.models().iter().filter(|id| !new.rules.catalog.models().contains(id)).cloned());
    let mut space = Space::new(Languages::new(models.iter().map(AsRef::as_ref)));
    let mut numbers = Numbers::default();
    numbers.add(&old.documents);
    numbers.add(&new.documents);
    let (before, after) = (Side::new(&mut space, &old.rules, &numbers), Side::new(&mut space, &new.rules, &numbers));
    let written = (Written::new(old), Written::new(new));
    let mut comparison = Comparison {
        lines: Units::new(&before.lines, &after.lines),
        blocks: Units::new(&before.blocks, &after.blocks),
        space,
        old: &before,
        new: &after,
        written: &written,
        found: Collector::default(),
    };
    comparison.run();
    let Comparison { mut space, mut found, .. } = comparison;
    launch::compare(&mut space, &old.rules, &new.rules, &written, &mut found);
    found.finish(&models, &new.rules, &written.0, &written.1)
}

pub(super) struct Comparison<'a> {
    pub(super) space: Space,
    pub(super) old: &'a Side<'a>,
    pub(super) new: &'a Side<'a>,
    pub(super) written: &'a (Written, Written),
    pub(super) lines: Units<'a>,
    pub(super) blocks: Units<'a>,
    pub(super) found: Collector,
}

/// A difference that is still to be confirmed.
pub(super) struct Suspicion {
    pub(super) level: Level,
    pub(super) cause: String,
    pub(super) rules: Vec<String>,
    pub(super) parts: Vec<Part>,
    pub(super) region: Function,
}

/// One class under comparison.
pub(super) struct Case<'c, 'a> {
    pub(super) pair: &'c Pair<'a>,
    pub(super) class: &'c Alike,
    pub(super) old: Message,
    pub(super) new: Message,
}

impl Case<'_, '_> {
    pub(super) fn model(&self) -> Option<&str> {
        self.class.model.as_deref()
    }
}

impl<'a> Comparison<'a> {
    fn run(&mut self) {
        let (pairs, complete) = pairs(&mut self.space, self.old, self.new);
        if let Err(undecided) = complete {
            self.found.undecided("which models get which contributor", undecided.to_string());
        }
        for pair in pairs {
            if let Err(undecided) = self.pair(&pair) {
                self.found.undecided(what(&pair), undecided.to_string());
            }
        }
    }

    fn pair(&mut self, pair: &Pair<'a>) -> Answer<()> {
        let units_same = self.lines.same() && self.blocks.same();
        if units_same && self.is_untouched(pair) {
            return Ok(());
        }
        let old = self.old.message(&mut self.space, pair.old.map(AsRef::as_ref))?;
        let new = self.new.message(&mut self.space, pair.new.map(AsRef::as_ref))?;
        if units_same && old == new {
            return Ok(());
        }
        let mut langs = self.lines.langs(&self.space);
        langs.extend(self.blocks.langs(&self.space));
        if old == new {
            let remove = old.section(Section::ToolInstructions).action(ActionKind::Remove);
            langs.extend(model_langs(&self.space, [old.replace, remove]));
        } else {
            langs.extend(model_langs(&self.space, old.functions().chain(new.functions())));
            // What becomes of this section, and where it stands, depends on whether there are lines.
            let lines = Section::ToolInstructions;
            if old.section(lines) != new.section(lines) || old.order != new.order {
                let units = self.old.lines.iter().chain(&self.new.lines);
                let words = units.filter_map(|unit| unit.words.as_ref().ok());
                langs.extend(model_langs(&self.space, words.flat_map(Words::functions)));
            }
        }
        langs.sort_unstable();
        langs.dedup();
        let (classes, trouble) = alike(&mut self.space, pair, &langs);
        for class in &classes {
            let model = class.model.as_deref();
            let (old, new) = (old.at_model(&mut self.space, model)?, new.at_model(&mut self.space, model)?);
            self.case(&Case { pair, class, old, new })?;
        }
        trouble.map_or(Ok(()), Err)
    }

    /// Whether nothing that makes the base layer of a pair was touched: it need not even be compiled.
    fn is_untouched(&self, pair: &Pair<'_>) -> bool {
        let ids = |contributor: Option<&Arc<Contributor>>| {
            let first = contributor.map(AsRef::as_ref);
            let chain = std::iter::successors(first, |rule: &&Contributor| rule.parent.as_deref());
            chain.map(|rule| rule.id.to_string()).chain(["base".to_owned()]).collect::<Vec<String>>()
        };
        let (old, new) = (ids(pair.old), ids(pair.new));
        old == new && old.iter().all(|rule| self.is_written_alike(rule))
    }

    pub(super) fn is_written_alike(&self, rule: &str) -> bool {
        let (old, new) = self.written;
        old.rule(rule) == new.rule(rule) && changed_behind(old, new, rule).is_empty()
    }

    fn case(&mut self, case: &Case<'_, '_>) -> Answer<()> {
        let mut suspicions = self.units(case)?;
        if case.old != case.new {
            suspicions.extend(self.base(case)?);
        }
        for suspicion in suspicions {
            self.confirm(case, suspicion)?;
        }
        Ok(())
    }

    /// What changed behind a rule that is written as before, in one sentence.
    pub(super) fn behind(&self, rule: &str) -> Option<String> {
        let changed = changed_behind(&self.written.0, &self.written.1, rule);
        let said = changed.iter().map(|(name, before, after): &(Name, String, String)| name.changed(before, after));
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    fn confirm(&mut self, case: &Case<'_, '_>, suspicion: Suspicion) -> Answer<()> {
        let (old, new) = (self.old, self.new);
        let parts = suspicion.parts.clone();
        let mut exact = |space: &mut Space| exactly(space, old, new, case, &parts);
        let rules = (old.rules, new.rules);
        let confirmed = confirm(&mut self.space, rules, case.model(), &suspicion.parts, suspicion.region, &mut exact);
        match confirmed {
            Ok(Confirmed::Hidden) => {}
            Ok(Confirmed::Open) => {
                self.found.undecided(suspicion.cause, "no context that shows it could be confirmed");
            }
            Err(undecided) => self.found.undecided(suspicion.cause, undecided.to_string()),
            Ok(Confirmed::Shown(witness)) => self.found.add(Found {
                level: suspicion.level,
                cause: suspicion.cause,
                rules: suspicion.rules,
                parts: suspicion.parts,
                models: case.class.known.clone(),
                class: class(case),
                witness: *witness,
            }),
        }
        Ok(())
    }
}

fn class(case: &Case<'_, '_>) -> Class {
    let id = |contributor: Option<&Arc<Contributor>>| contributor.map(|rule| rule.id.to_string());
    Class {
        old: id(case.pair.old),
        new: id(case.pair.new),
        example: case.class.model.clone(),
        models: case.class.known.len(),
        members: vec![case.class.model.clone()],
    }
}

/// Where parts of the whole messages differ, lines and blocks included, and where numbers decide.
fn exactly(
    space: &mut Space,
    old: &Side<'_>,
    new: &Side<'_>,
    case: &Case<'_, '_>,
    parts: &[Part],
) -> Answer<(Function, Function)> {
    let old = whole(space, old, &case.old, case.model())?;
    let new = whole(space, new, &case.new, case.model())?;
    let (mut differ, mut open) = (Function::FALSE, Function::FALSE);
    for part in parts {
        let reading = reading(space, *part, &old, &new)?;
        differ = space.or(differ, reading.differ)?;
        open = space.or(open, reading.open)?;
    }
    Ok((differ, open))
}

fn whole(space: &mut Space, side: &Side<'_>, base: &Message, model: Option<&str>) -> Answer<Message> {
    let lines = side.all_lines(space)?.at_model(space, model)?;
    let mut blocks = Vec::new();
    for unit in &side.blocks {
        blocks.push(unit.words.clone()?.at_model(space, model)?);
    }
    base.with_lines(space, &lines)?.with_blocks(space, &lines, &blocks)
}

fn what(pair: &Pair<'_>) -> String {
    match (pair.lang, pair.new.or(pair.old)) {
        (None, _) => "sessions without a model".to_owned(),
        (Some(_), None) => "models that no contributor takes".to_owned(),
        (Some(_), Some(rule)) => format!("models that `{}` takes", rule.id),
    }
}
