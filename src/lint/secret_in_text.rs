#![doc = include_str!("pages/secret-in-text.md")]

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::load::{Node, Value, within};

/// The kinds of credentials: what they are called, and how they look. The credential is the group `it`.
const KINDS: [(&str, &str); 6] = [
    ("a GitHub token", r"(?:^|[^0-9A-Za-z_])(?<it>gh[oprsu]_[0-9A-Za-z]{20,}|github_pat_[0-9A-Za-z_]{20,})"),
    (
        "an AWS key",
        r"(?:^|[^0-9A-Za-z])(?<it>A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16})(?:[^0-9A-Za-z]|$)|(?i:aws_?secret_?(?:access_?)?key)[^0-9A-Za-z/+]{1,5}(?<secret>[0-9A-Za-z/+]{40})",
    ),
    (
        "a Slack token",
        r"(?:^|[^0-9A-Za-z])(?<it>xox[a-z](?:\.xox[a-z])?-[0-9A-Za-z-]{10,}|xapp-[0-9]-[0-9A-Za-z-]{10,})|(?<secret>hooks\.slack\.com/services/T[0-9A-Za-z_]+/B[0-9A-Za-z_]+/[0-9A-Za-z_]{16,})",
    ),
    ("an API key", r"(?:^|[^0-9A-Za-z_-])(?<it>sk[-_](?:[a-z0-9]+[-_])*[0-9A-Za-z_-]{12,})"),
    (
        "a private key",
        r"(?<it>-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)(?:\s|\\n)*(?:[A-Za-z][A-Za-z-]*: [^\n]*\s+)*(?<body>[0-9A-Za-z+/=]{8,})",
    ),
    ("a JSON web token", r"(?:^|[^0-9A-Za-z_-])(?<it>eyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*)?)"),
];

/// What every credential has in it: literals only, so that texts without one are passed over quickly.
const HINT: &str =
    "gh[oprsu]_|github_pat_|AKIA|ASIA|ABIA|ACCA|secret|Secret|SECRET|xox|xapp-|hooks.slack|sk-|sk_|PRIVATE KEY|eyJ";

static HINTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HINT).ok());

static PATTERNS: LazyLock<Vec<(&str, Regex)>> =
    LazyLock::new(|| KINDS.iter().filter_map(|(name, pattern)| Some((*name, Regex::new(pattern).ok()?))).collect());

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for document in subject.documents {
        let text = subject.sources.file(document.file).text();
        if is_suspicious(text) {
            search(subject, &document.root, findings);
        }
    }
}

