//! Every load error, from the rule files in `fixtures/invalid/CODE/CASE` to what a person reads.
//!
//! A case is a whole rule set with faults of one code. Its `expected.txt` has the place of each, as the
//! contract says it (`FILE LINE:COLUMN-END_LINE:END_COLUMN`); the snapshots have the full output.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test panics")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use promptrules::diagnostic::{Class, Code, Diagnostic, Fix};
use promptrules::load::{Failed, LoadError, Memory, load, load_from, load_text};
use promptrules::report::{Checked, Report, human, sorted};
use promptrules::source::{Sources, Span};

const INVALID: &str = "tests/fixtures/invalid";

/// A folder with a rule set that does not load.
struct Case {
    code: Code,
    folder: PathBuf,
}

impl Case {
    fn load(&self) -> Box<Failed> {
        match load(&self.folder) {
            Err(LoadError::Rules(failed)) => failed,
            other => panic!("{}: {other:?}", self.name()),
        }
    }

    fn name(&self) -> String {
        self.folder.to_string_lossy().into_owned()
    }

    /// The places that the contract expects, in order.
    fn expected(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.join("expected.txt"))
            .unwrap_or_else(|error| panic!("{}: {error}", self.name()));
        let mut places: Vec<String> = text.lines().map(str::to_owned).collect();
        places.sort();
        places
    }

    /// A file's name as `expected.txt` and the snapshots have it.
    fn relative(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.name()), "")
    }

    fn place(&self, sources: &Sources, span: Span) -> String {
        let (start, end) = (sources.start(span), sources.end(span));
        let file = self.relative(sources.file(span.file).name());
        format!("{file} {}:{}-{}:{}", start.line, start.column, end.line, end.column)
    }

    /// All files by their path in the folder, with one of them changed.
    fn files_with(&self, sources: &Sources, fix: &Fix) -> Memory {
        let mut texts: BTreeMap<String, String> =
            sources.files().map(|(_, file)| (self.relative(file.name()), file.text().to_owned())).collect();
        for edit in fix.edits.iter().rev() {
            let text = texts.get_mut(&self.relative(sources.file(edit.span.file).name())).unwrap();
            text.replace_range(edit.span.range(), &edit.replacement);
        }
        Memory::new(texts)
    }
}

/// The folders of a folder, by name.
fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).unwrap_or_else(|error| panic!("{}: {error}", of.display()));
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn cases() -> Vec<Case> {
    let codes = folders(Path::new(INVALID)).into_iter();
    let cases = codes.flat_map(|folder| {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let code: Code = name.parse().unwrap_or_else(|()| panic!("{name} is no code"));
        folders(&folder).into_iter().map(move |folder| Case { code, folder })
    });
    cases.collect()
}

fn rendered(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let report = Report { sets: vec![Checked { sources, diagnostics }], deny_warnings: false };
    anstream::adapter::strip_str(&human(&report)).to_string()
}

#[test]
fn every_load_error_has_cases() {
    let cases = cases();
    for code in Code::ALL.iter().filter(|code| code.class() == Class::LoadError) {
        let count = cases.iter().filter(|case| case.code == *code).count();
        assert!(count >= 2, "{} has {count} cases", code.as_str());
    }
    assert!(cases.iter().all(|case| case.code.class() == Class::LoadError));
}

