//! Which checks run beside which others, and why they may.
//!
//! A check sees what those of [`Check::First`] have found and what those in front of it in its own lane have, and
//! nothing else. So what is found is the same on one thread as on two.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use super::exact::Exact;
use super::report::Findings;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;

/// A check, by what it needs beside the [`Subject`].
pub(super) enum Check {
    /// Finds what checks of all kinds blame: comes before the others.
    First(fn(&Subject<'_>, &mut Findings)),
    /// Asks exact questions. All who do share what is known so far, so they are in one lane.
    Asking(for<'a> fn(&Subject<'a>, &mut Exact<'a>, &mut Findings)),
    /// Asks none, but blames what an asking check finds or is blamed by one: is in the same lane.
    Chained(fn(&Subject<'_>, &mut Findings)),
    /// Blames at most what the first ones have found: is in the other lane.
    Apart(fn(&Subject<'_>, &mut Findings)),
}

/// How many threads there are.
#[derive(Clone, Copy)]
enum Threads {
    One,
    Two,
}

/// How many bytes of rules take longer to check than a thread takes to begin.
const WORTH_A_THREAD: usize = 20_000;

/// The findings of all checks, in their order.
pub(super) fn run(subject: &Subject<'_>, checks: &[Check]) -> Vec<Diagnostic> {
    let size: usize = subject.sources.files().map(|(_, file)| file.text().len()).sum();
    run_on(if size < WORTH_A_THREAD { Threads::One } else { Threads::Two }, subject, checks)
}

fn run_on(threads: Threads, subject: &Subject<'_>, checks: &[Check]) -> Vec<Diagnostic> {
    let first = || {
        lane(checks, &Findings::default(), |check, findings| match check {
            Check::First(check) => check(subject, findings),
            Check::Asking(_) | Check::Chained(_) | Check::Apart(_) => {}
        })
    };
    let (mut exact, first) = threads.both(|| Exact::new(subject.rules), first);
    let asking = || {
        lane(checks, &first, |check, findings| match check {
            Check::Asking(check) => check(subject, &mut exact, findings),
            Check::Chained(check) => check(subject, findings),
            Check::First(_) | Check::Apart(_) => {}
        })
    };
    let apart = || {
        // The other lane comes to these later.
        subject.taken();
        subject.spoken_tools();
        lane(checks, &first, |check, findings| match check {
            Check::Apart(check) => check(subject, findings),
            Check::First(_) | Check::Asking(_) | Check::Chained(_) => {}
        })
    };
    let (asking, apart) = threads.both(asking, apart);
    Findings::in_order([first, asking, apart])
}

/// What the checks that `run` takes find, behind what has been found already.
fn lane(checks: &[Check], causes: &Findings, mut run: impl FnMut(&Check, &mut Findings)) -> Findings {
    let mut findings = Findings::behind(causes);
    for (number, check) in checks.iter().enumerate() {
        findings.go_on(number);
        run(check, &mut findings);
    }
    findings
}

impl Threads {
    /// Both results, the second from a thread of its own if there is one to be had.
    fn both<T, U: Send>(self, here: impl FnOnce() -> T, there: impl Fn() -> U + Sync) -> (T, U) {
        match self {
            Self::One => (here(), there()),
            Self::Two => scope(|scope| {
                let spawned = Builder::new().spawn_scoped(scope, &there);
                let here = here();
                let there = match spawned {
                    Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                    Err(_) => there(),
                };
                (here, there)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::CHECKS;
    use super::*;
    use crate::load::{Memory, load_from};

    #[test]
    fn one_thread_finds_what_two_do() {
        let rules = r"
version: 1
catalog:
  client_tools: [runTests, rеname]
  models: [gpt-4.1, gpt-4-1]
base:
  sections: {safety: {action: append, content: It ends.}}
  content: It is C # or so
contributors:
  - {id: a, match: {model: {regex: gpt-4.1}}, content: 'On 2024-05-06, {{runTests}}.'}
  - {id: b, match: {model: {normalize: [lowercase], prefix: GPT}}, content: ''}
tool_instructions:
  - {id: c, when: {has_client_tool: rename}, text: Say it with runTests.}
  - {id: d, when: {workspaceless: true, not: {workspaceless: true}}, text: Say it.}
  - {id: e, when: {any: [{workspaceless: true}, {workspaceless: false}]}, text: Say  it.}
trailing:
  - {id: f, text: Say it.}
";
        let loaded = load_from(&Memory::new([("ruleset.yaml", rules)]), Path::new("ruleset.yaml")).unwrap();
        let run = |threads| run_on(threads, &Subject::new(&loaded, Vec::new()), CHECKS);
        let found = run(Threads::One);
        assert_eq!(found.len(), 12, "{found:?}");
        for _ in 0..20 {
            assert_eq!(run(Threads::Two), found);
        }
    }
}
