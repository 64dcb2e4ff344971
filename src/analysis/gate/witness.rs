//! Contexts that satisfy a function, and a smallest one.
//!
//! Everything but models is independent, so a way to `true` through the diagram is a context; the
//! least number of facts on one is a matter of adding up. Models come first in the order: each
//! combination of `model` conditions on the way down is asked of the languages, and not followed
//! if no id is of that kind.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::atom::Atom;
use super::diagram::{Key, Node};
use super::{Function, Space};
use crate::analysis::language::Lang;
use crate::analysis::{Answer, Limit, Undecided};
use crate::context::Context;

/// The most combinations of `model` conditions that are asked for one function.
const MAX_COMBINATIONS: usize = 10_000;

/// No context at all.
const NEVER: u32 = u32::MAX;

/// Whether some context satisfies the function.
pub(super) fn exists(space: &mut Space, function: Function) -> Answer<bool> {
    let mut finder = Finder::new(space, true);
    Ok(finder.find(function)?.is_some())
}

/// A context with the fewest facts: a model, a tool, a set flag and a value for a setting count one.
pub(super) fn smallest(space: &mut Space, function: Function) -> Answer<Option<Context>> {
    let mut finder = Finder::new(space, false);
    let Some(found) = finder.find(function)? else { return Ok(None) };
    Ok(Some(finder.context(found)))
}

/// A model, or none, and what must hold beside it.
struct Found {
    facts: u32,
    model: Option<Box<str>>,
    rest: Function,
}

struct Finder<'a> {
    space: &'a mut Space,
    /// The fewest facts for a function, models aside: a lower bound with them.
    facts: FxHashMap<Function, u32>,
    best: Option<Found>,
    /// Any context will do.
    hasty: bool,
    combinations: usize,
    trouble: Option<Undecided>,
}

impl<'a> Finder<'a> {
    fn new(space: &'a mut Space, hasty: bool) -> Self {
        Self { space, facts: FxHashMap::default(), best: None, hasty, combinations: 0, trouble: None }
    }

