//! The base layer of one class: what differs, at which level, and which rules are to blame.

use std::sync::Arc;

use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::message::Section;
use crate::rules::{ActionKind, Contributor};
use crate::symbolic::Side;

use super::classes::Pair;
use super::compare::{Case, Comparison, Suspicion};
use super::kind::Kind;
use super::layer::{Slots, blames, named, newly_lost, phrase, reordered};
use super::{Level, Part};

impl Comparison<'_> {
    pub(super) fn base(&mut self, case: &Case<'_, '_>) -> Answer<Vec<Suspicion>> {
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
        let name = named(rule);
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
            let name = named(&owner);
            let cause = match part {
                Part::Order => format!("the sections of {name} come in another order"),
                _ => format!("{name} is put together differently"),
            };
            all.push(Suspicion { level: Level::Text, cause, rules: vec![owner], parts: vec![*part], region: rest });
        }
        Ok(all)
    }
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
