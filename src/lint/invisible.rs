//! Code points that nobody sees, and the company in which each of them is in order.

/// What an invisible code point is called; nothing for those that show.
pub(super) fn name(char: char) -> Option<&'static str> {
    Some(match char {
        '\u{ad}' => "soft hyphen",
        '\u{34f}' => "combining grapheme joiner",
        '\u{61c}' => "Arabic letter mark",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "Hangul filler",
        '\u{17b4}' | '\u{17b5}' => "invisible Khmer vowel",
        '\u{180b}'..='\u{180d}' | '\u{180f}' => "Mongolian variation selector",
        '\u{180e}' => "Mongolian vowel separator",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202a}' => "left-to-right embedding",
        '\u{202b}' => "right-to-left embedding",
        '\u{202c}' => "pop directional formatting",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2060}' => "word joiner",
        '\u{2061}'..='\u{2064}' => "invisible operator",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "pop directional isolate",
        '\u{206a}'..='\u{206f}' => "deprecated format character",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{feff}' => "zero-width no-break space",
        '\u{fff9}'..='\u{fffb}' => "interlinear annotation character",
        '\u{1bca0}'..='\u{1bca3}' => "shorthand format character",
        '\u{1d173}'..='\u{1d17a}' => "musical format character",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        '\u{2065}' | '\u{fff0}'..='\u{fff8}' | '\u{e0080}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}' => {
            "invisible code point"
        }
        _ => return None,
    })
}

/// A blank that is no space: in order in a text, never in a name or pattern.
pub(super) fn odd_blank(char: char) -> Option<&'static str> {
    Some(match char {
        '\u{85}' => "next line",
        '\u{a0}' => "no-break space",
        '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}' => "blank that is no space",
        '\u{202f}' => "narrow no-break space",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{2800}' => "blank Braille pattern",
        _ => return None,
    })
}

/// Whether the invisible code point between two pieces of text belongs there: in an emoji, or in
/// a word of a script that needs it.
pub(super) fn belongs(char: char, before: &str, after: &str) -> bool {
    match char {
        '\u{200d}' => joins_emoji(before, after) || in_joining_word(before, after),
        '\u{200c}' => in_joining_word(before, after),
        '\u{fe00}'..='\u{fe0f}' => selects_emoji(before, after) || before.chars().next_back().is_some_and(is_han),
        '\u{e0100}'..='\u{e01ef}' => before.chars().next_back().is_some_and(is_han),
        '\u{180b}'..='\u{180f}' => {
            before.chars().next_back().is_some_and(|last| matches!(last, '\u{1820}'..='\u{18aa}'))
        }
        '\u{e0020}'..='\u{e007f}' => in_flag(char, before, after),
        _ => false,
    }
}

/// U+200D between two emoji, the first perhaps with a skin tone or a variation selector.
fn joins_emoji(before: &str, after: &str) -> bool {
    let base = before.trim_end_matches('\u{fe0f}').trim_end_matches(|tone| matches!(tone, '\u{1f3fb}'..='\u{1f3ff}'));
    base.chars().next_back().is_some_and(is_emoji) && after.chars().next().is_some_and(is_emoji)
}

/// A variation selector for text or emoji presentation directly behind an emoji, or in a keycap.
fn selects_emoji(before: &str, after: &str) -> bool {
    match before.chars().next_back() {
        Some('0'..='9' | '#' | '*') => after.starts_with('\u{20e3}'),
        Some(base) => is_emoji(base),
        None => false,
    }
}

