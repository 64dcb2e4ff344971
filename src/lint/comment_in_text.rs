#![doc = include_str!("pages/comment-in-text.md")]

use super::prose::Prose;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::source::Span;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for prose in subject.prose_with("#") {
        if let Some(comment) = comment(subject, prose) {
            let message = "the text ends where YAML takes ` #` for the beginning of a comment";
            let diagnostic = Diagnostic::new(Code::CommentInText, prose.node.span, message)
                .related(comment, "no part of the text")
                .help("quote the text, or put the comment on a line of its own");
            let rule = prose.rule.map(str::to_owned);
            findings.push(Diagnostic { rule, fix: quote(subject, prose.node.span, comment), ..diagnostic });
        }
    }
}

/// The comment on the line on which a plain scalar ends.
fn comment(subject: &Subject<'_>, prose: &Prose<'_>) -> Option<Span> {
    let scalar = prose.node.span;
    let source = subject.sources.text(scalar);
    if source.starts_with(['"', '\'', '|', '>']) || source.is_empty() {
        return None;
    }
    let end = scalar.range().end;
    let line = subject.sources.file(scalar.file).text().get(end..)?.lines().next()?;
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    let comment = line.get(blanks..).filter(|rest| blanks > 0 && rest.starts_with('#'))?;
    Some(Span::new(scalar.file, end + blanks, end + blanks + comment.trim_end().len()))
}

/// The text and its comment in quotes, which is what the author saw.
fn quote(subject: &Subject<'_>, scalar: Span, comment: Span) -> Option<Fix> {
    let whole = Span { end: comment.end, ..scalar };
    let text = subject.sources.text(whole);
    let quoted = format!("'{}'", text.replace('\'', "''"));
    let edits = vec![Edit { span: whole, replacement: quoted }];
    (!text.contains('\n')).then(|| Fix { title: "quote the text".to_owned(), edits, safe: false })
}

#[cfg(test)]
mod tests {
    use crate::lint::testing::{codes, of};

    #[test]
    fn only_plain_texts_are_cut() {
        let found = of("
catalog: {client_tools: [a]} # no text
base:
  sections: {} # no text
  content: |- # no text
    # a heading, and a part of the text
    C # too
contributors: # no text
  - id: a # no text
    description: A description # no text
    match: {families: [a]} # no text
    content: 'quoted # whole' # no text
trailing:
  - {id: b, text: \"quoted # whole\"} # no text
  - id: c
    text: C#,#12 in the middle of a word a#b
  # no text
  - id: d
    when: {has_client_tool: a} # no text
    text:
      - use: e # no text
      - text: f
texts: {e: e}
");
        assert_eq!(codes(&found), [""; 0]);
    }
}
