//! The conditions that gates are made of, as variables, and the values that settings compare with.
//!
//! Tools and settings go by name and settings are *raw* values, so that gates of two rule sets
//! with two catalogs are functions of the same contexts.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde_json::{Number, Value};

use super::diagram::{Key, Var};
use crate::analysis::language::Lang;
use crate::analysis::{Answer, Limit, Undecided};
use crate::rules::SettingValue;

/// What a function can depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// There is a model, and its id is in the language.
    Model(Lang),
    /// The client forwards the tool.
    Tool(Box<str>),
    /// The flag is set.
    ToolSearchActive,
    /// The flag is set.
    Workspaceless,
    /// The raw value of the setting, or its absence.
    Setting(Box<str>),
}

/// The first variable that is not about models: those come first in the order.
const FIRST_OTHER: u32 = 1 << 31;

/// All conditions so far.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    models: IndexSet<Lang, FxBuildHasher>,
    others: IndexSet<Atom, FxBuildHasher>,
    tools: FxHashMap<Box<str>, Var>,
    numbers: IndexSet<NumberKey, FxBuildHasher>,
    strings: IndexSet<Box<str>, FxBuildHasher>,
    /// Values of settings that their catalog entries admit: what witnesses show first.
    admitted: FxHashMap<Var, Vec<Key>>,
}

/// A number by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NumberKey {
    Whole(i128),
    /// The bits of a float that is not whole, or bigger than any integer.
    Float(u64),
}

/// The numbers from here to [`BIGGEST`] have integers and floats that are equal by value without
/// being equal to the same numbers.
const BIG: f64 = 9_007_199_254_740_992.0;
const BIGGEST: f64 = 18_446_744_073_709_551_616.0;

impl NumberKey {
    fn new(number: &Number) -> Self {
        let float = number.as_f64().unwrap_or(f64::NAN);
        match number.as_i128() {
            Some(whole) => Self::Whole(whole),
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
            None if float.fract() == 0.0 && float.abs() < BIG => Self::Whole(float as i128),
            None => Self::Float(float.to_bits()),
        }
    }
}

fn is_huge(number: &Number) -> bool {
    number.as_f64().is_some_and(|float| (BIG..=BIGGEST).contains(&float.abs()))
}

impl Atoms {
    pub(super) fn var(&mut self, atom: Atom) -> Var {
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        match atom {
            Atom::Model(lang) => Var(number(self.models.insert_full(lang).0)),
            other => Var(FIRST_OTHER + number(self.others.insert_full(other).0)),
        }
    }

    /// The variable of a tool.
    pub(super) fn tool(&mut self, name: &str) -> Var {
        if let Some(var) = self.tools.get(name) {
            return *var;
        }
        let var = self.var(Atom::Tool(name.into()));
        self.tools.insert(name.into(), var);
        var
    }

    /// The variable of a setting, some of whose values are known to be admitted.
    pub(super) fn setting(&mut self, name: &str, admitted: Vec<Key>) -> Var {
        let var = self.var(Atom::Setting(name.into()));
        self.admitted.entry(var).or_insert(admitted);
        var
    }

    /// Admitted values of a setting.
    pub(super) fn admitted(&self, var: Var) -> &[Key] {
        self.admitted.get(&var).map_or(&[], Vec::as_slice)
    }

    /// The language that a variable asks about, if it is one about models.
    pub(super) fn model(&self, var: Var) -> Option<Lang> {
        self.models.get_index(var.0 as usize).copied()
    }

    /// The condition of a variable that is not about models.
    pub(super) fn other(&self, var: Var) -> Option<&Atom> {
        self.others.get_index(var.0.checked_sub(FIRST_OTHER)? as usize)
    }

    pub(super) fn atom(&self, var: Var) -> Option<Atom> {
        self.model(var).map(Atom::Model).or_else(|| self.other(var).cloned())
    }

    /// The key of a value that a gate mentions.
    pub(super) fn mention(&mut self, value: &SettingValue) -> Answer<Key> {
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        Ok(match value {
            SettingValue::Bool(false) => Key::NO,
            SettingValue::Bool(true) => Key::YES,
            SettingValue::Number(value) if is_huge(value) => {
                return Err(Undecided::about(Limit::HugeNumber, &value.to_string()));
            }
            SettingValue::Number(value) => Key::number(number(self.numbers.insert_full(NumberKey::new(value)).0)),
            SettingValue::String(text) => self.mention_string(text),
        })
    }

    /// The same of a string.
    pub(super) fn mention_string(&mut self, text: &str) -> Key {
        let known = self.strings.get_index_of(text);
        let place = known.unwrap_or_else(|| self.strings.insert_full(text.into()).0);
        Key::string(u32::try_from(place).unwrap_or(u32::MAX))
    }

    /// The key of a raw value; nothing for one that no gate can be about.
    pub(super) fn key(&self, value: Option<&Value>) -> Option<Key> {
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        match value {
            None | Some(Value::Null) => Some(Key::ABSENT),
            Some(Value::Bool(false)) => Some(Key::NO),
            Some(Value::Bool(true)) => Some(Key::YES),
            Some(Value::Number(value)) => {
                let place = self.numbers.get_index_of(&NumberKey::new(value));
                Some(place.map_or(Key::NUMBERS, |place| Key::number(number(place))))
            }
            Some(Value::String(text)) => {
                let place = self.strings.get_index_of(text.as_str());
                Some(place.map_or(Key::STRINGS, |place| Key::string(number(place))))
            }
            Some(Value::Array(_) | Value::Object(_)) => None,
        }
    }

    /// A raw value with this key; nothing is the absence of one.
    pub(super) fn value(&self, key: Key) -> Option<Value> {
        match key {
            Key::HOLDS | Key::ABSENT => None,
            Key::NO => Some(Value::Bool(false)),
            Key::YES => Some(Value::Bool(true)),
            Key::NUMBERS => Some(self.other_number().into()),
            Key::STRINGS => Some(self.other_string().into()),
            single => self.single(single),
        }
    }

    fn single(&self, key: Key) -> Option<Value> {
        match key.single()? {
            (false, place) => match self.numbers.get_index(place)? {
                NumberKey::Whole(whole) => i64::try_from(*whole).ok().map(Value::from),
                NumberKey::Float(bits) => Some(f64::from_bits(*bits).into()),
            },
            (true, place) => self.strings.get_index(place).map(|text| Value::from(&**text)),
        }
    }

    /// A number that no gate mentions.
    fn other_number(&self) -> i64 {
        let mentioned = |number: &i64| self.numbers.contains(&NumberKey::Whole((*number).into()));
        (0..).find(|number| !mentioned(number)).unwrap_or(0)
    }

    /// A string that no gate mentions.
    fn other_string(&self) -> String {
        let names = (1..).map(|number| if number == 1 { "other".into() } else { format!("other{number}") });
        names.into_iter().find(|name: &String| !self.strings.contains(name.as_str())).unwrap_or_default()
    }
}
