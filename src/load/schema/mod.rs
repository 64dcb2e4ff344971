//! The schema stage: spanned tree → the same tree, known to keep to its JSON Schema.
//!
//! The schemas in `schemas/` say what a document is; this stage turns what the validator finds
//! into diagnostics that point at the key or value itself, and marks the nodes at fault. It
//! knows error kinds and the names of definitions, never the messages of the validator.

mod instance;

use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{Draft, JsonType, PatternOptions, ValidationError, Validator};
use serde_json::Value as Json;

use instance::{Instance, Tree};

use super::node::{Entry, Node, Value};
use super::{MOST_ERRORS, in_order};
use crate::compile::{meant_boolean, meant_number, nearest};
use crate::diagnostic::{Class, Code, Diagnostic, Edit, Fix};
use crate::source::Span;

/// A JSON Schema that ships with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// Rule files.
    Rules,
    /// Contexts of resolutions.
    Context,
    /// Launch requests.
    Request,
    /// Rule tests.
    Tests,
    /// The output.
    SystemMessage,
}

impl Schema {
    /// The schema as it ships.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Rules => include_str!("../../../schemas/rules.schema.json"),
            Self::Context => include_str!("../../../schemas/context.schema.json"),
            Self::Request => include_str!("../../../schemas/request.schema.json"),
            Self::Tests => include_str!("../../../schemas/tests.schema.json"),
            Self::SystemMessage => include_str!("../../../schemas/system-message.schema.json"),
        }
    }

    fn compiled(self) -> &'static Compiled {
        static COMPILED: [OnceLock<Compiled>; 5] = [const { OnceLock::new() }; 5];
        let [rules, context, request, tests, system_message] = &COMPILED;
        let place = match self {
            Self::Rules => rules,
            Self::Context => context,
            Self::Request => request,
            Self::Tests => tests,
            Self::SystemMessage => system_message,
        };
        place.get_or_init(|| Compiled::new(self.text()))
    }
}

struct Compiled {
    schema: Json,
    validator: Validator<Tree>,
}

impl Compiled {
    #[expect(clippy::expect_used, reason = "the schemas ship with the program, and a test compiles each")]
    fn new(text: &str) -> Self {
        let schema = serde_json::from_str(text).expect("a shipped schema is JSON");
        let options = jsonschema::options_for::<Tree>().with_draft(Draft::Draft202012).offline();
        let validator =
            options.with_pattern_options(PatternOptions::regex()).build(&schema).expect("a shipped schema compiles");
        Self { schema, validator }
    }
}

/// Checks a document. `file` is the span that stands for the file as a whole.
pub(crate) fn validate(schema: Schema, file: Span, root: &mut Node) -> Vec<Diagnostic> {
    let compiled = schema.compiled();
    let instance = Instance::Value(root);
    if compiled.validator.is_valid(instance) {
        return Vec::new();
    }
    // One more than are shown, so that it is known whether there are more.
    let errors: Vec<ValidationError<'_>> = compiled.validator.iter_errors(instance).take(MOST_ERRORS + 1).collect();
    let mut faults: Vec<Fault> = Vec::new();
    for error in errors.iter().filter(|error| !is_consequence(error, &errors)) {
        let place = Place::of(error.instance_path(), root, file);
        faults.extend(Reader { schema: &compiled.schema, error, place: &place, errors: &errors }.faults());
    }
    faults.iter().for_each(|fault| mark(root, &fault.path));
    in_order(faults.into_iter().map(|fault| fault.diagnostic).collect())
}

/// One fault with the way to its node.
struct Fault {
    path: Vec<Step>,
    diagnostic: Diagnostic,
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

/// Where an error lies, and what encloses it.
struct Place<'n> {
    path: Vec<Step>,
    node: &'n Node,
    /// The mapping or list around it.
    around: Option<&'n Node>,
    /// The key that holds the value; nothing at the root and in lists.
    entry: Option<&'n Entry>,
    /// The key of the list that holds the value.
    list: Option<&'n str>,
    /// What a missing key is blamed on: the key that holds the mapping, or a list item's first key.
    holder: Span,
    /// The id of the rule around it.
    rule: Option<String>,
}

impl<'n> Place<'n> {
    fn of(location: &Location, root: &'n Node, file: Span) -> Self {
        let (path, node, holder) = (Vec::new(), root, file);
        let mut place = Self { path, node, around: None, entry: None, list: None, holder, rule: None };
        for segment in location.segments() {
            place = match segment {
                LocationSegment::Property(key) => place.key(&key),
                LocationSegment::Index(index) => place.item(index),
            };
        }
        place
    }

    fn key(mut self, key: &str) -> Self {
        if let Some(entry) = self.node.entry(key) {
            self.path.push(Step::Key(key.to_owned()));
            (self.around, self.node, self.holder) = (Some(self.node), &entry.value, entry.key_span);
            (self.entry, self.list) = (Some(entry), None);
        }
        self
    }