fn search(subject: &Subject<'_>, node: &Node, findings: &mut Findings) {
    match &node.value {
        Value::String(text) => report(subject, node, text, findings),
        Value::Sequence(items) => items.iter().for_each(|item| search(subject, item, findings)),
        Value::Mapping(entries) => entries.iter().for_each(|entry| search(subject, &entry.value, findings)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn report(subject: &Subject<'_>, node: &Node, text: &str, findings: &mut Findings) {
    if !is_suspicious(text) {
        return;
    }
    for (kind, place) in secrets(text) {
        let span = within(subject.sources, node.span, text, place);
        let diagnostic = Diagnostic::new(Code::SecretInText, span, format!("the text contains what looks like {kind}"))
            .help("revoke it, then remove it: every session and every reader of the rules gets to see it");
        let rule = subject.rule_at(span);
        findings.push(Diagnostic { rule, ..diagnostic });
    }
}

fn is_suspicious(text: &str) -> bool {
    HINTS.as_ref().is_none_or(|hints| hints.is_match(text))
}

/// The credentials in a text.
fn secrets(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut found: Vec<(&'static str, Range<usize>)> = Vec::new();
    for (kind, pattern) in PATTERNS.iter() {
        for captures in pattern.captures_iter(text) {
            let Some(it) = captures.name("it").or_else(|| captures.name("secret")) else { continue };
            if is_random(kind, it.as_str(), captures.name("body").map(|body| body.as_str()))
                && !found.iter().any(|(_, other)| other.contains(&it.start()))
            {
                found.push((*kind, it.range()));
            }
        }
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

/// Not a placeholder (`sk-xxxxxxxxxxxx`), and not words: with dashes between them, or behind the head of a key.
fn is_random(kind: &str, it: &str, body: Option<&str>) -> bool {
    let wordy = |text: &str| !text.bytes().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let body = body.unwrap_or_else(|| it.split_once(['-', '_']).map_or(it, |(_, body)| body));
    let placeholder = body.bytes().filter(u8::is_ascii_alphanumeric).all(|byte| b"xX0".contains(&byte));
    let words = ["an API key", "a private key"].contains(&kind)
        && wordy(body)
        && body.split(['-', '_']).all(|word| word.len() < 20);
    !placeholder && !words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::{codes, of, spots};

    fn kinds(text: &str) -> Vec<&'static str> {
        secrets(text).into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(PATTERNS.len(), KINDS.len());
        assert!(HINTS.is_some());
    }

    /// The examples are put together here, so that no scanner takes this file for a leak.
    #[test]
    fn credentials_are_found() {
        let body = "AbCdEfGh0123456789IjKlMnOpQrStUvWx12";
        let cases = [
            (format!("use ghp_{body}."), "a GitHub token"),
            (format!("gho_{body}"), "a GitHub token"),
            (format!("github_pat_11ABCDEFG0_{body}"), "a GitHub token"),
            (format!("key AKIA{}", "IOSFODNN7EXAMPLE"), "an AWS key"),
            (format!("(ASIA{})", "IOSFODNN7EXAMPLE"), "an AWS key"),
            (format!("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/{}", "bPxRfiCYEXAMPLEKEY"), "an AWS key"),
            (format!("xoxb-{}-{}", "123456789012", "AbCdEfGhIjKl"), "a Slack token"),
            (
                format!("https://hooks.slack.com/services/T00000000/B00000000/{}", "XXXXabcdXXXX1234XXXX"),
                "a Slack token",
            ),
            (format!("sk-{body}"), "an API key"),
            (format!("sk-proj-{body}"), "an API key"),
            (format!("sk-ant-api03-{body}_-x"), "an API key"),
            (format!("sk_live_{body}"), "an API key"),
            (format!("sk-{}", "abcdefghijklmnopqrstuvwxyz"), "an API key"),
            (format!("sk-{}", "a".repeat(48)), "an API key"),
            (format!("sk-{}", "test-1234567890"), "an API key"),
            (format!("ghp_{}", "a".repeat(36)), "a GitHub token"),
            (format!("-----BEGIN RSA PRIVATE {}-----\nMIIEpAIBAAKCAQEA\n", "KEY"), "a private key"),
            (format!("-----BEGIN {} KEY----- MIIEpAIBAAKCAQEA", "PRIVATE"), "a private key"),
            (format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{}", "dozjgNryP4J3jVmN"), "a JSON web token"),
        ];
        for (text, kind) in cases {
            assert!(is_suspicious(&text), "{text}");
            assert_eq!(kinds(&text), [kind], "{text}");
        }
    }

    #[test]
    fn talk_of_credentials_is_none() {
        let fine = [
            "Never print keys such as sk-…, ghp_… or AKIA….",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-your-api-key-goes-in-here",
            "ask-for-permission-before-you-run-it",
            "risk-0123456789abcdef0123",
            "the task-0123456789abcdef0123456 is done",
            "AKIA is a prefix, and so is ASIATICA0123456789012345",
            "a line -----BEGIN PRIVATE KEY----- is not to be shown",
            "nor a line -----BEGIN PRIVATE KEY----- anywhere",
            "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA",
            "eyJhbGciOiJIUzI1NiJ9 alone",
            "xoxo-hugs",
        ];
        for text in fine {
            assert_eq!(kinds(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_place_is_inside_the_text_and_the_message_keeps_quiet() {
        let key = format!("ghp_{}", "AbCdEfGh0123456789IjKlMnOpQrStUvWx12");
        let found = of(&format!("trailing:\n  - id: a\n    text: >-\n      Log in\n      with {key} please.\n"));
        assert_eq!(codes(&found), ["secret-in-text"]);
        assert_eq!(spots(&found, Code::SecretInText), [key.as_str()]);
        assert!(!format!("{:?}", found.diagnostics).contains(&key));
    }
}
