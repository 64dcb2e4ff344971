//! The commands `launch` and `transform`, and `resolve --request`, as a host runs them.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{RULES, request};

/// A folder with the rules, one for each test.
struct Host(PathBuf);

struct Ran {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Host {
    fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("launch_{test}"));
        let _may_be_new = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("rules")).unwrap();
        let host = Self(folder);
        host.file("rules/ruleset.yaml", RULES);
        host
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_promptrules"));
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.args(arguments).current_dir(&self.0).env_remove("CLICOLOR_FORCE").spawn().unwrap()
    }

    fn run(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.spawn(arguments);
        // A command that does not read its input may be gone already.
        let _gone = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }
}

#[test]
fn a_request_in_yaml_gives_the_plan_of_the_library() {
    let host = Host::new("yaml");
    host.file("session.yaml", "model: claude-1\nclient_tools: [own, {name: readPage}]\nsettings: {tuned: true}\n");
    let ran = host.run(&["launch", "--request", "session.yaml"], "");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let request = json!({"model": "claude-1", "client_tools": ["own", "readPage"], "settings": {"tuned": true}});
    assert_eq!(ran.json(), serde_json::to_value(super::planned(super::set(), &request)).unwrap());
}

#[test]
fn since_tells_what_changed() {
    let host = Host::new("since");
    let before = host.run(&["launch", "--request", "-"], &request().to_string());
    host.file("plan.json", &format!("\u{feff}{}", before.stdout));
    let since = ["launch", "--request", "-", "--since", "plan.json"];

    let same = host.run(&since, &super::reversed(&request(), "").to_string());
    assert_eq!((same.status, same.stderr.as_str()), (Some(0), "nothing changed\n"));
    assert_eq!(same.json()["changed"], json!([]));

    host.file("rules/ruleset.yaml", &RULES.replace("I am.", "I was."));
    let mut other = request();
    other["client_tools"] = json!(["own"]);
    let other = host.run(&since, &other.to_string());
    assert_eq!(other.stderr, "changed: rules, tools, flags\n");
    assert_eq!(other.json()["changed"], json!(["rules", "tools", "flags"]));
    assert_eq!(other.json()["sessionConfig"]["tools"], json!([{"name": "own", "registeredAs": "own"}]));
}

#[test]
fn what_cannot_be_compared_is_told() {
    let host = Host::new("not_since");
    host.file("plan.json", r#"{"snapshot": "v0:x"}"#);
    host.file("empty.json", "{}");
    host.file("bad.json", "{");
    for (earlier, kind, told) in [
        ("plan.json", "create", "`v0:x` is no launch snapshot"),
        ("empty.json", "resume", "has no snapshot"),
        ("bad.json", "create", "is not JSON"),
        ("nowhere.json", "create", "there is no such file"),
        ("-", "create", "cannot both be standard input"),
        ("plan.json", "model-change", "nothing to compare"),
    ] {
        let mut request = request();
        request["kind"] = json!(kind);
        let ran = host.run(&["launch", "--request", "-", "--since", earlier], &request.to_string());
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{earlier}");
        assert!(ran.stderr.contains(told), "{earlier}: {}", ran.stderr);
    }
}

#[test]
fn a_bad_request_is_shown_in_place() {
    let host = Host::new("bad");
    for (request, told) in [
        ("modle: x", "unknown key `modle`"),
        ("client_tools: [{name: a, defer: auto}]", "unknown key `defer`"),
        ("kind: restart", "`kind`"),
        ("model: ''", "`model` is empty"),
    ] {
        let ran = host.run(&["launch", "--request", "-"], request);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{request}");
        assert!(ran.stderr.contains(told) && ran.stderr.contains("-:1:"), "{request}: {}", ran.stderr);
    }
    assert_eq!(host.run(&["launch"], "").status, Some(2));
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let host = Host::new("batch");
    let lines =
        "{\"model\": \"a\"}\n\n[]\n{\"kind\": 1}\nnot json\n{\"model_capability_overrides\": 3}\n{\"model\": \"\"}\n";
    let ran = host.run(&["launch", "--batch", "-"], lines);
    assert_eq!(ran.status, Some(1), "some lines failed");
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[0]["effectiveModel"], "a");
    assert_eq!(answers[4]["warnings"][0]["entry"], "");
    for bad in [1, 2, 3, 5] {
        assert!(answers[bad]["error"]["message"].is_string(), "{bad}");
    }
    assert_eq!(host.run(&["launch", "--batch", "-"], "{}").status, Some(0));
}

