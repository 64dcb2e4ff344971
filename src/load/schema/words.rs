//! What is said of faults of form, and how they are mended.

use jsonschema::JsonType;
use jsonschema::error::TypeKind;
use serde_json::Value as Json;

use crate::compile::{meant_boolean, meant_number, nearest};
use crate::diagnostic::{Class, Code, Diagnostic, Edit, Fix};
use crate::load::node::{Entry, Value};
use crate::load::yaml;
use crate::source::Span;

pub(super) fn strings(options: &Json) -> Vec<String> {
    options.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

pub(super) fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(super) fn suggest(diagnostic: Diagnostic, written: &str, known: &[String]) -> Diagnostic {
    match nearest(written, known.iter().map(String::as_str)) {
        Some(meant) => diagnostic.did_you_mean(meant),
        None if known.is_empty() || known.len() > 20 => diagnostic,
        None => diagnostic.help(format!("it is one of {}", listed(known))),
    }
}

/// Where a key belongs that stands where the schema does not have it.
pub(super) fn where_it_belongs(definition: &str, key: &str) -> Option<&'static str> {
    match (definition, key) {
        ("nested_matcher", "normalize") => Some("`normalize` stands only at the top of a matcher, for all of it"),
        ("text_item", "parent") => Some("`parent` stands only in the `content` of a contributor's section override"),
        ("base", "when") => Some("the default message has no gate, but each of its section overrides may have one"),
        _ => None,
    }
}

pub(super) fn unknown_finding(span: Span, name: &str, known: &[String]) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::UnknownKey, span, format!("there is no finding `{name}`"));
    match name.parse::<Code>().map(Code::class) {
        Ok(Class::LoadError) => diagnostic.help("this is a load error, which has no level and cannot be silenced"),
        Ok(Class::Finding) | Err(()) => suggest(diagnostic, name, known),
    }
}

pub(super) fn name_help(definition: &str) -> &'static str {
    match definition {
        "bindings" => "a variable's name has small letters, digits and `_`, and begins with a letter",
        "tool_name" => {
            "only a single tool can be named here; a group stands in `has_any_client_tool`, `has_all_client_tools`, \
             `first_client_tool` or `never_defer`"
        }
        _ => "a tool's name does not begin with `$`",
    }
}

pub(super) fn quoted(diagnostic: Diagnostic) -> Diagnostic {
    around(diagnostic, "quote it", ["'", "'"])
}

/// A single word where a list belongs.
pub(super) fn listed_alone(diagnostic: Diagnostic, text: &str) -> Diagnostic {
    let is_word = text.chars().all(|char| char.is_ascii_alphanumeric() || "-_./$".contains(char));
    let length = (diagnostic.span.end - diagnostic.span.start) as usize;
    // Nothing but the word, in quotes or not.
    if text.is_empty() || !is_word || length > text.len() + 2 {
        return diagnostic.help("write a list");
    }
    around(diagnostic, "write a list", ["[", "]"])
}

/// A sentence with a colon in it, where a string belongs: `mapping` is all of it.
pub(super) fn sentence(diagnostic: Diagnostic, mapping: Span, entry: &Entry) -> Diagnostic {
    let diagnostic = diagnostic.help("quote it: the `: ` makes a mapping of it");
    let text = format!("{}: {}", entry.key, entry.value.as_str().unwrap_or_default());
    // On one line, and neither part in quotes.
    if mapping.range().len() != text.len() {
        return diagnostic;
    }
    let edit = Edit { span: mapping, replacement: yaml::quoted(&text) };
    diagnostic.fix(Fix { title: "quote it".to_owned(), edits: vec![edit], safe: false })
}

/// A `:` with its value right behind it, which ends at this offset of the span.
pub(super) fn insert_blank(diagnostic: Diagnostic, at: usize) -> Diagnostic {
    let at = diagnostic.span.range().start + at;
    let edit = Edit { span: Span::new(diagnostic.span.file, at, at), replacement: " ".to_owned() };
    let fix = Fix { title: "insert a blank".to_owned(), edits: vec![edit], safe: false };
    diagnostic.help("there is no blank after the `:`").fix(fix)
}