    fn item(mut self, index: usize) -> Self {
        if let Some(item) = self.node.items().get(index) {
            self.path.push(Step::Item(index));
            let first = item.entries().first().map_or(item.span, |entry| entry.key_span);
            (self.around, self.node, self.holder) = (Some(self.node), item, first);
            (self.entry, self.list) = (None, self.entry.map(|entry| entry.key.as_str()));
            self.rule = self.rule.or_else(|| Some(item.get("id")?.as_str()?.to_owned()));
        }
        self
    }

    /// What the value is called in a message.
    fn name(&self) -> String {
        match (self.entry, self.list) {
            (Some(entry), _) => format!("`{}`", entry.key),
            (None, Some(list)) => format!("an item of `{list}`"),
            (None, None) => "the file".to_owned(),
        }
    }

    /// The text of a key beside this one.
    fn beside(&self, key: &str) -> Option<&'n str> {
        self.around?.get(key)?.as_str()
    }

    /// The span of the value; of its key, where nothing stands there.
    fn value_span(&self) -> Span {
        match self.entry {
            Some(entry) if self.node.span.start == self.node.span.end => entry.key_span,
            Some(_) | None if matches!(self.node.value, Value::Null) && self.node.span.start == self.node.span.end => {
                self.holder
            }
            Some(_) | None => self.node.span,
        }
    }
}

/// Whether an error only follows from another: something forbidden as a whole is not looked at in detail.
fn is_consequence(error: &ValidationError<'_>, errors: &[ValidationError<'_>]) -> bool {
    errors.iter().any(|other| {
        let (forbidden, path) = (other.instance_path().as_str(), error.instance_path().as_str());
        matches!(other.kind(), ValidationErrorKind::FalseSchema)
            && !std::ptr::eq(other, error)
            && path.strip_prefix(forbidden).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            && !(matches!(error.kind(), ValidationErrorKind::FalseSchema) && path == forbidden)
    })
}

/// Reads one error of the validator.
struct Reader<'e, 'n> {
    schema: &'e Json,
    error: &'e ValidationError<'e>,
    place: &'e Place<'n>,
    errors: &'e [ValidationError<'e>],
}

