//! Plans that the command has printed before.

use std::path::Path;

use serde_json::Value;

use super::context::read_input;
use super::output::Failure;

/// A plan as written by `launch`; `-` is standard input. A byte-order mark makes no difference.
pub(super) fn read_plan(path: &Path) -> Result<Value, Failure> {
    let text = read_input(path)?;
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| Failure::Input(format!("the plan `{}` is not JSON: {error}", path.display())))
}
