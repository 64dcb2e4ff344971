//! Diagnostics as workflow commands, which GitHub shows as annotations of changed lines.

use super::{Report, command_line, repository_path};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Sources;

/// One command a line, the worst first: only ten of each kind are shown for a step.
#[must_use]
pub fn github(report: &Report<'_>) -> String {
    let mut diagnostics: Vec<(&Sources, &Diagnostic)> = report.diagnostics().collect();
    diagnostics.sort_by_key(|(_, diagnostic)| diagnostic.severity);
    diagnostics.into_iter().map(|(sources, diagnostic)| command(sources, diagnostic)).collect()
}

fn command(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let file = repository_path(sources.file(diagnostic.span.file));
    let (start, end) = (sources.start(diagnostic.span), sources.end(diagnostic.span));
    let mut properties = format!("file={},line={},endLine={}", property(&file), start.line, end.line);
    // GitHub takes columns only for a place on a single line.
    if start.line == end.line {
        properties.push_str(&format!(",col={},endColumn={}", start.column, end.column));
    }
    let mut message = diagnostic.message.clone();
    diagnostic.help.iter().for_each(|help| message.push_str(&format!("\n{help}")));
    if let Some(context) = &diagnostic.witness {
        message.push_str(&format!("\nfor example: {}", command_line(context)));
    }
    format!("::{kind} {properties},title={}::{}\n", property(diagnostic.code.as_str()), data(&message))
}

pub(super) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

pub(super) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("100 %\nnext: a, b"), "100 %25%0Anext: a, b");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
