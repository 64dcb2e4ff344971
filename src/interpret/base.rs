//! Layer 1: the default message, or one contributor's parts over it, or a full prompt.

use super::record::{Composed, DefaultReason, Event, Recorder};
use super::run::Run;
use super::select::choose;
use crate::message::{SectionOverride, Sections, SystemMessageConfig};
use crate::rules::{Action, Contributor, Override, SectionRule, Text};

/// What rules say before anything is layered: sections in order, and content (an empty one counts).
struct Parts<T> {
    sections: Sections<T>,
    content: Option<T>,
}

pub(super) fn message<'r, R: Recorder<'r>>(run: &mut Run<'_, 'r, R>) -> SystemMessageConfig<R::Text> {
    match contributed(run) {
        Ok(message) => message,
        Err(reason) => {
            run.recorder.record(Event::Default(reason));
            customize(default_message(run))
        }
    }
}

/// The message of the contributor that takes the model, or why there is none.
fn contributed<'r, R: Recorder<'r>>(run: &mut Run<'_, 'r, R>) -> Result<SystemMessageConfig<R::Text>, DefaultReason> {
    let model = run.facts.model.as_ref().ok_or(DefaultReason::NoModel)?;
    let choice = choose(run.rules, model).ok_or(DefaultReason::NoContributor)?;
    run.recorder.record(Event::Chosen(choice));
    let contributor = choice.contributor;
    let applies = run.holds(contributor.when.as_ref());
    if let Some(content) = applies.then(|| full_prompt(contributor, run)).flatten() {
        run.recorder.record(Event::FullPrompt(contributor));
        return Ok(SystemMessageConfig::Replace { content });
    }
    let mut parts = Parts { sections: Sections::default(), content: None };
    if let Some(parent) = contributor.parent.as_deref() {
        add_inherited(parent, &mut parts, run);
    }
    add_parts(contributor, applies, &mut parts, run);
    if parts.sections.is_empty() && parts.content.is_none() {
        return Err(if applies { DefaultReason::NothingApplied } else { DefaultReason::OptedOut });
    }
    let mut layered = default_message(run);
    for (section, value) in parts.sections {
        layered.sections.set(section, value);
    }
    layered.content = parts.content.or(layered.content);
    Ok(customize(layered))
}

fn full_prompt<'r, R: Recorder<'r>>(contributor: &'r Contributor, run: &mut Run<'_, 'r, R>) -> Option<R::Text> {
    let prompt = contributor.full_prompt.as_ref()?;
    if !run.holds(prompt.when.as_ref()) {
        return None;
    }
    run.text(&prompt.text, &contributor.id, None)
}

/// The parts of a parent and of all above it, the outermost first. Chains are short; compile bounds them.
fn add_inherited<'r, R: Recorder<'r>>(
    contributor: &'r Contributor,
    parts: &mut Parts<R::Text>,
    run: &mut Run<'_, 'r, R>,
) {
    if let Some(parent) = contributor.parent.as_deref() {
        add_inherited(parent, parts, run);
    }
    let applies = run.holds(contributor.when.as_ref());
    add_parts(contributor, applies, parts, run);
}

fn add_parts<'r, R: Recorder<'r>>(
    contributor: &'r Contributor,
    apply: bool,
    parts: &mut Parts<R::Text>,
    run: &mut Run<'_, 'r, R>,
) {
    run.recorder.record(Event::Parts { contributor, apply });
    if apply {
        add(&contributor.sections, contributor.content.as_ref(), &contributor.id, parts, run);
    }
}

fn default_message<'r, R: Recorder<'r>>(run: &mut Run<'_, 'r, R>) -> Parts<R::Text> {
    let base = &run.rules.base;
    let mut parts = Parts { sections: Sections::default(), content: None };
    add(&base.sections, base.content.as_ref(), "base", &mut parts, run);
    parts
}

/// Lays one rule's parts over what is there.
fn add<'r, R: Recorder<'r>>(
    sections: &'r [SectionRule],
    content: Option<&'r Text>,
    rule: &'r str,
    parts: &mut Parts<R::Text>,
    run: &mut Run<'_, 'r, R>,
) {
    for SectionRule { section, overrides, .. } in sections {
        let inherited = parts.sections.get(*section).and_then(SectionOverride::content);
        let found = overrides.iter().find_map(|chosen| Some((chosen, apply(chosen, rule, inherited, run)?)));
        if let Some((chosen, value)) = found {
            run.recorder.record(Event::Override { rule, section: *section, chosen });
            parts.sections.set(*section, value);
        }
    }
    if let Some(text) = content.and_then(|content| run.text(content, rule, None)) {
        run.recorder.record(Event::Content { rule });
        parts.content = Some(text);
    }
}

/// The override, if its gate holds and its content gives a text.
fn apply<'r, R: Recorder<'r>>(
    chosen: &'r Override,
    rule: &'r str,
    inherited: Option<&R::Text>,
    run: &mut Run<'_, 'r, R>,
) -> Option<SectionOverride<R::Text>> {
    if !run.holds(chosen.when.as_ref()) {
        return None;
    }
    Some(match &chosen.action {
        Action::Replace(text) => SectionOverride::Replace(run.text(text, rule, inherited)?),
        Action::Append(text) => SectionOverride::Append(run.text(text, rule, inherited)?),
        Action::Prepend(text) => SectionOverride::Prepend(run.text(text, rule, inherited)?),
        Action::Remove => SectionOverride::Remove,
        Action::Preserve => SectionOverride::Preserve,
        Action::Transform(steps) => SectionOverride::Transform(steps.iter().map(|step| step.step.clone()).collect()),
    })
}

fn customize<'r, T: Composed<'r>>(parts: Parts<T>) -> SystemMessageConfig<T> {
    let content = parts.content.filter(|content| !content.is_empty());
    SystemMessageConfig::Customize { sections: parts.sections, content }
}
