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

/// How many names one compilation compares in all: without a limit, a file full of unknown names
/// would be compared with another full of known ones.
const MOST_COMPARISONS: usize = 1_000_000;

/// Looks for near misses, as long as it has not looked too often.
pub(super) struct Suggestions {
    left: usize,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self { left: MOST_COMPARISONS }
    }
}

impl Suggestions {
    /// As [`nearest`]; nothing once too much has been asked for.
    pub(super) fn nearest<'k>(
        &mut self,
        written: &str,
        known: impl ExactSizeIterator<Item = &'k str>,
    ) -> Option<&'k str> {
        self.left = self.left.checked_sub(known.len())?;
        nearest(written, known)
    }
}

/// The boolean that a string probably was meant to be: to YAML 1.2, `yes` and `no` are strings.
pub(crate) fn meant_boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// The number that a string probably was meant to be.
pub(crate) fn meant_number(text: &str) -> Option<serde_json::Number> {
    serde_json::from_str(text.trim()).ok()
}

/// How far two names are apart; nothing if they are not near.
fn distance(written: &str, known: &str) -> Option<usize> {
    if written == known {
        return None;
    }
    if folded(written) == folded(known) {
        return Some(0);
    }
    let (one, other) = (written.chars().count(), known.chars().count());
    let longest = one.max(other);
    let most = longest.div_ceil(4).min(3);
    if longest >= 64 || one.abs_diff(other) > most {
        return None;
    }
    let distance = strsim::damerau_levenshtein(written, known);
    (distance <= most && distance < longest).then_some(distance)
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
