//! Sets of model ids, exactly: matchers and families as automata over all strings.
//!
//! Input: compiled matchers. Output: handles ([`Lang`]) that combine as sets do, and answers
//! about them, each with a witness id: an id of the catalog if one will do, else one with as few
//! characters outside graphic ASCII as possible, then as short as possible.
//!
//! Every leaf (a list of literals or a regex, under a normal form) becomes an automaton over
//! classes of *characters* that reads the raw id; a question is a best-first search in the product
//! of as few of the automata as it takes. Limits: 100,000 parts and 20,000 states a pattern, 8 million steps a
//! question; a question that reaches one is [`Undecided`].

mod alphabet;
mod automaton;
mod determinize;
mod leaf;
mod nfa;
mod plan;
mod prefix;
mod product;
mod search;
mod term;

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use self::alphabet::count;
use self::leaf::{Leaf, LeafKey, LeafPattern};
use self::plan::Plan;
use self::prefix::Prefix;
use self::product::Product;
use self::term::{Term, Terms};
use super::{Answer, Limit, Undecided};
use crate::rules::{Family, LiteralKind, MatchCondition, Matcher, ModelGroup, ModelRegex, NormalForm, Pattern};

pub use self::term::Lang;

#[cfg(test)]
mod tests;

/// The most alternatives that are asked all at once.
const FEW_WAYS: usize = 4;

/// The languages of one analysis, with what is known of them.
#[derive(Debug)]
pub struct Languages {
    terms: Terms,
    leaves: IndexMap<LeafKey, Leaf, FxBuildHasher>,
    /// The group itself is kept, so that its address stays its own.
    groups: FxHashMap<*const ModelGroup, (Arc<ModelGroup>, Lang)>,
    /// Ids that witnesses are taken from first.
    models: Vec<Box<str>>,
    /// Which of them a language has.
    known: FxHashMap<Lang, Arc<[bool]>>,
    members: FxHashMap<Lang, Answer<Option<Box<str>>>>,
    prefixes: FxHashMap<Lang, Prefix>,
}

