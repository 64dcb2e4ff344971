//! What all renderers say in the same words: whom a difference touches, and what became of a text.

use crate::diff::{Class, Difference, Part, ToolSearchFacts, Witness};
use crate::message::{SectionOverride, Step, SystemMessageConfig};

use super::words::{Run, runs};

/// How many names a list gives before it only counts.
const MOST_NAMES: usize = 6;
/// How many unchanged characters are left at each side of a change.
const AROUND: usize = 60;

/// Names, the first few of them.
pub(super) fn names<'n>(names: impl IntoIterator<Item = &'n str>, quote: &str) -> String {
    let all: Vec<&str> = names.into_iter().collect();
    let mut text: Vec<String> = all.iter().take(MOST_NAMES).map(|name| format!("{quote}{name}{quote}")).collect();
    if all.len() > MOST_NAMES {
        text.push(format!("{} more", all.len() - MOST_NAMES));
    }
    text.join(", ")
}

/// How many catalog models a difference touches, and how many there are no ids for.
pub(super) fn models(difference: &Difference) -> String {
    match difference.models.len() {
        0 => "no catalog model".to_owned(),
        1 => "1 catalog model".to_owned(),
        number => format!("{number} catalog models"),
    }
}

/// A class in a few words.
pub(super) fn class(class: &Class, quote: &str) -> String {
    let named = |id: &str| format!("{quote}{id}{quote}");
    let such = class.example.as_deref().filter(|_| class.models == 0);
    let such = such.map(|example| format!(", such as {}", named(example))).unwrap_or_default();
    let number = if class.models == 0 { String::new() } else { format!(" ({})", class.models) };
    if class.example.is_none() {
        return "sessions without a model".to_owned();
    }
    match (&class.old, &class.new) {
        (Some(old), Some(new)) if old == new => format!("models of {}{number}{such}", named(new)),
        (None, None) => format!("models that no contributor takes{number}{such}"),
        (Some(old), Some(new)) => format!("models of {}, now {}{number}{such}", named(old), named(new)),
        (Some(old), None) => format!("models of {}, now nobody's{number}{such}", named(old)),
        (None, Some(new)) => format!("models of nobody, now {}{number}{such}", named(new)),
    }
}

/// The parts of a difference that its cause does not name.
pub(super) fn parts(difference: &Difference) -> String {
    let names: Vec<String> = difference.parts.iter().map(|part| part.name()).collect();
    names.join(", ")
}

/// What became of one part: a heading, and both texts where there are any.
pub(super) struct Became {
    pub(super) heading: String,
    pub(super) diff: Option<String>,
}

/// What became of the parts of a witness that differ.
pub(super) fn became(difference: &Difference) -> Vec<Became> {
    let witness = &difference.witness;
    if let Some(facts) = &witness.tool_search {
        return vec![tool_search(facts)];
    }
    let parts = difference.parts.iter().filter_map(|part| part_became(*part, witness));
    parts.collect()
}

fn part_became(part: Part, witness: &Witness) -> Option<Became> {
    let (old, new) = (&witness.old, &witness.new);
    match part {
        Part::Mode => (old.mode() != new.mode()).then(|| Became {
            heading: format!("mode: {} → {}", old.mode(), new.mode()),
            diff: texts(old.content(), new.content()),
        }),
        Part::Content => (old.content() != new.content())
            .then(|| Became { heading: "content".to_owned(), diff: texts(old.content(), new.content()) }),
        Part::Section(section) => {
            let get = |message: &SystemMessageConfig| message.sections().and_then(|all| all.get(section)).cloned();
            let (old, new) = (get(old), get(new));
            (old != new).then(|| section_became(section.as_str(), old.as_ref(), new.as_ref()))
        }
        Part::Order => {
            let order = |message: &SystemMessageConfig| {
                let names =
                    message.sections().into_iter().flat_map(|all| all.iter().map(|(section, _)| section.as_str()));
                names.collect::<Vec<_>>().join(" ")
            };
            let (old, new) = (order(old), order(new));
            (old != new).then(|| Became { heading: "order of sections".to_owned(), diff: Some(marked(&old, &new)) })
        }
        Part::ToolSearch => None,
    }
}

