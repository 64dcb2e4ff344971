//! stub
use super::{Entry, Node, Value};
use crate::{diagnostic::*, source::*};
pub(crate) fn parse(file: FileId, source: &SourceFile) -> Result<Node, Diagnostic> {
    let v: serde_json::Value = serde_json::from_str(source.text())
        .map_err(|e| Diagnostic::new(Code::YamlSyntax, Span::new(file, 0, 0), e.to_string()))?;
    Ok(conv(file, &v))
}
fn conv(f: FileId, v: &serde_json::Value) -> Node {
    let value = match v {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(b) => Value::Bool(*b),
        serde_json::Value::Number(n) => Value::Number(n.clone()),
        serde_json::Value::String(s) => Value::String(s.clone()),
        serde_json::Value::Array(a) => Value::Sequence(a.iter().map(|x| conv(f, x)).collect()),
        serde_json::Value::Object(o) => Value::Mapping(
            o.iter().map(|(k, x)| Entry { key: k.clone(), key_span: Span::new(f, 0, 1), value: conv(f, x) }).collect(),
        ),
    };
    Node::new(Span::new(f, 0, 1), value)
}
pub(crate) fn within(_s: &Sources, scalar: Span, _v: &str, _r: std::ops::Range<usize>) -> Span {
    scalar
}
