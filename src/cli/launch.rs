//! `promptrules launch`: the launch plan of one session, or of many.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::Exit;
use super::context::{faults, parse_request, read_request};
use super::lines::answer_lines;
use super::output::{Failure, pretty, print, say};
use super::plan::read_plan;
use super::ruleset::RulesArg;
use crate::launch::{Plan, Request, Snapshot, plan};
use crate::rules::RuleSet;

#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("requests").required(true).args(["request", "batch"]),
    after_help = "Examples:
  promptrules launch --request session.yaml
  promptrules launch --request session.yaml --since plan.json
  promptrules launch --batch -

A batch has one JSON request a line; each gives one line, in order: a plan, or
{\"error\": {\"message\": …}}. Each answer is written before more input is waited
for, so a host can keep the command running.

With --since the plan has a key `changed`: the parts of the snapshot that differ
from the earlier plan's, among rules, model, tools, plugins, mcpServers,
settings, flags. None: there is no reason to relaunch."
)]
pub(super) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// A launch request, YAML or JSON; `-` is standard input
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Plan one JSON request a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// Tell what changed since an earlier plan
    #[arg(long, value_name = "PLAN", conflicts_with = "batch")]
    since: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let loaded = args.rules.load()?;
    match (&args.request, &args.batch) {
        (Some(path), _) => one(&loaded.rules, path, args.since.as_deref()),
        (None, Some(path)) => batch(&loaded.rules, path),
        // The group of the two is required.
        (None, None) => Err(Failure::Input("there is no request".to_owned())),
    }
}

fn one(rules: &RuleSet, path: &Path, since: Option<&Path>) -> Result<Exit, Failure> {
    if since == Some(path) && path == Path::new("-") {
        return Err(Failure::Input("the request and the earlier plan cannot both be standard input".to_owned()));
    }
    let plan = plan(rules, &read_request(path)?);
    let text = match since {
        None => pretty(&plan)?,
        Some(earlier) => {
            let changed = changed_since(&plan, earlier)?;
            say(&format!("{}\n", told(&changed)));
            pretty(&Compared { plan: &plan, changed })?
        }
    };
    print(&(text + "\n"))?;
    Ok(Exit::Fine)
}

/// A plan, and what is different since an earlier one.
#[derive(Serialize)]
struct Compared<'p> {
    #[serde(flatten)]
    plan: &'p Plan,
    changed: Vec<&'static str>,
}

fn changed_since(plan: &Plan, earlier: &Path) -> Result<Vec<&'static str>, Failure> {
    let Some(launch) = &plan.launch else {
        return Err(Failure::Input("a model change keeps what was launched: there is nothing to compare".to_owned()));
    };
    let snapshot = read_plan(earlier)?.get("snapshot").and_then(Value::as_str).map(str::parse::<Snapshot>);
    match snapshot {
        Some(Ok(snapshot)) => Ok(launch.snapshot.changed_since(&snapshot).collect()),
        Some(Err(error)) => {
            Err(Failure::Input(format!("the plan `{}` cannot be compared: {error}", earlier.display())))
        }
        None => Err(Failure::Input(format!("the plan `{}` has no snapshot", earlier.display()))),
    }
}

fn told(changed: &[&str]) -> String {
    match changed {
        [] => "nothing changed".to_owned(),
        parts => format!("changed: {}", parts.join(", ")),
    }
}

/// The answer to one line of a batch.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Plan(Box<Plan>),
    Error { error: Fault },
}

#[derive(Serialize)]
struct Fault {
    message: String,
}

fn batch(rules: &RuleSet, path: &Path) -> Result<Exit, Failure> {
    let mut exit = Exit::Fine;
    answer_lines(path, |line, out| {
        let answer = match request(line) {
            Ok(request) => Answer::Plan(Box::new(plan(rules, &request))),
            Err(message) => Answer::Error { error: Fault { message } },
        };
        if matches!(answer, Answer::Error { .. }) {
            exit = Exit::Findings;
        }
        // Strings, numbers and maps with string keys always have a JSON form, and memory takes it.
        let _infallible = serde_json::to_writer(out, &answer);
    })?;
    Ok(exit)
}

/// Reads the usual line fast; one that is not a request is read again for a message worth having.
fn request(line: &str) -> Result<Request, String> {
    serde_json::from_str(line).or_else(|_| parse_request("request", line.to_owned()).map_err(|failed| faults(&failed)))
}
