//! A thousand files of 2 KB: 15 texts a file, gates to depth three, nothing to find.

use std::fs;
use std::path::Path;

use promptrules::load::Memory;
use serde_json::{Value, json};

use crate::common::Random;

const FILES: usize = 1000;
const LINES: usize = 11;

/// The files by path, the root last.
pub(crate) fn files() -> Vec<(String, String)> {
    let mut random = Random::new(7);
    let mut files: Vec<(String, String)> =
        (0..FILES).map(|number| (format!("parts/p{number:04}.yaml"), part(number, &mut random))).collect();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let models: Vec<String> = (0..FILES).map(|number| format!("fam{number}-1")).collect();
    let root = json!({
        "version": 1,
        "include": names,
        "catalog": {
            "client_tools": tools(),
            "settings": {"effortLevel": {"type": "string", "enum": ["low", "medium", "high"]}},
            "models": models
        },
        "base": {"sections": {"preamble": {"action": "replace", "content": random.words(30)}}}
    });
    files.push(("ruleset.yaml".to_owned(), root.to_string()));
    files
}

/// The same in memory.
pub(crate) fn memory() -> Memory {
    Memory::new(files())
}

/// The files in `FOLDER/yaml`, and what each says in JSON in `FOLDER/json`.
pub(crate) fn write(folder: &Path) {
    for (name, text) in files() {
        let value: Value = serde_yaml::from_str(&text).unwrap();
        for (name, text) in [(format!("yaml/{name}"), text), (format!("json/{name}.json"), value.to_string())] {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
}

fn tools() -> Vec<String> {
    let (verbs, nouns) = (["open", "read", "click", "run", "get", "find", "list", "edit"], ["Page", "Task", "Test"]);
    verbs.iter().flat_map(|verb| nouns.map(|noun| format!("{verb}{noun}"))).collect()
}

fn part(number: usize, random: &mut Random) -> String {
    let matching = match number % 4 {
        0 => format!("model: {{prefix: fam{number}-}}"),
        1 => format!("families: [fam{number}-]"),
        2 => format!("model: {{regex: '^fam{number}(-|$)'}}"),
        _ => format!(
            "model: {{normalize: [vendor, lowercase, dashes], any: [{{equals: fam{number}}}, {{prefix: fam{number}-}}]}}"
        ),
    };
    let gate = Gate::new(random).flow(3);
    let mut text = format!(
        "version: 1
contributors:
  - id: c{number}
    description: Tuned for family {number}.
    match: {{{matching}}}
    sections:
      tone:
        action: append
        content: \"\\n{}\"
      guidelines:
        action: append
        content:
          - \"\"
          - {}
          - when: {gate}
            text: {}
    content: {}
tool_instructions:
",
        random.words(12),
        random.words(8),
        random.words(8),
        random.words(10)
    );
    for line in 0..LINES {
        let depth = 1 + random.below(3);
        let gate = Gate::new(random).flow(depth);
        text.push_str(&format!(
            "  - id: l{number}-{line}\n    when: {gate}\n    text: Rule {number}-{line}, {}\n",
            random.words(6)
        ));
    }
    text
}

/// A gate in which nothing is asked twice, so that it can hold and fail.
struct Gate<'r> {
    random: &'r mut Random,
    tools: Vec<String>,
    asked: [bool; 3],
}

impl<'r> Gate<'r> {
    fn new(random: &'r mut Random) -> Self {
        Self { random, tools: tools(), asked: [false; 3] }
    }

    fn flow(&mut self, depth: usize) -> String {
        if depth == 1 {
            return self.condition();
        }
        match self.random.below(4) {
            0 => self.condition(),
            1 => format!("{{not: {}}}", self.flow(depth - 1)),
            2 => format!("{{any: [{}, {}]}}", self.flow(depth - 1), self.flow(depth - 1)),
            _ => format!("{{all: [{}, {}]}}", self.flow(depth - 1), self.flow(depth - 1)),
        }
    }

    fn condition(&mut self) -> String {
        let kind = self.random.below(6);
        let yes = self.random.below(2) == 0;
        match kind {
            0 if !std::mem::replace(&mut self.asked[0], true) => format!("{{workspaceless: {yes}}}"),
            1 if !std::mem::replace(&mut self.asked[1], true) => format!("{{tool_search_active: {yes}}}"),
            2 if !std::mem::replace(&mut self.asked[2], true) => {
                let level = self.random.pick(&["low", "medium", "high"]);
                format!("{{setting_equals: {{effortLevel: {level}}}}}")
            }
            3 => format!("{{has_any_client_tool: [{}, {}]}}", self.tool(), self.tool()),
            _ => format!("{{has_client_tool: {}}}", self.tool()),
        }
    }

    fn tool(&mut self) -> String {
        let place = self.random.below(self.tools.len());
        self.tools.swap_remove(place)
    }
}
