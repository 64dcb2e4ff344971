//! Layer 2: the universal tool-instruction lines, composed into whatever the base decided.

use super::record::{Composed, Recorder, RuleKind};
use super::run::{Run, joined};
use crate::message::{Section, SectionOverride, Step, SystemMessageConfig};

pub(super) fn add_lines<'r, R: Recorder<'r>>(
    message: SystemMessageConfig<R::Text>,
    run: &mut Run<'_, 'r, R>,
) -> SystemMessageConfig<R::Text> {
    let rules = run.rules;
    let Some(lines) = joined(rules.lines.iter().filter_map(|line| run.rule(RuleKind::Line, line))) else {
        return message;
    };
    match message {
        SystemMessageConfig::Replace { content } => SystemMessageConfig::Replace { content: content.paragraph(lines) },
        SystemMessageConfig::Customize { mut sections, content } => {
            sections.update(Section::ToolInstructions, |before| compose(before, lines));
            SystemMessageConfig::Customize { sections, content }
        }
        // Rules never give this mode; it has no sections to compose into.
        SystemMessageConfig::Append { .. } => message,
    }
}

/// What the section's override becomes. The foundation ends and begins with text, so appended
/// and prepended lines bring a newline of their own.
fn compose<'r, T: Composed<'r>>(before: Option<SectionOverride<T>>, lines: T) -> SectionOverride<T> {
    let below = |content: T, lines: T| if content.is_empty() { lines } else { content.line(lines) };
    match before {
        None | Some(SectionOverride::Preserve) => SectionOverride::Append(T::default().line(lines)),
        Some(SectionOverride::Append(content)) => SectionOverride::Append(T::default().line(below(content, lines))),
        Some(SectionOverride::Prepend(content)) => SectionOverride::Prepend(below(content, lines).line(T::default())),
        Some(SectionOverride::Replace(content)) => SectionOverride::Replace(below(content, lines)),
        Some(SectionOverride::Transform(mut steps)) => {
            steps.push(Step::Append(format!("\n\n{}", lines.into_string())));
            SectionOverride::Transform(steps)
        }
        Some(SectionOverride::Remove) => SectionOverride::Remove,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn composed(before: Option<SectionOverride>) -> SectionOverride {
        compose(before, "L1\nL2".to_owned())
    }

    #[test]
    fn every_row_of_the_table() {
        use SectionOverride::{Append, Prepend, Preserve, Remove, Replace, Transform};
        let text = str::to_owned;
        let step = Step::Append(text("S"));
        let rows = [
            (None, Append(text("\nL1\nL2"))),
            (Some(Preserve), Append(text("\nL1\nL2"))),
            (Some(Append(text("C"))), Append(text("\nC\nL1\nL2"))),
            (Some(Append(text(""))), Append(text("\nL1\nL2"))),
            (Some(Prepend(text("C"))), Prepend(text("C\nL1\nL2\n"))),
            (Some(Prepend(text(""))), Prepend(text("L1\nL2\n"))),
            (Some(Replace(text("C"))), Replace(text("C\nL1\nL2"))),
            (Some(Replace(text(""))), Replace(text("L1\nL2"))),
            (Some(Remove), Remove),
            (Some(Transform(vec![step.clone()])), Transform(vec![step, Step::Append(text("\n\nL1\nL2"))])),
        ];
        for (before, after) in rows {
            assert_eq!(composed(before.clone()), after, "{before:?}");
        }
    }
}
