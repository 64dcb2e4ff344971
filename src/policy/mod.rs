//! Policies, decided over all contexts.
//!
//! Input: a rule set that loaded. Output: for each policy that does not hold, the places to blame, each
//! with a smallest context; and the policies that could not be decided, with the limit. A policy
//! of which nothing is said holds in every context: that is a proof. For each contributor the message
//! is a function of contexts (`crate::symbolic`), a policy is one too (`condition`), and a context
//! in which it fails is run through the interpreter (`judge`) before it is reported.

mod blame;
mod condition;
mod judge;
mod search;

use std::sync::Arc;

use crate::analysis::gate::{Function, Space};
use crate::analysis::language::{Lang, Languages};
use crate::analysis::{Answer, Limit, Undecided};
use crate::context::Context;
use crate::load::Document;
use crate::rules::{Contributor, Demand, Policy, PolicyCondition, RuleSet, Test};
use crate::source::Span;
use crate::symbolic::{Message, Numbers, Side, numbers_in, with_other_numbers};

use blame::blame;
use condition::Asked;
use judge::{Resolution, violates};

/// A policy that does not hold.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The policy's number in the set.
    pub policy: usize,
    /// What is to blame: a place in a rule; nothing where something is absent.
    pub culprit: Option<Culprit>,
    /// A smallest context in which it fails.
    pub witness: Context,
}

/// A place that breaks a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// The place.
    pub span: Span,
    /// The rule that it is in.
    pub rule: String,
    /// What it does, in a few words.
    pub does: String,
}

/// What is known of the policies of a rule set.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Those that do not hold.
    pub violations: Vec<Violation>,
    /// Those that could not be decided, by number.
    pub undecided: Vec<(usize, Undecided)>,
}

/// Decides every policy of a rule set.
#[must_use]
pub fn decide(rules: &RuleSet, documents: &[Document]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    if rules.policies.is_empty() {
        return verdicts;
    }
    let mut space = Space::new(Languages::new(rules.catalog.models().iter().map(AsRef::as_ref)));
    let mut numbers = Numbers::default();
    numbers.add(documents);
    let side = Side::new(&mut space, rules, &numbers);
    let mut decider = Decider { space, side: &side, verdicts: &mut verdicts };
    decider.part(None, None);
    for (contributor, lang) in side.parts() {
        decider.part(contributor, Some(lang));
    }
    verdicts
}

struct Decider<'a> {
    space: Space,
    side: &'a Side<'a>,
    verdicts: &'a mut Verdicts,
}

