//! Which model ids each contributor takes: the fixed order of trials as languages.
//!
//! Input: contributors in rule order. Output: one trial for each predicate, then one for each
//! family prefix, as the interpreter tries them, each with the ids that it accepts and those that
//! get as far as it.

use std::sync::Arc;

use super::Answer;
use super::language::{Lang, Languages};
use crate::rules::Contributor;

/// What a trial asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// The contributor's `match.model`.
    Predicate,
    /// One of its `match.families`, by its number.
    Family(usize),
}

/// One question that the interpreter may ask of a model id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The contributor, by its number.
    pub contributor: usize,
    /// What is asked.
    pub by: By,
    /// The ids that the trial accepts.
    pub accepts: Lang,
    /// Those that no earlier trial accepts.
    pub takes: Lang,
}

/// All trials of a rule set, in trial order.
#[derive(Clone, Debug)]
pub struct Selection {
    trials: Vec<Trial>,
    contributors: Vec<Lang>,
    default: Lang,
}

impl Selection {
    /// The trials of the contributors.
    #[must_use]
    pub fn new(languages: &mut Languages, contributors: &[Arc<Contributor>]) -> Self {
        let mut questions = Vec::new();
        for (number, rule) in contributors.iter().enumerate() {
            if let Some(predicate) = rule.matching.as_ref().and_then(|matching| matching.predicate.as_ref()) {
                questions.push((number, By::Predicate, languages.matcher(predicate)));
            }
        }
        for (number, rule) in contributors.iter().enumerate() {
            let families = rule.matching.iter().flat_map(|matching| matching.families.iter().enumerate());
            for (family, prefix) in families {
                questions.push((number, By::Family(family), languages.family(prefix)));
            }
        }
        Self::of(languages, contributors.len(), &questions)
    }

    fn of(languages: &mut Languages, contributors: usize, questions: &[(usize, By, Lang)]) -> Self {
        let mut trials: Vec<Trial> = Vec::with_capacity(questions.len());
        let mut taken: Vec<Vec<Lang>> = vec![Vec::new(); contributors];
        for &(contributor, by, accepts) in questions {
            let takes = languages.minus(accepts, trials.iter().map(|trial| trial.accepts));
            trials.push(Trial { contributor, by, accepts, takes });
            if let Some(taken) = taken.get_mut(contributor) {
                taken.push(takes);
            }
        }
        let default = languages.minus(Lang::EVERYTHING, trials.iter().map(|trial| trial.accepts));
        let contributors = taken.into_iter().map(|taken| languages.or(taken)).collect();
        Self { trials, contributors, default }
    }

    /// All trials, in trial order.
    #[must_use]
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// The ids that a contributor takes; with the default's they are a partition of all ids.
    #[must_use]
    pub fn takes(&self, contributor: usize) -> Lang {
        self.contributors.get(contributor).copied().unwrap_or(Lang::NOTHING)
    }

    /// The ids that no contributor takes.
    #[must_use]
    pub fn default(&self) -> Lang {
        self.default
    }

    /// The ids of each contributor, then those that none takes.
    pub fn parts(&self) -> impl Iterator<Item = Lang> {
        self.contributors.iter().copied().chain([self.default])
    }

