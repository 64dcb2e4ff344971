//! `promptrules explain`: why one session gets what it gets.

use super::Exit;
use super::context::ContextArgs;
use super::output::{Failure, print};
use super::ruleset::RulesArg;
use crate::explain::{Detail, explain, human, json};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules explain --model gpt-5.4 --tool runTests
  promptrules explain --context session.yaml --all
  promptrules explain --request launch.yaml
  promptrules explain --model claude-opus-4.8 --format json | jq '.provenance.content'

It is the run of `resolve` with the same flags, recorded. Marks: + rendered, - not,
with the condition that failed, the fact that made it fail, and the place.")]
pub(super) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    context: ContextArgs,
    /// Tell also what was tried and never reached, and where each piece of the texts comes from
    #[arg(long)]
    all: bool,
    /// How to print the explanation
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// A page for people
    Human,
    /// One JSON document for programs, with everything
    Json,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let loaded = args.rules.load()?;
    let context = args.context.context(&loaded.rules)?;
    let explanation = explain(&loaded.rules, &context);
    print(&match args.format {
        Format::Human => human(&loaded.sources, &explanation, if args.all { Detail::All } else { Detail::Short }),
        Format::Json => json(&loaded.sources, &explanation),
    })?;
    Ok(Exit::Fine)
}
