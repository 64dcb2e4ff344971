//! `promptrules codes` and `promptrules explain-code`: the documentation of every diagnostic.

use super::Exit;
use super::output::{Failure, print};
use crate::diagnostic::{Class, Code};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  promptrules codes | grep gate")]
pub(super) struct ListArgs {}

/// One code a line: name, severity, load error or finding, and what it is about.
pub(super) fn list(_: &ListArgs) -> Result<Exit, Failure> {
    let line = |code: &Code| {
        let class = match code.class() {
            Class::LoadError => "load error",
            Class::Finding => "finding",
        };
        format!("{:30} {:8} {class}\n", code.as_str(), code.severity().as_str())
    };
    print(&Code::ALL.iter().map(line).collect::<String>())?;
    Ok(Exit::Fine)
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  promptrules explain-code gate-never-holds")]
pub(super) struct ExplainArgs {
    /// The code, as `check` prints it; `promptrules codes` lists all
    #[arg(value_name = "CODE", value_parser = parse)]
    code: Code,
}

pub(super) fn explain(args: &ExplainArgs) -> Result<Exit, Failure> {
    print(args.code.page())?;
    Ok(Exit::Fine)
}

/// A code by name, with a suggestion for a near miss.
pub(super) fn parse(name: &str) -> Result<Code, String> {
    name.parse().map_err(|()| match crate::compile::nearest(name, Code::ALL.iter().map(|code| code.as_str())) {
        Some(meant) => format!("there is no such code; did you mean `{meant}`?"),
        None => "there is no such code; `promptrules codes` lists all".to_owned(),
    })
}
