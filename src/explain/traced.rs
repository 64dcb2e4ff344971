//! Text that knows, for each of its characters, who says it.

use serde::{Serialize, Serializer};

use crate::interpret::{Composed, Event, Origin, Recorder};

/// A composed text, cut into segments of one origin each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traced<'r> {
    text: String,
    /// Where each segment ends, with its origin; no segment is empty.
    cuts: Vec<(usize, Option<Origin<'r>>)>,
}

/// A piece of a composed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'t, 'r> {
    /// The characters, never none.
    pub text: &'t str,
    /// The string that they were written in; nothing for what the layering puts between.
    pub origin: Option<Origin<'r>>,
}

impl<'r> Traced<'r> {
    /// The whole text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The segments: one after the other, they are the text.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_, 'r>> {
        let starts = std::iter::once(0).chain(self.cuts.iter().map(|(end, _)| *end));
        starts.zip(&self.cuts).map(|(start, (end, origin))| Segment {
            text: self.text.get(start..*end).unwrap_or_default(),
            origin: *origin,
        })
    }

    /// The origin of the character at a byte offset; nothing for a separator, or past the end.
    #[must_use]
    pub fn origin_at(&self, offset: usize) -> Option<Origin<'r>> {
        let cut = self.cuts.partition_point(|(end, _)| *end <= offset);
        self.cuts.get(cut).and_then(|(_, origin)| *origin)
    }

    /// Ends a segment here; one of the same origin just before it grows.
    fn cut(&mut self, end: usize, origin: Option<Origin<'r>>) {
        match self.cuts.last_mut() {
            Some((last, same)) if *same == origin => *last = end,
            Some((last, _)) if *last == end => {}
            None if end == 0 => {}
            Some(_) | None => self.cuts.push((end, origin)),
        }
    }
}

impl<'r> Composed<'r> for Traced<'r> {
    fn push(&mut self, text: &str, origin: Origin<'r>) {
        self.text.push_str(text);
        self.cut(self.text.len(), Some(origin));
    }

    fn separate(&mut self, text: &'static str) {
        self.text.push_str(text);
        self.cut(self.text.len(), None);
    }

    fn extend(&mut self, text: Self) {
        let start = self.text.len();
        self.text.push_str(&text.text);
        text.cuts.into_iter().for_each(|(end, origin)| self.cut(start + end, origin));
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn into_string(self) -> String {
        self.text
    }
}

impl AsRef<str> for Traced<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Serialize for Traced<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Keeps everything that a run tells, and composes texts with their origins.
#[derive(Debug, Default)]
pub struct Trace<'r> {
    /// What happened, in order.
    pub events: Vec<Event<'r>>,
}

impl<'r> Recorder<'r> for Trace<'r> {
    type Text = Traced<'r>;

    fn record(&mut self, event: Event<'r>) {
        self.events.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, Sources, Span};

    #[test]
    fn segments_of_one_origin_are_one_and_none_is_empty() {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a".into(), "a".into(), String::new()));
        let at = |start| Origin { rule: "r", span: Span::new(file, start, start + 1) };
        let mut text = Traced::default();
        text.push("", at(0));
        text.push("é", at(0));
        text.push("b", at(0));
        text.separate("\n");
        text.push("", at(1));
        text.separate("\n");
        let mut other = Traced::default();
        other.push("c", at(2));
        text.extend(other);
        let segments: Vec<(&str, bool)> = text.segments().map(|s| (s.text, s.origin.is_some())).collect();
        assert_eq!(segments, [("éb", true), ("\n\n", false), ("c", true)]);
        assert_eq!(text.origin_at(1), Some(at(0)));
        assert_eq!(text.origin_at(3), None);
        assert_eq!(text.origin_at(5), Some(at(2)));
        assert_eq!(text.origin_at(6), None);
    }
}
