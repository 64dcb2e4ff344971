//! Gates as Boolean functions of contexts, with what the conditions have to do with each other.
//!
//! Input: compiled gates and the catalog that they were compiled against. Output: handles
//! ([`Function`]) that combine as conditions do, and answers about them over *all* contexts, each
//! with a smallest witness. Tools and flags are independent; a setting has one raw value or none,
//! and its catalog entry says which raw values count as which; a `model` condition is a language,
//! and without a model none holds.
//!
//! Gates of several rule sets can share one [`Space`]: two functions are equal on all contexts if
//! their handles are equal, and only then if they have no `model` conditions. Limits: nodes and
//! depth of the diagram, combinations of `model` conditions, and those of the languages.

mod atom;
mod compile;
mod diagram;
mod witness;

use rustc_hash::FxHashMap;

use self::atom::Atoms;
use self::diagram::{Diagram, Key, Var};
use super::Answer;
use super::language::Languages;
use crate::context::Context;

pub use self::atom::Atom;
pub use self::diagram::Function;

#[cfg(test)]
mod tests;

/// All functions of one analysis.
#[derive(Debug)]
pub struct Space {
    languages: Languages,
    atoms: Atoms,
    diagram: Diagram,
    satisfiable: FxHashMap<Function, Answer<bool>>,
}

impl Space {
    /// No functions yet.
    #[must_use]
    pub fn new(languages: Languages) -> Self {
        Self { languages, atoms: Atoms::default(), diagram: Diagram::default(), satisfiable: FxHashMap::default() }
    }

    /// The model-id languages of the same analysis.
    pub fn languages(&mut self) -> &mut Languages {
        &mut self.languages
    }

    /// Holds where both do.
    ///
    /// # Errors
    ///
    /// Here and below: the limit that was reached.
    pub fn and(&mut self, left: Function, right: Function) -> Answer<Function> {
        self.diagram.and(left, right)
    }

    /// Holds where either does.
    pub fn or(&mut self, left: Function, right: Function) -> Answer<Function> {
        self.diagram.or(left, right)
    }

    /// Holds where just one of them does.
    pub fn xor(&mut self, left: Function, right: Function) -> Answer<Function> {
        self.diagram.xor(left, right)
    }

    /// Holds where the function does not.
    pub fn not(&mut self, function: Function) -> Answer<Function> {
        self.diagram.xor(Function::TRUE, function)
    }

    /// Holds where `left` does and `right` does not.
    pub fn minus(&mut self, left: Function, right: Function) -> Answer<Function> {
        let right = self.not(right)?;
        self.and(left, right)
    }

    /// As `then` where `test` holds, as `otherwise` elsewhere.
    pub fn choose(&mut self, test: Function, then: Function, otherwise: Function) -> Answer<Function> {
        let (then, otherwise) = (self.and(test, then)?, self.minus(otherwise, test)?);
        self.or(then, otherwise)
    }

    /// Holds where all do.
    pub fn all(&mut self, functions: impl IntoIterator<Item = Function>) -> Answer<Function> {
        functions.into_iter().try_fold(Function::TRUE, |all, function| self.and(all, function))
    }

    /// Holds where any does.
    pub fn any(&mut self, functions: impl IntoIterator<Item = Function>) -> Answer<Function> {
        functions.into_iter().try_fold(Function::FALSE, |any, function| self.or(any, function))
    }

    /// Whether some context satisfies the function.
    pub fn satisfiable(&mut self, function: Function) -> Answer<bool> {
        if !self.asks_model(function) {
            return Ok(function != Function::FALSE);
        }
        if let Some(answer) = self.satisfiable.get(&function) {
            return answer.clone();
        }
        let answer = witness::exists(self, function);
        self.satisfiable.insert(function, answer.clone());
        answer
    }

    /// Whether every context that satisfies `given` satisfies the function.
    pub fn implied(&mut self, given: Function, function: Function) -> Answer<bool> {
        let counter = self.minus(given, function)?;
        Ok(!self.satisfiable(counter)?)
    }

    /// Whether the functions agree on all contexts.
    pub fn equivalent(&mut self, left: Function, right: Function) -> Answer<bool> {
        let differs = self.xor(left, right)?;
        Ok(!self.satisfiable(differs)?)
    }

    /// A context with as few facts as possible that satisfies the function, nothing if none does.
    pub fn witness(&mut self, function: Function) -> Answer<Option<Context>> {
        witness::smallest(self, function)
    }

    /// Whether a context satisfies the function.
    #[must_use]
    pub fn holds(&self, function: Function, context: &Context) -> bool {
        self.diagram.value(function, |var| self.key(var, context))
    }

    /// The function for one model id, or without a model. No `model` condition is left in it, so
    /// two of these agree everywhere just if they are equal.
    pub fn at_model(&mut self, function: Function, model: Option<&str>) -> Answer<Function> {
        let Self { languages, atoms, diagram, .. } = self;
        diagram.fix(function, &|var| {
            let lang = atoms.model(var)?;
            let holds = model.is_some_and(|id| languages.accepts(lang, id));
            Some(if holds { Key::HOLDS } else { Key::ABSENT })
        })
    }

    /// Whether the function may depend on the model. Where it does not, any model will do, and a function other
    /// than [`Function::FALSE`] is satisfiable.
    #[must_use]
    pub fn asks_model(&self, function: Function) -> bool {
        // Models come first in the order of variables.
        self.diagram.node(function).is_some_and(|node| self.atoms.model(node.var).is_some())
    }

    /// What the function depends on; of `model` conditions, at most this.
    #[must_use]
    pub fn support(&self, function: Function) -> Vec<Atom> {
        self.diagram.support(function).into_iter().filter_map(|var| self.atoms.atom(var)).collect()
    }

    /// The value that a context gives to a variable.
    fn key(&self, var: Var, context: &Context) -> Option<Key> {
        let holds = |value: bool| value.then_some(Key::HOLDS);
        match self.atoms.atom(var)? {
            Atom::Model(lang) => holds(context.model.as_ref().is_some_and(|id| self.languages.accepts(lang, id))),
            Atom::Tool(name) => holds(context.client_tools.iter().any(|tool| **tool == *name)),
            Atom::ToolSearchActive => holds(context.tool_search_active),
            Atom::Workspaceless => holds(context.workspaceless),
            Atom::Setting(name) => self.atoms.key(context.settings.get(&*name)),
        }
    }
}
