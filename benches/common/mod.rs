//! Rule sets of realistic shape and chosen size, and contexts for them.

use promptrules::context::Context;
use serde_json::{Value, json};

pub(crate) const TOOLS: [&str; 11] = [
    "openBrowserPage",
    "readPage",
    "clickElement",
    "screenshotPage",
    "runTask",
    "getTaskOutput",
    "runTests",
    "rename",
    "usages",
    "problems",
    "toolSearch",
];
const WORDS: &str = "when the agent edits code it keeps each change small and checks the result before it reports back";

/// A small generator of numbers; the same seed gives the same rules on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(crate) fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = WORDS.split(' ').collect();
        (0..count).map(|_| self.pick(&words)).collect::<Vec<_>>().join(" ")
    }
}

/// A rule file in JSON, which is YAML: contributors with families, regexes, prefixes and
/// alternatives in turn, and lines with gates of one to three conditions.
pub(crate) fn rules(contributors: usize, lines: usize) -> Value {
    let mut random = Random::new(5);
    let contributors: Vec<Value> = (0..contributors).map(|number| contributor(number, &mut random)).collect();
    let lines: Vec<Value> = (0..lines).map(|number| line(number, &mut random)).collect();
    json!({
        "version": 1,
        "catalog": {
            "client_tools": TOOLS,
            "settings": {
                "opusPrompt": {"type": "boolean", "default": false},
                "effortLevel": {"type": "string", "enum": ["low", "medium", "high"]}
            }
        },
        "base": {"sections": {"preamble": {"action": "replace", "content": random.words(30)}}},
        "contributors": contributors,
        "tool_instructions": lines,
        "trailing": [
            {"id": "workspaceless", "when": {"workspaceless": true}, "text": random.words(60)},
            {"id": "file-links", "text": random.words(80)}
        ]
    })
}

fn contributor(number: usize, random: &mut Random) -> Value {
    let family = format!("fam{}-v{}", number / 4, number % 4);
    let matching = match number % 4 {
        0 => json!({"families": [family]}),
        1 => json!({"model": {"normalize": ["vendor", "lowercase", "dashes"], "regex": format!("^{family}(-|$)")}}),
        2 => json!({"model": {"prefix": family}}),
        _ => json!({"model": {"any": [{"equals": family}, {"regex": format!("^{family}-[0-9]+$")}]}}),
    };
    json!({
        "id": format!("c{number}"),
        "match": matching,
        "sections": {
            "tone": {"action": "append", "content": format!("\n{}", random.words(40))},
            "guidelines": {"action": "append", "content": [
                format!("\n{}", random.words(30)), {"when": {"workspaceless": true}, "text": random.words(20)}
            ]}
        }
    })
}

fn line(number: usize, random: &mut Random) -> Value {
    let gate = match number % 4 {
        0 => return json!({"id": format!("l{number}"), "text": random.words(28)}),
        1 => json!({"has_client_tool": random.pick(&TOOLS)}),
        2 => json!({"has_any_client_tool": [random.pick(&TOOLS), random.pick(&TOOLS)]}),
        _ => json!({"has_client_tool": random.pick(&TOOLS), "not": {"setting_equals": {"effortLevel": "low"}}}),
    };
    json!({"id": format!("l{number}"), "when": gate, "text": random.words(28)})
}

/// Contexts whose models are spread over all contributors, with half of the tools each.
pub(crate) fn contexts(contributors: usize, count: usize) -> Vec<Context> {
    let mut random = Random::new(6);
    let mut context = || {
        let number = random.below(contributors);
        let suffix = random.pick(&["", "-2026", "-mini"]);
        Context {
            model: Some(format!("fam{}-v{}{suffix}", number / 4, number % 4)),
            client_tools: TOOLS.iter().filter(|_| random.below(2) == 0).map(|tool| (*tool).to_owned()).collect(),
            settings: [("effortLevel".to_owned(), json!("high"))].into_iter().collect(),
            ..Context::default()
        }
    };
    (0..count).map(|_| context()).collect()
}
