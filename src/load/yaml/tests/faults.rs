//! What people get wrong, and what they are told: `faults.txt`, case by case.
//!
//! A case is its report, in lines that begin with `===`, and the file below it. The reports are
//! written anew with `BLESS=1`; read the difference before keeping it.

use super::{File, fault};
use crate::diagnostic::Diagnostic;

const CASES: &str = include_str!("faults.txt");

fn report(file: &File, diagnostic: &Diagnostic) -> String {
    let mut lines = vec![file.place(diagnostic), diagnostic.message.clone()];
    lines.extend(diagnostic.related.iter().map(|label| {
        let start = file.sources.start(label.span);
        format!("related {}:{} {}", start.line, start.column, label.text)
    }));
    lines.extend(diagnostic.help.iter().map(|help| format!("help: {help}")));
    lines.extend(diagnostic.fix.iter().flat_map(|fix| &fix.edits).map(|edit| {
        let start = file.sources.start(edit.span);
        format!("edit {}:{} {:?} → {}", start.line, start.column, file.sources.text(edit.span), edit.replacement)
    }));
    lines.into_iter().map(|line| format!("=== {line}\n")).collect()
}

/// The files of the cases: the lines between reports.
fn files() -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut in_report = false;
    for line in CASES.split_inclusive('\n') {
        let report = line.starts_with("===");
        if report && !in_report {
            files.push(String::new());
        }
        if !report && let Some(file) = files.last_mut() {
            file.push_str(line);
        }
        in_report = report;
    }
    files
}

#[test]
fn reports() {
    let now: String = files()
        .iter()
        .map(|text| {
            let file = File::new(text);
            let fault = file.parse().expect_err(text);
            report(&file, &fault) + text
        })
        .collect();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/load/yaml/tests/faults.txt"), &now).unwrap();
        return;
    }
    for (now, then) in now.lines().zip(CASES.lines()) {
        assert_eq!(now, then);
    }
    assert_eq!(now.len(), CASES.len());
}

#[test]
fn wording() {
    for text in files() {
        let fault = File::new(&text).parse().expect_err(&text);
        let said =
            [fault.message].into_iter().chain(fault.help).chain(fault.related.into_iter().map(|label| label.text));
        for said in said {
            assert!(!said.ends_with('.') || said.ends_with("`...`"), "{said}");
            assert!(!said.starts_with(char::is_uppercase) && !said.contains('\n'), "{said}");
        }
    }
}

/// Whatever the line ends and the mark at the beginning: the same report at the same place.
#[test]
fn line_ends_and_mark_change_nothing() {
    for text in files() {
        let plain = fault(&text);
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(fault(&windows), plain, "{text}");
        assert_eq!(fault(&text.replace('\n', "\r")), plain, "{text}");
    }
}

/// A suggested edit leads to a file without that fault.
#[test]
fn edits_mend() {
    for text in files() {
        let file = File::new(&text);
        let fault = file.parse().expect_err(&text);
        let Some(fix) = fault.fix else { continue };
        let mut mended = text.clone();
        for edit in fix.edits.iter().rev() {
            mended.replace_range(edit.span.range(), &edit.replacement);
        }
        let file = File::new(&mended);
        if let Err(next) = file.parse() {
            assert!((next.span.start, &next.message) != (fault.span.start, &fault.message), "{mended}");
        }
    }
}

#[test]
fn characters_that_no_editor_shows() {
    let cases = [
        ("a: x\u{7}y\n", r#"yaml-unsupported 1:5 "\u{7}""#),
        ("# \u{1b}[31m\na: 1\n", r#"yaml-unsupported 1:3 "\u{1b}""#),
        ("a: |\n  x\u{0}\n", r#"yaml-unsupported 2:4 "\0""#),
        ("a: \"\u{9f}\"\n", r#"yaml-unsupported 1:5 "\u{9f}""#),
        ("a: '\u{80}'", r#"yaml-unsupported 1:5 "\u{80}""#),
        ("a: b\u{7f}\n", r#"yaml-unsupported 1:5 "\u{7f}""#),
        ("a: \u{fffe}\n", r#"yaml-unsupported 1:4 "\u{fffe}""#),
        ("é: \u{c}\n", r#"yaml-unsupported 1:4 "\u{c}""#),
        // Before anything else in the file.
        ("a: \"b\nc: \u{1}", r#"yaml-unsupported 2:4 "\u{1}""#),
        ("\u{a0}a:\u{a0}b\nc: d\n", r#"yaml-syntax 1:1 "\u{a0}a:""#),
    ];
    for (text, expected) in cases {
        assert_eq!(fault(text), expected);
    }
    for fine in
        ["a: x\u{85}y", "a: x\u{2028}y", "a: \"\\x07\"", "a: b\u{feff}c", "a:\n  \u{feff}b: c", "a: \u{200b}\u{e0041}"]
    {
        assert!(fault(fine).starts_with("fine"), "{}", fault(fine));
    }
}
