//! `promptrules test`: runs rule tests.

use std::path::{Path, PathBuf};

use super::Exit;
use super::output::{Failure, counted, print, say};
use super::ruleset::{RulesArg, enclosing, folder_of, nearest_rules};
use crate::fix::replace_file;
use crate::load::{Disk, Failed, Files, Loaded, ReadError, load};
use crate::rule_tests::coverage::Coverage;
use crate::rule_tests::report::{self, FileResults, Results, SetCoverage};
use crate::rule_tests::{
    Filter, Found, SNAPSHOT_ENDING, Snapshots, TestFile, find, orphans, run as run_tests, snapshot_path, test_path,
    updated,
};
use crate::source::Sources;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules test
  promptrules test rules/tests/contributors.test.yaml --filter opus
  promptrules test --coverage --fail-under 100
  promptrules test --update

A PATH is a test file, or a folder in which `*.test.yaml` files are looked for.
Each file tests the rule set of --rules, else the one that it names under `rules`,
else the one in the nearest folder around it. Snapshots of NAME.test.yaml are in
NAME.test.snap; without --update, one that differs, is missing, or belongs to no
test fails.")]
pub(super) struct Args {
    /// What to run [default: all tests in the folder of the rule set]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    /// Run only tests whose name, with the combination of their matrix, contains this; may be given many times
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Write snapshots instead of comparing them
    #[arg(long)]
    update: bool,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Tell which rules, gates, conditions and catalog models the tests exercise
    #[arg(long)]
    coverage: bool,
    /// Fail if less than this many percent is covered; implies --coverage
    #[arg(long, value_name = "N", value_parser = percent)]
    fail_under: Option<f64>,
    /// Run again whenever a rule, a test or a snapshot is saved
    #[cfg(feature = "watch")]
    #[arg(long)]
    watch: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// What failed and why, for people
    Human,
    /// One JSON document with every test
    Json,
    /// JUnit XML
    Junit,
    /// The Test Anything Protocol
    Tap,
}

fn percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err("not between 0 and 100".to_owned()) }
}

/// A test file with its snapshots and the number of its rule set.
struct Ready {
    file: TestFile,
    stored: Snapshots,
    set: usize,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    #[cfg(feature = "watch")]
    if args.watch {
        return super::watch::watch(&watched(args)?, || once(args));
    }
    once(args)
}

/// The folders of the tests and of the rule sets that they are about.
#[cfg(feature = "watch")]
fn watched(args: &Args) -> Result<super::watch::Watched, Failure> {
    let mut folders: Vec<PathBuf> = args.paths.iter().cloned().map(folder_of).collect();
    // A test file that cannot be read yet is told about by the first run.
    let files = found(args).and_then(|found| read(&found.tests)).map(|(_, files)| files).unwrap_or_default();
    folders.extend(files.iter().filter_map(|file| root_of(args, file).ok()).map(folder_of));
    if folders.is_empty() || args.paths.is_empty() {
        folders.push(folder_of(args.rules.path()?));
    }
    folders.sort_unstable();
    folders.dedup();
    Ok(super::watch::Watched { folders, files: Vec::new() })
}

fn once(args: &Args) -> Result<Exit, Failure> {
    let found = found(args)?;
    let (tests, files) = read(&found.tests)?;
    let (sets, ready) = with_rules(args, files)?;
    let tests = check_ids(tests, &sets, &ready)?;
    let mut results = results(args, &tests, &sets, &ready);
    results.stray = found.snapshots.into_iter().filter(|path| !test_path(path).is_file()).collect();
    if args.update {
        update(&mut results, &ready)?;
    }
    report(args, &results)
}

