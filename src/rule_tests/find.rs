//! Where rule tests are: `*.test.yaml` under a folder, and the snapshots beside them.

use std::io;
use std::path::{Path, PathBuf};

use super::snapshot::SNAPSHOT_ENDING;
use crate::load::ROOT_FILE;

/// How the name of a rule test file ends.
pub const TEST_ENDING: &str = ".test.yaml";

/// What lies under a folder, each list in order of the paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Test files.
    pub tests: Vec<PathBuf>,
    /// Snapshot files, whether their test file is there or not.
    pub snapshots: Vec<PathBuf>,
}

/// Looks through a folder and those below. Dot folders are left out, and, unless `nested`,
/// folders below with a rule set of their own.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn find(folder: &Path, nested: bool) -> io::Result<Found> {
    let mut found = Found::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        for entry in std::fs::read_dir(here)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            if entry.file_type()?.is_dir() {
                let own_rules = !nested && path.join(ROOT_FILE).is_file();
                if !name.starts_with('.') && !own_rules {
                    folders.push(path);
                }
            } else if name.ends_with(TEST_ENDING) {
                found.tests.push(path);
            } else if name.ends_with(SNAPSHOT_ENDING) {
                found.snapshots.push(path);
            }
        }
    }
    found.tests.sort_unstable();
    found.snapshots.sort_unstable();
    Ok(found)
}
