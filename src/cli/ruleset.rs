//! Which rule set a command works on.

use std::path::{Path, PathBuf};

use super::output::Failure;
use crate::load::{Loaded, ROOT_FILE, load};

/// The flag that names the rule set.
#[derive(Debug, clap::Args)]
pub(super) struct RulesArg {
    /// The rule set's root file or its folder [default: rules/ruleset.yaml, here or in a parent folder]
    #[arg(long, value_name = "PATH")]
    pub(super) rules: Option<PathBuf>,
}

impl RulesArg {
    /// The root file, or the folder, that is meant.
    pub(super) fn path(&self) -> Result<PathBuf, Failure> {
        match &self.rules {
            Some(path) => Ok(path.clone()),
            None => nearest_rules(),
        }
    }

    /// The root file that is meant.
    pub(super) fn root(&self) -> Result<PathBuf, Failure> {
        let path = self.path()?;
        Ok(if path.is_dir() { path.join(ROOT_FILE) } else { path })
    }

    /// Loads the rule set.
    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        Ok(load(&self.path()?)?)
    }
}

/// The folder of a rule set that is named by its root file or its folder.
pub(super) fn folder_of(rules: PathBuf) -> PathBuf {
    if rules.is_dir() { rules } else { rules.parent().unwrap_or(Path::new("")).to_owned() }
}

/// `rules/ruleset.yaml` here, `ruleset.yaml` here, or `rules/ruleset.yaml` in the nearest parent folder that has it.
pub(super) fn nearest_rules() -> Result<PathBuf, Failure> {
    let here =
        std::env::current_dir().map_err(|error| Failure::Input(format!("the working folder is gone: {error}")))?;
    let below = Path::new("rules").join(ROOT_FILE);
    // Paths stay relative to the working folder, so that messages are the same on every machine.
    let ups = here.ancestors().scan(PathBuf::new(), |up, folder| {
        let relative = up.clone();
        up.push("..");
        Some((folder.join(&below), relative.join(&below)))
    });
    // In the folder of a rule set that one is meant, whatever the folder is called.
    let own = (here.join(ROOT_FILE), PathBuf::from(ROOT_FILE));
    let mut places = ups.enumerate().flat_map(|(up, place)| [Some(place), (up == 0).then(|| own.clone())]).flatten();
    let found = places.find(|(absolute, _)| absolute.is_file()).map(|(_, relative)| relative);
    found.ok_or_else(|| {
        Failure::Input(format!(
            "there is no `{}` here or in a parent folder; name the rules with --rules",
            below.display()
        ))
    })
}

/// The rule set that a file or folder given to `check` belongs to.
pub(super) fn root_of(path: &Path) -> Result<PathBuf, Failure> {
    if path.is_dir() {
        let root = path.join(ROOT_FILE);
        return match root.is_file() {
            true => Ok(root),
            false => Err(Failure::Input(format!("the folder `{}` has no `{ROOT_FILE}`", path.display()))),
        };
    }
    if !path.exists() {
        return Err(Failure::Unreadable { path: path.to_owned(), error: crate::load::ReadError::NotFound });
    }
    if path.file_name().is_some_and(|name| name == ROOT_FILE) {
        return Ok(path.to_owned());
    }
    Ok(enclosing(path).unwrap_or_else(|| path.to_owned()))
}

/// The `ruleset.yaml` of the nearest folder around a file, if the file can be a part of it.
pub(super) fn enclosing(path: &Path) -> Option<PathBuf> {
    let absolute = path.canonicalize().ok()?;
    let given = path.parent().unwrap_or(Path::new(""));
    let mut relative = given.to_owned();
    for folder in absolute.parent()?.ancestors() {
        let root = relative.join(ROOT_FILE);
        if folder.join(ROOT_FILE).is_file() {
            return Some(crate::load::normal(&root));
        }
        relative.push("..");
    }
    None
}
