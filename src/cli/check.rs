//! `promptrules check`: validates rule sets, and mends what can be mended safely.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Exit;
use super::codes;
use super::mend::{mend, show};
use super::output::{Failure, counted, print, say};
use super::ruleset::{RulesArg, root_of};
use crate::diagnostic::{Class, Code, Diagnostic, Severity};
use crate::lint;
use crate::load::{Disk, Files, LoadError, Loaded, ROOT_FILE, load_from};
use crate::parallel;
use crate::report::{Checked, Report, github, human, json, junit, sarif, sorted};
use crate::source::Sources;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules check
  promptrules check rules/ --deny warnings --warn missing-description
  promptrules check rules/contributors/gpt.yaml --format json
  promptrules check --fix --diff

A PATH is a root file, a folder with a `ruleset.yaml`, or any other rule file:
then the nearest enclosing rule set is checked, once. `promptrules explain-code CODE`
says what a code means. A rule set can have levels of its own, under `lint`.")]
pub(super) struct Args {
    /// What to check [default: the rule set of --rules]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    /// How to print the diagnostics
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Fail on `warnings`, or make an error of every finding CODE; may be given many times
    #[arg(long, value_name = "warnings|CODE", value_parser = denied)]
    deny: Vec<Denied>,
    /// Make a warning of every finding CODE; may be given many times
    #[arg(long, value_name = "CODE", value_parser = finding)]
    warn: Vec<Code>,
    /// Report only these findings (load errors always); may be given many times
    #[arg(long, value_name = "CODE", value_parser = codes::parse)]
    only: Vec<Code>,
    /// Apply the safe fixes, then check again
    #[arg(long)]
    fix: bool,
    /// Show what --fix would change, and change nothing
    #[arg(long)]
    diff: bool,
    /// Print only what fails the check, and no summary
    #[arg(long, short)]
    quiet: bool,
    /// Say how long it took, and how often each code was found
    #[arg(long)]
    stats: bool,
    /// Check again whenever a rule file is saved
    #[cfg(feature = "watch")]
    #[arg(long, conflicts_with_all = ["fix", "diff"])]
    watch: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// Source snippets for people
    Human,
    /// One JSON document for programs
    Json,
    /// SARIF 2.1.0 for code scanning
    Sarif,
    /// Workflow commands, shown as annotations by GitHub
    Github,
    /// JUnit XML for CI servers
    Junit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denied {
    Warnings,
    Code(Code),
}

fn denied(name: &str) -> Result<Denied, String> {
    if name == "warnings" { Ok(Denied::Warnings) } else { finding(name).map(Denied::Code) }
}

/// Load errors have no levels.
fn finding(name: &str) -> Result<Code, String> {
    let code = codes::parse(name)?;
    match code.class() {
        Class::Finding => Ok(code),
        Class::LoadError => Err("it is a load error, which is always an error".to_owned()),
    }
}

/// One rule set with what there is to say about it.
pub(super) struct Set {
    pub(super) sources: Sources,
    pub(super) diagnostics: Vec<Diagnostic>,
    loading: Duration,
    linting: Duration,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    #[cfg(feature = "watch")]
    if args.watch {
        let folders = roots(args)?.into_iter().map(super::ruleset::folder_of).collect();
        return super::watch::watch(&super::watch::Watched { folders, files: Vec::new() }, || once(args));
    }
    once(args)
}

fn once(args: &Args) -> Result<Exit, Failure> {
    let roots = roots(args)?;
    if args.diff {
        return show(&roots, |files, root| args.check(files, root));
    }
    if args.fix {
        let mended = mend(&roots, |files, root| args.check(files, root))?;
        if !args.quiet {
            mended.iter().for_each(|path| say(&format!("mended {}\n", path.display())));
        }
    }
    let sets: Vec<Set> = parallel::map(&roots, |root| args.check(&Disk, root)).into_iter().collect::<Result<_, _>>()?;
    args.tell(&sets)
}

impl Args {
    /// Loads and lints one rule set, at the levels of the call.
    fn check(&self, files: &dyn Files, root: &Path) -> Result<Set, Failure> {
        let started = Instant::now();
        let loaded = load_from(files, root);
        let loading = started.elapsed();
        let (sources, diagnostics) = match loaded {
            Ok(mut loaded) => {
                let diagnostics = lint::check(&mut loaded, files);
                let Loaded { sources, documents, rules, mentions } = loaded;
                self.let_go((documents, rules, mentions));
                (sources, diagnostics)
            }
            Err(LoadError::Rules(failed)) => {
                let diagnostics = lint::check_failed(&failed);
                (failed.sources, diagnostics)
            }
            Err(error @ LoadError::Root { .. }) => return Err(error.into()),
        };
        let diagnostics = sorted(diagnostics.into_iter().filter_map(|found| self.levelled(found)).collect());
        Ok(Set { sources, diagnostics, loading, linting: started.elapsed().saturating_sub(loading) })
    }

