//! `promptrules check`: validates rule sets.

use std::path::{Path, PathBuf};

use super::Exit;
use super::output::{Failure, counted, print, say};
use super::ruleset::{RulesArg, root_of};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint;
use crate::load::{LoadError, load};
use crate::report::{Checked, Report, human, json, sorted};
use crate::source::Sources;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules check
  promptrules check rules/ --deny warnings
  promptrules check rules/contributors/gpt.yaml --format json

A PATH is a root file, a folder with a `ruleset.yaml`, or any other rule file:
then the nearest enclosing rule set is checked, once.")]
pub(super) struct Args {
    /// What to check [default: the rule set of --rules]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    /// How to print the diagnostics
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Count these as errors as well
    #[arg(long, value_name = "WHAT")]
    deny: Vec<Denied>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// Source snippets for people
    Human,
    /// One JSON document for programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Denied {
    /// All warnings
    Warnings,
}

/// One rule set with what there is to say about it.
struct Set {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let sets: Vec<Set> = roots(args)?.iter().map(|root| check(root)).collect::<Result<_, _>>()?;
    let sets = sets.iter().map(|set| Checked { sources: &set.sources, diagnostics: &set.diagnostics }).collect();
    let report = Report { sets };
    match args.format {
        Format::Human => {
            print(&human(&report))?;
            say(&format!("{}\n", summary(&report)));
        }
        Format::Json => print(&json(&report))?,
    }
    let denied = args.deny.contains(&Denied::Warnings) && report.count(Severity::Warning) > 0;
    Ok(if denied || report.count(Severity::Error) > 0 { Exit::Findings } else { Exit::Fine })
}

/// The root files, each once, in the order of the call.
fn roots(args: &Args) -> Result<Vec<PathBuf>, Failure> {
    if args.paths.is_empty() {
        return Ok(vec![args.rules.path()?]);
    }
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in &args.paths {
        let root = root_of(path)?;
        let canonical = root.canonicalize().unwrap_or_else(|_| root.clone());
        if !seen.contains(&canonical) {
            seen.push(canonical);
            roots.push(root);
        }
    }
    Ok(roots)
}

fn check(root: &Path) -> Result<Set, Failure> {
    match load(root) {
        Ok(loaded) => {
            let diagnostics = sorted(lint::check(&loaded));
            Ok(Set { sources: loaded.sources, diagnostics })
        }
        Err(LoadError::Rules(failed)) => Ok(Set { sources: failed.sources, diagnostics: sorted(failed.diagnostics) }),
        Err(error @ LoadError::Root { .. }) => Err(error.into()),
    }
}

fn summary(report: &Report<'_>) -> String {
    let files = counted(report.files(), "file");
    let [errors, warnings, infos] =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")]
            .map(|(severity, noun)| (report.count(severity), noun));
    let found: Vec<String> = [errors, warnings, infos]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| counted(number, noun))
        .collect();
    if found.is_empty() { format!("{files}, nothing to report") } else { format!("{files}, {}", found.join(", ")) }
}
