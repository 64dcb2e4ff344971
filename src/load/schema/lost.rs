//! Lost indentation: an empty key, and below it, at its own column, the keys that belong in it.
//!
//! They are no faults of their own: one error at the empty key stands for all of them.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use super::Subject;
use super::place::Place;
use super::reader::{Fault, known_keys};
use super::shape::Shape;
use super::words::strings;
use crate::compile::nearest;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::load::node::{Entry, Node, Value};
use crate::load::yaml::lines;
use crate::source::Span;

/// How many of the keys are shown.
const MOST_SHOWN: usize = 4;

/// How many keys below an empty one are looked at.
const MOST_KEYS: usize = 1000;

/// Keys whose indentation is lost, and the empty ones in which they belong.
#[derive(Default)]
pub(super) struct Lost {
    /// By the mapping in which they stand, as a JSON pointer.
    keys: FxHashMap<String, FxHashSet<String>>,
    pub(super) faults: Vec<Fault>,
}

impl Lost {
    pub(super) fn find(subject: &Subject<'_>, errors: &[ValidationError<'_>], root: &Node) -> Self {
        let types = errors.iter().filter(|error| matches!(error.kind(), ValidationErrorKind::Type { .. }));
        let places = types.map(|error| (error, Place::of(error.instance_path(), root, subject.file)));
        let mut empty: Vec<_> =
            places.filter(|(_, place)| place.entry.is_some_and(|entry| is_empty(&entry.value))).collect();
        empty.sort_by_key(|(_, place)| place.node.span);
        let mut lost = Self::default();
        for (error, place) in empty {
            if !lost.hides(error) {
                lost.add(subject, error, &place, errors);
            }
        }
        lost
    }

    /// Whether an entry of a mapping is one of them.
    pub(super) fn has(&self, mapping: &str, key: &str) -> bool {
        self.keys.get(mapping).is_some_and(|keys| keys.contains(key))
    }

    /// Whether an error is about one of them or what is in it.
    pub(super) fn hides(&self, error: &ValidationError<'_>) -> bool {
        let path = error.instance_path().as_str();
        self.keys.iter().any(|(mapping, keys)| {
            let Some(below) = path.strip_prefix(mapping.as_str()) else { return false };
            match (below.strip_prefix('/'), error.kind()) {
                (Some(below), _) => below.split('/').next().is_some_and(|key| keys.contains(&unescaped(key))),
                (None, ValidationErrorKind::PropertyNames { error }) if below.is_empty() => {
                    error.instance().as_str().is_some_and(|name| keys.contains(name))
                }
                (None, _) => false,
            }
        })
    }

    /// Looks at the keys below one empty key.
    fn add(
        &mut self,
        subject: &Subject<'_>,
        error: &ValidationError<'_>,
        place: &Place<'_>,
        errors: &[ValidationError<'_>],
    ) {
        let found = belonging(subject.schema, error, place, errors);
        let (Some(entry), Some((mapping, _))) = (place.entry, error.instance_path().as_str().rsplit_once('/')) else {
            return;
        };
        if found.entries.is_empty() {
            return;
        }
        let keys = found.entries.iter().copied().chain([entry]).map(|entry| entry.key.clone());
        self.keys.entry(mapping.to_owned()).or_default().extend(keys);
        let diagnostic = diagnostic(subject.text, entry, &found);
        let diagnostic = Diagnostic { rule: place.rule.clone(), ..diagnostic };
        self.faults.push(Fault { path: place.path.clone(), diagnostic });
    }
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The entries below an empty key that belong in it.
#[derive(Default)]
struct Belonging<'s, 'n> {
    entries: Vec<&'n Entry>,
    /// The empty key, and empty ones among those that belong in it.
    open: Vec<Shape<'s>>,
    /// Whether they belong in an item of it.
    in_item: bool,
}

fn belonging<'s, 'n>(
    schema: &'s Json,
    error: &ValidationError<'_>,
    place: &Place<'n>,
    errors: &[ValidationError<'_>],
) -> Belonging<'s, 'n> {
    let mut found = Belonging::default();
    let (Some(empty), Some(around)) = (place.entry, place.around) else { return found };
    let is_block = around.entries().first().is_some_and(|first| first.key_span.start == around.span.start);
    let mapping = error.instance_path().as_str().rsplit_once('/').map_or("", |(mapping, _)| mapping);
    if !is_block {
        return found;
    }
    let places = Around::of(schema, mapping, errors);
    found.open.extend(Shape::with_keyword(schema, error.schema_path()));
    let behind = around.entries().iter().skip_while(|entry| entry.key_span != empty.key_span).skip(1);
    for entry in behind.take(MOST_KEYS) {
        if places.has_place_for(entry) || !found.takes(entry, &places) {
            break;
        }
        found.entries.push(entry);
    }
    found
}

impl Belonging<'_, '_> {
    /// Whether an entry belongs in the empty key, or in an empty one that does.
    fn takes(&mut self, entry: &Entry, around: &Around) -> bool {
        let is_empty = is_empty(&entry.value);
        let fits = |shape: &Shape<'_>, value: &Shape<'_>| {
            (is_empty || value.fits(&entry.value)) && (shape.names(&entry.key) || around.is_far_from(&entry.key))
        };
        let shapes = self.open.iter().rev().flat_map(|shape| [(shape.clone(), false), (shape.item(), true)]);
        let mut values = shapes.filter_map(|(shape, in_item)| {
            let value = shape.property(&entry.key)?;
            fits(&shape, &value).then_some((value, in_item))
        });
        let Some((value, in_item)) = values.next() else { return false };
        self.in_item |= in_item;
        if is_empty {
            self.open.push(value);
        }
        true
    }
}

/// Which keys have a place in the mapping around an empty key.
enum Around {
    /// These.
    Named(Vec<String>),
    /// All whose values fit; these do not.
    Free(FxHashSet<String>),
}

impl Around {
    fn of(schema: &Json, mapping: &str, errors: &[ValidationError<'_>]) -> Self {
        let mut here = errors.iter().filter(|error| error.instance_path().as_str() == mapping);
        if let Some(names) = here.find_map(|error| names_known_to(schema, error)) {
            return Self::Named(names);
        }
        let types = errors.iter().filter(|error| matches!(error.kind(), ValidationErrorKind::Type { .. }));
        let keys = types.filter_map(|error| {
            let key = error.instance_path().as_str().strip_prefix(mapping)?.strip_prefix('/')?;
            (!key.contains('/')).then(|| unescaped(key))
        });
        Self::Free(keys.collect())
    }

    fn has_place_for(&self, entry: &Entry) -> bool {
        match self {
            Self::Named(names) => names.contains(&entry.key),
            Self::Free(misfits) => !misfits.contains(&entry.key),
        }
    }

    /// Whether a key is none of those around, misspelt; where all keys have a place, none is.
    fn is_far_from(&self, key: &str) -> bool {
        match self {
            Self::Named(names) => nearest(key, names.iter().map(String::as_str)).is_none(),
            Self::Free(_) => false,
        }
    }
}

/// The keys that a mapping may have, where the validator found others in it.
fn names_known_to(schema: &Json, error: &ValidationError<'_>) -> Option<Vec<String>> {
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { .. } => Some(known_keys(schema, error.schema_path())),
        ValidationErrorKind::PropertyNames { error } => match error.kind() {
            ValidationErrorKind::Enum { options } => Some(strings(options)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether nothing at all stands where a value belongs.
pub(super) fn is_empty(node: &Node) -> bool {
    matches!(node.value, Value::Null) && node.span.start == node.span.end
}

fn diagnostic(text: &str, empty: &Entry, lost: &Belonging<'_, '_>) -> Diagnostic {
    let key = &empty.key;
    let mut diagnostic = Diagnostic::new(Code::WrongType, empty.key_span, format!("`{key}` is empty"));
    for entry in lost.entries.iter().take(MOST_SHOWN) {
        diagnostic = diagnostic.related(entry.key_span, format!("belongs to `{key}`"));
    }
    if lost.in_item {
        return diagnostic.help("indent the lines below it, which belong to it, and begin an item with `- `");
    }
    let diagnostic = diagnostic.help("indent the lines below it, which belong to it");
    Diagnostic { fix: indented(text, &lost.entries), ..diagnostic }
}

/// The edit that moves the lines of some entries to the right.
fn indented(text: &str, entries: &[&Entry]) -> Option<Fix> {
    let (first, last) = (entries.first()?.key_span, entries.last()?);
    let range = first.range().start..last.value.span.range().end.max(last.key_span.range().end);
    let insert = |at| Edit { span: Span::new(first.file, at, at), replacement: "  ".to_owned() };
    let edits: Vec<Edit> = lines(text, range).map(insert).collect();
    (!edits.is_empty()).then(|| Fix { title: "indent the lines".to_owned(), edits, safe: false })
}
