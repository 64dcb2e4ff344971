//! Allow- and deny-lists of tools, and which client tools they leave.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::tools::SearchNames;

/// What a bare `*` stands for.
const EVERYTHING: [&str; 3] = ["builtin:*", "mcp:*", "custom:*"];
const CUSTOM: &str = "custom:";

/// A list of patterns, each once, in written order. An empty one is a list too: no tools.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Filter<'a> {
    patterns: Vec<&'a str>,
    /// What client tools are compared with: the patterns, and what follows `custom:` in them.
    names: FxHashSet<&'a str>,
}

impl<'a> Filter<'a> {
    /// A list of non-empty strings, or one such string; one bad element spoils it all.
    pub(super) fn from_json(value: &'a Value) -> Option<Self> {
        let items = match value {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut patterns = Vec::new();
        for item in items {
            match item.as_str()? {
                "" => return None,
                "*" => patterns.extend(EVERYTHING),
                pattern => patterns.push(pattern),
            }
        }
        Some(Self::new(patterns))
    }

    fn new(mut patterns: Vec<&'a str>) -> Self {
        let mut names = FxHashSet::default();
        patterns.retain(|pattern| names.insert(*pattern));
        names.extend(patterns.iter().filter_map(|pattern| pattern.strip_prefix(CUSTOM)));
        Self { patterns, names }
    }

    /// Whether some pattern matches a client tool, by its name or by the runtime's name for it.
    pub(super) fn matches(&self, name: &str, runtime_name: Option<&str>) -> bool {
        // A bare `*` among the patterns has become others: this one is that of `custom:*`.
        [Some(name), runtime_name, Some("*")].into_iter().flatten().any(|name| self.names.contains(name))
    }

    /// The patterns as the runtime reads them: the tool-search tool under the runtime's name.
    pub(super) fn registered(&self, search: Option<SearchNames<'_>>) -> Vec<String> {
        let Some(search) = search else { return self.patterns.iter().copied().map(str::to_owned).collect() };
        let mut seen = FxHashSet::default();
        let patterns = self.patterns.iter().map(|pattern| renamed(pattern, search));
        patterns.filter(|pattern| seen.insert(pattern.clone())).map(Cow::into_owned).collect()
    }

    /// The patterns in written order.
    pub(super) fn patterns(&self) -> &[&'a str] {
        &self.patterns
    }
}

fn renamed<'p>(pattern: &'p str, search: SearchNames<'p>) -> Cow<'p, str> {
    match pattern.strip_prefix(CUSTOM) {
        _ if pattern == search.client => Cow::Borrowed(search.runtime),
        Some(name) if name == search.client => Cow::Owned(format!("{CUSTOM}{}", search.runtime)),
        Some(_) | None => Cow::Borrowed(pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_and_single_strings() {
        let read = |value: &Value| Filter::from_json(value).map(|filter| filter.patterns.join(" "));
        let rows = [
            (json!([]), Some("")),
            (json!("a"), Some("a")),
            (json!(["b", "a", "b"]), Some("b a")),
            (json!("*"), Some("builtin:* mcp:* custom:*")),
            (json!(["mcp:*", "*", "x", "*"]), Some("mcp:* builtin:* custom:* x")),
            (json!(""), None),
            (json!(["a", ""]), None),
            (json!(["a", 3]), None),
            (json!(["a", ["b"]]), None),
            (json!(5), None),
            (json!({"a": 1}), None),
        ];
        for (value, expected) in rows {
            assert_eq!(read(&value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn patterns_match_by_name_with_custom_or_all_custom() {
        let matches = |pattern: &'static str, runtime: Option<&str>| Filter::new(vec![pattern]).matches("a", runtime);
        for pattern in ["a", "custom:a", "custom:*"] {
            assert!(matches(pattern, None), "{pattern}");
        }
        for pattern in ["b", "builtin:a", "mcp:a", "builtin:*", "custom:", "a*", "A", "custom:custom:a"] {
            assert!(!matches(pattern, None), "{pattern}");
        }
        assert!(matches("r", Some("r")) && matches("custom:r", Some("r")) && matches("a", Some("r")));
        assert!(!Filter::new(Vec::new()).matches("a", None));
    }

    #[test]
    fn the_runtime_reads_its_own_name_once() {
        let search = SearchNames { client: "c", runtime: "r" };
        let filter = Filter::new(vec!["custom:c", "r", "x", "c", "custom:r", "mcp:c"]);
        assert_eq!(filter.registered(Some(search)), ["custom:r", "r", "x", "mcp:c"]);
        assert_eq!(filter.registered(None), filter.patterns);
    }
}
