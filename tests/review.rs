//! `explain`, `test`, `matrix`, `init` and `--watch` through the real binary.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    reason = "a failing test panics"
)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn promptrules(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptrules"));
    command.args(arguments).current_dir(folder).env_remove("CLICOLOR_FORCE");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = promptrules(folder, arguments).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for one test, empty at its start.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("review-{test}"));
    let _may_be_new = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

const RULES: &str = "version: 1
catalog: {client_tools: [open], models: [gpt-5, o1]}
base: {sections: {preamble: {action: replace, content: You are the agent.}}}
contributors:
  - id: gpt
    match: {families: [gpt-]}
    sections: {tone: {action: append, content: \"\\nBe brief.\"}}
tool_instructions:
  - {id: open, when: {has_client_tool: open}, text: Open it.}
";

#[test]
fn the_shipped_rules_pass_their_tests_and_are_covered() {
    let (status, out, err) = run(project(), &["test", "--coverage", "--fail-under", "100"]);
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.contains("total") && out.contains("(100 %)") && !out.contains("not covered"), "{out}");
    assert!(err.ends_with("all passed\n"), "{err}");
}

#[test]
fn explain_takes_contexts_and_launch_requests() {
    let folder = folder("explain");
    write(&folder, "rules/ruleset.yaml", RULES);
    write(&folder, "launch.yaml", "{model: preview, model_capability_overrides: {preview: {family: gpt-5}}}");
    let (status, out, _) = run(&folder, &["explain", "--request", "launch.yaml", "--format", "json"]);
    assert_eq!(status, Some(0));
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["base"], serde_json::json!({"contributor": "gpt", "by": "family", "family": "gpt-"}));
    assert_eq!(value["rules"][1]["because"]["file"], "rules/ruleset.yaml");
    assert_eq!(value["rules"][1]["because"]["line"], 9);
    let (status, out, _) = run(&folder, &["explain", "--model", "GPT-5", "--tool", "Open"]);
    assert_eq!(status, Some(0));
    assert!(out.contains("`gpt-5` would be taken by `gpt`"), "{out}");
    assert!(out.contains("did you mean `open`?"), "{out}");
}

#[test]
fn snapshots_are_written_go_stale_and_can_be_orphaned() {
    let folder = folder("snapshots");
    write(&folder, "ruleset.yaml", RULES);
    let tests = "version: 1\ntests:\n  - {name: golden, matrix: {model: [gpt-5, o1]}, snapshot: true}\n  - {name: plan, request: {model: gpt-5}, snapshot: true}\n";
    write(&folder, "tests/a.test.yaml", tests);
    let (status, out, err) = run(&folder, &["test"]);
    assert_eq!(status, Some(1), "a snapshot that is not stored fails");
    assert!(out.contains("none is stored") && err.contains("3 tests in 1 file, 3 failed"), "{out}{err}");

    let (status, _, err) = run(&folder, &["test", "--update"]);
    assert_eq!((status, err.contains("1 snapshot file written, 0 removed")), (Some(0), true), "{err}");
    let stored = std::fs::read_to_string(folder.join("tests/a.test.snap")).unwrap();
    insta::assert_snapshot!("stored", stored);
    assert_eq!(run(&folder, &["test"]).0, Some(0));
    assert_eq!(run(&folder, &["check", "--deny", "warnings"]).0, Some(0), "snapshots are no rule files");
    assert_eq!(std::fs::read_dir(folder.join("tests")).unwrap().count(), 2, "nothing is left beside them");

    write(&folder, "ruleset.yaml", &RULES.replace("brief", "very brief"));
    let (status, out, _) = run(&folder, &["test"]);
    assert_eq!(status, Some(1), "a stale snapshot fails");
    assert!(out.contains("- | |Be brief.") && out.contains("+ | |Be very brief."), "{out}");
    assert!(out.contains("gpt (ruleset.yaml:7)"), "the changed line is traced to its rule: {out}");

    // Only what is run is rewritten.
    let (status, ..) = run(&folder, &["test", "--update", "--filter", "gpt-5"]);
    assert_eq!(status, Some(0));
    assert_eq!(run(&folder, &["test", "--filter", "golden"]).0, Some(0));
    assert_eq!(run(&folder, &["test"]).0, Some(1), "the plan is still the old one");
    assert_eq!(run(&folder, &["test", "--update"]).0, Some(0));

    write(&folder, "tests/a.test.yaml", &tests.replace("golden", "renamed"));
    let (status, out, err) = run(&folder, &["test"]);
    assert_eq!(status, Some(1));
    assert!(out.contains("ORPHAN tests/a.test.snap\n  no test has a snapshot `golden [model=gpt-5]`"), "{out}");
    assert!(err.contains("2 orphaned snapshots"), "{err}");

    std::fs::rename(folder.join("tests/a.test.yaml"), folder.join("tests/b.test.yaml")).unwrap();
    let (status, out, _) = run(&folder, &["test"]);
    assert_eq!(status, Some(1));
    assert!(out.contains("the whole file: its test file is not there"), "{out}");
    assert_eq!(run(&folder, &["test", "--update"]).0, Some(0));
    let names = std::fs::read_dir(folder.join("tests")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["b.test.snap", "b.test.yaml"]);
}

