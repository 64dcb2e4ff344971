//! Differences of single classes, gathered by cause.

use sha2::{Digest, Sha256};

use super::confirm::facts;
use super::written::{Written, changed_names};
use crate::message::SystemMessageConfig;
use crate::rules::RuleSet;
use crate::source::Span;

use super::{Class, Diff, Difference, Level, Open, Part, Witness};

/// A difference within one class.
pub(super) struct Found {
    pub(super) level: Level,
    /// The cause in one sentence; equal causes are one difference.
    pub(super) cause: String,
    pub(super) rules: Vec<String>,
    pub(super) parts: Vec<Part>,
    /// The catalog models of the class.
    pub(super) models: Vec<String>,
    pub(super) class: Class,
    pub(super) witness: Witness,
}

/// All of them.
#[derive(Default)]
pub(super) struct Collector {
    found: Vec<Difference>,
    undecided: Vec<Open>,
}

impl Collector {
    pub(super) fn add(&mut self, found: Found) {
        let known = self.found.iter_mut().find(|known| known.level == found.level && known.cause == found.cause);
        match known {
            Some(known) => merge(known, found),
            None => self.found.push(Difference {
                level: found.level,
                cause: found.cause,
                rules: found.rules,
                place: None,
                parts: found.parts,
                models: found.models,
                classes: vec![found.class],
                witness: found.witness,
                fingerprint: String::new(),
            }),
        }
    }

    pub(super) fn undecided(&mut self, what: impl Into<String>, why: impl Into<String>) {
        let open = Open { what: what.into(), why: why.into() };
        if !self.undecided.contains(&open) {
            self.undecided.push(open);
        }
    }

    /// Everything in its final order: worst first, then what touches most models.
    pub(super) fn finish(mut self, models: &[Box<str>], rules: &RuleSet, old: &Written, new: &Written) -> Diff {
        for difference in &mut self.found {
            difference.models.sort_by_key(|id| models.iter().position(|model| **model == **id));
            difference.models.dedup();
            difference.classes.sort_by_key(|class| (class.example.is_some(), std::cmp::Reverse(class.models)));
            difference.parts.sort_unstable();
            difference.parts.dedup();
            difference.place = difference.rules.iter().find_map(|rule| place(rules, rule));
            difference.fingerprint = fingerprint(difference, old, new);
        }
        self.found.sort_by(|left, right| {
            let key = |found: &Difference| (found.level, std::cmp::Reverse(found.models.len()));
            key(left).cmp(&key(right)).then_with(|| left.cause.cmp(&right.cause))
        });
        Diff { differences: self.found, undecided: self.undecided }
    }
}

/// Where a rule is written.
fn place(rules: &RuleSet, id: &str) -> Option<Span> {
    let contributor = rules.contributors.iter().find(|rule| *rule.id == *id).map(|rule| rule.span);
    let unit = rules.lines.iter().chain(&rules.blocks).find(|unit| *unit.id == *id).map(|unit| unit.span);
    let search = rules.tool_search.as_ref().filter(|_| id == "tool_search").map(|search| search.span);
    contributor.or(unit).or(search).or((id == "base").then_some(rules.base.span))
}

fn merge(known: &mut Difference, found: Found) {
    for rule in found.rules {
        if !known.rules.contains(&rule) {
            known.rules.push(rule);
        }
    }
    known.parts.extend(found.parts);
    known.models.extend(found.models);
    let key = |class: &Class| (class.old.clone(), class.new.clone(), class.example.is_some());
    match known.classes.iter_mut().find(|class| key(class) == key(&found.class)) {
        // Classes of the same contributors are told as one; the same class may come twice, for two parts.
        Some(class) => {
            if !class.members.contains(&found.class.example) {
                class.members.push(found.class.example);
                class.models += found.class.models;
            }
        }
        None => known.classes.push(found.class),
    }
    if rank(&found.witness, &known.models) < rank(&known.witness, &known.models) {
        known.witness = found.witness;
    }
}

/// The smaller the better; of two, the one with a catalog model or none.
fn rank(witness: &Witness, models: &[String]) -> (usize, bool) {
    let unknown = witness.context.model.as_ref().is_some_and(|model| !models.contains(model));
    (facts(&witness.context), unknown)
}

/// What an approval refers to: the cause, the rules as written on both sides, and whom it touches.
fn fingerprint(difference: &Difference, old: &Written, new: &Written) -> String {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update(text);
        hash.update([0]);
    };
    part(difference.level.as_str());
    part(&difference.cause);
    for rule in &difference.rules {
        part(rule);
        part(&old.rule(rule));
        part(&new.rule(rule));
        for (_, before, after) in changed_names(old, new, rule) {
            part(&before);
            part(&after);
        }
    }
    for name in &difference.parts {
        part(&name.name());
        if difference.level <= Level::Selection {
            part(&value(*name, &difference.witness.old));
            part(&value(*name, &difference.witness.new));
        }
    }
    difference.models.iter().for_each(|model| part(model));
    for class in &difference.classes {
        part(class.old.as_deref().unwrap_or_default());
        part(class.new.as_deref().unwrap_or_default());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What a message says in one part.
fn value(part: Part, message: &SystemMessageConfig) -> String {
    match part {
        Part::Section(section) => format!("{:?}", message.sections().and_then(|all| all.get(section))),
        Part::Content => message.content().cloned().unwrap_or_default(),
        Part::Mode => message.mode().to_owned(),
        Part::Order | Part::ToolSearch => String::new(),
    }
}