#[test]
fn a_pipe_that_stays_open_gets_each_plan_at_once() {
    let host = Host::new("pipe");
    let mut child = host.spawn(&["launch", "--batch", "-"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for model in ["claude-1", "gpt", "claude-2"] {
        writeln!(input, "{}", json!({"model": model})).unwrap();
        let plan: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(plan["model"], model);
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn transform_answers_with_the_text_and_nothing_else() {
    let host = Host::new("transform");
    host.file("plan.json", &host.run(&["launch", "--request", "-"], &request().to_string()).stdout);
    host.file("message.json", &host.run(&["resolve"], "").stdout);
    for plan in ["plan.json", "message.json"] {
        let transform = ["transform", "--plan", plan, "--section", "guidelines"];
        for (text, answer) in [("aa\u{1b}[1mX\r\n\u{feff}a", "b\u{1b}[1mX\r\n\u{feff}b"), ("", "")] {
            let ran = host.run(&transform, text);
            assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), answer, ""));
        }
    }
}

#[test]
fn transform_tells_why_it_cannot() {
    let host = Host::new("no_transform");
    host.file("plan.json", &host.run(&["launch", "--request", "-"], &request().to_string()).stdout);
    host.file("empty.json", "{}");
    host.file("steps.json", r#"{"mode": "customize", "sections": {"tone": {"steps": [{"x": 1}]}}}"#);
    host.file(
        "regex.json",
        r#"{"mode": "customize", "sections": {"tone": {"steps": [{"remove": {"pattern": "("}}]}}}"#,
    );
    for (plan, section, told) in [
        ("plan.json", "tone", "does not transform `tone`"),
        ("plan.json", "tony", "the sections are preamble"),
        ("empty.json", "tone", "has no system message"),
        ("steps.json", "tone", "steps cannot be read"),
        ("regex.json", "tone", "no regular expression"),
        ("-", "tone", "cannot be standard input"),
    ] {
        let ran = host.run(&["transform", "--plan", plan, "--section", section], "text");
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{plan} {section}");
        assert!(ran.stderr.contains(told), "{plan} {section}: {}", ran.stderr);
    }
}

#[test]
fn resolve_takes_a_request_in_place_of_a_context() {
    let host = Host::new("resolve");
    let mut request = request();
    request["model_capability_overrides"] = json!({"*": {"excludedTools": "readPage", "family": 7}});
    let plan = host.run(&["launch", "--request", "-"], &request.to_string()).json();
    let ran = host.run(&["resolve", "--request", "-"], &request.to_string());
    assert_eq!(ran.json(), plan["sessionConfig"]["systemMessage"]);
    assert!(ran.stderr.starts_with("warning: `family` of `*`: expected 1 to 128 characters"), "{}", ran.stderr);

    let flags = ["--model", "gpt", "--tool", "runTests", "--set", "level=high", "--workspaceless", "--summary"];
    let arguments = ["resolve", "--request", "-"].iter().chain(&flags).copied().collect::<Vec<_>>();
    let summary = host.run(&arguments, &request.to_string()).stdout;
    let expected = "mode=customize sections=[identity:replace, guidelines:transform, tool_instructions:append] +content(length 10)\n";
    assert_eq!(summary, expected);
    let both = ["resolve", "--request", "a", "--context", "b"];
    assert_eq!(host.run(&both, "").status, Some(2));
}
