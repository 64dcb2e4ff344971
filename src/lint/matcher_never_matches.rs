#![doc = include_str!("pages/matcher-never-matches.md")]

use super::exact::{Exact, named_by};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::language::Lang;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Literal, LiteralKind, MatchCondition, Matcher, NormalForm, Pattern, RegexPattern};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    for (_, matcher) in subject.matchers() {
        let mut search = Search { exact, form: matcher.normalize, guesses: named_by(matcher), found: Vec::new() };
        let answer = search.matcher(matcher);
        let found = search.found;
        exact.decided(answer, matcher.pattern.span, None, || "whether all of this matcher can match".to_owned());
        let causes = [Code::HiddenCharacter, Code::ConfusableName];
        let found = found.into_iter().map(|finding| Diagnostic { rule: subject.rule_at(finding.span), ..finding });
        findings.extend_unless(&causes, found);
    }
}

/// Looks for parts of one matcher that no id satisfies.
struct Search<'s, 'a> {
    exact: &'s mut Exact<'a>,
    form: NormalForm,
    /// Ids that may well show that a part can match.
    guesses: Vec<String>,
    found: Vec<Diagnostic>,
}

impl Search<'_, '_> {
    fn matcher(&mut self, matcher: &Matcher) -> Answer<()> {
        let lang = self.lang(&matcher.pattern);
        if self.is_dead(lang)? {
            self.blame(Lang::EVERYTHING, &matcher.pattern)
        } else {
            self.inside(Lang::EVERYTHING, &matcher.pattern)
        }
    }

    fn lang(&mut self, pattern: &Pattern) -> Lang {
        self.exact.space.languages().pattern(self.form, pattern)
    }

    fn condition(&mut self, condition: &MatchCondition) -> Lang {
        self.exact.space.languages().condition(self.form, condition)
    }

    fn is_dead(&mut self, lang: Lang) -> Answer<bool> {
        let languages = self.exact.space.languages();
        if self.guesses.iter().any(|id| !id.is_empty() && languages.accepts(lang, id)) {
            return Ok(false);
        }
        languages.is_empty(lang)
    }

    fn is_dead_beside(&mut self, beside: Lang, lang: Lang) -> Answer<bool> {
        let both = self.exact.space.languages().and([beside, lang]);
        self.is_dead(both)
    }

    /// Finds what is to blame for a pattern that matches nothing.
    fn blame(&mut self, beside: Lang, pattern: &Pattern) -> Answer<()> {
        let mut alone = false;
        for condition in &pattern.conditions {
            let lang = self.condition(condition);
            if self.is_dead_beside(beside, lang)? {
                alone = true;
                self.blame_condition(beside, condition, pattern.span)?;
            }
        }
        if !alone {
            self.push(pattern.span, "no model id satisfies all of these conditions".to_owned());
        }
        Ok(())
    }

    fn blame_condition(&mut self, beside: Lang, condition: &MatchCondition, around: Span) -> Answer<()> {
        match condition {
            MatchCondition::Literals(kind, literals) => {
                literals.iter().for_each(|literal| self.literal(*kind, literal));
            }
            MatchCondition::Regex(pattern) => {
                let message = match self.spoilt_by(pattern)? {
                    Some(step) => format!("no model id has a match of this pattern once `{step}` has rewritten it"),
                    None if beside == Lang::EVERYTHING => "no model id has a match of this pattern".to_owned(),
                    None => "no model id that satisfies the other conditions has a match of this pattern".to_owned(),
                };
                self.push(pattern.span, message);
            }
            MatchCondition::All(patterns) => {
                let mut alone = false;
                for pattern in patterns {
                    let lang = self.lang(pattern);
                    if self.is_dead_beside(beside, lang)? {
                        alone = true;
                        self.blame(beside, pattern)?;
                    }
                }
                if !alone {
                    self.push(around, "no model id satisfies all of these matchers".to_owned());
                }
            }
            MatchCondition::Any(patterns) => {
                for pattern in patterns {
                    self.blame(beside, pattern)?;
                }
            }
            MatchCondition::Not(pattern) => {
                self.push(pattern.span, "every model id satisfies this matcher, and `not` leaves none".to_owned());
            }
            // A group that matches nothing is told so itself; one that only excludes the rest is not at fault alone.
            MatchCondition::Group(group, span) => {
                let lang = self.exact.space.languages().group(group);
                if !self.is_dead(lang)? {
                    let message = format!("no model id of the group `{}` satisfies what stands around it", group.name);
                    self.push(*span, message);
                }
            }
        }
        Ok(())
    }

