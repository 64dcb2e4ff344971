//! From the text of a test file to its tests, collecting every error with its place.
//!
//! The schema has the first word; what it cannot say is checked here: names twice, patterns,
//! matrices without end, and, against the rules, ids that no rule has (in `not_rendered`, such a
//! test would always pass).

use std::path::Path;

use regex::Regex;

use super::expect::{Expectation, Rendering, SectionExpectation, Spanned, TextExpectation};
use super::file::{Case, Subject, Test, TestFile};
use super::matrix;
use crate::compile::{nearest, one_or_many};
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::launch::{Kind, Request};
use crate::load::{Node, Schema, validate, yaml};
use crate::message::Section;
use crate::rules::RuleSet;
use crate::source::{FileId, SourceFile, Sources};

impl TestFile {
    /// Reads a test file. `name` is how people see it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(sources: &mut Sources, path: &Path, name: &str, text: String) -> Result<Self, Vec<Diagnostic>> {
        let file = sources.add(SourceFile::new(path.to_owned(), name.to_owned(), text));
        let mut root = yaml::parse(file, sources.file(file)).map_err(|diagnostic| vec![diagnostic])?;
        let diagnostics = validate(Schema::Tests, sources.whole(file), &mut root);
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let mut reader = Reader { sources, diagnostics: Vec::new() };
        let read = reader.file(file, path, &root);
        if reader.diagnostics.is_empty() { Ok(read) } else { Err(reader.diagnostics) }
    }

    /// What the file says of rules that are not in the set.
    #[must_use]
    pub fn check_ids(&self, rules: &RuleSet) -> Vec<Diagnostic> {
        let expectations = self.tests.iter().filter_map(|test| test.expect.as_ref());
        expectations.flat_map(|expect| unknown_ids(expect, rules)).collect()
    }
}

fn unknown_ids(expect: &Expectation, rules: &RuleSet) -> Vec<Diagnostic> {
    let contributors: Vec<&str> = rules.contributors.iter().map(|rule| &*rule.id).collect();
    let rendered: Vec<&str> = rules.lines.iter().chain(&rules.blocks).map(|rule| &*rule.id).collect();
    let contributor = expect.contributor.iter().filter_map(|id| Some((id.value.as_deref()?, id.span)));
    let contributor = contributor.filter(|(id, _)| !contributors.contains(id)).map(|(id, span)| {
        let diagnostic =
            Diagnostic::new(Code::UnknownContributor, span, format!("the rules have no contributor `{id}`"));
        suggest(diagnostic, id, &contributors)
    });
    let others = expect.rendering.iter().filter(|one| !rendered.contains(&&*one.id.value)).map(|one| {
        let id = &one.id.value;
        let message = format!("the rules have no line or block `{id}`");
        suggest(Diagnostic::new(Code::InvalidValue, one.id.span, message), id, &rendered)
    });
    contributor.chain(others).collect()
}

fn suggest(diagnostic: Diagnostic, id: &str, known: &[&str]) -> Diagnostic {
    match nearest(id, known.iter().copied()) {
        Some(meant) => diagnostic.did_you_mean(meant),
        None => diagnostic,
    }
}

