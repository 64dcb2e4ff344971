//! The order in which things that refer to each other can be compiled.

use rustc_hash::FxHashMap;

use super::names::Declared;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// How long a chain of references may be. Nobody needs more, and every later walk along a
/// chain may recurse.
const LONGEST_CHAIN: usize = 32;

/// How many parts a thing may come to once every reference is followed. Names that use others
/// twice, again and again, would otherwise come to more than any memory holds.
const MOST_PARTS: usize = 10_000;

/// A name and the place that refers to it.
pub(super) type Reference<'a> = (&'a str, Span);

/// Puts names behind everything that they refer to. A reference that closes a cycle, or that
/// makes a chain too long or its sum too large, is reported with `code`; what stands on it is left out.
///
/// References to undeclared names are not this stage's business.
pub(super) fn in_order<'a>(
    references: &Declared<'a, Vec<Reference<'a>>>,
    what: &str,
    code: Code,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'a str> {
    let mut walk = Walk { references, what, code, diagnostics, sizes: FxHashMap::default(), order: Vec::new() };
    references.keys().for_each(|name| walk.visit(name));
    walk.order
}

struct Walk<'w, 'a> {
    references: &'w Declared<'a, Vec<Reference<'a>>>,
    what: &'w str,
    code: Code,
    diagnostics: &'w mut Vec<Diagnostic>,
    /// Of finished names; nothing where the name is in a fault.
    sizes: FxHashMap<&'a str, Option<Size>>,
    order: Vec<&'a str>,
}

/// What a name comes to once every reference is followed.
#[derive(Clone, Copy)]
struct Size {
    /// The longest chain that begins here.
    depth: usize,
    parts: usize,
}

const LEAF: Option<Size> = Some(Size { depth: 1, parts: 1 });

/// A name under way.
struct Step<'a> {
    name: &'a str,
    next: usize,
    size: Option<Size>,
}

impl<'a> Walk<'_, 'a> {
    /// Depth first, on a stack of our own: input decides how deep.
    fn visit(&mut self, start: &'a str) {
        if self.sizes.contains_key(start) {
            return;
        }
        let mut path = vec![Step { name: start, next: 0, size: LEAF }];
        while let Some(step) = path.last_mut() {
            let reference = self.references.get(step.name).and_then(|references| references.get(step.next));
            let Some((target, at)) = reference.copied() else {
                self.finish(&mut path);
                continue;
            };
            step.next += 1;
            if !self.references.contains_key(target) {
                continue;
            }
            if let Some(size) = self.sizes.get(target).copied() {
                step.size = self.sum(step.size, size, at);
            } else if path.iter().any(|open| open.name == target) {
                self.close(&mut path, target, at);
            } else {
                path.push(Step { name: target, next: 0, size: LEAF });
            }
        }
    }

    fn finish(&mut self, path: &mut Vec<Step<'a>>) {
        let Some(done) = path.pop() else { return };
        self.sizes.insert(done.name, done.size);
        if done.size.is_some() {
            self.order.push(done.name);
        }
        // The reference that led here is looked at again, now that its size is known.
        if let Some(step) = path.last_mut() {
            step.next -= 1;
        }
    }

    fn sum(&mut self, own: Option<Size>, below: Option<Size>, at: Span) -> Option<Size> {
        let (own, below) = (own?, below?);
        let depth = own.depth.max(below.depth + 1);
        let parts = own.parts + below.parts;
        let what = self.what;
        let message = if depth > LONGEST_CHAIN {
            format!("more than {LONGEST_CHAIN} {what}s refer to each other in a row")
        } else if parts > MOST_PARTS {
            format!("the {what}s come to more than {MOST_PARTS} parts once every reference is followed")
        } else {
            return Some(Size { depth, parts });
        };
        self.diagnostics.push(Diagnostic::new(self.code, at, message));
        None
    }

    fn close(&mut self, path: &mut [Step<'a>], target: &'a str, at: Span) {
        let what = self.what;
        let cycle: Vec<&str> = path.iter().skip_while(|open| open.name != target).map(|open| open.name).collect();
        let message = match cycle.as_slice() {
            [_] => format!("the {what} `{target}` refers to itself"),
            _ => format!("{what}s refer to each other in a circle: `{}` → `{target}`", cycle.join("` → `")),
        };
        self.diagnostics.push(Diagnostic::new(self.code, at, message));
        for open in path.iter_mut().skip_while(|open| open.name != target) {
            open.size = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, Sources};

    /// Names with what they refer to → the order, and the messages.
    fn ordered(names: &[(&'static str, &[&'static str])]) -> (Vec<&'static str>, Vec<String>) {
        let file = Sources::default().add(SourceFile::new("a".into(), "a".into(), String::new()));
        let span = Span::new(file, 0, 0);
        let references = names.iter().map(|(name, to)| (*name, to.iter().map(|to| (*to, span)).collect())).collect();
        let mut diagnostics = Vec::new();
        let order = in_order(&references, "text", Code::TextCycle, &mut diagnostics);
        (order, diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect())
    }

    #[test]
    fn names_come_behind_what_they_refer_to() {
        let (order, messages) = ordered(&[("a", &["c", "b"]), ("b", &["c", "unknown"]), ("c", &[])]);
        assert_eq!(order, ["c", "b", "a"]);
        assert!(messages.is_empty());
    }

    #[test]
    fn a_cycle_is_told_once_and_leaves_the_rest() {
        let (order, messages) = ordered(&[("a", &["b"]), ("b", &["c"]), ("c", &["b", "d"]), ("d", &[]), ("e", &["e"])]);
        assert_eq!(order, ["d"]);
        assert_eq!(
            messages,
            ["texts refer to each other in a circle: `b` → `c` → `b`", "the text `e` refers to itself"]
        );
    }

    #[test]
    fn doubling_again_and_again_ends_in_an_error() {
        let names: Vec<&'static str> = vec!["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"];
        let doubled: Vec<(&str, Vec<&str>)> =
            names.windows(2).map(|pair| (pair[0], vec![pair[1]; 2])).chain([("o", vec![])]).collect();
        let doubled: Vec<(&str, &[&str])> = doubled.iter().map(|(name, to)| (*name, to.as_slice())).collect();
        let (order, messages) = ordered(&doubled);
        assert_eq!(order.last(), Some(&"c"));
        assert_eq!(messages, ["the texts come to more than 10000 parts once every reference is followed"]);
    }
}
