#![doc = include_str!("pages/regex-unescaped-dot.md")]

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, ClassPerlKind, ClassSet, ClassSetItem};

use super::matchers::{self, Condition};
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::load::within;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let conditions = matchers::conditions(subject.documents_with("regex"));
    for condition in conditions.iter().filter(|condition| condition.key == "regex" && condition.text.contains('.')) {
        for dot in dots(condition.text) {
            report(subject, condition, dot, findings);
        }
    }
}

fn report(subject: &Subject<'_>, condition: &Condition<'_>, dot: usize, findings: &mut Findings) {
    let span = within(subject.sources, condition.node.span, condition.text, dot..dot + 1);
    let scalar = condition.node.span;
    let meant = match (condition.dashes, subject.sources.text(scalar).starts_with('"')) {
        (true, _) => "-",
        (false, true) => r"\\.",
        (false, false) => r"\.",
    };
    let help = if condition.dashes { "ids have a `-` here after `dashes`" } else { r"write `\.` for a dot" };
    let message = "this `.` is any character, not a dot";
    let fix = (span != scalar).then(|| Fix {
        title: format!("replace it with `{meant}`"),
        edits: vec![Edit { span, replacement: meant.to_owned() }],
        safe: false,
    });
    let rule = subject.rule_at(scalar);
    let diagnostic = Diagnostic::new(Code::RegexUnescapedDot, span, message).help(help);
    findings.push(Diagnostic { rule, fix, ..diagnostic });
}

/// The offsets of dots that stand between two word characters, and for exactly one character.
fn dots(pattern: &str) -> Vec<usize> {
    let mut found = Vec::new();
    if let Ok(ast) = Parser::new().parse(pattern) {
        add_dots(&ast, &mut found);
    }
    found
}

fn add_dots(ast: &Ast, found: &mut Vec<usize>) {
    match ast {
        Ast::Concat(concat) => {
            concat.asts.iter().for_each(|part| add_dots(part, found));
            for parts in concat.asts.windows(3) {
                if let [before, Ast::Dot(dot), after] = parts
                    && word(before, Side::End)
                    && word(after, Side::Start)
                {
                    found.push(dot.start.offset);
                }
            }
        }
        Ast::Alternation(alternation) => alternation.asts.iter().for_each(|part| add_dots(part, found)),
        Ast::Group(group) => add_dots(&group.ast, found),
        Ast::Repetition(repetition) => add_dots(&repetition.ast, found),
        Ast::Empty(_)
        | Ast::Flags(_)
        | Ast::Literal(_)
        | Ast::Dot(_)
        | Ast::Assertion(_)
        | Ast::ClassUnicode(_)
        | Ast::ClassPerl(_)
        | Ast::ClassBracketed(_) => {}
    }
}

#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

/// Whether a part of a pattern begins or ends with word characters only.
fn word(ast: &Ast, side: Side) -> bool {
    match ast {
        Ast::Literal(literal) => literal.c.is_alphanumeric(),
        Ast::ClassPerl(class) => !class.negated && matches!(class.kind, ClassPerlKind::Digit | ClassPerlKind::Word),
        Ast::ClassBracketed(class) => !class.negated && word_class(&class.kind),
        Ast::Repetition(repetition) => word(&repetition.ast, side),
        Ast::Group(group) => word(&group.ast, side),
        Ast::Alternation(alternation) => alternation.asts.iter().all(|part| word(part, side)),
        Ast::Concat(concat) => {
            let outer = match side {
                Side::Start => concat.asts.first(),
                Side::End => concat.asts.last(),
            };
            outer.is_some_and(|part| word(part, side))
        }
        Ast::Empty(_) | Ast::Flags(_) | Ast::Dot(_) | Ast::Assertion(_) | Ast::ClassUnicode(_) => false,
    }
}

fn word_class(set: &ClassSet) -> bool {
    match set {
        ClassSet::Item(item) => word_item(item),
        ClassSet::BinaryOp(_) => false,
    }
}

fn word_item(item: &ClassSetItem) -> bool {
    match item {
        ClassSetItem::Literal(literal) => literal.c.is_alphanumeric(),
        ClassSetItem::Range(range) => range.start.c.is_alphanumeric() && range.end.c.is_alphanumeric(),
        ClassSetItem::Perl(class) => !class.negated && matches!(class.kind, ClassPerlKind::Digit | ClassPerlKind::Word),
        ClassSetItem::Union(union) => union.items.iter().all(word_item),
        ClassSetItem::Bracketed(class) => !class.negated && word_class(&class.kind),
        ClassSetItem::Empty(_) | ClassSetItem::Ascii(_) | ClassSetItem::Unicode(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::{codes, fixed, of, places};

    #[test]
    fn only_dots_between_word_characters_are_suspicious() {
        let cases: [(&str, &[usize]); 16] = [
            ("^gpt-4.1", &[6]),
            ("gpt-(4|5).1", &[9]),
            ("gpt-5.[0-9]+", &[5]),
            (r"gpt-\d.\d", &[6]),
            ("claude-3.5-sonnet|gpt-4.1", &[8, 23]),
            ("us.anthropic.claude", &[2, 12]),
            ("(gpt-4.1)", &[6]),
            ("^gpt-4.1.2$", &[6, 8]),
            (r"gpt-4\.1", &[]),
            ("gpt-4[.]1", &[]),
            ("gpt-4.*", &[]),
            ("gpt-.+mini", &[]),
            ("gpt.?4", &[]),
            ("^.+/gpt", &[]),
            ("gpt-5.", &[]),
            ("gpt-.4", &[]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(dots(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn every_matcher_is_read_and_mended() {
        let rules = r#"
catalog:
  model_groups: {old: {regex: "gpt-4.1"}}
contributors:
  - id: a
    description: x
    match: {model: {any: [{regex: ^gpt-5.1}, {not: {regex: 'o1.5'}}]}}
    sections: {tone: {when: {model: {normalize: [dashes], regex: 'gpt-4.1'}}, action: append, content: "\nx"}}
tool_instructions:
  - {id: l, when: {not: {model: {regex: a.b}}}, text: x}
"#;
        let found = of(rules);
        let expected = ["2:37 .", "6:41 .", "6:63 .", "7:72 .", "9:42 ."].map(|place| place.to_owned());
        assert_eq!(places(&found, Code::RegexUnescapedDot), expected);
        let mended = fixed(&found, Code::RegexUnescapedDot);
        assert!(mended.contains(r#"{regex: "gpt-4\\.1"}"#) && mended.contains(r"{regex: ^gpt-5\.1}"), "{mended}");
        assert!(mended.contains("regex: 'gpt-4-1'"), "{mended}");
    }

    #[test]
    fn patterns_of_transforms_are_no_model_patterns() {
        let found = of(r"
base: {sections: {tone: {action: transform, steps: [{remove: {pattern: a.b}}]}}}
");
        assert_eq!(codes(&found), [""; 0]);
    }
}
