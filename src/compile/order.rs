//! The order in which things that refer to each other can be compiled.

use rustc_hash::FxHashMap;

use super::names::Declared;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// How long a chain of references may be. Nobody needs more, and every later walk along a
/// chain may recurse.
pub(super) const LONGEST_CHAIN: usize = 32;

/// A name and the place that refers to it.
pub(super) type Reference<'a> = (&'a str, Span);

/// Puts names behind everything that they refer to. A reference that closes a cycle, or that
/// makes a chain too long, is reported with `code`; what stands on it is left out.
///
/// References to undeclared names are not this stage's business.
pub(super) fn in_order<'a>(
    references: &Declared<'a, Vec<Reference<'a>>>,
    what: &str,
    code: Code,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'a str> {
    let mut walk = Walk { references, what, code, diagnostics, depths: FxHashMap::default(), order: Vec::new() };
    references.keys().for_each(|name| walk.visit(name));
    walk.order
}

struct Walk<'w, 'a> {
    references: &'w Declared<'a, Vec<Reference<'a>>>,
    what: &'w str,
    code: Code,
    diagnostics: &'w mut Vec<Diagnostic>,
    /// The longest chain that begins at a finished name; nothing where the name is in a fault.
    depths: FxHashMap<&'a str, Option<usize>>,
    order: Vec<&'a str>,
}

/// A name under way.
struct Step<'a> {
    name: &'a str,
    next: usize,
    depth: Option<usize>,
}

impl<'a> Walk<'_, 'a> {
    /// Depth first, on a stack of our own: input decides how deep.
    fn visit(&mut self, start: &'a str) {
        if self.depths.contains_key(start) {
            return;
        }
        let mut path = vec![Step { name: start, next: 0, depth: Some(1) }];
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
            if let Some(depth) = self.depths.get(target).copied() {
                step.depth = self.deeper(step.depth, depth, at);
            } else if path.iter().any(|open| open.name == target) {
                self.close(&mut path, target, at);
            } else {
                path.push(Step { name: target, next: 0, depth: Some(1) });
            }
        }
    }

    fn finish(&mut self, path: &mut Vec<Step<'a>>) {
        let Some(done) = path.pop() else { return };
        self.depths.insert(done.name, done.depth);
        if done.depth.is_some() {
            self.order.push(done.name);
        }
        // The reference that led here is looked at again, now that its depth is known.
        if let Some(step) = path.last_mut() {
            step.next -= 1;
        }
    }

    fn deeper(&mut self, own: Option<usize>, below: Option<usize>, at: Span) -> Option<usize> {
        let depth = own?.max(below? + 1);
        if depth > LONGEST_CHAIN {
            let message = format!("more than {LONGEST_CHAIN} {}s refer to each other in a row", self.what);
            self.diagnostics.push(Diagnostic::new(self.code, at, message));
            return None;
        }
        Some(depth)
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
            open.depth = None;
        }
        if let Some(last) = path.last_mut() {
            last.depth = None;
        }
    }
}
