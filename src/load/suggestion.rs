//! Which file an `include` entry that leads nowhere was to name.

use std::path::{Component, Path};

use super::files::{Files, normal};
use crate::compile::nearest;

pub(super) const RELATIVE: &str = "the path is relative to the file that includes it";

/// How many names of a folder are compared.
const MOST_NAMES: usize = 1000;

/// What the entry probably was meant to be: the path of a file that is there, relative to `here`, the folder
/// of the including file; `root` is that of the root file. Files that are included already are not meant.
pub(super) fn meant(
    files: &dyn Files,
    here: &Path,
    root: &Path,
    entry: &str,
    is_included: &dyn Fn(&Path) -> bool,
) -> Option<String> {
    let below_root = normal(&root.join(entry));
    if is_file(files, &below_root) && !is_included(&below_root) {
        return relative(&normal(here), &below_root);
    }
    let (folder, name) = match entry.rsplit_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, entry),
    };
    let beside = normal(&here.join(folder.unwrap_or_default()));
    let entries = files.entries(&beside);
    let names = entries.iter().filter(|entry| !entry.is_folder).map(|entry| entry.name.as_str()).take(MOST_NAMES);
    // Other files than rule files are no suggestions.
    let rules = names.filter(|name| {
        let lower = name.to_ascii_lowercase();
        (lower.ends_with(".yaml") || lower.ends_with(".yml")) && !lower.ends_with(".test.yaml")
    });
    let meant = nearest(name, rules.filter(|name| !is_included(&beside.join(name))))?;
    Some(folder.map_or_else(|| meant.to_owned(), |folder| format!("{folder}/{meant}")))
}

fn is_file(files: &dyn Files, path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let folder = path.parent().unwrap_or(Path::new(""));
    files.entries(folder).iter().any(|entry| !entry.is_folder && entry.name == name)
}

/// The way from a folder to a file, with `/` between its parts.
fn relative(folder: &Path, file: &Path) -> Option<String> {
    let common = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| Some(".."));
    let down = file.components().skip(common).map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(up.chain(down).collect::<Option<Vec<&str>>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Memory;

    #[test]
    fn a_file_that_is_there() {
        let files = Memory::new(
            ["r/ruleset.yaml", "r/models/claude.yaml", "r/models/claude.test.yaml", "r/models/notes.md", "r/top.yaml"]
                .map(|path| (path, "")),
        );
        let is_included = |path: &Path| path.ends_with("ruleset.yaml");
        let meant = |here: &str, entry: &str| meant(&files, Path::new(here), Path::new("r"), entry, &is_included);
        let cases = [
            ("r", "models/claud.yaml", Some("models/claude.yaml")),
            ("r", "models/claude.yml", Some("models/claude.yaml")),
            ("r", "Top.yaml", Some("top.yaml")),
            ("r/models", "models/claude.yaml", Some("claude.yaml")),
            ("r/models", "top.yaml", Some("../top.yaml")),
            ("r", "models/note.md", None),
            ("r", "nowhere/claude.yaml", None),
            ("r", "other.yaml", None),
            ("r", "rulesets.yaml", None),
        ];
        for (here, entry, expected) in cases {
            assert_eq!(meant(here, entry).as_deref(), expected, "{here} {entry}");
        }
    }
}
