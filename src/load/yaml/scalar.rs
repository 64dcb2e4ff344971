//! What a plain scalar means: the core schema of YAML 1.2 (section 10.3.2).
//!
//! `no`, `on`, dates and `0b11` are strings, `017` is seventeen, `0o17` is fifteen.

use std::borrow::Cow;

use serde_json::Number;

use crate::load::node::Value;

/// A number that YAML has and that a rule file cannot hold: `.inf`, `.nan`, or beyond 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unfit;

/// The value of a plain scalar.
pub(super) fn resolve(text: Cow<'_, str>) -> Result<Value, Unfit> {
    if let Some(word) = word(&text) {
        return Ok(word);
    }
    let numeric = text.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    if numeric && let Some(number) = number(&text)? {
        return Ok(Value::Number(number));
    }
    Ok(Value::String(text.into_owned()))
}

fn word(text: &str) -> Option<Value> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}

fn number(text: &str) -> Result<Option<Number>, Unfit> {
    if let Some(octal) = text.strip_prefix("0o") {
        return radix(octal, 8);
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return radix(hexadecimal, 16);
    }
    match text.strip_prefix(['+', '-']).unwrap_or(text) {
        ".inf" | ".Inf" | ".INF" => return Err(Unfit),
        unsigned if is_decimal(unsigned) => return decimal(text).map(Some),
        unsigned if is_float(unsigned) => return float(text).map(Some),
        _ => {}
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") { Err(Unfit) } else { Ok(None) }
}

fn radix(digits: &str, radix: u32) -> Result<Option<Number>, Unfit> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Ok(None);
    }
    u64::from_str_radix(digits, radix).map(|value| Some(value.into())).map_err(|_| Unfit)
}

fn is_decimal(unsigned: &str) -> bool {
    !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit())
}

fn decimal(text: &str) -> Result<Number, Unfit> {
    if let Ok(value) = text.parse::<i64>() {
        return Ok(value.into());
    }
    text.parse::<u64>().map(Number::from).map_err(|_| Unfit)
}

/// `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
fn is_float(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let whole = match mantissa.split_once('.') {
        Some(("", fraction)) => is_decimal(fraction),
        Some((integer, fraction)) => is_decimal(integer) && (fraction.is_empty() || is_decimal(fraction)),
        None => is_decimal(mantissa),
    };
    whole && exponent.is_none_or(|digits| is_decimal(digits.strip_prefix(['+', '-']).unwrap_or(digits)))
}

fn float(text: &str) -> Result<Number, Unfit> {
    text.parse::<f64>().ok().and_then(Number::from_f64).ok_or(Unfit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> serde_json::Value {
        match resolve(text.into()).unwrap() {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => value.into(),
            Value::Number(value) => value.into(),
            Value::String(value) => value.into(),
            Value::Sequence(_) | Value::Mapping(_) => panic!("a scalar is no collection"),
        }
    }

    #[test]
    fn words() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(json(text), serde_json::Value::Null, "{text}");
        }
        for text in ["true", "True", "TRUE"] {
            assert_eq!(json(text), true, "{text}");
        }
        for text in ["false", "False", "FALSE"] {
            assert_eq!(json(text), false, "{text}");
        }
    }

    #[test]
    fn strings() {
        let strings = [
            "no",
            "on",
            "off",
            "yes",
            "y",
            "nULL",
            "tRUE",
            "2024-01-02",
            "12:30",
            "0b11",
            "0o",
            "0x",
            "0o8",
            "0xg",
            "+0o7",
            "-0x1",
            "1_000",
            "1e",
            "e1",
            ".",
            "+",
            "-",
            "--1",
            "+.e1",
            "1.2.3",
            ".e1",
            "1e+",
            "1e1.5",
            "+.nan",
            ".iNF",
            "..inf",
            "١",
            "0x1F ",
            "1,000",
            "-a",
            ".a",
            "NaN",
            "inf",
            "Infinity",
            "<<",
        ];
        for text in strings {
            assert_eq!(json(text), text, "{text}");
        }
    }

    #[test]
    fn numbers() {
        let integers = [
            ("0", 0),
            ("-0", 0),
            ("017", 17),
            ("0o17", 15),
            ("0x1F", 31),
            ("0x1f", 31),
            ("+12", 12),
            ("-12", -12),
            ("-9223372036854775808", i64::MIN),
        ];
        for (text, value) in integers {
            assert_eq!(json(text), value, "{text}");
        }
        assert_eq!(json("18446744073709551615"), u64::MAX);
        assert_eq!(json("0xFFFFFFFFFFFFFFFF"), u64::MAX);
        let floats =
            [("1e3", 1000.0), ("1.", 1.0), (".5", 0.5), ("-.5", -0.5), ("+1.5E-1", 0.15), ("0e0", 0.0), ("5.4", 5.4)];
        for (text, value) in floats {
            assert_eq!(json(text), value, "{text}");
        }
    }

    #[test]
    fn numbers_that_json_lacks() {
        for text in [".inf", "-.INF", "+.Inf", "1e400", "-1e999"] {
            assert_eq!(resolve(text.into()).unwrap_err(), Unfit, "{text}");
        }
        for text in [".nan", ".NaN", ".NAN"] {
            assert_eq!(resolve(text.into()).unwrap_err(), Unfit, "{text}");
        }
        for text in ["18446744073709551616", "-9223372036854775809", "0x10000000000000000"] {
            assert_eq!(resolve(text.into()).unwrap_err(), Unfit, "{text}");
        }
    }
}
