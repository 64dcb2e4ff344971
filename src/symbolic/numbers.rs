//! Contexts with other numbers: where the value of a setting meets text, only trying shows who wins.

use serde_json::Value;

use crate::context::Context;

/// Numbers that no rule is likely to mention.
const NUMBERS: [&str; 4] = ["7", "1234", "0.5", "-3"];

/// The same context with other values for its number settings, `hints` among them.
pub(crate) fn with_other_numbers(context: &Context, hints: &[String]) -> Vec<Context> {
    let numeric: Vec<&String> =
        context.settings.iter().filter(|(_, value)| value.is_number()).map(|(name, _)| name).collect();
    if numeric.is_empty() {
        return Vec::new();
    }
    let numbers: Vec<&str> = hints.iter().map(String::as_str).chain(NUMBERS).collect();
    let variant = |turn: usize| {
        let mut variant = context.clone();
        for (place, name) in numeric.iter().enumerate() {
            let number = numbers.iter().cycle().nth(turn + place).copied().unwrap_or_default();
            let number = serde_json::from_str(number).unwrap_or(Value::Null);
            variant.settings.insert((*name).clone(), number);
        }
        variant
    };
    (0..numbers.len()).map(variant).collect()
}

/// The numbers in a text.
pub(crate) fn numbers_in(text: &str) -> Vec<String> {
    let runs = text.split(|letter: char| !letter.is_ascii_digit());
    runs.filter(|run| !run.is_empty() && run.len() < 16).map(str::to_owned).collect()
}
