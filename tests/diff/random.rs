//! Small random rule sets, and random edits of them. Small on purpose: names collide, gates meet, texts run together.

use serde_json::{Value, json};

/// Random numbers that repeat.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }

    pub(crate) fn pick<'p, T>(&mut self, from: &'p [T]) -> &'p T {
        &from[self.roll(from.len())]
    }
}

pub(crate) const TOOLS: [&str; 3] = ["openPage", "readPage", "runTests"];
pub(crate) const MODELS: [&str; 7] = ["a", "a-1", "a.1", "v/A-1", "b", "ab-2", "c"];
const SECTIONS: [&str; 4] = ["tone", "safety", "tool_instructions", "guidelines"];
const TEXTS: [&str; 8] = ["x", "y", "x\ny", "xy", "z", "y\nz", "", "x y"];

pub(crate) fn gate(dice: &mut Dice, depth: usize) -> Value {
    let tool = *dice.pick(&TOOLS);
    match dice.roll(if depth == 0 { 9 } else { 13 }) {
        0 | 1 => json!({"has_client_tool": tool}),
        2 => json!({"has_any_client_tool": [tool, "$pages"]}),
        3 => json!({"has_all_client_tools": [tool, dice.pick(&TOOLS)]}),
        4 => json!({"workspaceless": dice.chance(50)}),
        5 => json!({"tool_search_active": true}),
        6 => setting_gate(dice),
        7 => json!({"model": matcher(dice)}),
        8 => json!({"setting_is_set": dice.pick(&["flag", "kind", "limit"])}),
        9 => json!({"not": gate(dice, depth - 1)}),
        10 => json!({"all": [gate(dice, depth - 1), gate(dice, depth - 1)]}),
        _ => json!({"any": [gate(dice, depth - 1), gate(dice, depth - 1)]}),
    }
}

fn setting_gate(dice: &mut Dice) -> Value {
    match dice.roll(4) {
        0 => json!({"setting_equals": {"flag": dice.chance(50)}}),
        1 => json!({"setting_equals": {"kind": dice.pick(&["low", "high"])}}),
        2 => json!({"setting_in": {"kind": ["low", "high"]}}),
        _ => json!({"setting_equals": {"limit": dice.pick(&[1, 2])}}),
    }
}

pub(crate) fn matcher(dice: &mut Dice) -> Value {
    let mut matcher = match dice.roll(6) {
        0 => json!({"prefix": "a"}),
        1 => json!({"equals": ["a-1", "b"]}),
        2 => json!({"regex": "^a(-|$)"}),
        3 => json!({"contains": dice.pick(&["1", "b", "."])}),
        4 => json!({"group": "letters"}),
        _ => json!({"not": {"prefix": "a"}}),
    };
    if dice.chance(40) {
        matcher["normalize"] = json!(dice.pick(&[["vendor"], ["lowercase"], ["dashes"]]));
    }
    matcher
}

fn text(dice: &mut Dice, nonempty: bool, bound: bool, parent: bool) -> Value {
    let plain = |dice: &mut Dice| loop {
        let text = *dice.pick(&TEXTS);
        if !(nonempty && text.is_empty()) {
            let value = if bound { *dice.pick(&["{{tool}}", "{{kind}}", "{{limit}}", "", ""]) } else { "" };
            return format!("{text}{value}");
        }
    };
    if dice.chance(50) {
        return json!(plain(dice));
    }
    let items: Vec<Value> = (0..=dice.roll(3))
        .map(|_| {
            let mut item = match dice.roll(if parent { 4 } else { 3 }) {
                0 => json!(plain(dice)),
                1 => json!({"text": plain(dice)}),
                2 => json!({"use": dice.pick(&["shared", "list"])}),
                _ => json!({"parent": true}),
            };
            if item.is_object() && dice.chance(60) {
                item["when"] = gate(dice, 0);
            }
            item
        })
        .collect();
    json!(items)
}

