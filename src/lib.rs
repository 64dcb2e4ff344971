#![doc = include_str!("../README.md")]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a failing test panics"
    )
)]

pub mod analysis;
mod canonical;
#[cfg(feature = "cli")]
pub mod cli;
mod compile;
pub mod context;
pub mod diagnostic;
pub mod diff;
pub mod explain;
pub mod fix;
pub mod interpret;
pub mod launch;
pub mod lint;
pub mod load;
pub mod matrix;
pub mod message;
mod parallel;
pub mod policy;
pub mod report;
pub mod rule_tests;
pub mod rules;
pub mod source;
mod symbolic;
