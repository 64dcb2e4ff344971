//! What must hold for any input: no panic, places inside the files, the same answer for twins.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failing test panics"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use promptrules::context::Context;
use promptrules::diagnostic::Diagnostic;
use promptrules::interpret::resolve;
use promptrules::load::{LoadError, Memory, ReadError, load_from, load_text, read_text};
use promptrules::message::SystemMessageConfig;
use promptrules::report::{Checked, Report, json, sorted};
use promptrules::rules::RuleSet;
use promptrules::source::{Sources, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

/// Rule sets with contexts, one JSON object a line.
const NAMED: &str = include_str!("conformance/named.jsonl");

/// The files of one rule set, by path.
type Files = BTreeMap<String, String>;

/// What came of loading: a report for programs, and the rules if there are any.
struct Outcome {
    report: String,
    rules: Option<RuleSet>,
}

/// Loads a rule set and makes sure that whatever is said points into the files.
fn outcome(files: &Files) -> Outcome {
    match load_from(&Memory::new(files.clone()), Path::new("ruleset.yaml")) {
        Ok(loaded) => Outcome { report: report(&loaded.sources, &[]), rules: Some(loaded.rules) },
        Err(LoadError::Rules(failed)) => {
            assert!(!failed.diagnostics.is_empty());
            failed.diagnostics.iter().for_each(|diagnostic| points_into(&failed.sources, diagnostic));
            Outcome { report: report(&failed.sources, &sorted(failed.diagnostics)), rules: None }
        }
        Err(error @ LoadError::Root { .. }) => panic!("{error}"),
    }
}

fn report(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let report = Report { sets: vec![Checked { sources, diagnostics }], deny_warnings: false };
    #[cfg(feature = "cli")]
    let _ = promptrules::report::human(&report);
    json(&report)
}

fn points_into(sources: &Sources, diagnostic: &Diagnostic) {
    let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    let labels = diagnostic.related.iter().map(|label| label.span);
    for Span { file, start, end } in [diagnostic.span].into_iter().chain(labels).chain(edits) {
        let text = sources.file(file).text();
        assert!(text.get(start as usize..end as usize).is_some(), "{start}..{end} in {}: {diagnostic:?}", text.len());
    }
}

fn one_file(text: impl Into<String>) -> Files {
    Files::from([("ruleset.yaml".to_owned(), text.into())])
}

/// All rule files of a folder, by their path in it.
fn folder(root: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml")
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), text);
            }
        }
    }
    files
}

fn shipped() -> Files {
    folder(Path::new("rules"))
}

/// The named situations: rules and contexts.
static SITUATIONS: LazyLock<Vec<(Files, Vec<Context>)>> = LazyLock::new(|| {
    let situation = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let contexts = case["resolutions"].as_array().unwrap().iter();
        let contexts = contexts.map(|resolution| serde_json::from_value(resolution["context"].clone()).unwrap());
        (one_file(serde_json::to_string_pretty(&case["rules"]).unwrap()), contexts.collect())
    };
    NAMED.lines().map(situation).collect()
});

/// Rule sets to begin from: the shipped one, the named ones in two notations, the broken ones.
static SEEDS: LazyLock<Vec<Files>> = LazyLock::new(|| {
    let codes = fs::read_dir("tests/fixtures/invalid").unwrap().map(|entry| entry.unwrap().path());
    let cases = codes.flat_map(|code| fs::read_dir(code).unwrap().map(|entry| folder(&entry.unwrap().path())));
    let mut seeds: Vec<Files> = cases.filter(|files| files.contains_key("ruleset.yaml")).collect();
    for (files, _) in SITUATIONS.iter() {
        let rules: Value = serde_json::from_str(&files["ruleset.yaml"]).unwrap();
        seeds.push(one_file(serde_yaml::to_string(&rules).unwrap()));
        seeds.push(files.clone());
    }
    seeds.push(shipped());
    seeds
});

/// Some facts, for rules that nobody wrote.
fn contexts() -> Vec<Context> {
    let contexts = serde_json::json!([
        {},
        {"model": "claude-opus-4.8", "settings": {"opus48Prompt": true, "on": "yes"}},
        {"model": "openai/gpt-5.4-mini", "client_tools": ["openBrowserPage", "readPage", "runTests"]},
        {"model": "é", "workspaceless": true, "tool_search_active": true, "client_tools": [""]},
    ]);
    serde_json::from_value(contexts).unwrap()
}

