//! `serde_yaml` reads the same values, where both accept a text.
//!
//! Texts with what is known to differ are left out: U+2028 and U+0085 (not generated), a block scalar
//! at the end of a file without line break (every text ends with one) or as the whole of a file (there
//! it may be indented by nothing), `?` in brackets (a key mark without a blank in YAML 1.1), duplicate
//! keys (refused here), and the numbers of [`differs_in_schema`].

use proptest::prelude::*;
use proptest::strategy::ValueTree;

use super::File;
use crate::load::node::{Node, Value};

/// Plain scalars that `serde_yaml` reads by other rules: `017`, `0b11`, beyond 64 bits.
fn differs_in_schema(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    (digits.starts_with('0') && digits.len() > 1 && !digits.starts_with("0.")) || digits.len() > 18
}

fn same(file: &File, ours: &Node, theirs: &serde_yaml::Value) -> bool {
    use serde_yaml::Value as Theirs;
    match (&ours.value, theirs) {
        (Value::Null, Theirs::Null) => true,
        (Value::Bool(ours), Theirs::Bool(theirs)) => ours == theirs,
        (Value::Number(ours), Theirs::Number(theirs)) if ours.as_f64() == theirs.as_f64() => true,
        (Value::String(ours), Theirs::String(theirs)) if ours == theirs => true,
        (Value::Sequence(ours), Theirs::Sequence(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| same(file, ours, theirs))
        }
        (Value::Mapping(ours), Theirs::Mapping(theirs)) => {
            let equal = |(ours, theirs): (&crate::load::Entry, (&Theirs, &Theirs))| {
                theirs.0.as_str() == Some(&ours.key) && same(file, &ours.value, theirs.1)
            };
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(equal)
        }
        _ => differs_in_schema(file.sources.text(ours.span)),
    }
}

fn agrees(text: &str) -> Result<bool, TestCaseError> {
    if text.trim_start().starts_with(['|', '>']) {
        return Ok(false);
    }
    let file = File::new(text);
    let (Ok(ours), Ok(theirs)) = (file.parse(), serde_yaml::from_str::<serde_yaml::Value>(text)) else {
        return Ok(false);
    };
    prop_assert!(same(&file, &ours, &theirs), "{:?}\nours   {}\ntheirs {:?}", text, ours.to_json(), theirs);
    Ok(true)
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-e][a-e :#'-]{0,8}",
        1 => prop::sample::select(vec!["no", "on", "~", "null", "true", "False", "1", "-2", "1.5", "1e3", "0x1F", "2024-01-02", "", ".5", "12:30"])
            .prop_map(str::to_owned),
        1 => "'[a-e \"#:]{0,6}('')?[a-e \n]{0,4}'",
        1 => "\"[a-e '#:]{0,6}(\\\\n|\\\\\"|\\\\x41)?[a-e]{0,3}\"",
    ]
}

/// The lines of a value, to be indented.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let block = (
        prop::sample::select(vec!["|", "|-", "|+", ">", ">-", ">+"]),
        prop::collection::vec("[ ]{0,2}[a-c]{0,3}[ ]?", 1..4),
    );
    let leaf = prop_oneof![
        4 => scalar().prop_map(|scalar| vec![scalar]),
        1 => block.prop_map(|(header, lines)| {
            std::iter::once(header.to_owned()).chain(lines.into_iter().map(|line| format!("  {line}"))).collect()
        }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|items| {
                let item = |lines: Vec<String>| {
                    lines
                        .into_iter()
                        .enumerate()
                        .map(|(at, line)| if at == 0 { format!("- {line}") } else { format!("  {line}") })
                };
                std::iter::once(String::new()).chain(items.into_iter().flat_map(item)).collect()
            }),
            prop::collection::vec(("[a-e]{1,3}", inner.clone()), 1..4).prop_map(|entries| {
                let entry = |(key, lines): (String, Vec<String>)| {
                    lines
                        .into_iter()
                        .enumerate()
                        .map(move |(at, line)| if at == 0 { format!("{key}: {line}") } else { format!("  {line}") })
                };
                std::iter::once(String::new()).chain(entries.into_iter().flat_map(entry)).collect()
            }),
            prop::collection::vec(scalar(), 0..4).prop_map(|items| vec![format!("[{}]", items.join(", "))]),
            prop::collection::vec(("[a-e]{1,3}", scalar()), 0..4).prop_map(|entries| {
                let entries: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
                vec![format!("{{{}}}", entries.join(", "))]
            }),
        ]
    })
}

fn document() -> impl Strategy<Value = String> {
    lines().prop_map(|lines| lines.join("\n").trim_start().to_owned() + "\n")
}

/// A change of one place in a text.
#[derive(Clone, Debug)]
struct Mutation {
    place: prop::sample::Index,
    length: usize,
    insert: &'static str,
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let insert = prop::sample::select(vec![
        "", "", " ", "  ", "\n", "\n  ", ":", ": ", "- ", "#", " #", "'", "\"", "[", "]", "{", "}", ",", "|", ">", "a",
    ]);
    (any::<prop::sample::Index>(), 0_usize..3, insert).prop_map(|(place, length, insert)| Mutation {
        place,
        length,
        insert,
    })
}

fn mutated(mut text: String, mutations: &[Mutation]) -> String {
    for mutation in mutations {
        let start = mutation.place.index(text.len() + 1);
        let end = (start + mutation.length).min(text.len());
        text.replace_range(start..end, mutation.insert);
    }
    text + "\n"
}

proptest! {
    #[test]
    fn documents_have_the_same_value(text in document()) {
        agrees(&text)?;
    }

    #[test]
    fn mutated_documents_have_the_same_value(text in document(), mutations in prop::collection::vec(mutation(), 1..4)) {
        agrees(&mutated(text, &mutations))?;
    }
}

/// The generator makes texts that both accept, so that the comparison means something.
#[test]
fn most_documents_are_accepted() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let accepted = (0..500).filter(|_| {
        let text = document().new_tree(&mut runner).map(|tree| tree.current()).unwrap_or_default();
        agrees(&text).unwrap_or(false)
    });
    assert!(accepted.count() > 200);
}

#[test]
fn real_rules() {
    let text = "version: 1\ntool_instructions:\n- id: a\n  text: >-\n    Use `x`: it is\n    good.\n\n    Always.\n  when: {all: [{not: {workspaceless: true}}]}\n- {id: b, text: \"c\\td\"}\n";
    assert!(agrees(text).unwrap());
}
