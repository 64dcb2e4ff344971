//! All gates that the rules of a set have, each once, with what it guards.

use rustc_hash::FxHashSet;

use crate::rules::{Contributor, Gate, Line, Part, RuleSet, SectionRule, Text, TextBody};
use crate::source::Span;

/// The gates in rule order: base, contributors, lines, blocks; those of a shared text at its first use.
pub(super) fn all(rules: &RuleSet) -> Vec<(String, &Gate)> {
    let mut walk = Walk::default();
    walk.sections("base", &rules.base.sections);
    walk.text("base content", rules.base.content.as_ref());
    rules.contributors.iter().for_each(|contributor| walk.contributor(contributor));
    rules.lines.iter().chain(&rules.blocks).for_each(|line| walk.line(line));
    walk.found
}

#[derive(Default)]
struct Walk<'r> {
    found: Vec<(String, &'r Gate)>,
    seen: FxHashSet<Span>,
}

impl<'r> Walk<'r> {
    fn gate(&mut self, owner: &str, gate: Option<&'r Gate>) {
        if let Some(gate) = gate
            && self.seen.insert(gate.span)
        {
            self.found.push((owner.to_owned(), gate));
        }
    }

    fn contributor(&mut self, contributor: &'r Contributor) {
        let id = &contributor.id;
        self.gate(id, contributor.when.as_ref());
        self.sections(id, &contributor.sections);
        self.text(&format!("{id} content"), contributor.content.as_ref());
        if let Some(prompt) = &contributor.full_prompt {
            let owner = format!("{id} full_prompt");
            self.gate(&owner, prompt.when.as_ref());
            self.text(&owner, Some(&prompt.text));
        }
    }

    fn sections(&mut self, rule: &str, sections: &'r [SectionRule]) {
        for section in sections {
            for one in &section.overrides {
                let owner = format!("{rule} {}:{}", section.section, one.action.as_str());
                self.gate(&owner, one.when.as_ref());
                self.text(&owner, one.action.content());
            }
        }
    }

    fn line(&mut self, line: &'r Line) {
        self.gate(&line.id, line.when.as_ref());
        self.text(&line.id, Some(&line.text));
    }

    /// The gates of items. A shared text is walked once, so that diamonds of texts cost nothing.
    fn text(&mut self, owner: &str, text: Option<&'r Text>) {
        let Some(TextBody::List(items)) = text.map(|text| &text.body) else { return };
        for item in items {
            self.gate(&format!("{owner} item"), item.when.as_ref());
            if let Part::Shared(shared, _) = &item.part
                && self.seen.insert(shared.span)
            {
                self.text(&format!("text {}", shared.name), Some(&shared.text));
            }
        }
    }
}