fn resolutions(rules: &RuleSet, contexts: &[Context]) -> Vec<(SystemMessageConfig, String)> {
    let resolution = |context: &Context| {
        let message = resolve(rules, context);
        let summary = message.summary();
        (message, summary)
    };
    contexts.iter().map(resolution).collect()
}

/// How often a property is tried; `PROPTEST_CASES` says otherwise.
fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

// Twins

/// The same files with a byte-order mark and CRLF line ends.
fn twin(files: &Files) -> Files {
    let text = |text: &String| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    files.iter().map(|(path, original)| (path.clone(), text(original))).collect()
}

#[test]
fn a_mark_and_crlf_make_no_difference() {
    let contexts = contexts();
    for files in SEEDS.iter().filter(|files| files.values().all(|text| !text.contains(['\r', '\u{feff}']))) {
        let (plain, twin) = (outcome(files), outcome(&twin(files)));
        assert_eq!(plain.report, twin.report);
        let both = (plain.rules, twin.rules);
        let resolved = |rules: Option<RuleSet>| rules.map(|rules| resolutions(&rules, &contexts));
        assert_eq!(resolved(both.0), resolved(both.1), "{files:?}");
    }
}

// Contexts

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn the_order_of_tools_and_settings_does_not_matter(situation in any::<Index>(), order in vec(any::<Index>(), 8)) {
        let (files, contexts) = situation.get(&SITUATIONS);
        let rules = outcome(files).rules.unwrap();
        let shuffled: Vec<Context> = contexts.iter().map(|context| shuffled(context, &order)).collect();
        prop_assert_eq!(resolutions(&rules, contexts), resolutions(&rules, &shuffled));
    }

    #[test]
    fn a_resolution_does_not_depend_on_an_earlier_one(situation in any::<Index>(), order in vec(any::<Index>(), 1..20)) {
        let (files, contexts) = situation.get(&SITUATIONS);
        let rules = outcome(files).rules.unwrap();
        for index in order {
            let context = std::slice::from_ref(index.get(contexts));
            let fresh = outcome(files).rules.unwrap();
            prop_assert_eq!(resolutions(&rules, context), resolutions(&fresh, context));
        }
    }
}

/// The same facts in another order, some tools twice.
fn shuffled(context: &Context, order: &[Index]) -> Context {
    let mut other = context.clone();
    let mut settings: Vec<(String, Value)> = std::mem::take(&mut other.settings).into_iter().collect();
    for (at, index) in order.iter().enumerate() {
        if let Some(last) = other.client_tools.len().checked_sub(1) {
            other.client_tools.swap(at.min(last), index.index(last + 1));
        }
        if let Some(last) = settings.len().checked_sub(1) {
            settings.swap(at.min(last), index.index(last + 1));
        }
    }
    other.client_tools.extend(other.client_tools.first().cloned());
    other.settings = settings.into_iter().collect();
    other
}

// Any bytes

/// Pieces that matter to some stage.
const PIECES: [&str; 40] = [
    "\n", " ", "  ", "\t", "- ", ": ", ":", ",", "[", "]", "{", "}", "{{", "}}", "\"", "'", "|", "|-\n", ">+\n", "#",
    " #", "&a", "*a", "!t", "<<", "---\n", "...\n", "%", "@", "`", "?", "\\", "\r", "\u{feff}", "\u{85}", "\u{2028}",
    "\u{7}", "é", "🙂", "null",
];

/// One change of a text: what from a place on is replaced by a piece, or by a copy of another stretch.
#[derive(Clone, Debug)]
struct Change {
    at: Index,
    length: usize,
    with: Result<&'static str, Index>,
}

