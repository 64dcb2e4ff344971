//! `promptrules diff`: what a change of rules does to the messages that sessions get.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::Exit;
use super::context::read_input;
use super::output::{Failure, print};
use super::revision::{Given, load_given};
use super::ruleset::RulesArg;
use crate::diff::{Level, diff};
use crate::report::changes::{Changes, github, human, json, markdown};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules diff main
  promptrules diff main HEAD --format markdown
  promptrules diff HEAD~3:rules rules --fail-on selection
  promptrules diff old/ruleset.yaml new/ruleset.yaml --format json

OLD and NEW are root files, folders with a `ruleset.yaml`, `REV:PATH` in the git
repository around here, or `REV` alone: the rule set of --rules at that revision.
What is on disk goes before a revision of the same name. The repository's
objects are read; the work tree is not touched.

All contexts are compared, not a sample: `identical` is a proof. Levels, worst
first: guardrail, selection, gate, text, bytes.

FILE of --approved has one fingerprint a line, anything behind it is a comment;
the JSON of an earlier run will do as well.")]
pub(super) struct Args {
    /// The rules before
    #[arg(value_name = "OLD")]
    old: String,
    /// The rules after [default: the rule set of --rules]
    #[arg(value_name = "NEW")]
    new: Option<String>,
    #[command(flatten)]
    rules: RulesArg,
    /// How to print the differences
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Exit with status 1 if there is a difference of this level or a worse one, or an undecided question
    #[arg(long, value_enum, value_name = "LEVEL")]
    fail_on: Option<FailOn>,
    /// Differences that were accepted before: they are listed apart, and do not fail the run
    #[arg(long, value_name = "FILE")]
    approved: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// For people
    Human,
    /// A comment on a pull request
    Markdown,
    /// One JSON document for programs
    Json,
    /// Workflow commands, shown as annotations by GitHub
    Github,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FailOn {
    Guardrail,
    Selection,
    Gate,
    Text,
    Bytes,
}

impl FailOn {
    fn level(self) -> Level {
        match self {
            Self::Guardrail => Level::Guardrail,
            Self::Selection => Level::Selection,
            Self::Gate => Level::Gate,
            Self::Text => Level::Text,
            Self::Bytes => Level::Bytes,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let accepted = match &args.approved {
        Some(path) => fingerprints(&read_input(path)?),
        None => BTreeSet::new(),
    };
    let old = load_given(&args.old, &args.rules)?;
    let new = match &args.new {
        Some(new) => load_given(new, &args.rules)?,
        None => Given { name: "the rules here".to_owned(), loaded: args.rules.load()? },
    };
    let diff = diff(&old.loaded, &new.loaded);
    let changes =
        Changes { old: &old.name, new: &new.name, diff: &diff, accepted: &accepted, sources: &new.loaded.sources };
    print(&match args.format {
        Format::Human => human(&changes),
        Format::Markdown => markdown(&changes),
        Format::Json => json(&changes),
        Format::Github => github(&changes),
    })?;
    let fails = args.fail_on.is_some_and(|least| {
        !diff.undecided.is_empty() || changes.fresh().any(|difference| difference.level <= least.level())
    });
    Ok(if fails { Exit::Findings } else { Exit::Fine })
}

/// The fingerprints of a list, or of the JSON of an earlier comparison.
fn fingerprints(text: &str) -> BTreeSet<String> {
    if let Ok(document) = serde_json::from_str::<serde_json::Value>(text) {
        let lists = ["differences", "accepted"].into_iter().filter_map(|key| document.get(key)?.as_array());
        let items = lists.flatten().filter_map(|item| item.get("fingerprint")?.as_str());
        return items.map(str::to_owned).collect();
    }
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approvals_are_a_list_or_an_earlier_result() {
        let expected: BTreeSet<String> = ["0a", "1b"].map(str::to_owned).into();
        assert_eq!(fingerprints("0a  agreed in #12\n\n1b\n"), expected);
        let json = r#"{"differences": [{"fingerprint": "0a"}], "accepted": [{"fingerprint": "1b"}]}"#;
        assert_eq!(fingerprints(json), expected);
    }
}
