//! The command line: one file a subcommand; arguments in, an exit status out.
//!
//! Results go to stdout, everything else to stderr. Subcommands return [`Exit`] or a
//! `Failure`; only this file writes the latter.

mod check;
mod codes;
mod completions;
mod context;
mod diff;
mod explain;
mod git;
mod init;
mod launch;
mod lines;
mod matrix;
mod mend;
mod output;
mod plan;
mod resolve;
mod revision;
mod ruleset;
mod schema;
mod test;
mod transform;
#[cfg(feature = "watch")]
mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// How a run ended, as scripts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything is fine.
    Fine,
    /// There are findings: check errors, failed tests, failed batch lines.
    Findings,
    /// The command could not do its work: usage, nothing to check, unreadable or invalid rules or context.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
        })
    }
}

/// Decides, from rules that people can review, which system prompt a coding agent gets.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  promptrules resolve --model claude-opus-4.8 --tool runTests
  promptrules check
  promptrules diff main
  promptrules resolve --batch contexts.jsonl > messages.jsonl

Exit status: 0 fine; 1 findings (check errors, failed tests, differences with --fail-on,
failed batch lines);
2 the command could not do its work (usage, unreadable or invalid rules or context)."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the system message configuration that one session gets
    Resolve(resolve::Args),
    /// Tell why a session gets what it gets: rules, conditions, and the origin of every character
    Explain(explain::Args),
    /// Plan the launch of a session: system message, tools, tool search, experiments
    Launch(launch::Args),
    /// Apply a plan's transform steps to a section's current text
    Transform(transform::Args),
    /// Validate rule sets: load errors and findings
    Check(check::Args),
    /// Compare two rule sets over all contexts: which sessions get another prompt
    Diff(diff::Args),
    /// Run rule tests: what contexts must get, from `*.test.yaml` files
    Test(test::Args),
    /// Print what each model gets: contributor, sections, lines, length
    Matrix(matrix::Args),
    /// Start a new rule set
    Init(init::Args),
    /// List the codes of all diagnostics
    Codes(codes::ListArgs),
    /// Print the documentation of a diagnostic, with a bad and a good example
    ExplainCode(codes::ExplainArgs),
    /// Print a JSON Schema, for editors and other tools
    Schema(schema::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

/// Runs the command with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let result = match cli.command {
        Command::Resolve(args) => resolve::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Launch(args) => launch::run(&args),
        Command::Transform(args) => transform::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Matrix(args) => matrix::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Codes(args) => codes::list(&args),
        Command::ExplainCode(args) => codes::explain(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => failure.tell().into(),
    }
}

/// Help and version are results; anything else is a call that cannot be understood.
fn usage(error: &clap::Error) -> ExitCode {
    let told = error.print();
    if error.use_stderr() || told.is_err() { Exit::Failed.into() } else { Exit::Fine.into() }
}
