//! Events → tree: one pass with a stack of its own, so that depth costs neither time nor call stack.
//!
//! It stops at the first fault, whether of syntax ([`super::fault`]), of the profile
//! ([`super::refuse`]) or a duplicate key.

use std::borrow::Cow;

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};
use rustc_hash::FxHashMap;

use super::fault::{Opened, Scene, Style, Token};
use super::lex;
use super::scalar::{self, Unfit};
use super::{MAX_DEPTH, fault, refuse};
use crate::diagnostic::{Code, Diagnostic};
use crate::load::node::{Entry, Node, Value};
use crate::source::{FileId, Span};

/// From this many keys on, a mapping looks for duplicates by hash.
const MANY_KEYS: usize = 16;

type Outcome<T = ()> = Result<T, Box<Diagnostic>>;

/// The tree of a file's text.
pub(super) fn compose(file: FileId, text: &str) -> Outcome<Node> {
    let mut composer = Composer {
        file,
        text,
        open: Vec::new(),
        items: Vec::new(),
        entries: Vec::new(),
        last: Token::default(),
        root: None,
        documents: 0,
    };
    for next in Parser::new_from_str_with_options(text, options()) {
        let (event, span) = next.map_err(|error| Box::new(composer.scene().explain(&error)))?;
        let range = span.byte_range().unwrap_or_default();
        let tag = span.tag_start().and_then(|mark| mark.byte_offset());
        composer.accept(event, range.start, range.end, tag)?;
    }
    Ok(composer.root.unwrap_or_else(|| Node::new(first_line(file, text), Value::Null)))
}

fn options() -> Options {
    granit_parser::options! {
        disallow_directives: true,
        bom_inside_document_as_content: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    }
}

fn first_line(file: FileId, text: &str) -> Span {
    Span::new(file, 0, lex::line_end(text, 0))
}

/// A list or mapping that has begun.
struct Open {
    place: Opened,
    /// Where its items or entries begin among those of all that are open.
    first: usize,
    /// The keys of a mapping.
    keys: Option<Keys>,
}

#[derive(Default)]
struct Keys {
    /// The key whose value is due.
    due: Option<(String, Span)>,
    /// The entries by key, once there are many.
    index: FxHashMap<String, Span>,
}

struct Composer<'text> {
    file: FileId,
    text: &'text str,
    open: Vec<Open>,
    /// The items of all lists that are open, those of inner ones behind those of outer ones: what is
    /// finished moves out, so that each list takes exactly the memory it needs.
    items: Vec<Node>,
    /// The entries of all mappings that are open, likewise.
    entries: Vec<Entry>,
    last: Token,
    root: Option<Node>,
    documents: usize,
}

