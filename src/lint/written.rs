//! What the text of a file shows of its keys and values, before anyone goes through them.

/// Whether a key or value of a file can have this in it: the text has it, or escapes that can spell anything.
pub(super) fn can_say(text: &str, piece: &str) -> bool {
    text.contains(piece) || can_spell(text)
}

/// Whether a key or value of a file can have a character outside of ASCII.
pub(super) fn can_be_foreign(text: &str) -> bool {
    !text.is_ascii() || can_spell(text)
}

/// Whether a text has a backslash before anything but what stands for itself or for a line break.
fn can_spell(text: &str) -> bool {
    let mut parts = text.split('\\').skip(1);
    while let Some(part) = parts.next() {
        match part.bytes().next() {
            Some(b'n' | b'"') => {}
            // The second of two backslashes begins nothing.
            None => drop(parts.next()),
            Some(_) => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_files_say_what_they_show() {
        for text in ["a: b", r#"a: "b\n\"c\\x41""#, ""] {
            assert!(!can_be_foreign(text) && !can_say(text, "regex"), "{text}");
        }
        assert!(can_say("a: {regex: b}", "regex"));
    }

    #[test]
    fn escapes_can_say_anything() {
        for text in [r#""\u0061""#, r#""\x61""#, r#""\N""#, r#""\\\x61""#, "\"a\\\nb\"", r"a: '\d'"] {
            assert!(can_be_foreign(text) && can_say(text, "regex"), "{text}");
        }
        assert!(can_be_foreign("é"));
    }
}
