use crate::source::{SourceFile, Sources};

#[test]
fn explore() {
    let Ok(path) = std::env::var("YCASES") else { return };
    for case in std::fs::read_to_string(path).unwrap().split("=====\n") {
        let mut sources = Sources::default();
        let id = sources.add(SourceFile::new("a".into(), "a".into(), case.to_owned()));
        println!("-------- {case:?}");
        match super::parse(id, sources.file(id)) {
            Ok(node) => {
                println!("   {}", node.to_json());
                if std::env::var("SPANS").is_ok() {
                    spans(&sources, &node);
                }
            }
            Err(d) => {
                let p = sources.start(d.span);
                println!(
                    "   {} {}:{} {:?} {} | {:?} {:?}",
                    d.code.as_str(),
                    p.line,
                    p.column,
                    sources.text(d.span),
                    d.message,
                    d.help,
                    d.fix.map(|f| f.edits.into_iter().map(|e| e.replacement).collect::<Vec<_>>())
                );
            }
        }
    }
}
fn spans(sources: &Sources, node: &crate::load::Node) {
    println!("      {:?}..{:?} {:?}", node.span.start, node.span.end, sources.text(node.span));
    for e in node.entries() {
        println!("      key {:?}", sources.text(e.key_span));
        spans(sources, &e.value);
    }
    for e in node.items() {
        spans(sources, e);
    }
}
