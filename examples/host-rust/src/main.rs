//! Launches one session as the shipped rules plan it, and asks it one question.
//!
//! ```sh
//! cargo run --manifest-path examples/host-rust/Cargo.toml -- claude-opus-4.8 "What is this project?"
//! ```
//!
//! It needs the runtime of the SDK and an account, or a provider of your own; see the SDK's documentation.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use github_copilot_sdk::handler::ApproveAllHandler;
use github_copilot_sdk::types::MessageOptions;
use github_copilot_sdk::{Client, ClientOptions};
use promptrules::launch::{Request, plan};
use promptrules_host_example::session_config;
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (model, question) = (arguments.next(), arguments.next());
    let rules = promptrules::load::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules"))?.rules;
    let request: Request = serde_json::from_value(json!({"model": model, "client_tools": ["runTests", "problems"]}))?;
    let plan = plan(&rules, &request);
    plan.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    if let Some(launch) = &plan.launch {
        eprintln!("{}", launch.summary);
    }

    let answer = Arc::new(|tool: &str, arguments: &serde_json::Value| format!("{tool} got {arguments}"));
    let config = session_config(&plan, answer)?.with_permission_handler(Arc::new(ApproveAllHandler));
    let client = Client::start(ClientOptions::default()).await?;
    let session = client.create_session(config).await?;
    let question = question.unwrap_or_else(|| "What is this project?".to_owned());
    session.send_and_wait(MessageOptions::new(question).with_wait_timeout(Duration::from_secs(120))).await?;
    session.disconnect().await?;
    Ok(())
}