impl Reader<'_, '_> {
    fn faults(&self) -> Vec<Fault> {
        match self.error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let known = known_keys(self.schema, self.error.schema_path());
                unexpected.iter().take(MOST_ERRORS + 1).filter_map(|key| self.unknown_key(key, &known)).collect()
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

    fn unknown_key(&self, key: &str, known: &[String]) -> Option<Fault> {
        let entry = self.place.node.entry(key)?;
        let diagnostic = Diagnostic::new(Code::UnknownKey, entry.key_span, format!("unknown key `{key}`"));
        if let Some(help) = where_it_belongs(self.definition(), key) {
            return Some(self.fault(diagnostic.help(help)));
        }
        Some(self.fault(match nearest(key, known.iter().map(String::as_str)) {
            Some(meant) => diagnostic.did_you_mean(meant),
            None if known.is_empty() => diagnostic,
            None => diagnostic.help(format!("the keys here are {}", listed(known))),
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
        if self.is_misspelt(key) {
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

    /// Whether the mapping has an unknown key that probably was meant to be this one.
    fn is_misspelt(&self, key: &str) -> bool {
        self.errors.iter().filter(|error| error.instance_path() == self.error.instance_path()).any(|error| {
            let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() else { return false };
            let known = known_keys(self.schema, error.schema_path());
            unexpected.iter().any(|written| nearest(written, known.iter().map(String::as_str)) == Some(key))
        })
    }

    fn wrong_type(&self, expected: &TypeKind) -> Fault {
        let place = self.place;
        let types = types(expected);
        let message = format!("{} is {}, where {} belongs", place.name(), self.found(), in_words(&types));
        let diagnostic = Diagnostic::new(Code::WrongType, place.value_span(), message);
        let is_gate = |key: &str| matches!(place.path.iter().rev().nth(1), Some(Step::Key(around)) if around == key);
        self.fault(match &place.node.value {
            Value::Bool(_) | Value::Number(_) if types.contains(&JsonType::String) => quoted(diagnostic),
            Value::String(text) => match (types.as_slice(), meant(text, &types)) {
                (_, Some(meant)) => diagnostic.did_you_mean_just(&meant),
                ([JsonType::Array], None) => listed_alone(diagnostic, text),
                _ => diagnostic,
            },
            Value::Sequence(_) if is_gate("setting_equals") => {
                diagnostic.help("for one of several values use `setting_in`")
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Sequence(_) | Value::Mapping(_) => diagnostic,
        })
    }

    /// What stands where something else belongs.
    fn found(&self) -> &'static str {
        match self.place.node.value {
            Value::Null if self.place.node.span.start == self.place.node.span.end => "empty",
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

fn mark(node: &mut Node, path: &[Step]) {
    node.faulty = true;
    let next = match (path.split_first(), &mut node.value) {
        (Some((Step::Key(key), rest)), Value::Mapping(entries)) => {
            entries.iter_mut().find(|entry| entry.key == *key).map(|entry| (&mut entry.value, rest))
        }
        (Some((Step::Item(index), rest)), Value::Sequence(items)) => items.get_mut(*index).map(|item| (item, rest)),
        _ => None,
    };
    if let Some((node, rest)) = next {
        mark(node, rest);
    }
}

fn definition(path: &Location) -> &str {
    path.as_str().strip_prefix("/$defs/").and_then(|rest| rest.split('/').next()).unwrap_or_default()
}

fn known_keys(schema: &Json, path: &Location) -> Vec<String> {
    let object = path.as_str().rsplit_once('/').and_then(|(object, _)| schema.pointer(object));
    let properties = object.and_then(|object| object.get("properties")?.as_object());
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

fn strings(options: &Json) -> Vec<String> {
    options.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn suggest(diagnostic: Diagnostic, written: &str, known: &[String]) -> Diagnostic {
    match nearest(written, known.iter().map(String::as_str)) {
        Some(meant) => diagnostic.did_you_mean(meant),
        None if known.is_empty() || known.len() > 20 => diagnostic,
        None => diagnostic.help(format!("it is one of {}", listed(known))),
    }
}

/// Where a key belongs that stands where the schema does not have it.
fn where_it_belongs(definition: &str, key: &str) -> Option<&'static str> {
    match (definition, key) {
        ("nested_matcher", "normalize") => Some("`normalize` stands only at the top of a matcher, for all of it"),
        ("text_item", "parent") => Some("`parent` stands only in the `content` of a contributor's section override"),
        ("base", "when") => Some("the default message has no gate, but each of its section overrides may have one"),
        _ => None,
    }
}

fn unknown_finding(span: Span, name: &str, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::UnknownKey, span, format!("there is no finding `{name}`"));
    match name.parse::<Code>().map(Code::class) {
        Ok(Class::LoadError) => diagnostic.help("this is a load error, which has no level and cannot be silenced"),
        Ok(Class::Finding) | Err(()) => suggest(diagnostic, name, known),
    }
}

fn name_help(definition: &str) -> &'static str {
    match definition {
        "bindings" => "a variable's name has small letters, digits and `_`, and begins with a letter",
        "tool_name" => {
            "only a single tool can be named here; a group stands in `has_any_client_tool`, `has_all_client_tools`, \
             `first_client_tool` or `never_defer`"
        }
        _ => "a tool's name does not begin with `$`",
    }
}

fn quoted(diagnostic: Diagnostic) -> Diagnostic {
    around(diagnostic, "quote it", ["'", "'"])
}

/// A single word where a list belongs.
fn listed_alone(diagnostic: Diagnostic, text: &str) -> Diagnostic {
    let is_word = text.chars().all(|char| char.is_ascii_alphanumeric() || "-_./$".contains(char));
    let length = (diagnostic.span.end - diagnostic.span.start) as usize;
    // Nothing but the word, in quotes or not.
    if text.is_empty() || !is_word || length > text.len() + 2 {
        return diagnostic.help("write a list");
    }
    around(diagnostic, "write a list", ["[", "]"])
}

fn around(diagnostic: Diagnostic, title: &str, [before, after]: [&str; 2]) -> Diagnostic {
    let Span { file, start, end } = diagnostic.span;
    let insert = |at: u32, text: &str| Edit { span: Span { file, start: at, end: at }, replacement: text.to_owned() };
    let edits = vec![insert(start, before), insert(end, after)];
    diagnostic.help(title).fix(Fix { title: title.to_owned(), edits, safe: false })
}

/// The boolean or number that a string probably was meant to be.
fn meant(text: &str, types: &[JsonType]) -> Option<String> {
    match types {
        [JsonType::Boolean] => meant_boolean(text).map(|meant| meant.to_string()),
        [JsonType::Number | JsonType::Integer] => meant_number(text).map(|meant| meant.to_string()),
        _ => None,
    }
}

fn types(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(single) => vec![*single],
        TypeKind::Multiple(many) => many.iter().collect(),
    }
}

/// `a list, a mapping or a string`.
fn in_words(types: &[JsonType]) -> String {
    match types {
        [JsonType::Boolean] => "`true` or `false`".to_owned(),
        [single] => word(*single).to_owned(),
        [others @ .., last] => {
            let others: Vec<&str> = others.iter().map(|kind| word(*kind)).collect();
            format!("{} or {}", others.join(", "), word(*last))
        }
        [] => "nothing".to_owned(),
    }
}

fn word(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "a whole number",
        JsonType::Null => "nothing",
        JsonType::Number => "a number",
        JsonType::Object => "a mapping",
        JsonType::String => "a string",
    }
}
