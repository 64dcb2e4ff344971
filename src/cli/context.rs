//! The context of one resolution, from a file and from flags.

use std::path::{Path, PathBuf};

use super::output::{Failure, say};
use crate::context::Context;
use crate::interpret::setting_warnings;
use crate::load::{Document, Failed, ReadError, Schema, Value, read_text, validate, yaml};
use crate::rules::Catalog;
use crate::source::{SourceFile, Sources};

/// The flags that make a context.
#[derive(Debug, clap::Args)]
pub(super) struct ContextArgs {
    /// A context file, YAML or JSON; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) context: Option<PathBuf>,
    /// The model's id
    #[arg(long, value_name = "ID")]
    pub(super) model: Option<String>,
    /// A client tool that the session has; may be given many times
    #[arg(long = "tool", value_name = "NAME")]
    pub(super) tools: Vec<String>,
    /// A host setting; VALUE is a YAML scalar: true, 3, low, '"true"'; may be given many times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) settings: Vec<String>,
    /// Tools are deferred behind tool search
    #[arg(long)]
    pub(super) tool_search: bool,
    /// The session has no workspace folder
    #[arg(long)]
    pub(super) workspaceless: bool,
}

impl ContextArgs {
    /// The context of the file, with the flags added to it.
    pub(super) fn context(&self) -> Result<Context, Failure> {
        let mut context = match &self.context {
            None => Context::default(),
            Some(path) => read(path)?,
        };
        if let Some(model) = &self.model {
            if model.is_empty() {
                return Err(Failure::Input(
                    "the id of --model is empty; leave it out if the server chooses".to_owned(),
                ));
            }
            context.model = Some(model.clone());
        }
        context.client_tools.extend(self.tools.iter().cloned());
        for setting in &self.settings {
            let (key, value) = parse_setting(setting)?;
            context.settings.insert(key, value);
        }
        context.tool_search_active |= self.tool_search;
        context.workspaceless |= self.workspaceless;
        Ok(context)
    }
}

/// Tells of settings that count for nothing.
pub(super) fn warn(catalog: &Catalog, context: &Context) {
    for warning in setting_warnings(catalog, &context.settings) {
        say(&format!("warning: {}\n", warning.message));
    }
}

fn read(path: &Path) -> Result<Context, Failure> {
    let text = read_input(path)?;
    parse(&path.to_string_lossy(), text)
        .map_err(|failed| Failure::Invalid { what: format!("the context `{}`", path.display()), failed })
}

/// The text of a file, or of standard input for `-`.
pub(super) fn read_input(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        read_text(std::io::stdin().lock())
    } else {
        std::fs::File::open(path).map_err(ReadError::from).and_then(read_text)
    };
    text.map_err(|error| Failure::Unreadable { path: path.to_owned(), error })
}

/// A context as written, checked against its schema.
pub(super) fn parse(name: &str, text: String) -> Result<Context, Box<Failed>> {
    let value = parse_document(Schema::Context, name, text)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// A YAML or JSON document, checked against its schema.
pub(super) fn parse_document(schema: Schema, name: &str, text: String) -> Result<serde_json::Value, Box<Failed>> {
    let mut sources = Sources::default();
    let file = sources.add(SourceFile::new(name.into(), name.to_owned(), text));
    match yaml::parse(file, sources.file(file)) {
        Err(diagnostic) => Err(Box::new(Failed { sources, documents: Vec::new(), diagnostics: vec![diagnostic] })),
        Ok(mut root) => {
            let diagnostics = validate(schema, sources.whole(file), &mut root);
            if diagnostics.is_empty() {
                return Ok(root.to_json());
            }
            Err(Box::new(Failed { sources, documents: vec![Document { file, root }], diagnostics }))
        }
    }
}

fn parse_setting(setting: &str) -> Result<(String, serde_json::Value), Failure> {
    let Some((key, value)) = setting.split_once('=').filter(|(key, _)| !key.is_empty()) else {
        return Err(Failure::Input(format!("`--set {setting}` is not KEY=VALUE")));
    };
    let mut sources = Sources::default();
    let file = sources.add(SourceFile::new("--set".into(), "--set".to_owned(), value.to_owned()));
    match yaml::parse(file, sources.file(file)) {
        Ok(node) if !matches!(node.value, Value::Sequence(_) | Value::Mapping(_)) => {
            Ok((key.to_owned(), node.to_json()))
        }
        Ok(_) | Err(_) => Err(Failure::Input(format!(
            "the value of `--set {setting}` is not a YAML scalar; quote a string: --set '{key}=\"…\"'"
        ))),
    }
}
