#![doc = include_str!("pages/empty-contributor.md")]

use super::exact::Exact;
use super::judgement::shields;
use super::layers::Layer;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::Action;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let base = Layer::base(&subject.rules.base);
    for contributor in &subject.rules.contributors {
        let layer = Layer::contributor(contributor);
        // What an empty text is to blame for is said of the text.
        let blamed = || layer.texts().any(|text| findings.blames(&[Code::EmptyText], text.span));
        if says_nothing(layer, base) && !blamed() && !shields(exact, contributor) {
            let others = if contributor.matching.is_some() { ", and no other would take its models" } else { "" };
            let message = format!("the contributor `{}` changes nothing{others}", contributor.id);
            findings.push(
                Diagnostic::new(Code::EmptyContributor, contributor.span, message)
                    .rule(contributor.id.as_ref())
                    .help("give it sections or content, or remove it"),
            );
        }
    }
}

/// Whether nothing of the contributor or its parents makes a message other than the default.
fn says_nothing(layer: Layer<'_>, base: Layer<'_>) -> bool {
    let mut layers = std::iter::once(layer).chain(layer.parents());
    layer.full_prompt.is_none()
        && layers.all(|layer| {
            let changes =
                |(rule, action): (_, &Action)| !matches!(action, Action::Preserve) || base.section(rule).is_some();
            let mut overrides = layer.overrides().map(|(rule, chosen)| (rule.section, &chosen.action));
            layer.content.is_none() && !overrides.any(changes)
        })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{of, spots};

    #[test]
    fn what_says_or_shields_something_is_not_empty() {
        let found = of(r#"
base: {sections: {tone: {action: append, content: "\nx"}}}
contributors:
  - {id: undoes, description: x, match: {families: [a]}, sections: {tone: {action: preserve}}}
  - {id: alias, description: x, match: {families: [b]}, extends: undoes}
  - {id: shield, description: x, match: {model: {regex: ^claude-instant}}}
  - {id: other-shield, description: x, match: {model: {suffix: -mini}}}
  - {id: claude, description: x, match: {families: [claude, gpt-5-mini]}, content: x}
"#);
        assert_eq!(spots(&found, Code::EmptyContributor), [""; 0]);
    }

    #[test]
    fn nothing_at_all_is() {
        let found = of("
contributors:
  - {id: a, description: x, match: {families: [a]}, content: x}
  - {id: late, description: x, match: {families: [zz]}, sections: {}}
  - {id: parent, description: x}
  - {id: child, description: x, match: {families: [c]}, extends: parent, sections: {tone: {action: preserve}}}
");
        assert_eq!(spots(&found, Code::EmptyContributor), ["late", "parent", "child"]);
    }
}
