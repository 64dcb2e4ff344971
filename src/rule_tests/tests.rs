//! What people and programs see of tests that fail, and what is wrong with test files.

use super::coverage::Coverage;
use super::report::{FileResults, Results, SetCoverage, coverage, human, json, junit, tap};
use super::*;
use crate::load::{Loaded, load_text};
use crate::report::sorted;
use crate::source::Sources;
use std::path::Path;

const RULES: &str = r#"version: 1
catalog:
  client_tools: [openPage, readPage, runTests]
  settings:
    tuned: {type: boolean, default: false}
  models: [rocket-5, rocket-4]
base:
  sections:
    preamble: {action: replace, content: You are the agent.}
contributors:
  - id: rocket-5
    match: {model: {normalize: [lowercase], equals: rocket-5}}
    extends: rocket
    when: {setting_equals: {tuned: true}}
    sections:
      tone:
        action: append
        content:
          - ""
          - parent: true
          - Lead with the outcome.
      guidelines:
        - {when: {any: [{has_client_tool: runTests}, {workspaceless: true}]}, action: append, content: "\n- Run tests."}
        - {when: {not: {has_client_tool: openPage}}, action: remove}
  - id: rocket
    match: {families: [rocket-]}
    sections:
      tone: {action: append, content: "\nWrite plain sentences.\nLeave out praise."}
      safety: {action: transform, steps: [{append: More.}]}
tool_instructions:
  - {id: browser, when: {has_client_tool: openPage, tool_search_active: false}, text: Open a page.}
  - {id: always, text: Always.}
trailing:
  - {id: last, text: The end.}
"#;

const FAILING: &str = r#"version: 1
tests:
  - name: everything is wrong
    context: {model: Rocket-5, client_tools: [openpage], settings: {tuned: true}}
    expect:
      mode: replace
      contributor: rocket
      sections:
        tone: {action: replace, contains: [outcome, Be brief.], not_contains: praise, matches: '^Write'}
        guidelines: {action: append, contains: Run tests}
        preamble: {equals: You are an agent.}
        safety: {contains: More}
        identity: {action: remove}
        code_change_rules: {contains: x}
      lines: {rendered: [browser, always], not_rendered: [last]}
      content: {contains: The start.}
      summary: mode=replace
  - name: the tuned tone is opt-in
    context: {model: rocket-5}
    expect:
      contributor: rocket-5
      sections:
        tone: {equals: "\n\nWrite plain sentences.\nLeave out praise.\nLead with the outcome."}
  - name: no model, no contributor
    matrix: {model: [null, Rocket-4], workspaceless: [true, false]}
    expect: {contributor: rocket}
  - name: golden
    context: {model: rocket-4}
    snapshot: true
  - name: new
    context: {}
    snapshot: true
"#;

const STORED: &str = "=== golden
mode=customize sections=[preamble:replace, tone:append, tool_instructions:append] +content(length 8)
--- preamble: replace
|You are the agent.
--- tone: append
|
|Write plain sentences.
|Leave out praise and apologies.
--- tool_instructions: append
|
|Always.
--- content
|The end.

=== gone
mode=customize sections=[]
";

fn rules() -> Loaded {
    load_text("ruleset.yaml", RULES).unwrap()
}

fn read(sources: &mut Sources, text: &str) -> TestFile {
    match TestFile::read(sources, Path::new("tests/a.test.yaml"), "tests/a.test.yaml", text.to_owned()) {
        Ok(file) => file,
        Err(diagnostics) => panic!("{diagnostics:?}"),
    }
}

