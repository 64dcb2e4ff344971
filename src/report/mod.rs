//! Diagnostics as text, one renderer a file, all from the same [`Report`].

pub mod changes;
mod diff;
mod github;
#[cfg(feature = "cli")]
mod human;
mod json;
mod junit;
mod sarif;

use std::path::Path;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{SourceFile, Sources};

pub use diff::unified_diff;
pub use github::github;
#[cfg(feature = "cli")]
pub use human::human;
pub use json::json;
pub(crate) use junit::escaped;
pub use junit::junit;
pub use sarif::sarif;

/// The diagnostics of one rule set, with the files that they point into.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// The files.
    pub sources: &'a Sources,
    /// In the order in which they are shown, see [`sorted`].
    pub diagnostics: &'a [Diagnostic],
}

/// Everything that one run of `check` has to say.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The rule sets, in the order of the call.
    pub sets: Vec<Checked<'a>>,
    /// Whether a warning fails the run as an error does.
    pub deny_warnings: bool,
}

impl<'a> Report<'a> {
    /// All diagnostics with their files, in order.
    pub fn diagnostics(&self) -> impl Iterator<Item = (&'a Sources, &'a Diagnostic)> {
        self.sets.iter().flat_map(|set| set.diagnostics.iter().map(|diagnostic| (set.sources, diagnostic)))
    }

    /// Whether a diagnostic fails the run.
    #[must_use]
    pub fn fails(&self, diagnostic: &Diagnostic) -> bool {
        match diagnostic.severity {
            Severity::Error => true,
            Severity::Warning => self.deny_warnings,
            Severity::Info => false,
        }
    }

    /// How many diagnostics have this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics().filter(|(_, diagnostic)| diagnostic.severity == severity).count()
    }

    /// How many files were read.
    #[must_use]
    pub fn files(&self) -> usize {
        self.sets.iter().map(|set| set.sources.files().count()).sum()
    }
}

/// Diagnostics in their stable order: by file in load order, by place, by code; those that say the same are folded.
#[must_use]
pub fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|left, right| {
        let key = |diagnostic: &Diagnostic| (diagnostic.span, diagnostic.severity, diagnostic.code);
        key(left).cmp(&key(right)).then_with(|| left.message.cmp(&right.message))
    });
    diagnostics
        .dedup_by(|later, first| (later.code, later.span, &later.message) == (first.code, first.span, &first.message));
    diagnostics
}

/// A file's path from the top of the git repository around it, with forward slashes; its name outside of one.
#[must_use]
pub(crate) fn repository_path(file: &SourceFile) -> String {
    let inside = || {
        let path = file.path().canonicalize().ok()?;
        let top = path.ancestors().skip(1).find(|folder| folder.join(".git").exists())?;
        path.strip_prefix(top).ok().map(Path::to_owned)
    };
    let path = inside().unwrap_or_else(|| file.name().into());
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

/// A file's path from the top of its repository as a relative URI.
pub(crate) fn uri(file: &SourceFile) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let path = repository_path(file);
    path.bytes().map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A context as a command that anyone can run.
#[must_use]
pub fn command_line(context: &Context) -> String {
    let mut words = vec!["promptrules resolve".to_owned()];
    let mut flag = |name: &str, value: &str| words.push(format!("--{name} {}", quoted(value)));
    if let Some(model) = &context.model {
        flag("model", model);
    }
    context.client_tools.iter().for_each(|tool| flag("tool", tool));
    context.settings.iter().for_each(|(key, value)| flag("set", &format!("{key}={}", scalar(value))));
    if context.tool_search_active {
        words.push("--tool-search".to_owned());
    }
    if context.workspaceless {
        words.push("--workspaceless".to_owned());
    }
    words.join(" ")
}

/// A value as a YAML scalar: strings that would read as something else are quoted, as in JSON.
fn scalar(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) if is_plain_word(text) => text.clone(),
        other => other.to_string(),
    }
}

fn is_plain_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
        && !["true", "false", "null", "True", "False", "Null", "TRUE", "FALSE", "NULL"].contains(&text)
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let safe = |letter: char| letter.is_alphanumeric() || "-_./:=@+,%".contains(letter);
    if !word.is_empty() && word.chars().all(safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_context_is_a_command_line() {
        let context: Context = serde_json::from_value(json!({
            "model": "it's/new", "client_tools": ["runTests"], "workspaceless": true,
            "settings": {"on": true, "level": "low", "word": "true", "limit": 1.5, "text": "a b"}
        }))
        .unwrap();
        assert_eq!(
            command_line(&context),
            r#"promptrules resolve --model 'it'\''s/new' --tool runTests --set on=true --set level=low --set 'word="true"' --set limit=1.5 --set 'text="a b"' --workspaceless"#
        );
    }
}
