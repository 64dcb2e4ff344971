//! Every finding, from the rule sets in `fixtures/findings/CODE` to what a person reads.
//!
//! A case is one file, or a folder with a `ruleset.yaml`, with faults of one code and no other.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use promptrules::context::Context;
use promptrules::diagnostic::{Code, Diagnostic, Fix};
use promptrules::interpret::resolve;
use promptrules::lint;
use promptrules::load::{Disk, LoadError, Loaded, Memory, load, load_text};
use promptrules::report::{Checked, Report, human, sorted};
use promptrules::source::Sources;

const FINDINGS: &str = "tests/fixtures/findings";

struct Case {
    code: Code,
    path: PathBuf,
}

impl Case {
    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn check(&self) -> (Sources, Vec<Diagnostic>) {
        match load(&self.path) {
            Ok(mut loaded) => {
                let found = sorted(lint::check(&mut loaded, &Disk));
                (loaded.sources, found)
            }
            Err(LoadError::Rules(failed)) => {
                let found = sorted(lint::check_failed(&failed));
                (failed.sources, found)
            }
            Err(error) => panic!("{}: {error}", self.name()),
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn cases() -> Vec<Case> {
    let folders = entries(Path::new(FINDINGS)).into_iter();
    let cases = folders.flat_map(|folder| {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let code = name.parse().unwrap_or_else(|()| panic!("{name} is no code"));
        entries(&folder).into_iter().map(move |path| Case { code, path })
    });
    cases.collect()
}

/// The texts that a finding shows, for people who cannot see what it is about.
fn rendered(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let report = Report { sets: vec![Checked { sources, diagnostics }], deny_warnings: false };
    let plain = anstream::adapter::strip_str(&human(&report)).to_string();
    plain.replace(&format!("{FINDINGS}/"), "").lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn each_case_gives_its_code_and_nothing_else() {
    let mut wrong = String::new();
    for case in cases() {
        let (_, found) = case.check();
        if !found.iter().any(|found| found.code == case.code) {
            writeln!(wrong, "{}: gives {found:?}", case.name()).unwrap();
        }
        // A text that cannot be read as YAML may have an invisible character as well.
        let also = found.iter().filter(|found| found.code != case.code && found.code != Code::YamlSyntax);
        for also in also {
            writeln!(wrong, "{}: also {}: {}", case.name(), also.code.as_str(), also.message).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_people_read() {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for case in cases() {
        let (sources, found) = case.check();
        let name = case.path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = texts.entry(case.code.as_str()).or_default();
        write!(text, "──── {name}\n\n{}", rendered(&sources, &found)).unwrap();
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| texts.into_iter().for_each(|(code, text)| insta::assert_snapshot!(code, text)));
}

#[test]
fn wording_keeps_to_the_rules_of_the_house() {
    for case in cases() {
        for diagnostic in case.check().1 {
            let helps = diagnostic.help.iter().map(String::as_str);
            let labels = diagnostic.related.iter().map(|label| label.text.as_str());
            for text in helps.chain(labels).chain([diagnostic.message.as_str()]) {
                assert!(!text.chars().next().unwrap().is_uppercase(), "begins with a capital: {text}");
                assert!(!text.ends_with('.'), "ends with a full stop: {text}");
                assert!(!text.contains(['\n', '\t']), "more than a line: {text}");
                assert!(text.matches('`').count() % 2 == 0, "a backtick is left open: {text}");
            }
        }
    }
}

/// A safe fix changes white space at most, and it ends its finding.
#[test]
fn safe_fixes_change_white_space_only() {
    let mut count = 0;
    for case in cases().iter().filter(|case| case.path.is_file()) {
        let (sources, found) = case.check();
        for diagnostic in &found {
            let Some(fix) = diagnostic.fix.as_ref().filter(|fix| fix.safe) else { continue };
            count += 1;
            let before = load(&case.path).unwrap();
            let text = edited(&sources, fix);
            let mut after = load_text("ruleset.yaml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            for context in contexts() {
                assert_eq!(words(&before, &context), words(&after, &context), "{}\n{text}", case.name());
            }
            let left = lint::check(&mut after, &Memory::default());
            let same = |other: &&Diagnostic| other.code == diagnostic.code;
            let fewer = left.iter().filter(same).count() < found.iter().filter(same).count();
            assert!(fewer && left.len() < found.len(), "{}: {left:#?}\n{text}", case.name());
        }
    }
    assert!(count > 20, "only {count} safe fixes");
}

fn edited(sources: &Sources, fix: &Fix) -> String {
    let (_, file) = sources.files().next().unwrap();
    let mut text = file.text().to_owned();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    text
}

fn contexts() -> Vec<Context> {
    let models = [None, Some("gpt-5"), Some("gpt-6"), Some("o1-5"), Some("o1-6")];
    let of = |model: Option<&str>, workspaceless| Context {
        model: model.map(str::to_owned),
        workspaceless,
        ..Context::default()
    };
    models.into_iter().flat_map(|model| [of(model, true), of(model, false)]).collect()
}

/// A result without its white space.
fn words(loaded: &Loaded, context: &Context) -> String {
    let text = serde_json::to_string(&resolve(&loaded.rules, context)).unwrap();
    text.replace("\\n", "").chars().filter(|char| !char.is_whitespace()).collect()
}
