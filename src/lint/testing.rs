//! What the checks' own tests share.

use crate::diagnostic::{Code, Diagnostic};
use crate::load::{LoadError, Memory, load_from};
use crate::source::Sources;
use std::path::Path;

/// A rule set with what is found in it.
pub(super) struct Found {
    pub(super) sources: Sources,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The findings of a root file, or what `check` says of one that does not load.
pub(super) fn findings(rules: &str) -> Found {
    findings_in(&[("ruleset.yaml", rules)])
}

/// The same of several files, the root being the first.
pub(super) fn findings_in(files: &[(&str, &str)]) -> Found {
    let memory = Memory::new(files.iter().copied());
    match load_from(&memory, Path::new(files[0].0)) {
        Ok(mut loaded) => {
            let diagnostics = crate::report::sorted(super::check(&mut loaded, &memory));
            Found { sources: loaded.sources, diagnostics }
        }
        Err(LoadError::Rules(failed)) => {
            let diagnostics = crate::report::sorted(super::check_failed(&failed));
            Found { sources: failed.sources, diagnostics }
        }
        Err(error) => panic!("{error}"),
    }
}

/// The findings of a rule set whose `version` and empty `base` go without saying.
pub(super) fn of(rules: &str) -> Found {
    let base = if rules.contains("base:") { "" } else { "base: {sections: {}}\n" };
    findings(&format!("{}\nversion: 1\n{base}", rules.trim_start_matches('\n')))
}

/// Where a code is reported, with what stands there.
pub(super) fn places(found: &Found, code: Code) -> Vec<String> {
    let of_code = found.diagnostics.iter().filter(|diagnostic| diagnostic.code == code);
    of_code.map(|diagnostic| place(found, diagnostic)).collect()
}

fn place(found: &Found, diagnostic: &Diagnostic) -> String {
    let start = found.sources.start(diagnostic.span);
    format!("{}:{} {}", start.line, start.column, found.sources.text(diagnostic.span))
}

/// What stands at the places of a code.
pub(super) fn spots(found: &Found, code: Code) -> Vec<String> {
    let of_code = found.diagnostics.iter().filter(|diagnostic| diagnostic.code == code);
    of_code.map(|diagnostic| found.sources.text(diagnostic.span).to_owned()).collect()
}

/// The codes found, in order.
pub(super) fn codes(found: &Found) -> Vec<&'static str> {
    found.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// The root file with every fix of a code applied.
pub(super) fn fixed(found: &Found, code: Code) -> String {
    let of_code = found.diagnostics.iter().filter(|diagnostic| diagnostic.code == code);
    let mut edits: Vec<_> =
        of_code.filter_map(|diagnostic| diagnostic.fix.as_ref()).flat_map(|fix| &fix.edits).collect();
    edits.sort();
    let (_, file) = found.sources.files().next().unwrap();
    let mut text = file.text().to_owned();
    for edit in edits.into_iter().rev() {
        text.replace_range(edit.span.range(), &edit.replacement);
    }
    text
}
