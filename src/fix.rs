//! Safe edits, applied: files → the same files, mended, byte for byte the same elsewhere.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Edit};
use crate::load::{FileEntry, Files, ReadError};
use crate::source::{FileId, SourceFile, Sources};

/// The new text of every file that a safe edit of these diagnostics changes. Where edits overlap,
/// the first one is applied; another round finds the rest.
#[must_use]
pub fn apply(sources: &Sources, diagnostics: &[Diagnostic]) -> BTreeMap<PathBuf, String> {
    let mut edits: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for fix in diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()).filter(|fix| fix.safe) {
        fix.edits.iter().for_each(|edit| edits.entry(edit.span.file).or_default().push(edit));
    }
    let mended = edits.into_iter().map(|(file, edits)| {
        let file = sources.file(file);
        (file.path().to_owned(), mend(file, edits))
    });
    mended.collect()
}

/// Works on the bytes on disk: a byte-order mark and the file's own line ends stay.
fn mend(file: &SourceFile, mut edits: Vec<&Edit>) -> String {
    let newline = if file.raw().contains("\r\n") { "\r\n" } else { "\n" };
    edits.sort();
    edits.dedup();
    let raw = file.raw();
    let (mut text, mut done) = (String::with_capacity(raw.len()), 0);
    for edit in edits {
        let (start, end) = (file.raw_offset(edit.span.start as usize), file.raw_offset(edit.span.end as usize));
        if start < done {
            continue;
        }
        text.push_str(raw.get(done..start).unwrap_or_default());
        text.push_str(&edit.replacement.replace('\n', newline));
        done = end;
    }
    text.push_str(raw.get(done..).unwrap_or_default());
    text
}

/// Files with some of them changed, before anything is written.
#[derive(Clone, Debug)]
pub struct Overlay<'f, F> {
    below: &'f F,
    changed: BTreeMap<PathBuf, String>,
}

impl<'f, F: Files> Overlay<'f, F> {
    /// Nothing changed yet.
    #[must_use]
    pub fn new(below: &'f F) -> Self {
        Self { below, changed: BTreeMap::new() }
    }

    /// Changes files; earlier changes of the same ones are forgotten.
    pub fn change(&mut self, files: BTreeMap<PathBuf, String>) {
        self.changed.extend(files);
    }

    /// The changed files with their new texts.
    #[must_use]
    pub fn changed(&self) -> &BTreeMap<PathBuf, String> {
        &self.changed
    }
}

impl<F: Files> Files for Overlay<'_, F> {
    fn read(&self, path: &Path) -> Result<String, ReadError> {
        match self.changed.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.below.read(path),
        }
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        self.below.canonical(path)
    }

    fn entries(&self, folder: &Path) -> Vec<FileEntry> {
        self.below.entries(folder)
    }
}

/// Replaces a file as a whole: a reader, or a crash, sees the old text or the new one, nothing between.
///
/// A link stays a link: the file that it leads to is replaced. Permissions stay as they are.
///
/// # Errors
///
/// What the system says; the old file is untouched then.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = write_beside(&beside, &target, text).and_then(|()| std::fs::rename(&beside, &target));
    if written.is_err() {
        // The failure is what counts; the leftover may not even exist.
        let _leftover = std::fs::remove_file(&beside);
    }
    written
}

fn write_beside(beside: &Path, target: &Path, text: &str) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(beside)?;
    file.write_all(text.as_bytes())?;
    if let Ok(metadata) = std::fs::metadata(target) {
        file.set_permissions(metadata.permissions())?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Fix};
    use crate::source::Span;

    fn edited(raw: &str, edits: &[(usize, usize, &str)]) -> String {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a".into(), "a".into(), raw.into()));
        let edit = |(start, end, text): &(usize, usize, &str)| Edit {
            span: Span::new(file, *start, *end),
            replacement: (*text).to_owned(),
        };
        let diagnostics: Vec<Diagnostic> = edits
            .iter()
            .map(|each| {
                let fix = Fix { title: String::new(), edits: vec![edit(each)], safe: true };
                Diagnostic::new(Code::TrailingNewline, Span::new(file, 0, 0), "").fix(fix)
            })
            .collect();
        apply(&sources, &diagnostics).remove(Path::new("a")).unwrap_or_else(|| raw.to_owned())
    }

    #[test]
    fn edits_keep_everything_else_byte_for_byte() {
        assert_eq!(edited("a: |\n  x # y\n", &[(3, 4, "|-")]), "a: |-\n  x # y\n");
        assert_eq!(
            edited("\u{feff}a: |\r\n  x\r\nb: 1\r\n", &[(3, 4, "|-\n")]),
            "\u{feff}a: |-\r\n\r\n  x\r\nb: 1\r\n"
        );
    }

    #[test]
    fn of_overlapping_edits_the_first_wins() {
        assert_eq!(edited("abcdef", &[(1, 4, "X"), (2, 3, "Y"), (5, 6, "Z")]), "aXeZ");
        assert_eq!(edited("ab", &[(1, 1, "X"), (1, 1, "X")]), "aXb");
    }
}