/// Part of a flag: U+1F3F4, three to six tag letters or digits, and the cancel tag. Anything longer hides a message.
fn in_flag(char: char, before: &str, after: &str) -> bool {
    let is_letter = |tag: char| matches!(tag, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let stem = before.trim_end_matches(is_letter);
    let behind = after.trim_start_matches(is_letter);
    let letters = before.len() - stem.len() + after.len() - behind.len();
    let count = letters / '\u{e0061}'.len_utf8();
    let ends = if char == '\u{e007f}' { after.len() == behind.len() } else { behind.starts_with('\u{e007f}') };
    let own = usize::from(is_letter(char));
    stem.ends_with('\u{1f3f4}') && ends && (own == 1 || char == '\u{e007f}') && (3..=6).contains(&(count + own))
}

/// Between two letters or marks of scripts in which joiners change how a word is written.
fn in_joining_word(before: &str, after: &str) -> bool {
    before.chars().next_back().is_some_and(needs_joiners) && after.chars().next().is_some_and(needs_joiners)
}

fn needs_joiners(char: char) -> bool {
    matches!(char,
        '\u{620}'..='\u{65f}' | '\u{66e}'..='\u{6d3}' | '\u{6d5}'..='\u{6ff}'
        | '\u{700}'..='\u{7ff}' | '\u{840}'..='\u{8ff}'
        | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{fff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}' | '\u{1820}'..='\u{18aa}'
        | '\u{1a20}'..='\u{1aaf}' | '\u{1b00}'..='\u{1c4f}' | '\u{a840}'..='\u{a877}'
        | '\u{a8e0}'..='\u{a8ff}' | '\u{a980}'..='\u{a9df}' | '\u{aa60}'..='\u{aa7f}' | '\u{abc0}'..='\u{abff}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{10aff}' | '\u{10d00}'..='\u{10d3f}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

fn is_han(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The pictographs, and the older symbols that have an emoji form.
fn is_emoji(char: char) -> bool {
    matches!(char,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}'
        | '\u{2934}' | '\u{2935}' | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The invisible code points of a text that do not belong where they are.
    fn stray(text: &str) -> Vec<u32> {
        let hidden = text.char_indices().filter(|(_, char)| name(*char).is_some());
        let stray = hidden.filter(|(at, char)| !belongs(*char, &text[..*at], &text[at + char.len_utf8()..]));
        stray.map(|(_, char)| u32::from(char)).collect()
    }

    #[test]
    fn what_belongs_is_in_order() {
        let fine = [
            "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🏴‍☠️ 👩🏽‍⚕️ ❤️‍🔥 🧑🏻‍🤝‍🧑🏿",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} and 🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f}",
            "⚠️ ✔️ ℹ️ ©️ ↔️ 1️⃣ #️⃣ ☁︎",
            "می‌خواهم نامه‌ای",
            "क्‍ष শ্‌র ක්‍ෂ",
            "葛\u{e0100}",
            "flags 🇩🇪 and é",
        ];
        for text in fine {
            assert_eq!(stray(text), [0; 0], "{text}");
        }
    }

    #[test]
    fn what_does_not_belong_is_found() {
        let cases: [(&str, &[u32]); 14] = [
            ("run\u{200b}Tests", &[0x200b]),
            ("run\u{200d}Tests", &[0x200d]),
            ("a\u{200c}b", &[0x200c]),
            ("می\u{200c} خواهم", &[0x200c]),
            ("👩\u{200d}", &[0x200d]),
            ("👩\u{200d}x", &[0x200d]),
            ("a\u{fe0f}", &[0xfe0f]),
            ("1\u{fe0f}", &[0xfe0f]),
            ("😀\u{fe0f}\u{fe0f}", &[0xfe0f]),
            ("😀\u{e0101}\u{e0102}", &[0xe0101, 0xe0102]),
            ("x\u{e0061}\u{e007f}", &[0xe0061, 0xe007f]),
            ("🏴\u{e0067}\u{e0062}", &[0xe0067, 0xe0062]),
            ("\u{202e}cba\u{202c}", &[0x202e, 0x202c]),
            ("a\u{ad}b\u{2060}c\u{3164}", &[0xad, 0x2060, 0x3164]),
        ];
        for (text, expected) in cases {
            assert_eq!(stray(text), expected, "{text:?}");
        }
        let smuggled = "🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0020}\u{e007f}";
        assert_eq!(stray(smuggled).len(), 8);
    }
}
