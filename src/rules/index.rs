//! Finds the few contributors that can take a model id at all.
//!
//! A predicate can accept an id only if the id, in some normal form, begins with, ends with,
//! equals or contains one of a few literals; [`needs`] derives them. Tables by literal length
//! then give the candidates at a cost that does not grow with the number of contributors.

use std::collections::HashMap;
use std::sync::Arc;

use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, Look};
use rustc_hash::FxBuildHasher;

use super::{Contributor, LiteralKind, MatchCondition, Matcher, NormalForm, Pattern};

/// More alternatives than this are not worth a table; the predicate is then always tried.
const MOST_NEEDS: usize = 256;

/// The index over the matchers of one rule set.
#[derive(Debug, Default)]
pub(crate) struct ModelIndex {
    predicates: Vec<(NormalForm, LiteralKind, Table)>,
    /// Contributors whose predicates no literal narrows, in rule order.
    unindexed: Vec<usize>,
    families: HashMap<Box<str>, (usize, usize), FxBuildHasher>,
    family_lengths: Vec<usize>,
}

#[derive(Debug, Default)]
struct Table {
    lengths: Vec<usize>,
    contributors: HashMap<Box<str>, Vec<usize>, FxBuildHasher>,
}

impl ModelIndex {
    pub(crate) fn new(contributors: &[Arc<Contributor>]) -> Self {
        let mut index = Self::default();
        for (number, contributor) in contributors.iter().enumerate() {
            let Some(matching) = &contributor.matching else { continue };
            if let Some(predicate) = &matching.predicate {
                index.add_predicate(number, predicate);
            }
            for (place, family) in matching.families.iter().enumerate() {
                index.families.entry(family.prefix.clone()).or_insert((number, place));
            }
        }
        index.family_lengths = lengths(index.families.keys());
        for (_, _, table) in &mut index.predicates {
            table.lengths = lengths(table.contributors.keys());
        }
        index
    }

    fn add_predicate(&mut self, number: usize, predicate: &Matcher) {
        let Some(needs) = needs(predicate).filter(|needs| needs.len() <= MOST_NEEDS) else {
            self.unindexed.push(number);
            return;
        };
        for need in needs {
            let numbers = self.table(need.form, need.kind).contributors.entry(need.literal).or_default();
            if numbers.last() != Some(&number) {
                numbers.push(number);
            }
        }
    }

    fn table(&mut self, form: NormalForm, kind: LiteralKind) -> &mut Table {
        let place = self.predicates.iter().position(|(f, k, _)| (*f, *k) == (form, kind)).unwrap_or_else(|| {
            self.predicates.push((form, kind, Table::default()));
            self.predicates.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "the place was just found or made")]
        let (_, _, table) = &mut self.predicates[place];
        table
    }

    /// The contributors whose predicates may accept the id, in rule order. `form` gives the id in a normal form.
    pub(crate) fn predicate_candidates<'a>(&self, form: impl Fn(NormalForm) -> &'a str) -> Vec<usize> {
        let mut candidates = self.unindexed.clone();
        for (normal_form, kind, table) in &self.predicates {
            table.look_up(*kind, form(*normal_form), &mut candidates);
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }

    /// The first family, in rule order and then in list order, that the raw id begins with: the
    /// numbers of the contributor and of its prefix.
    pub(crate) fn first_family(&self, id: &str) -> Option<(usize, usize)> {
        let prefixes = self.family_lengths.iter().map_while(|length| (*length <= id.len()).then(|| id.get(..*length)));
        prefixes.flatten().filter_map(|prefix| self.families.get(prefix)).min().copied()
    }
}

impl Table {
    fn look_up(&self, kind: LiteralKind, id: &str, found: &mut Vec<usize>) {
        let mut add = |piece: Option<&str>| {
            if let Some(numbers) = piece.and_then(|piece| self.contributors.get(piece)) {
                found.extend(numbers);
            }
        };
        if kind == LiteralKind::Equals {
            return add(Some(id));
        }
        for length in self.lengths.iter().copied().take_while(|length| *length <= id.len()) {
            let last = id.len() - length;
            match kind {
                LiteralKind::Equals => {}
                LiteralKind::Prefix => add(id.get(..length)),
                LiteralKind::Suffix => add(id.get(last..)),
                LiteralKind::Contains => (0..=last).for_each(|start| add(id.get(start..start + length))),
            }
        }
    }
}

