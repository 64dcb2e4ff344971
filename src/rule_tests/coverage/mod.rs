//! Coverage: what of a rule set some runs have exercised.
//!
//! Input: the events of runs. Output: a [`CoverageReport`] that counts every contributor, guarded
//! override, line and block once, every gate twice (it held, it failed), and, in gates of several
//! conditions, each condition once: covered if it has decided alone both ways. The catalog's models
//! are listed, but not counted: a rule is not better tested by more names for the same thing.

mod decided;
mod gates;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::explain::describe;
use crate::interpret::{Event, Facts};
use crate::rules::{Catalog, Gate, RuleSet, SectionRule};
use crate::source::Span;

use decided::Use;

/// What runs have exercised so far.
#[derive(Debug)]
pub struct Coverage<'r> {
    rules: &'r RuleSet,
    /// Contributors whose own parts, or full prompt, took part; by their id's place.
    contributors: FxHashSet<Span>,
    overrides: FxHashSet<Span>,
    rendered: FxHashSet<Span>,
    gates: FxHashMap<Span, Use>,
    models: FxHashSet<String>,
}

impl<'r> Coverage<'r> {
    /// Nothing of a rule set.
    #[must_use]
    pub fn new(rules: &'r RuleSet) -> Self {
        Self {
            rules,
            contributors: FxHashSet::default(),
            overrides: FxHashSet::default(),
            rendered: FxHashSet::default(),
            gates: FxHashMap::default(),
            models: FxHashSet::default(),
        }
    }

    /// Takes in one run.
    pub(super) fn observe(&mut self, facts: &Facts<'_>, events: &[Event<'r>]) {
        self.models.extend(facts.model.as_ref().map(|model| model.raw().to_owned()));
        for event in events {
            match event {
                Event::Gate { gate, .. } => self.gates.entry(gate.span).or_default().observe(gate, facts),
                Event::Parts { contributor, apply: true } | Event::FullPrompt(contributor) => {
                    self.contributors.insert(contributor.span);
                    if let (Event::FullPrompt(_), Some(prompt)) = (event, &contributor.full_prompt) {
                        self.overrides.insert(prompt.span);
                    }
                }
                Event::Override { chosen, .. } => {
                    self.overrides.insert(chosen.span);
                }
                Event::Rendered { rule, rendered: true, .. } => {
                    self.rendered.insert(rule.span);
                }
                Event::Parts { apply: false, .. }
                | Event::Rendered { rendered: false, .. }
                | Event::Chosen(_)
                | Event::Default(_)
                | Event::Content { .. }
                | Event::Unbound { .. }
                | Event::Asked(_) => {}
            }
        }
    }

    /// What is covered, and what is not.
    #[must_use]
    pub fn report(&self) -> CoverageReport {
        let rules = self.rules;
        let contributors = rules.contributors.iter();
        let contributors = contributors.map(|rule| item(&rule.id, rule.span, self.contributors.contains(&rule.span)));
        let mut overrides = self.overrides_of("base", &rules.base.sections);
        for rule in &rules.contributors {
            overrides.extend(self.overrides_of(&rule.id, &rule.sections));
            let prompt = rule.full_prompt.iter().filter(|prompt| prompt.when.is_some());
            overrides.extend(prompt.map(|prompt| {
                item(&format!("{} full_prompt", rule.id), prompt.span, self.overrides.contains(&prompt.span))
            }));
        }
        let rendered = |rule: &crate::rules::Line| item(&rule.id, rule.span, self.rendered.contains(&rule.span));
        let models = rules.catalog.models().iter();
        CoverageReport {
            contributors: contributors.collect(),
            overrides,
            lines: rules.lines.iter().map(rendered).collect(),
            blocks: rules.blocks.iter().map(rendered).collect(),
            gates: gates::all(rules).into_iter().map(|one| self.gate(&rules.catalog, one)).collect(),
            models: models.map(|id| (id.to_string(), self.models.contains(&**id))).collect(),
        }
    }

    /// The guarded overrides of one rule.
    fn overrides_of(&self, rule: &str, sections: &[SectionRule]) -> Vec<Item> {
        let all = sections.iter().flat_map(|section| section.overrides.iter().map(move |one| (section.section, one)));
        let guarded = all.filter(|(_, one)| one.when.is_some());
        guarded
            .map(|(section, one)| {
                let name = format!("{rule} {section}:{}", one.action.as_str());
                item(&name, one.action_span, self.overrides.contains(&one.span))
            })
            .collect()
    }

    fn gate(&self, catalog: &Catalog, (owner, gate): (String, &Gate)) -> GateItem {
        let none = Use::default();
        let seen = self.gates.get(&gate.span).unwrap_or(&none);
        let conditions = decided::conditions(gate).into_iter().enumerate().map(|(at, condition)| {
            let (held, failed) = seen.decided(at);
            ConditionItem {
                condition: describe::condition(catalog, condition),
                span: condition.key_span,
                held_alone: held,
                failed_alone: failed,
            }
        });
        GateItem {
            owner,
            gate: describe::gate(catalog, gate),
            span: gate.span,
            held: seen.held,
            failed: seen.failed,
            conditions: conditions.collect(),
        }
    }
}

