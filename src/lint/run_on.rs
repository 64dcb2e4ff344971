//! Contents that run into the section's own text: what `missing-leading-newline` and `missing-trailing-newline` share.

use super::edit::{Side, add_empty_item, add_newline, literal_newline, read_newlines};
use super::exact::Exact;
use super::layers::{Inherited, is_blank, is_certain, is_certain_item};
use super::report::Findings;
use super::runtime::runs_on;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::message::Section;
use crate::rules::{Action, Item, Part, Piece, Template, Text, TextBody};
use crate::source::{Sources, Span};

/// A string that can stand at one end of a content and has no newline there.
#[derive(Clone, Copy)]
struct Bare<'t> {
    span: Span,
    /// Whether it is the rule's own, so that it can be mended where it stands.
    own: bool,
    /// What it says there as far as it is no variable.
    outer: &'t str,
}

/// Reports every content whose action puts this side of it next to the foundation's text.
pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, side: Side, code: Code, findings: &mut Findings) {
    for layer in subject.layers() {
        for (rule, chosen) in layer.overrides() {
            let Some(content) = content(&chosen.action, side) else { continue };
            let padded = rule.section == Section::ToolInstructions && exact.is_always_padded();
            if padded || is_blank(content) {
                continue;
            }
            let inherited = layer.inherited(rule.section);
            let bare = bare(content, side, &inherited);
            if let Some(first) = bare.first() {
                let diagnostic = misread(subject.sources, rule.section, side, code, &bare).unwrap_or_else(|| {
                    let fix = fix(subject, content, side, &bare);
                    Diagnostic { fix, ..diagnostic(rule.section, side, code, first.span) }
                });
                findings.push(Diagnostic { rule: layer.id(), ..diagnostic });
            }
        }
    }
}

/// The content that an action puts next to the foundation's text with this side.
fn content(action: &Action, side: Side) -> Option<&Text> {
    match (action, side) {
        (Action::Append(content), Side::Start) | (Action::Prepend(content), Side::End) => Some(content),
        (
            Action::Append(_)
            | Action::Prepend(_)
            | Action::Replace(_)
            | Action::Remove
            | Action::Preserve
            | Action::Transform(_),
            _,
        ) => None,
    }
}

fn diagnostic(section: Section, side: Side, code: Code, span: Span) -> Diagnostic {
    let section_name = section.as_str();
    let (what, word, help) = match side {
        Side::Start => ("the appended text", "last", "begin it with a newline: `\"\"` as the first item of a list"),
        Side::End => ("the prepended text", "first", "end it with a newline: `\"\"` as the last item of a list"),
    };
    let message = match (runs_on(section, side), side) {
        (true, Side::Start) => format!("{what} runs on from the {word} word of `{section_name}`"),
        (true, Side::End) => format!("{what} runs into the {word} word of `{section_name}`"),
        // Measured, not promised: another version of the runtime need not break the line.
        (false, _) => {
            format!("only the runtime's own line break keeps {what} from the {word} word of `{section_name}`")
        }
    };
    Diagnostic::new(code, span, message).help(help)
}

/// The finding on strings with `\n` as two characters at this end, and the edit that makes it a newline. That changes
/// more than white space.
fn misread(sources: &Sources, section: Section, side: Side, code: Code, bare: &[Bare<'_>]) -> Option<Diagnostic> {
    let how = |bare: &Bare<'_>| literal_newline(sources, bare.span, bare.outer, side);
    let misread: Vec<&Bare<'_>> = bare.iter().filter(|bare| how(bare).is_some()).collect();
    let first = misread.first()?;
    let found = diagnostic(section, side, code, first.span);
    let message = format!("`\\n` is two characters {}: {}", how(first)?, found.message);
    let mut spans: Vec<Span> = misread.iter().map(|bare| bare.span).collect();
    spans.sort();
    let edits: Option<Vec<Edit>> = spans.into_iter().map(|span| read_newlines(sources, span)).collect();
    let help = match edits {
        Some(_) => "write it in double quotes, where `\\n` is a newline",
        None => "put a line break in its place",
    };
    let fix = edits.map(|edits| Fix { title: "write it in double quotes".to_owned(), edits, safe: false });
    Some(Diagnostic { message, help: Vec::new(), fix, ..found }.help(help))
}

/// The strings that can stand at this end and have no newline there.
fn bare<'t>(text: &'t Text, side: Side, inherited: &Inherited<'_>) -> Vec<Bare<'t>> {
    match &text.body {
        TextBody::One(template) => bare_string(template, side).into_iter().collect(),
        TextBody::List(items) => {
            let mut found = Vec::new();
            for item in outermost(items, side, inherited.certain) {
                found.extend(bare_item(item, side, inherited));
            }
            found
        }
    }
}

/// The items that can stand at this end, through the first one that is always there.
pub(super) fn outermost(items: &[Item], side: Side, parent: bool) -> Vec<&Item> {
    let mut ordered: Vec<&Item> = items.iter().collect();
    if side == Side::End {
        ordered.reverse();
    }
    let certain = ordered.iter().position(|item| is_certain_item(item, parent));
    ordered.truncate(certain.map_or(items.len(), |at| at + 1));
    ordered
}

fn bare_item<'t>(item: &'t Item, side: Side, inherited: &Inherited<'_>) -> Option<Bare<'t>> {
    match &item.part {
        Part::Template(template) => bare_string(template, side),
        Part::Shared(shared, place) => {
            let none = Inherited { overrides: Vec::new(), certain: false };
            (!bare(&shared.text, side, &none).is_empty()).then_some(Bare { span: *place, own: false, outer: "" })
        }
        Part::Parent => {
            let none = Inherited { overrides: Vec::new(), certain: false };
            // A parent that does the same itself is told so itself.
            let others = inherited.overrides.iter().filter(|parent| content(&parent.action, side).is_none());
            let runs =
                others.filter_map(|parent| parent.action.content()).any(|text| !bare(text, side, &none).is_empty());
            runs.then_some(Bare { span: item.span, own: false, outer: "" })
        }
    }
}

/// An empty string is a line of its own in a list, and nothing that could run on elsewhere.
fn bare_string(template: &Template, side: Side) -> Option<Bare<'_>> {
    let outer = match side {
        Side::Start => template.pieces.first(),
        Side::End => template.pieces.last(),
    };
    let outer = match outer? {
        Piece::Literal(text) => &**text,
        Piece::Variable(_) => "",
    };
    let closed = match side {
        Side::Start => outer.starts_with('\n'),
        Side::End => outer.ends_with('\n'),
    };
    (!closed).then_some(Bare { span: template.span, own: true, outer })
}

