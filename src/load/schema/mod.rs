//! The schema stage: spanned tree → the same tree, known to keep to its JSON Schema.
//!
//! The schemas in `schemas/` say what a document is; this stage turns what the validator finds
//! into diagnostics that point at the key or value itself (`reader`, in the words of `words`), and
//! marks the nodes at fault. Errors with one cause are put together first: keys whose indentation is
//! lost (`lost`), and unknown keys that stand for missing ones (`keys`). It knows error kinds and the names of definitions, never the messages
//! of the validator.

mod foreign;
mod instance;
mod keys;
mod lost;
mod place;
mod reader;
mod shape;
mod words;

use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value as Json;

use instance::{Instance, Tree};
use lost::Lost;
use place::{Place, Step};
use reader::{Fault, Reader, mapping_keys};

use super::node::{Node, Value};
use super::{MOST_ERRORS, in_order};
use crate::diagnostic::Diagnostic;
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

/// What is checked: the text of a file, if it is at hand, and the span that stands for the file as a whole.
struct Subject<'a> {
    schema: &'a Json,
    text: &'a str,
    file: Span,
}

/// Checks a document. `file` is the span that stands for the file as a whole.
pub(crate) fn validate(schema: Schema, file: Span, root: &mut Node) -> Vec<Diagnostic> {
    validate_text(schema, "", file, root)
}

/// Checks a document whose text is at hand, for edits of whole lines.
pub(super) fn validate_text(schema: Schema, text: &str, file: Span, root: &mut Node) -> Vec<Diagnostic> {
    let compiled = schema.compiled();
    let instance = Instance::Value(root);
    if compiled.validator.is_valid(instance) {
        return Vec::new();
    }
    // One more than are shown, so that it is known whether there are more.
    let errors: Vec<ValidationError<'_>> = compiled.validator.iter_errors(instance).take(MOST_ERRORS + 1).collect();
    let faults = faults(&Subject { schema: &compiled.schema, text, file }, &errors, root);
    faults.iter().for_each(|fault| mark(root, &fault.path));
    in_order(faults.into_iter().map(|fault| fault.diagnostic).collect())
}

fn faults(subject: &Subject<'_>, errors: &[ValidationError<'_>], root: &Node) -> Vec<Fault> {
    let mut lost = Lost::find(subject, errors, root);
    let mut faults = std::mem::take(&mut lost.faults);
    let keys = mapping_keys(subject, errors, &lost, root);
    for error in errors.iter().filter(|error| !is_consequence(error, errors) && !lost.hides(error)) {
        let place = Place::of(error.instance_path(), root, subject.file);
        let keys = keys.get(error.instance_path().as_str());
        faults.extend(Reader::new(subject, error, &place, keys).faults());
    }
    faults
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
