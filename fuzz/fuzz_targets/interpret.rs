//! Any rule set that loads resolves any context, twice to the same, and as the recorder tells it.
//!
//! Input: a rule file and a context in JSON, with a NUL byte between them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptrules::context::Context;
use promptrules::interpret::resolve;
use promptrules::load::load_text;

fuzz_target!(|input: &str| {
    let Some((rules, context)) = input.split_once('\0') else { return };
    let Ok(loaded) = load_text("ruleset.yaml", rules) else { return };
    let Ok(context) = serde_json::from_str::<Context>(context) else { return };
    let message = resolve(&loaded.rules, &context);
    assert_eq!(message, resolve(&loaded.rules, &context));
    assert!(message.summary().starts_with("mode="));
});
