//! Ordered decision diagrams over variables with any number of values.
//!
//! A node decides by the value of one variable. It lists the values that lead somewhere else than
//! the rest; a value that is not listed counts as its group (any other number, any other string),
//! and a group that is not listed as the rest. Written so, a function has one node, and two
//! functions are equal just if their handles are.

use std::collections::HashMap;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::analysis::{Answer, Limit, Undecided};

/// The most nodes of one diagram.
const MAX_NODES: usize = 2_000_000;
/// The most nodes that one operation adds.
const MAX_GROWTH: usize = 200_000;
/// The most variables on one way: what recursion is bounded by.
pub(super) const MAX_DEPTH: usize = 600;

/// A Boolean function of contexts, as a handle into the [`Space`](super::Space) that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(u32);

impl Function {
    /// Holds nowhere.
    pub const FALSE: Self = Self(0);
    /// Holds everywhere.
    pub const TRUE: Self = Self(1);

    /// The function that is the same everywhere.
    #[must_use]
    pub fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    fn value(self) -> Option<bool> {
        match self {
            Self::FALSE => Some(false),
            Self::TRUE => Some(true),
            Self(_) => None,
        }
    }
}

/// A variable; smaller ones are decided first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Var(pub(super) u32);

/// A value, or a group of values, of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(pub(super) u32);

impl Key {
    /// A condition that holds.
    pub(super) const HOLDS: Self = Self(0);
    /// A setting without a value.
    pub(super) const ABSENT: Self = Self(1);
    /// A setting that is `false`.
    pub(super) const NO: Self = Self(2);
    /// A setting that is `true`.
    pub(super) const YES: Self = Self(3);
    /// All numbers that are not listed.
    pub(super) const NUMBERS: Self = Self(4);
    /// All strings that are not listed.
    pub(super) const STRINGS: Self = Self(5);
    /// The first key of a single number (even) or string (odd).
    const SINGLE: u32 = 6;

    pub(super) fn number(number: u32) -> Self {
        Self(Self::SINGLE + number * 2)
    }

    pub(super) fn string(number: u32) -> Self {
        Self(Self::SINGLE + number * 2 + 1)
    }

    /// Whether the key is that of a single string, and the number of it among all such.
    pub(super) fn single(self) -> Option<(bool, usize)> {
        let number = self.0.checked_sub(Self::SINGLE)?;
        Some((number % 2 == 1, (number / 2) as usize))
    }

    /// The group of a single number or string.
    fn group(self) -> Option<Self> {
        match self.0 {
            number if number < Self::SINGLE => None,
            number if number % 2 == 0 => Some(Self::NUMBERS),
            _ => Some(Self::STRINGS),
        }
    }
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) var: Var,
    /// By key, sorted; none that says what its group or the rest says.
    pub(super) cases: Box<[(Key, Function)]>,
    /// Where all other values lead.
    pub(super) rest: Function,
}

impl Node {
    fn listed(&self, key: Key) -> Option<Function> {
        let place = self.cases.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.cases.get(place).map(|(_, function)| *function)
    }

    /// Where a value leads.
    pub(super) fn follow(&self, key: Key) -> Function {
        let group = || key.group().and_then(|group| self.listed(group));
        self.listed(key).or_else(group).unwrap_or(self.rest)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Op {
    And,
    Or,
    Xor,
}

impl Op {
    /// The result where it does not take both operands to know it.
    fn shortcut(self, left: Function, right: Function) -> Option<Function> {
        match (self, left, right) {
            (Self::And, Function::FALSE, _) | (Self::And, _, Function::FALSE) => Some(Function::FALSE),
            (Self::Or, Function::TRUE, _) | (Self::Or, _, Function::TRUE) => Some(Function::TRUE),
            (Self::And, Function::TRUE, other) | (Self::And, other, Function::TRUE) => Some(other),
            (Self::Or | Self::Xor, Function::FALSE, other) | (Self::Or | Self::Xor, other, Function::FALSE) => {
                Some(other)
            }
            (Self::And | Self::Or, one, other) if one == other => Some(one),
            (Self::Xor, one, other) if one == other => Some(Function::FALSE),
            (Self::And | Self::Or | Self::Xor, _, _) => None,
        }
    }
}

/// All nodes, and what was computed of them.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    nodes: IndexSet<Node, FxBuildHasher>,
    done: FxHashMap<(Op, Function, Function), Function>,
    /// Where the operation under way must stop.
    stop: usize,
}

impl Diagram {
    /// The decision of a function that is not constant.
    pub(super) fn node(&self, function: Function) -> Option<&Node> {
        self.nodes.get_index((function.0 as usize).checked_sub(2)?)
    }

    /// The function that decides by the value of one variable.
    pub(super) fn decide(&mut self, var: Var, cases: Vec<(Key, Function)>, rest: Function) -> Answer<Function> {
        self.start();
        self.make(var, cases, rest)
    }