fn lengths<'a>(literals: impl Iterator<Item = &'a Box<str>>) -> Vec<usize> {
    let mut lengths: Vec<usize> = literals.map(|literal| literal.len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// One way in which an id can come to be accepted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    form: NormalForm,
    kind: LiteralKind,
    literal: Box<str>,
}

/// Literals of which every accepted id has at least one; nothing if there is no such list.
fn needs(matcher: &Matcher) -> Option<Vec<Need>> {
    of_pattern(&matcher.pattern, matcher.normalize)
}

/// All conditions must hold, so the needs of any one of them will do: the narrowest.
fn of_pattern(pattern: &Pattern, form: NormalForm) -> Option<Vec<Need>> {
    pattern.conditions.iter().filter_map(|condition| of_condition(condition, form)).min_by_key(|needs| width(needs))
}

/// A sort key: the smaller, the fewer ids get through.
fn width(needs: &[Need]) -> (Option<LiteralKind>, std::cmp::Reverse<usize>, usize) {
    let loosest = needs.iter().map(|need| need.kind).max();
    let shortest = needs.iter().map(|need| need.literal.len()).min().unwrap_or(usize::MAX);
    (loosest, std::cmp::Reverse(shortest), needs.len())
}

fn of_condition(condition: &MatchCondition, form: NormalForm) -> Option<Vec<Need>> {
    match condition {
        MatchCondition::Literals(kind, literals) => {
            of_literals(*kind, literals.iter().map(|literal| literal.text.clone()), form)
        }
        MatchCondition::Regex(pattern) => of_regex(pattern.regex.as_str(), form),
        MatchCondition::All(patterns) => {
            patterns.iter().filter_map(|pattern| of_pattern(pattern, form)).min_by_key(|needs| width(needs))
        }
        MatchCondition::Any(patterns) => {
            let each: Option<Vec<Vec<Need>>> = patterns.iter().map(|pattern| of_pattern(pattern, form)).collect();
            each.map(|needs| needs.concat())
        }
        MatchCondition::Not(_) => None,
        MatchCondition::Group(group, _) => needs(&group.matcher),
    }
}

fn of_literals(kind: LiteralKind, literals: impl Iterator<Item = Box<str>>, form: NormalForm) -> Option<Vec<Need>> {
    let need = |literal: Box<str>| {
        let narrows = kind == LiteralKind::Equals || !literal.is_empty();
        narrows.then_some(Need { form, kind, literal })
    };
    literals.map(need).collect()
}

/// Every match begins with one of the extracted literals; if the pattern is anchored, so does the id.
fn of_regex(pattern: &str, form: NormalForm) -> Option<Vec<Need>> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let kind = if is_anchored(&hir) { LiteralKind::Prefix } else { LiteralKind::Contains };
    let sequence = Extractor::new().extract(&hir);
    let literals = sequence.literals()?.iter().map(|literal| whole_characters(literal.as_bytes()));
    of_literals(kind, literals, form)
}

fn is_anchored(hir: &Hir) -> bool {
    hir.properties().look_set_prefix().contains(Look::Start)
}

/// The literal without a character that was cut in the middle.
fn whole_characters(bytes: &[u8]) -> Box<str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            bytes.get(..error.valid_up_to()).and_then(|whole| std::str::from_utf8(whole).ok()).unwrap_or("").into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex_needs(pattern: &str) -> Option<Vec<(LiteralKind, String)>> {
        let needs = of_regex(pattern, NormalForm::default())?;
        Some(needs.into_iter().map(|need| (need.kind, need.literal.into_string())).collect())
    }

    #[test]
    fn a_regex_needs_the_literals_that_its_matches_begin_with() {
        use LiteralKind::{Contains, Prefix};
        let need = |kind, literal: &str| (kind, literal.to_owned());
        assert_eq!(regex_needs("^gpt-4(-|$)"), Some(vec![need(Prefix, "gpt-4-"), need(Prefix, "gpt-4")]));
        assert_eq!(regex_needs("^(?:o1|o3)-x"), Some(vec![need(Prefix, "o1-x"), need(Prefix, "o3-x")]));
        assert_eq!(regex_needs("opus|sonnet"), Some(vec![need(Contains, "opus"), need(Contains, "sonnet")]));
        // Not every alternative is anchored, so the id need not begin with either.
        assert_eq!(regex_needs("^a|b"), Some(vec![need(Contains, "a"), need(Contains, "b")]));
        assert_eq!(regex_needs(""), None);
        assert_eq!(regex_needs("^(a|)$"), None);
        assert_eq!(regex_needs("[[:alpha:]]+x"), None);
    }

    #[test]
    fn a_cut_character_is_dropped() {
        assert_eq!(&*whole_characters(&"aü".as_bytes()[..2]), "a");
        assert_eq!(&*whole_characters("aü".as_bytes()), "aü");
    }
}
