//! Snapshots: results stored beside a test file, one file for all its tests.
//!
//! `NAME.test.yaml` has its snapshots in `NAME.test.snap`. The format is made for review: texts
//! stand line by line behind a `|`, so that a diff of the file shows what a session would read
//! otherwise. An entry begins with `=== ` and the label of its case; its body is compared as a whole.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::difference::{Line, lines};
use super::find::TEST_ENDING;
use crate::explain::Traced;
use crate::launch::Plan;
use crate::message::{SectionOverride, SystemMessageConfig};

/// How the name of a snapshot file ends.
pub const SNAPSHOT_ENDING: &str = ".test.snap";

/// Begins the line with the label of an entry. No other line begins so.
const HEAD: &str = "=== ";

/// The snapshot file of a test file.
#[must_use]
pub fn snapshot_path(test_file: &Path) -> PathBuf {
    let name = test_file.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(TEST_ENDING).unwrap_or(&name);
    test_file.with_file_name(format!("{stem}{SNAPSHOT_ENDING}"))
}

/// The test file of a snapshot file.
#[must_use]
pub fn test_path(snapshot_file: &Path) -> PathBuf {
    let name = snapshot_file.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(SNAPSHOT_ENDING).unwrap_or(&name);
    snapshot_file.with_file_name(format!("{stem}{TEST_ENDING}"))
}

/// What a snapshot file holds: bodies by label, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshots(IndexMap<String, String>);

impl Snapshots {
    /// Reads a snapshot file. Whatever it is, nothing fails here: an entry that cannot be read is
    /// one that nothing equals.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut entries: IndexMap<String, String> = IndexMap::new();
        let mut label: Option<String> = None;
        for line in text.trim_start_matches('\u{feff}').lines() {
            if let Some(head) = line.strip_prefix(HEAD) {
                let name = unwritten(head);
                entries.insert(name.clone(), String::new());
                label = Some(name);
            } else if let Some(body) = label.as_ref().and_then(|label| entries.get_mut(label)) {
                body.push_str(line);
                body.push('\n');
            }
        }
        for body in entries.values_mut() {
            body.truncate(body.trim_end_matches('\n').len());
        }
        Self(entries)
    }

    /// The file's text; `name` is that of the test file.
    #[must_use]
    pub fn to_text(&self, name: &str) -> String {
        let mut text = format!("# Snapshots of {name}, written by `promptrules test --update`.\n");
        for (label, body) in &self.0 {
            text.push_str(&format!("\n{HEAD}{}\n{body}\n", written(label)));
        }
        text
    }

    /// The body under a label.
    #[must_use]
    pub fn get(&self, label: &str) -> Option<&str> {
        self.0.get(label).map(String::as_str)
    }

    /// Puts a body at the end, or in place of the one under the label.
    pub fn set(&mut self, label: String, body: String) {
        self.0.insert(label, body);
    }

    /// The labels, in order.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A message as the body of an entry, with who says each line.
pub(super) fn message<'r>(message: &SystemMessageConfig<Traced<'r>>) -> Vec<Line<'r>> {
    let mut out = vec![plain(message.summary())];
    for (name, value) in message.sections().into_iter().flat_map(|sections| sections.iter()) {
        out.push(plain(format!("--- {name}: {}", value.action())));
        if let SectionOverride::Transform(steps) = value {
            let steps = steps.iter().filter_map(|step| serde_json::to_string(step).ok());
            out.extend(steps.map(|step| plain(format!("> {step}"))));
        }
        out.extend(value.content().into_iter().flat_map(text));
    }
    if let Some(content) = message.content() {
        out.push(plain("--- content".to_owned()));
        out.extend(text(content));
    }
    out
}

/// A launch plan without what stands above it already, and without its fingerprint: that one
/// changes with every change of a rule.
pub(super) fn plan(plan: &Plan) -> Vec<Line<'static>> {
    let mut json = serde_json::to_value(plan).unwrap_or_default();
    if let Some(plan) = json.as_object_mut() {
        plan.shift_remove("snapshot");
        plan.shift_remove("summary");
        if let Some(config) = plan.get_mut("sessionConfig").and_then(serde_json::Value::as_object_mut) {
            config.shift_remove("systemMessage");
        }
    }
    let text = serde_json::to_string_pretty(&json).unwrap_or_default();
    let lines = text.lines().map(|line| plain(format!("> {line}")));
    std::iter::once(plain("--- plan".to_owned())).chain(lines).collect()
}

fn plain(text: String) -> Line<'static> {
    Line { text, origin: None }
}

fn text<'r>(text: &Traced<'r>) -> Vec<Line<'r>> {
    let mut lines = lines(text);
    lines.iter_mut().for_each(|line| line.text = format!("|{}", written(&line.text)));
    lines
}

/// A line as it stands; one that an editor, a terminal or git could change or hide, as JSON.
fn written(line: &str) -> String {
    let hidden = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}');
    if line.contains(hidden) || line.ends_with(char::is_whitespace) || line.starts_with('"') {
        serde_json::Value::from(line).to_string()
    } else {
        line.to_owned()
    }
}

fn unwritten(line: &str) -> String {
    if line.starts_with('"') { serde_json::from_str(line).unwrap_or_else(|_| line.to_owned()) } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let mut snapshots = Snapshots::default();
        snapshots
            .set("plain [model=a]".to_owned(), "mode=customize sections=[]\n--- content\n|x\n|\n|=== no".to_owned());
        snapshots.set("two\nlines ".to_owned(), "b".to_owned());
        let text = snapshots.to_text("a.test.yaml");
        assert_eq!(Snapshots::parse(&text), snapshots);
        assert_eq!(Snapshots::parse(&text.replace('\n', "\r\n")), snapshots);
        insta::assert_snapshot!("snapshot-file", text);
    }

    #[test]
    fn any_line_is_one_visible_line() {
        for line in ["a b", "ends ", "\r", "a\u{85}b", "\"", ""] {
            assert_eq!(unwritten(&written(line)), line);
            assert_eq!(written(line).lines().count(), usize::from(!line.is_empty()));
        }
        assert_eq!(written("a\r"), r#""a\r""#);
    }

    #[test]
    fn files_lie_beside_their_tests() {
        assert_eq!(snapshot_path(Path::new("x/a.test.yaml")), Path::new("x/a.test.snap"));
        assert_eq!(test_path(Path::new("x/a.test.snap")), Path::new("x/a.test.yaml"));
    }
}
