//! `promptrules diff` as scripts see it: revisions of a git repository, exit statuses, approvals, errors.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, reason = "a failing test panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A repository with three commits of a rule set: as it was, with another word, and with a line less.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _may_be_new = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("rules/parts")).unwrap();
        fs::create_dir_all(folder.join("below")).unwrap();
        let repository = Self(folder);
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.write(
            "rules/parts/lines.yaml",
            "version: 1\ntool_instructions: [{id: l, text: Look.}, {id: m, text: Test.}]\n",
        );
        repository.commit("Be kind.", "first");
        repository.git(&["tag", "first"]);
        repository.commit("Be brief.", "second");
        repository.write("rules/parts/lines.yaml", "version: 1\ntool_instructions: [{id: l, text: Look.}]\n");
        repository.commit("Be brief.", "third");
        repository
    }

    fn commit(&self, content: &str, message: &str) {
        let rules = format!("version: 1\ninclude: [parts/lines.yaml]\nbase: {{sections: {{}}, content: {content}}}\n");
        self.write("rules/ruleset.yaml", &rules);
        self.git(&["add", "."]);
        let author = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"];
        self.git(&[&author[..], &["commit", "--quiet", "-m", message]].concat());
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.0.join(path), text).unwrap();
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git").arg("-C").arg(&self.0).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn diff_in(&self, folder: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promptrules"));
        command.arg("diff").args(arguments).current_dir(self.0.join(folder)).output().unwrap()
    }

    fn diff(&self, arguments: &[&str]) -> Output {
        self.diff_in("", arguments)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.diff(&[arguments, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn causes(document: &Value) -> Vec<&str> {
    document["differences"].as_array().unwrap().iter().map(|found| found["cause"].as_str().unwrap()).collect()
}

#[test]
fn revisions_are_read_and_the_work_tree_is_not_touched() {
    let repository = Repository::new("diff-revisions");
    repository.write("rules/ruleset.yaml", "version: 1\nbase: {sections: {}, content: Unsaved.}\n");
    let before = repository.git(&["status", "--porcelain"]);
    let (dropped, says) = ("the line `m` no longer arrives", "the default message says something else");
    assert_eq!(causes(&repository.json(&["HEAD~1", "HEAD"])), [dropped]);
    assert_eq!(causes(&repository.json(&["first", "HEAD~1"])), [says]);
    assert_eq!(causes(&repository.json(&["HEAD~2:rules", "main:rules/ruleset.yaml"])), [dropped, says]);
    assert_eq!(causes(&repository.json(&["HEAD"])).len(), 2, "the rules here have no line");
    assert_eq!(repository.json(&["main", "HEAD"])["verdict"], "identical");
    let output = repository.diff_in("below", &["HEAD:../rules", "HEAD", "--format", "json"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("identical"), "{}", stderr(&output));
    assert_eq!(repository.git(&["status", "--porcelain"]), before);
}

#[test]
fn what_cannot_be_read_is_said_plainly() {
    let repository = Repository::new("diff-errors");
    let cases = [
        (vec!["nosuch"], "there is no file, folder or git revision `nosuch`"),
        (vec!["HEAD:nosuch"], "the revision `HEAD` has no `nosuch`"),
        (vec!["nosuch:rules"], "there is no git revision `nosuch`"),
        (vec!["HEAD:../rules"], "`HEAD:../rules` lies outside the repository"),
        (vec!["--", "--output=x"], "there is no file, folder or git revision `--output=x`"),
        (vec!["HEAD:rules/parts/lines.yaml"], "the rules of `HEAD:rules/parts/lines.yaml` cannot be used"),
    ];
    for (arguments, message) in cases {
        let output = repository.diff(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_folder_outside_of_any_repository_has_no_revisions() {
    let folder = std::env::temp_dir().join(format!("promptrules-diff-{}", std::process::id()));
    fs::create_dir_all(folder.join("rules")).unwrap();
    fs::write(folder.join("rules/ruleset.yaml"), "version: 1\nbase: {sections: {}}\n").unwrap();
    let run = |paths: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promptrules"));
        command.args(["diff", "main"]).current_dir(&folder).env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
        if !paths.is_empty() {
            command.env("PATH", paths);
        }
        command.output().unwrap()
    };
    let without_repository = run("");
    assert!(stderr(&without_repository).contains("no git repository here"), "{}", stderr(&without_repository));
    let without_git = run("/nonexistent");
    assert!(stderr(&without_git).contains("the command `git` cannot be run"), "{}", stderr(&without_git));
    assert_eq!((without_repository.status.code(), without_git.status.code()), (Some(2), Some(2)));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn levels_and_approvals_decide_the_exit_status() {
    let repository = Repository::new("diff-levels");
    let status = |arguments: &[&str]| repository.diff(arguments).status.code();
    assert_eq!(status(&["first", "HEAD~1"]), Some(0));
    assert_eq!(status(&["first", "HEAD~1", "--fail-on", "gate"]), Some(0));
    assert_eq!(status(&["first", "HEAD~1", "--fail-on", "text"]), Some(1));
    assert_eq!(status(&["first", "HEAD", "--fail-on", "guardrail"]), Some(1));
    let found = repository.json(&["first", "HEAD"]);
    let prints = found["differences"].as_array().unwrap().iter().map(|found| found["fingerprint"].as_str().unwrap());
    let list: String = prints.map(|print| format!("{print}  agreed\n")).collect();
    repository.write("approved.txt", &list);
    assert_eq!(status(&["first", "HEAD", "--fail-on", "bytes", "--approved", "approved.txt"]), Some(0));
    let approved = repository.json(&["first", "HEAD", "--approved", "approved.txt"]);
    assert_eq!(approved["verdict"], "different");
    assert_eq!(
        (approved["differences"].as_array().unwrap().len(), approved["accepted"].as_array().unwrap().len()),
        (0, 2)
    );
}

#[test]
fn the_json_has_the_keys_of_the_contract() {
    let repository = Repository::new("diff-json");
    let found = repository.json(&["first", "HEAD~1"]);
    assert_eq!((&found["version"], &found["verdict"]), (&Value::from(1), &Value::from("different")));
    assert_eq!(found["undecided"], serde_json::json!([]));
    let difference = &found["differences"][0];
    assert_eq!(difference["level"], "text");
    assert_eq!(difference["rules"], serde_json::json!(["base"]));
    assert_eq!(difference["models"], serde_json::json!([]));
    let witness = &difference["witness"];
    assert_eq!(witness["context"], serde_json::json!({}));
    assert_eq!(
        (&witness["old"]["content"], &witness["new"]["content"]),
        (&Value::from("Be kind."), &Value::from("Be brief."))
    );
    assert_eq!(difference["fingerprint"].as_str().unwrap().len(), 16);
}
