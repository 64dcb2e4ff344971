//! Any text loads or gives at least one load error, each at a place inside its file; never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptrules::lint;
use promptrules::load::{LoadError, Memory, load_text};

fuzz_target!(|text: &str| match load_text("ruleset.yaml", text) {
    Ok(mut loaded) => drop(lint::check(&mut loaded, &Memory::default())),
    Err(LoadError::Rules(failed)) => {
        assert!(!failed.diagnostics.is_empty());
        for diagnostic in &failed.diagnostics {
            let text = failed.sources.file(diagnostic.span.file).text();
            assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
        }
    }
    Err(LoadError::Root { error, .. }) => panic!("{error}"),
});
