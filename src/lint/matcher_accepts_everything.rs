#![doc = include_str!("pages/matcher-accepts-everything.md")]

use super::exact::{Exact, Purpose, groups};
use super::report::Findings;
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::language::Lang;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{LiteralKind, MatchCondition, NormalForm, Pattern, RuleSet};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    for (purpose, matcher) in subject.matchers() {
        let mut search = Search { exact, form: matcher.normalize, purpose: *purpose, found: Vec::new() };
        let answer = search.pattern(&matcher.pattern);
        let found = search.found;
        exact.decided(answer, matcher.pattern.span, None, || "whether this matcher accepts everything".to_owned());
        let mut grounds = vec![matcher.pattern.span];
        groups(&matcher.pattern, &mut grounds);
        let explained = grounds.iter().any(|place| findings.blames(&[Code::MatcherNeverMatches], *place));
        if !explained {
            findings
                .extend(found.into_iter().map(|finding| Diagnostic { rule: subject.rule_at(finding.span), ..finding }));
        }
    }
    findings.extend(families(subject.rules));
}

fn families(rules: &RuleSet) -> Vec<Diagnostic> {
    let matchings = rules.contributors.iter().filter_map(|rule| Some((rule, rule.matching.as_ref()?)));
    let empty = matchings.flat_map(|(rule, matching)| {
        let families = matching.families.iter().filter(|family| family.prefix.is_empty());
        families.map(move |family| {
            diagnostic(Purpose::Contributor, family.span, "every model id begins with the empty text").rule(&*rule.id)
        })
    });
    empty.collect()
}

fn diagnostic(purpose: Purpose, span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Code::MatcherAcceptsEverything, span, message).help(help(purpose))
}

fn help(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Contributor => {
            "what is for every model belongs into the base, a tool-instruction line or a trailing block"
        }
        Purpose::Group => "a group of all models tells none from the others: say which ones are meant",
        Purpose::Gate => "this asks for no more than that there is a model: say which ones are meant",
        Purpose::ToolSearch => "every model counts as able to search for tools: say which ones are",
        Purpose::Exception => "no session with a model is left to the policy: say which models are the exception",
    }
}

/// Ids that hardly any matcher accepts.
const UNLIKELY: [&str; 3] = ["\u{1}", "~", "Q/q.q"];

/// Looks for parts of one matcher that every id satisfies.
struct Search<'s, 'a> {
    exact: &'s mut Exact<'a>,
    form: NormalForm,
    purpose: Purpose,
    found: Vec<Diagnostic>,
}

impl Search<'_, '_> {
    fn is_everything(&mut self, lang: Lang) -> Answer<bool> {
        let languages = self.exact.space.languages();
        if UNLIKELY.iter().any(|id| !languages.accepts(lang, id)) {
            return Ok(false);
        }
        Ok(languages.non_member(lang)?.is_none())
    }

    fn accepts_everything(&mut self, pattern: &Pattern) -> Answer<bool> {
        let lang = self.exact.space.languages().pattern(self.form, pattern);
        self.is_everything(lang)
    }

    /// Reports the smallest parts of a pattern that are no restriction.
    fn pattern(&mut self, pattern: &Pattern) -> Answer<()> {
        let before = self.found.len();
        for condition in &pattern.conditions {
            self.condition(condition)?;
        }
        let whole = self.found.len() == before && self.accepts_everything(pattern)?;
        let groups_only = pattern.conditions.iter().all(|condition| matches!(condition, MatchCondition::Group(..)));
        // A group that accepts everything is told so itself.
        if whole && !groups_only {
            self.push(pattern.span, "every model id satisfies this matcher");
        }
        Ok(())
    }

    fn condition(&mut self, condition: &MatchCondition) -> Answer<()> {
        match condition {
            MatchCondition::Literals(kind, literals) => {
                for literal in literals.iter().filter(|literal| literal.text.is_empty()) {
                    let message = match kind {
                        LiteralKind::Equals => continue,
                        LiteralKind::Prefix => "every model id begins with nothing",
                        LiteralKind::Suffix => "every model id ends with the empty text",
                        LiteralKind::Contains => "every model id contains the empty text",
                    };
                    self.push(literal.span, message);
                }
            }
            MatchCondition::Regex(regex) => {
                let lang = self.exact.space.languages().regex(self.form, &regex.regex);
                if self.is_everything(lang)? {
                    self.push(regex.span, "every model id has a match of this pattern");
                }
            }
            MatchCondition::All(patterns) | MatchCondition::Any(patterns) => {
                for pattern in patterns {
                    self.pattern(pattern)?;
                }
            }
            // What is excluded wholly leaves nothing, which is another finding.
            MatchCondition::Not(_) | MatchCondition::Group(..) => {}
        }
        Ok(())
    }
    fn push(&mut self, span: Span, message: &str) {
        self.found.push(diagnostic(self.purpose, span, message));
    }
}