fn override_of(dice: &mut Dice, bound: bool, parent: bool) -> Value {
    let mut value = match dice.roll(8) {
        0 | 1 => json!({"action": "append", "content": text(dice, false, bound, parent)}),
        2 => json!({"action": "prepend", "content": text(dice, false, bound, parent)}),
        3 | 4 => json!({"action": "replace", "content": text(dice, false, bound, parent)}),
        5 => json!({"action": "remove"}),
        6 => json!({"action": "preserve"}),
        _ => json!({"action": "transform", "steps": [{"append": "x"}, {"remove": {"pattern": "q"}}]}),
    };
    if dice.chance(40) {
        value["when"] = gate(dice, 1);
    }
    value
}

pub(crate) fn sections(dice: &mut Dice, bound: bool, parent: bool) -> Value {
    let mut sections = json!({});
    for _ in 0..dice.roll(3) {
        let name = *dice.pick(&SECTIONS);
        let many = dice.chance(30);
        let first = override_of(dice, bound, parent);
        sections[name] = if many { json!([first, override_of(dice, bound, parent)]) } else { first };
    }
    sections
}

fn bind() -> Value {
    json!({"tool": {"first_client_tool": ["$pages", "runTests"]}, "kind": {"setting": "kind"}, "limit": {"setting": "limit"}})
}

pub(crate) fn contributor(dice: &mut Dice, id: &str, earlier: &[String]) -> Value {
    let mut rule = json!({"id": id});
    if dice.chance(70) {
        rule["match"] = json!({"model": matcher(dice)});
    } else {
        rule["match"] = json!({"families": [dice.pick(&["a", "a-", "b", "v/"])]});
    }
    let parent = !earlier.is_empty() && dice.chance(40);
    if parent {
        rule["extends"] = json!(dice.pick(earlier));
    }
    if dice.chance(30) {
        rule["when"] = gate(dice, 1);
    }
    let bound = dice.chance(30);
    if bound {
        rule["bind"] = bind();
    }
    rule["sections"] = sections(dice, bound, true);
    if dice.chance(20) {
        rule["content"] = text(dice, false, bound, false);
    }
    if dice.chance(12) {
        rule["full_prompt"] = match dice.chance(50) {
            true => json!({"text": text(dice, false, bound, false), "when": gate(dice, 0)}),
            false => text(dice, false, bound, false),
        };
    }
    rule
}

pub(crate) fn line(dice: &mut Dice, id: &str) -> Value {
    let bound = dice.chance(30);
    let mut rule = json!({"id": id});
    loop {
        rule["text"] = text(dice, true, bound, false);
        // Neither end may be a newline: no shared list, no empty string at an end.
        let rendered = rule["text"].to_string();
        if !rendered.contains("\"\"") {
            break;
        }
    }
    if bound {
        rule["bind"] = bind();
    }
    if dice.chance(70) {
        rule["when"] = gate(dice, 1);
    }
    rule
}

/// A rule set as one document.
pub(crate) fn rules(dice: &mut Dice) -> Value {
    let mut contributors = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for number in 0..dice.roll(4) {
        let id = format!("c{number}");
        contributors.push(contributor(dice, &id, &ids));
        ids.push(id);
    }
    let lines: Vec<Value> = (0..dice.roll(4)).map(|number| line(dice, &format!("l{number}"))).collect();
    let blocks: Vec<Value> = (0..dice.roll(3)).map(|number| line(dice, &format!("b{number}"))).collect();
    let mut base = json!({"sections": sections(dice, false, false)});
    if dice.chance(40) {
        base["content"] = text(dice, false, false, false);
    }
    let flag = if dice.chance(50) { json!({"type": "boolean", "default": true}) } else { json!({"type": "boolean"}) };
    json!({
        "version": 1,
        "catalog": {
            "client_tools": TOOLS,
            "tool_groups": {"pages": ["openPage", "readPage"]},
            "settings": {
                "flag": flag,
                "kind": {"type": "string", "enum": ["low", "high"]},
                "limit": {"type": "number", "default": 2},
            },
            "models": MODELS,
            "model_groups": {"letters": {"regex": "^[ab]$"}},
        },
        "texts": {"shared": "s", "list": ["s", {"text": "t", "when": {"has_client_tool": "runTests"}}]},
        "base": base,
        "contributors": contributors,
        "tool_instructions": lines,
        "trailing": blocks,
    })
}

