//! Loads a rule set, resolves one session and prints what the SDK gets.
//!
//! ```console
//! $ cargo run --example resolve
//! $ cargo run --example resolve -- rules claude-opus-4.8 runTests readPage
//! ```
//!
//! The arguments are the rule set's folder, a model id and the session's client tools.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to its reader")]

use std::error::Error;
use std::path::Path;

use promptrules::context::Context;
use promptrules::interpret::{resolve, setting_warnings};
use promptrules::load::{LoadError, load};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/rules").to_owned());

    // Once, when the host starts. The rules never change afterwards and can be shared by threads.
    let rules = match load(Path::new(&folder)) {
        Ok(loaded) => loaded.rules,
        Err(LoadError::Rules(failed)) => {
            for diagnostic in &failed.diagnostics {
                let place = failed.sources.file(diagnostic.span.file).name();
                eprintln!("{place}: {}: {}", diagnostic.code.as_str(), diagnostic.message);
            }
            return Err("the rules do not load; `promptrules check` shows the places".into());
        }
        Err(error @ LoadError::Root { .. }) => return Err(error.to_string().into()),
    };

    // Once for each launch: what the host knows of the session. Nothing else is visible to a rule.
    let context = Context { model: arguments.next(), client_tools: arguments.collect(), ..Context::default() };
    for warning in setting_warnings(&rules.catalog, &context.settings) {
        eprintln!("warning: {}", warning.message);
    }

    let message = resolve(&rules, &context);
    eprintln!("{}", message.summary());
    println!("{}", serde_json::to_string_pretty(&message)?);
    Ok(())
}
