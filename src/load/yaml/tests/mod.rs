//! Tests of the stage as a whole.

mod faults;
mod hostile;
mod oracle;
mod places;
mod values;

use super::parse;
use crate::diagnostic::Diagnostic;
use crate::load::node::Node;
use crate::source::{FileId, SourceFile, Sources};

/// One file.
struct File {
    sources: Sources,
    id: FileId,
}

impl File {
    fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        let id = sources.add(SourceFile::new("rules.yaml".into(), "rules.yaml".into(), text.into()));
        Self { sources, id }
    }

    #[expect(clippy::result_large_err, reason = "as `parse` itself")]
    fn parse(&self) -> Result<Node, Diagnostic> {
        parse(self.id, self.sources.file(self.id))
    }

    /// `CODE LINE:COLUMN "COVERED TEXT"`.
    fn place(&self, diagnostic: &Diagnostic) -> String {
        let start = self.sources.start(diagnostic.span);
        let covered = self.sources.text(diagnostic.span);
        format!("{} {}:{} {covered:?}", diagnostic.code.as_str(), start.line, start.column)
    }
}

/// The place of the one fault of a text.
fn fault(text: &str) -> String {
    let file = File::new(text);
    file.parse().map_or_else(|diagnostic| file.place(&diagnostic), |node| format!("fine: {}", node.to_json()))
}

/// The value of a text.
fn value(text: &str) -> serde_json::Value {
    File::new(text).parse().unwrap_or_else(|fault| panic!("{text:?}: {}", fault.message)).to_json()
}
