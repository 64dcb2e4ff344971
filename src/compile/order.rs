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

/// How much of a circle is shown.
const MOST_SHOWN: usize = 8;

/// A name and the place that refers to it.
pub(super) type Reference<'a> = (&'a str, Span);

/// Puts names behind everything that they refer to. A reference that closes a cycle, or that
/// makes a chain too long or its sum too large, is reported with `code`; what stands on it is left out.
///
/// References to undeclared names are not this stage's business.
pub(super) fn in_order<'a>(
    references: &Declared<'a, Vec<Reference<'a>>>,
    kind: Kind,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'a str> {
    let (sizes, open) = (FxHashMap::default(), FxHashMap::default());
    let mut walk = Walk { references, kind, diagnostics, sizes, open, order: Vec::new() };
    references.keys().for_each(|name| walk.visit(name));
    walk.order
}

/// What refers to each other.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Contributor,
    ModelGroup,
    Text,
}

impl Kind {
    fn code(self) -> Code {
        match self {
            Self::Contributor => Code::ExtendsCycle,
            Self::ModelGroup => Code::GroupCycle,
            Self::Text => Code::TextCycle,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Self::Contributor => "contributor",
            Self::ModelGroup => "model group",
            Self::Text => "shared text",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Contributor => "extend",
            Self::ModelGroup | Self::Text => "use",
        }
    }
}

struct Walk<'w, 'a> {
    references: &'w Declared<'a, Vec<Reference<'a>>>,
    kind: Kind,
    diagnostics: &'w mut Vec<Diagnostic>,
    /// Of finished names; nothing where the name is in a fault.
    sizes: FxHashMap<&'a str, Option<Size>>,
    /// Names under way, with their places on the path.
    open: FxHashMap<&'a str, usize>,
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
    /// The next of its references.
    next: usize,
    size: Option<Size>,
    /// The first step of a circle that this one is in.
    circle: Option<usize>,
}

impl<'a> Walk<'_, 'a> {
    /// Depth first, on a stack of our own: input decides how deep.
    fn visit(&mut self, start: &'a str) {
        if self.sizes.contains_key(start) {
            return;
        }
        let mut path = Vec::new();
        self.begin(&mut path, start);
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
            } else if let Some(first) = self.open.get(target).copied() {
                step.circle = Some(step.circle.map_or(first, |other| other.min(first)));
                self.report_circle(&path, first, at);
            } else {
                self.begin(&mut path, target);
            }
        }
    }

    fn begin(&mut self, path: &mut Vec<Step<'a>>, name: &'a str) {
        self.open.insert(name, path.len());
        path.push(Step { name, next: 0, size: LEAF, circle: None });
    }

    fn finish(&mut self, path: &mut Vec<Step<'a>>) {
        let Some(done) = path.pop() else { return };
        let size = done.size.filter(|_| done.circle.is_none());
        self.open.remove(done.name);
        self.sizes.insert(done.name, size);
        if size.is_some() {
            self.order.push(done.name);
        }
        if let Some(step) = path.last_mut() {
            // The reference that led here is looked at again, now that its size is known.
            step.next -= 1;
            // A circle that began before this step goes through the one before it as well.
            let around = done.circle.filter(|first| *first < self.open.len());
            step.circle = step.circle.into_iter().chain(around).min();
        }
    }

    fn sum(&mut self, own: Option<Size>, below: Option<Size>, at: Span) -> Option<Size> {
        let (own, below) = (own?, below?);
        let depth = own.depth.max(below.depth + 1);
        let parts = own.parts + below.parts;
        let (noun, verb) = (self.kind.noun(), self.kind.verb());
        let message = if depth > LONGEST_CHAIN {
            format!("more than {LONGEST_CHAIN} {noun}s {verb} each other in a row")
        } else if parts > MOST_PARTS {
            format!("the {noun}s come to more than {MOST_PARTS} parts once every reference is followed")
        } else {
            return Some(Size { depth, parts });
        };
        self.diagnostics.push(Diagnostic::new(self.kind.code(), at, message));
        None
    }

    fn report_circle(&mut self, path: &[Step<'a>], first: usize, at: Span) {
        let (noun, verb) = (self.kind.noun(), self.kind.verb());
        let circle = path.get(first..).unwrap_or_default();
        let names = circle.iter().take(MOST_SHOWN).map(|open| open.name);
        let rest = (circle.len() > MOST_SHOWN).then_some("…");
        let target = circle.first().map_or("", |open| open.name);
        let message = match circle {
            [_] => format!("the {noun} `{target}` {verb}s itself"),
            _ => format!("{noun}s {verb} each other in a circle: {}", way(names.chain(rest).chain([target]))),
        };
        let mut diagnostic = Diagnostic::new(self.kind.code(), at, message);
        for open in circle.iter().take(MOST_SHOWN) {
            let reference = self.references.get(open.name).and_then(|references| references.get(open.next - 1));
            if let Some((next, place)) = reference.filter(|(_, place)| *place != at) {
                diagnostic = diagnostic.related(*place, format!("`{}` {verb}s `{next}`", open.name));
            }
        }
        self.diagnostics.push(diagnostic);
    }
}

fn way<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| if name == "…" { name.to_owned() } else { format!("`{name}`") }).collect::<Vec<_>>().join(" → ")
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
        let order = in_order(&references, Kind::Text, &mut diagnostics);
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
            ["shared texts use each other in a circle: `b` → `c` → `b`", "the shared text `e` uses itself"]
        );
    }

    #[test]
    fn circles_in_circles_are_left_out_as_a_whole() {
        let (order, messages) = ordered(&[
            ("a", &["b"]),
            ("b", &["c", "e"]),
            ("c", &["d"]),
            ("d", &["c", "a"]),
            ("e", &[]),
            ("f", &["d", "e"]),
        ]);
        assert_eq!(order, ["e"]);
        assert_eq!(messages.len(), 2, "{messages:?}");
    }

    #[test]
    fn doubling_again_and_again_ends_in_an_error() {
        let names: Vec<&'static str> = vec!["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"];
        let doubled: Vec<(&str, Vec<&str>)> =
            names.windows(2).map(|pair| (pair[0], vec![pair[1]; 2])).chain([("o", vec![])]).collect();
        let doubled: Vec<(&str, &[&str])> = doubled.iter().map(|(name, to)| (*name, to.as_slice())).collect();
        let (order, messages) = ordered(&doubled);
        assert_eq!(order.last(), Some(&"c"));
        assert_eq!(messages, ["the shared texts come to more than 10000 parts once every reference is followed"]);
    }
}