/// Runs a test file and hands its results over.
fn with_results<T>(text: &str, stored: &str, look: impl FnOnce(&Results<'_>) -> T) -> T {
    let (loaded, mut tests) = (rules(), Sources::default());
    let file = read(&mut tests, text);
    assert_eq!(file.check_ids(&loaded.rules), []);
    let stored = Snapshots::parse(stored);
    let mut seen = Coverage::new(&loaded.rules);
    let runs = run(&file, &loaded.rules, &Filter::default(), Some(&stored), Some(&mut seen));
    let set = SetCoverage { rules: &loaded.sources, name: "ruleset.yaml".to_owned(), report: seen.report() };
    let results = Results {
        tests: &tests,
        files: vec![FileResults { file: &file, rules: &loaded.sources, runs, orphans: orphans(&file, &stored) }],
        stray: vec!["tests/b.test.snap".into()],
        coverage: Some(vec![set]),
    };
    look(&results)
}

#[test]
fn failures_are_understood_on_their_own() {
    insta::assert_snapshot!("human", with_results(FAILING, STORED, human));
}

#[test]
fn the_other_formats_have_the_same() {
    let short = "version: 1\ntests:\n  - {name: 'a #1 <b>', context: {}, expect: {contributor: rocket, mode: customize}}\n  - {name: fine, context: {}, expect: {mode: customize}}\n";
    insta::assert_snapshot!("json", with_results(short, "", json));
    insta::assert_snapshot!("junit", with_results(short, "=== gone\n", junit));
    insta::assert_snapshot!("tap", with_results(short, "=== gone\n", tap));
}

#[test]
fn what_is_wrong_with_test_files() {
    let files = [
        "version: 1\ntests:\n  - name: a\n    context: {model: ''}\n    expect: {mode: customise, sections: {tones: {absent: true}}}\n",
        "version: 1\ntests:\n  - {name: a, context: {}, expect: {content: {matches: '(a'}}}\n  - {name: a, context: {}, snapshot: true}\n",
        "version: 1\ntests:\n  - {name: a}\n  - {name: b, request: {}, context: {}, snapshot: true}\n",
        "version: 1\ntests:\n  - {name: a, context: {}, expect: {contributor: rocket5, lines: {not_rendered: [brwser], rendered: [nothing]}}}\n",
        "version: 1\ntests:\n  - name: big\n    matrix: {settings: {a: [1,2,3,4,5,6,7,8,9,0], b: [1,2,3,4,5,6,7,8,9,0], c: [1,2,3,4,5,6,7,8,9,0], d: [1,2,3,4,5,6,7,8,9,0], e: [1,2,3,4,5,6,7,8,9,0], f: [1, 2]}}\n    expect: {mode: customize}\n",
    ];
    let loaded = rules();
    let mut out = String::new();
    for text in files {
        let mut sources = Sources::default();
        let path = Path::new("a.test.yaml");
        let diagnostics = match TestFile::read(&mut sources, path, "a.test.yaml", text.to_owned()) {
            Ok(file) => file.check_ids(&loaded.rules),
            Err(diagnostics) => diagnostics,
        };
        for diagnostic in sorted(diagnostics) {
            let start = sources.start(diagnostic.span);
            let help = diagnostic.help.join("; ");
            let code = diagnostic.code.as_str();
            out.push_str(&format!("{}:{} {code}: {} {help}\n", start.line, start.column, diagnostic.message));
        }
        out.push('\n');
    }
    insta::assert_snapshot!("test-file-errors", out);
}

#[test]
fn a_matrix_is_every_combination() {
    let text = "version: 1\ntests:\n  - name: m\n    context: {client_tools: [a], settings: {x: 1}}\n    matrix: {model: [null, m/1], settings: {s: [true, 'true', null]}, client_tools: [[], [b, c]]}\n    expect: {mode: customize}\n";
    let mut sources = Sources::default();
    let file = read(&mut sources, text);
    let Subject::Contexts(cases) = &file.tests[0].subject else { panic!("a matrix") };
    assert_eq!(cases.len(), 12);
    assert_eq!(cases[0].label, "model=null, settings.s=true, client_tools=[]");
    assert_eq!(cases[9].label, "model=m/1, settings.s=true, client_tools=[b, c]");
    assert_eq!(cases[7].context.model.as_deref(), Some("m/1"));
    assert_eq!(cases[7].context.client_tools, ["b", "c"]);
    assert_eq!(cases[0].context.settings["x"], 1);
}

/// Counted by hand: see the comments.
#[test]
fn coverage_of_a_small_set() {
    let tests = |contexts: &str| {
        let cases = contexts.lines().enumerate();
        let cases = cases.map(|(number, context)| {
            format!("  - {{name: '{number}', context: {context}, expect: {{mode: customize}}}}\n")
        });
        format!("version: 1\ntests:\n{}", cases.collect::<String>())
    };
    let counts = |contexts: &str| {
        with_results(&tests(contexts), "", |results| {
            let report = &results.coverage.as_ref().unwrap()[0].report;
            report.counts().map(|(_, count)| (count.covered, count.total))
        })
    };
    // Contributors rocket-5, rocket; two guarded overrides; two lines; one block; gates: rocket-5,
    // guidelines:append, guidelines:remove, browser, with two outcomes each; conditions: two in the
    // `any`, two in browser's.
    // Without a model: only `always` and `last`; browser's gate fails.
    assert_eq!(counts("{}"), [(0, 2), (0, 2), (1, 2), (1, 1), (1, 8), (0, 4)]);
    // The opt-in fails: the parent takes part; rocket-5's gate fails.
    assert_eq!(counts("{model: rocket-5}"), [(1, 2), (0, 2), (1, 2), (1, 1), (2, 8), (0, 4)]);
    // The `any` holds by runTests alone; `remove` is not asked; browser fails.
    let tests_tool = "{model: rocket-5, settings: {tuned: true}, client_tools: [runTests]}";
    assert_eq!(counts(tests_tool), [(2, 2), (1, 2), (1, 2), (1, 1), (3, 8), (0, 4)]);
    let all = [
        "{}",
        "{model: rocket-5}",
        tests_tool,
        // By workspaceless alone: with this and the next, both have decided alone both ways.
        "{model: rocket-5, settings: {tuned: true}, workspaceless: true}",
        // Neither; openPage, so that `remove` does not apply and browser is rendered.
        "{model: rocket-5, settings: {tuned: true}, client_tools: [openPage]}",
        // Neither, and no openPage: `remove` applies.
        "{model: rocket-5, settings: {tuned: true}}",
    ];
    // Missing still: browser failing by tool search alone.
    assert_eq!(counts(&all.join("\n")), [(2, 2), (2, 2), (2, 2), (1, 1), (8, 8), (3, 4)]);
    let last = "{client_tools: [openPage], tool_search_active: true}";
    let complete = [&all[..], &[last]].concat().join("\n");
    assert_eq!(counts(&complete), [(2, 2), (2, 2), (2, 2), (1, 1), (8, 8), (4, 4)]);
    insta::assert_snapshot!("coverage-holes", with_results(&tests(&all[..3].join("\n")), "", coverage));
    insta::assert_snapshot!("coverage-complete", with_results(&tests(&complete), "", coverage));
}

#[test]
fn a_passing_run_says_nothing() {
    let text = "version: 1\ntests:\n  - {name: fine, context: {model: rocket-4}, expect: {contributor: rocket, sections: {tone: {equals: \"\\nWrite plain sentences.\\nLeave out praise.\"}}}}\n";
    with_results(text, "", |results| {
        assert!(human(results).starts_with("ORPHAN tests/b.test.snap"));
        assert_eq!((results.total(), results.failed()), (1, 0));
    });
}
