//! `check --fix` and `check --diff`: safe edits, round after round, until none is left.

use std::path::{Path, PathBuf};

use super::Exit;
use super::check::Set;
use super::output::{Failure, print};
use crate::diagnostic::{Class, Diagnostic};
use crate::fix::{Overlay, apply, replace_file};
use crate::load::{Disk, Files};
use crate::report::unified_diff;

/// An edit can bring another one into the open, but not for ever.
const MOST_ROUNDS: usize = 10;

/// Applies the safe edits to the files on disk; gives the files that changed.
pub(super) fn mend(
    roots: &[PathBuf],
    check: impl Fn(&dyn Files, &Path) -> Result<Set, Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    let overlay = mended(roots, check)?;
    for (path, text) in overlay.changed() {
        replace_file(path, text)
            .map_err(|error| Failure::Input(format!("cannot write `{}`: {error}", path.display())))?;
    }
    Ok(overlay.changed().keys().cloned().collect())
}

/// Shows the safe edits as a diff; status 1 if there are any.
pub(super) fn show(
    roots: &[PathBuf],
    check: impl Fn(&dyn Files, &Path) -> Result<Set, Failure>,
) -> Result<Exit, Failure> {
    let overlay = mended(roots, check)?;
    let mut exit = Exit::Fine;
    for (path, after) in overlay.changed() {
        let before = Disk.read(path).map_err(|error| Failure::Unreadable { path: path.clone(), error })?;
        print(&unified_diff(&path.to_string_lossy(), &before, after))?;
        exit = Exit::Findings;
    }
    Ok(exit)
}

/// The files with every safe edit applied, in memory.
fn mended(
    roots: &[PathBuf],
    check: impl Fn(&dyn Files, &Path) -> Result<Set, Failure>,
) -> Result<Overlay<'static, Disk>, Failure> {
    let mut overlay = Overlay::new(&Disk);
    for root in roots {
        let mut set = check(&overlay, root)?;
        for _ in 0..MOST_ROUNDS {
            let edited = apply(&set.sources, &set.diagnostics);
            if edited.is_empty() {
                break;
            }
            let mut next = overlay.clone();
            next.change(edited);
            let after = check(&next, root)?;
            // An edit that breaks something is not taken, whatever it was meant to be.
            if load_errors(&after.diagnostics) > load_errors(&set.diagnostics) {
                break;
            }
            (overlay, set) = (next, after);
        }
    }
    Ok(overlay)
}

fn load_errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|found| found.code.class() == Class::LoadError).count()
}