/// The files that the call is about.
fn found(args: &Args) -> Result<Found, Failure> {
    let mut all = Found::default();
    let mut add = |path: &Path, nested: bool| -> Result<(), Failure> {
        if path.is_file() {
            all.tests.push(path.to_owned());
            return Ok(());
        }
        let found = find(path, nested)
            .map_err(|error| Failure::Unreadable { path: path.to_owned(), error: ReadError::from(error) })?;
        all.tests.extend(found.tests);
        all.snapshots.extend(found.snapshots);
        Ok(())
    };
    if args.paths.is_empty() {
        add(&folder_of(args.rules.path()?), false)?;
    }
    args.paths.iter().try_for_each(|path| add(path, true))?;
    let mut seen = rustc_hash::FxHashSet::default();
    all.tests.retain(|path| seen.insert(canonical(path)));
    all.snapshots.retain(|path| seen.insert(canonical(path)));
    if all.tests.is_empty() && all.snapshots.is_empty() {
        return Err(Failure::Input("there are no rule tests here: no file ends in `.test.yaml`".to_owned()));
    }
    Ok(all)
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn read(paths: &[PathBuf]) -> Result<(Sources, Vec<TestFile>), Failure> {
    let (mut sources, mut files, mut diagnostics) = (Sources::default(), Vec::new(), Vec::new());
    for path in paths {
        let text = Disk.read(path).map_err(|error| Failure::Unreadable { path: path.clone(), error })?;
        match TestFile::read(&mut sources, path, &path.to_string_lossy(), text) {
            Ok(file) => files.push(file),
            Err(faults) => diagnostics.extend(faults),
        }
    }
    if diagnostics.is_empty() { Ok((sources, files)) } else { Err(invalid(sources, diagnostics)) }
}

fn invalid(sources: Sources, diagnostics: Vec<crate::diagnostic::Diagnostic>) -> Failure {
    let failed = Failed { sources, documents: Vec::new(), diagnostics };
    Failure::Invalid { what: "the tests".to_owned(), failed: Box::new(failed) }
}

/// Loads each rule set once.
fn with_rules(args: &Args, files: Vec<TestFile>) -> Result<(Vec<Loaded>, Vec<Ready>), Failure> {
    let (mut sets, mut numbers, mut ready) = (Vec::new(), rustc_hash::FxHashMap::default(), Vec::new());
    for file in files {
        let root = root_of(args, &file)?;
        let set = match numbers.get(&canonical(&root)) {
            Some(number) => *number,
            None => {
                sets.push(load(&root)?);
                numbers.insert(canonical(&root), sets.len() - 1);
                sets.len() - 1
            }
        };
        let stored = stored(&file.path)?;
        ready.push(Ready { file, stored, set });
    }
    Ok((sets, ready))
}

fn root_of(args: &Args, file: &TestFile) -> Result<PathBuf, Failure> {
    if let Some(rules) = &args.rules.rules {
        return Ok(rules.clone());
    }
    if let Some(rules) = &file.rules {
        let folder = file.path.parent().unwrap_or(Path::new(""));
        return Ok(crate::load::normal(&folder.join(rules)));
    }
    enclosing(&file.path).map_or_else(nearest_rules, Ok)
}

fn stored(test_file: &Path) -> Result<Snapshots, Failure> {
    let path = snapshot_path(test_file);
    match Disk.read(&path) {
        Ok(text) => Ok(Snapshots::parse(&text)),
        Err(ReadError::NotFound) => Ok(Snapshots::default()),
        Err(error) => Err(Failure::Unreadable { path, error }),
    }
}

/// A misspelt id in `not_rendered` would pass for ever.
fn check_ids(tests: Sources, sets: &[Loaded], ready: &[Ready]) -> Result<Sources, Failure> {
    let faults = ready.iter().filter_map(|one| Some(one.file.check_ids(&sets.get(one.set)?.rules)));
    let diagnostics: Vec<_> = faults.flatten().collect();
    if diagnostics.is_empty() { Ok(tests) } else { Err(invalid(tests, diagnostics)) }
}

fn results<'a>(args: &Args, tests: &'a Sources, sets: &'a [Loaded], ready: &'a [Ready]) -> Results<'a> {
    let filter = Filter(args.filter.clone());
    let with_coverage = args.coverage || args.fail_under.is_some();
    let mut coverage: Vec<Coverage<'a>> =
        if with_coverage { sets.iter().map(|set| Coverage::new(&set.rules)).collect() } else { Vec::new() };
    let mut files = Vec::new();
    for Ready { file, stored, set } in ready {
        let Some(loaded) = sets.get(*set) else { continue };
        let compared = (!args.update).then_some(stored);
        let runs = run_tests(file, &loaded.rules, &filter, compared, coverage.get_mut(*set));
        files.push(FileResults { file, rules: &loaded.sources, runs, orphans: orphans(file, stored) });
    }
    let reports = sets.iter().zip(&coverage).map(|(set, coverage)| SetCoverage {
        rules: &set.sources,
        name: set.sources.files().next().map_or(String::new(), |(_, file)| file.name().to_owned()),
        report: coverage.report(),
    });
    let coverage = with_coverage.then(|| reports.collect());
    Results { tests, files, stray: Vec::new(), coverage }
}