    /// The step without which a pattern would match something.
    fn spoilt_by(&mut self, pattern: &RegexPattern) -> Answer<Option<&'static str>> {
        let form = self.form;
        let steps = [
            ("lowercase", form.lowercase, NormalForm { lowercase: false, ..form }),
            ("dashes", form.dashes, NormalForm { dashes: false, ..form }),
            ("vendor", form.vendor, NormalForm { vendor: false, ..form }),
        ];
        let languages = self.exact.space.languages();
        let whole = languages.regex(form, &pattern.regex);
        if !languages.is_empty(whole)? {
            return Ok(None);
        }
        for (step, _, without) in steps.into_iter().filter(|(_, taken, _)| *taken) {
            let lang = languages.regex(without, &pattern.regex);
            if !languages.is_empty(lang)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Finds parts that match nothing in a pattern that matches something.
    fn inside(&mut self, beside: Lang, pattern: &Pattern) -> Answer<()> {
        for (at, condition) in pattern.conditions.iter().enumerate() {
            let others: Vec<&MatchCondition> = pattern
                .conditions
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, other)| other)
                .collect();
            match condition {
                MatchCondition::Literals(kind, literals) => self.literals(beside, &others, *kind, literals)?,
                MatchCondition::Any(patterns) => {
                    let beside = self.beside(beside, &others);
                    for pattern in patterns {
                        self.alternative(beside, pattern)?;
                    }
                }
                MatchCondition::All(patterns) => {
                    let beside = self.beside(beside, &others);
                    self.members(beside, patterns)?;
                }
                // By itself: that what is excluded does not occur here is no fault.
                MatchCondition::Not(pattern) => self.alternative(Lang::EVERYTHING, pattern)?,
                MatchCondition::Regex(_) | MatchCondition::Group(..) => {}
            }
        }
        Ok(())
    }

    fn beside(&mut self, beside: Lang, others: &[&MatchCondition]) -> Lang {
        let langs: Vec<Lang> = others.iter().map(|other| self.condition(other)).chain([beside]).collect();
        self.exact.space.languages().and(langs)
    }

    fn alternative(&mut self, beside: Lang, pattern: &Pattern) -> Answer<()> {
        let lang = self.lang(pattern);
        if self.is_dead_beside(beside, lang)? { self.blame(beside, pattern) } else { self.inside(beside, pattern) }
    }

    fn members(&mut self, beside: Lang, patterns: &[Pattern]) -> Answer<()> {
        for (at, pattern) in patterns.iter().enumerate() {
            let others = patterns.iter().enumerate().filter(|(other, _)| *other != at);
            let langs: Vec<Lang> = others.map(|(_, other)| self.lang(other)).chain([beside]).collect();
            let beside = self.exact.space.languages().and(langs);
            self.inside(beside, pattern)?;
        }
        Ok(())
    }

    /// The alternatives of a list of literals.
    fn literals(
        &mut self,
        beside: Lang,
        others: &[&MatchCondition],
        kind: LiteralKind,
        literals: &[Literal],
    ) -> Answer<()> {
        if literals.len() < 2 {
            return Ok(());
        }
        let beside = self.beside(beside, others);
        for literal in literals {
            // By itself a literal matches, unless its form is one that no id has.
            let dead = if beside == Lang::EVERYTHING {
                fault(self.form, kind, &literal.text).is_some()
            } else {
                let lang = self.exact.space.languages().literals(self.form, kind, [&*literal.text]);
                self.is_dead_beside(beside, lang)?
            };
            if dead {
                self.literal(kind, literal);
            }
        }
        Ok(())
    }

    fn literal(&mut self, kind: LiteralKind, literal: &Literal) {
        let text = &*literal.text;
        let Some(fault) = fault(self.form, kind, text) else {
            let message = format!("no model id that satisfies the other conditions {} `{text}`", verb(kind));
            return self.push(literal.span, message);
        };
        let diagnostic = Diagnostic::new(Code::MatcherNeverMatches, literal.span, fault);
        let meant = self.form.apply(text);
        self.found.push(if meant.is_empty() { diagnostic } else { diagnostic.did_you_mean(&meant) });
    }

    fn push(&mut self, span: Span, message: String) {
        self.found.push(Diagnostic::new(Code::MatcherNeverMatches, span, message));
    }
}

fn verb(kind: LiteralKind) -> &'static str {
    match kind {
        LiteralKind::Equals => "is",
        LiteralKind::Prefix => "begins with",
        LiteralKind::Suffix => "ends with",
        LiteralKind::Contains => "contains",
    }
}

/// What keeps a literal from matching any rewritten id.
fn fault(form: NormalForm, kind: LiteralKind, text: &str) -> Option<String> {
    let because = |why: &str| Some(format!("no model id {} `{text}`, as {why}", verb(kind)));
    if form.lowercase && text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return because("`lowercase` has rewritten its capital letters");
    }
    if form.dashes && text.contains(['.', '_']) {
        return because("`dashes` has rewritten each `.` and `_` to `-`");
    }
    if form.vendor && text.contains('/') {
        return because("`vendor` has dropped everything through its last `/`");
    }
    (kind == LiteralKind::Equals && text.is_empty() && !form.vendor).then(|| "no model id is empty".to_owned())
}
