//! `promptrules schema`: the JSON Schemas that ship with the program.

use super::Exit;
use super::output::{Failure, print};
use crate::load::Schema;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  promptrules schema rules > rules.schema.json

An editor checks a rule file while you type if its first line is
# yaml-language-server: $schema=PATH/rules.schema.json")]
pub(super) struct Args {
    /// Which schema
    #[arg(value_enum, default_value_t = Which::Rules)]
    which: Which,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Which {
    /// Rule files
    Rules,
    /// Contexts of resolutions
    Context,
    /// Launch requests
    Request,
    /// Rule tests
    Tests,
    /// The output of `resolve`
    SystemMessage,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let schema = match args.which {
        Which::Rules => Schema::Rules,
        Which::Context => Schema::Context,
        Which::Request => Schema::Request,
        Which::Tests => Schema::Tests,
        Which::SystemMessage => Schema::SystemMessage,
    };
    print(schema.text())?;
    Ok(Exit::Fine)
}
