#![doc = include_str!("pages/file-not-included.md")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Files, Loaded, ROOT_FILE, normal};
use crate::source::{FileId, SourceFile};

/// Deeper folders hold no rules.
const MAX_DEPTH: usize = 32;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let root = subject.documents.last().map(|root| subject.sources.file(root.file).name()).unwrap_or_default();
    findings.extend(subject.left_out.iter().map(|file| {
        let name = subject.sources.file(*file).name();
        let message = format!("nothing includes `{name}`, so its rules do not count");
        Diagnostic::new(Code::FileNotIncluded, subject.sources.whole(*file), message)
            .help(format!("add it to an `include`, such as that of `{root}`, or move it elsewhere"))
    }));
}

/// Reads the files under the root's folder that nothing includes, so that findings can point into them.
pub(super) fn add_left_out(loaded: &mut Loaded, files: &dyn Files) -> Vec<FileId> {
    let left_out = left_out(loaded, files);
    let add = |path: PathBuf| {
        let name = path.to_string_lossy().into_owned();
        let text = files.read(&path).unwrap_or_default();
        loaded.sources.add(SourceFile::new(path, name, text))
    };
    left_out.into_iter().map(add).collect()
}

fn left_out(loaded: &Loaded, files: &dyn Files) -> Vec<PathBuf> {
    let Some(root) = loaded.documents.last() else { return Vec::new() };
    let path = loaded.sources.file(root.file).path();
    // A file of another name that includes nothing is a rule set by itself, whatever lies beside it.
    if path.file_name().is_none_or(|name| name != ROOT_FILE) && root.root.get("include").is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    walk(files, path.parent().unwrap_or(Path::new("")), 0, &mut found);
    // Most paths are written like those that were read.
    let read: FxHashSet<&OsStr> = loaded.sources.files().map(|(_, file)| file.path().as_os_str()).collect();
    found.retain(|path| !read.contains(path.as_os_str()));
    if found.is_empty() {
        return found;
    }
    let known: FxHashSet<PathBuf> = loaded.sources.files().map(|(_, file)| normal(file.path())).collect();
    found.retain(|path| !known.contains(&normal(path)));
    // What is left may be a link to a file that is included.
    let canonical: FxHashSet<PathBuf> = known.iter().filter_map(|path| files.canonical(path)).collect();
    found.retain(|path| files.canonical(path).is_none_or(|path| !canonical.contains(&path)));
    found
}

/// The rule files under a folder, in path order. Dot folders and folders that are rule sets of their own are left out.
fn walk(files: &dyn Files, folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let entries = files.entries(folder);
    if depth > MAX_DEPTH || depth > 0 && entries.iter().any(|entry| !entry.is_folder && entry.name == ROOT_FILE) {
        return;
    }
    for entry in entries {
        let path = folder.join(&entry.name);
        if !entry.is_folder && is_rule_file(&entry.name) {
            found.push(path);
        } else if entry.is_folder && !entry.name.starts_with('.') {
            walk(files, &path, depth + 1, found);
        }
    }
}

fn is_rule_file(name: &str) -> bool {
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"));
    stem.is_some_and(|stem| !stem.is_empty() && !stem.ends_with(".test"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::{findings_in, places};

    const ROOT: &str = "version: 1\ninclude: [parts/a.yaml]\nbase: {sections: {}}\n";
    const PART: &str = "version: 1\n";

    fn left_out(root: &str, files: &[&str]) -> Vec<String> {
        let root_text = if files.contains(&"parts/a.yaml") { ROOT } else { "version: 1\nbase: {sections: {}}\n" };
        let mut all = vec![(root, root_text)];
        all.extend(files.iter().map(|file| (*file, PART)));
        let found = findings_in(&all);
        assert_eq!(places(&found, Code::FileNotIncluded).len(), found.diagnostics.len());
        found.diagnostics.iter().map(|finding| found.sources.file(finding.span.file).name().to_owned()).collect()
    }

    #[test]
    fn files_that_nothing_includes_are_found() {
        let files = ["parts/a.yaml", "parts/b.yaml", "c.yml", "deep/er/d.yaml", "notes.md", "z.yaml.bak"];
        assert_eq!(left_out("ruleset.yaml", &files), ["c.yml", "deep/er/d.yaml", "parts/b.yaml"]);
        assert_eq!(left_out("rules/ruleset.yaml", &["other/x.yaml"]), [""; 0]);
    }

    #[test]
    fn tests_dot_folders_and_other_rule_sets_are_not_looked_at() {
        let files =
            ["tests/a.test.yaml", "b.test.yml", ".github/x.yaml", "other/ruleset.yaml", "other/y.yaml", ".yaml"];
        assert_eq!(left_out("ruleset.yaml", &files), [""; 0]);
    }

    #[test]
    fn a_single_file_is_a_set_by_itself() {
        assert_eq!(left_out("mine.yaml", &["other.yaml"]), [""; 0]);
        assert_eq!(left_out("mine.yaml", &["parts/a.yaml", "other.yaml"]), ["other.yaml"]);
    }
}
