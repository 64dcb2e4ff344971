//! A catalogue of typical edits of a rule set: what `diff` says of each, its level, and whom it touches.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a failing test panics")]

use std::collections::BTreeSet;

use promptrules::diff::{Diff, diff};
use promptrules::load::{Loaded, load_text};
use promptrules::report::changes::{Changes, github, human, json, markdown};

const BEFORE: &str = include_str!("fixtures/diff/before.yaml");

const ALL: &str = "claude-opus-4.8 claude-sonnet-5 anthropic/Claude-Haiku gpt-5 gpt-5-mini gpt-50 o3 grok-4";
const CLAUDE: &str = "claude-opus-4.8 claude-sonnet-5 anthropic/Claude-Haiku";
const GPT: &str = "gpt-5 gpt-5-mini gpt-50 o3";
const OPUS: &str = "claude-opus-4.8";

/// A name, what is replaced by what, and the expected levels with the models that each touches.
type Edit = (&'static str, &'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)]);

#[rustfmt::skip]
const EDITS: &[Edit] = &[
    // Contributors.
    ("a new contributor above an old one", &[("contributors:\n", "contributors:\n  - {id: sonnet, match: {model: {prefix: claude-sonnet}}, sections: {tone: {action: append, content: \"\\nBe brief.\"}}}\n")],
        &[("selection", "claude-sonnet-5")]),
    ("a new contributor for models that nobody took", &[("contributors:\n", "contributors:\n  - {id: grok, match: {families: [grok]}, sections: {tone: {action: append, content: \"\\nBe brief.\"}}}\n")],
        &[("selection", "grok-4")]),
    ("a contributor is gone", &[("  - id: gpt\n    match: {families: [gpt-5, o3]}\n    sections:\n      tone: {action: append, content: \"\\nUse prose.\"}\n      guidelines:\n        - {when: {has_client_tool: runTests}, action: append, content: \"\\nRun the tests.\"}\n        - {action: append, content: [\"\", {use: scope}]}\n", "")],
        &[("selection", GPT)]),
    ("a family prefix is shortened", &[("families: [gpt-5, o3]", "families: [gpt-, o]")], &[("selection", "")]),
    ("a family prefix takes fewer ids", &[("families: [gpt-5, o3]", "families: [gpt-5-, gpt-50, o3]")],
        &[("selection", "gpt-5")]),
    ("a matcher is normalised", &[("normalize: [vendor, lowercase], prefix: claude", "normalize: [vendor, lowercase, dashes], prefix: claude")], &[]),
    ("a matcher is no longer normalised", &[("{normalize: [vendor, lowercase], prefix: claude}", "{prefix: claude}")],
        &[("selection", "anthropic/Claude-Haiku"), ("selection", ""), ("selection", ""), ("gate", "anthropic/Claude-Haiku")]),
    ("a general contributor moves in front of an opt-in one", &[("  - id: opus\n", "  - {id: early, match: {model: {prefix: claude}}, extends: claude}\n  - id: opus\n")],
        &[("selection", OPUS)]),
    ("a predicate becomes prefixes", &[("  - id: claude\n    match: {model: {group: claude}}", "  - id: claude\n    match: {families: [claude, anthropic/Claude]}")],
        &[("selection", ""), ("selection", ""), ("selection", "")]),
    ("a contributor is renamed", &[("  - id: gpt\n", "  - id: openai\n")], &[]),
    ("an opt-in setting is dropped", &[("    when: {setting_equals: {tuned: true}}\n", "")],
        &[("gate", OPUS)]),
    ("another parent", &[("    extends: claude\n", "    extends: gpt\n")],
        &[("text", OPUS)]),
    ("a full prompt", &[("  - id: gpt\n", "  - id: gpt\n    full_prompt: You are GPT.\n")],
        &[("guardrail", GPT)]),
    // Sections.
    ("safety removed", &[("      tone: {action: append, content: \"\\nUse prose.\"}\n", "      tone: {action: append, content: \"\\nUse prose.\"}\n      safety: {action: remove}\n")],
        &[("guardrail", GPT)]),
    ("safety added to", &[("      tone: {action: append, content: \"\\nUse prose.\"}\n", "      tone: {action: append, content: \"\\nUse prose.\"}\n      safety: {action: append, content: \"\\nAsk first.\"}\n")],
        &[("text", GPT)]),
    ("append becomes replace", &[("tone: {action: append, content: \"\\nUse prose.\"}", "tone: {action: replace, content: \"\\nUse prose.\"}")],
        &[("guardrail", GPT)]),
    ("a section is no longer overridden", &[("      tone: {action: append, content: \"\\nUse prose.\"}\n", "")],
        &[("text", GPT)]),
    ("a word in a section", &[("Use prose.", "Use tables.")], &[("text", GPT)]),
    ("a guarded alternative is loosened", &[("- {when: {has_client_tool: runTests}, action: append", "- {when: {has_any_client_tool: [runTests, readPage]}, action: append")],
        &[("gate", GPT)]),
    ("alternatives change places", &[("        - {when: {has_client_tool: runTests}, action: append, content: \"\\nRun the tests.\"}\n        - {action: append, content: [\"\", {use: scope}]}\n", "        - {action: append, content: [\"\", {use: scope}]}\n        - {when: {has_client_tool: runTests}, action: append, content: \"\\nRun the tests.\"}\n")],
        &[("text", GPT)]),
    ("sections of the default change places", &[("    preamble: {action: replace, content: You are the agent of this editor.}\n    environment_context: {when: {workspaceless: false}, action: append, content: \"\\nA folder is open.\"}\n", "    environment_context: {when: {workspaceless: false}, action: append, content: \"\\nA folder is open.\"}\n    preamble: {action: replace, content: You are the agent of this editor.}\n")],
        &[("text", ALL)]),
    ("a line break more in a section", &[("content: \"\\nUse prose.\"", "content: \"\\n\\nUse prose.\"")], &[("bytes", GPT)]),
    ("the default's content is hidden", &[("  - id: gpt\n", "  - id: gpt\n    content: \"\"\n")], &[("text", GPT)]),
    // Lines and blocks.
    ("a line is dropped", &[("  - {id: output, text: Search saved output.}\n", "")], &[("guardrail", ALL)]),
    ("a block is dropped", &[("  - {id: links, text: Link files.}\n", "")], &[("guardrail", ALL)]),
    ("a line is new", &[("  - {id: output,", "  - {id: extra, when: {model: {prefix: gpt}}, text: Extra.}\n  - {id: output,")],
        &[("text", "gpt-5 gpt-5-mini gpt-50")]),
    ("a line's gate is loosened", &[("when: {has_client_tool: openPage}\n", "when: {has_any_client_tool: [$pages]}\n")], &[("gate", ALL)]),
    ("a line's gate is tightened", &[("{id: tests, when: {has_client_tool: runTests}", "{id: tests, when: {has_all_client_tools: [runTests, openPage]}")], &[("gate", ALL)]),
    ("a block is for one family only", &[("{id: links, text", "{id: links, when: {model: {group: claude}}, text")], &[("gate", "gpt-5 gpt-5-mini gpt-50 o3 grok-4")]),
    ("lines change places", &[("  - {id: output, text: Search saved output.}\n", ""), ("  - {id: tests, when: {has_client_tool: runTests}, text: Test with runTests.}\n", "  - {id: tests, when: {has_client_tool: runTests}, text: Test with runTests.}\n  - {id: output, text: Search saved output.}\n")],
        &[("text", ALL)]),
    ("white space in a line", &[("Search saved output.", "Search  saved output.")], &[("bytes", ALL)]),
    ("a binding prefers another tool", &[("[readPage, runTests]}}", "[runTests, readPage]}}")], &[("text", ALL)]),
    ("a line's text as one string", &[("[\"Open pages with openPage.\", \"Read them with {{companion}}.\"]", "\"Open pages with openPage.\\nRead them with {{companion}}.\"")], &[("text", ALL)]),
    // The catalog.
    ("a default is flipped", &[("tuned: {type: boolean, default: false}", "tuned: {type: boolean, default: true}")], &[("gate", OPUS)]),
    ("a default number is another", &[("limit: {type: number, default: 3}", "limit: {type: number, default: 5}")], &[("text", ALL)]),
    ("a default number is gone", &[("limit: {type: number, default: 3}", "limit: {type: number}")], &[("gate", ALL)]),
    ("a setting is renamed", &[("    tuned: {", "    tuning: {"), ("{tuned: true}", "{tuning: true}")], &[("gate", OPUS)]),
    ("a shared text", &[("- Do what was asked.", "- Do what was asked, no more.")], &[("text", "claude-opus-4.8 claude-sonnet-5 anthropic/Claude-Haiku gpt-5 gpt-5-mini gpt-50 o3")]),
    ("a tool group nobody uses in a gate", &[("pages: [openPage, readPage]", "pages: [readPage]")], &[]),
    // Launches.
    ("tool search for more models", &[("supported_models: {group: claude}", "supported_models: {any: [{group: claude}, {prefix: gpt-5}]}")], &[("gate", "gpt-5 gpt-5-mini gpt-50")]),
    ("another threshold", &[("  runtime_tool: tool", "  defer_threshold: 4\n  runtime_tool: tool")], &[("gate", CLAUDE)]),
    ("tools that are never deferred", &[("  runtime_tool: tool", "  never_defer: [runTests]\n  runtime_tool: tool")], &[("gate", CLAUDE)]),
];