/// A newline for this end of the content and for nothing else.
fn fix(subject: &Subject<'_>, content: &Text, side: Side, bare: &[Bare<'_>]) -> Option<Fix> {
    let edits = match &content.body {
        TextBody::One(template) => vec![add_newline(subject.sources, template.span, side)?],
        // An empty item makes a text of a list of which nothing is left, so something has to be left.
        TextBody::List(items) if is_certain(content) => {
            vec![add_empty_item(subject.sources, content.span, items.last()?.span, side)?]
        }
        TextBody::List(_) if bare.iter().all(|bare| bare.own) => {
            let mut spans: Vec<Span> = bare.iter().map(|bare| bare.span).collect();
            spans.sort();
            spans.into_iter().map(|span| add_newline(subject.sources, span, side)).collect::<Option<_>>()?
        }
        TextBody::List(_) => return None,
    };
    let title = match side {
        Side::Start => "begin it with a newline",
        Side::End => "end it with a newline",
    };
    Some(Fix { title: title.to_owned(), edits, safe: true })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{codes, fixed, of, spots};

    fn spots_of(action: &str, content: &str) -> Vec<String> {
        let rules = format!(
            "texts: {{x: x, n: ['', x, '']}}\nbase: {{sections: {{tone: {{action: {action}, content: {content}}}}}}}"
        );
        let found = of(&rules);
        spots(&found, if action == "append" { Code::MissingLeadingNewline } else { Code::MissingTrailingNewline })
    }

    #[test]
    fn what_can_stand_next_to_the_foundation_counts() {
        let cases = [
            ("x", "x", "x"),
            (r#""\nx\n""#, "", ""),
            (r#"["", x, ""]"#, "", ""),
            (r#"[x, y]"#, "x", "y"),
            (r#"["\nx", "y\n"]"#, "", ""),
            (r#"[{when: {workspaceless: true}, text: "\nx\n"}, y]"#, "y", "y"),
            (r#"[{when: {workspaceless: true}, text: ""}, {text: y}]"#, "y", "y"),
            (r#"[{use: n}, {use: n}]"#, "", ""),
            (r#"[{use: x}]"#, "x", "x"),
            (r#"["", {when: {workspaceless: true}, text: ""}]"#, "", ""),
            ("[\"\", {when: {workspaceless: true}, text: x}]", "", "x"),
        ];
        for (content, first, last) in cases {
            let expected = |spot: &str| if spot.is_empty() { Vec::new() } else { vec![spot.to_owned()] };
            assert_eq!(spots_of("append", content), expected(first), "append {content}");
            assert_eq!(spots_of("prepend", content), expected(last), "prepend {content}");
        }
    }

    #[test]
    fn bindings_may_be_missing_and_then_the_next_item_comes_first() {
        let found = of(r#"
catalog: {client_tools: [a]}
base:
  bind: {a: {first_client_tool: [a]}}
  sections:
    tone: {action: append, content: ["\n{{a}} x", "y"]}
    preamble: {action: append, content: "{{a}} x"}
"#);
        assert_eq!(spots(&found, Code::MissingLeadingNewline), [r#""y""#, r#""{{a}} x""#]);
    }

    #[test]
    fn replacements_and_other_texts_stand_alone() {
        let found = of("
base:
  sections: {tone: {action: replace, content: x}}
  content: y
trailing: [{id: z, text: z}]
");
        assert_eq!(codes(&found), [""; 0]);
    }

    #[test]
    fn a_line_that_is_always_there_pads_tool_instructions() {
        let rules = |gate: &str| {
            format!(
                "base: {{sections: {{tool_instructions: {{action: append, content: x}}}}}}\ntool_instructions: [{{id: l, {gate}text: l}}]"
            )
        };
        assert_eq!(codes(&of(&rules(""))), [""; 0]);
        assert_eq!(codes(&of(&rules("when: {workspaceless: true}, "))), ["missing-leading-newline"]);
    }

    #[test]
    fn a_fix_leaves_nothing_to_say_and_an_empty_list_empty() {
        let rules = "
base:
  sections:
    tone: {action: append, content: [{when: {workspaceless: true}, text: x}, {when: {workspaceless: false}, text: 'y'}]}
    preamble:
      action: append
      content:
      - when: {workspaceless: true}
        text: x
      - y
";
        let text = fixed(&of(rules), Code::MissingLeadingNewline);
        assert!(text.contains(r#"text: "\nx"}, {when: {workspaceless: false}, text: "\ny"}]"#), "{text}");
        assert!(text.contains("content:\n      - \"\"\n      - when"), "{text}");
        assert_eq!(codes(&crate::lint::testing::findings(&text)), [""; 0], "{text}");
    }
}