struct Reader<'a> {
    sources: &'a Sources,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn file(&mut self, file: FileId, path: &Path, root: &Node) -> TestFile {
        let tests = root.get("tests").map_or(&[][..], Node::items);
        self.names(tests);
        TestFile {
            file,
            path: path.to_owned(),
            rules: root.get("rules").and_then(Node::as_str).map(Into::into),
            tests: tests.iter().map(|test| self.test(test)).collect(),
        }
    }

    /// A name twice would make two tests one in reports and snapshots.
    fn names(&mut self, tests: &[Node]) {
        let names: Vec<&Node> = tests.iter().filter_map(|test| test.get("name")).collect();
        let mut first = rustc_hash::FxHashMap::default();
        for name in names {
            let text = name.as_str().unwrap_or_default();
            if let Some(before) = first.insert(text, name.span) {
                let message = format!("there are two tests `{text}`");
                let diagnostic = Diagnostic::new(Code::DuplicateName, name.span, message);
                self.diagnostics.push(diagnostic.related(before, "the first is here"));
            }
        }
    }

    fn test(&mut self, node: &Node) -> Test {
        let name = node.get("name");
        Test {
            name: name.and_then(Node::as_str).unwrap_or_default().to_owned(),
            span: name.map_or(node.span, |name| name.span),
            subject: self.subject(node),
            expect: node.get("expect").map(|expect| self.expectation(expect)),
            snapshot: node.get("snapshot").is_some(),
        }
    }

    fn subject(&mut self, node: &Node) -> Subject {
        if let Some(request) = node.get("request") {
            return self.request(node, request);
        }
        let context = node.get("context").map(Node::to_json);
        // The schema has seen to it that it is a context.
        let context: Context = context.and_then(|json| serde_json::from_value(json).ok()).unwrap_or_default();
        let Some(matrix) = node.get("matrix") else {
            return Subject::Contexts(vec![Case { label: String::new(), context }]);
        };
        let size = matrix::size(matrix);
        if size > matrix::MOST_CASES {
            let message = format!("the matrix has more than {} combinations", matrix::MOST_CASES);
            self.diagnostics.push(Diagnostic::new(Code::InvalidValue, matrix.span, message));
            return Subject::Contexts(Vec::new());
        }
        Subject::Contexts(matrix::cases(&context, matrix))
    }

    fn request(&mut self, test: &Node, node: &Node) -> Subject {
        // The schema has seen to it that it is a request.
        let request: Request = serde_json::from_value(node.to_json()).unwrap_or_default();
        if let (Kind::ModelChange, Some(expect)) = (request.kind, test.entry("expect")) {
            let message = "a `model-change` keeps the message that was launched: nothing can be expected of it";
            let diagnostic = Diagnostic::new(Code::InvalidValue, expect.key_span, message);
            self.diagnostics.push(diagnostic.help("compare the plan with `snapshot: true`"));
        }
        Subject::Request(Box::new(request))
    }

    fn expectation(&mut self, node: &Node) -> Expectation {
        let sections = node.get("sections").map_or(&[][..], Node::entries);
        let lines = node.get("lines");
        let rendering = [("rendered", true), ("not_rendered", false)].into_iter().flat_map(|(key, rendered)| {
            let ids = lines.and_then(|lines| lines.get(key)).map_or(&[][..], Node::items);
            ids.iter().filter_map(move |id| Some(Rendering { id: string(id)?, rendered }))
        });
        Expectation {
            mode: node.get("mode").and_then(string),
            contributor: node.get("contributor").map(|id| Spanned { value: string_of(id), span: id.span }),
            sections: sections.iter().filter_map(|entry| self.section(&entry.key, &entry.value)).collect(),
            rendering: rendering.collect(),
            content: node.get("content").map(|content| self.text(content)),
            summary: node.get("summary").and_then(string),
        }
    }

    fn section(&mut self, name: &str, node: &Node) -> Option<(Section, SectionExpectation)> {
        let section = Section::ALL.into_iter().find(|section| section.as_str() == name)?;
        Some((section, SectionExpectation { action: node.get("action").and_then(string), text: self.text(node) }))
    }

    fn text(&mut self, node: &Node) -> TextExpectation {
        let strings = |key| node.get(key).map_or(&[][..], one_or_many).iter().filter_map(string).collect();
        TextExpectation {
            absent: node.get("absent").map(|absent| absent.span),
            contains: strings("contains"),
            not_contains: strings("not_contains"),
            equals: node.get("equals").and_then(string),
            matches: node.get("matches").and_then(|pattern| self.pattern(pattern)),
        }
    }

    fn pattern(&mut self, node: &Node) -> Option<Spanned<Regex>> {
        match crate::compile::regex(self.sources, node) {
            Ok(value) => Some(Spanned { value, span: node.span }),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }
}

fn string_of(node: &Node) -> Option<String> {
    node.as_str().map(str::to_owned)
}

fn string(node: &Node) -> Option<Spanned<String>> {
    Some(Spanned { value: string_of(node)?, span: node.span })
}