    /// Parts with what was loaded. To free its many pieces takes a quarter of the time of all findings, so a process
    /// that ends soon leaves them to the system.
    fn let_go<T>(&self, loaded: T) {
        #[cfg(feature = "watch")]
        if self.watch {
            return drop(loaded);
        }
        std::mem::forget(loaded);
    }

    fn levelled(&self, mut found: Diagnostic) -> Option<Diagnostic> {
        if found.code.class() == Class::LoadError {
            return Some(found);
        }
        if self.warn.contains(&found.code) {
            found.severity = Severity::Warning;
        }
        if self.deny.contains(&Denied::Code(found.code)) {
            found.severity = Severity::Error;
        }
        (self.only.is_empty() || self.only.contains(&found.code)).then_some(found)
    }

    fn tell(&self, sets: &[Set]) -> Result<Exit, Failure> {
        let deny_warnings = self.deny.contains(&Denied::Warnings);
        let kept: Vec<Vec<Diagnostic>> = sets.iter().map(|set| self.shown(&set.diagnostics, deny_warnings)).collect();
        let checked = sets.iter().zip(&kept);
        let checked = checked.map(|(set, diagnostics)| Checked { sources: &set.sources, diagnostics });
        let report = Report { sets: checked.collect(), deny_warnings };
        match self.format {
            Format::Human => print(&human(&report))?,
            Format::Json => print(&json(&report))?,
            Format::Sarif => print(&sarif(&report))?,
            Format::Github => print(&github(&report))?,
            Format::Junit => print(&junit(&report))?,
        }
        if !self.quiet && matches!(self.format, Format::Human) {
            say(&format!("{}\n", summary(&report)));
        }
        if self.stats {
            say(&stats(sets));
        }
        let fails = report.diagnostics().any(|(_, diagnostic)| report.fails(diagnostic));
        Ok(if fails { Exit::Findings } else { Exit::Fine })
    }

    /// What `--quiet` leaves.
    fn shown(&self, diagnostics: &[Diagnostic], deny_warnings: bool) -> Vec<Diagnostic> {
        let least = if deny_warnings { Severity::Warning } else { Severity::Error };
        diagnostics.iter().filter(|found| !self.quiet || found.severity <= least).cloned().collect()
    }
}

/// The root files, each once, in the order of the call.
fn roots(args: &Args) -> Result<Vec<PathBuf>, Failure> {
    if args.paths.is_empty() {
        let path = args.rules.path()?;
        return Ok(vec![if path.is_dir() { path.join(ROOT_FILE) } else { path }]);
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

fn summary(report: &Report<'_>) -> String {
    let files = counted(report.files(), "file");
    let numbers = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")];
    let numbers = numbers.map(|(severity, noun)| (report.count(severity), noun));
    let found = numbers.into_iter().filter(|(number, _)| *number > 0);
    let found: Vec<String> = found.map(|(number, noun)| counted(number, noun)).collect();
    if found.is_empty() { format!("{files}, nothing to report") } else { format!("{files}, {}", found.join(", ")) }
}

fn stats(sets: &[Set]) -> String {
    let milliseconds = |time: fn(&Set) -> Duration| sets.iter().map(time).sum::<Duration>().as_secs_f64() * 1000.0;
    let (loading, linting) = (milliseconds(|set| set.loading), milliseconds(|set| set.linting));
    let mut text = format!("loading {loading:.1} ms, findings {linting:.1} ms\n");
    for code in Code::ALL {
        let found = sets.iter().flat_map(|set| &set.diagnostics).filter(|diagnostic| diagnostic.code == *code).count();
        if found > 0 {
            text.push_str(&format!("{found:6} {}\n", code.as_str()));
        }
    }
    text
}
