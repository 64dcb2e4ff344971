//! What the runtime does with sections, as measured: `schemas/runtime-sections.json`, which `tests/sdk` writes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::edit::Side;
use crate::message::Section;

#[derive(Default, Deserialize)]
struct Measured {
    sections: Vec<Place>,
    groups: BTreeMap<String, Group>,
}

#[derive(Deserialize)]
struct Place {
    name: String,
    append_starts_on_new_line: bool,
    prepend_ends_its_line: bool,
}

#[derive(Deserialize)]
struct Group {
    contains: Vec<String>,
    actions: BTreeMap<String, OnGroup>,
}

#[derive(Deserialize)]
struct OnGroup {
    part_overrides: Parts,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Parts {
    Discarded,
    Kept,
}

static MEASURED: LazyLock<Measured> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../schemas/runtime-sections.json")).unwrap_or_default());

/// The section that contains this one.
pub(super) fn group_of(section: Section) -> Option<Section> {
    let groups = MEASURED.groups.iter();
    let (name, _) = groups.into_iter().find(|(_, group)| group.contains.iter().any(|part| part == section.as_str()))?;
    Section::ALL.into_iter().find(|group| group.as_str() == name)
}

/// Whether an action on a group discards the overrides of its parts.
pub(super) fn discards_parts(group: Section, action: &str) -> bool {
    let action = MEASURED.groups.get(group.as_str()).and_then(|group| group.actions.get(action));
    action.is_some_and(|action| action.part_overrides == Parts::Discarded)
}

/// Whether a content whose start (appended) or end (prepended) is no newline runs into the section's own text.
pub(super) fn runs_on(section: Section, side: Side) -> bool {
    let place = MEASURED.sections.iter().find(|place| place.name == section.as_str());
    !place.is_some_and(|place| match side {
        Side::Start => place.append_starts_on_new_line,
        Side::End => place.prepend_ends_its_line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measurements_are_read() {
        assert_eq!(MEASURED.sections.len(), Section::ALL.len());
        assert_eq!(group_of(Section::Tone), Some(Section::Identity));
        assert_eq!(group_of(Section::Safety), None);
        assert!(discards_parts(Section::Identity, "replace"));
        assert!(!discards_parts(Section::Identity, "transform"));
        assert!(runs_on(Section::Tone, Side::Start));
        assert!(!runs_on(Section::Guidelines, Side::Start));
    }
}
