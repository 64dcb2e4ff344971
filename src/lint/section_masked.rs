#![doc = include_str!("pages/section-masked.md")]

use rustc_hash::FxHashSet;

use super::judgement::can_hold_together;
use super::layers::{Layer, is_certain_override, replaces};
use super::report::Findings;
use super::runtime::{discards_parts, group_of};
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::message::Section;
use crate::rules::{Gate, Override, SectionRule};
use crate::source::Span;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let mut told: FxHashSet<Span> = FxHashSet::default();
    for layer in subject.layers() {
        let stack: Vec<Layer<'_>> = match layer.contributor {
            Some(_) => {
                std::iter::once(layer).chain(layer.parents()).chain([Layer::base(&subject.rules.base)]).collect()
            }
            None => vec![layer],
        };
        for (part, group) in masked(&stack) {
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
fn masked<'a>(stack: &[Layer<'a>]) -> Vec<(Candidate<'a>, Candidate<'a>)> {
    let mut found = Vec::new();
    for part in Section::ALL {
        let Some(group) = group_of(part) else { continue };
        let groups = candidates(stack, group);
        for part in candidates(stack, part) {
            let masks = |group: &&Candidate<'a>| {
                discards(group)
                    && group.distance >= part.distance
                    && can_hold_together(group.gates().chain(part.gates()))
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
