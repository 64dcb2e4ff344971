//! Transforms for real: the steps that a plan carries, applied to a section's current text.
//!
//! The SDK ignores the steps; its runtime calls back with the text that the section has, and
//! takes the answer as it is.

use regex::{NoExpand, Regex};
use serde::Deserialize;
use serde_json::Value;

use super::plan::Launch;
use crate::message::{Section, SectionOverride, Step};

/// A step whose pattern does not compile. Rules that load have none.
#[derive(Debug, thiserror::Error)]
#[error("the pattern of a step is no regular expression: {0}")]
pub struct TransformError(#[from] regex::Error);

/// Applies steps in order; patterns are Rust regexes, every match counts, `with` uses `$1` and
/// `${name}` for captures.
///
/// # Errors
///
/// [`TransformError`] if a pattern does not compile.
///
/// ```
/// use promptrules::launch::transform::apply;
/// use promptrules::message::Step;
///
/// let steps = [
///     Step::Replace { pattern: "(?i)copilot(s?)".into(), with: "assistant$1".into() },
///     Step::Append("\nBe brief.".into()),
/// ];
/// assert_eq!(apply(&steps, "Copilots help.")?, "assistants help.\nBe brief.");
/// # Ok::<(), promptrules::launch::transform::TransformError>(())
/// ```
pub fn apply(steps: &[Step], text: &str) -> Result<String, TransformError> {
    steps.iter().try_fold(text.to_owned(), step)
}

fn step(text: String, step: &Step) -> Result<String, TransformError> {
    Ok(match step {
        Step::Replace { pattern, with } => Regex::new(pattern)?.replace_all(&text, with.as_str()).into_owned(),
        Step::Remove { pattern } => Regex::new(pattern)?.replace_all(&text, NoExpand("")).into_owned(),
        Step::Append(more) => text + more,
        Step::Prepend(more) => more.clone() + &text,
    })
}

/// Why there are no steps for a section.
#[derive(Debug, thiserror::Error)]
pub enum StepsError {
    /// The JSON has no system message.
    #[error("it has no system message")]
    NoMessage,
    /// The system message leaves the section alone or overrides it in another way.
    #[error("it does not transform `{0}`")]
    NotTransformed(Section),
    /// The steps are not those of a plan.
    #[error("its steps cannot be read: {0}")]
    Malformed(#[from] serde_json::Error),
}

/// The steps with which a plan in JSON, or a system message alone, transforms a section.
///
/// # Errors
///
/// [`StepsError`] if it does not.
pub fn steps_in(plan: &Value, section: Section) -> Result<Vec<Step>, StepsError> {
    let message = plan.pointer("/sessionConfig/systemMessage").or_else(|| plan.get("systemMessage")).unwrap_or(plan);
    if message.get("mode").is_none() {
        return Err(StepsError::NoMessage);
    }
    let value = message.get("sections").and_then(|sections| sections.get(section.as_str()));
    match value.and_then(|value| value.get("steps")) {
        Some(steps) => Ok(Vec::<Step>::deserialize(steps)?),
        None => Err(StepsError::NotTransformed(section)),
    }
}

impl Launch {
    /// The steps with which the plan transforms a section; nothing if it does not.
    #[must_use]
    pub fn steps(&self, section: Section) -> Option<&[Step]> {
        match self.system_message.sections()?.get(section)? {
            SectionOverride::Transform(steps) => Some(steps),
            SectionOverride::Replace(_)
            | SectionOverride::Append(_)
            | SectionOverride::Prepend(_)
            | SectionOverride::Remove
            | SectionOverride::Preserve => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(pattern: &str, with: &str, text: &str) -> String {
        apply(&[Step::Replace { pattern: pattern.into(), with: with.into() }], text).unwrap()
    }

    #[test]
    fn steps_apply_in_order_to_what_the_one_before_left() {
        let steps = [
            Step::Append("b".into()),
            Step::Prepend("b".into()),
            Step::Remove { pattern: "^b".into() },
            Step::Replace { pattern: "b".into(), with: "c$0".into() },
        ];
        assert_eq!(apply(&steps, "ab").unwrap(), "acbcb");
        assert_eq!(apply(&[], "as it is\n").unwrap(), "as it is\n");
        assert_eq!(apply(&steps[..1], "").unwrap(), "b");
    }

    #[test]
    fn captures() {
        assert_eq!(replaced(r"(?P<who>\w+) (\w+)", "$2 ${who}!", "a b, c d"), "b a!, d c!");
        assert_eq!(replaced("a", "$$1", "a"), "$1");
        assert_eq!(replaced("a", "$9", "ab"), "b");
        assert_eq!(replaced("", "-", "é🙂"), "-é-🙂-");
        assert_eq!(apply(&[Step::Remove { pattern: r"\s+$".into() }], "a\n\n").unwrap(), "a");
    }

    #[test]
    fn a_bad_pattern_is_an_error() {
        let error = apply(&[Step::Remove { pattern: "(".into() }], "").unwrap_err();
        assert!(error.to_string().contains("no regular expression"));
    }
}