fn change() -> impl Strategy<Value = Change> {
    let with = prop_oneof![4 => select(&PIECES[..]).prop_map(Ok), 1 => any::<Index>().prop_map(Err)];
    (any::<Index>(), prop_oneof![Just(0), Just(1), 0..20_usize], with).prop_map(|(at, length, with)| Change {
        at,
        length,
        with,
    })
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for Change { at, length, with } in changes {
        let at = at.index(chars.len() + 1);
        let end = (at + length).min(chars.len());
        let piece: Vec<char> = match with {
            Ok(piece) => piece.chars().collect(),
            Err(from) => chars.iter().skip(from.index(chars.len() + 1)).take(30).copied().collect(),
        };
        chars.splice(at..end, piece);
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        match read_text(&bytes[..]) {
            Ok(text) => drop(outcome(&one_file(text))),
            Err(error) => prop_assert!(matches!(error, ReadError::NotUtf8(_))),
        }
    }

    #[test]
    fn any_text_is_loaded_or_refused(pieces in vec(prop_oneof![select(&PIECES[..]), select(&["version: 1\n", "base: ", "a"][..])], 0..40)) {
        drop(outcome(&one_file(pieces.concat())));
    }

    #[test]
    fn changed_rules_are_loaded_or_refused(seed in any::<Index>(), file in any::<Index>(), changes in vec(change(), 1..5)) {
        let mut files = seed.get(&SEEDS).clone();
        let path = file.get(&files.keys().cloned().collect::<Vec<_>>()).clone();
        let text = changed(&files[&path], &changes);
        files.insert(path, text);
        if let Some(rules) = outcome(&files).rules {
            drop(resolutions(&rules, &contexts()));
        }
    }
}

// Hostile sizes

const BASE: &str = "version: 1\nbase: {sections: {}}\n";

