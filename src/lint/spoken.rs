//! Names of client tools in texts.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::prose::Prose;
use crate::rules::{Catalog, ToolId};
use crate::source::Span;

/// The mentions in each string that has some, by the place of the string.
pub(super) type Spoken<'a> = FxHashMap<Span, Vec<Mention<'a>>>;

/// A name of a client tool in a string.
pub(super) struct Mention<'a> {
    pub(super) tool: ToolId,
    pub(super) range: Range<usize>,
    /// The string.
    pub(super) text: &'a str,
}

/// The mentions in all of these strings.
pub(super) fn spoken<'a>(catalog: &Catalog, prose: &[Prose<'a>]) -> Spoken<'a> {
    let names = Names::new(catalog);
    let mut spoken = Spoken::default();
    for Prose { node, text, .. } in prose {
        let found = names.mentions(text);
        if !found.is_empty() {
            let mention = |(tool, range)| Mention { tool, range, text };
            spoken.insert(node.span, found.into_iter().map(mention).collect());
        }
    }
    spoken
}

/// The client tools of a catalog, as words to look for.
struct Names<'a> {
    words: FxHashMap<&'a str, ToolId>,
    /// The length of the shortest of them.
    shortest: usize,
    /// Names that are more than one word.
    phrases: Vec<(&'a str, ToolId)>,
}

impl<'a> Names<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let names = catalog.client_tools().iter().map(|tool| (catalog.tool_name(*tool), *tool));
        let (words, phrases) =
            names.filter(|(name, _)| !name.is_empty()).partition::<Vec<_>, _>(|(name, _)| name.chars().all(is_word));
        let shortest = words.iter().map(|(word, _)| word.len()).min().unwrap_or(usize::MAX);
        Self { words: words.into_iter().collect(), shortest, phrases }
    }

    /// The names in a text, with their places.
    fn mentions(&self, text: &str) -> Vec<(ToolId, Range<usize>)> {
        let mut found: Vec<(ToolId, Range<usize>)> = Vec::new();
        for (start, word) in words(text).filter(|(_, word)| word.len() >= self.shortest) {
            let place = start..start + word.len();
            if let Some(tool) = self.words.get(word).filter(|_| counts(text, word, &place)) {
                found.push((*tool, place));
            }
        }
        for (name, tool) in &self.phrases {
            let places = text.match_indices(name).map(|(start, _)| start..start + name.len());
            found.extend(
                places.filter(|place| is_whole(text, place) && counts(text, name, place)).map(|place| (*tool, place)),
            );
        }
        found
    }
}

fn is_word(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// The runs of letters, digits and `_`, with where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(|letter| !is_word(letter)).filter_map(move |word| {
        // Offset by the separator that ended the word before.
        let start = at;
        at = start + word.len();
        at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

fn before<'t>(text: &'t str, place: &Range<usize>) -> Option<char> {
    text.get(..place.start).and_then(|before: &'t str| before.chars().next_back())
}

fn after<'t>(text: &'t str, place: &Range<usize>) -> Option<char> {
    text.get(place.end..).and_then(|after: &'t str| after.chars().next())
}

fn is_whole(text: &str, place: &Range<usize>) -> bool {
    !before(text, place).is_some_and(is_word) && !after(text, place).is_some_and(is_word)
}

/// Names that are ordinary words count only in backticks. A name in double braces stands for a value.
fn counts(text: &str, name: &str, place: &Range<usize>) -> bool {
    if text.get(..place.start).is_some_and(|before| before.trim_end().ends_with("{{")) {
        return false;
    }
    let ordinary = !name.chars().any(char::is_uppercase);
    !ordinary || before(text, place) == Some('`') && matches!(after(text, place), Some('`' | '('))
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_keep_their_places() {
        let found: Vec<(usize, &str)> = words("é a_1, 中b").collect();
        assert_eq!(found, [(0, "é"), (3, "a_1"), (8, "中b")]);
    }
}