    fn make(&mut self, var: Var, mut cases: Vec<(Key, Function)>, rest: Function) -> Answer<Function> {
        cases.sort_unstable();
        let listed = |group: Key| cases.iter().find(|(key, _)| *key == group).map(|(_, function)| *function);
        let (numbers, strings) = (listed(Key::NUMBERS).unwrap_or(rest), listed(Key::STRINGS).unwrap_or(rest));
        cases.retain(|(key, function)| {
            *function
                != match key.group() {
                    Some(Key::NUMBERS) => numbers,
                    Some(_) => strings,
                    None => rest,
                }
        });
        if cases.is_empty() {
            return Ok(rest);
        }
        let node = Node { var, cases: cases.into(), rest };
        let place = match self.nodes.get_index_of(&node) {
            Some(place) => place,
            None if self.nodes.len() >= MAX_NODES.min(self.stop) => return Err(Undecided::new(Limit::DiagramNodes)),
            None => self.nodes.insert_full(node).0,
        };
        Ok(Function(u32::try_from(place + 2).unwrap_or(u32::MAX)))
    }

    /// The function that holds for some values of one variable.
    pub(super) fn holds(&mut self, var: Var, keys: &[Key]) -> Answer<Function> {
        self.decide(var, keys.iter().map(|key| (*key, Function::TRUE)).collect(), Function::FALSE)
    }

    pub(super) fn and(&mut self, left: Function, right: Function) -> Answer<Function> {
        self.start();
        self.apply(Op::And, left, right, 0)
    }

    pub(super) fn or(&mut self, left: Function, right: Function) -> Answer<Function> {
        self.start();
        self.apply(Op::Or, left, right, 0)
    }

    pub(super) fn xor(&mut self, left: Function, right: Function) -> Answer<Function> {
        self.start();
        self.apply(Op::Xor, left, right, 0)
    }

    fn start(&mut self) {
        self.stop = self.nodes.len() + MAX_GROWTH;
    }

    fn apply(&mut self, op: Op, left: Function, right: Function, depth: usize) -> Answer<Function> {
        if let Some(result) = op.shortcut(left, right) {
            return Ok(result);
        }
        let known = (op, left.min(right), left.max(right));
        if let Some(result) = self.done.get(&known) {
            return Ok(*result);
        }
        if depth > MAX_DEPTH {
            return Err(Undecided::new(Limit::Conditions));
        }
        let result = self.apply_nodes(op, left, right, depth + 1)?;
        self.done.insert(known, result);
        Ok(result)
    }

    fn apply_nodes(&mut self, op: Op, left: Function, right: Function, depth: usize) -> Answer<Function> {
        let nodes = || [left, right].into_iter().filter_map(|function| self.node(function));
        let Some(var) = nodes().map(|node| node.var).min() else {
            // Two constants: only `xor` of `true` and `true` is not a shortcut, and equal operands are.
            return Ok(Function::constant(left != right));
        };
        let deciding = nodes().filter(|node| node.var == var);
        let mut keys: Vec<Key> = deciding.flat_map(|node| node.cases.iter().map(|(key, _)| *key)).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut cases = Vec::with_capacity(keys.len());
        for key in keys {
            let (left, right) = (self.follow(left, var, Some(key)), self.follow(right, var, Some(key)));
            cases.push((key, self.apply(op, left, right, depth)?));
        }
        let (left, right) = (self.follow(left, var, None), self.follow(right, var, None));
        let rest = self.apply(op, left, right, depth)?;
        self.make(var, cases, rest)
    }

    /// The function once a variable that is not behind its first has a value, or one that is not listed.
    fn follow(&self, function: Function, var: Var, key: Option<Key>) -> Function {
        match self.node(function) {
            Some(node) if node.var == var => key.map_or(node.rest, |key| node.follow(key)),
            Some(_) | None => function,
        }
    }

    /// The function with some variables decided: `fix` names the value of those.
    pub(super) fn fix(&mut self, function: Function, fix: &impl Fn(Var) -> Option<Key>) -> Answer<Function> {
        self.start();
        self.fix_nodes(function, fix, &mut HashMap::default())
    }

    fn fix_nodes(
        &mut self,
        function: Function,
        fix: &impl Fn(Var) -> Option<Key>,
        done: &mut FxHashMap<Function, Function>,
    ) -> Answer<Function> {
        let Some(node) = self.node(function).cloned() else { return Ok(function) };
        if let Some(result) = done.get(&function) {
            return Ok(*result);
        }
        let result = match fix(node.var) {
            Some(key) => self.fix_nodes(node.follow(key), fix, done)?,
            None => {
                let mut cases = Vec::with_capacity(node.cases.len());
                for (key, function) in &node.cases {
                    cases.push((*key, self.fix_nodes(*function, fix, done)?));
                }
                let rest = self.fix_nodes(node.rest, fix, done)?;
                self.make(node.var, cases, rest)?
            }
        };
        done.insert(function, result);
        Ok(result)
    }

    /// The value of a function when every variable has one.
    pub(super) fn value(&self, function: Function, key: impl Fn(Var) -> Option<Key>) -> bool {
        let mut at = function;
        while let Some(node) = self.node(at) {
            at = key(node.var).map_or(node.rest, |key| node.follow(key));
        }
        at.value().unwrap_or(false)
    }

    /// All variables that a function depends on, in order.
    pub(super) fn support(&self, function: Function) -> Vec<Var> {
        let (mut seen, mut open, mut vars) = (rustc_hash::FxHashSet::default(), vec![function], Vec::new());
        while let Some(function) = open.pop() {
            if !seen.insert(function) {
                continue;
            }
            if let Some(node) = self.node(function) {
                vars.push(node.var);
                open.push(node.rest);
                open.extend(node.cases.iter().map(|(_, function)| *function));
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}
