//! One error of the validator → a diagnostic that points at the key or value itself.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::Location;
use jsonschema::{JsonType, ValidationError};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use super::Subject;
use super::keys::{Keys, Mapping, Meaning};
use super::lost::{Lost, is_empty};
use super::place::{Place, Step};
use super::shape::Shape;
use super::words::{
    around, form_help, in_words, insert_blank, listed, listed_alone, meant, name_help, quoted, rename, sentence,
    strings, suggest, tight_dashes, types, unknown_finding,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::MOST_ERRORS;
use crate::load::node::{Entry, Node, Value};
use crate::source::Span;

/// One fault with the way to its node.
pub(super) struct Fault {
    pub(super) path: Vec<Step>,
    pub(super) diagnostic: Diagnostic,
}

/// Reads one error of the validator.
pub(super) struct Reader<'e, 'n> {
    subject: &'e Subject<'e>,
    error: &'e ValidationError<'e>,
    place: &'e Place<'n>,
    /// The keys of the mapping there, if it has unknown ones.
    keys: Option<&'e Keys>,
}

impl<'e, 'n> Reader<'e, 'n> {
    pub(super) fn new(
        subject: &'e Subject<'e>,
        error: &'e ValidationError<'e>,
        place: &'e Place<'n>,
        keys: Option<&'e Keys>,
    ) -> Self {
        Self { subject, error, place, keys }
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        match self.error.kind() {
            ValidationErrorKind::AdditionalProperties { .. } => {
                let known = known_keys(self.subject.schema, self.error.schema_path());
                let unknown = self.keys.map_or(&[][..], Keys::unknown).iter();
                unknown.filter_map(|(key, meaning)| self.unknown_key(key, meaning, &known)).collect()
            }
            ValidationErrorKind::PropertyNames { error } => self.bad_name(error).into_iter().collect(),
            ValidationErrorKind::FalseSchema => vec![self.misplaced_key()],
            ValidationErrorKind::Required { property } => {
                property.as_str().and_then(|key| self.missing_key(key)).into_iter().collect()
            }
            ValidationErrorKind::Type { kind } => vec![self.wrong_type(kind)],
            kind => vec![self.invalid_value(kind)],
        }
    }

    fn fault(&self, diagnostic: Diagnostic) -> Fault {
        let path = self.place.path.clone();
        Fault { path, diagnostic: Diagnostic { rule: self.place.rule.clone(), ..diagnostic } }
    }

    /// The definition that the failing keyword belongs to, such as `action_name`.
    fn definition(&self) -> &str {
        definition(self.error.schema_path())
    }

    /// The definition, if the keyword is its own and not that of a part of it.
    fn whole_definition(&self) -> &str {
        let own = |rest: &str| rest.matches('/').count() == 1;
        let is_own = self.error.schema_path().as_str().strip_prefix("/$defs/").is_some_and(own);
        if is_own { self.definition() } else { "" }
    }

    fn unknown_key(&self, key: &str, meaning: &Meaning, known: &[String]) -> Option<Fault> {
        let entry = self.place.node.entry(key)?;
        let diagnostic = Diagnostic::new(Code::UnknownKey, entry.key_span, format!("unknown key `{key}`"));
        Some(self.fault(match meaning {
            Meaning::Elsewhere(reason) => diagnostic.help(*reason),
            Meaning::Sentence => sentence(diagnostic, self.place.node.span, entry),
            Meaning::TightColon(colon) => insert_blank(diagnostic, colon + 1),
            Meaning::Known(known) => diagnostic.did_you_mean(known),
            Meaning::Missing { key, only } => rename(diagnostic, key, *only),
            Meaning::Nothing if known.is_empty() => diagnostic,
            Meaning::Nothing => diagnostic.help(format!("the keys here are {}", listed(known))),
        }))
    }

    /// A key that another key beside it excludes.
    fn misplaced_key(&self) -> Fault {
        let place = self.place;
        let (key, span) = place.entry.map_or(("", place.node.span), |entry| (entry.key.as_str(), entry.key_span));
        let (other, help) = self.excluded_by(key);
        let message = match other {
            Some(other) => format!("`{key}` cannot stand beside `{other}`"),
            None => format!("the key `{key}` has no place here"),
        };
        let diagnostic = Diagnostic::new(Code::UnknownKey, span, message);
        self.fault(help.into_iter().fold(diagnostic, |diagnostic, help| diagnostic.help(help)))
    }

    /// What excludes a key, and the rule behind it.
    fn excluded_by(&self, key: &str) -> (Option<String>, Option<&'static str>) {
        let with_value = |other: &str| Some(format!("{other}: {}", self.place.beside(other)?));
        match (self.definition(), key) {
            ("override", "steps") => (with_value("action"), Some("only `transform` has `steps`")),
            ("override", _) => (with_value("action"), Some("only `replace`, `append` and `prepend` have `content`")),
            ("setting", _) => (with_value("type"), Some("only a setting of type `string` has an `enum`")),
            ("text_item", _) => (Some("text".to_owned()), Some("an item has one of `text` and `use`")),
            ("override_text_item", _) => {
                let text = self.place.around.is_some_and(|item| item.entry("text").is_some());
                let other = if text { "text" } else { "use" };
                (Some(other.to_owned()), Some("an item has one of `text`, `use` and `parent`"))
            }
            ("policy", _) => (Some("never".to_owned()), Some("a policy has one of `never` and `always`")),
            _ => (None, None),
        }
    }

    fn bad_name(&self, error: &ValidationError<'_>) -> Option<Fault> {
        let name = error.instance().as_str()?.to_owned();
        let entry = self.place.node.entry(&name)?;
        let span = entry.key_span;
        let known = match error.kind() {
            ValidationErrorKind::Enum { options } => strings(options),
            _ => Vec::new(),
        };
        let diagnostic = match definition(error.schema_path()) {
            "section_name" => Diagnostic::new(Code::UnknownSection, span, format!("there is no section `{name}`")),
            "finding_code" => return Some(self.fault(unknown_finding(span, &name, &known))),
            _ if name.is_empty() => Diagnostic::new(Code::InvalidValue, span, "the name is empty"),
            _ => Diagnostic::new(Code::InvalidValue, span, format!("`{name}` cannot be a name here"))
                .help(name_help(definition(error.schema_path()))),
        };
        Some(self.fault(suggest(diagnostic, &name, &known)))
    }

    fn missing_key(&self, key: &str) -> Option<Fault> {
        if self.keys.is_some_and(|keys| !keys.lacks(key)) {
            return None;
        }
        let message = match (self.definition(), key) {
            ("text_item", "text") => "an item needs `text` or `use`".to_owned(),
            ("override_text_item", "text") => "an item needs `text`, `use` or `parent`".to_owned(),
            ("policy", "never") => "a policy needs `never` or `always`".to_owned(),
            (_, "context") => "a test needs `context`, `matrix` or `request`".to_owned(),
            (_, "expect") => "a test needs `expect` or `snapshot`".to_owned(),
            _ => format!("the key `{key}` is missing"),
        };
        Some(self.fault(Diagnostic::new(Code::MissingKey, self.place.holder, message)))
    }

    fn wrong_type(&self, expected: &TypeKind) -> Fault {
        let place = self.place;
        let types = types(expected);
        let message = format!("{} is {}, where {} belongs", place.name(), self.found(), in_words(&types));
        let diagnostic = Diagnostic::new(Code::WrongType, self.value_span(), message);
        if let Some(help) = form_help(self.whole_definition(), &place.node.value, place.entry) {
            return self.fault(diagnostic.help(help));
        }
        let is_gate = |key: &str| matches!(place.path.iter().rev().nth(1), Some(Step::Key(around)) if around == key);
        self.fault(match &place.node.value {
            Value::Bool(_) | Value::Number(_) if types.contains(&JsonType::String) => quoted(diagnostic),
            Value::String(text) => match (types.as_slice(), meant(text, &types)) {
                (_, Some(meant)) => diagnostic.did_you_mean_just(&meant),
                (types, None) if types.contains(&JsonType::Array) && text.starts_with('-') => {
                    tight_dashes(diagnostic, self.subject.text)
                }
                (types, None) if types.contains(&JsonType::Object) && self.tight_colon(text).is_some() => {
                    insert_blank(diagnostic, self.tight_colon(text).unwrap_or_default() + 1)
                }
                _ if self.whole_definition() == "setting" && SETTING_TYPES.contains(&text.as_str()) => {
                    around(diagnostic, &format!("write `{{type: {text}}}`"), ["{type: ", "}"])
                }
                ([JsonType::Array], None) => listed_alone(diagnostic, text),
                _ => diagnostic,
            },
            Value::Sequence(_) if is_gate("setting_equals") => {
                diagnostic.help("for one of several values use `setting_in`")
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Sequence(_) | Value::Mapping(_) => diagnostic,
        })
    }

    /// The colon of `key:value`, where that is a string and a mapping with this key belongs.
    fn tight_colon(&self, text: &str) -> Option<usize> {
        let (key, _) = text.split_once(':')?;
        let shape = Shape::with_keyword(self.subject.schema, self.error.schema_path())?;
        let is_plain = self.place.node.span.range().len() == text.len();
        (is_plain && shape.names(key)).then_some(key.len())
    }

    /// The span of the value; of its key or of its `-`, where nothing stands there.
    fn value_span(&self) -> Span {
        let span = self.place.value_span();
        let Some(dash) = span.range().start.checked_sub(1).filter(|_| span.range().is_empty()) else { return span };
        let before = self.subject.text.get(dash..span.range().start);
        if before == Some("-") { Span::new(span.file, dash, dash + 1) } else { span }
    }

    /// What stands where something else belongs.
    fn found(&self) -> &'static str {
        match self.place.node.value {
            Value::Null if is_empty(self.place.node) => "empty",
            Value::Null if self.place.entry.is_none() && self.place.list.is_none() => "empty",
            Value::Null => "`null`",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }

    fn invalid_value(&self, kind: &ValidationErrorKind) -> Fault {
        let name = self.place.name();
        let written = self.place.node.as_str().unwrap_or_default();
        let span = self.place.value_span();
        let invalid = |message: String| Diagnostic::new(Code::InvalidValue, span, message);
        self.fault(match kind {
            ValidationErrorKind::Enum { options } => self.no_such_value(&strings(options)),
            ValidationErrorKind::Constant { .. } if self.definition() == "version" => {
                let message = format!("version `{}` is not known", self.place.node.to_json());
                Diagnostic::new(Code::UnsupportedVersion, span, message).help("the only version is `1`")
            }
            ValidationErrorKind::Constant { expected_value } => {
                invalid(format!("{name} can only be `{expected_value}`")).help("leave the key out otherwise")
            }
            ValidationErrorKind::MinItems { .. } => invalid(format!("the list {name} is empty")),
            ValidationErrorKind::MinLength { .. } => invalid(format!("{name} is empty")),
            ValidationErrorKind::MinProperties { limit: 2 } => {
                invalid(format!("{name} normalizes an id but compares it with nothing"))
            }
            ValidationErrorKind::MinProperties { .. } => invalid(format!("{name} is empty")),
            ValidationErrorKind::MaxProperties { .. } => {
                let diagnostic = invalid(format!("{name} has more than one key"));
                match self.definition() {
                    "step" => diagnostic.help("write a step for each, beginning with `- `"),
                    "binding" => diagnostic.help("a binding has one of `first_client_tool` and `setting`"),
                    _ => diagnostic,
                }
            }
            ValidationErrorKind::Pattern { .. } => {
                invalid(format!("`{written}` cannot be a name here")).help(name_help(self.definition()))
            }
            _ => invalid(format!("{name} is out of range")).help("it is a whole number that is not negative"),
        })
    }

    /// A string that is none of the known ones.
    fn no_such_value(&self, known: &[String]) -> Diagnostic {
        let written = self.place.node.as_str().unwrap_or_default();
        let (code, message) = match self.definition() {
            "section_name" => (Code::UnknownSection, format!("there is no section `{written}`")),
            "action_name" => (Code::UnknownAction, format!("there is no action `{written}`")),
            _ => (Code::InvalidValue, format!("{} cannot be `{written}`", self.place.name())),
        };
        suggest(Diagnostic::new(code, self.place.value_span(), message), written, known)
    }
}

/// What the unknown keys of each mapping were meant to be, by its JSON pointer.
pub(super) fn mapping_keys<'e>(
    subject: &Subject<'_>,
    errors: &'e [ValidationError<'e>],
    lost: &Lost,
    root: &Node,
) -> FxHashMap<&'e str, Keys> {
    let mut all = FxHashMap::default();
    for error in errors {
        let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() else { continue };
        let path = error.instance_path().as_str();
        let node = Place::of(error.instance_path(), root, subject.file).node;
        let unknown = unexpected.iter().filter(|key| !lost.has(path, key)).take(MOST_ERRORS + 1);
        let unknown: Vec<&Entry> = unknown.filter_map(|key| node.entry(key)).collect();
        let Some(shape) = Shape::with_keyword(subject.schema, error.schema_path()) else { continue };
        let mapping = Mapping {
            node,
            definition: definition(error.schema_path()),
            shape,
            known: &known_keys(subject.schema, error.schema_path()),
            missing: missing_at(path, errors),
        };
        all.insert(path, Keys::of(&mapping, &unknown));
    }
    all
}

/// The required keys that a mapping has not.
fn missing_at<'e>(path: &str, errors: &'e [ValidationError<'e>]) -> Vec<&'e str> {
    let here = errors.iter().filter(|error| error.instance_path().as_str() == path);
    here.filter_map(|error| match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str(),
        _ => None,
    })
    .collect()
}

const SETTING_TYPES: [&str; 3] = ["boolean", "number", "string"];

fn definition(path: &Location) -> &str {
    path.as_str().strip_prefix("/$defs/").and_then(|rest| rest.split('/').next()).unwrap_or_default()
}

pub(super) fn known_keys(schema: &Json, path: &Location) -> Vec<String> {
    let object = path.as_str().rsplit_once('/').and_then(|(object, _)| schema.pointer(object));
    let properties = object.and_then(|object| object.get("properties")?.as_object());
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}
