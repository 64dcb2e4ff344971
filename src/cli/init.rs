//! `promptrules init`: starts a new rule set.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Exit;
use super::output::{Failure, print};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules init
  promptrules init prompts/agent

Writes a rule set with one contributor and one line, a rule test, and a page with
the commands and a CI job. Nothing that is there already is overwritten: if any of
the files exists, nothing is written.")]
pub(super) struct Args {
    /// The folder of the rule set
    #[arg(value_name = "DIR", default_value = "rules")]
    folder: PathBuf,
}

/// What a new rule set consists of. `DIR` in a page stands for its folder.
const FILES: [(&str, &str); 4] = [
    ("ruleset.yaml", include_str!("init/ruleset.yaml")),
    ("contributors.yaml", include_str!("init/contributors.yaml")),
    ("tests/ruleset.test.yaml", include_str!("init/ruleset.test.yaml")),
    ("README.md", include_str!("init/README.md")),
];

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let folder = &args.folder;
    let there: Vec<String> =
        paths(folder).filter(|path| path.symlink_metadata().is_ok()).map(|path| path.display().to_string()).collect();
    if !there.is_empty() {
        let files = there.join("`, `");
        return Err(Failure::Input(format!("`{files}` is there already; nothing was written")));
    }
    let shown = folder.display().to_string();
    for ((_, text), path) in FILES.iter().zip(paths(folder)) {
        write_new(&path, &text.replace("DIR", &shown))
            .map_err(|error| Failure::Input(format!("cannot write `{}`: {error}", path.display())))?;
    }
    let written: String = paths(folder).map(|path| format!("wrote {}\n", path.display())).collect();
    print(&format!("{written}\nnext: promptrules check {shown} && promptrules test {shown}\n"))?;
    Ok(Exit::Fine)
}

fn paths(folder: &Path) -> impl Iterator<Item = PathBuf> {
    FILES.iter().map(|(name, _)| folder.join(name))
}

/// Writes a file that is not there yet, whatever happened since that was seen.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), std::fs::create_dir_all)?;
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => std::io::Error::new(ErrorKind::AlreadyExists, "it is there already"),
        _ => error,
    })?;
    file.write_all(text.as_bytes())
}