fn item(name: &str, span: Span, covered: bool) -> Item {
    Item { name: name.to_owned(), span, covered }
}

/// What of a rule set is covered.
#[derive(Clone, Debug)]
pub struct CoverageReport {
    /// Contributors: covered if their own parts took part.
    pub contributors: Vec<Item>,
    /// Overrides and full prompts with a gate of their own: covered if they applied.
    pub overrides: Vec<Item>,
    /// Lines: covered if they were rendered.
    pub lines: Vec<Item>,
    /// Blocks: covered if they were rendered.
    pub blocks: Vec<Item>,
    /// All gates that rules have.
    pub gates: Vec<GateItem>,
    /// The catalog's models, and whether one was used.
    pub models: Vec<(String, bool)>,
}

/// Something that is covered or not.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its place.
    pub span: Span,
    /// Whether it is covered.
    pub covered: bool,
}

/// A gate with its outcomes.
#[derive(Clone, Debug)]
pub struct GateItem {
    /// What it guards.
    pub owner: String,
    /// The gate in one line.
    pub gate: String,
    /// Its place.
    pub span: Span,
    /// Whether it ever held.
    pub held: bool,
    /// Whether it ever failed.
    pub failed: bool,
    /// Its conditions: those that are not made of others.
    pub conditions: Vec<ConditionItem>,
}

/// A condition of a gate.
#[derive(Clone, Debug)]
pub struct ConditionItem {
    /// The condition in one line.
    pub condition: String,
    /// Its place.
    pub span: Span,
    /// Whether the gate's outcome ever hung on its holding, everything else being as it was.
    pub held_alone: bool,
    /// Whether the gate's outcome ever hung on its failing.
    pub failed_alone: bool,
}

impl ConditionItem {
    /// Whether it has decided alone both ways.
    #[must_use]
    pub fn decided(&self) -> bool {
        self.held_alone && self.failed_alone
    }
}

/// How many of some things are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Count {
    /// Covered ones.
    pub covered: usize,
    /// All.
    pub total: usize,
}

impl Count {
    fn of(flags: impl Iterator<Item = bool>) -> Self {
        flags.fold(Self::default(), |count, covered| Self {
            covered: count.covered + usize::from(covered),
            total: count.total + 1,
        })
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { covered: self.covered + other.covered, total: self.total + other.total }
    }

    /// The covered part in percent, rounded down to tenths; nothing to cover is all covered.
    #[must_use]
    pub fn percent(self) -> f64 {
        let tenths = (self.covered * 1000).checked_div(self.total).unwrap_or(1000);
        f64::from(u32::try_from(tenths).unwrap_or(0)) / 10.0
    }

    /// Whether less than this many percent is covered.
    #[must_use]
    pub fn is_under(self, percent: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let (covered, total) = (self.covered as f64, self.total as f64);
        covered * 100.0 < percent * total
    }
}

impl CoverageReport {
    /// The counts by kind, in order: contributors, overrides, lines, blocks, gates, conditions.
    #[must_use]
    pub fn counts(&self) -> [(&'static str, Count); 6] {
        let items = |items: &[Item]| Count::of(items.iter().map(|item| item.covered));
        let joint = self.gates.iter().filter(|gate| gate.conditions.len() > 1);
        [
            ("contributors", items(&self.contributors)),
            ("overrides", items(&self.overrides)),
            ("lines", items(&self.lines)),
            ("blocks", items(&self.blocks)),
            ("gates", Count::of(self.gates.iter().flat_map(|gate| [gate.held, gate.failed]))),
            ("conditions", Count::of(joint.flat_map(|gate| gate.conditions.iter().map(ConditionItem::decided)))),
        ]
    }

    /// All counts together.
    #[must_use]
    pub fn total(&self) -> Count {
        self.counts().into_iter().fold(Count::default(), |sum, (_, count)| sum.and(count))
    }
}