/// Writes what the runs gave, and takes away what belongs to no test. Each file is replaced as a whole.
fn update(results: &mut Results<'_>, ready: &[Ready]) -> Result<(), Failure> {
    let (mut written, mut removed) = (0, 0);
    for (file, Ready { stored, .. }) in results.files.iter_mut().zip(ready) {
        let path = snapshot_path(&file.file.path);
        let fresh = updated(file.file, stored, &file.runs);
        if fresh.is_empty() {
            removed += usize::from(remove(&path)?);
        } else if fresh != *stored {
            let name = file.file.path.file_name().unwrap_or_default().to_string_lossy();
            replace_file(&path, &fresh.to_text(&name)).map_err(|error| unwritable(&path, &error))?;
            written += 1;
        }
        file.orphans.clear();
    }
    for path in std::mem::take(&mut results.stray) {
        removed += usize::from(remove(&path)?);
    }
    say(&format!("{} written, {removed} removed\n", counted(written, "snapshot file")));
    Ok(())
}

/// Removes a snapshot file; says whether there was one.
fn remove(path: &Path) -> Result<bool, Failure> {
    debug_assert!(path.to_string_lossy().ends_with(SNAPSHOT_ENDING));
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unwritable(path, &error)),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot write `{}`: {error}", path.display()))
}

fn report(args: &Args, results: &Results<'_>) -> Result<Exit, Failure> {
    if results.total() == 0 && !args.filter.is_empty() {
        let wanted = args.filter.join("`, `");
        return Err(Failure::Input(format!("no test has a name with `{wanted}` in it")));
    }
    let coverage = report::coverage(results);
    match args.format {
        Format::Human => print(&(report::human(results) + &coverage))?,
        Format::Json => print(&report::json(results))?,
        Format::Junit => print(&report::junit(results))?,
        Format::Tap => print(&report::tap(results))?,
    }
    if matches!(args.format, Format::Junit | Format::Tap) {
        say(&coverage);
    }
    let under = results.covered().zip(args.fail_under).filter(|(count, least)| count.is_under(*least));
    if matches!(args.format, Format::Human) {
        say(&summary(results));
    }
    if let Some((count, least)) = under {
        say(&format!("coverage is {} %, under the {least} % of --fail-under\n", count.percent()));
    }
    let failed = results.failed() > 0 || !results.orphans().is_empty() || under.is_some();
    Ok(if failed { Exit::Findings } else { Exit::Fine })
}

fn summary(results: &Results<'_>) -> String {
    let tests = format!("{} in {}", counted(results.total(), "test"), counted(results.files.len(), "file"));
    let failed = results.failed();
    let mut found = Vec::new();
    if failed > 0 {
        found.push(format!("{failed} failed"));
    }
    if !results.orphans().is_empty() {
        found.push(counted(results.orphans().len(), "orphaned snapshot"));
    }
    if found.is_empty() { format!("{tests}, all passed\n") } else { format!("{tests}, {}\n", found.join(", ")) }
}
