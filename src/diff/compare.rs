//! The comparison itself: class by class, the base layer, the lines and the blocks.

use std::sync::Arc;

use crate::analysis::Answer;
use crate::analysis::gate::{Function, Space};
use crate::analysis::language::Languages;
use crate::load::Loaded;
use crate::message::Section;
use crate::rules::{ActionKind, Contributor};
use crate::symbolic::{Message, Numbers, Side, Unit, Words, align, joined, model_langs};

use super::classes::{Alike, Pair, alike, pairs};
use super::collect::{Collector, Found};
use super::confirm::{Confirmed, confirm};
use super::kind::Kind;
use super::layer::{Slots, blames, newly_lost, phrase, reading, reordered};
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

struct Comparison<'a> {
    space: Space,
    old: &'a Side<'a>,
    new: &'a Side<'a>,
    written: &'a (Written, Written),
    lines: Units<'a>,
    blocks: Units<'a>,
    found: Collector,
}

/// A difference that is still to be confirmed.
struct Suspicion {
    level: Level,
    cause: String,
    rules: Vec<String>,
    parts: Vec<Part>,
    region: Function,
}

/// One class under comparison.
struct Case<'c, 'a> {
    pair: &'c Pair<'a>,
    class: &'c Alike,
    old: Message,
    new: Message,
}

