#![doc = include_str!("pages/section-masked.md")]

use rustc_hash::FxHashSet;

use super::exact::{Exact, Says};
use super::layers::{Layer, replaces};
use super::report::Findings;
use super::runtime::{discards_parts, group_of};
use super::subject::Subject;
use crate::analysis::Answer;
use crate::analysis::gate::Function;
use crate::context::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::{Action, Override};
use crate::source::Span;

pub(super) fn check<'a>(subject: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let parts: Vec<(Section, Section)> =
        Section::ALL.into_iter().filter_map(|part| Some((part, group_of(part)?))).collect();
    let base = Layer::base(&subject.rules.base);
    let mut told: FxHashSet<Span> = FxHashSet::default();
    for layer in subject.layers() {
        let mut stack = vec![layer];
        if layer.contributor.is_some() {
            stack.extend(layer.parents().chain([base]));
        }
        for pair in &parts {
            masked(exact, &stack, *pair, &mut told, findings);
        }
    }
}

/// An override that can be part of a message.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    layer: Says<'a>,
    /// How many layers that say something about the section lie over this one.
    nearer: usize,
    /// Its number in its layer.
    at: usize,
    chosen: &'a Override,
}

/// Reports the overrides of a part that an override of its group discards in a message of the first of these layers.
fn masked<'a>(
    exact: &mut Exact<'a>,
    stack: &[Layer<'a>],
    (part, group): (Section, Section),
    told: &mut FxHashSet<Span>,
    findings: &mut Findings,
) {
    let groups = says(exact, stack, group);
    if !candidates(&groups).any(|group| masks(&group)) {
        return;
    }
    let parts = says(exact, stack, part);
    for part in candidates(&parts) {
        if told.contains(&part.place()) {
            continue;
        }
        let chosen = stack.first().and_then(|layer| number(exact, *layer));
        let answer = discarded(exact, chosen, (&parts, part), &groups);
        let asked = || format!("whether the runtime discards this override of `{}`", part.layer.rule.section);
        let id = part.id(exact);
        if let Some(Some((group, context))) = exact.decided(answer, part.place(), id, asked) {
            told.insert(part.place());
            findings.push(diagnostic(exact, &part, &group).witness(context));
        }
    }
}

/// An override of the group that discards this one of a part, with a session in which both count.
fn discarded<'a>(
    exact: &mut Exact<'a>,
    chosen: Option<usize>,
    (parts, part): (&[Says<'a>], Candidate<'a>),
    groups: &[Says<'a>],
) -> Answer<Option<(Candidate<'a>, Context)>> {
    let counts = part.counts(exact, parts)?;
    for group in candidates(groups).filter(masks) {
        let discards = group.counts(exact, groups)?;
        let both = exact.space.and(counts, discards)?;
        if let Some(context) = exact.session(chosen, both)? {
            return Ok(Some((group, context)));
        }
    }
    Ok(None)
}

impl<'a> Candidate<'a> {
    /// Where it is the one that counts, of all that these layers say.
    fn counts(&self, exact: &mut Exact<'a>, says: &[Says<'a>]) -> Answer<Function> {
        exact.counts(says.iter().take(self.nearer).copied(), self.layer, self.at)
    }

    /// The section's name, or the action of one of several.
    fn place(&self) -> Span {
        match &*self.layer.rule.overrides {
            [_] => self.layer.rule.span,
            _ => self.chosen.action_span,
        }
    }

    fn id(&self, exact: &Exact<'a>) -> Option<&'a str> {
        exact.contributor(self.layer.contributor?).map(|contributor| &*contributor.id)
    }
}

fn number<'a>(exact: &Exact<'a>, layer: Layer<'a>) -> Option<usize> {
    exact.takers.number(layer.contributor?)
}

/// What the layers of a message say about a section, the nearest first.
fn says<'a>(exact: &Exact<'a>, stack: &[Layer<'a>], section: Section) -> Vec<Says<'a>> {
    let says = |layer: &Layer<'a>| {
        let rule = layer.section(section)?;
        Some(Says { contributor: number(exact, *layer), when: layer.when, rule })
    };
    stack.iter().filter_map(says).collect()
}

fn candidates<'a>(says: &[Says<'a>]) -> impl Iterator<Item = Candidate<'a>> {
    says.iter().enumerate().flat_map(|(nearer, layer)| {
        let overrides = layer.rule.overrides.iter().enumerate();
        overrides.map(move |(at, chosen)| Candidate { layer: *layer, nearer, at, chosen })
    })
}

/// Whether the overrides of its parts are no overrides in its message. An empty replacement is a removal to the
/// runtime, and that keeps the parts; the steps of a transform get them as part of their text.
fn masks(group: &Candidate<'_>) -> bool {
    match group.chosen.action {
        Action::Transform(_) => true,
        Action::Replace(_) if !replaces(group.chosen) => false,
        _ => discards_parts(group.layer.rule.section, group.chosen.action.as_str()),
    }
}

