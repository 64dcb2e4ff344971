//! Model matchers: languages of model ids.

use std::borrow::Cow;
use std::sync::Arc;

use super::model_regex::ModelRegex;
use crate::source::Span;

/// The rewriting of an id before it is compared, as a set of steps. The steps are applied in
/// one fixed order, however they are listed: vendor, lowercase, dashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NormalForm {
    /// Drop everything through the last `/`.
    pub vendor: bool,
    /// ASCII upper case becomes lower case.
    pub lowercase: bool,
    /// Each `.` and `_` becomes `-`.
    pub dashes: bool,
}

impl NormalForm {
    /// How many normal forms there are.
    pub const COUNT: usize = 8;

    /// A number below [`Self::COUNT`]; the raw form is 0.
    #[must_use]
    pub fn number(self) -> usize {
        usize::from(self.vendor) | usize::from(self.lowercase) << 1 | usize::from(self.dashes) << 2
    }

    /// The id in this form.
    #[must_use]
    pub fn apply(self, id: &str) -> Cow<'_, str> {
        let id = if self.vendor { id.rsplit('/').next().unwrap_or(id) } else { id };
        let changes =
            |byte: u8| self.lowercase && byte.is_ascii_uppercase() || self.dashes && (byte == b'.' || byte == b'_');
        if !id.bytes().any(changes) {
            return Cow::Borrowed(id);
        }
        Cow::Owned(id.chars().map(|letter| self.rewrite(letter)).collect())
    }

    /// What one character becomes.
    #[must_use]
    pub fn rewrite(self, letter: char) -> char {
        match letter {
            '.' | '_' if self.dashes => '-',
            letter if self.lowercase => letter.to_ascii_lowercase(),
            letter => letter,
        }
    }
}

/// A matcher at its top: how the id is rewritten, then what must hold of it.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// Applied before anything in the matcher is compared.
    pub normalize: NormalForm,
    /// What must hold.
    pub pattern: Pattern,
}

/// A conjunction of at least one condition on a rewritten id.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// All of these must hold; in written order, never empty.
    pub conditions: Box<[MatchCondition]>,
    /// The mapping.
    pub span: Span,
}

/// One key of a matcher with its value.
#[derive(Clone, Debug)]
pub enum MatchCondition {
    /// The id compares with at least one of the literals.
    Literals(LiteralKind, Box<[Literal]>),
    /// The regex finds a match somewhere in the id.
    Regex(RegexPattern),
    /// All patterns accept it.
    All(Box<[Pattern]>),
    /// At least one pattern accepts it.
    Any(Box<[Pattern]>),
    /// The pattern does not accept it.
    Not(Box<Pattern>),
    /// The group accepts the raw id, under its own normalisation only.
    Group(Arc<ModelGroup>, Span),
}

/// How a literal is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiteralKind {
    /// The whole id.
    Equals,
    /// Its start.
    Prefix,
    /// Its end.
    Suffix,
    /// Any part.
    Contains,
}

impl LiteralKind {
    /// The key in rule files.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Equals => "equals",
            Self::Prefix => "prefix",
            Self::Suffix => "suffix",
            Self::Contains => "contains",
        }
    }

    /// Whether an id, already rewritten, compares with a literal.
    #[must_use]
    pub fn accepts(self, literal: &str, id: &str) -> bool {
        match self {
            Self::Equals => id == literal,
            Self::Prefix => id.starts_with(literal),
            Self::Suffix => id.ends_with(literal),
            Self::Contains => id.contains(literal),
        }
    }
}

/// A literal as written.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The characters.
    pub text: Box<str>,
    /// The scalar.
    pub span: Span,
}

/// A compiled pattern with its place.
#[derive(Clone, Debug)]
pub struct RegexPattern {
    /// The compiled pattern, unanchored.
    pub regex: ModelRegex,
    /// The scalar.
    pub span: Span,
}

/// A named matcher of the catalog.
#[derive(Debug)]
pub struct ModelGroup {
    /// Its name.
    pub name: Box<str>,
    /// Where the catalog declares it.
    pub span: Span,
    /// The matcher.
    pub matcher: Matcher,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_apply_in_their_fixed_order() {
        let all = NormalForm { vendor: true, lowercase: true, dashes: true };
        assert_eq!(all.apply("us/Anthropic/Claude_Opus.4-Ü"), "claude-opus-4-Ü");
        assert_eq!(NormalForm::default().apply("A/b.C"), "A/b.C");
        assert_eq!(NormalForm { vendor: true, ..NormalForm::default() }.apply("a/"), "");
    }
}
