//! Every page's examples do what the page says.

use crate::diagnostic::{Class, Code, Diagnostic, Severity};
use crate::load::{LoadError, Memory, load_from};
use std::path::Path;

/// The files of one example: each fenced block is a file, named behind `yaml`, the root where it is not.
fn example(page: &str, heading: &str) -> Vec<(String, String)> {
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).unwrap_or_default();
    let blocks = section.split("```yaml").skip(1);
    blocks
        .map(|block| {
            let (info, rest) = block.split_once('\n').unwrap();
            let text = rest.split("\n```").next().unwrap();
            let name = if info.trim().is_empty() { "ruleset.yaml" } else { info.trim() };
            (name.to_owned(), whole(name, text))
        })
        .collect()
}

/// A snippet as a rule file that stands alone. A snippet that says its `version` is taken as it is.
fn whole(name: &str, snippet: &str) -> String {
    if snippet.contains("version:") || snippet.starts_with("raw\n") {
        return snippet.trim_start_matches("raw\n").to_owned();
    }
    let base = if name == "ruleset.yaml" && !snippet.contains("base:") { "base: {sections: {}}\n" } else { "" };
    format!("{snippet}\nversion: 1\n{base}")
}

fn diagnostics(files: Vec<(String, String)>) -> Vec<Diagnostic> {
    let files = Memory::new(files);
    match load_from(&files, Path::new("ruleset.yaml")) {
        Ok(mut loaded) => super::check(&mut loaded, &files),
        Err(LoadError::Rules(failed)) => super::check_failed(&failed),
        Err(error) => panic!("{error}"),
    }
}

fn serious(diagnostics: &[Diagnostic], code: Code) -> Vec<String> {
    let others = diagnostics.iter().filter(|other| other.code != code && other.severity < Severity::Info);
    others.map(|other| format!("{}: {}", other.code.as_str(), other.message)).collect()
}

/// Codes whose bad example is not run yet.
const UNTRIED: [Code; 1] = [Code::PolicyViolated];

#[test]
fn bad_examples_are_bad_and_good_ones_good() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("# {}\n", code.as_str())), "{code:?}: the page begins with its name");
        if UNTRIED.contains(code) {
            continue;
        }
        let bad = diagnostics(example(page, "Bad"));
        assert!(bad.iter().any(|found| found.code == *code), "{code:?}: the bad example gives {bad:#?}");
        assert_eq!(serious(&bad, *code), [""; 0], "{code:?}: beside the bad example's own");
        if code.class() == Class::LoadError {
            assert!(bad.iter().all(|found| found.code == *code), "{code:?}: {bad:#?}");
        }
        let good = diagnostics(example(page, "Good"));
        assert!(good.iter().all(|found| found.code != *code), "{code:?}: the good example gives {good:#?}");
        assert_eq!(serious(&good, *code), [""; 0], "{code:?}: in the good example");
    }
}
