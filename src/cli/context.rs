//! The context of one resolution, from a file and from flags.

use std::path::{Path, PathBuf};

use super::output::{Failure, say};
use crate::context::Context;
use crate::interpret::setting_warnings;
use crate::launch::{self, Request};
use crate::load::{Document, Failed, ReadError, Schema, Value, read_text, validate, yaml};
use crate::rules::{Catalog, RuleSet};
use crate::source::{SourceFile, Sources};

/// The flags that make a context.
#[derive(Debug, clap::Args)]
pub(super) struct ContextArgs {
    /// A context file, YAML or JSON; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) context: Option<PathBuf>,
    /// A launch request in place of a context, YAML or JSON; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "context")]
    pub(super) request: Option<PathBuf>,
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

/// Contexts that differ in the model alone.
pub(super) type ByModel<'r> = Box<dyn Fn(&str) -> Context + 'r>;

impl ContextArgs {
    /// The context of the file, or the one that the launch request comes to, with the flags added to it. Tells on
    /// stderr what counts for nothing.
    pub(super) fn context(&self, rules: &RuleSet) -> Result<Context, Failure> {
        let mut context = match &self.request {
            Some(path) => self.requested(rules, read_request(path)?)?,
            None => self.described(&rules.catalog)?,
        };
        context.tool_search_active |= self.tool_search;
        Ok(context)
    }

    /// The same for any model: what the file and the flags say beside the model, under another id.
    pub(super) fn by_model<'r>(&self, rules: &'r RuleSet) -> Result<ByModel<'r>, Failure> {
        let tool_search = self.tool_search;
        let Some(path) = &self.request else {
            let context = self.context(rules)?;
            return Ok(Box::new(move |model| Context { model: Some(model.to_owned()), ..context.clone() }));
        };
        let mut request = read_request(path)?;
        self.add(&mut request.model, &mut request.settings, &mut request.workspaceless)?;
        request.client_tools.extend(self.tools.iter().map(|name| name.as_str().into()));
        Ok(Box::new(move |model| {
            let request = Request { model: Some(model.to_owned()), ..request.clone() };
            let (mut context, _) = launch::context(rules, &request);
            context.tool_search_active |= tool_search;
            context
        }))
    }

    fn described(&self, catalog: &Catalog) -> Result<Context, Failure> {
        let mut context = match &self.context {
            None => Context::default(),
            Some(path) => read(path)?,
        };
        self.add(&mut context.model, &mut context.settings, &mut context.workspaceless)?;
        context.client_tools.extend(self.tools.iter().cloned());
        for warning in setting_warnings(catalog, &context.settings) {
            say(&format!("warning: {}\n", warning.message));
        }
        Ok(context)
    }

    fn requested(&self, rules: &RuleSet, mut request: Request) -> Result<Context, Failure> {
        self.add(&mut request.model, &mut request.settings, &mut request.workspaceless)?;
        request.client_tools.extend(self.tools.iter().map(|name| name.as_str().into()));
        let (context, warnings) = launch::context(rules, &request);
        for warning in warnings {
            say(&format!("warning: {warning}\n"));
        }
        Ok(context)
    }

    fn add(
        &self,
        model: &mut Option<String>,
        settings: &mut serde_json::Map<String, serde_json::Value>,
        workspaceless: &mut bool,
    ) -> Result<(), Failure> {
        if let Some(named) = &self.model {
            if named.is_empty() {
                return Err(Failure::Input(
                    "the id of --model is empty; leave it out if the server chooses".to_owned(),
                ));
            }
            *model = Some(named.clone());
        }
        for setting in &self.settings {
            let (key, value) = parse_setting(setting)?;
            settings.insert(key, value);
        }
        *workspaceless |= self.workspaceless;
        Ok(())
    }
}

/// A launch request from a file, YAML or JSON.
pub(super) fn read_request(path: &Path) -> Result<Request, Failure> {
    let text = read_input(path)?;
    parse_request(&path.to_string_lossy(), text)
        .map_err(|failed| Failure::Invalid { what: format!("the launch request `{}`", path.display()), failed })
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

/// A launch request as written, checked against its schema.
pub(super) fn parse_request(name: &str, text: String) -> Result<Request, Box<Failed>> {
    let value = parse_document(Schema::Request, name, text)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Everything that is wrong with an input, in one line.
pub(super) fn faults(failed: &Failed) -> String {
    let messages: Vec<&str> = failed.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    messages.join("; ")
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
