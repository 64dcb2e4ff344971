//! Two texts as a word-level diff.

use imara_diff::{Algorithm, Diff, InternedInput, TokenSource};

/// A run of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run<'t> {
    /// In both.
    Same(&'t str),
    /// In the old text only.
    Old(&'t str),
    /// In the new text only.
    New(&'t str),
}

/// Words and the white space between them, each a token; every newline is one of its own.
#[derive(Clone, Copy)]
struct Words<'t>(&'t str);

impl<'t> Words<'t> {
    fn tokens(self) -> Vec<&'t str> {
        let mut tokens = Vec::new();
        let mut rest = self.0;
        while let Some(first) = rest.chars().next() {
            let blank = |letter: char| letter != '\n' && letter.is_whitespace();
            let length = if first == '\n' {
                1
            } else if blank(first) {
                rest.find(|letter: char| !blank(letter)).unwrap_or(rest.len())
            } else {
                rest.find(char::is_whitespace).unwrap_or(rest.len())
            };
            let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            tokens.push(token);
            rest = after;
        }
        tokens
    }
}

impl<'t> TokenSource for Words<'t> {
    type Token = &'t str;
    type Tokenizer = std::vec::IntoIter<&'t str>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.tokens().into_iter()
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len() / 4).unwrap_or(u32::MAX)
    }
}

/// The runs that turn one text into the other.
pub(super) fn runs<'t>(old: &'t str, new: &'t str) -> Vec<Run<'t>> {
    let input = InternedInput::new(Words(old), Words(new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let (mut old, mut new) = (Cursor::new(old), Cursor::new(new));
    let mut runs = Vec::new();
    for hunk in diff.hunks() {
        let same = new.take_to(hunk.after.start);
        old.take_to(hunk.before.start);
        runs.push(Run::Same(same));
        runs.push(Run::Old(old.take_to(hunk.before.end)));
        runs.push(Run::New(new.take_to(hunk.after.end)));
    }
    runs.push(Run::Same(new.rest()));
    runs.retain(|run| !run.text().is_empty());
    runs
}

impl<'t> Run<'t> {
    pub(super) fn text(self) -> &'t str {
        match self {
            Self::Same(text) | Self::Old(text) | Self::New(text) => text,
        }
    }
}

/// Walks through a text by numbers of tokens.
struct Cursor<'t> {
    text: &'t str,
    lengths: Vec<usize>,
    token: usize,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, lengths: Words(text).tokens().into_iter().map(str::len).collect(), token: 0, at: 0 }
    }

    fn take_to(&mut self, token: u32) -> &'t str {
        let token = (token as usize).max(self.token);
        let length: usize = self.lengths.iter().skip(self.token).take(token - self.token).sum();
        let taken = self.text.get(self.at..self.at + length).unwrap_or_default();
        (self.token, self.at) = (token, self.at + length);
        taken
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_give_back_both_texts() {
        let texts = ["", "a b c", "a  b c\nd", "x b c\n\nd e", "a b\u{a0}c", "\n", "long text that stays a b c"];
        for old in texts {
            for new in texts {
                let runs = runs(old, new);
                let side = |keep: fn(&Run<'_>) -> bool| {
                    runs.iter().filter(|run| keep(run)).map(|run| run.text()).collect::<String>()
                };
                assert_eq!(side(|run| !matches!(run, Run::New(_))), old, "{runs:?}");
                assert_eq!(side(|run| !matches!(run, Run::Old(_))), new, "{runs:?}");
            }
        }
    }

    #[test]
    fn only_the_changed_word_is_marked() {
        assert_eq!(
            runs("be brief now", "be short now"),
            [Run::Same("be "), Run::Old("brief"), Run::New("short"), Run::Same(" now")]
        );
    }
}
