//! `promptrules resolve`: the system message configuration of one session, or of many.

use std::path::PathBuf;

use serde::Serialize;

use super::Exit;
use super::context::{ContextArgs, faults, parse};
use super::lines::answer_lines;
use super::output::{Failure, pretty, print};
use super::ruleset::RulesArg;
use crate::context::Context;
use crate::interpret::{resolve, setting_warnings};
use crate::message::SystemMessageConfig;
use crate::rules::RuleSet;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  promptrules resolve --model gpt-5.4 --tool runTests --tool openBrowserPage
  promptrules resolve --request launch.yaml
  promptrules resolve --context session.yaml --set opus48Prompt=true --summary
  promptrules resolve --batch contexts.jsonl > messages.jsonl

A batch has one JSON context a line; each gives one line, in order:
{\"systemMessage\": …, \"summary\": …} or {\"error\": {\"message\": …}}.")]
pub(super) struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    context: ContextArgs,
    /// Print the one-line summary that a host logs instead
    #[arg(long)]
    summary: bool,
    /// Resolve one JSON context a line; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["context", "request", "model", "tools", "settings", "tool_search", "workspaceless", "summary"])]
    batch: Option<PathBuf>,
    /// Resolve again whenever a rule file, the context or the request is saved
    #[cfg(feature = "watch")]
    #[arg(long, conflicts_with = "batch")]
    watch: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    #[cfg(feature = "watch")]
    if args.watch {
        return super::watch::watch(&watched(args)?, || once(args));
    }
    once(args)
}

/// The folder of the rules, and the file that the context comes from.
#[cfg(feature = "watch")]
fn watched(args: &Args) -> Result<super::watch::Watched, Failure> {
    let files: Vec<PathBuf> = [&args.context.context, &args.context.request].into_iter().flatten().cloned().collect();
    if files.iter().any(|file| file == std::path::Path::new("-")) {
        return Err(Failure::Input("standard input cannot be watched: name a file".to_owned()));
    }
    Ok(super::watch::Watched { folders: vec![super::ruleset::folder_of(args.rules.path()?)], files })
}

fn once(args: &Args) -> Result<Exit, Failure> {
    let loaded = args.rules.load()?;
    if let Some(path) = &args.batch {
        return batch(&loaded.rules, path);
    }
    let context = args.context.context(&loaded.rules)?;
    let message = resolve(&loaded.rules, &context);
    let mut text = if args.summary { message.summary() } else { pretty(&message)? };
    text.push('\n');
    print(&text)?;
    Ok(Exit::Fine)
}

/// The answer to one line of a batch.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Message {
        #[serde(rename = "systemMessage")]
        system_message: SystemMessageConfig,
        summary: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    Error {
        error: Fault,
    },
}

#[derive(Serialize)]
struct Fault {
    message: String,
}

fn batch(rules: &RuleSet, path: &std::path::Path) -> Result<Exit, Failure> {
    let mut exit = Exit::Fine;
    answer_lines(path, |line, out| {
        let answer = answer(rules, line);
        if matches!(answer, Answer::Error { .. }) {
            exit = Exit::Findings;
        }
        // Strings, numbers and maps with string keys always have a JSON form, and memory takes it.
        let _infallible = serde_json::to_writer(out, &answer);
    })?;
    Ok(exit)
}

fn answer(rules: &RuleSet, line: &str) -> Answer {
    match context(line) {
        Err(message) => Answer::Error { error: Fault { message } },
        Ok(context) => {
            let system_message = resolve(rules, &context);
            let summary = system_message.summary();
            let warnings = setting_warnings(&rules.catalog, &context.settings);
            let warnings = warnings.into_iter().map(|warning| warning.message).collect();
            Answer::Message { system_message, summary, warnings }
        }
    }
}

/// Reads the usual line fast; one that is not a context is read again for a message worth having.
fn context(line: &str) -> Result<Context, String> {
    match serde_json::from_str::<Context>(line) {
        // Derived code takes a list of values for a mapping as well.
        Ok(context) if line.starts_with('{') && context.model.as_deref() != Some("") => Ok(context),
        Ok(_) | Err(_) => parse("context", line.to_owned()).map_err(|failed| faults(&failed)),
    }
}