#[test]
fn each_cause_is_told_once_and_at_its_place() {
    let mut wrong = String::new();
    for case in cases() {
        let Failed { sources, diagnostics, .. } = *case.load();
        let mut found: Vec<String> = diagnostics.iter().map(|found| case.place(&sources, found.span)).collect();
        found.sort();
        let (expected, name) = (case.expected(), case.name());
        if found != expected {
            writeln!(wrong, "{name}: at {found:?}, expected {expected:?}").unwrap();
        }
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.code != case.code) {
            writeln!(wrong, "{name}: also {}: {}", diagnostic.code.as_str(), diagnostic.message).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_people_read() {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for case in cases() {
        let failed = case.load();
        let text = texts.entry(case.code.as_str()).or_default();
        let name = case.folder.file_name().unwrap().to_string_lossy().into_owned();
        let shown = case.relative(&rendered(&failed.sources, &sorted(failed.diagnostics)));
        write!(text, "──── {name}\n\n{shown}").unwrap();
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| texts.into_iter().for_each(|(code, text)| insta::assert_snapshot!(code, text)));
}

#[test]
fn wording_keeps_to_the_rules_of_the_house() {
    for case in cases() {
        for diagnostic in case.load().diagnostics {
            let helps = diagnostic.help.iter().map(String::as_str);
            let labels = diagnostic.related.iter().map(|label| label.text.as_str());
            for text in helps.chain(labels).chain([diagnostic.message.as_str()]) {
                let first = text.chars().next().unwrap();
                assert!(!first.is_uppercase(), "{}: begins with a capital: {text}", case.name());
                assert!(!text.ends_with('.'), "{}: ends with a full stop: {text}", case.name());
                assert!(!text.contains(['\n', '\t']), "{}: more than a line: {text}", case.name());
                assert!(text.matches('`').count() % 2 == 0, "{}: a backtick is left open: {text}", case.name());
                for name in ["Vec<", "Option<", "u64", "f64", "::", "serde"] {
                    assert!(!text.contains(name), "{}: {name} in: {text}", case.name());
                }
            }
        }
    }
}

/// A suggestion that does not even mend what it is about is worse than none.
#[test]
fn every_suggested_edit_mends_what_it_is_about() {
    let mut wrong = String::new();
    for case in cases() {
        let failed = case.load();
        for diagnostic in &failed.diagnostics {
            let Some(fix) = &diagnostic.fix else { continue };
            let left = match load_from(&case.files_with(&failed.sources, fix), Path::new("ruleset.yaml")) {
                Ok(_) => Vec::new(),
                Err(LoadError::Rules(failed)) => failed.diagnostics,
                Err(other) => panic!("{}: {other}", case.name()),
            };
            let same = |other: &&Diagnostic| (other.code, &other.message) == (diagnostic.code, &diagnostic.message);
            let before = failed.diagnostics.iter().filter(same).count();
            if left.iter().filter(same).count() != before - 1 || left.len() > failed.diagnostics.len() {
                writeln!(wrong, "{}: {}: leaves {left:?}", case.name(), fix.title).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A fault hides nothing but what follows from it.
#[test]
fn what_stands_beside_a_fault_is_looked_at_as_well() {
    let cases = [
        (
            "a binding",
            "{bind: {x: {first_client_tool: [$no]}}, when: {setting_is_set: no}, text: \"{{x}} {{y}}\", id: a}",
        ),
        ("a gate", "{when: {no: 1, setting_is_set: no}, text: [{use: no}], id: a}"),
        ("a missing id", "{when: {setting_is_set: no}, text: [{use: no}]}"),
    ];
    let expected = [
        vec!["unknown-setting", "unknown-tool-group"],
        vec!["unknown-key", "unknown-setting", "unknown-text"],
        vec!["missing-key", "unknown-setting", "unknown-text"],
    ];
    for ((name, line), expected) in cases.into_iter().zip(expected) {
        assert_eq!(codes(&format!("tool_instructions: [{line}]")), expected, "{name}");
    }
    let cases = [
        (
            "an unknown section",
            "{id: a, match: {families: [a]}, sections: {no: {action: remove, when: {setting_is_set: no}}}}",
        ),
        ("an unknown action", "{id: a, match: {families: [a]}, sections: {tone: {action: no, content: [{use: no}]}}}"),
        ("an id that is taken", "{id: b, match: {families: [a], model: {group: no}}}"),
        ("a circle", "{id: a, extends: a, match: {model: {regex: '('}}}"),
    ];
    let expected = [
        vec!["unknown-section", "unknown-setting"],
        vec!["unknown-action", "unknown-text"],
        vec!["duplicate-id", "unknown-model-group"],
        vec!["extends-cycle", "invalid-regex"],
    ];
    for ((name, rule), expected) in cases.into_iter().zip(expected) {
        assert_eq!(codes(&format!("contributors: [{{id: b, match: {{families: [b]}}}}, {rule}]")), expected, "{name}");
    }
}

/// The codes of all errors of a rule set with this in it, sorted.
fn codes(rules: &str) -> Vec<&'static str> {
    let text = format!("version: 1\nbase: {{sections: {{}}}}\n{rules}\n");
    match load_text("ruleset.yaml", &text) {
        Ok(_) => Vec::new(),
        Err(LoadError::Rules(failed)) => {
            let mut codes: Vec<&str> = failed.diagnostics.iter().map(|found| found.code.as_str()).collect();
            codes.sort_unstable();
            codes
        }
        Err(other) => panic!("{other}"),
    }
}

/// Nothing in the folder of the root file may lead out of it, whatever it is called.
#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_escapes() {
    let folder = std::env::temp_dir().join(format!("promptrules-links-{}", std::process::id()));
    let rules = folder.join("rules");
    fs::create_dir_all(rules.join("parts")).unwrap();
    fs::write(folder.join("outside.yaml"), "version: 1\n").unwrap();
    fs::write(rules.join("inside.yaml"), "version: 1\n").unwrap();
    std::os::unix::fs::symlink("../outside.yaml", rules.join("link.yaml")).unwrap();
    std::os::unix::fs::symlink(&folder, rules.join("up")).unwrap();
    std::os::unix::fs::symlink("../inside.yaml", rules.join("parts/inside.yaml")).unwrap();
    let outcome = |entries: &str| {
        let text = format!("version: 1\ninclude: {entries}\nbase: {{sections: {{}}}}\n");
        fs::write(rules.join("ruleset.yaml"), text).unwrap();
        match load(&rules) {
            Ok(_) => Vec::new(),
            Err(LoadError::Rules(failed)) => failed.diagnostics.iter().map(|found| found.code).collect(),
            Err(other) => panic!("{other}"),
        }
    };
    let outcomes = [
        outcome("[link.yaml]"),
        outcome("[up/outside.yaml]"),
        outcome("[parts/inside.yaml]"),
        outcome("[inside.yaml, parts/inside.yaml]"),
    ];
    fs::remove_dir_all(&folder).unwrap();
    let escapes = vec![Code::IncludeEscapes];
    assert_eq!(outcomes, [escapes.clone(), escapes, vec![], vec![Code::IncludeTwice]]);
}
