//! Patterns on model ids.

use std::fmt;

use regex_automata::meta;

/// A pattern in Rust `regex` syntax, unanchored.
///
/// It is what `regex::Regex` is by default, with the same limits. In this program that type has a precomputed
/// automaton besides, since the analysis asks its engine for one; that takes four times as long to build,
/// and ids are too short to make up for it.
#[derive(Clone)]
pub struct ModelRegex {
    pattern: Box<str>,
    regex: meta::Regex,
}

/// The limit that `regex::Regex` has for a compiled pattern, in bytes.
const MAX_BYTES: usize = 10 * 1024 * 1024;

impl ModelRegex {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// It is no pattern, or is too large when compiled.
    pub fn new(pattern: &str) -> Result<Self, Box<meta::BuildError>> {
        let config = meta::Config::new().nfa_size_limit(Some(MAX_BYTES)).dfa(false);
        let regex = meta::Builder::new().configure(config).build(pattern)?;
        Ok(Self { pattern: pattern.into(), regex })
    }

    /// The pattern as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// Whether the pattern is found in a text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

impl fmt::Debug for ModelRegex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ModelRegex({:?})", self.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_accepts_what_the_regex_crate_accepts() {
        let ids = ["", "gpt-5.4", "GPT-5", "vendor/gpt-5", "claude-opus-4-8", "K", "\u{212a}", "a b", "é", "gpt-5\n"];
        for pattern in
            ["", "^gpt", "5$", "(?i)k", r"\bopus\b", "^claude-.*-8(-|$)", r"\w+\s\w", "[^a-z]", "a|^$", r"\p{L}"]
        {
            let (ours, theirs) = (ModelRegex::new(pattern).unwrap(), regex::Regex::new(pattern).unwrap());
            assert_eq!(ours.as_str(), pattern);
            for id in ids {
                assert_eq!(ours.is_match(id), theirs.is_match(id), "{pattern:?} in {id:?}");
            }
        }
    }

    #[test]
    fn it_refuses_what_the_regex_crate_refuses() {
        for pattern in ["(", "[z-a]", "(?=a)", r"\1", r"\w{100}{100}{10}", "a{5000}{5000}"] {
            assert!(ModelRegex::new(pattern).is_err() && regex::Regex::new(pattern).is_err(), "{pattern:?}");
        }
    }
}
