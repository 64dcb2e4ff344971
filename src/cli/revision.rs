//! A rule set that an argument names: on disk, or at a revision of the git repository.

use std::path::{Component, Path, PathBuf};

use super::git::{Repository, Tree};
use super::output::Failure;
use super::ruleset::RulesArg;
use crate::load::{LoadError, Loaded, ROOT_FILE, load_from, normal};

/// A rule set with what it is called.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) loaded: Loaded,
}

/// Loads what an argument names: a path, `REV:PATH`, or `REV` alone.
pub(super) fn load_given(argument: &str, rules: &RulesArg) -> Result<Given, Failure> {
    let path = Path::new(argument);
    if path.exists() {
        let loaded = crate::load::load(path).map_err(|error| failure(error, argument))?;
        return Ok(Given { name: argument.to_owned(), loaded });
    }
    match argument.split_once(':') {
        Some((revision, path)) => at_path(argument, revision, path),
        None => at_default(argument, rules),
    }
}

/// `REV:PATH`: from the top of the repository, or from here if it begins with `./` or `../`, as in git.
fn at_path(argument: &str, revision: &str, path: &str) -> Result<Given, Failure> {
    let repository = repository(Path::new("."), argument)?;
    let here = path == "." || path == ".." || path.starts_with("./") || path.starts_with("../");
    let path = if here { repository.prefix()?.join(path) } else { PathBuf::from(path) };
    let path = normal(&path);
    if path.components().any(|part| matches!(part, Component::ParentDir | Component::RootDir)) {
        return Err(Failure::Input(format!("`{argument}` lies outside the repository")));
    }
    let tree = tree(&repository, argument, revision)?;
    let root = if tree.is_folder(&path) { path.join(ROOT_FILE) } else { path };
    load(argument, revision, &tree, &root)
}

/// `REV` alone: the rule set of `--rules`, where it lies today.
fn at_default(revision: &str, rules: &RulesArg) -> Result<Given, Failure> {
    let root = rules.root().map_err(|_| {
        Failure::Input(format!(
            "`{revision}` is no file or folder, and there are no rules here whose place could be looked up at a \
             revision; write REV:PATH, or name the rules with --rules"
        ))
    })?;
    let folder = root.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let repository = repository(folder, revision)?;
    let path = repository.prefix()?.join(root.file_name().unwrap_or_default());
    let tree = tree(&repository, revision, revision)?;
    load(revision, revision, &tree, &normal(&path))
}

fn repository(folder: &Path, argument: &str) -> Result<Repository, Failure> {
    Repository::around(folder)?.ok_or_else(|| {
        let message = "is no file or folder, and there is no git repository here that could have it as a revision";
        Failure::Input(format!("`{argument}` {message}"))
    })
}

fn tree(repository: &Repository, argument: &str, revision: &str) -> Result<Tree, Failure> {
    repository.tree(revision)?.ok_or_else(|| {
        if argument == revision {
            Failure::Input(format!("there is no file, folder or git revision `{argument}`"))
        } else {
            Failure::Input(format!("there is no git revision `{revision}`"))
        }
    })
}

fn load(argument: &str, revision: &str, tree: &Tree, root: &Path) -> Result<Given, Failure> {
    if !tree.has(root) {
        return Err(Failure::Input(format!("the revision `{revision}` has no `{}`", root.display())));
    }
    let loaded = load_from(tree, root).map_err(|error| failure(error, argument))?;
    Ok(Given { name: argument.to_owned(), loaded })
}

/// As from any load, but it says which of the two sides has the errors.
fn failure(error: LoadError, argument: &str) -> Failure {
    match error {
        LoadError::Rules(failed) => Failure::Invalid { what: format!("the rules of `{argument}`"), failed },
        root @ LoadError::Root { .. } => root.into(),
    }
}
