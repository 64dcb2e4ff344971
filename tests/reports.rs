//! `check` in its five formats, its levels and its fixes, as the real binary prints them.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failing test panics, a skipped one says so"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// An error with a second place, a warning with a safe fix, and a note; `%`, `:` and `<` to be escaped.
const FAULTY: &str = "\
version: 1
catalog:
  client_tools: [runTests]
  settings: {fast: {type: boolean}}
base: {sections: {}}
contributors:
  - id: gpt
    description: For the test.
    match: {families: [gpt-]}
    sections:
      tone: {action: append, content: 'Be 100 % brief: a <b>.'} # kept
  - id: mini
    description: For the test.
    match: {families: [gpt-5-mini]}
    content: |
      Be small.
";

/// A folder of a test with the faulty rule set, a repository of its own, so that paths are relative to it.
fn folder(test: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _may_be_new = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join(".git")).unwrap();
    std::fs::create_dir_all(folder.join("my rules")).unwrap();
    std::fs::write(folder.join("my rules/ruleset.yaml"), text).unwrap();
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptrules"));
    command.args(["check", "my rules"]).args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn codes(output: &Output) -> Vec<String> {
    let report: Value = serde_json::from_str(&stdout(output)).unwrap();
    let found = report["diagnostics"].as_array().unwrap().iter();
    found.map(|found| format!("{} {}", found["severity"].as_str().unwrap(), found["code"].as_str().unwrap())).collect()
}

#[test]
fn what_each_format_prints() {
    let folder = folder("formats", FAULTY);
    for format in ["human", "json", "sarif", "github", "junit"] {
        let output = check(&folder, &["--format", format]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        let mut text = stdout(&output);
        if format == "sarif" {
            // The pages of the codes are documentation and would be repeated here.
            let mut log: Value = serde_json::from_str(&text).unwrap();
            for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap() {
                assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# "));
                rule.as_object_mut().unwrap().remove("help");
            }
            text = format!("{log:#}");
        }
        insta::assert_snapshot!(format!("check_{format}"), text);
    }
}

#[test]
fn sarif_keeps_to_the_schema_of_its_makers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/sarif-schema-2.1.0.json");
    let Ok(schema) = std::fs::read_to_string(&path) else {
        println!("skipped: the SARIF schema is not beside this checkout");
        return;
    };
    // Its pattern for languages has a bracket too many for strict readings of regular expressions.
    let schema: Value = serde_json::from_str(&schema.replace("{2}]?$", "{2}$")).unwrap();
    let validator = jsonschema::draft7::options().offline().build(&schema).unwrap();
    for text in [FAULTY, "version: 2\nbase: 1\n", "version: 1\nbase: {sections: {}}\n"] {
        let output = check(&folder("sarif", text), &["--format", "sarif"]);
        let log: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[test]
fn levels_come_from_the_call_and_from_the_set() {
    let levels = folder("levels", FAULTY);
    let all = codes(&check(&levels, &["--format", "json"]));
    assert_eq!(all, ["warning missing-leading-newline", "error contributor-shadowed", "info trailing-newline"]);
    let only = check(&levels, &["--format", "json", "--only", "trailing-newline"]);
    assert_eq!((codes(&only), only.status.code()), (vec!["info trailing-newline".to_owned()], Some(0)));
    let warned = check(&levels, &["--format", "json", "--only", "trailing-newline", "--warn", "trailing-newline"]);
    assert_eq!((codes(&warned), warned.status.code()), (vec!["warning trailing-newline".to_owned()], Some(0)));
    let denied = check(&levels, &["--format", "json", "--only", "trailing-newline", "--deny", "trailing-newline"]);
    assert_eq!((codes(&denied), denied.status.code()), (vec!["error trailing-newline".to_owned()], Some(1)));
    let only = ["--only", "missing-leading-newline", "--format", "json"];
    assert_eq!(check(&levels, &only).status.code(), Some(0));
    assert_eq!(check(&levels, &[&only[..], &["--deny", "warnings"]].concat()).status.code(), Some(1));
    assert_eq!(check(&levels, &["--warn", "unknown-key"]).status.code(), Some(2), "load errors have no levels");
    let quiet = check(&levels, &["--quiet"]);
    assert!(stdout(&quiet).contains("error[contributor-shadowed]") && !stdout(&quiet).contains("warning["));
    assert!(quiet.stderr.is_empty());
    let set = format!("{FAULTY}lint: {{contributor-shadowed: {{level: info, reason: Being moved.}}}}\n");
    let output = check(&folder("levels_of_the_set", &set), &["--format", "json"]);
    assert!(codes(&output).contains(&"info contributor-shadowed".to_owned()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn fixes_are_shown_applied_once_and_keep_everything_else() {
    let windows = FAULTY.replace('\n', "\r\n");
    for text in [FAULTY.to_owned(), format!("\u{feff}{windows}")] {
        let folder = folder("fixes", &text);
        let file = folder.join("my rules/ruleset.yaml");
        let shown = check(&folder, &["--diff"]);
        assert_eq!(shown.status.code(), Some(1), "there is something to mend");
        assert!(stdout(&shown).contains("\n+"), "{}", stdout(&shown));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "nothing is written");

        let fixed = check(&folder, &["--fix", "--format", "json"]);
        assert_eq!(codes(&fixed), ["error contributor-shadowed"]);
        let mended = std::fs::read_to_string(&file).unwrap();
        let expected = text.replace("content: 'Be 100 % brief: a <b>.'", "content: \"\\nBe 100 % brief: a <b>.\"");
        assert_eq!(mended, expected.replace("content: |", "content: |-"));

        check(&folder, &["--fix"]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), mended, "a second time changes nothing");
        assert_eq!(check(&folder, &["--diff"]).status.code(), Some(0));
        let left: Vec<_> =
            std::fs::read_dir(folder.join("my rules")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["ruleset.yaml"]);
    }
}