fn diagnostic<'a>(exact: &Exact<'a>, part: &Candidate<'a>, group: &Candidate<'a>) -> Diagnostic {
    let (section, whole) = (part.layer.rule.section.as_str(), group.layer.rule.section.as_str());
    let action = group.chosen.action.as_str();
    let (what, why) = match group.chosen.action {
        Action::Transform(_) => (
            format!("this override of `{section}` does not stand on its own"),
            Some("the steps get its text with the rest, and decide what is left of it"),
        ),
        _ => (format!("the runtime discards this override of `{section}`"), None),
    };
    let message = format!("{what}, as the same message can {action} `{whole}`, which contains it");
    let whose = match group.id(exact) {
        _ if group.layer.contributor == part.layer.contributor => "in the same rule".to_owned(),
        Some(id) => format!("by `{id}`"),
        None => "by the default message".to_owned(),
    };
    let diagnostic = Diagnostic::new(Code::SectionMasked, part.place(), message)
        .related(group.place(), format!("{} here, {whose}", past(action)))
        .help(format!("override a part of `{whole}` instead of the whole, such as `preamble`"));
    let diagnostic = why.into_iter().fold(diagnostic, Diagnostic::help);
    Diagnostic { rule: part.id(exact).map(str::to_owned), ..diagnostic }
}

fn past(action: &str) -> String {
    if action.ends_with('e') { format!("{action}d") } else { format!("{action}ed") }
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
        for group in ["{action: append, content: \"\\nx\"}", "{action: remove}", "{action: preserve}"] {
            assert_eq!(masked(&format!("identity: {group}"), &contributor("a", TONE)), [""; 0], "{group}");
        }
    }

    #[test]
    fn a_transform_of_the_group_gets_its_parts() {
        let transformed = "identity: {action: transform, steps: [{append: x}]}";
        assert_eq!(masked(transformed, &contributor("a", TONE)).len(), 1);
        assert_eq!(
            masked(&TONE[11..TONE.len() - 1], &contributor("a", &format!("sections: {{{transformed}}}"))).len(),
            1
        );
    }

    #[test]
    fn a_nearer_override_of_the_group_counts() {
        let undone = "sections: {identity: {action: preserve}, tone: {action: append, content: \"\\nx\"}}";
        assert_eq!(masked(REPLACED, &contributor("a", undone)), [""; 0]);
        let sometimes = undone.replace("{action: preserve}", "{when: {workspaceless: true}, action: preserve}");
        assert_eq!(masked(REPLACED, &contributor("a", &sometimes)).len(), 1);
    }

    #[test]
    fn parts_that_lie_underneath_are_lost_as_well() {
        let tone = "tone: {action: append, content: \"\\nx\"}";
        let replaces = format!("sections: {{{REPLACED}}}");
        assert_eq!(masked(tone, &contributor("a", &replaces)), ["1:19 tone"]);
        let both = contributor("a", &replaces) + &contributor("b", &replaces);
        assert_eq!(masked(tone, &both).len(), 1, "once, whoever discards it");
        let child = contributor("a", &format!("extends: p, {replaces}"));
        assert_eq!(masked("", &(contributor("p", TONE) + &child)), ["3:64 tone"]);
    }

    #[test]
    fn a_part_that_a_nearer_layer_says_anew_is_not_in_the_message() {
        let tone = "tone: {action: append, content: \"\\nx\"}";
        let both = format!("sections: {{{REPLACED}, {tone}}}");
        assert_eq!(masked(tone, &contributor("a", &both)), ["3:105 tone"], "the contributor's own alone");
        let sometimes = both.replace("tone: {", "tone: {when: {workspaceless: true}, ");
        assert_eq!(masked(tone, &contributor("a", &sometimes)).len(), 2);
    }

    #[test]
    fn only_messages_that_sessions_get_count() {
        let tone = "tone: {action: append, content: \"\\nx\"}";
        let guarded = format!("when: {{workspaceless: true}}, sections: {{{REPLACED}}}");
        let gated = tone.replace('{', "{when: {workspaceless: false}, ");
        assert_eq!(masked(&gated, &contributor("a", &guarded)), [""; 0], "the two exclude each other");
        assert_eq!(masked(tone, &contributor("a", &guarded)).len(), 1);
        let prompt = format!(
            "full_prompt: {{when: {{workspaceless: true}}, text: x}}, allow: {{full-prompt-drops-guardrails: x}}, \
             sections: {{{REPLACED}}}"
        );
        let elsewhere = gated.replace("false", "true");
        assert_eq!(masked(&elsewhere, &contributor("a", &prompt)), [""; 0], "a full prompt is there instead");
        assert_eq!(masked(&gated, &contributor("a", &prompt)).len(), 1);
        let other = tone.replace('{', "{when: {model: {prefix: b}}, ");
        assert_eq!(masked(&other, &contributor("a", &format!("sections: {{{REPLACED}}}"))), [""; 0]);
    }

    #[test]
    fn each_of_several_overrides_is_told_apart() {
        let list = "tone: [{when: {workspaceless: true}, action: append, content: \"\\nx\"}, {action: remove}]";
        let gated = REPLACED.replace('{', "{when: {workspaceless: true}, ");
        let replaces = |group: &str| contributor("a", &format!("sections: {{{group}}}"));
        assert_eq!(masked(list, &replaces(&gated)), ["1:64 append"]);
        assert_eq!(masked(list, &replaces(REPLACED)), ["1:64 append", "1:98 remove"]);
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
