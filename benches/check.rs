//! What `check` costs on a thousand files of 2 MB in all; nothing is found in them.
//!
//! `benches/ratio.sh` compares the command with a JSON Schema command line on the same files.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, dead_code, reason = "a benchmark may panic")]

mod common;
#[path = "common/many.rs"]
mod many;

use std::path::Path;

use divan::{Bencher, black_box};
use promptrules::lint;
use promptrules::load::load_from;

fn main() {
    match std::env::var_os("WRITE_TO") {
        Some(folder) => many::write(Path::new(&folder)),
        None => divan::main(),
    }
}

/// Read from memory, parse, validate, compile.
#[divan::bench(sample_count = 20)]
fn load(bencher: Bencher<'_, '_>) {
    let files = many::memory();
    bencher.bench(|| black_box(load_from(&files, Path::new("ruleset.yaml")).unwrap()));
}

/// All findings.
#[divan::bench(sample_count = 20)]
fn findings(bencher: Bencher<'_, '_>) {
    let files = many::memory();
    let load = || load_from(&files, Path::new("ruleset.yaml")).unwrap();
    assert!(lint::check(&mut load(), &files).is_empty());
    bencher.with_inputs(load).bench_refs(|loaded| black_box(lint::check(loaded, &files)));
}