impl Languages {
    /// No languages yet; witnesses are preferred from `models`.
    #[must_use]
    pub fn new<'a>(models: impl IntoIterator<Item = &'a str>) -> Self {
        let models = models.into_iter().filter(|id| !id.is_empty()).map(Box::from).collect();
        Self {
            terms: Terms::new(),
            leaves: IndexMap::default(),
            groups: HashMap::default(),
            models,
            known: HashMap::default(),
            members: HashMap::default(),
            prefixes: HashMap::default(),
        }
    }

    /// The ids that witnesses are preferred from.
    #[must_use]
    pub fn models(&self) -> &[Box<str>] {
        &self.models
    }

    /// The ids that a matcher accepts.
    pub fn matcher(&mut self, matcher: &Matcher) -> Lang {
        self.pattern(matcher.normalize, &matcher.pattern)
    }

    /// The ids that a pattern accepts once they are rewritten.
    pub fn pattern(&mut self, normalize: NormalForm, pattern: &Pattern) -> Lang {
        let parts: Vec<Lang> = pattern.conditions.iter().map(|part| self.condition(normalize, part)).collect();
        self.terms.and(parts)
    }

    /// The ids that one key of a pattern accepts once they are rewritten.
    pub fn condition(&mut self, normalize: NormalForm, condition: &MatchCondition) -> Lang {
        match condition {
            MatchCondition::Literals(kind, literals) => {
                self.literals(normalize, *kind, literals.iter().map(|literal| &*literal.text))
            }
            MatchCondition::Regex(pattern) => self.regex(normalize, &pattern.regex),
            MatchCondition::All(patterns) => {
                let parts: Vec<Lang> = patterns.iter().map(|part| self.pattern(normalize, part)).collect();
                self.terms.and(parts)
            }
            MatchCondition::Any(patterns) => {
                let parts: Vec<Lang> = patterns.iter().map(|part| self.pattern(normalize, part)).collect();
                self.terms.or(parts)
            }
            MatchCondition::Not(pattern) => {
                let inner = self.pattern(normalize, pattern);
                self.terms.not(inner)
            }
            MatchCondition::Group(group, _) => self.group(group),
        }
    }

    /// The ids that a named matcher accepts.
    pub fn group(&mut self, group: &Arc<ModelGroup>) -> Lang {
        if let Some((_, lang)) = self.groups.get(&Arc::as_ptr(group)) {
            return *lang;
        }
        let lang = self.matcher(&group.matcher);
        self.groups.insert(Arc::as_ptr(group), (Arc::clone(group), lang));
        lang
    }

    /// The ids that compare with at least one of the literals once they are rewritten.
    pub fn literals<'a>(
        &mut self,
        normalize: NormalForm,
        kind: LiteralKind,
        literals: impl IntoIterator<Item = &'a str>,
    ) -> Lang {
        let texts = literals.into_iter().map(Box::from).collect();
        self.leaf(LeafKey { normalize, pattern: LeafPattern::Literals(kind, texts) }, None)
    }

    /// The ids in which the regex has a match once they are rewritten.
    pub fn regex(&mut self, normalize: NormalForm, regex: &ModelRegex) -> Lang {
        let pattern = LeafPattern::Regex(regex.as_str().into());
        self.leaf(LeafKey { normalize, pattern }, Some(regex))
    }

    /// The ids that a family takes: its prefix on the raw id.
    pub fn family(&mut self, family: &Family) -> Lang {
        self.literals(NormalForm::default(), LiteralKind::Prefix, [&*family.prefix])
    }

    fn leaf(&mut self, key: LeafKey, regex: Option<&ModelRegex>) -> Lang {
        let entry = self.leaves.entry(key);
        let number = count(entry.index());
        if let indexmap::map::Entry::Vacant(entry) = entry {
            let leaf = Leaf::new(entry.key().clone(), regex.cloned());
            entry.insert(leaf);
        }
        self.terms.leaf(number)
    }

    /// The ids in all of the languages.
    pub fn and(&mut self, langs: impl IntoIterator<Item = Lang>) -> Lang {
        self.terms.and(langs)
    }

    /// The ids in any of the languages.
    pub fn or(&mut self, langs: impl IntoIterator<Item = Lang>) -> Lang {
        self.terms.or(langs)
    }

    /// The ids that are not in the language.
    pub fn not(&mut self, lang: Lang) -> Lang {
        self.terms.not(lang)
    }

    /// The ids in `lang` that are in none of `others`.
    pub fn minus(&mut self, lang: Lang, others: impl IntoIterator<Item = Lang>) -> Lang {
        let mut parts = vec![lang];
        for other in others {
            if other == lang {
                return Lang::NOTHING;
            }
            if !self.share_nothing(lang, other) {
                parts.push(self.terms.not(other));
            }
        }
        self.terms.and(parts)
    }

    /// Whether a language has an id: decided by comparing, without limits.
    #[must_use]
    pub fn accepts(&self, lang: Lang, id: &str) -> bool {
        match self.terms.get(lang) {
            Term::Nothing => false,
            Term::Everything => true,
            Term::Leaf(leaf) => self.leaves.get_index(*leaf as usize).is_some_and(|(_, leaf)| leaf.accepts(id)),
            Term::Not(inner) => !self.accepts(*inner, id),
            Term::And(parts) => parts.iter().all(|part| self.accepts(*part, id)),
            Term::Or(parts) => parts.iter().any(|part| self.accepts(*part, id)),
        }
    }

    /// The best id of a language as a witness, nothing if it has none.
    pub fn member(&mut self, lang: Lang) -> Answer<Option<Box<str>>> {
        if let Some(answer) = self.members.get(&lang) {
            return answer.clone();
        }
        let answer = match self.known_members(lang).first() {
            Some(known) => Ok(Some(Box::from(*known))),
            None => self.search(lang),
        };
        self.members.insert(lang, answer.clone());
        answer
    }

    /// Whether a language has no id.
    pub fn is_empty(&mut self, lang: Lang) -> Answer<bool> {
        Ok(self.member(lang)?.is_none())
    }

    /// An id that is not in the language, nothing if it has every one.
    pub fn non_member(&mut self, lang: Lang) -> Answer<Option<Box<str>>> {
        let rest = self.not(lang);
        self.member(rest)
    }

    /// An id of `lang` that is in none of `others`, nothing if their union includes it.
    pub fn outside(&mut self, lang: Lang, others: &[Lang]) -> Answer<Option<Box<str>>> {
        let rest = self.minus(lang, others.iter().copied());
        self.member(rest)
    }

    /// An id in both languages.
    pub fn common(&mut self, left: Lang, right: Lang) -> Answer<Option<Box<str>>> {
        if self.share_nothing(left, right) {
            return Ok(None);
        }
        let both = self.and([left, right]);
        self.member(both)
    }

    /// An id in just one of the languages, nothing if they are equal.
    pub fn difference(&mut self, left: Lang, right: Lang) -> Answer<Option<Box<str>>> {
        let (only_left, only_right) = (self.minus(left, [right]), self.minus(right, [left]));
        let either = self.or([only_left, only_right]);
        self.member(either)
    }

    /// A cheap proof that no id is in both languages; false says nothing.
    pub fn share_nothing(&mut self, left: Lang, right: Lang) -> bool {
        self.note_prefix(left);
        self.note_prefix(right);
        match (self.prefixes.get(&left), self.prefixes.get(&right)) {
            (Some(left), Some(right)) => left.excludes(right),
            (None, _) | (_, None) => false,
        }
    }

    /// Those of the preferred ids that a language has.
    pub fn known_members(&mut self, lang: Lang) -> Vec<&str> {
        let known = self.known(lang);
        self.models.iter().zip(known.iter()).filter(|(_, known)| **known).map(|(id, _)| &**id).collect()
    }

    fn known(&mut self, lang: Lang) -> Arc<[bool]> {
        if let Some(known) = self.known.get(&lang) {
            return Arc::clone(known);
        }
        let known: Arc<[bool]> = match self.terms.get(lang).clone() {
            Term::Nothing => self.models.iter().map(|_| false).collect(),
            Term::Everything => self.models.iter().map(|_| true).collect(),
            Term::Leaf(_) => self.models.iter().map(|id| self.accepts(lang, id)).collect(),
            Term::Not(inner) => self.known(inner).iter().map(|known| !known).collect(),
            Term::And(parts) => self.merge_known(&parts, true, |left, right| left && right),
            Term::Or(parts) => self.merge_known(&parts, false, |left, right| left || right),
        };
        self.known.insert(lang, Arc::clone(&known));
        known
    }

    fn merge_known(&mut self, parts: &[Lang], empty: bool, merge: fn(bool, bool) -> bool) -> Arc<[bool]> {
        let mut all = vec![empty; self.models.len()];
        for part in parts {
            for (all, known) in all.iter_mut().zip(self.known(*part).iter()) {
                *all = merge(*all, *known);
            }
        }
        all.into()
    }

    fn note_prefix(&mut self, lang: Lang) {
        if !self.prefixes.contains_key(&lang) {
            let prefix = self.prefix(lang);
            self.prefixes.insert(lang, prefix);
        }
    }

    fn prefix(&mut self, lang: Lang) -> Prefix {
        match self.terms.get(lang).clone() {
            Term::Nothing => Prefix::NoId,
            Term::Everything | Term::Not(_) => Prefix::unknown(),
            Term::Leaf(leaf) => self.leaf_prefix(leaf),
            Term::And(parts) => parts.iter().fold(Prefix::unknown(), |all, part| all.and(self.prefix(*part))),
            Term::Or(parts) => parts.iter().fold(Prefix::NoId, |all, part| all.or(self.prefix(*part))),
        }
    }

    fn leaf_prefix(&mut self, leaf: u32) -> Prefix {
        self.build([leaf]);
        match self.leaves.get_index(leaf as usize).map(|(_, leaf)| leaf.built()) {
            Some(Ok(built)) => built.prefix.clone(),
            Some(Err(_)) | None => Prefix::unknown(),
        }
    }

    /// Makes the automata of leaves.
    fn build(&mut self, leaves: impl IntoIterator<Item = u32>) {
        for number in leaves {
            if let Some((_, leaf)) = self.leaves.get_index_mut(number as usize) {
                leaf.build();
            }
        }
    }

    /// The product of leaves that could be built.
    fn product(&self, leaves: &[u32]) -> Answer<Product<'_>> {
        let built = |leaf: &u32| match self.leaves.get_index(*leaf as usize) {
            Some((_, leaf)) => leaf.built().map(|built| &built.automaton),
            None => Err(Undecided::new(Limit::PatternForm)),
        };
        let automata = leaves.iter().map(built).collect::<Answer<_>>()?;
        Ok(Product::new(automata))
    }

    /// The best id, found by search.
    fn search(&mut self, lang: Lang) -> Answer<Option<Box<str>>> {
        match self.terms.get(lang).clone() {
            Term::Nothing => Ok(None),
            Term::Or(parts) => self.best_of_any(&parts),
            Term::And(parts) => self.best_of_all(lang, &parts),
            Term::Everything | Term::Leaf(_) | Term::Not(_) => self.best_of_all(lang, &[lang]),
        }
    }

    fn best_of_any(&mut self, parts: &[Lang]) -> Answer<Option<Box<str>>> {
        let (mut best, mut trouble): (Option<Box<str>>, _) = (None, None);
        for part in parts {
            match self.member(*part) {
                Ok(id) => best = best.into_iter().chain(id).min_by_key(|id| search::cost_of(id)),
                Err(undecided) => trouble = Some(undecided),
            }
        }
        match (best, trouble) {
            (None, Some(undecided)) => Err(undecided),
            (best, _) => Ok(best),
        }
    }

    /// Asks a few of the parts first: their best id, if it is in the others as well, is the best of
    /// all. Else those that lack it have to be asked too. Few of many are ever needed.
    fn best_of_all(&mut self, lang: Lang, parts: &[Lang]) -> Answer<Option<Box<str>>> {
        let (mut asked, mut others): (Vec<Lang>, Vec<Lang>) =
            parts.iter().partition(|part| matches!(self.terms.get(**part), Term::Leaf(_)));
        loop {
            let some = self.terms.and(asked.iter().copied());
            let Some(id) = self.best_assuming(some, true)? else { return Ok(None) };
            if self.accepts(lang, &id) {
                return Ok(Some(id));
            }
            let (fine, lacking): (Vec<Lang>, Vec<Lang>) = others.iter().partition(|part| self.accepts(**part, &id));
            if lacking.is_empty() {
                break;
            }
            if let Some(wide) = self.only_wide(parts) {
                return self.best_of_each(parts, wide);
            }
            asked.extend(lacking);
            others = fine;
        }
        // Only a leaf beyond the limits can lack an id that its own part gave.
        match self.best_assuming(lang, false)? {
            Some(id) => Ok(Some(id)),
            None => Err(self.trouble_of(lang).unwrap_or(Undecided::new(Limit::PatternForm))),
        }
    }

    /// The part with many alternatives, if there is just one such: its alternatives are then better
    /// asked one by one than all at once.
    fn only_wide(&self, parts: &[Lang]) -> Option<Lang> {
        let is_wide = |part: &&Lang| matches!(self.terms.get(**part), Term::Or(ways) if ways.len() > FEW_WAYS);
        let mut wide = parts.iter().filter(is_wide);
        wide.next().copied().filter(|_| wide.next().is_none())
    }

    fn best_of_each(&mut self, parts: &[Lang], wide: Lang) -> Answer<Option<Box<str>>> {
        let Term::Or(ways) = self.terms.get(wide).clone() else { return Ok(None) };
        let others = || parts.iter().copied().filter(|part| *part != wide);
        let each: Vec<Lang> = ways.iter().map(|way| self.terms.and(others().chain([*way]))).collect();
        self.best_of_any(&each)
    }

    /// The best id of the language in which leaves beyond the limits count as empty or as full, even
    /// under a complement: a smaller language than this one, or a larger.
    fn best_assuming(&mut self, lang: Lang, value: bool) -> Answer<Option<Box<str>>> {
        let all = Plan::new(&self.terms, lang, |_| None);
        self.build(all.leaves().iter().copied());
        let plan = Plan::new(&self.terms, lang, |leaf| self.trouble(leaf).map(|_| value));
        search::best(&self.product(plan.leaves())?, &plan)
    }

    fn trouble_of(&self, lang: Lang) -> Option<Undecided> {
        Plan::new(&self.terms, lang, |_| None).leaves().iter().find_map(|leaf| self.trouble(*leaf))
    }

    fn trouble(&self, leaf: u32) -> Option<Undecided> {
        self.leaves.get_index(leaf as usize).and_then(|(_, leaf)| leaf.built().err())
    }
}
