//! The capability overrides of one request: each field resolved by itself, from the entry of the
//! model's own id or else from the `*` entry, with a warning for what is not usable.

use serde::Serialize;
use serde_json::{Map, Value};

use super::filters::Filter;
use super::plan::Warning;
use crate::interpret::shortened;

/// The entry that counts for every model.
const ANY_MODEL: &str = "*";
const FIELDS: [&str; 5] = ["family", "reasoningEffort", "availableTools", "excludedTools", "modelCapabilities"];
const MOST_FAMILY_UNITS: usize = 128;

/// How hard the model thinks, as the runtime spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the runtime's own scale")]
pub enum ReasoningEffort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

impl ReasoningEffort {
    /// The effort of this very name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::None,
            "minimal" => Self::Minimal,
            "low" => Self::Low,
            "medium" => Self::Medium,
            "high" => Self::High,
            "xhigh" => Self::Xhigh,
            "max" => Self::Max,
            _ => return None,
        })
    }
}

/// The usable values that count for one model.
#[derive(Debug, Default)]
pub(super) struct Overrides<'a> {
    /// What contributors, `model` gates and `supported_models` see in place of the model's id.
    pub(super) family: Option<&'a str>,
    pub(super) reasoning_effort: Option<ReasoningEffort>,
    pub(super) available_tools: Option<Filter<'a>>,
    pub(super) excluded_tools: Option<Filter<'a>>,
    pub(super) model_capabilities: Option<&'a Map<String, Value>>,
}

impl<'a> Overrides<'a> {
    /// The values for a requested model id, or without one.
    pub(super) fn of(model: Option<&'a str>, overrides: &'a Value, warnings: &mut Vec<Warning>) -> Self {
        let mut entries = Entries::of(model, overrides, warnings);
        if entries.is_empty() {
            return Self::default();
        }
        let [family_field, effort_field, available_field, excluded_field, capabilities_field] = FIELDS;
        let tools = "a list of non-empty strings, or one such string";
        let resolved = Self {
            family: entries.first_usable(
                family_field,
                "1 to 128 characters without white space around them and without control characters",
                family,
            ),
            reasoning_effort: entries.first_usable(
                effort_field,
                "one of `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`",
                |value| ReasoningEffort::from_name(value.as_str()?),
            ),
            available_tools: entries.first_usable(available_field, tools, Filter::from_json),
            excluded_tools: entries.first_usable(excluded_field, tools, Filter::from_json),
            model_capabilities: entries.first_usable(capabilities_field, "a mapping", Value::as_object),
        };
        entries.warn_of_unknown_fields();
        resolved
    }
}

/// The entries that are looked at, the model's own first.
struct Entries<'a, 'w> {
    entries: [Option<(&'a str, &'a Map<String, Value>)>; 2],
    warnings: &'w mut Vec<Warning>,
}

impl<'a, 'w> Entries<'a, 'w> {
    fn of(model: Option<&'a str>, overrides: &'a Value, warnings: &'w mut Vec<Warning>) -> Self {
        let mut found = Self { entries: [None, None], warnings };
        if let Some(overrides) = found.mapping("", "a mapping from model ids to entries", overrides) {
            let own = model.filter(|model| *model != ANY_MODEL);
            found.entries = [own, Some(ANY_MODEL)].map(|key| {
                let (key, entry) = overrides.get_key_value(key?)?;
                Some((key.as_str(), found.mapping(key, "a mapping", entry)?))
            });
        }
        found
    }

    fn is_empty(&self) -> bool {
        self.entries.iter().all(Option::is_none)
    }

