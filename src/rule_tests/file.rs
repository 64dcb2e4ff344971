//! A test file as read: its tests, with their contexts and expectations.

use std::path::PathBuf;

use super::expect::Expectation;
use crate::context::Context;
use crate::launch::Request;
use crate::source::{FileId, Span};

/// One `*.test.yaml`.
#[derive(Debug)]
pub struct TestFile {
    /// The file.
    pub file: FileId,
    /// Where it lies.
    pub path: PathBuf,
    /// The rule set that it names, relative to its own folder.
    pub rules: Option<PathBuf>,
    /// Its tests, in written order.
    pub tests: Vec<Test>,
}

/// One test.
#[derive(Debug)]
pub struct Test {
    /// What it shows; unique in its file.
    pub name: String,
    /// The name's place.
    pub span: Span,
    /// What is resolved.
    pub subject: Subject,
    /// What must be true of the result, if it says.
    pub expect: Option<Expectation>,
    /// Whether the result is compared with the stored one.
    pub snapshot: bool,
}

/// What a test resolves.
#[derive(Debug)]
pub enum Subject {
    /// Contexts: one, or every combination of a matrix.
    Contexts(Vec<Case>),
    /// A launch request: its plan, and the context that it comes to.
    Request(Box<Request>),
}

/// One context of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Which combination of the matrix it is; empty without a matrix.
    pub label: String,
    /// The context.
    pub context: Context,
}