/// The only message about a text.
fn message(text: String) -> String {
    let files = Memory::new([("ruleset.yaml", text)]);
    match load_from(&files, Path::new("ruleset.yaml")) {
        Err(LoadError::Rules(failed)) => match failed.diagnostics.as_slice() {
            [only] => format!("{}: {}", only.code.as_str(), only.message),
            many => panic!("{} errors, the first: {:?}", many.len(), many.first()),
        },
        other => panic!("{other:?}"),
    }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn deep_nesting_is_refused() {
    for opening in ["[", "{a: ", "- ", "[{a: "] {
        let found = message(format!("{BASE}texts:\n  a:\n    {}", opening.repeat(100_000)));
        assert_eq!(found, "yaml-unsupported: lists and mappings are nested deeper than 64", "{opening}");
    }
}

#[test]
fn aliases_are_refused_before_they_grow() {
    let bomb = format!("a: &a [x, x]\n{}", lines(30, |at| format!("b{at}: &b{at} [*a, *a, *a, *a]\n")));
    assert!(message(bomb).starts_with("yaml-unsupported: `&a` would be an anchor"));
}

#[test]
fn chains_and_doublings_end() {
    let link = |name: &str, count: usize, line: fn(usize) -> String| format!("{BASE}{name}:\n{}", lines(count, line));
    let texts = link("texts", 40, |at| format!("  t{at}: [{{use: t{}}}]\n", at + 1)) + "  t40: a\n";
    assert_eq!(message(texts), "text-cycle: more than 32 shared texts use each other in a row");
    let groups = link("catalog:\n model_groups", 40, |at| format!("  g{at}: {{group: g{}}}\n", at + 1));
    assert_eq!(
        message(groups + "  g40: {prefix: a}\n"),
        "group-cycle: more than 32 model groups use each other in a row"
    );
    let rules =
        link("contributors", 40, |at| format!("  - {{id: c{at}, extends: c{}, match: {{families: [a]}}}}\n", at + 1));
    assert_eq!(
        message(rules + "  - {id: c40}\n"),
        "extends-cycle: more than 32 contributors extend each other in a row"
    );
    let doubling = link("texts", 30, |at| format!("  t{at}: [{{use: t{0}}}, {{use: t{0}}}]\n", at + 1)) + "  t30: a\n";
    assert_eq!(
        message(doubling),
        "text-cycle: the shared texts come to more than 10000 parts once every reference is followed"
    );
    let long = link("texts", 100_000, |at| format!("  t{at}: [{{use: t{}}}]\n", at + 1)) + "  t100000: a\n";
    assert_eq!(message(long), "text-cycle: more than 32 shared texts use each other in a row");
}

#[test]
fn many_circles_end() {
    let text =
        format!("{BASE}texts:\n{}", lines(50_000, |at| format!("  t{at}: [{{use: t{}}}, {{use: t0}}]\n", at + 1)));
    let Err(LoadError::Rules(failed)) = load_text("ruleset.yaml", &text) else { panic!("these are circles") };
    assert_eq!(failed.diagnostics.len(), 1000);
    assert_eq!(failed.diagnostics[999].help, ["there are more errors than the first 1000; they are not shown"]);
}

#[test]
fn a_mapping_of_200_000_keys_is_read() {
    let settings =
        |count| format!("{BASE}catalog:\n settings:\n{}", lines(count, |at| format!("  s{at}: {{type: boolean}}\n")));
    assert!(load_text("ruleset.yaml", &settings(20_000)).is_ok());
    let twice = message(settings(200_000) + "  s7: {type: boolean}\n");
    assert_eq!(twice, "duplicate-key: the key `s7` stands twice in one mapping");
}

#[test]
fn faults_on_one_long_line_are_told_quickly() {
    let text = format!("{{version: 1, base: {{sections: {{}}}}{}}}", lines(100_000, |at| format!(", é{at}: 1")));
    let report = outcome(&one_file(text)).report;
    assert_eq!(report.matches("\"code\"").count(), 1000);
}

#[test]
fn groups_do_not_multiply() {
    let group = lines(100_000, |at| format!("a{at}, "));
    let rules = lines(50, |at| format!("  - {{id: l{at}, when: {{has_any_client_tool: [$g, $g]}}, text: a}}\n"));
    assert_eq!(
        message(format!("{BASE}catalog: {{tool_groups: {{g: [{group}]}}}}\ntrailing:\n{rules}")),
        "invalid-value: the lists of tools come to more than 1000000 tools once every group is followed"
    );
}

#[test]
fn a_string_full_of_faulty_variables_is_told_quickly() {
    for (piece, code) in [("{{y}} ", "undefined-variable"), ("{{ ", "unclosed-variable")] {
        let rule = format!("{{id: a, bind: {{x: {{first_client_tool: [a]}}}}, text: '{}'}}", piece.repeat(1_000_000));
        let report = outcome(&one_file(format!("{BASE}trailing: [{rule}]\n"))).report;
        assert!((1..=100).contains(&report.matches(code).count()));
    }
}

#[test]
fn names_of_any_kind_stay_on_one_line() {
    for name in ["a\\nb", "\\e[31m", "\\u202e", "\\0"] {
        let found = message(format!("{BASE}\"{name}\": 1\n"));
        assert!(!found.contains(char::is_control), "{found:?}");
    }
    let long = message(format!("{BASE}{}: 1\n", "x".repeat(1000)));
    assert!(long.chars().count() < 700, "{long}");
}

/// A folder that is removed at the end, whatever happens.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("promptrules-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn load(&self) -> Result<(), Vec<(String, String)>> {
        match promptrules::load::load(&self.0) {
            Ok(_) => Ok(()),
            Err(LoadError::Rules(failed)) => {
                let found =
                    failed.diagnostics.iter().map(|found| (found.code.as_str().to_owned(), found.message.clone()));
                Err(found.collect())
            }
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_of_50_megabytes_is_not_read() {
    let folder = Folder::new("large");
    let mut text = BASE.as_bytes().to_vec();
    text.resize(50 * 1024 * 1024, b'#');
    folder.write("ruleset.yaml", &text);
    let expected = ("yaml-unsupported".to_owned(), "the file cannot be a rule file: it has more than 16 MB".to_owned());
    assert_eq!(folder.load(), Err(vec![expected.clone()]));
    folder.write("large.yaml", &text);
    folder.write("ruleset.yaml", format!("{BASE}include: [large.yaml]\n"));
    assert_eq!(folder.load(), Err(vec![expected]));
}

#[test]
fn a_chain_of_5000_files_is_read() {
    let folder = Folder::new("chain");
    for at in 1..5000 {
        folder.write(&format!("{at}.yaml"), format!("version: 1\ninclude: [{}.yaml]\n", at + 1));
    }
    folder.write("5000.yaml", "version: 1\n");
    folder.write("ruleset.yaml", format!("{BASE}include: [1.yaml]\n"));
    assert_eq!(folder.load(), Ok(()));
    folder.write("5000.yaml", "version: 1\ninclude: [1.yaml]\n");
    let found = folder.load().unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "include-cycle");
    assert!(found[0].1.chars().count() < 700, "{}", found[0].1);
}
