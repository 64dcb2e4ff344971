//! Writing: results to stdout, everything else to stderr, colour only on terminals.

use std::io::{self, Write};
use std::path::PathBuf;

use super::Exit;
use crate::load::{Failed, LoadError};
use crate::report::{Checked, Report, human, sorted};

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The call or its input makes no sense: what is wrong, in one sentence.
    #[error("{0}")]
    Input(String),
    /// The rules, or a context file, have errors that can be shown in place.
    #[error("{what} cannot be used")]
    Invalid {
        /// What has them.
        what: String,
        /// The errors.
        failed: Box<Failed>,
    },
    /// Writing the result failed.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
    /// A file cannot be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Unreadable {
        /// The file as named.
        path: PathBuf,
        /// Why.
        error: crate::load::ReadError,
    },
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Root { path, error } => Self::Unreadable { path, error },
            LoadError::Rules(failed) => Self::Invalid { what: "the rules".to_owned(), failed },
        }
    }
}

impl Failure {
    /// Tells the user, and gives the exit status. A reader that went away is not worth a word.
    pub(super) fn tell(self) -> Exit {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Self::Invalid { ref failed, .. } => {
                let diagnostics = sorted(failed.diagnostics.clone());
                let set = Checked { sources: &failed.sources, diagnostics: &diagnostics };
                let report = Report { sets: vec![set], deny_warnings: false };
                say(&human(&report));
                say(&format!("error: {self}: {}\n", counted(diagnostics.len(), "error")));
            }
            Self::Input(_) | Self::Output(_) | Self::Unreadable { .. } => say(&format!("error: {self}\n")),
        }
        Exit::Failed
    }
}

/// Writes to stderr. If nobody can hear it, there is nobody to tell.
pub(super) fn say(text: &str) {
    let mut stream = anstream::stderr().lock();
    let _nobody_listens = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// Writes a whole result to stdout.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut stream = anstream::stdout().lock();
    stream.write_all(text.as_bytes())?;
    stream.flush()?;
    Ok(())
}

/// Writes text to stdout byte for byte: escape sequences in it are the reader's.
pub(super) fn print_as_is(text: &str) -> Result<(), Failure> {
    let mut stream = io::stdout().lock();
    stream.write_all(text.as_bytes())?;
    stream.flush()?;
    Ok(())
}

/// A result as JSON for people.
pub(super) fn pretty(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::Output(error.into()))
}

/// A number with its noun.
pub(super) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
