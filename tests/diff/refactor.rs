//! Edits of rule sets that keep their meaning.

use serde_json::{Map, Value, json};

use crate::random::{Dice, gate};

/// Applies one, and says which.
pub(crate) fn refactor(dice: &mut Dice, rules: &mut Value) -> &'static str {
    match dice.roll(9) {
        0 => {
            each_gate(rules, &mut |gate| {
                let inner = gate.clone();
                *gate = json!({"not": {"not": inner}});
            });
            "double negation"
        }
        1 => {
            each_gate(rules, &mut de_morgan);
            "De Morgan"
        }
        2 => {
            each_gate(rules, &mut spelled_out);
            "groups and lists spelled out"
        }
        3 => {
            rename_rules(rules);
            "ids renamed"
        }
        4 => {
            split_line(dice, rules);
            "a line's gate split"
        }
        5 => {
            split_overrides(dice, rules);
            "an override's gate split"
        }
        6 => {
            each_text(rules, &mut as_list);
            "texts as lists"
        }
        7 => {
            disjoint(dice, rules);
            "disjoint contributors in another order"
        }
        _ => {
            rules["catalog"]["client_tools"] = json!(["runTests", "readPage", "another", "openPage"]);
            rules["catalog"]["settings"]["unused"] = json!({"type": "string"});
            "catalog reordered"
        }
    }
}

/// Moves rules into files that are included.
pub(crate) fn split(dice: &mut Dice, mut rules: Value) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut includes = Vec::new();
    if dice.chance(60) {
        // What is included comes first, so it takes the beginnings of the lists.
        let mut part = json!({"version": 1});
        for list in ["contributors", "tool_instructions", "trailing"] {
            let all = rules[list].as_array().unwrap().clone();
            let at = dice.roll(all.len() + 1);
            part[list] = json!(all[..at]);
            rules[list] = json!(all[at..]);
        }
        part["texts"] = std::mem::replace(&mut rules["texts"], json!({}));
        includes.push(json!("part.yaml"));
        files.push(("part.yaml".to_owned(), part.to_string()));
    }
    if !includes.is_empty() {
        rules["include"] = json!(includes);
    }
    files.push(("ruleset.yaml".to_owned(), rules.to_string()));
    files
}

/// Every gate under a `when`, at whatever depth of the rules.
fn each_gate(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                if key == "when" {
                    change(inner);
                } else {
                    each_gate(inner, change);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_gate(item, change)),
        _ => {}
    }
}

fn de_morgan(gate: &mut Value) {
    let not = |gate: &Value| json!({"not": gate});
    let turned = |gates: &Value| gates.as_array().unwrap().iter().map(not).collect::<Vec<Value>>();
    if let Some(all) = gate.get("all") {
        *gate = json!({"not": {"any": turned(all)}});
    } else if let Some(any) = gate.get("any") {
        *gate = json!({"not": {"all": turned(any)}});
    }
}

fn spelled_out(gate: &mut Value) {
    if let Some(tools) = gate.get("has_any_client_tool").and_then(Value::as_array) {
        let mut tools: Vec<Value> = tools
            .iter()
            .filter(|tool| !tool.as_str().unwrap().starts_with('$'))
            .map(|tool| json!({"has_client_tool": tool}))
            .collect();
        tools.insert(0, json!({"any": [{"has_client_tool": "readPage"}, {"has_client_tool": "openPage"}]}));
        *gate = json!({"any": tools});
    } else if let Some(pairs) = gate.get("setting_equals").and_then(Value::as_object) {
        let pairs: Map<String, Value> = pairs.iter().map(|(key, value)| (key.clone(), json!([value]))).collect();
        *gate = json!({"setting_in": pairs});
    }
}

