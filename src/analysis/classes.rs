//! Classes of model ids: a partition of all ids, refined by what has to be told apart.
//!
//! Input: languages, say what each contributor of two rule sets takes, and the `model` conditions
//! of their gates. Output: disjoint classes, each with an id, that together have all ids; two ids
//! of one class are in just the same of the languages, so what holds of the witness holds of its
//! class. Limit: the number of classes, and those of the languages; the classes found until then
//! are genuine all the same.

use super::language::{Lang, Languages};
use super::{Answer, Limit, Undecided};

/// The most classes that are told apart.
pub const MAX_CLASSES: usize = 4_000;

/// Ids that nothing tells apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The ids.
    pub lang: Lang,
    /// The best id: a preferred one if the class has any.
    pub witness: Box<str>,
}

/// A partition of all ids, or of those of one language.
#[derive(Clone, Debug)]
pub struct Classes {
    classes: Vec<Class>,
    complete: Answer<()>,
}

impl Classes {
    /// All ids in one class.
    #[must_use]
    pub fn new(languages: &mut Languages) -> Self {
        Self::within(languages, Lang::EVERYTHING)
    }

    /// The ids of a language in one class; no class if it is empty.
    #[must_use]
    pub fn within(languages: &mut Languages, lang: Lang) -> Self {
        match languages.member(lang) {
            Ok(Some(witness)) => Self { classes: vec![Class { lang, witness }], complete: Ok(()) },
            Ok(None) => Self { classes: Vec::new(), complete: Ok(()) },
            Err(undecided) => Self { classes: Vec::new(), complete: Err(undecided) },
        }
    }

    /// A partition as it is given: the languages must have no id in common. Those without an id
    /// are left out.
    #[must_use]
    pub fn of_parts(languages: &mut Languages, parts: impl IntoIterator<Item = Lang>) -> Self {
        let mut all = Self { classes: Vec::new(), complete: Ok(()) };
        for part in parts {
            let one = Self::within(languages, part);
            all.classes.extend(one.classes);
            all.complete = all.complete.and(one.complete);
        }
        all
    }

    /// The classes.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Whether every id is in one of the classes, or the limit that kept some out.
    pub fn complete(&self) -> &Answer<()> {
        &self.complete
    }

    /// Tells apart the ids that a language has from those that it lacks.
    pub fn split(&mut self, languages: &mut Languages, lang: Lang) {
        let others = languages.not(lang);
        self.refine(languages, &[lang, others]);
    }

    /// Tells apart by the languages of another partition: every id must be in just one of them.
    pub fn refine(&mut self, languages: &mut Languages, parts: &[Lang]) {
        let whole = std::mem::take(&mut self.classes);
        let mut left = whole.len();
        for class in whole {
            left -= 1;
            if self.classes.len() + left >= MAX_CLASSES {
                self.complete = Err(Undecided::new(Limit::Classes));
                self.classes.push(class);
            } else {
                self.cut(languages, class, parts);
            }
        }
    }

    fn cut(&mut self, languages: &mut Languages, class: Class, parts: &[Lang]) {
        let found = parts.iter().position(|part| languages.accepts(*part, &class.witness));
        let Some(own) = found.and_then(|number| parts.get(number)) else { return self.classes.push(class) };
        if languages.minus(class.lang, [*own]) == Lang::NOTHING {
            return self.classes.push(class);
        }
        let first = self.classes.len();
        let mut settled = true;
        for part in parts.iter().filter(|part| *part != own) {
            if self.classes.len() >= MAX_CLASSES {
                self.complete = Err(Undecided::new(Limit::Classes));
                break;
            }
            if languages.share_nothing(class.lang, *part) {
                continue;
            }
            let lang = languages.and([class.lang, *part]);
            match languages.member(lang) {
                Ok(Some(witness)) => self.classes.push(Class { lang, witness }),
                Ok(None) => {}
                Err(undecided) => {
                    self.complete = Err(undecided);
                    settled = false;
                }
            }
        }
        let uncut = settled && self.classes.len() == first;
        let lang = if uncut { class.lang } else { languages.and([class.lang, *own]) };
        self.classes.insert(first, Class { lang, witness: class.witness });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::{accepts, equals, ids, matcher, not, prefix, regex};
    use crate::rules::Matcher;

    fn classes(models: &[&str], matchers: &[Matcher]) -> Classes {
        let mut languages = Languages::new(models.iter().copied());
        let langs: Vec<Lang> = matchers.iter().map(|matcher| languages.matcher(matcher)).collect();
        let mut classes = Classes::new(&mut languages);
        for lang in langs {
            classes.split(&mut languages, lang);
        }
        classes
    }

    #[test]
    fn every_combination_has_its_class() {
        let matchers = [
            matcher("vl", vec![prefix("a")]),
            matcher("", vec![regex("1$")]),
            matcher("d", vec![not(equals("a-1"))]),
            matcher("", vec![regex("(?i)k"), regex("[^kK]")]),
        ];
        let vector = |id: &str| matchers.iter().map(|matcher| accepts(matcher, id)).collect::<Vec<bool>>();
        let found = classes(&["a-1", "b", "a.1", "c"], &matchers);
        assert_eq!(found.complete(), &Ok(()));
        let vectors: Vec<_> = found.classes().iter().map(|class| vector(&class.witness)).collect();
        for id in ids("aA-./1k\u{212A}", 4) {
            assert_eq!(vectors.iter().filter(|class| **class == vector(&id)).count(), 1, "{id}");
        }
        let witnesses: Vec<&str> = found.classes().iter().map(|class| &*class.witness).collect();
        assert!(witnesses.contains(&"a-1") && witnesses.contains(&"b"));
    }

    #[test]
    fn too_many_are_undecided_but_genuine() {
        let matchers: Vec<Matcher> = ('a'..='t').map(|letter| matcher("", vec![regex(&letter.to_string())])).collect();
        let found = classes(&[], &matchers);
        assert!(matches!(found.complete(), Err(undecided) if undecided.limit == Limit::Classes));
        let hard = classes(&["x"], &[matcher("", vec![regex("(a|b)*a(a|b){40}$")]), matcher("", vec![equals("x")])]);
        assert!(hard.complete().is_err());
        assert_eq!(hard.classes().len(), 2);
    }
}
