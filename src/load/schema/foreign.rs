//! Words for keys that other formats have, and that no letter leads to ours.

/// The key that says the same here.
pub(super) fn known_as(word: &str) -> Option<&'static str> {
    let (_, key) = WORDS.iter().find(|(words, _)| words.contains(&word))?;
    Some(key)
}

const WORDS: [(&[&str], &str); 14] = [
    (&["if", "condition", "guard", "gate"], "when"),
    (&["family", "prefixes"], "families"),
    (&["inherit", "inherits", "parent"], "extends"),
    (&["desc", "summary", "comment", "notes"], "description"),
    (&["imports", "import"], "include"),
    (&["vars", "variables", "let"], "bind"),
    (&["prompt", "system_prompt"], "full_prompt"),
    (&["values", "options", "choices"], "enum"),
    (&["and"], "all"),
    (&["or"], "any"),
    (&["starts_with", "startsWith"], "prefix"),
    (&["ends_with", "endsWith"], "suffix"),
    (&["pattern"], "regex"),
    (&["ignore", "disable", "suppress"], "allow"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_for_one_key() {
        let words: Vec<&str> = WORDS.iter().flat_map(|(words, _)| words.iter().copied()).collect();
        let distinct: std::collections::BTreeSet<&str> = words.iter().copied().collect();
        assert_eq!(words.len(), distinct.len());
        assert_eq!((known_as("if"), known_as("family"), known_as("when")), (Some("when"), Some("families"), None));
    }
}
