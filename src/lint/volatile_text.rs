#![doc = include_str!("pages/volatile-text.md")]

use std::sync::LazyLock;

use regex::Regex;

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::within;

/// What changes, and how it looks. What changes is the group `it`.
const KINDS: [(&str, &str); 3] = [
    (
        "a date",
        r"(?x) (?:^|[^0-9A-Za-z_./-])
          (?<it> (?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])
          | (?:19|20)[0-9]{2}/(?:0[1-9]|1[0-2])/(?:0[1-9]|[12][0-9]|3[01])
          | (?:0?[1-9]|[12][0-9]|3[01])[./](?:0?[1-9]|[12][0-9]|3[01])[./](?:19|20)[0-9]{2}
          | (?:January|February|March|April|May|June|July|August|September|October|November|December)\ [0-9]{1,2}(?:st|nd|rd|th)?,?\ (?:19|20)[0-9]{2}
          | [0-9]{1,2}(?:st|nd|rd|th)?\.?\ (?:January|February|March|April|May|June|July|August|September|October|November|December),?\ (?:19|20)[0-9]{2}
          ) (?:[^0-9A-Za-z_/.-]|\.(?:[^0-9]|$)|$)",
    ),
    (
        "a clock time",
        r"(?x) (?:^|[^0-9A-Za-z_.:/-])
          (?<it> (?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?(?:\ ?[AaPp]\.?[Mm]\b)?
          | (?:1[0-2]|[1-9])\ ?[AaPp][Mm]\b
          ) (?:[^0-9A-Za-z_:/-]|$)",
    ),
    (
        "a home folder",
        r#"(?x) (?:^|[^0-9A-Za-z_./-])
          (?<it> (?:/home/|/Users/)[0-9A-Za-z_](?:[0-9A-Za-z_.-]*[0-9A-Za-z_-])?
          | [A-Za-z]:[\\/]Users[\\/][0-9A-Za-z_](?:[0-9A-Za-z_.-]*[0-9A-Za-z_-])? )"#,
    ),
];

/// Names that stand for any user's.
const ANYONE: [&str; 8] = ["user", "username", "you", "name", "me", "someone", "USER", "your-name"];

static PATTERNS: LazyLock<Vec<(&str, Regex)>> =
    LazyLock::new(|| KINDS.iter().filter_map(|(name, pattern)| Some((*name, Regex::new(pattern).ok()?))).collect());

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for prose in subject.prose() {
        for (kind, at) in volatile(prose.text) {
            let span = within(subject.sources, prose.node.span, prose.text, at);
            let message = format!("{kind} in a text changes between machines or days, which spoils prompt caches");
            let diagnostic = Diagnostic::new(Code::VolatileText, span, message)
                .help("say what stays true; the runtime tells the model about day and machine");
            findings.push(Diagnostic { rule: prose.rule.map(str::to_owned), ..diagnostic });
        }
    }
}

fn volatile(text: &str) -> Vec<(&'static str, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    if !text.bytes().any(|byte| byte.is_ascii_digit() || byte == b'/' || byte == b'\\') {
        return found;
    }
    for (kind, pattern) in PATTERNS.iter() {
        let places = pattern.captures_iter(text).filter_map(|captures| captures.name("it"));
        let places = places.filter(|it| !ANYONE.contains(&it.as_str().rsplit(['/', '\\']).next().unwrap_or_default()));
        found.extend(places.map(|it| (*kind, it.range())));
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(text: &str) -> Vec<&str> {
        volatile(text).into_iter().map(|(_, range)| &text[range]).collect()
    }

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(PATTERNS.len(), KINDS.len());
    }

    #[test]
    fn what_changes_is_found() {
        let cases: [(&str, &[&str]); 12] = [
            ("Today is 2026-11-30.", &["2026-11-30"]),
            ("Since 30.11.2026 and 11/30/2026", &["30.11.2026", "11/30/2026"]),
            ("on November 30, 2026 at 14:05", &["November 30, 2026", "14:05"]),
            ("on 30 November 2026", &["30 November 2026"]),
            ("until 9:30 pm or 5 PM", &["9:30 pm", "5 PM"]),
            ("at 23:59:59,", &["23:59:59"]),
            ("in /home/alice/project", &["/home/alice"]),
            ("`/Users/bob`", &["/Users/bob"]),
            (r"C:\Users\carol\code", &[r"C:\Users\carol"]),
            ("knowledge cutoff: 2025-01-01", &["2025-01-01"]),
            ("from 2026-01-02 to 2026-01-03", &["2026-01-02", "2026-01-03"]),
            ("(2026/01/02)", &["2026/01/02"]),
        ];
        for (text, expected) in cases {
            assert_eq!(spots(text), expected, "{text}");
        }
    }

    #[test]
    fn what_stays_is_left() {
        let fine = [
            "gpt-5.4-2026-03-05 and claude-opus-4-20250514",
            "src/cart.ts:12:30 and a ratio of 16:9",
            "version 1.2.2026.4, step 10:2",
            "[src/cart.ts](src/cart.ts#L42-L57)",
            "/home/user. And ~/project, /Users/you and /home/<name>",
            "a 3:1 split, Romans 8:288",
            "RFC 2026, ISO 8601",
            "pages 1/2/2026x",
        ];
        for text in fine {
            assert_eq!(spots(text), [""; 0], "{text}");
        }
    }
}
