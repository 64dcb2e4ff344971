//! Which rule breaks a policy in one resolution.

use super::Culprit;
use super::judge::{Resolution, holds, passes, text_of, texts_of};
use crate::analysis::gate::Space;
use crate::message::SectionOverride;
use crate::rules::{Demand, Line, Policy, PolicyCondition, Test};
use crate::symbolic::Side;

/// The place to blame; nothing where something is absent.
pub(super) fn blame(space: &Space, side: &Side<'_>, policy: &Policy, resolution: &Resolution<'_>) -> Option<Culprit> {
    let blamer = Blamer { space, side, resolution };
    blamer.condition(&policy.condition, policy.demand == Demand::Never)
}

struct Blamer<'a, 'r> {
    space: &'a Space,
    side: &'a Side<'a>,
    resolution: &'a Resolution<'r>,
}

impl Blamer<'_, '_> {
    /// What makes a condition true, or false.
    fn condition(&self, condition: &PolicyCondition, truth: bool) -> Option<Culprit> {
        for test in &condition.tests {
            let to_blame = truth || !passes(self.space, self.side, test, self.resolution);
            if let Some(culprit) = to_blame.then(|| self.test(test, truth)).flatten() {
                return Some(culprit);
            }
        }
        None
    }

    fn test(&self, test: &Test, truth: bool) -> Option<Culprit> {
        match test {
            Test::Replaces(replaces) => self.mode(*replaces == truth),
            Test::Contributor(_) => self.contributor(truth),
            Test::Section(sections, _) => {
                let (rule, chosen) = sections.iter().find_map(|section| self.resolution.overrides.get(section))?;
                let does = format!("{}s a section", chosen.action.as_str());
                Some(Culprit { span: chosen.action_span, rule: (*rule).to_owned(), does })
            }
            Test::Line(ids) => {
                let removed = !truth && !self.resolution.has_lines();
                let section = crate::message::Section::ToolInstructions;
                if removed && let Some((rule, chosen)) = self.resolution.overrides.get(&section) {
                    let does = "drops all lines".to_owned();
                    return Some(Culprit { span: chosen.action_span, rule: (*rule).to_owned(), does });
                }
                self.unit(&self.resolution.lines, ids, truth)
            }
            Test::Block(ids) => self.unit(&self.resolution.blocks, ids, truth),
            Test::TrailingEndsWith(id) => {
                let last = self.resolution.blocks.last().filter(|block| truth == (block.id == *id));
                last.map(|block| rendered(block, if truth { "is last" } else { "comes after it" }))
            }
            Test::Text(pattern) => truth.then(|| self.text(pattern)).flatten(),
            Test::All(conditions) | Test::Any(conditions) => {
                conditions.iter().find_map(|inner| self.inner(inner, truth))
            }
            Test::Not(inner) => self.condition(inner, !truth),
        }
    }

    /// A part of a condition, if it is as the whole is.
    fn inner(&self, inner: &PolicyCondition, truth: bool) -> Option<Culprit> {
        (holds(self.space, self.side, inner, self.resolution) == truth).then(|| self.condition(inner, truth)).flatten()
    }

    fn mode(&self, replaces: bool) -> Option<Culprit> {
        let contributor = self.resolution.contributor.filter(|_| replaces)?;
        let prompt = contributor.full_prompt.as_ref()?;
        let does = "replaces the foundation".to_owned();
        Some(Culprit { span: prompt.span, rule: contributor.id.to_string(), does })
    }

    fn contributor(&self, truth: bool) -> Option<Culprit> {
        let contributor = self.resolution.contributor.filter(|_| truth)?;
        Some(Culprit { span: contributor.span, rule: contributor.id.to_string(), does: "is chosen".to_owned() })
    }

    fn unit(&self, rendered_units: &[&Line], ids: &[Box<str>], truth: bool) -> Option<Culprit> {
        let unit = rendered_units.iter().find(|unit| truth && ids.contains(&unit.id))?;
        Some(rendered(unit, "is rendered"))
    }

    fn text(&self, pattern: &regex::Regex) -> Option<Culprit> {
        let says = "says it".to_owned();
        let (lines, blocks) = (self.resolution.lines.iter(), self.resolution.blocks.iter());
        for unit in lines.filter(|_| self.resolution.has_lines()).chain(blocks) {
            if pattern.is_match(&text_of(self.space, self.side, &unit.id, &self.resolution.context)) {
                return Some(rendered(unit, "says it"));
            }
        }
        for (section, (rule, chosen)) in &self.resolution.overrides {
            let value = self.resolution.message.sections().and_then(|all| all.get(*section));
            let matches = |value: &SectionOverride| texts_of(value).into_iter().any(|text| pattern.is_match(text));
            if value.is_some_and(matches) {
                return Some(Culprit { span: chosen.span, rule: (*rule).to_owned(), does: says });
            }
        }
        let contributor = self.resolution.contributor?;
        Some(Culprit { span: contributor.span, rule: contributor.id.to_string(), does: says })
    }
}

fn rendered(unit: &Line, does: &str) -> Culprit {
    Culprit { span: unit.span, rule: unit.id.to_string(), does: does.to_owned() }
}