impl Case<'_, '_> {
    fn model(&self) -> Option<&str> {
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

    fn is_written_alike(&self, rule: &str) -> bool {
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

    fn base(&mut self, case: &Case<'_, '_>) -> Answer<Vec<Suspicion>> {
        let lines = self.line_cases(case)?;
        let slots = Slots::new(&mut self.space, &case.old, &case.new, &lines)?;
        if slots.parts.is_empty() {
            return Ok(Vec::new());
        }
        if is_same_contributor(case.pair, self.old, self.new) {
            return self.blamed(case, &slots);
        }
        self.selected(case, &slots)
    }

    /// Which of "there are lines" and "there are none" the class has, on either side.
    fn line_cases(&mut self, case: &Case<'_, '_>) -> Answer<Vec<bool>> {
        let mut always = true;
        let mut never = true;
        for side in [self.old, self.new] {
            let mut here = false;
            for unit in &side.lines {
                if let Ok(words) = &unit.words {
                    let given = self.space.at_model(words.given, case.model())?;
                    here |= given == Function::TRUE;
                    never &= given == Function::FALSE;
                } else {
                    never = false;
                }
            }
            always &= here;
        }
        Ok(match (always, never) {
            (true, _) => vec![true],
            (_, true) => vec![false],
            (false, false) => vec![true, false],
        })
    }

    /// The class gets another contributor.
    fn selected(&mut self, case: &Case<'_, '_>, slots: &Slots) -> Answer<Vec<Suspicion>> {
        let id = |contributor: Option<&Arc<Contributor>>| contributor.map(|rule| rule.id.to_string());
        let (old, new) = (id(case.pair.old), id(case.pair.new));
        let rules: Vec<String> = [&new, &old].into_iter().flatten().cloned().collect();
        let known = |id: &str| self.old.rules.contributors.iter().any(|rule| *rule.id == *id);
        let cause = match (&old, &new) {
            (_, Some(new)) if known(new) => format!("`{new}` takes models that it did not take"),
            (_, Some(new)) => format!("the new contributor `{new}` takes models"),
            (Some(old), None) => format!("no contributor takes models that `{old}` took"),
            (None, None) => "the default message".to_owned(),
        };
        let because = rules.iter().find_map(|rule| self.behind(rule));
        let cause = match because {
            Some(because) => format!("{cause}: {because}"),
            None => cause,
        };
        let culprit = new.unwrap_or_else(|| "base".to_owned());
        let mut all = self.guardrails(case, slots, &culprit, None, Function::TRUE)?;
        let region = slots.all(&mut self.space)?;
        let parts = slots.parts.iter().map(|(part, _)| *part).collect();
        all.push(Suspicion { level: Level::Selection, cause, rules, parts, region });
        Ok(all)
    }

    /// Guardrails that a rule newly takes away, among the contexts of a region.
    fn guardrails(
        &mut self,
        case: &Case<'_, '_>,
        slots: &Slots,
        rule: &str,
        behind: Option<&str>,
        region: Function,
    ) -> Answer<Vec<Suspicion>> {
        let name = if rule == "base" { "the default message".to_owned() } else { format!("`{rule}`") };
        let because = behind.map(|behind| format!(": {behind}")).unwrap_or_default();
        let mut all = Vec::new();
        let mut add = |cause: String, part: Part, region: Function| {
            if region != Function::FALSE {
                let rules = vec![rule.to_owned()];
                all.push(Suspicion { level: Level::Guardrail, cause, rules, parts: vec![part], region });
            }
        };
        let prompt = self.space.minus(case.new.replace, case.old.replace)?;
        let prompt = self.space.and(prompt, region)?;
        add(format!("the full prompt of {name} takes the foundation's place{because}"), Part::Mode, prompt);
        for section in Section::ALL {
            let part = Part::Section(section);
            let here = slots.region(&mut self.space, part)?;
            let here = self.space.and(here, region)?;
            if here == Function::FALSE {
                continue;
            }
            for (kind, lost) in newly_lost(&mut self.space, section, &case.old, &case.new)? {
                let lost = self.space.and(lost, here)?;
                let verb = match kind {
                    ActionKind::Remove => "removes",
                    ActionKind::Transform => "transforms",
                    _ => "replaces",
                };
                add(format!("{name} newly {verb} the section `{section}`{because}"), part, lost);
            }
        }
        Ok(all)
    }

    /// The class keeps its contributor, and rules changed.
    fn blamed(&mut self, case: &Case<'_, '_>, slots: &Slots) -> Answer<Vec<Suspicion>> {
        let mut all: Vec<Suspicion> = Vec::new();
        let mut explained: Vec<(Part, Function)> = Vec::new();
        let blames = blames(&mut self.space, (self.old, self.new), case.pair, case.model(), slots)?;
        for blame in blames {
            explained.push((blame.part, blame.change.region));
            let owner = case.pair.new.map_or("base", |rule| &rule.id);
            let (rule, mut cause, kind) = if blame.inherited {
                (owner.to_owned(), format!("`{owner}` extends another contributor"), Kind::Text)
            } else {
                (blame.rule.clone(), phrase(&blame.rule, blame.change.kind), blame.change.kind)
            };
            let behind = self.behind(&blame.rule);
            if let Some(behind) = &behind {
                cause.clone_from(behind);
            }
            let mut rest = blame.change.region;
            for loss in self.guardrails_of(case, slots, &rule, behind.as_deref(), blame.part, rest)? {
                rest = self.space.minus(rest, loss.region)?;
                all.push(loss);
            }
            if rest != Function::FALSE {
                let (level, rules, parts) = (kind.level(), vec![rule], vec![blame.part]);
                all.push(Suspicion { level, cause, rules, parts, region: rest });
            }
        }
        all.extend(self.unexplained(case, slots, &explained)?);
        Ok(all)
    }

    /// As [`guardrails`](Self::guardrails), in one part only.
    fn guardrails_of(
        &mut self,
        case: &Case<'_, '_>,
        slots: &Slots,
        rule: &str,
        behind: Option<&str>,
        part: Part,
        region: Function,
    ) -> Answer<Vec<Suspicion>> {
        let mut all = self.guardrails(case, slots, rule, behind, region)?;
        all.retain(|suspicion| suspicion.parts.contains(&part));
        Ok(all)
    }

    /// What no single rule explains: other places of the sections, or another parent.
    fn unexplained(
        &mut self,
        case: &Case<'_, '_>,
        slots: &Slots,
        explained: &[(Part, Function)],
    ) -> Answer<Vec<Suspicion>> {
        let mut all = Vec::new();
        for (part, region) in &slots.parts {
            let mut rest = *region;
            for (_, known) in explained.iter().filter(|(known, _)| known == part) {
                rest = self.space.minus(rest, *known)?;
            }
            if rest == Function::FALSE {
                continue;
            }
            let owner = match part {
                Part::Order => reordered(self.old, self.new, case.pair),
                _ => case.pair.new.map_or("base", |rule| &rule.id).to_owned(),
            };
            let name = if owner == "base" { "the default message".to_owned() } else { format!("`{owner}`") };
            let cause = match part {
                Part::Order => format!("the sections of {name} come in another order"),
                _ => format!("{name} is put together differently"),
            };
            all.push(Suspicion { level: Level::Text, cause, rules: vec![owner], parts: vec![*part], region: rest });
        }
        Ok(all)
    }

    /// What changed behind a rule that is written as before, in one sentence.
    fn behind(&self, rule: &str) -> Option<String> {
        let changed = changed_behind(&self.written.0, &self.written.1, rule);
        let said = changed.iter().map(|(name, before, after): &(Name, String, String)| name.changed(before, after));
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    fn units(&mut self, case: &Case<'_, '_>) -> Answer<Vec<Suspicion>> {
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

fn units_of<'u, 'a>(comparison: &'u Comparison<'a>, lines: bool) -> &'u Units<'a> {
    if lines { &comparison.lines } else { &comparison.blocks }
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

/// Whether the class keeps its contributor: the same id, or the same models under a new one.
fn is_same_contributor(pair: &Pair<'_>, old: &Side<'_>, new: &Side<'_>) -> bool {
    let has = |side: &Side<'_>, id: &str| side.rules.contributors.iter().any(|rule| *rule.id == *id);
    match (pair.old, pair.new) {
        (None, None) => true,
        (Some(before), Some(after)) => {
            let renamed = pair.same && !has(old, &after.id) && !has(new, &before.id);
            before.id == after.id || renamed
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn what(pair: &Pair<'_>) -> String {
    match (pair.lang, pair.new.or(pair.old)) {
        (None, _) => "sessions without a model".to_owned(),
        (Some(_), None) => "models that no contributor takes".to_owned(),
        (Some(_), Some(rule)) => format!("models that `{}` takes", rule.id),
    }
}
