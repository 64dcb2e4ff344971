//! The schema stage: spanned tree → the same tree, known to keep to its JSON Schema.
//!
//! The schemas in `schemas/` say what a document is; this stage turns what the validator finds
//! into diagnostics that point at the key or value itself, and marks the nodes at fault. It
//! knows error kinds and the names of definitions, never the messages of the validator.

use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value as Json;

use super::node::{Entry, Node, Value};
use crate::compile::nearest;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
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
            Self::Rules => include_str!("../../schemas/rules.schema.json"),
            Self::Context => include_str!("../../schemas/context.schema.json"),
            Self::Request => include_str!("../../schemas/request.schema.json"),
            Self::Tests => include_str!("../../schemas/tests.schema.json"),
            Self::SystemMessage => include_str!("../../schemas/system-message.schema.json"),
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
    validator: Validator,
}

impl Compiled {
    #[expect(clippy::expect_used, reason = "the schemas ship with the program, and a test compiles each")]
    fn new(text: &str) -> Self {
        let schema = serde_json::from_str(text).expect("a shipped schema is JSON");
        let options = jsonschema::draft202012::options().offline().with_pattern_options(PatternOptions::regex());
        let validator = options.build(&schema).expect("a shipped schema compiles");
        Self { schema, validator }
    }
}

/// Checks a document. `file` is the span that stands for the file as a whole.
pub(crate) fn validate(schema: Schema, file: Span, root: &mut Node) -> Vec<Diagnostic> {
    let compiled = schema.compiled();
    let json = root.to_json();
    if compiled.validator.is_valid(&json) {
        return Vec::new();
    }
    let errors: Vec<ValidationError<'_>> = compiled.validator.iter_errors(&json).collect();
    let mut faults: Vec<Fault> = Vec::new();
    for error in errors.iter().filter(|error| !is_consequence(error, &errors)) {
        let place = Place::of(error.instance_path(), root, file);
        faults.extend(Reader { schema: &compiled.schema, error, place: &place, errors: &errors }.faults());
    }
    faults.iter().for_each(|fault| mark(root, &fault.path));
    let mut diagnostics: Vec<Diagnostic> = faults.into_iter().map(|fault| fault.diagnostic).collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    diagnostics
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
    /// The key that holds the value; nothing at the root and in lists.
    entry: Option<&'n Entry>,
    /// What a missing key is blamed on: the key that holds the mapping, or a list item's first key.
    holder: Span,
    /// The id of the rule around it.
    rule: Option<String>,
}