    fn find(&mut self, function: Function) -> Answer<Option<Found>> {
        self.without_model(function);
        self.with_model(function, Lang::EVERYTHING);
        match (self.best.take(), self.trouble.take()) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(undecided)) => Err(undecided),
            (None, None) => Ok(None),
        }
    }

    fn without_model(&mut self, function: Function) {
        let mut rest = function;
        while let Some((_, node)) = self.model_node(rest) {
            rest = node.rest;
        }
        let facts = self.facts(rest);
        if facts != NEVER {
            self.best = Some(Found { facts, model: None, rest });
        }
    }

    /// Looks among the models of a language.
    fn with_model(&mut self, function: Function, lang: Lang) {
        let least = self.facts(function).saturating_add(1);
        if least == NEVER || self.is_settled(least) {
            return;
        }
        let Some((condition, node)) = self.model_node(function) else {
            match self.space.languages.member(lang) {
                Ok(Some(id)) => self.best = Some(Found { facts: least, model: Some(id), rest: function }),
                Ok(None) => {}
                Err(undecided) => self.trouble = Some(undecided),
            }
            return;
        };
        let languages = &mut self.space.languages;
        let (inside, outside) = (languages.and([lang, condition]), languages.minus(lang, [condition]));
        let mut branches = [(node.follow(Key::HOLDS), inside), (node.rest, outside)];
        branches.sort_by_key(|(function, _)| self.facts(*function));
        for (function, lang) in branches {
            if function != Function::FALSE && self.may_exist(lang) {
                self.with_model(function, lang);
            }
        }
    }

    fn is_settled(&self, least: u32) -> bool {
        self.best.as_ref().is_some_and(|best| self.hasty || best.facts <= least)
    }

    /// Whether models of a language have to be looked at.
    fn may_exist(&mut self, lang: Lang) -> bool {
        self.combinations += 1;
        if self.combinations > MAX_COMBINATIONS {
            self.trouble = Some(Undecided::new(Limit::ModelCombinations));
            return false;
        }
        !matches!(self.space.languages.member(lang), Ok(None))
    }

    fn model_node(&self, function: Function) -> Option<(Lang, Node)> {
        let node = self.space.diagram.node(function)?;
        Some((self.space.atoms.model(node.var)?, node.clone()))
    }

    fn facts(&mut self, function: Function) -> u32 {
        match function {
            Function::FALSE => return NEVER,
            Function::TRUE => return 0,
            _ => {}
        }
        if let Some(facts) = self.facts.get(&function) {
            return *facts;
        }
        let choices = self.choices(function).into_iter();
        let costs = choices.map(|choice| self.facts(choice.rest).saturating_add(choice.facts));
        let facts = costs.min().unwrap_or(NEVER);
        self.facts.insert(function, facts);
        facts
    }

    /// The values that the first variable of a function can have, the plainest first.
    fn choices(&self, function: Function) -> Vec<Choice> {
        let space = &*self.space;
        let Some(node) = space.diagram.node(function) else { return Vec::new() };
        let choice = |value: Chosen, facts: u32, rest: Function| Choice { value, facts, rest };
        match space.atoms.other(node.var) {
            None => {
                vec![choice(Chosen::Nothing, 0, node.rest), choice(Chosen::Nothing, 0, node.follow(Key::HOLDS))]
            }
            Some(atom @ (Atom::Model(_) | Atom::Tool(_) | Atom::ToolSearchActive | Atom::Workspaceless)) => {
                let holds = Chosen::Holds(atom.clone());
                vec![choice(Chosen::Nothing, 0, node.rest), choice(holds, 1, node.follow(Key::HOLDS))]
            }
            Some(Atom::Setting(name)) => {
                let listed = node.cases.iter().map(|(key, _)| *key);
                let admitted = space.atoms.admitted(node.var).iter().copied();
                let plain = [Key::YES, Key::NO, Key::NUMBERS, Key::STRINGS];
                let mut choices = vec![choice(Chosen::Nothing, 0, node.follow(Key::ABSENT))];
                for key in listed.chain(admitted).chain(plain).filter(|key| *key != Key::ABSENT) {
                    let value = space.atoms.value(key).unwrap_or_default();
                    choices.push(choice(Chosen::Value(name.clone(), value), 1, node.follow(key)));
                }
                // What no entry of a catalog admits.
                choices.push(choice(Chosen::Value(name.clone(), Value::Array(Vec::new())), 1, node.rest));
                choices
            }
        }
    }

    fn context(&mut self, found: Found) -> Context {
        let mut context = Context { model: found.model.map(String::from), ..Context::default() };
        let mut at = found.rest;
        while at != Function::TRUE {
            let mut choices = self.choices(at);
            choices.sort_by_key(|choice| self.facts(choice.rest).saturating_add(choice.facts));
            let Some(choice) = choices.into_iter().next() else { break };
            at = choice.rest;
            choice.value.state(&mut context);
        }
        context
    }
}

/// A value of a variable, and what must hold beside it.
struct Choice {
    value: Chosen,
    facts: u32,
    rest: Function,
}

enum Chosen {
    Nothing,
    Holds(Atom),
    Value(Box<str>, Value),
}

impl Chosen {
    fn state(self, context: &mut Context) {
        let settings: &mut Map<String, Value> = &mut context.settings;
        match self {
            Self::Nothing | Self::Holds(Atom::Model(_) | Atom::Setting(_)) => {}
            Self::Holds(Atom::Tool(name)) => context.client_tools.push(name.into()),
            Self::Holds(Atom::ToolSearchActive) => context.tool_search_active = true,
            Self::Holds(Atom::Workspaceless) => context.workspaceless = true,
            Self::Value(name, value) => drop(settings.insert(name.into(), value)),
        }
    }
}
