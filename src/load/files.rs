//! Where rule files come from: a disk, or texts in memory (tests, other revisions).

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Files over this size are refused: no rule file is that long, and everything after reads it whole.
pub const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// No such file.
    #[error("there is no such file")]
    NotFound,
    /// The path names a folder.
    #[error("it is a folder")]
    IsFolder,
    /// Over [`MAX_FILE_BYTES`].
    #[error("it has more than 16 MB")]
    TooLarge,
    /// Not UTF-8.
    #[error("it is not UTF-8 (line {})", .0.line())]
    NotUtf8(NotUtf8),
    /// Anything else that the system says.
    #[error("it cannot be read: {0}")]
    Io(std::io::Error),
}

/// A text in another encoding than UTF-8.
#[derive(Debug)]
pub struct NotUtf8 {
    /// The text, with U+FFFD for what is not UTF-8.
    pub text: String,
    /// Where the first of these stands.
    pub at: usize,
}

impl NotUtf8 {
    /// The first line with bytes that are not UTF-8, from 1.
    fn line(&self) -> usize {
        self.text.bytes().take(self.at).filter(|byte| *byte == b'\n').count() + 1
    }
}

/// A place that holds files.
pub trait Files: Sync {
    /// The text of a file.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn read(&self, path: &Path) -> Result<String, ReadError>;

    /// One name for each file, whatever links and detours lead to it; nothing if there is none.
    fn canonical(&self, path: &Path) -> Option<PathBuf>;

    /// What lies directly in a folder, by name; nothing where there is no such folder.
    fn entries(&self, folder: &Path) -> Vec<FileEntry>;
}

/// A file or folder in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEntry {
    /// The name.
    pub name: String,
    /// Whether it is a folder; a link to one is none, so that walks end.
    pub is_folder: bool,
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<String, ReadError> {
        let file = std::fs::File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(ReadError::IsFolder);
        }
        // Its size, and a byte more to find the end with: nearly all files are read in one piece.
        let size = metadata.len().saturating_add(1).min(MAX_FILE_BYTES + 1);
        read_into(Vec::with_capacity(usize::try_from(size).unwrap_or_default()), file)
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn entries(&self, folder: &Path) -> Vec<FileEntry> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let entry = |entry: std::fs::DirEntry| {
            let kind = entry.file_type().ok()?;
            // A link to a folder is neither: what it leads to is looked at where it lies.
            let to_folder = kind.is_symlink() && entry.path().is_dir();
            let name = entry.file_name().into_string().ok().filter(|_| !to_folder)?;
            Some(FileEntry { name, is_folder: kind.is_dir() })
        };
        let mut entries: Vec<FileEntry> = entries.filter_map(entry).collect();
        entries.sort();
        entries
    }
}

/// Reads a stream to its end, but not past the limit.
///
/// # Errors
///
/// As [`Files::read`].
pub fn read_text(stream: impl Read) -> Result<String, ReadError> {
    read_into(Vec::new(), stream)
}

fn read_into(mut bytes: Vec<u8>, stream: impl Read) -> Result<String, ReadError> {
    stream.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        ReadError::NotUtf8(NotUtf8 { text, at: error.utf8_error().valid_up_to() })
    })
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::NotFound,
            std::io::ErrorKind::IsADirectory => Self::IsFolder,
            _ => Self::Io(error),
        }
    }
}

/// Texts by path, without a disk.
#[derive(Clone, Debug, Default)]
pub struct Memory(BTreeMap<PathBuf, String>);

impl Memory {
    /// Files with these paths and texts.
    pub fn new<P: Into<PathBuf>, T: Into<String>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        Self(files.into_iter().map(|(path, text)| (normal(&path.into()), text.into())).collect())
    }
}

impl Files for Memory {
    fn read(&self, path: &Path) -> Result<String, ReadError> {
        let path = normal(path);
        match self.0.get(&path) {
            Some(text) => Ok(text.clone()),
            None if self.0.keys().any(|file| file.starts_with(&path)) => Err(ReadError::IsFolder),
            None => Err(ReadError::NotFound),
        }
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        Some(normal(path))
    }

    fn entries(&self, folder: &Path) -> Vec<FileEntry> {
        let folder = normal(folder);
        let entry = |path: &PathBuf| {
            let mut below = path.strip_prefix(&folder).ok()?.components();
            let name = below.next()?.as_os_str().to_str()?.to_owned();
            Some(FileEntry { name, is_folder: below.next().is_some() })
        };
        let mut entries: Vec<FileEntry> = self.0.keys().filter_map(entry).collect();
        entries.sort();
        entries.dedup();
        entries
    }
}

/// A path without `.` and, as far as can be told from the path alone, without `..`.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised_without_a_disk() {
        for (path, expected) in [("./a/./b", "a/b"), ("a/../b", "b"), ("../a", "../a"), ("/a/b/..", "/a"), ("a/..", "")]
        {
            assert_eq!(normal(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn bad_bytes_are_found_by_line() {
        let error = read_text(&b"a\nb\xff"[..]).unwrap_err();
        assert_eq!(error.to_string(), "it is not UTF-8 (line 2)");
        assert!(matches!(error, ReadError::NotUtf8(NotUtf8 { text, at: 3 }) if text == "a\nb\u{fffd}"));
    }
}
