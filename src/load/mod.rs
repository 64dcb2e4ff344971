//! The front end: files → one set of documents that keep to the schema → [`RuleSet`].
//!
//! Three stages, each of which goes through everything before the next one starts: every file
//! is read, parsed and validated; if all of them could be, `compile` follows their names. What
//! is wrong is collected, and a rule set exists only where nothing is.

mod files;
mod include;
mod node;
mod schema;
mod suggestion;
pub mod yaml;

use std::path::{Path, PathBuf};

use crate::compile::{Mentions, compile};
use crate::diagnostic::Diagnostic;
use crate::rules::RuleSet;
use crate::source::{FileId, Sources};

pub(crate) use files::normal;
pub use files::{Disk, FileEntry, Files, MAX_FILE_BYTES, Memory, NotUtf8, ReadError, read_text};
pub use node::{Entry, Node, Value};
pub use schema::Schema;
pub(crate) use schema::validate;
pub(crate) use yaml::within;

/// How many errors are shown: whoever has more mends the first ones first. Without a limit, a
/// hostile file could have as many as it has bytes.
const MOST_ERRORS: usize = 1000;

/// The name of the root file in a folder.
pub const ROOT_FILE: &str = "ruleset.yaml";

/// One rule file that is YAML.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// Its tree.
    pub root: Node,
}

/// Everything that is known of a rule set that loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The files.
    pub sources: Sources,
    /// Their trees, in include order.
    pub documents: Vec<Document>,
    /// The rules.
    pub rules: RuleSet,
    /// Where the files name tools.
    pub mentions: Mentions,
}

/// What is known of a rule set that did not load.
#[derive(Debug)]
pub struct Failed {
    /// The files.
    pub sources: Sources,
    /// Their trees, as far as they are YAML, in include order.
    pub documents: Vec<Document>,
    /// Everything that is wrong, at least one error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no rule set.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The root file cannot be read.
    #[error("cannot read the rules `{}`: {error}", path.display())]
    Root {
        /// As the caller gave it.
        path: PathBuf,
        /// Why.
        error: ReadError,
    },
    /// The files have errors.
    #[error("the rules do not load: {} errors", .0.diagnostics.len())]
    Rules(Box<Failed>),
}

/// Loads the rule set of a root file, or of the `ruleset.yaml` in a folder.
///
/// # Errors
///
/// [`LoadError::Root`] if the root file cannot be read, [`LoadError::Rules`] with everything that is wrong otherwise.
pub fn load(path: &Path) -> Result<Loaded, LoadError> {
    let root = if path.is_dir() { path.join(ROOT_FILE) } else { path.to_owned() };
    load_from(&Disk, &root)
}

/// Loads the rule set of a root file from any place that holds files.
///
/// # Errors
///
/// As [`load`].
pub fn load_from(files: &dyn Files, root: &Path) -> Result<Loaded, LoadError> {
    let read = include::read_all(files, root)?;
    let include::Set { sources, documents, root, complete, mut diagnostics } = read;
    let root = sources.whole(root);
    let compiled = if complete { compile(&sources, &documents, root, &mut diagnostics) } else { None };
    match compiled {
        Some((rules, mentions)) if diagnostics.is_empty() => Ok(Loaded { sources, documents, rules, mentions }),
        Some(_) | None => {
            let diagnostics = in_order(diagnostics);
            Err(LoadError::Rules(Box::new(Failed { sources, documents, diagnostics })))
        }
    }
}

/// Errors by place, as many as are shown; the last one says so if there are more.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    let more = diagnostics.len() > MOST_ERRORS;
    diagnostics.truncate(MOST_ERRORS);
    if let Some(last) = diagnostics.last_mut().filter(|_| more) {
        last.help.push(format!("there are more errors than the first {MOST_ERRORS}; they are not shown"));
    }
    diagnostics
}

/// Loads a rule set that is a single text, with `name` as its file's name.
///
/// # Errors
///
/// As [`load`].
pub fn load_text(name: &str, text: &str) -> Result<Loaded, LoadError> {
    load_from(&Memory::new([(name, text)]), Path::new(name))
}
