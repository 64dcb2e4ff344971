//! Lines and blocks of one class: what changed about them, where it shows, and what it is called.

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::message::Section;
use crate::rules::ActionKind;
use crate::symbolic::{Message, Unit, Words, align, joined};

use super::compare::{Case, Comparison, Suspicion};
use super::kind::Kind;
use super::units::Units;
use super::{Level, Part};

impl Comparison<'_> {
    pub(super) fn units(&mut self, case: &Case<'_, '_>) -> Answer<Vec<Suspicion>> {
        let mut all = Vec::new();
        if !self.lines.same() {
            let shown = self.lines_shown(case)?;
            all.extend(self.changed_units(case, true, shown)?);
            if !self.lines.moved.is_empty() {
                all.extend(self.moved_units(case, true, shown)?);
            }
        }
        if !self.blocks.same() {
            all.extend(self.changed_units(case, false, Function::TRUE)?);
            if !self.blocks.moved.is_empty() {
                all.extend(self.moved_units(case, false, Function::TRUE)?);
            }
        }
        Ok(all)
    }

    /// Where lines arrive on either side.
    fn lines_shown(&mut self, case: &Case<'_, '_>) -> Answer<Function> {
        let removed = |message: &Message| message.section(Section::ToolInstructions).action(ActionKind::Remove);
        let both = self.space.and(removed(&case.old), removed(&case.new))?;
        self.space.not(both)
    }

    /// Lines show in a section, or behind a full prompt; blocks show in the content.
    fn unit_parts(&mut self, case: &Case<'_, '_>, lines: bool, region: Function) -> Answer<Vec<Part>> {
        if !lines {
            return Ok(vec![Part::Content]);
        }
        let mut parts = Vec::new();
        let both = self.space.and(case.old.replace, case.new.replace)?;
        if self.space.minus(region, both)? != Function::FALSE {
            parts.push(Part::Section(Section::ToolInstructions));
        }
        let either = self.space.or(case.old.replace, case.new.replace)?;
        if self.space.and(region, either)? != Function::FALSE {
            parts.push(Part::Content);
        }
        Ok(parts)
    }

    fn changed_units(&mut self, case: &Case<'_, '_>, lines: bool, shown: Function) -> Answer<Vec<Suspicion>> {
        let (noun, units) = if lines { ("line", &self.lines) } else { ("block", &self.blocks) };
        let changed = units.changed.clone();
        let mut all = Vec::new();
        for pairing in changed {
            let rules = pairing.ids();
            let id = rules.first().cloned().unwrap_or_default();
            if pairing.old.is_some() && pairing.new.is_some() && rules.len() == 1 && self.is_written_alike(&id) {
                continue;
            }
            let changes = match pairing.changes(&mut self.space, case.model()) {
                Ok(changes) => changes,
                Err(undecided) => {
                    self.found.undecided(format!("the {noun} `{id}`"), undecided.to_string());
                    continue;
                }
            };
            for change in changes {
                let region = self.space.and(change.region, shown)?;
                if region != Function::FALSE {
                    let (level, cause) = unit_cause(noun, &id, change.kind);
                    let cause = self.behind(&id).unwrap_or(cause);
                    let parts = self.unit_parts(case, lines, region)?;
                    all.push(Suspicion { level, cause, rules: rules.clone(), parts, region });
                }
            }
        }
        Ok(all)
    }

    fn moved_units(&mut self, case: &Case<'_, '_>, lines: bool, shown: Function) -> Answer<Vec<Suspicion>> {
        let (noun, units) = if lines { ("lines", &self.lines) } else { ("blocks", &self.blocks) };
        let rules: Vec<String> = units.moved.iter().map(|unit| unit.id.to_string()).collect();
        let (old, new) = (units.old, units.new);
        let mut region = match order_region(&mut self.space, old, new, case.model()) {
            Ok(region) => self.space.and(region, shown)?,
            Err(undecided) => {
                self.found.undecided(format!("the order of the {noun}"), undecided.to_string());
                return Ok(Vec::new());
            }
        };
        // What a changed text explains is not said again.
        for pairing in units_of(self, lines).changed.clone() {
            for change in pairing.changes(&mut self.space, case.model()).unwrap_or_default() {
                region = self.space.minus(region, change.region)?;
            }
        }
        if region == Function::FALSE {
            return Ok(Vec::new());
        }
        let cause = format!("the {noun} come in another order");
        let parts = self.unit_parts(case, lines, region)?;
        Ok(vec![Suspicion { level: Level::Text, cause, rules, parts, region }])
    }
}

fn units_of<'u, 'a>(comparison: &'u Comparison<'a>, lines: bool) -> &'u Units<'a> {
    if lines { &comparison.lines } else { &comparison.blocks }
}

fn unit_cause(noun: &str, id: &str, kind: Kind) -> (Level, String) {
    let cause = match kind {
        Kind::Gone => return (Level::Guardrail, format!("the {noun} `{id}` no longer arrives")),
        Kind::New => format!("the {noun} `{id}` is new"),
        Kind::Looser => format!("the {noun} `{id}` is rendered in more contexts"),
        Kind::Tighter => format!("the {noun} `{id}` is rendered in fewer contexts"),
        Kind::Elsewhere => format!("the {noun} `{id}` is rendered under other conditions"),
        Kind::Text => format!("the {noun} `{id}` says something else"),
        Kind::Bytes => format!("the {noun} `{id}` has other white space"),
    };
    (kind.level(), cause)
}

/// Where lines or blocks read differently all together.
fn order_region(space: &mut Space, old: &[Unit], new: &[Unit], model: Option<&str>) -> Answer<Function> {
    let mut all = Vec::new();
    for units in [old, new] {
        let mut words: Vec<Words> = Vec::new();
        for unit in units {
            words.push(unit.words.clone()?.at_model(space, model)?);
        }
        all.push(words);
    }
    let [old, new] = all.as_slice() else { return Ok(Function::FALSE) };
    let (old, new) = without_common(old, new);
    let (old, new) = (joined(space, "\n", old)?, joined(space, "\n", new)?);
    align(space, Function::TRUE, &old.pieces, &new.pieces)?.suspect(space)
}

/// Texts that begin or end both lists in the same way read alike, whatever is between them.
fn without_common<'w>(old: &'w [Words], new: &'w [Words]) -> (&'w [Words], &'w [Words]) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let shorter = |words: &'w [Words]| words.get(..words.len() - end).unwrap_or(words);
    (shorter(old), shorter(new))
}