fn section_became(name: &str, old: Option<&SectionOverride>, new: Option<&SectionOverride>) -> Became {
    let action = |value: Option<&SectionOverride>| value.map_or("foundation as it is", SectionOverride::action);
    let heading = if action(old) == action(new) {
        format!("{name}: {}", action(new))
    } else {
        format!("{name}: {} → {}", action(old), action(new))
    };
    let (old, new) = (old.and_then(said), new.and_then(said));
    Became { heading, diff: texts(old.as_ref(), new.as_ref()) }
}

/// What an override says, steps as lines.
fn said(value: &SectionOverride) -> Option<String> {
    let step = |step: &Step| match step {
        Step::Replace { pattern, with } => format!("replace /{pattern}/ with `{with}`"),
        Step::Remove { pattern } => format!("remove /{pattern}/"),
        Step::Append(text) => format!("append {text}"),
        Step::Prepend(text) => format!("prepend {text}"),
    };
    match value {
        SectionOverride::Transform(steps) => Some(steps.iter().map(step).collect::<Vec<_>>().join("\n")),
        SectionOverride::Replace(text) | SectionOverride::Append(text) | SectionOverride::Prepend(text) => {
            Some(text.clone())
        }
        SectionOverride::Remove | SectionOverride::Preserve => None,
    }
}

fn texts(old: Option<&String>, new: Option<&String>) -> Option<String> {
    let (old, new) = (old.map_or("", String::as_str), new.map_or("", String::as_str));
    (old != new).then(|| marked(old, new))
}

/// Both texts in one, `[-what went-]` and `{+what came+}`; what stays is cut where it is long.
fn marked(old: &str, new: &str) -> String {
    let runs = runs(old, new);
    let last = runs.len().saturating_sub(1);
    let mut text = String::new();
    for (place, run) in runs.iter().enumerate() {
        match run {
            Run::Same(same) => text.push_str(&shortened(same, place > 0, place < last)),
            Run::Old(gone) => text.push_str(&format!("[-{}-]", visible(gone))),
            Run::New(added) => text.push_str(&format!("{{+{}+}}", visible(added))),
        }
    }
    text
}

/// A change that is nothing but white space, so that it can be seen.
fn visible(text: &str) -> String {
    if !text.trim().is_empty() {
        return text.to_owned();
    }
    text.chars()
        .map(|letter| match letter {
            '\n' => "\\n".to_owned(),
            '\t' => "\\t".to_owned(),
            ' ' => "␣".to_owned(),
            other => other.escape_unicode().to_string(),
        })
        .collect()
}

/// The ends of an unchanged text, next to the changes around it.
fn shortened(text: &str, after_change: bool, before_change: bool) -> String {
    let letters: Vec<char> = text.chars().collect();
    let room = AROUND * (usize::from(after_change) + usize::from(before_change));
    if letters.len() <= room + 5 {
        return text.to_owned();
    }
    let head = if after_change { AROUND } else { 0 };
    let tail = if before_change { AROUND } else { 0 };
    let start: String = letters.iter().take(head).collect();
    let end: String = letters.iter().skip(letters.len() - tail).collect();
    format!("{start} … {end}")
}

fn tool_search(facts: &[ToolSearchFacts; 2]) -> Became {
    let [old, new] = facts.each_ref().map(|facts| {
        if !facts.active {
            return "inactive".to_owned();
        }
        let threshold = facts.defer_threshold.as_ref().map(|number| number.to_string()).unwrap_or_default();
        let tool = |name: &Option<String>| name.clone().unwrap_or_default();
        format!(
            "active from {threshold} on, {} as {}, never deferred: {}",
            tool(&facts.client_tool),
            tool(&facts.runtime_tool),
            if facts.never_defer.is_empty() { "none".to_owned() } else { facts.never_defer.join(" ") }
        )
    });
    Became { heading: "tool search".to_owned(), diff: Some(marked(&old, &new)) }
}
