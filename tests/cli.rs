//! A few runs of the real binary: streams, exit statuses, and what a script sees.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::expect_used, reason = "a failing test panics")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn promptrules(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptrules"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("CLICOLOR_FORCE");
    command
}

fn run(arguments: &[&str]) -> Output {
    promptrules(arguments).output().unwrap()
}

fn run_with_input(arguments: &[&str], input: &str) -> Output {
    let mut child =
        promptrules(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A folder for one test, empty at its start.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _may_be_new = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_shipped_rules_resolve() {
    let output = run(&["resolve", "--model", "claude-opus-4.8", "--tool", "runTests"]);
    assert_eq!(output.status.code(), Some(0));
    let message: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(message["mode"], "customize");
    assert_eq!(message["sections"]["preamble"]["action"], "replace");
    assert!(message["sections"].get("identity").is_none(), "an overridden group would hide overrides of its parts");
    assert_eq!(stderr(&output), "");
}

#[test]
fn the_rules_are_found_from_a_folder_below() {
    let mut command = promptrules(&["resolve", "--summary"]);
    let output =
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/contributors")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("mode=customize sections=[preamble:replace"));
}

#[test]
fn flags_add_to_the_context_file() {
    let context = r#"{"model": "unknown", "client_tools": ["openBrowserPage"], "settings": {"opus48Prompt": false}}"#;
    let arguments =
        ["resolve", "--summary", "--context", "-", "--model", "claude-opus-4.8", "--set", "opus48Prompt=true"];
    let with_file = run_with_input(&arguments, context);
    let flags = [
        "resolve",
        "--summary",
        "--model",
        "claude-opus-4.8",
        "--tool",
        "openBrowserPage",
        "--set",
        "opus48Prompt=true",
    ];
    assert_eq!(stdout(&with_file), stdout(&run(&flags)));
    let without = run(&["resolve", "--summary", "--model", "claude-opus-4.8", "--tool", "openBrowserPage"]);
    assert_ne!(stdout(&with_file), stdout(&without));
}

#[test]
fn a_setting_that_counts_for_nothing_is_warned_about() {
    let output = run(&["resolve", "--summary", "--set", "opus48Prompt=\"true\"", "--set", "nope=1"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stderr(&output),
        "warning: the catalog has no setting `nope`\n\
         warning: setting `opus48Prompt` counts as unset: expected a boolean, got `\"true\"`\n"
    );
}

#[test]
fn a_bad_context_is_an_error_that_names_the_fault() {
    for (context, named) in [
        ("modle: x", "unknown key `modle`"),
        ("model: ''", "`model` is empty"),
        ("client_tools: runTests", "`client_tools` is a string, where a list belongs"),
        ("workspaceless: 1", "`workspaceless` is a number, where `true` or `false` belongs"),
        ("model: [", "error[yaml-syntax]"),
    ] {
        let output = run_with_input(&["resolve", "--context", "-"], context);
        assert_eq!(output.status.code(), Some(2), "{context}");
        assert_eq!(stdout(&output), "", "{context}");
        assert!(stderr(&output).contains(named), "{context}: {}", stderr(&output));
        assert!(stderr(&output).contains("-:1:"), "{context}: the place: {}", stderr(&output));
    }
}

#[test]
fn rules_that_are_not_there_or_do_not_load_end_in_status_2() {
    let folder = folder("not_there");
    let output = promptrules(&["resolve"]).current_dir("/").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no `rules/ruleset.yaml` here or in a parent folder"));
    let output = run(&["resolve", "--rules", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no such file"), "{}", stderr(&output));
    std::fs::write(folder.join("ruleset.yaml"), "version: 1\nbase: {sections: {tone: {action: remvoe}}}\n").unwrap();
    let output = run(&["resolve", "--rules", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("error[unknown-action]"), "{}", stderr(&output));
    let output = run(&["check", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "check did its work");
    assert!(stdout(&output).contains("did you mean `remove`?"), "{}", stdout(&output));
}

#[test]
fn a_batch_answers_line_by_line() {
    let lines =
        "{\"model\": \"gpt-5.4\"}\n\n{\"modle\": 1}\nnot json\n{\"settings\": {\"nope\": 1}}\n{\"model\": \"\"}\n";
    let output = run_with_input(&["resolve", "--batch", "-"], lines);
    assert_eq!(output.status.code(), Some(1), "some lines failed");
    let answers: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0]["systemMessage"]["mode"], "customize");
    assert!(answers[0]["summary"].as_str().unwrap().starts_with("mode=customize"));
    assert_eq!(answers[1], json!({"error": {"message": "unknown key `modle`"}}));
    assert!(answers[2]["error"]["message"].is_string());
    assert_eq!(answers[3]["warnings"], json!(["the catalog has no setting `nope`"]));
    assert_eq!(answers[4], json!({"error": {"message": "`model` is empty"}}));
    let fine = run_with_input(&["resolve", "--batch", "-"], "{}\n");
    assert_eq!(fine.status.code(), Some(0));
}

#[test]
fn a_pipe_that_stays_open_gets_each_answer_at_once() {
    let mut child =
        promptrules(&["resolve", "--batch", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for model in ["gpt-5.4", "claude-opus-4.8"] {
        writeln!(input, "{}", json!({"model": model})).unwrap();
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["systemMessage"]["mode"], "customize", "{model}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_is_no_error_worth_a_word() {
    let mut child = promptrules(&["schema", "rules"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
}

#[test]
fn colour_is_for_terminals_only() {
    let folder = folder("colour");
    std::fs::write(folder.join("ruleset.yaml"), "version: 2\n").unwrap();
    let output = run(&["check", folder.to_str().unwrap()]);
    assert!(!stdout(&output).contains('\u{1b}'));
}

#[test]
fn check_reads_any_file_of_a_set_and_checks_the_set_once() {
    let output = run(&["check", "rules", "rules/base.yaml", "rules/contributors/gpt.yaml", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["diagnostics"], json!([]), "the shipped rules are silent");
    assert_eq!(report["summary"]["files"], 20);
    let output = run(&["check", "nowhere.yaml"]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["check", "src"]);
    assert_eq!(output.status.code(), Some(2), "nothing to check there");
}

#[test]
fn help_teaches_and_usage_errors_end_in_status_2() {
    for command in ["resolve", "check", "schema", "completions", "codes", "explain-code", "launch", "transform"] {
        let output = run(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Example"), "{command}");
    }
    assert_eq!(run(&["resolve", "--nope"]).status.code(), Some(2));
    assert_eq!(run(&["resolve", "--set", "novalue"]).status.code(), Some(2));
    assert_eq!(run(&["resolve", "--set", "a=[1]"]).status.code(), Some(2));
    assert!(stdout(&run(&["--version"])).starts_with("promptrules "));
    assert!(stdout(&run(&["completions", "bash"])).contains("promptrules"));
    let schema: Value = serde_json::from_str(stdout(&run(&["schema", "context"]))).unwrap();
    assert_eq!(schema["title"], "promptrules context");
}

#[test]
fn explain_code_prints_the_page() {
    assert!(stdout(&run(&["explain-code", "unknown-key"])).starts_with("# unknown-key\n"));
    let output = run(&["explain-code", "unknown-kye"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `unknown-key`?"), "{}", stderr(&output));
}
