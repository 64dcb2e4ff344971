//! Reasons for what a result has or has not, from its explanation.

use super::expect::{Actual, Why};
use crate::explain::{Because, Explanation, Fate, Verdict};
use crate::interpret::{DefaultReason, RuleKind};
use crate::message::Section;

/// What holds of a whole run: the choice, what stands in its way, and what was probably meant.
pub(super) fn of_run(explanation: &Explanation<'_>) -> Vec<Why> {
    let mut why = Vec::new();
    if let Some(choice) = explanation.choice {
        let contributor = choice.contributor;
        why.push(Why { text: format!("`{}` takes the model", contributor.id), span: Some(contributor.span) });
        let verdict = explanation.rules.iter().find(|rule| rule.span == contributor.span);
        if let Some(because) = verdict.and_then(|rule| rule.verdict.because()) {
            why.push(reason("it", because));
        }
    }
    why.extend(explanation.reason.map(|reason| Why { text: default_reason(reason).to_owned(), span: None }));
    why.extend(explanation.hints.iter().map(|hint| Why { text: hint.clone(), span: None }));
    why
}

impl Actual<'_, '_> {
    /// Why a rule did or did not take part.
    pub(super) fn why_rule(&self, id: &str) -> Vec<Why> {
        let Some(rule) = self.explanation.rules.iter().find(|rule| rule.id == id) else { return Vec::new() };
        vec![match &rule.verdict {
            Verdict::NotApplied(Some(because)) => reason(id, because),
            Verdict::Applied if rule.kind == RuleKind::Contributor && !self.is_chosen(id) => {
                Why { text: format!("`{id}` only lies underneath the one that takes it"), span: Some(rule.span) }
            }
            Verdict::Applied => Why { text: format!("`{id}` applies"), span: Some(rule.span) },
            Verdict::NotApplied(None) => Why { text: format!("`{id}` gives nothing"), span: Some(rule.span) },
            Verdict::NotReached => Why { text: format!("`{id}` was never reached"), span: Some(rule.span) },
        }]
    }

    fn is_chosen(&self, id: &str) -> bool {
        self.explanation.choice.is_some_and(|choice| *choice.contributor.id == *id)
    }

    /// What became of each override of a section.
    pub(super) fn why_section(&self, section: Section) -> Vec<Why> {
        let about = self.explanation.overrides.iter().filter(|one| one.section == section);
        let mut why: Vec<Why> = about
            .map(|one| {
                let name = format!("{} of `{}`", one.chosen.action.as_str(), one.rule);
                match &one.fate {
                    Fate::Counts => Why { text: format!("{name} counts"), span: Some(one.chosen.action_span) },
                    Fate::Replaced(by) => {
                        Why { text: format!("{name} is replaced by `{by}`"), span: Some(one.chosen.action_span) }
                    }
                    Fate::NotApplied(Some(because)) => reason(&name, because),
                    Fate::NotApplied(None) => {
                        Why { text: format!("{name} gives nothing"), span: Some(one.chosen.action_span) }
                    }
                    Fate::NotReached => {
                        Why { text: format!("{name} comes after one that applies"), span: Some(one.chosen.action_span) }
                    }
                }
            })
            .collect();
        if why.is_empty() {
            why.push(Why { text: format!("no rule that takes part overrides {section}"), span: None });
        }
        why
    }
}

fn reason(name: &str, because: &Because) -> Why {
    let quoted = if name == "it" || name.contains('`') { name.to_owned() } else { format!("`{name}`") };
    Why { text: format!("{quoted} does not apply: {}: {}", because.condition, because.fact), span: Some(because.span) }
}

fn default_reason(reason: DefaultReason) -> &'static str {
    match reason {
        DefaultReason::NoModel => "the default message stands alone: there is no model (no-model)",
        DefaultReason::NoContributor => "the default message stands alone: no rule takes the model (no-contributor)",
        DefaultReason::OptedOut => "the default message stands alone: its `when` fails (opted-out)",
        DefaultReason::NothingApplied => {
            "the default message stands alone: none of its parts applies (nothing-applied)"
        }
    }
}
