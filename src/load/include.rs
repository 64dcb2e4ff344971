//! The include stage: a root file → every file of the set, parsed and validated, in include order.
//!
//! First all files are found, level by level, each level read and parsed on all cores; then a walk in
//! reading order finds the cycles and the files that are named twice.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;

use super::files::{Files, ReadError, normal};
use super::node::Node;
use super::{Document, LoadError, Schema, schema, suggestion, yaml};
use crate::diagnostic::{Code, Diagnostic};
use crate::parallel;
use crate::source::{FileId, SourceFile, Sources, Span};

/// All files of one set.
pub(super) struct Set {
    pub(super) sources: Sources,
    /// Those that are YAML, each behind the files that it includes.
    pub(super) documents: Vec<Document>,
    pub(super) root: FileId,
    /// Whether every file is there and is YAML, so that names can be followed.
    pub(super) complete: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
}

pub(super) fn read_all(files: &dyn Files, root: &Path) -> Result<Set, LoadError> {
    let text = match files.read(root) {
        Ok(text) => Ok(text),
        Err(error @ (ReadError::TooLarge | ReadError::NotUtf8(_))) => Err(error),
        Err(error) => return Err(LoadError::Root { path: root.to_owned(), error }),
    };
    let folder = root.parent().unwrap_or(Path::new(""));
    let mut finder = Finder {
        files,
        folder: normal(folder),
        canonical_folder: files.canonical(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }),
        sources: Sources::default(),
        known: FxHashMap::default(),
        found: Vec::new(),
        diagnostics: Vec::new(),
        complete: true,
    };
    let canonical = files.canonical(root).unwrap_or_else(|| root.to_owned());
    let first = finder.add(canonical, root.to_owned(), text);
    finder.find_all();
    let Finder { sources, found, mut diagnostics, complete, .. } = finder;
    let documents = in_reading_order(found, first, &sources, &mut diagnostics);
    Ok(Set { sources, documents, root: first, complete, diagnostics })
}

/// A file that is there but has no text to parse.
enum Unreadable {
    /// At this offset of the normalised text.
    NotUtf8 {
        at: usize,
    },
    Other(ReadError),
}

impl Unreadable {
    fn diagnostic(self, file: FileId, sources: &Sources) -> Diagnostic {
        match self {
            Self::NotUtf8 { at } => {
                let span = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
                Diagnostic::new(Code::YamlSyntax, span, "the file is not UTF-8").help("save it in the encoding UTF-8")
            }
            Self::Other(error) => {
                let message = format!("the file cannot be a rule file: {error}");
                Diagnostic::new(Code::YamlUnsupported, sources.whole(file), message)
            }
        }
    }
}

/// A file that was found, before the reading order is known.
struct Found {
    file: FileId,
    /// Whether there is a text to parse.
    readable: bool,
    root: Option<Node>,
    includes: Vec<Include>,
}

/// One `include` entry that leads to a file.
#[derive(Clone, Copy)]
struct Include {
    span: Span,
    target: FileId,
}

/// One `include` entry.
struct Wish {
    from: FileId,
    path: String,
    span: Span,
}

/// Where an `include` entry leads to.
enum Located {
    /// A file that has been read.
    Known(FileId),
    New {
        canonical: PathBuf,
        path: PathBuf,
        text: Result<String, ReadError>,
    },
}

struct Finder<'f> {
    files: &'f dyn Files,
    /// The root file's folder, as the caller gave it.
    folder: PathBuf,
    canonical_folder: Option<PathBuf>,
    sources: Sources,
    /// Files by canonical path.
    known: FxHashMap<PathBuf, FileId>,
    /// By file number.
    found: Vec<Found>,
    diagnostics: Vec<Diagnostic>,
    complete: bool,
}

