//! Files of a git revision, through the git command: objects are read, the work tree is not touched.
//!
//! The list of files comes from `ls-tree`, their texts from one `cat-file --batch` that stays open.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use super::output::Failure;
use crate::load::{FileEntry, Files, MAX_FILE_BYTES, ReadError, normal, read_text};

/// How many symbolic links are followed for one path.
const MOST_LINKS: usize = 16;

/// The repository around a folder.
pub(super) struct Repository {
    folder: PathBuf,
}

impl Repository {
    /// The repository, if there is one.
    pub(super) fn around(folder: &Path) -> Result<Option<Self>, Failure> {
        let repository = Self { folder: folder.to_owned() };
        Ok(repository.ask(&["rev-parse", "--git-dir"])?.map(|_| repository))
    }

    /// The folder's place in the repository.
    pub(super) fn prefix(&self) -> Result<PathBuf, Failure> {
        let prefix = self.ask(&["rev-parse", "--show-prefix"])?.unwrap_or_default();
        Ok(PathBuf::from(String::from_utf8_lossy(&prefix).trim_end_matches('\n')))
    }

    /// The files of a revision; nothing if there is no such revision.
    pub(super) fn tree(&self, revision: &str) -> Result<Option<Tree>, Failure> {
        let tree = format!("{revision}^{{tree}}");
        let Some(tree) = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &tree])? else {
            return Ok(None);
        };
        let tree = String::from_utf8_lossy(&tree).trim().to_owned();
        let listed = self.ask(&["ls-tree", "-r", "-z", "-l", "--full-tree", &tree])?;
        let Some(listed) = listed else {
            return Err(Failure::Input(format!("git cannot list the files of `{revision}`")));
        };
        let entries = listed.split(|byte| *byte == 0).filter_map(entry).collect();
        Ok(Some(Tree { entries, objects: Mutex::new(Objects::open(self)?) }))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-pager").args(arguments);
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// What git answers; nothing if it refuses.
    fn ask(&self, arguments: &[&str]) -> Result<Option<Vec<u8>>, Failure> {
        let output = self.command(arguments).output().map_err(|error| no_git(&error))?;
        Ok(output.status.success().then_some(output.stdout))
    }
}

fn no_git(error: &std::io::Error) -> Failure {
    Failure::Input(format!("a git revision is meant, but the command `git` cannot be run: {error}"))
}

/// What a path is.
#[derive(Clone, Debug)]
struct Entry {
    link: bool,
    object: String,
    size: u64,
}

/// `MODE TYPE OBJECT SIZE\tPATH`.
fn entry(line: &[u8]) -> Option<(PathBuf, Entry)> {
    let line = String::from_utf8_lossy(line);
    let (facts, path) = line.split_once('\t')?;
    let facts: Vec<&str> = facts.split_whitespace().collect();
    let [mode, "blob", object, size] = facts.as_slice() else { return None };
    let link = *mode == "120000";
    Some((PathBuf::from(path), Entry { link, object: (*object).to_owned(), size: size.parse().ok()? }))
}

/// All files of one revision.
pub(super) struct Tree {
    entries: BTreeMap<PathBuf, Entry>,
    objects: Mutex<Objects>,
}

impl Tree {
    /// Whether there is such a file.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.resolve(path).is_some_and(|path| self.entries.contains_key(&path))
    }

    /// Whether there is such a folder.
    pub(super) fn is_folder(&self, path: &Path) -> bool {
        let path = self.resolve(path).unwrap_or_else(|| path.to_owned());
        !self.entries.contains_key(&path) && self.entries.keys().any(|file| file.starts_with(&path))
    }

    /// The path with symbolic links followed; nothing if one leads out of the repository, or in a circle.
    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let mut path = normal(path);
        for _ in 0..MOST_LINKS {
            let linked = path.ancestors().find_map(|part| Some((part.to_owned(), self.entries.get(part)?)));
            let Some((link, entry)) = linked.filter(|(_, entry)| entry.link) else { return Some(path) };
            let target = self.text(entry).ok()?;
            let rest = path.strip_prefix(&link).ok()?.to_owned();
            let target = link.parent().unwrap_or(Path::new("")).join(target);
            path = normal(&if rest.as_os_str().is_empty() { target } else { target.join(rest) });
            if path.components().any(|part| !matches!(part, Component::Normal(_))) {
                return None;
            }
        }
        None
    }

    fn text(&self, entry: &Entry) -> Result<String, ReadError> {
        if entry.size > MAX_FILE_BYTES {
            return Err(ReadError::TooLarge);
        }
        let mut objects = self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = objects.read(&entry.object, entry.size)?;
        read_text(bytes.as_slice())
    }
}

impl Files for Tree {
    fn read(&self, path: &Path) -> Result<String, ReadError> {
        let resolved = self.resolve(path).ok_or(ReadError::NotFound)?;
        match self.entries.get(&resolved) {
            Some(entry) => self.text(entry),
            None if self.is_folder(&resolved) => Err(ReadError::IsFolder),
            None => Err(ReadError::NotFound),
        }
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        self.resolve(path)
    }

    fn entries(&self, folder: &Path) -> Vec<FileEntry> {
        let Some(folder) = self.resolve(folder) else { return Vec::new() };
        let entry = |path: &PathBuf| {
            let mut rest = path.strip_prefix(&folder).ok()?.components();
            let name = rest.next()?.as_os_str().to_str()?.to_owned();
            Some(FileEntry { name, is_folder: rest.next().is_some() })
        };
        let mut entries: Vec<FileEntry> = self.entries.keys().filter_map(entry).collect();
        entries.sort();
        entries.dedup();
        entries
    }
}

/// A `git cat-file --batch` that answers one object after the other.
struct Objects {
    child: Child,
    ask: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    fn open(repository: &Repository) -> Result<Self, Failure> {
        let mut command = repository.command(&["cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| no_git(&error))?;
        let (ask, answers) = (child.stdin.take(), child.stdout.take());
        let Some(answers) = answers else { return Err(Failure::Input("git gives no answer".to_owned())) };
        Ok(Self { child, ask, answers: BufReader::new(answers) })
    }

    /// The bytes of an object whose size is known.
    fn read(&mut self, object: &str, size: u64) -> std::io::Result<Vec<u8>> {
        let broken = || std::io::Error::other("git did not give the object");
        let ask = self.ask.as_mut().ok_or_else(broken)?;
        ask.write_all(format!("{object}\n").as_bytes())?;
        ask.flush()?;
        let mut header = String::new();
        self.answers.read_line(&mut header)?;
        let facts: Vec<&str> = header.split_whitespace().collect();
        if !matches!(facts.as_slice(), [_, "blob", length] if length.parse() == Ok(size)) {
            return Err(broken());
        }
        let mut bytes = Vec::new();
        self.answers.by_ref().take(size + 1).read_to_end(&mut bytes)?;
        bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        Ok(bytes)
    }
}

impl Drop for Objects {
    /// Without input, git ends by itself.
    fn drop(&mut self) {
        self.ask = None;
        let _ended = self.child.wait();
    }
}