#[test]
fn statuses_filters_and_formats() {
    let folder = folder("statuses");
    write(&folder, "rules/ruleset.yaml", RULES);
    assert_eq!(run(&folder, &["test"]).0, Some(2), "nothing to run");
    write(
        &folder,
        "rules/x.test.yaml",
        "version: 1\ntests:\n  - {name: right, context: {model: gpt-5}, expect: {contributor: gpt}}\n  - {name: wrong, context: {model: o1}, expect: {contributor: gpt}}\n",
    );
    assert_eq!(run(&folder, &["test"]).0, Some(1));
    assert_eq!(run(&folder, &["test", "--filter", "right"]).0, Some(0));
    assert_eq!(run(&folder, &["test", "--filter", "nothing like it"]).0, Some(2));
    assert_eq!(run(&folder, &["test", "nowhere"]).0, Some(2));
    let (status, out, _) = run(&folder, &["test", "rules/x.test.yaml", "--format", "json", "--coverage"]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &value["summary"]["failed"], &value["coverage"]["total"]), (Some(1), &1.into(), &4.into()));
    let (_, out, _) = run(&folder, &["test", "--format", "tap"]);
    assert!(out.starts_with("TAP version 14\n1..2\nok 1 - rules/x.test.yaml: right\nnot ok 2"), "{out}");
    let (_, out, _) = run(&folder, &["test", "--format", "junit"]);
    assert!(out.contains("tests=\"2\" failures=\"1\""), "{out}");
    let (status, _, err) = run(&folder, &["test", "--filter", "right", "--fail-under", "90"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("coverage is 50 %, under the 90 % of --fail-under"), "{err}");
    write(
        &folder,
        "rules/y.test.yaml",
        "version: 1\ntests:\n  - {name: a, context: {model: o1}, expect: {contributer: gpt}}\n",
    );
    let (status, _, err) = run(&folder, &["test"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("rules/y.test.yaml:3") && err.contains("did you mean `contributor`?"), "{err}");
    std::fs::remove_file(folder.join("rules/y.test.yaml")).unwrap();
    write(&folder, "rules/ruleset.yaml", &RULES.replace("families", "famílies"));
    assert_eq!(run(&folder, &["test"]).0, Some(2), "rules that do not load");
}

#[test]
fn a_thousand_tests_take_less_than_a_second() {
    let folder = folder("thousand");
    let rules = project().join("rules/ruleset.yaml");
    let ids = std::fs::read_to_string(project().join("rules/catalog/models.yaml")).unwrap();
    let ids: Vec<&str> = ids.lines().filter_map(|line| line.strip_prefix("    - ")).collect();
    let tests = (0..1000).map(|number| {
        let id = ids[number % ids.len()];
        let tools = if number % 2 == 0 { "[runTests, openBrowserPage]" } else { "[]" };
        format!("  - name: '{number}'\n    context: {{model: '{id}', client_tools: {tools}, workspaceless: {}}}\n    expect:\n      mode: customize\n      sections: {{preamble: {{contains: editor}}}}\n      content: {{matches: 'plain paths\\.$'}}\n", number % 3 == 0)
    });
    write(&folder, "a.test.yaml", &format!("version: 1\ntests:\n{}", tests.collect::<String>()));
    let started = Instant::now();
    let (status, out, err) = run(&folder, &["test", "a.test.yaml", "--rules", rules.to_str().unwrap()]);
    let taken = started.elapsed();
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(err.contains("1000 tests"), "{err}");
    // The figure is the release build's; a debug build on a busy machine has its own limit.
    let limit = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
    assert!(taken < limit, "{taken:?}");
}

#[test]
fn a_matrix_of_the_catalog_and_of_a_file() {
    let folder = folder("matrix");
    write(&folder, "ruleset.yaml", RULES);
    let (status, out, _) = run(&folder, &["matrix", "--format", "csv"]);
    assert_eq!(status, Some(0));
    assert_eq!(
        out,
        "model,contributor,reason,mode,sections,lines,length\n\
         gpt-5,gpt,,customize,preamble:replace tone:append,,28\n\
         o1,,no-contributor,customize,preamble:replace,,18\n"
    );
    write(&folder, "ids.txt", "# more\ngpt-5\r\ngpt-4\n\ngpt-5\n");
    let (_, out, _) = run(&folder, &["matrix", "--models", "ids.txt", "--all-tools", "--format", "json"]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["groups"].as_array().unwrap().len(), 1);
    assert_eq!(value["groups"][0]["models"], serde_json::json!(["gpt-5", "gpt-4"]));
    assert_eq!(value["groups"][0]["lines"], serde_json::json!(["open"]));
}

#[test]
fn a_new_rule_set_passes_check_and_test_and_nothing_is_overwritten() {
    let folder = folder("init");
    for (arguments, rules) in [(&["init"][..], "rules"), (&["init", "a/b"], "a/b"), (&["init", "."], ".")] {
        let (status, out, err) = run(&folder, arguments);
        assert_eq!(status, Some(0), "{out}{err}");
        assert_eq!(
            run(&folder, &["check", rules, "--deny", "warnings"]),
            (Some(0), String::new(), "2 files, nothing to report\n".to_owned())
        );
        let (status, out, err) = run(&folder, &["test", rules, "--coverage", "--fail-under", "100"]);
        assert_eq!(status, Some(0), "{out}{err}");
        let page = std::fs::read_to_string(folder.join(rules).join("README.md")).unwrap();
        assert!(page.contains(&format!("promptrules check {rules} --deny warnings --format github")), "{page}");
        std::fs::write(folder.join(rules).join("contributors.yaml"), "mine").unwrap();
        let (status, _, err) = run(&folder, arguments);
        assert_eq!(status, Some(2));
        assert!(err.contains("nothing was written"), "{err}");
        assert_eq!(std::fs::read_to_string(folder.join(rules).join("contributors.yaml")).unwrap(), "mine");
        std::fs::remove_dir_all(folder.join(rules)).unwrap_or_else(|_| std::fs::remove_dir_all(&folder).unwrap());
        std::fs::create_dir_all(&folder).unwrap();
    }
}

/// Ends the watching process, whatever becomes of the test.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _may_have_ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

#[cfg(feature = "watch")]
#[test]
fn a_watched_command_runs_again_when_a_file_is_saved() {
    let folder = folder("watch");
    write(&folder, "rules/ruleset.yaml", RULES);
    write(&folder, "context.yaml", "model: gpt-5");
    let mut child = promptrules(&folder, &["resolve", "--watch", "--summary", "--context", "context.yaml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let _ended = Watching(child);
    let (mut out, mut err) = (BufReader::new(out).lines(), BufReader::new(err).lines());
    let mut told = || err.next().unwrap().unwrap();
    let mut shown = || out.next().unwrap().unwrap();
    assert_eq!(shown(), "mode=customize sections=[preamble:replace, tone:append]");
    assert_eq!(told(), "watching; Ctrl-C ends");
    write(&folder, "context.yaml", "model: o1");
    assert_eq!(told(), "changed: context.yaml");
    assert_eq!(shown(), "mode=customize sections=[preamble:replace]");
    assert_eq!(told(), "watching; Ctrl-C ends");
    // A broken file is told about, and mended with the next save.
    write(&folder, "rules/ruleset.yaml", "version: 2");
    assert_eq!(told(), format!("changed: {}", Path::new("rules/ruleset.yaml").display()));
    while told() != "watching; Ctrl-C ends" {}
    write(&folder, "rules/ruleset.yaml", &RULES.replace("tone", "safety").replace("gpt-", "o"));
    assert_eq!(shown(), "mode=customize sections=[preamble:replace, safety:append]");
}