impl Finder<'_> {
    fn add(&mut self, canonical: PathBuf, path: PathBuf, text: Result<String, ReadError>) -> FileId {
        let name = path.to_string_lossy().into_owned();
        let readable = text.is_ok();
        let (text, error) = match text {
            Ok(text) => (text, None),
            Err(ReadError::NotUtf8(found)) => {
                let before = found.text.get(..found.at).unwrap_or_default().to_owned();
                (
                    found.text,
                    Some(Unreadable::NotUtf8 { at: SourceFile::new("".into(), "".into(), before).text().len() }),
                )
            }
            Err(error) => (String::new(), Some(Unreadable::Other(error))),
        };
        let file = self.sources.add(SourceFile::new(path, name, text));
        self.known.insert(canonical, file);
        self.found.push(Found { file, readable, root: None, includes: Vec::new() });
        if let Some(error) = error {
            let diagnostic = error.diagnostic(file, &self.sources);
            self.report(diagnostic);
            self.complete = false;
        }
        file
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reads level after level, until no file names a new one.
    fn find_all(&mut self) {
        let mut level: Vec<FileId> = self.found.iter().filter(|found| found.readable).map(|found| found.file).collect();
        while !level.is_empty() {
            let parsed = parallel::map(&level, |file| parse(&self.sources, *file));
            let before = self.found.len();
            for (file, (root, diagnostics)) in level.iter().zip(parsed) {
                self.complete &= root.is_some();
                self.diagnostics.extend(diagnostics);
                if let Some(found) = self.found.get_mut(file.index()) {
                    found.root = root;
                }
            }
            self.include_all(&level);
            let new = self.found.iter().skip(before).filter(|found| found.readable);
            level = new.map(|found| found.file).collect();
        }
    }

    /// Follows what these files include.
    fn include_all(&mut self, level: &[FileId]) {
        let wishes: Vec<Wish> = level.iter().flat_map(|file| self.wishes(*file)).collect();
        let located = parallel::map(&wishes, |wish| self.locate(wish));
        for (wish, located) in wishes.iter().zip(located) {
            match located {
                Ok(located) => {
                    let include = Include { span: wish.span, target: self.target(located) };
                    if let Some(found) = self.found.get_mut(wish.from.index()) {
                        found.includes.push(include);
                    }
                }
                Err(diagnostic) => {
                    self.complete = false;
                    self.report(*diagnostic);
                }
            }
        }
    }

    /// What a file asks for.
    fn wishes(&self, from: FileId) -> Vec<Wish> {
        let root = self.found.get(from.index()).and_then(|found| found.root.as_ref());
        let entries = root.and_then(|root| root.get("include")).map_or(&[][..], Node::items);
        let wish = |entry: &Node| Some(Wish { from, path: entry.as_str()?.to_owned(), span: entry.span });
        entries.iter().filter_map(wish).collect()
    }

    /// Looks for the file that an entry leads to.
    fn locate(&self, wish: &Wish) -> Result<Located, Box<Diagnostic>> {
        let Wish { from, path: entry, span } = wish;
        let escapes = |what| {
            let message = format!("`{entry}` {what}");
            let help = "name a file inside the root file's folder, relative to this one";
            Box::new(Diagnostic::new(Code::IncludeEscapes, *span, message).help(help))
        };
        let outside = "lies outside the folder of the root file";
        let here = self.sources.file(*from).path().parent().unwrap_or(Path::new(""));
        let path = normal(&here.join(entry));
        if Path::new(entry).has_root() {
            return Err(escapes("is an absolute path"));
        }
        let is_outside = !path.starts_with(&self.folder) || path.starts_with("..") && !self.folder.starts_with("..");
        if is_outside || climbs_out(&self.folder, &normal(here), entry) {
            return Err(escapes(outside));
        }
        let is_included =
            |path: &Path| self.files.canonical(path).is_some_and(|canonical| self.known.contains_key(&canonical));
        let missing = |error: ReadError| {
            let message = format!("`{entry}` cannot be included: {error}");
            let diagnostic = Diagnostic::new(Code::IncludeNotFound, *span, message);
            Box::new(match error {
                _ if entry.contains('*') => diagnostic.help("name the files one by one: patterns are not expanded"),
                ReadError::IsFolder => diagnostic.help("name the files in it one by one"),
                ReadError::NotFound => match suggestion::meant(self.files, here, &self.folder, entry, &is_included) {
                    Some(meant) => diagnostic.did_you_mean(&meant).help(suggestion::RELATIVE),
                    None => diagnostic.help(suggestion::RELATIVE),
                },
                _ => diagnostic.help(suggestion::RELATIVE),
            })
        };
        let canonical = self.files.canonical(&path).ok_or_else(|| missing(ReadError::NotFound))?;
        if self.canonical_folder.as_ref().is_some_and(|folder| !canonical.starts_with(folder)) {
            return Err(escapes(outside));
        }
        if let Some(known) = self.known.get(&canonical) {
            return Ok(Located::Known(*known));
        }
        match self.files.read(&path) {
            Err(error @ (ReadError::NotFound | ReadError::IsFolder | ReadError::Io(_))) => Err(missing(error)),
            text => Ok(Located::New { canonical, path, text }),
        }
    }

    /// The file at a place, added if it is new.
    fn target(&mut self, located: Located) -> FileId {
        match located {
            Located::Known(file) => file,
            Located::New { canonical, path, text } => match self.known.get(&canonical) {
                Some(known) => *known,
                None => self.add(canonical, path, text),
            },
        }
    }
}

