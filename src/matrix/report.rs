//! A matrix as text: for people, for a pull request, for a spreadsheet, for programs.

use serde_json::{Value, json};

use super::{Group, Row};

/// A paragraph for each group.
#[must_use]
pub fn human(groups: &[Group]) -> String {
    let paragraph = |group: &Group| {
        let row = &group.row;
        format!(
            "{}\n  sections  {}\n  lines     {}\n  length    {}\n  models    {}\n",
            title(group),
            or_none(&row.sections().join(", ")),
            or_none(&row.lines.join(", ")),
            row.length(),
            group.models.join("\n            ")
        )
    };
    groups.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}

fn title(group: &Group) -> String {
    let many = if group.models.len() == 1 { "1 model".to_owned() } else { format!("{} models", group.models.len()) };
    format!("{} ({many})", contributor(&group.row))
}

/// The contributor; or that it is the default message; or both, where the one that was chosen gives nothing.
fn contributor(row: &Row) -> String {
    match (&row.contributor, row.reason) {
        (Some(id), None) => id.clone(),
        (Some(id), Some(_)) => format!("{id}, default message"),
        (None, _) => "default message".to_owned(),
    }
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// A table with a row for each group.
#[must_use]
pub fn markdown(groups: &[Group]) -> String {
    let mut out = "| models | contributor | sections | lines | length |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for Group { models, row } in groups {
        let cells = [
            codes(models),
            cell(&contributor(row)),
            codes(&row.sections()),
            codes(&row.lines),
            row.length().to_string(),
        ];
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

fn codes(words: &[String]) -> String {
    words.iter().map(|word| format!("`{}`", cell(word))).collect::<Vec<_>>().join("<br>")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// A line for each model, in the order of the groups.
#[must_use]
pub fn csv(groups: &[Group]) -> String {
    let mut out = "model,contributor,reason,mode,sections,lines,length\n".to_owned();
    for Group { models, row } in groups {
        let (sections, lines, length) = (row.sections().join(" "), row.lines.join(" "), row.length().to_string());
        let reason = row.reason.map(|reason| json!(reason));
        for model in models {
            let fields = [
                model.as_str(),
                row.contributor.as_deref().unwrap_or_default(),
                reason.as_ref().and_then(Value::as_str).unwrap_or_default(),
                row.message.mode(),
                &sections,
                &lines,
                &length,
            ];
            out.push_str(&fields.map(field).join(","));
            out.push('\n');
        }
    }
    out
}

/// A field by RFC 4180.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// One JSON document, ending with a newline.
#[must_use]
pub fn json(groups: &[Group]) -> String {
    let groups: Vec<Value> = groups.iter().map(group).collect();
    let document = json!({"version": 1, "groups": groups});
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn group(group: &Group) -> Value {
    let row = &group.row;
    let mut value = json!({
        "models": group.models, "contributor": row.contributor, "mode": row.message.mode(),
        "sections": row.sections(), "lines": row.lines, "length": row.length(), "summary": row.message.summary(),
    });
    if let (Some(reason), Some(map)) = (row.reason, value.as_object_mut()) {
        map.insert("reason".to_owned(), json!(reason));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::load::load_text;

    fn groups() -> Vec<Group> {
        let loaded = load_text(
            "ruleset.yaml",
            "version: 1\nbase: {sections: {}}\ncontributors:\n  - {id: a, match: {families: [a-]}, sections: {tone: {action: append, content: \"\\nü\"}}}\n  - {id: off, match: {families: [off]}, when: {workspaceless: true}, content: x}\ntool_instructions:\n  - {id: line, when: {not: {model: {prefix: a-2}}}, text: L🙂}\n",
        )
        .unwrap();
        let context = |model: &str| Context { model: Some(model.to_owned()), ..Context::default() };
        super::super::matrix(&loaded.rules, ["a-1", "x|y,z", "a-2", "a-3", "off"], context)
    }

    #[test]
    fn equal_models_are_one_group() {
        let models: Vec<Vec<String>> = groups().into_iter().map(|group| group.models).collect();
        assert_eq!(models, [vec!["a-1", "a-3"], vec!["x|y,z"], vec!["a-2"], vec!["off"]]);
    }

    #[test]
    fn the_four_formats() {
        let groups = groups();
        insta::assert_snapshot!(
            "formats",
            [human(&groups), markdown(&groups), csv(&groups), json(&groups)].join("\n==========\n")
        );
    }
}
