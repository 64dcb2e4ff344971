//! `--watch`: runs a command again whenever one of its files is saved.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecursiveMode, Watcher};

use super::Exit;
use super::output::{Failure, counted, print, say};

/// An editor saves in several steps, and people save several files at once.
const QUIET: Duration = Duration::from_millis(80);

/// What is watched.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Folders of rules and tests, with all below.
    pub(super) folders: Vec<PathBuf>,
    /// Other files: contexts and requests.
    pub(super) files: Vec<PathBuf>,
}

/// Runs, and runs again after each change, until the process is ended.
pub(super) fn watch(watched: &Watched, run: impl Fn() -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    let (sender, receiver) = channel();
    let unwatchable = |error: notify::Error| Failure::Input(format!("cannot watch the files: {error}"));
    let mut watcher = notify::recommended_watcher(sender).map_err(unwatchable)?;
    for folder in &watched.folders {
        watcher.watch(&here(folder), RecursiveMode::Recursive).map_err(unwatchable)?;
    }
    for file in &watched.files {
        let folder = here(file.parent().unwrap_or(Path::new("")));
        watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(unwatchable)?;
    }
    let mut changed: Vec<String> = Vec::new();
    loop {
        once(&changed, &run)?;
        changed = wait(&receiver, watched);
        if changed.is_empty() {
            return Err(Failure::Input("the files cannot be watched any longer".to_owned()));
        }
    }
}

fn here(folder: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

/// One run, under what changed. What fails is told, and mended with the next save.
fn once(changed: &[String], run: impl Fn() -> Result<Exit, Failure>) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        print("\x1b[2J\x1b[3J\x1b[H")?;
    }
    if !changed.is_empty() {
        say(&format!("changed: {}\n", changed.join(", ")));
    }
    match run() {
        // Nobody reads any more.
        Err(Failure::Output(error)) => return Err(Failure::Output(error)),
        Err(failure) => {
            failure.tell();
        }
        Ok(_) => {}
    }
    say("watching; Ctrl-C ends\n");
    Ok(())
}

/// Waits for changes that matter, and then until it is quiet. Empty if there is nothing left to wait for.
fn wait(receiver: &Receiver<notify::Result<Event>>, watched: &Watched) -> Vec<String> {
    let mut changed = Vec::new();
    while changed.is_empty() {
        let Ok(first) = receiver.recv() else { return changed };
        add(first, watched, &mut changed);
        while let Ok(next) = receiver.recv_timeout(QUIET) {
            add(next, watched, &mut changed);
        }
    }
    if changed.len() > 5 {
        return vec![counted(changed.len(), "file")];
    }
    changed
}

fn add(event: notify::Result<Event>, watched: &Watched, changed: &mut Vec<String>) {
    let Ok(event) = event else { return };
    let written = match event.kind {
        EventKind::Create(_) | EventKind::Remove(_) => true,
        EventKind::Modify(kind) => !matches!(kind, ModifyKind::Metadata(_)),
        EventKind::Access(_) | EventKind::Any | EventKind::Other => false,
    };
    for path in event.paths.iter().filter(|path| written && matters(path, watched)) {
        let name = shown(path);
        if !changed.contains(&name) {
            changed.push(name);
        }
    }
}

/// Rule and test files, snapshots, and the files that were named; not what editors leave beside them.
fn matters(path: &Path, watched: &Watched) -> bool {
    let name = path.file_name().unwrap_or_default();
    let named = watched.files.iter().any(|file| file.file_name() == Some(name));
    let kind = path.extension().is_some_and(|kind| ["yaml", "yml", "snap"].iter().any(|known| kind == *known));
    named || kind && !name.to_string_lossy().starts_with('.')
}

/// Relative to the working folder, where it lies below.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let below = path.strip_prefix(&here).unwrap_or(path);
    below.strip_prefix(".").unwrap_or(below).display().to_string()
}