impl<'n> Place<'n> {
    fn of(location: &Location, root: &'n Node, file: Span) -> Self {
        let mut place = Self { path: Vec::new(), node: root, entry: None, holder: file, rule: None };
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
            (self.node, self.entry, self.holder) = (&entry.value, Some(entry), entry.key_span);
        }
        self
    }

    fn item(mut self, index: usize) -> Self {
        if let Some(item) = self.node.items().get(index) {
            self.path.push(Step::Item(index));
            let first = item.entries().first().map_or(item.span, |entry| entry.key_span);
            (self.node, self.entry, self.holder) = (item, None, first);
            self.rule = self.rule.or_else(|| Some(item.get("id")?.as_str()?.to_owned()));
        }
        self
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
                unexpected.iter().filter_map(|key| self.unknown_key(key)).collect()
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

    fn unknown_key(&self, key: &str) -> Option<Fault> {
        let entry = self.place.node.entry(key)?;
        let known = self.known_keys();
        let diagnostic = Diagnostic::new(Code::UnknownKey, entry.key_span, format!("unknown key `{key}`"));
        Some(self.fault(match nearest(key, known.iter().map(String::as_str)) {
            Some(meant) => diagnostic.did_you_mean(meant),
            None if known.is_empty() => diagnostic,
            None => diagnostic.help(format!("the keys here are {}", listed(&known))),
        }))
    }

    /// The keys beside the `additionalProperties` that forbids others.
    fn known_keys(&self) -> Vec<String> {
        known_keys(self.schema, self.error.schema_path())
    }

    fn misplaced_key(&self) -> Fault {
        let place = self.place;
        let (key, span) = place.entry.map_or(("", place.node.span), |entry| (entry.key.as_str(), entry.key_span));
        self.fault(Diagnostic::new(Code::UnknownKey, span, format!("the key `{key}` has no place here")))
            .beside(self.definition())
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
            "finding_code" => Diagnostic::new(Code::UnknownKey, span, format!("there is no finding `{name}`")),
            _ if name.is_empty() => Diagnostic::new(Code::InvalidValue, span, "a name is not empty"),
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
        let (expected, wants_text) = expected_types(expected);
        let found = describe(&place.node.value);
        let what = place.entry.map_or(String::new(), |entry| format!("`{}` is ", entry.key));
        let message = format!("{what}{found}, where {expected} belongs");
        let diagnostic = Diagnostic::new(Code::WrongType, place.value_span(), message);
        let is_scalar = matches!(place.node.value, Value::Bool(_) | Value::Number(_));
        self.fault(if wants_text && is_scalar { quoted(diagnostic) } else { diagnostic })
    }

    fn invalid_value(&self, kind: &ValidationErrorKind) -> Fault {
        let place = self.place;
        let key = place.entry.map_or("the value", |entry| entry.key.as_str());
        let written = place.node.as_str().unwrap_or_default();
        let span = place.value_span();
        let invalid = |message: String| Diagnostic::new(Code::InvalidValue, span, message);
        self.fault(match kind {
            ValidationErrorKind::Enum { options } => {
                let known = strings(options);
                let diagnostic = match self.definition() {
                    "section_name" => {
                        Diagnostic::new(Code::UnknownSection, span, format!("there is no section `{written}`"))
                    }
                    "action_name" => {
                        Diagnostic::new(Code::UnknownAction, span, format!("there is no action `{written}`"))
                    }
                    _ => invalid(format!("`{key}` cannot be `{written}`")),
                };
                suggest(diagnostic, written, &known)
            }
            ValidationErrorKind::Constant { .. } if self.definition() == "version" => {
                let message = "this version of the rule language is not known";
                Diagnostic::new(Code::UnsupportedVersion, span, message).help("the only version is `1`")
            }
            ValidationErrorKind::Constant { expected_value } => {
                invalid(format!("`{key}` can only be `{expected_value}`")).help("leave the key out otherwise")
            }
            ValidationErrorKind::MinItems { .. } => invalid(format!("the list `{key}` is empty")),
            ValidationErrorKind::MinLength { .. } => invalid(format!("`{key}` is empty")),
            ValidationErrorKind::MinProperties { limit: 2 } => {
                invalid(format!("`{key}` normalizes an id but compares it with nothing"))
            }
            ValidationErrorKind::MinProperties { .. } => invalid(format!("`{key}` is empty")),
            ValidationErrorKind::MaxProperties { .. } => invalid(format!("`{key}` has more than one key")),
            ValidationErrorKind::Pattern { .. } => {
                invalid(format!("`{written}` cannot be a name here")).help(name_help(self.definition()))
            }
            _ => invalid(format!("`{key}` is out of range")).help("a whole number that is not negative"),
        })
    }
}

impl Fault {
    /// Says what excludes a key.
    fn beside(mut self, definition: &str) -> Self {
        let help = match definition {
            "override" | "base_override" | "contributor_override" => {
                "`remove`, `preserve` and `transform` have no `content`, and only `transform` has `steps`"
            }
            "setting" => "only a setting of type `string` has an `enum`",
            "text_item" | "override_text_item" => "an item has one of `text`, `use` and `parent`",
            "policy" => "a policy has one of `never` and `always`",
            _ => return self,
        };
        self.diagnostic = self.diagnostic.help(help);
        self
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

fn name_help(definition: &str) -> &'static str {
    match definition {
        "bindings" => "a variable's name has small letters, digits and `_`, and begins with a letter",
        "tool_name" => "a single tool is named here; groups (`$…`) belong in lists",
        _ => "a name is not empty and does not begin with `$`",
    }
}

fn quoted(diagnostic: Diagnostic) -> Diagnostic {
    let Span { file, start, end } = diagnostic.span;
    let insert = |at: u32| Edit { span: Span { file, start: at, end: at }, replacement: "'".to_owned() };
    let edits = vec![insert(start), insert(end)];
    diagnostic.help("quote it").fix(Fix { title: "quote it".to_owned(), edits, safe: false })
}

/// The expected types in words, and whether a string is among them.
fn expected_types(kind: &TypeKind) -> (String, bool) {
    let types: Vec<jsonschema::JsonType> = match kind {
        TypeKind::Single(single) => vec![*single],
        TypeKind::Multiple(many) => many.iter().collect(),
    };
    let words: Vec<&str> = types.iter().map(|kind| word(*kind)).collect();
    (words.join(" or "), types.contains(&jsonschema::JsonType::String))
}

fn word(kind: jsonschema::JsonType) -> &'static str {
    match kind {
        jsonschema::JsonType::Array => "a list",
        jsonschema::JsonType::Boolean => "`true` or `false`",
        jsonschema::JsonType::Integer => "a whole number",
        jsonschema::JsonType::Null => "nothing",
        jsonschema::JsonType::Number => "a number",
        jsonschema::JsonType::Object => "a mapping",
        jsonschema::JsonType::String => "a string",
    }
}

fn describe(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Sequence(_) => "a list",
        Value::Mapping(_) => "a mapping",
    }
}