    /// For a trial that takes no id: a smallest list of earlier trials (by number) that together
    /// accept all its ids; dropping any of them would leave one. Nothing if the trial takes an id.
    ///
    /// # Errors
    ///
    /// If it cannot be decided whether the trial takes an id.
    pub fn shadows(&self, languages: &mut Languages, trial: usize) -> Answer<Option<Vec<usize>>> {
        let Some(shadowed) = self.trials.get(trial) else { return Ok(None) };
        if !languages.is_empty(shadowed.takes)? {
            return Ok(None);
        }
        let accepts = |number: &usize| self.trials.get(*number).map_or(Lang::NOTHING, |trial| trial.accepts);
        let mut names: Vec<usize> = Vec::new();
        for number in 0..trial {
            let overlaps = !matches!(languages.common(shadowed.accepts, accepts(&number)), Ok(None));
            if overlaps {
                names.push(number);
            }
        }
        for number in names.clone().into_iter().rev() {
            let others: Vec<Lang> = names.iter().filter(|name| **name != number).map(accepts).collect();
            if languages.outside(shadowed.accepts, &others) == Ok(None) {
                names.retain(|name| *name != number);
            }
        }
        Ok(Some(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load_text;
    use crate::rules::RuleSet;

    fn rules(contributors: &str) -> RuleSet {
        let indented = contributors.replace('\n', "\n  ");
        let text = format!(
            "version: 1\nbase: {{sections: {{tone: {{action: append, content: x}}}}}}\ncontributors:\n  {indented}\n"
        );
        load_text("ruleset.yaml", &text).map_err(|error| format!("{error:?}")).unwrap().rules
    }

    fn selection(contributors: &str) -> (Languages, Selection) {
        let mut languages = Languages::new([]);
        let selection = Selection::new(&mut languages, &rules(contributors).contributors);
        (languages, selection)
    }

    /// For each trial: its contributor and a witness, or the trials that shadow it.
    fn verdicts(contributors: &str) -> Vec<(usize, Result<String, Vec<usize>>)> {
        let (mut languages, selection) = selection(contributors);
        let verdict = |(number, trial): (usize, &Trial)| {
            let shadows = selection.shadows(&mut languages, number).unwrap();
            let witness = languages.member(trial.takes).unwrap();
            assert_eq!(shadows.is_none(), witness.is_some());
            (trial.contributor, shadows.map_or_else(|| Ok(witness.unwrap().into()), Err))
        };
        selection.trials().iter().enumerate().map(verdict).collect()
    }

    fn takes(id: &str) -> Result<String, Vec<usize>> {
        Ok(id.into())
    }

    #[test]
    fn predicates_go_before_families_and_unions_shadow() {
        let found = verdicts(
            "- {id: a, match: {families: [gpt-5, gpt-]}}\n\
             - {id: b, match: {model: {regex: '^gpt-[0-4]'}}}\n\
             - {id: c, match: {model: {regex: '^claude'}}}\n\
             - {id: d, match: {model: {regex: '^gpt-5'}, families: [gpt-4, gpt-6, claude-x]}}\n\
             - {id: e, match: {model: {regex: '^gpt-[2-5]x'}}}",
        );
        let expected = [
            (1, takes("gpt-0")),
            (2, takes("claude")),
            (3, takes("gpt-5")),
            (4, Err(vec![0, 2])),
            (0, Err(vec![2])),
            (0, takes("gpt-")),
            (3, Err(vec![0])),
            (3, Err(vec![5])),
            (3, Err(vec![1])),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn normal_forms_and_negation_take_part() {
        let found = verdicts(
            "- {id: a, match: {model: {normalize: [vendor, lowercase], prefix: gpt}}}\n\
             - {id: b, match: {model: {normalize: [lowercase], not: {prefix: GPT}}}}\n\
             - {id: c, match: {families: [GPT-5]}}",
        );
        assert_eq!(found, [(0, takes("gpt")), (1, takes("a")), (2, Err(vec![1]))]);
    }

    #[test]
    fn what_contributors_take_is_a_partition() {
        let (mut languages, selection) = selection(
            "- {id: a, match: {model: {contains: opus}}}\n\
             - {id: b, extends: c, match: {families: [claude], model: {suffix: x}}}\n\
             - {id: c}",
        );
        let parts: Vec<Lang> = selection.parts().collect();
        for id in ["opus", "x", "claude", "claude-opus", "claude-x", "gpt"] {
            assert_eq!(parts.iter().filter(|part| languages.accepts(**part, id)).count(), 1);
        }
        let all = languages.or(parts.iter().copied());
        assert_eq!(languages.non_member(all), Ok(None));
        assert_eq!(selection.takes(2), Lang::NOTHING);
    }
}
