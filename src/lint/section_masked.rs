#![doc = include_str!("pages/section-masked.md")]

use rustc_hash::FxHashSet;

use super::exact::Exact;
use super::judgement::can_hold_together;
use super::layers::{Layer, is_certain_override, replaces};
use super::report::Findings;
use super::runtime::{discards_parts, group_of};
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::{Gate, Override, SectionRule};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let parts: Vec<(Section, Section)> =
        Section::ALL.into_iter().filter_map(|part| Some((part, group_of(part)?))).collect();
    let mut told: FxHashSet<Span> = FxHashSet::default();
    for layer in subject.layers() {
        let stack: Vec<Layer<'_>> = match layer.contributor {
            Some(_) => {
                std::iter::once(layer).chain(layer.parents()).chain([Layer::base(&subject.rules.base)]).collect()
            }
            None => vec![layer],
        };
        for (part, group) in masked(exact, &parts, &stack) {
            if told.insert(part.rule.span) {
                findings.push(diagnostic(&part, &group));
            }
        }
    }
}

/// An override that can be part of a message.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    layer: Layer<'a>,
    /// How far the layer is from the chosen contributor.
    distance: usize,
    rule: &'a SectionRule,
    chosen: &'a Override,
}

impl<'a> Candidate<'a> {
    fn gates(&self) -> impl Iterator<Item = &'a Gate> {
        self.layer.when.into_iter().chain(self.chosen.when.as_ref())
    }
}

/// The part overrides that a group override at the same distance or farther off makes ineffective. A nearer
/// one takes the place of what it covers, and that is what layers are for.
fn masked<'a>(
    exact: &mut Exact<'a>,
    parts: &[(Section, Section)],
    stack: &[Layer<'a>],
) -> Vec<(Candidate<'a>, Candidate<'a>)> {
    let mut found = Vec::new();
    let Some(chosen) = stack.first().copied() else { return found };
    for (part, group) in parts {
        let parts = candidates(stack, *part);
        if parts.is_empty() {
            continue;
        }
        let groups = candidates(stack, *group);
        for part in parts {
            let masks = |group: &&Candidate<'a>| {
                discards(group)
                    && group.distance >= part.distance
                    && can_hold_together(exact, chosen, group.gates().chain(part.gates()))
            };
            found.extend(groups.iter().find(masks).map(|group| (part, *group)));
        }
    }
    found
}

/// An empty replacement is a removal to the runtime, and that keeps the parts.
fn discards(group: &Candidate<'_>) -> bool {
    let action = group.chosen.action.as_str();
    discards_parts(group.rule.section, action) && (action != "replace" || replaces(group.chosen))
}

/// What can be said about a section in one message: everything down to what always applies.
fn candidates<'a>(stack: &[Layer<'a>], section: Section) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    for (distance, layer) in stack.iter().enumerate() {
        let Some(rule) = layer.section(section) else { continue };
        for chosen in &rule.overrides {
            found.push(Candidate { layer: *layer, distance, rule, chosen });
            if is_certain_override(chosen) {
                if layer.when.is_none() {
                    return found;
                }
                break;
            }
        }
    }
    found
}

fn diagnostic(part: &Candidate<'_>, group: &Candidate<'_>) -> Diagnostic {
    let (section, whole) = (part.rule.section.as_str(), group.rule.section.as_str());
    let action = group.chosen.action.as_str();
    let message = format!(
        "the runtime discards this override of `{section}`, as the same message can {action} `{whole}`, which contains it"
    );
    let whose = match (group.layer.id(), group.distance == part.distance) {
        (_, true) => "in the same rule".to_owned(),
        (Some(id), false) => format!("by `{id}`"),
        (None, false) => "by the default message".to_owned(),
    };
    let diagnostic = Diagnostic::new(Code::SectionMasked, part.rule.span, message)
        .related(group.rule.span, format!("{action}d here, {whose}"))
        .help(format!("override a part of `{whole}` instead of the whole, such as `preamble`"));
    Diagnostic { rule: part.layer.id(), ..diagnostic }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Code;
    use crate::lint::testing::{codes, of, places};

    fn masked(base: &str, contributors: &str) -> Vec<String> {
        let found = of(&format!("base: {{sections: {{{base}}}}}\ncontributors:\n{contributors}"));
        assert!(codes(&found).iter().all(|code| *code == "section-masked"), "{:?}", codes(&found));
        places(&found, Code::SectionMasked)
    }

    fn contributor(id: &str, more: &str) -> String {
        format!("  - {{id: {id}, description: x, match: {{families: [{id}]}}, {more}}}\n")
    }

    const REPLACED: &str = "identity: {action: replace, content: x}";
    const TONE: &str = "sections: {tone: {action: append, content: \"\\nx\"}}";

    #[test]
    fn the_default_hides_the_parts_of_what_it_replaces() {
        assert_eq!(masked(REPLACED, &contributor("a", TONE)).len(), 1);
        assert_eq!(masked("preamble: {action: replace, content: x}", &contributor("a", TONE)), [""; 0]);
    }

    #[test]
    fn other_actions_on_the_group_keep_its_parts() {
        for group in [
            "{action: append, content: \"\\nx\"}",
            "{action: remove}",
            "{action: transform, steps: [{append: x}]}",
            "{action: preserve}",
        ] {
            assert_eq!(masked(&format!("identity: {group}"), &contributor("a", TONE)), [""; 0], "{group}");
        }
    }

    #[test]
    fn a_nearer_override_of_the_group_counts() {
        let undone = "sections: {identity: {action: preserve}, tone: {action: append, content: \"\\nx\"}}";
        assert_eq!(masked(REPLACED, &contributor("a", undone)), [""; 0]);
        let sometimes = undone.replace("{action: preserve}", "{when: {workspaceless: true}, action: preserve}");
        assert_eq!(masked(REPLACED, &contributor("a", &sometimes)).len(), 1);
    }

    #[test]
    fn replacing_a_group_over_parts_that_lie_underneath_is_what_it_is_for() {
        let replaces = format!("sections: {{{REPLACED}}}");
        assert_eq!(masked("tone: {action: append, content: \"\\nx\"}", &contributor("a", &replaces)), [""; 0]);
        let child = format!("extends: p, {replaces}");
        assert_eq!(masked("", &(contributor("p", TONE) + &contributor("a", &child))), [""; 0]);
    }

    #[test]
    fn overrides_that_exclude_each_other_do_not_meet() {
        let sections = "sections: {identity: {when: {workspaceless: true}, action: replace, content: x}, \
                        tone: {when: {workspaceless: FLAG}, action: append, content: \"\\nx\"}}";
        assert_eq!(masked("", &contributor("a", &sections.replace("FLAG", "false"))), [""; 0]);
        assert_eq!(masked("", &contributor("a", &sections.replace("FLAG", "true"))).len(), 1);
    }

    #[test]
    fn one_override_is_told_once_however_many_messages_lose_it() {
        let child = |id| contributor(id, "extends: p, sections: {guidelines: {action: append, content: \"\\nx\"}}");
        assert_eq!(masked(REPLACED, &(contributor("p", TONE) + &child("a") + &child("b"))).len(), 1);
    }
}
