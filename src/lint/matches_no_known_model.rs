#![doc = include_str!("pages/matches-no-known-model.md")]

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::judgement::accepts;
use super::models::places;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};
use crate::interpret::ModelId;
use crate::rules::Contributor;

/// What explains that a contributor takes nothing, beside a `when` in front that was meant to let models through.
const CAUSES: [Code; 4] =
    [Code::HiddenCharacter, Code::ConfusableName, Code::MatcherNeverMatches, Code::ContributorShadowed];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let models = subject.taken();
    if models.is_empty() {
        return;
    }
    let chosen = models.iter().filter_map(|taken| taken.choice);
    let takers: FxHashSet<*const Contributor> = chosen.map(|choice| Arc::as_ptr(choice.contributor)).collect();
    let contributors = subject.rules.contributors.iter().filter(|contributor| contributor.matching.is_some());
    for contributor in contributors.filter(|contributor| !takers.contains(&Arc::as_ptr(contributor))) {
        let explained = places(contributor).iter().any(|place| findings.blames(&CAUSES, *place))
            || findings.relates(Code::WhenDoesNotFallThrough, contributor.span);
        if explained {
            continue;
        }
        let message = format!("the contributor `{}` takes none of the catalog's models", contributor.id);
        let mut diagnostic = Diagnostic::new(Code::MatchesNoKnownModel, contributor.span, message)
            .rule(contributor.id.as_ref())
            .help("mend its `match`, or add the models that it is for to `catalog.models`");
        if let Some(matching) = &contributor.matching {
            diagnostic = diagnostic.related(matching.span, "accepts none of them");
        }
        // Those that it accepts go to others: say so, since its `match` is not at fault.
        let other = models.iter().find(|taken| accepts(contributor, &ModelId::new(taken.model)));
        if let Some((taken, choice)) = other.and_then(|taken| Some((taken, taken.choice?))) {
            diagnostic.related.clear();
            let label = format!("takes `{}`, which it accepts as well", taken.model);
            diagnostic = diagnostic.related(choice.contributor.span, label);
        }
        findings.push(diagnostic);
    }
}
