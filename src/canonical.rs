//! Canonical JSON and its fingerprint: the same bytes for equal values, in any key order, on
//! every machine.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::interpret::decimal;

/// Appends a value: keys sorted, no blanks, numbers by value (`1.0` is `1`).
pub(crate) fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null | Value::Bool(_) => plain(value, out),
        Value::Number(number) => out.extend_from_slice(decimal(number).as_bytes()),
        Value::String(text) => string(text, out),
        Value::Array(items) => list(items, out, write),
        Value::Object(map) => object(map, out),
    }
}

/// Appends a string with its quotes.
pub(crate) fn string(text: &str, out: &mut Vec<u8>) {
    plain(text, out);
}

/// Appends a list whose items write themselves.
pub(crate) fn list<T>(items: impl IntoIterator<Item = T>, out: &mut Vec<u8>, mut item: impl FnMut(T, &mut Vec<u8>)) {
    out.push(b'[');
    for (at, value) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        item(value, out);
    }
    out.push(b']');
}

/// The first 64 bits of the SHA-256 of some bytes.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    Sha256::digest(bytes).iter().take(8).fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

/// The canonical form of a value on its own.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, &mut out);
    out
}

fn object(map: &Map<String, Value>, out: &mut Vec<u8>) {
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    out.push(b'{');
    for (at, (key, value)) in entries.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        string(key, out);
        out.push(b':');
        write(value, out);
    }
    out.push(b'}');
}

fn plain(value: &(impl serde::Serialize + ?Sized), out: &mut Vec<u8>) {
    // Scalars always have a JSON form, and memory takes it.
    let _infallible = serde_json::to_writer(out, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        String::from_utf8(bytes(&serde_json::from_str(text).unwrap())).unwrap()
    }

    #[test]
    fn keys_are_sorted_and_numbers_count_by_value() {
        let text = r#"{ "b": [1.0, -0.0, 1e2, 0.5], "a": {"é": null, "e": "\u00e9\n"}, "": true }"#;
        assert_eq!(canonical(text), "{\"\":true,\"a\":{\"e\":\"é\\n\",\"é\":null},\"b\":[1,0,100,0.5]}");
    }

    #[test]
    fn the_fingerprint_is_that_of_sha_256() {
        assert_eq!(fingerprint(b"abc"), 0xba78_16bf_8f01_cfea);
    }
}
