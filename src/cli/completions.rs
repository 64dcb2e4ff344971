//! `promptrules completions`: completion scripts for shells.

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::{Failure, print};
use super::{Cli, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  promptrules completions bash > ~/.local/share/bash-completion/completions/promptrules")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "promptrules", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
