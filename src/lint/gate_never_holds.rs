#![doc = include_str!("pages/gate-never-holds.md")]

use super::exact::{Exact, Kind, Place, Verdict};
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::{Code, Diagnostic};

/// What explains that a gate decides nothing.
pub(super) const CAUSES: [Code; 5] = [
    Code::HiddenCharacter,
    Code::ConfusableName,
    Code::UnknownClientTool,
    Code::MatcherNeverMatches,
    Code::MatcherAcceptsEverything,
];

pub(super) fn check<'a>(_: &Subject<'a>, exact: &mut Exact<'a>, findings: &mut Findings) {
    let verdicts = exact.verdicts();
    for verdict in verdicts.iter().filter(|verdict| verdict.kind == Kind::Never) {
        if !is_explained(findings, verdict) {
            findings.push(diagnostic(verdict));
        }
    }
}

/// Whether the cause has been reported.
pub(super) fn is_explained(findings: &Findings, verdict: &Verdict) -> bool {
    verdict.grounds.iter().chain([&verdict.span]).any(|place| findings.blames(&CAUSES, *place))
}

fn diagnostic(verdict: &Verdict) -> Diagnostic {
    let message = if verdict.everywhere {
        "no context satisfies this gate"
    } else {
        "no context that comes this far satisfies this gate"
    };
    let mut diagnostic = Diagnostic::new(Code::GateNeverHolds, verdict.span, message).help(help(verdict.place));
    for (span, label) in &verdict.labels {
        diagnostic = diagnostic.related(*span, label);
    }
    Diagnostic { rule: verdict.rule.as_deref().map(str::to_owned), ..diagnostic }
}

fn help(place: Place) -> &'static str {
    match place {
        Place::Rule => "what stands behind it is in no prompt: mend the gate, or remove the rule",
        Place::Policy => "this brings no session under the policy: mend the gate, or remove it",
        Place::UnusedText => "what stands behind it would be in no prompt: mend the gate, or remove the text",
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{codes, of};

    fn line(gate: &str, text: &str) -> Vec<&'static str> {
        let catalog = "catalog: {client_tools: [runTests, rename], other_tools: {runtime: [bash]}}";
        codes(&of(&format!("{catalog}\ntool_instructions: [{{id: l, when: {gate}, text: {text}}}]\n")))
    }

    #[test]
    fn what_follows_from_an_unknown_tool_is_not_said() {
        assert_eq!(line("{has_client_tool: run_tests}", "Use runTests."), ["unknown-client-tool"]);
        let both = "{has_client_tool: bash, not: {has_client_tool: bash}}";
        assert_eq!(line(both, "Hello."), ["unknown-client-tool", "unknown-client-tool"]);
    }

    #[test]
    fn what_follows_from_a_matcher_is_not_said() {
        let never = "{model: {normalize: [lowercase], equals: GPT}}";
        assert_eq!(line(never, "Hello."), ["matcher-never-matches"]);
        assert_eq!(line(&format!("{{not: {never}}}"), "Hello."), ["matcher-never-matches"]);
        assert_eq!(line("{not: {model: {regex: ''}}}", "Hello."), ["matcher-accepts-everything"]);
    }

    #[test]
    fn what_is_under_a_not_is_judged_by_itself() {
        let outer = |inner: &str| format!("{{has_client_tool: rename, not: {inner}}}");
        assert_eq!(line(&outer("{has_client_tool: rename, workspaceless: true}"), "Hello."), [""; 0]);
        assert_eq!(line(&outer("{workspaceless: true, not: {workspaceless: true}}"), "Hello."), ["gate-never-holds"]);
        assert_eq!(
            line(&outer("{any: [{has_client_tool: rename}, {workspaceless: true}]}"), "Hello."),
            ["gate-never-holds"]
        );
    }

    #[test]
    fn a_gate_without_a_fault_is_left_alone() {
        for gate in [
            "{has_any_client_tool: [rename, runTests], has_client_tool: rename}",
            "{all: [{has_client_tool: rename}, {any: [{workspaceless: true}, {not: {has_client_tool: runTests}}]}]}",
            "{model: {prefix: gpt-}, not: {model: {suffix: -mini}}}",
            "{any: [{model: {prefix: gpt-}}, {not: {model: {contains: gpt}}}]}",
        ] {
            assert_eq!(line(gate, "Hello."), [""; 0], "{gate}");
        }
    }
}