    /// The value as a mapping; `null` is none, anything else is warned about.
    fn mapping(&mut self, entry: &str, expected: &str, value: &'a Value) -> Option<&'a Map<String, Value>> {
        if !value.is_null() && !value.is_object() {
            self.warnings.push(unusable("", entry, expected, value));
        }
        value.as_object()
    }

    /// The first usable value of a field; those before it are warned about, those after it are not looked at.
    fn first_usable<T>(&mut self, field: &str, expected: &str, usable: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        for (entry, fields) in self.entries.iter().flatten() {
            let Some(value) = fields.get(field).filter(|value| !value.is_null()) else { continue };
            match usable(value) {
                Some(value) => return Some(value),
                None => self.warnings.push(unusable(field, entry, expected, value)),
            }
        }
        None
    }

    /// An entry never carries prompt text, a path, or anything else that is not in the contract.
    fn warn_of_unknown_fields(&mut self) {
        let expected = "only `family`, `reasoningEffort`, `availableTools`, `excludedTools`, `modelCapabilities` here";
        for (entry, fields) in self.entries.iter().flatten() {
            let unknown = fields.iter().filter(|(field, value)| !value.is_null() && !FIELDS.contains(&field.as_str()));
            self.warnings.extend(unknown.map(|(field, value)| unusable(field, entry, expected, value)));
        }
    }
}

fn unusable(field: &str, entry: &str, expected: &str, value: &Value) -> Warning {
    let message = format!("expected {expected}, got `{}`", shortened(value));
    Warning { field: field.to_owned(), entry: entry.to_owned(), message }
}

/// Surrounding white space is what Unicode calls `White_Space`; control characters are those of ASCII.
fn family(value: &Value) -> Option<&str> {
    let name = value.as_str()?;
    let fits = !name.is_empty() && name.encode_utf16().count() <= MOST_FAMILY_UNITS;
    let bare = name.trim() == name;
    let printable = !name.bytes().any(|byte| byte.is_ascii_control());
    (fits && bare && printable).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn warned(model: Option<&str>, overrides: &Value) -> Vec<(String, String)> {
        let mut warnings = Vec::new();
        let _ = Overrides::of(model, overrides, &mut warnings);
        warnings.into_iter().map(|warning| (warning.field, warning.entry)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(field, entry)| ((*field).to_owned(), (*entry).to_owned())).collect()
    }

    #[test]
    fn families() {
        let usable = |name: &str| family(&json!(name)).is_some();
        for name in ["x", "a b", "a\u{85}b", "ü/🙂", "\u{80}", "\u{200b}a", &"x".repeat(128), &"🙂".repeat(64)] {
            assert!(usable(name), "{name:?}");
        }
        let too_long = "🙂".repeat(65);
        for name in
            ["", " a", "a\u{a0}", "\u{3000}a", "a\u{85}", "a\tb", "a\u{7f}", "\u{0}", &"x".repeat(129), &too_long]
        {
            assert!(!usable(name), "{name:?}");
        }
        assert_eq!(family(&json!(7)), None);
    }

    #[test]
    fn each_field_falls_back_by_itself() {
        let overrides = json!({
            "m": {"family": " bad", "reasoningEffort": "low", "modelCapabilities": null, "path": "x", "gone": null},
            "*": {"family": "f", "reasoningEffort": 3, "modelCapabilities": {"a": 1}, "availableTools": [""], "note": 1},
            "other": {"family": 1},
        });
        let mut warnings = Vec::new();
        let resolved = Overrides::of(Some("m"), &overrides, &mut warnings);
        assert_eq!(resolved.family, Some("f"));
        assert_eq!(resolved.reasoning_effort, Some(ReasoningEffort::Low));
        assert_eq!(resolved.model_capabilities.map(Map::len), Some(1));
        assert!(resolved.available_tools.is_none());
        let expected = pairs(&[("family", "m"), ("availableTools", "*"), ("path", "m"), ("note", "*")]);
        assert_eq!(warned(Some("m"), &overrides), expected);
    }

    #[test]
    fn what_is_no_mapping_is_one_warning() {
        assert_eq!(warned(Some("m"), &json!([1])), pairs(&[("", "")]));
        assert_eq!(warned(None, &json!(null)), []);
        assert_eq!(warned(Some("m"), &json!({"m": 1, "*": "x"})), pairs(&[("", "m"), ("", "*")]));
        assert_eq!(warned(Some("m"), &json!({"m": null, "*": null})), []);
    }

    #[test]
    fn only_the_star_counts_without_a_model_and_for_the_id_star() {
        let overrides = json!({"*": {"family": 1}, "m": {"family": 2}, "": {"family": 3}});
        assert_eq!(warned(None, &overrides), pairs(&[("family", "*")]));
        assert_eq!(warned(Some("*"), &overrides), pairs(&[("family", "*")]));
    }

    #[test]
    fn messages_say_what_was_expected_and_show_a_short_value() {
        let mut warnings = Vec::new();
        let overrides = json!({"*": {"family": "x".repeat(500)}});
        let _ = Overrides::of(None, &overrides, &mut warnings);
        let shown = "x".repeat(39);
        assert_eq!(
            warnings[0].message,
            format!(
                "expected 1 to 128 characters without white space around them and without control characters, got `\"{shown}…`"
            )
        );
    }
}
