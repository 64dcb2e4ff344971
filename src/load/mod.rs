//! The front end: text → spanned tree → document as written.

mod node;
pub mod yaml;

pub use node::{Entry, Node, Value};