impl Composer<'_> {
    fn accept(&mut self, event: Event<'_>, start: usize, end: usize, tag: Option<usize>) -> Outcome {
        if event.is_node() {
            if let Some(tag) = tag {
                return Err(self.refuse_indicator(tag));
            }
            if event.anchor_id().is_some() {
                // The anchor itself, with its place, is the next event.
                return Ok(());
            }
        }
        match event {
            Event::DocumentStart(explicit, _) => self.document(explicit, start, end),
            Event::Scalar(text, style, _, _) => self.scalar(text, style, start, end),
            Event::SequenceStart(style, _, _) => self.begin(style, start, end, None),
            Event::MappingStart(style, _, _) => self.begin(style, start, end, Some(Keys::default())),
            Event::SequenceEnd | Event::MappingEnd => {
                self.finish(start, end);
                Ok(())
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) | Event::Anchor(..) => Err(self.refuse_indicator(start)),
            // Stream and document ends; the list of events is open.
            _ => Ok(()),
        }
    }

    fn document(&mut self, explicit: bool, start: usize, end: usize) -> Outcome {
        self.documents += 1;
        if self.documents > 1 {
            return Err(refuse::document(self.file, self.text, start).into());
        }
        if explicit {
            self.last = Token { start, end, style: Style::Mark };
        }
        Ok(())
    }

    fn scalar(&mut self, text: Cow<'_, str>, style: ScalarStyle, start: usize, end: usize) -> Outcome {
        if style == ScalarStyle::Plain && start == end {
            return self.absent(start);
        }
        let (style, span) = match style {
            ScalarStyle::Plain => (Style::Plain, self.span(start, end)),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => (Style::Quoted, self.span(start, end)),
            ScalarStyle::Literal | ScalarStyle::Folded => (Style::Block, self.block_span(start, end)),
        };
        self.last = Token { start: span.range().start, end, style };
        let value = match style {
            Style::Plain => scalar::resolve(text).map_err(|Unfit| refuse::number(span, self.text))?,
            Style::Quoted | Style::Block | Style::Collection | Style::Mark => Value::String(text.into_owned()),
        };
        if self.key_is_due() {
            return self.key(value, span, style);
        }
        self.place(Node::new(span, value));
        Ok(())
    }

    /// Nothing where a value or key may stand.
    fn absent(&mut self, at: usize) -> Outcome {
        if self.key_is_due() {
            let colon = lex::skip_blanks(self.text, at);
            let begin = self.open.last().map_or(at, |open| open.place.start);
            let place = if lex::rest(self.text, colon).starts_with(':') { colon } else { begin };
            return Err(refuse::no_key(refuse::one_character(self.file, self.text, place)).into());
        }
        let place = match self.open.last() {
            None => first_line(self.file, self.text),
            Some(Open { keys: Some(Keys { due: Some((_, key)), .. }), .. }) => {
                let key = key.range().end;
                let colon = key + lex::indentation_length(lex::rest(self.text, key));
                self.after(colon, ':').unwrap_or_else(|| self.span(key, key))
            }
            Some(Open { place, .. }) => {
                let dash = lex::skip_blanks(self.text, self.last.end.max(place.start));
                self.after(dash, '-').unwrap_or_else(|| self.span(at, at))
            }
        };
        let end = place.range().end;
        self.last = Token { start: end, end, style: Style::Mark };
        self.place(Node::new(place, Value::Null));
        Ok(())
    }

    /// The empty span after an indicator, if it stands there.
    fn after(&self, at: usize, indicator: char) -> Option<Span> {
        lex::rest(self.text, at).starts_with(indicator).then(|| self.span(at + 1, at + 1))
    }

    /// Begins a mapping, if there are keys, or a list.
    fn begin(&mut self, style: StructureStyle, start: usize, end: usize, keys: Option<Keys>) -> Outcome {
        let (flow, list) = (style == StructureStyle::Flow, keys.is_none());
        if self.key_is_due() {
            return Err(self.collection_as_key(start, list));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(refuse::too_deep(self.file, start, self.text).into());
        }
        if !flow {
            self.refuse_tab(start)?;
        }
        if start < end {
            self.last = Token { start, end, style: Style::Mark };
        }
        let first = if list { self.items.len() } else { self.entries.len() };
        self.open.push(Open { place: Opened { start, flow, list, brackets: start < end }, first, keys });
        Ok(())
    }

    fn finish(&mut self, start: usize, end: usize) {
        let Some(Open { place, first, .. }) = self.open.pop() else { return };
        let (value, content_end) = if place.list {
            let items = self.items.split_off(first);
            let end = items.last().map(|item| item.span.range().end);
            (Value::Sequence(items), end)
        } else {
            let entries = self.entries.split_off(first);
            let end = entries.last().map(|entry| entry.value.span.range().end);
            (Value::Mapping(entries), end)
        };
        let end = if place.brackets { end } else { content_end.unwrap_or(start) };
        if place.brackets {
            self.last = Token { start: place.start, end, style: Style::Collection };
        }
        self.place(Node::new(self.span(place.start, end), value));
    }

    /// Puts a finished node where it belongs.
    fn place(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { keys: None, .. }) => self.items.push(node),
            Some(Open { keys: Some(keys), .. }) => {
                if let Some((key, key_span)) = keys.due.take() {
                    self.entries.push(Entry { key, key_span, value: node });
                }
            }
        }
    }

    fn key_is_due(&self) -> bool {
        matches!(self.open.last(), Some(Open { keys: Some(Keys { due: None, .. }), .. }))
    }

    fn key(&mut self, value: Value, span: Span, style: Style) -> Outcome {
        let key = match value {
            Value::String(key) => key,
            Value::Null => return Err(refuse::key(span, self.text, "null").into()),
            Value::Bool(_) => return Err(refuse::key(span, self.text, "a boolean").into()),
            Value::Number(_) => return Err(refuse::key(span, self.text, "a number").into()),
            Value::Sequence(_) | Value::Mapping(_) => return Err(refuse::key(span, self.text, "no string").into()),
        };
        if key == "<<" && style == Style::Plain {
            return Err(refuse::merge_key(span).into());
        }
        let Some(Open { place, first, keys: Some(keys) }) = self.open.last_mut() else { return Ok(()) };
        if let Some(first) = keys.find(self.entries.get(*first..).unwrap_or_default(), &key) {
            let message = format!("the key {} stands twice in one mapping", super::quoting::shown(&key));
            return Err(Diagnostic::new(Code::DuplicateKey, span, message)
                .related(first, "first here")
                .help("rename or remove one of the two")
                .into());
        }
        keys.due = Some((key, span));
        if place.flow { Ok(()) } else { self.refuse_tab(span.range().start) }
    }

    fn collection_as_key(&self, start: usize, list: bool) -> Box<Diagnostic> {
        if let Some(braces) = self.open.last().filter(|open| open.place.brackets && open.place.start + 1 == start)
            && lex::rest(self.text, start).starts_with('{')
        {
            let outside = self.open.iter().rev().nth(1).is_some_and(|open| open.place.flow);
            return fault::placeholder(self.file, self.text, braces.place.start, outside).into();
        }
        let what = if list { "a list" } else { "a mapping" };
        let place = match lex::brackets_end(self.text, start) {
            Some(end) => self.span(start, end),
            None => refuse::one_character(self.file, self.text, start),
        };
        refuse::key(place, self.text, what).into()
    }

    /// Refuses a tab before a key or `-` that decides on the structure by its column.
    fn refuse_tab(&self, at: usize) -> Outcome {
        let before = lex::between(self.text, 0, at);
        let blanks = before.len() - before.trim_end_matches(lex::BLANKS).len();
        match lex::between(self.text, at - blanks, at).find('\t') {
            Some(tab) => Err(fault::tab(self.file, at - blanks + tab).into()),
            None => Ok(()),
        }
    }

    fn refuse_indicator(&self, at: usize) -> Box<Diagnostic> {
        let brackets = self.open.last().is_some_and(|open| open.place.flow);
        refuse::indicator(self.file, self.text, at, brackets).into()
    }

    /// A block scalar from its `|` or `>` to the end of its last line.
    fn block_span(&self, start: usize, end: usize) -> Span {
        let header = lex::value_start(self.text, self.last.end);
        match lex::between(self.text, start, end).trim_end_matches([' ', '\t', '\n']).len() {
            0 => self.span(header, lex::content_end(self.text, header)),
            length => self.span(header, lex::line_end(self.text, start + length)),
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn scene(&self) -> Scene<'_> {
        let open = self.open.iter().map(|open| open.place).collect();
        let root = self.root.as_ref().map(|node| node.span);
        Scene { file: self.file, text: self.text, open, last: self.last, root }
    }
}

impl Keys {
    /// The place of a key among the entries so far.
    fn find(&mut self, entries: &[Entry], key: &str) -> Option<Span> {
        if entries.len() < MANY_KEYS {
            return entries.iter().find(|entry| entry.key == key).map(|entry| entry.key_span);
        }
        let new = entries.iter().skip(self.index.len());
        self.index.extend(new.map(|entry| (entry.key.clone(), entry.key_span)));
        self.index.get(key).copied()
    }
}