fn rename_rules(rules: &mut Value) {
    for list in ["contributors", "tool_instructions", "trailing"] {
        for rule in rules[list].as_array_mut().unwrap() {
            let id = rule["id"].as_str().unwrap().to_owned();
            rule["id"] = json!(format!("renamed-{id}"));
            if let Some(parent) = rule.get("extends").and_then(Value::as_str).map(str::to_owned) {
                rule["extends"] = json!(format!("renamed-{parent}"));
            }
        }
    }
}

/// Renames groups and shared texts; the other edits know them by their old names.
pub(crate) fn rename_names(rules: &mut Value) {
    let text = rules.to_string();
    let text = text.replace("\"letters\"", "\"some\"").replace("\"shared\"", "\"common\"");
    *rules = serde_json::from_str(&text.replace("\"$pages\"", "\"$views\"").replace("\"pages\"", "\"views\"")).unwrap();
}

fn split_line(dice: &mut Dice, rules: &mut Value) {
    let list = *dice.pick(&["tool_instructions", "trailing"]);
    let length = rules[list].as_array().unwrap().len();
    if length == 0 {
        return;
    }
    let at = dice.roll(length);
    let line = rules[list][at].clone();
    let by = gate(dice, 1);
    let when = line.get("when").cloned().unwrap_or_else(|| json!({"any": [by, {"not": by}]}));
    let mut first = line.clone();
    let mut second = line;
    first["when"] = json!({"all": [when, by]});
    second["when"] = json!({"all": [{"not": by}, when]});
    second["id"] = json!(format!("{}-{length}", second["id"].as_str().unwrap()));
    let lines = rules[list].as_array_mut().unwrap();
    lines[at] = first;
    lines.insert(at + 1, second);
}

fn split_overrides(dice: &mut Dice, rules: &mut Value) {
    let by = gate(dice, 1);
    for rule in rules["contributors"].as_array_mut().unwrap() {
        let Some(sections) = rule.get_mut("sections").and_then(Value::as_object_mut) else { continue };
        for value in sections.values_mut() {
            let overrides = if value.is_array() { value.as_array().unwrap().clone() } else { vec![value.clone()] };
            let mut all = Vec::new();
            for one in overrides {
                let mut guarded = one.clone();
                let when = one.get("when").cloned();
                guarded["when"] = when.map_or_else(|| by.clone(), |when| json!({"all": [when, by]}));
                all.push(guarded);
                all.push(one);
            }
            *value = json!(all);
        }
    }
}

/// Every `text` and `content`.
fn each_text(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                if (key == "content" || key == "text") && inner.is_string() {
                    change(inner);
                } else if key != "full_prompt" && key != "texts" && key != "steps" {
                    each_text(inner, change);
                }
            }
        }
        // Items of a list stay: a list inside a list is none.
        Value::Array(items) => {
            let rules = items.iter_mut().filter(|item| item.get("id").is_some() || item.get("action").is_some());
            rules.for_each(|item| each_text(item, change));
        }
        _ => {}
    }
}

fn as_list(text: &mut Value) {
    // A list leaves out a string whose binding has no value; a single string gives nothing then.
    let whole = text.as_str().unwrap();
    if !whole.contains("{{") {
        *text = json!(whole.split('\n').collect::<Vec<_>>());
    }
}

/// Two neighbours that never take the same id change places; both only take ids that nobody names.
fn disjoint(dice: &mut Dice, rules: &mut Value) {
    let contributors = rules["contributors"].as_array_mut().unwrap();
    let length = contributors.len();
    if length < 2 {
        return;
    }
    let at = dice.roll(length - 1);
    let taken = |rule: &Value| Some(rule["match"].get("families")?[0].as_str()?.to_owned());
    let (first, second) = (taken(&contributors[at]), taken(&contributors[at + 1]));
    let extends = contributors[at + 1].get("extends").is_some();
    if let (Some(first), Some(second)) = (first, second)
        && !first.starts_with(&second)
        && !second.starts_with(&first)
        && !extends
    {
        contributors.swap(at, at + 1);
    }
}
