//! `promptrules matrix`: what each model gets.

use std::path::{Path, PathBuf};

use super::Exit;
use super::context::{ContextArgs, read_input};
use super::output::{Failure, print};
use super::ruleset::RulesArg;
use crate::matrix::{csv, human, json, markdown, matrix};
use crate::rules::RuleSet;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules matrix
  promptrules matrix --all-tools --tool-search
  promptrules matrix --models ids.txt --format csv > matrix.csv
  promptrules matrix --request launch.yaml --format markdown

The models are those of the catalog, of --models, or the one of --model. Everything
else is the same for all of them: the context of the other flags. Lengths are of all
composed texts together, in UTF-16 code units.")]
pub(super) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    context: ContextArgs,
    /// Ids, one a line, in place of the catalog's; blank lines and lines with `#` are passed over; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    models: Option<PathBuf>,
    /// The session has every client tool of the catalog
    #[arg(long)]
    all_tools: bool,
    /// How to print the matrix
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// A paragraph for each group of models
    Human,
    /// A table for a pull request
    Markdown,
    /// A line for each model
    Csv,
    /// One JSON document
    Json,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let loaded = args.rules.load()?;
    let rules = &loaded.rules;
    let models = models(args, rules)?;
    let context = args.context.by_model(rules)?;
    let groups = matrix(rules, models.iter().map(String::as_str), |model| {
        let mut context = context(model);
        if args.all_tools {
            let tools = rules.catalog.client_tools().iter().map(|tool| rules.catalog.tool_name(*tool).to_owned());
            context.client_tools.extend(tools);
        }
        context
    });
    print(&match args.format {
        Format::Human => human(&groups),
        Format::Markdown => markdown(&groups),
        Format::Csv => csv(&groups),
        Format::Json => json(&groups),
    })?;
    Ok(Exit::Fine)
}

fn models(args: &Args, rules: &RuleSet) -> Result<Vec<String>, Failure> {
    let models = match (&args.context.model, &args.models) {
        (Some(model), _) => vec![model.clone()],
        (None, Some(path)) => listed(path)?,
        (None, None) => rules.catalog.models().iter().map(ToString::to_string).collect(),
    };
    if models.is_empty() {
        return Err(Failure::Input("there are no models: the catalog lists none; name some with --models".to_owned()));
    }
    Ok(models)
}

/// The ids of a file, each once.
fn listed(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_input(path)?;
    let mut seen = rustc_hash::FxHashSet::default();
    let ids = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let ids = ids.filter(|id| !id.is_empty() && !id.starts_with('#') && seen.insert(id.to_owned()));
    Ok(ids.map(str::to_owned).collect())
}
