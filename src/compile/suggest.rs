//! Near misses: which known name was probably meant.

/// The known name nearest to what was written, if one is really near: another case or
/// separator, or a few letters off.
pub(crate) fn nearest<'k>(written: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .filter_map(|name| Some((distance(written, name)?, name)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How far two names are apart; nothing if they are not near.
fn distance(written: &str, known: &str) -> Option<usize> {
    if written == known {
        return None;
    }
    if folded(written) == folded(known) {
        return Some(0);
    }
    let longest = written.chars().count().max(known.chars().count());
    let distance = strsim::damerau_levenshtein(written, known);
    (longest < 64 && distance <= longest.div_ceil(4).min(3) && distance < longest).then_some(distance)
}

fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["has_client_tool", "has_any_client_tool", "model", "all", "any", "not"];
        let cases = [
            ("has_cleint_tool", Some("has_client_tool")),
            ("hasClientTool", Some("has_client_tool")),
            ("Model", Some("model")),
            ("modle", Some("model")),
            ("al", Some("all")),
            ("xyz", None),
            ("tools", None),
            ("", None),
        ];
        for (written, meant) in cases {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
    }

    #[test]
    fn the_first_of_equally_near_names_wins() {
        assert_eq!(nearest("gpt5x", ["gpt5a", "gpt5b"]), Some("gpt5a"));
    }
}
