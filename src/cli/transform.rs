//! `promptrules transform`: a plan's answer to the runtime's callback for one section.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Exit;
use super::context::read_input;
use super::output::{Failure, print_as_is};
use super::plan::read_plan;
use crate::launch::transform::{apply, steps_in};
use crate::message::Section;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  promptrules transform --plan plan.json --section guidelines < current.txt

The SDK calls its host back with the text that a section has, and takes the
answer as it is: nothing is added to the text, not even a newline at its end.")]
pub(super) struct Args {
    /// The plan that the session was launched with, as `launch` or `resolve` printed it
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// The section whose text is on standard input
    #[arg(long, value_name = "NAME", value_parser = section)]
    section: Section,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let stdin = Path::new("-");
    if args.plan == stdin {
        return Err(Failure::Input("the plan cannot be standard input: that is the text of the section".to_owned()));
    }
    let fault = |error: &dyn Display| Failure::Input(format!("the plan `{}`: {error}", args.plan.display()));
    let steps = steps_in(&read_plan(&args.plan)?, args.section).map_err(|error| fault(&error))?;
    let answer = apply(&steps, &read_input(stdin)?).map_err(|error| fault(&error))?;
    print_as_is(&answer)?;
    Ok(Exit::Fine)
}

fn section(name: &str) -> Result<Section, String> {
    let named = Section::ALL.into_iter().find(|section| section.as_str() == name);
    named.ok_or_else(|| format!("the sections are {}", Section::ALL.map(Section::as_str).join(", ")))
}