impl Decider<'_> {
    /// Decides all policies for the models of one contributor, or for sessions without a model.
    fn part(&mut self, contributor: Option<&Arc<Contributor>>, lang: Option<Lang>) {
        if lang == Some(Lang::NOTHING) {
            return;
        }
        let contributor = contributor.map(AsRef::as_ref);
        let message = self.message(contributor);
        for (number, policy) in self.side.rules.policies.iter().enumerate() {
            let found = message.clone().and_then(|message| self.witness(policy, contributor, lang, &message));
            match found {
                Ok(None) => {}
                Ok(Some(witness)) => self.violated(number, policy, witness),
                Err(undecided) => self.undecided(number, undecided),
            }
        }
    }

    /// The whole message, lines and blocks included.
    fn message(&mut self, contributor: Option<&Contributor>) -> Answer<Message> {
        let base = self.side.message(&mut self.space, contributor)?;
        let lines = self.side.all_lines(&mut self.space)?;
        let blocks: Answer<Vec<_>> = self.side.blocks.iter().map(|unit| unit.words.clone()).collect();
        base.with_lines(&mut self.space, &lines)?.with_blocks(&mut self.space, &lines, &blocks?)
    }

    /// A smallest context in which a policy fails, confirmed by the interpreter.
    fn witness(
        &mut self,
        policy: &Policy,
        contributor: Option<&Contributor>,
        lang: Option<Lang>,
        message: &Message,
    ) -> Answer<Option<Context>> {
        let excepted = contributor.is_some_and(|rule| policy.except_contributors.contains(&rule.id));
        if excepted {
            return Ok(None);
        }
        let about = self.about(policy, lang)?;
        if about == Function::FALSE {
            return Ok(None);
        }
        let mut asked = Asked { space: &mut self.space, side: self.side, message, contributor };
        let truth = asked.condition(&policy.condition)?;
        let (fails, open) = match policy.demand {
            Demand::Never => (truth.holds, truth.open),
            Demand::Always => {
                let either = self.space.or(truth.holds, truth.open)?;
                (self.space.not(either)?, truth.open)
            }
        };
        let fails = self.space.and(fails, about)?;
        let open = self.space.and(open, about)?;
        for region in [fails, open] {
            let Some(context) = self.context(region, lang)? else { continue };
            let hints: Vec<String> = patterns(&policy.condition).into_iter().flat_map(numbers_in).collect();
            let others = with_other_numbers(&context, &hints);
            let mut all = std::iter::once(context).chain(others).filter(|context| self.space.holds(region, context));
            let found = all
                .find(|context| violates(&self.space, self.side, policy, &Resolution::new(self.side.rules, context)));
            return found.map(Some).ok_or(Undecided::new(Limit::Unconfirmed));
        }
        Ok(None)
    }

    /// The contexts of these models that a policy is about.
    fn about(&mut self, policy: &Policy, lang: Option<Lang>) -> Answer<Function> {
        let when = self.space.when(&self.side.rules.catalog, policy.when.as_ref())?;
        let excepted = match &policy.except_models {
            None => Function::FALSE,
            Some(matcher) => {
                let lang = self.space.languages().matcher(matcher);
                self.space.model(lang)?
            }
        };
        let about = self.space.minus(when, excepted)?;
        match lang {
            None => self.space.at_model(about, None),
            Some(lang) => {
                let model = self.space.model(lang)?;
                self.space.and(about, model)
            }
        }
    }

    fn context(&mut self, function: Function, lang: Option<Lang>) -> Answer<Option<Context>> {
        let function = if lang.is_none() { self.space.at_model(function, None)? } else { function };
        self.space.witness(function)
    }

    /// Each place is reported once for a policy, with its smallest context.
    fn violated(&mut self, number: usize, policy: &Policy, witness: Context) {
        let resolution = Resolution::new(self.side.rules, &witness);
        let culprit = blame(&self.space, self.side, policy, &resolution);
        let known =
            self.verdicts.violations.iter_mut().find(|known| known.policy == number && known.culprit == culprit);
        match known {
            Some(known) if facts(&witness) < facts(&known.witness) => known.witness = witness,
            Some(_) => {}
            None => self.verdicts.violations.push(Violation { policy: number, culprit, witness }),
        }
    }

    fn undecided(&mut self, number: usize, undecided: Undecided) {
        if !self.verdicts.undecided.iter().any(|(known, _)| *known == number) {
            self.verdicts.undecided.push((number, undecided));
        }
    }
}

/// The patterns that a condition looks for.
fn patterns(condition: &PolicyCondition) -> Vec<&str> {
    condition.tests.iter().flat_map(patterns_of).collect()
}

fn patterns_of(test: &Test) -> Vec<&str> {
    match test {
        Test::Text(pattern) => vec![pattern.as_str()],
        Test::All(inner) | Test::Any(inner) => inner.iter().flat_map(patterns).collect(),
        Test::Not(inner) => patterns(inner),
        Test::Replaces(_)
        | Test::Contributor(_)
        | Test::Section(..)
        | Test::Line(_)
        | Test::Block(_)
        | Test::TrailingEndsWith(_) => Vec::new(),
    }
}

fn facts(context: &Context) -> usize {
    usize::from(context.model.is_some())
        + context.client_tools.len()
        + context.settings.len()
        + usize::from(context.tool_search_active)
        + usize::from(context.workspaceless)
}