/// An unknown key that stands for a missing one; the only one for the only one may be renamed.
pub(super) fn rename(diagnostic: Diagnostic, missing: &str, only: bool) -> Diagnostic {
    if !only {
        return diagnostic.help(format!("`{missing}` is missing here: perhaps it is meant"));
    }
    let edit = Edit { span: diagnostic.span, replacement: missing.to_owned() };
    let fix = Fix { title: format!("replace with `{missing}`"), edits: vec![edit], safe: false };
    diagnostic.help(format!("`{missing}` is missing here: probably it is meant")).fix(fix)
}

/// The form that was meant by a value of another type.
pub(super) fn form_help(definition: &str, found: &Value, entry: Option<&Entry>) -> Option<&'static str> {
    let key = entry.map(|entry| entry.key.as_str());
    match (definition, found) {
        ("matcher" | "nested_matcher", Value::String(_)) => Some("write `{equals: …}` or `{prefix: …}`"),
        ("matcher" | "nested_matcher", Value::Sequence(_)) => {
            Some("write `{equals: […]}` or `{prefix: […]}`; several matchers stand in `any` or `all`")
        }
        ("match", Value::String(_) | Value::Sequence(_)) => {
            Some("prefixes of ids stand in `families`, a matcher under `model`")
        }
        ("gate", Value::Sequence(_)) => Some("several gates stand in `all`, or in `any` if one of them is enough"),
        ("tool_name", Value::Sequence(_)) if key == Some("has_client_tool") => {
            Some("several tools stand in `has_any_client_tool` or `has_all_client_tools`")
        }
        _ => None,
    }
}

/// Lines that begin with `-` and no blank after it: to YAML one string.
pub(super) fn tight_dashes(diagnostic: Diagnostic, text: &str) -> Diagnostic {
    let diagnostic = diagnostic.help("there is no blank after this `-`: write `- ` before an item");
    let span = diagnostic.span;
    let contents = yaml::lines(text, span.range()).map(|line| yaml::content(text, line));
    let contents: Vec<usize> = contents.collect();
    let is_dash = |at: &usize| text.get(*at..).is_some_and(|rest| rest.starts_with('-') && !rest.starts_with("--"));
    if contents.first() != Some(&span.range().start) || !contents.iter().all(is_dash) {
        return diagnostic;
    }
    let insert = |at: usize| Edit { span: Span::new(span.file, at + 1, at + 1), replacement: " ".to_owned() };
    let edits = contents.into_iter().map(insert).collect();
    diagnostic.fix(Fix { title: "insert blanks".to_owned(), edits, safe: false })
}

pub(super) fn around(diagnostic: Diagnostic, title: &str, [before, after]: [&str; 2]) -> Diagnostic {
    let Span { file, start, end } = diagnostic.span;
    let insert = |at: u32, text: &str| Edit { span: Span { file, start: at, end: at }, replacement: text.to_owned() };
    let edits = vec![insert(start, before), insert(end, after)];
    diagnostic.help(title).fix(Fix { title: title.to_owned(), edits, safe: false })
}

/// The boolean or number that a string probably was meant to be.
pub(super) fn meant(text: &str, types: &[JsonType]) -> Option<String> {
    match types {
        [JsonType::Boolean] => meant_boolean(text).map(|meant| meant.to_string()),
        [JsonType::Number | JsonType::Integer] => meant_number(text).map(|meant| meant.to_string()),
        _ => None,
    }
}

pub(super) fn types(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(single) => vec![*single],
        TypeKind::Multiple(many) => many.iter().collect(),
    }
}

/// `a list, a mapping or a string`.
pub(super) fn in_words(types: &[JsonType]) -> String {
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