fn edited(edits: &[(&str, &str)]) -> Loaded {
    let mut text = BEFORE.to_owned();
    for (from, to) in edits {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    load_text("ruleset.yaml", &text).unwrap_or_else(|error| panic!("{edits:?}: {error:?}"))
}

fn before() -> Loaded {
    load_text("ruleset.yaml", BEFORE).unwrap()
}

fn told(diff: &Diff) -> Vec<(&str, String)> {
    diff.differences.iter().map(|difference| (difference.level.as_str(), difference.models.join(" "))).collect()
}

fn changes<'a>(diff: &'a Diff, new: &'a Loaded, accepted: &'a BTreeSet<String>) -> Changes<'a> {
    Changes { old: "before", new: "after", diff, accepted, sources: &new.sources }
}

/// Without the styles of a terminal.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.filter_map(|part| part.split_once('m')).map(|(_, rest)| rest).collect::<String>()
}

#[test]
fn each_edit_has_its_level_and_its_models() {
    let before = before();
    let none = BTreeSet::new();
    let mut shown = String::new();
    let mut wrong = Vec::new();
    for (name, edits, expected) in EDITS {
        let after = edited(edits);
        let diff = diff(&before, &after);
        let expected: Vec<(&str, String)> =
            expected.iter().map(|(level, models)| (*level, (*models).to_owned())).collect();
        if told(&diff) != expected || !diff.undecided.is_empty() {
            wrong.push(format!("{name}: {:?}, not {expected:?}; {:?}", told(&diff), diff.undecided));
        }
        shown.push_str(&format!("## {name}\n\n{}\n", plain(&human(&changes(&diff, &after, &none)))));
    }
    insta::assert_snapshot!("edits", shown);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_formats_tell_the_same() {
    let before = before();
    let after = edited(&[
        ("  - {id: output, text: Search saved output.}\n", ""),
        ("Use prose.", "Use `tables`."),
        ("  runtime_tool: tool", "  defer_threshold: 4\n  runtime_tool: tool"),
    ]);
    let diff = diff(&before, &after);
    let accepted: BTreeSet<String> = diff
        .differences
        .iter()
        .filter(|found| found.level.as_str() == "text")
        .map(|found| found.fingerprint.clone())
        .collect();
    let changes = changes(&diff, &after, &accepted);
    insta::assert_snapshot!("human", plain(&human(&changes)));
    insta::assert_snapshot!("markdown", markdown(&changes));
    insta::assert_snapshot!("github", github(&changes));
    insta::assert_snapshot!("json", json(&changes));
}
