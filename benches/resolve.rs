//! What one resolution costs, from 20 to 20,000 contributors, and what of it is copying text.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "a benchmark may panic")]

mod common;

use divan::{Bencher, black_box};
use promptrules::interpret::{Facts, ModelId, choose, resolve};
use promptrules::load::load_text;

const SIZES: [usize; 4] = [20, 200, 2_000, 20_000];
const LINES: usize = 8;

fn main() {
    divan::main();
}

/// The whole resolution, texts copied.
#[divan::bench(args = SIZES, sample_size = 1024)]
fn whole(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = load_text("ruleset.yaml", &common::rules(contributors, LINES).to_string()).unwrap().rules;
    let contexts = common::contexts(contributors, 512);
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % contexts.len();
        black_box(resolve(&rules, &contexts[next]))
    });
}

/// Facts and the choice of the contributor, without any text.
#[divan::bench(args = SIZES, sample_size = 1024)]
fn select(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = load_text("ruleset.yaml", &common::rules(contributors, LINES).to_string()).unwrap().rules;
    let contexts = common::contexts(contributors, 512);
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % contexts.len();
        let facts = Facts::new(&rules.catalog, &contexts[next]);
        let model = ModelId::new(contexts[next].model.as_deref().unwrap());
        black_box((choose(&rules, &model).map(|choice| choice.contributor.span), facts.workspaceless))
    });
}

/// Copying a result as large as the resolution's: the floor.
#[divan::bench(args = SIZES, sample_size = 1024)]
fn copy(bencher: Bencher<'_, '_>, contributors: usize) {
    let rules = load_text("ruleset.yaml", &common::rules(contributors, LINES).to_string()).unwrap().rules;
    let messages: Vec<_> = common::contexts(contributors, 512).iter().map(|context| resolve(&rules, context)).collect();
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % messages.len();
        black_box(messages[next].clone())
    });
}
