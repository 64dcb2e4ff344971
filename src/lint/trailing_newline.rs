#![doc = include_str!("pages/trailing-newline.md")]

use rustc_hash::FxHashSet;

use super::edit::{Side, strip_newlines};
use super::exact::Exact;
use super::prose::{Place, Prose};
use super::report::Findings;
use super::run_on::outermost;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::message::Section;
use crate::rules::{Action, Part, Text, TextBody};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let needed = needed(subject, exact);
    let prose = subject.prose().iter().filter(|prose| ends_with_newline(prose) && !needed.contains(&prose.node.span));
    let prose = prose.filter(|prose| !findings.covers(&[Code::EmptyText], prose.node.span));
    let found: Vec<Diagnostic> = prose
        .map(|prose| {
            let message = match prose.text {
                "" => "the empty last item makes the text end with a newline",
                _ => "the text ends with a newline",
            };
            let fix = strip_newlines(subject.sources, prose.node.span, prose.text).map(|edit| Fix {
                title: "drop the newline at the end".to_owned(),
                edits: vec![edit],
                safe: true,
            });
            let rule = prose.rule.map(str::to_owned);
            Diagnostic { rule, fix, ..Diagnostic::new(Code::TrailingNewline, prose.node.span, message) }
        })
        .collect();
    findings.extend(found);
}

fn ends_with_newline(prose: &Prose<'_>) -> bool {
    match prose.place {
        // Nothing but a newline is a text of its own kind, and what a step prepends or puts in may have to end so.
        Place::PrependStep | Place::ReplaceStep => false,
        Place::Shared | Place::Message | Place::Section | Place::Prepend | Place::Universal | Place::AppendStep => {
            prose.text.ends_with('\n') && !prose.text.trim().is_empty() || prose.text.is_empty() && prose.ends_list
        }
    }
}

/// The strings that end a `prepend`: their newline keeps them from the foundation's first word.
fn needed<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>) -> FxHashSet<Span> {
    let mut needed = FxHashSet::default();
    for layer in subject.layers() {
        for (rule, chosen) in layer.overrides() {
            if let Action::Prepend(content) = &chosen.action
                && (rule.section != Section::ToolInstructions || !exact.is_always_padded())
            {
                add_ends(content, &mut needed);
            }
        }
    }
    needed
}

fn add_ends(text: &Text, needed: &mut FxHashSet<Span>) {
    match &text.body {
        TextBody::One(template) => _ = needed.insert(template.span),
        TextBody::List(items) => {
            for item in outermost(items, Side::End, false) {
                match &item.part {
                    Part::Template(template) => _ = needed.insert(template.span),
                    Part::Shared(shared, _) => add_ends(&shared.text, needed),
                    Part::Parent => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{codes, of, spots};

    #[test]
    fn the_end_of_a_prepend_needs_its_newline() {
        let found = of(r#"
texts: {t: "t\n", u: "u\n"}
base:
  sections:
    tone: {action: prepend, content: ["a\n", {when: {workspaceless: true}, text: "b\n"}]}
    preamble: {action: prepend, content: [x, {use: t}]}
    guidelines: {action: append, content: ["", {use: u}]}
"#);
        assert_eq!(spots(&found, Code::TrailingNewline), [r#""u\n""#]);
    }

    #[test]
    fn padding_makes_it_one_too_many() {
        let found = of(r#"
base: {sections: {tool_instructions: {action: prepend, content: "a\n"}}}
tool_instructions: [{id: l, text: l}]
"#);
        assert_eq!(codes(&found), ["trailing-newline"]);
    }

    #[test]
    fn an_empty_last_item_is_a_newline() {
        let found = of(r#"
base: {sections: {tone: {action: append, content: ["", x, "", y, ""]}}, content: [x, "", y]}
"#);
        assert_eq!(codes(&found), ["trailing-newline"]);
    }
}