/// One random edit, most of which change some message.
pub(crate) fn edit(dice: &mut Dice, rules: &mut Value) {
    let list = *dice.pick(&["contributors", "tool_instructions", "trailing", "tool_instructions"]);
    let length = rules[list].as_array().unwrap().len();
    let at = if length == 0 { 0 } else { dice.roll(length) };
    match dice.roll(12) {
        0 if length > 1 => {
            let other = dice.roll(length);
            rules[list].as_array_mut().unwrap().swap(at, other);
        }
        1 if length > 0 && list != "contributors" => drop(rules[list].as_array_mut().unwrap().remove(at)),
        2 => {
            let new = match list {
                "contributors" => contributor(dice, "new", &[]),
                _ => line(dice, &format!("new-{list}")),
            };
            let place = dice.roll(length + 1);
            rules[list].as_array_mut().unwrap().insert(place, new);
        }
        3 | 4 if length > 0 => rules[list][at]["when"] = gate(dice, 1),
        5 if length > 0 => drop(rules[list][at].as_object_mut().unwrap().remove("when")),
        6 if length > 0 && list != "contributors" => {
            let id = rules[list][at]["id"].as_str().unwrap().to_owned();
            rules[list][at] = line(dice, &id);
        }
        6 if length > 0 => rules[list][at]["sections"] = sections(dice, rules[list][at].get("bind").is_some(), true),
        7 if !rules["contributors"].as_array().unwrap().is_empty() => {
            let length = rules["contributors"].as_array().unwrap().len();
            rules["contributors"][dice.roll(length)]["match"] = json!({"model": matcher(dice)});
        }
        8 => {
            let settings = &mut rules["catalog"]["settings"];
            match dice.roll(4) {
                0 => settings["flag"] = json!({"type": "boolean", "default": dice.chance(50)}),
                1 => settings["limit"] = json!({"type": "number"}),
                2 => settings["kind"] = json!({"type": "string", "enum": ["low", "high", "max"], "default": "low"}),
                _ => settings["limit"] = json!({"type": "number", "default": 1}),
            }
        }
        9 => rules["texts"]["shared"] = json!(dice.pick(&["s", "S", "s t"])),
        10 => rules["base"]["sections"] = sections(dice, false, false),
        11 => rules["catalog"]["model_groups"]["letters"] = matcher_without_group(dice),
        _ => rules["base"]["content"] = text(dice, false, false, false),
    }
}

fn matcher_without_group(dice: &mut Dice) -> Value {
    loop {
        let matcher = matcher(dice);
        if matcher.get("group").is_none() {
            return matcher;
        }
    }
}

/// A context; over many rolls, every combination of what the rules can look at.
pub(crate) fn context(dice: &mut Dice) -> promptrules::context::Context {
    let mut context = promptrules::context::Context::default();
    if dice.chance(90) {
        context.model = Some((*dice.pick(&MODELS)).to_owned());
    }
    context.client_tools = TOOLS.iter().filter(|_| dice.chance(50)).map(|tool| (*tool).to_owned()).collect();
    context.tool_search_active = dice.chance(30);
    context.workspaceless = dice.chance(50);
    let values = [
        ("flag", vec![json!(true), json!(false), json!("true"), Value::Null]),
        ("kind", vec![json!("low"), json!("high"), json!("max"), json!(1)]),
        ("limit", vec![json!(1), json!(2), json!(2.0), json!(7), json!("2")]),
    ];
    for (name, values) in values {
        if dice.chance(70) {
            context.settings.insert(name.to_owned(), dice.pick(&values).clone());
        }
    }
    context
}
