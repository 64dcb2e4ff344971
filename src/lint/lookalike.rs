//! Letters of other scripts that look like Latin ones.

/// Look-alikes, each in front of the letter that it is taken for.
const PAIRS: &str = "\
    аaАAвbВBсcСCԁdеeЕEԍgԌGһhНHнhіiІIїiјjЈJкkКKӏlмmМMпnоoОOрpРPԛqԚQгrѕsЅSтtТTиuυuѵvѴVԝwԜWхxХXуyУYүyҮYьb\
    αaΑAΒBϲcϹCεeΕEΗHηnιiΙIϳjͿJκkΚKΜMνvΝNοoΟOρpΡPτtΤTΥYχxΧXγyΖZωw\
    օoսuոnհhցgզqյjԼL\
    ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᎳWᏃZ\
    ɑaɡgıiɩiʟlⅰiⅼlⅽcⅾdⅿmⅴvⅹxℎhℓlℯeℊgℴo";

/// The Latin letter or digit that another character is taken for.
pub(super) fn latin(char: char) -> Option<char> {
    match char {
        '\0'..='\u{7f}' => None,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xff01 + 0x21),
        '\u{1d400}'..='\u{1d6a3}' => nth_letter((u32::from(char) - 0x1d400) % 52),
        '\u{1d7ce}'..='\u{1d7ff}' => char::from_digit((u32::from(char) - 0x1d7ce) % 10, 10),
        _ => {
            let mut pairs = PAIRS.chars();
            while let (Some(other), Some(letter)) = (pairs.next(), pairs.next()) {
                if other == char {
                    return Some(letter);
                }
            }
            None
        }
    }
}

fn nth_letter(number: u32) -> Option<char> {
    let first = if number < 26 { u32::from('A') } else { u32::from('a') - 26 };
    char::from_u32(first + number)
}

/// A name as it is read; nothing if it has no such letters.
pub(super) fn as_read(name: &str) -> Option<String> {
    let deceives = !name.is_ascii() && name.chars().any(|char| latin(char).is_some());
    deceives.then(|| name.chars().map(|char| latin(char).unwrap_or(char)).collect())
}

/// The first character of a name that is taken for another, with the one that it is taken for.
pub(super) fn first(name: &str) -> Option<(char, char)> {
    name.chars().find_map(|char| Some((char, latin(char)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_people_do() {
        for (name, read) in [
            ("rеadPagе", Some("readPage")),
            ("ореnBrоwserPаge", Some("openBrowserPage")),
            ("ｒｕｎTests", Some("runTests")),
            ("𝐫𝗎𝘯Tests", Some("runTests")),
            ("Ꭱun", None),
            ("gpt-𝟝", Some("gpt-5")),
            ("readPage", None),
            ("größe", None),
            ("日本", None),
        ] {
            assert_eq!(as_read(name).as_deref(), read, "{name}");
        }
    }

    #[test]
    fn pairs_are_pairs() {
        assert_eq!(PAIRS.chars().count() % 2, 0);
        let seconds: String = PAIRS.chars().skip(1).step_by(2).filter(|char| !char.is_ascii()).collect();
        assert_eq!(seconds, "");
    }
}
