//! What loading a single file costs, by number of contributors.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, dead_code, reason = "a benchmark may panic")]

mod common;

use divan::{Bencher, black_box};
use promptrules::load::load_text;

fn main() {
    divan::main();
}

/// Text to rule set: parse, validate, compile.
#[divan::bench(args = [20, 200, 2_000, 20_000], sample_count = 10)]
fn one_file(bencher: Bencher<'_, '_>, contributors: usize) {
    let text = common::rules(contributors, 8).to_string();
    bencher.bench(|| black_box(load_text("ruleset.yaml", &text).unwrap()));
}