/// Whether an entry of a file in `here` leaves `folder` on its way, even if it comes back by the folder's name: then
/// where it leads would depend on that name.
fn climbs_out(folder: &Path, here: &Path, entry: &str) -> bool {
    let Ok(below) = here.strip_prefix(folder) else { return false };
    let mut depth = below.components().count();
    Path::new(entry).components().any(|part| match part {
        Component::ParentDir if depth == 0 => true,
        Component::ParentDir => {
            depth -= 1;
            false
        }
        Component::Normal(_) => {
            depth += 1;
            false
        }
        Component::CurDir | Component::RootDir | Component::Prefix(_) => false,
    })
}

type Parsed = (Option<Node>, Vec<Diagnostic>);

/// Parses and validates a file.
fn parse(sources: &Sources, file: FileId) -> Parsed {
    match yaml::parse(file, sources.file(file)) {
        Ok(mut root) => {
            let text = sources.file(file).text();
            let diagnostics = schema::validate_text(Schema::Rules, text, sources.whole(file), &mut root);
            (Some(root), diagnostics)
        }
        Err(diagnostic) => (None, vec![diagnostic]),
    }
}

/// The files with what they include.
type Tree = FxHashMap<FileId, (Option<Node>, Vec<Include>)>;

/// How much of a circle is shown.
const MOST_SHOWN: usize = 8;

/// Walks the includes in reading order: each file behind those that it includes, each once.
fn in_reading_order(
    found: Vec<Found>,
    first: FileId,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Document> {
    let mut files: Tree = found.into_iter().map(|found| (found.file, (found.root, found.includes))).collect();
    let mut seen: FxHashMap<FileId, Span> = FxHashMap::default();
    let mut documents = Vec::new();
    // On a stack of our own: input decides how deep.
    let mut open = vec![(first, 0)];
    while let Some((file, next)) = open.last_mut() {
        let Some(include) = files.get(file).and_then(|(_, includes)| includes.get(*next)).copied() else {
            let root = files.get_mut(file).and_then(|(root, _)| root.take());
            documents.extend(root.map(|root| Document { file: *file, root }));
            open.pop();
            continue;
        };
        *next += 1;
        let target = include.target;
        if open.iter().any(|(file, _)| *file == target) {
            diagnostics.push(cycle(&open, include, &files, sources));
        } else if let Some(earlier) = seen.get(&target) {
            let name = sources.file(target).name();
            let message = format!("`{name}` is included a second time");
            diagnostics.push(
                Diagnostic::new(Code::IncludeTwice, include.span, message).related(*earlier, "first included here"),
            );
        } else {
            seen.insert(target, include.span);
            open.push((target, 0));
        }
    }
    documents
}

fn cycle(open: &[(FileId, usize)], include: Include, found: &Tree, sources: &Sources) -> Diagnostic {
    let name = |file: FileId| format!("`{}`", sources.file(file).name());
    let first = open.iter().position(|(file, _)| *file == include.target).unwrap_or_default();
    let circle = open.get(first..).unwrap_or_default();
    let mut names: Vec<String> = circle.iter().take(MOST_SHOWN).map(|(file, _)| name(*file)).collect();
    names.extend((circle.len() > MOST_SHOWN).then(|| "…".to_owned()));
    let message = match circle {
        [_] => format!("{} includes itself", name(include.target)),
        _ => format!("files include each other in a circle: {} → {}", names.join(" → "), name(include.target)),
    };
    let diagnostic = Diagnostic::new(Code::IncludeCycle, include.span, message);
    let others = circle.iter().filter_map(|(file, next)| found.get(file)?.1.get(next - 1));
    let others = others.filter(|other| other.span != include.span).take(MOST_SHOWN);
    others.fold(diagnostic, |diagnostic, other| {
        diagnostic.related(other.span, format!("{} is included here", name(other.target)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_leave_the_folder() {
        let leaves = |here: &str, entry: &str| climbs_out(Path::new("/r"), Path::new(here), entry);
        assert!(leaves("/r", "../r/a.yaml") && leaves("/r/b", "../../r/a.yaml") && leaves("/r", "b/../../r/a.yaml"));
        assert!(!leaves("/r/b", "../a.yaml") && !leaves("/r", "./b/../a.yaml") && !leaves("/r", "a.yaml"));
    }
}
