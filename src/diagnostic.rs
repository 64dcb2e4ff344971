//! What the program has to say about rule files: codes, severities, labelled places and edits.
//!
//! Every stage adds [`Diagnostic`]s to a list; only the reports turn them into text.

use sha2::{Digest, Sha256};

use crate::source::{Sources, Span};

/// How bad a diagnostic is. The order is worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something cannot work.
    Error,
    /// Something very likely is not what was meant.
    Warning,
    /// Something worth knowing.
    Info,
}

impl Severity {
    /// The word that people and machines read.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Whether a code speaks of rules that do not load, or of rules that do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// There is no rule set; every command refuses.
    LoadError,
    /// An analysis of a rule set that loaded.
    Finding,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $class:ident, $severity:ident;)*) => {
        /// The stable name of a kind of diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// All codes: load errors in the order of the stages, then findings.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable kebab-case name.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The page of documentation: what it means, a bad and a good example. Markdown.
            #[must_use]
            pub fn page(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("lint/pages/", $name, ".md")),)* }
            }

            /// Load error or finding.
            #[must_use]
            pub fn class(self) -> Class {
                match self { $(Self::$variant => Class::$class,)* }
            }

            /// The severity unless a rule set or the command line says otherwise.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// Not YAML.
    YamlSyntax = "yaml-syntax", LoadError, Error;
    /// YAML outside the profile that rule files keep to.
    YamlUnsupported = "yaml-unsupported", LoadError, Error;
    /// A key twice in one mapping.
    DuplicateKey = "duplicate-key", LoadError, Error;
    /// A key that the schema does not have.
    UnknownKey = "unknown-key", LoadError, Error;
    /// A value of another type.
    WrongType = "wrong-type", LoadError, Error;
    /// A key that has to be there.
    MissingKey = "missing-key", LoadError, Error;
    /// A value of the right type that is not allowed.
    InvalidValue = "invalid-value", LoadError, Error;
    /// No such section.
    UnknownSection = "unknown-section", LoadError, Error;
    /// No such action.
    UnknownAction = "unknown-action", LoadError, Error;
    /// A version of the rule language that this program does not read.
    UnsupportedVersion = "unsupported-version", LoadError, Error;
    /// An included file is not there.
    IncludeNotFound = "include-not-found", LoadError, Error;
    /// Files include each other.
    IncludeCycle = "include-cycle", LoadError, Error;
    /// An included file lies outside the root file's folder.
    IncludeEscapes = "include-escapes", LoadError, Error;
    /// A file is included a second time.
    IncludeTwice = "include-twice", LoadError, Error;
    /// Two rules with the same id.
    DuplicateId = "duplicate-id", LoadError, Error;
    /// A name declared twice.
    DuplicateName = "duplicate-name", LoadError, Error;
    /// No file has a `base`.
    MissingBase = "missing-base", LoadError, Error;
    /// Two files have a `base`.
    DuplicateBase = "duplicate-base", LoadError, Error;
    /// Two files have a `tool_search`.
    DuplicateToolSearch = "duplicate-tool-search", LoadError, Error;
    /// No such contributor.
    UnknownContributor = "unknown-contributor", LoadError, Error;
    /// Contributors extend each other.
    ExtendsCycle = "extends-cycle", LoadError, Error;
    /// No such tool group.
    UnknownToolGroup = "unknown-tool-group", LoadError, Error;
    /// No such setting.
    UnknownSetting = "unknown-setting", LoadError, Error;
    /// No such model group.
    UnknownModelGroup = "unknown-model-group", LoadError, Error;
    /// No such shared text.
    UnknownText = "unknown-text", LoadError, Error;
    /// Model groups use each other.
    GroupCycle = "group-cycle", LoadError, Error;
    /// Shared texts use each other.
    TextCycle = "text-cycle", LoadError, Error;
    /// A setting is given a value that its catalog entry does not allow.
    SettingTypeMismatch = "setting-type-mismatch", LoadError, Error;
    /// A binding takes a setting of free text.
    FreeTextSetting = "free-text-setting", LoadError, Error;
    /// A pattern that is no regular expression.
    InvalidRegex = "invalid-regex", LoadError, Error;
    /// A text uses a name that the rule does not bind.
    UndefinedVariable = "undefined-variable", LoadError, Error;
    /// A `{{` that nothing closes.
    UnclosedVariable = "unclosed-variable", LoadError, Error;
    /// A line or block that begins or ends with a newline.
    SurroundingNewline = "surrounding-newline", LoadError, Error;

    /// A gate, binding or list names a tool that is not a client tool.
    UnknownClientTool = "unknown-client-tool", Finding, Error;
    /// No context satisfies the gate.
    GateNeverHolds = "gate-never-holds", Finding, Error;
    /// Every context satisfies the gate.
    GateAlwaysHolds = "gate-always-holds", Finding, Warning;
    /// Earlier contributors take every id.
    ContributorShadowed = "contributor-shadowed", Finding, Error;
    /// A family prefix is never reached.
    FamilyShadowed = "family-shadowed", Finding, Warning;
    /// An earlier override always wins.
    OverrideUnreachable = "override-unreachable", Finding, Warning;
    /// No id satisfies a matcher or one of its alternatives.
    MatcherNeverMatches = "matcher-never-matches", Finding, Error;
    /// A later predicate takes ids of an earlier family.
    PredicateJumpsOrder = "predicate-jumps-order", Finding, Info;
    /// A contributor takes no model of the catalog.
    MatchesNoKnownModel = "matches-no-known-model", Finding, Warning;
    /// A catalog model is missed by its spelling only.
    NearMissModel = "near-miss-model", Finding, Info;
    /// A full prompt drops the foundation and its guardrails.
    FullPromptDropsGuardrails = "full-prompt-drops-guardrails", Finding, Warning;
    /// The safety section is replaced, removed or transformed.
    SafetySectionChanged = "safety-section-changed", Finding, Warning;
    /// Universal lines do not arrive.
    UniversalLinesDropped = "universal-lines-dropped", Finding, Warning;
    /// The runtime discards an override.
    SectionMasked = "section-masked", Finding, Warning;
    /// Appended text runs on from the foundation's last word.
    MissingLeadingNewline = "missing-leading-newline", Finding, Warning;
    /// Prepended text runs into the foundation's first word.
    MissingTrailingNewline = "missing-trailing-newline", Finding, Warning;
    /// A newline that the composition adds as well.
    DoubledNewline = "doubled-newline", Finding, Info;
    /// Text that ends with a newline.
    TrailingNewline = "trailing-newline", Finding, Info;
    /// YAML took the rest of the text for a comment.
    CommentInText = "comment-in-text", Finding, Warning;
    /// A text names a tool that may not be there.
    UngatedToolMention = "ungated-tool-mention", Finding, Warning;
    /// A text that contributes nothing.
    EmptyText = "empty-text", Finding, Warning;
    /// A contributor that contributes nothing.
    EmptyContributor = "empty-contributor", Finding, Warning;
    /// Two rules say the same together.
    DuplicateText = "duplicate-text", Finding, Warning;
    /// An invisible character.
    HiddenCharacter = "hidden-character", Finding, Error;
    /// A binding that no text uses.
    UnusedBinding = "unused-binding", Finding, Warning;
    /// A tool group that nothing uses.
    UnusedToolGroup = "unused-tool-group", Finding, Warning;
    /// An `allow` that silences nothing.
    UnusedAllow = "unused-allow", Finding, Warning;
    /// A rule file that nothing includes.
    FileNotIncluded = "file-not-included", Finding, Warning;
    /// A failing `when` does not give way to the next contributor.
    WhenDoesNotFallThrough = "when-does-not-fall-through", Finding, Warning;
    /// A dot in a model regex that takes any character.
    RegexUnescapedDot = "regex-unescaped-dot", Finding, Warning;
    /// A matcher that is no restriction.
    MatcherAcceptsEverything = "matcher-accepts-everything", Finding, Warning;
    /// A prefix that ends inside a number.
    FamilyNotOnBoundary = "family-not-on-boundary", Finding, Info;
    /// Braces that nothing fills.
    PlaceholderWithoutBind = "placeholder-without-bind", Finding, Info;
    /// A name with letters of another script.
    ConfusableName = "confusable-name", Finding, Error;
    /// A credential in a text.
    SecretInText = "secret-in-text", Finding, Error;
    /// Text that changes between machines or days.
    VolatileText = "volatile-text", Finding, Info;
    /// A contributor without a description.
    MissingDescription = "missing-description", Finding, Info;
    /// A policy that does not hold.
    PolicyViolated = "policy-violated", Finding, Error;
    /// A question that ended at a limit.
    AnalysisUndecided = "analysis-undecided", Finding, Info;
}

impl std::str::FromStr for Code {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name).ok_or(())
    }
}

/// A second place that matters, with what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What the place is, in a few words.
    pub text: String,
}

/// One replacement of text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
}

/// A suggested edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edit does, as an order: `quote it`.
    pub title: String,
    /// The edits, in file order, not overlapping.
    pub edits: Vec<Edit>,
    /// Whether `check --fix` may apply it: it changes no result except in white space, or
    /// mends what could not load.
    pub safe: bool,
}

/// One thing the program has to say.
///
/// Wording: lower-case, one sentence, no full stop, user text in backticks; says what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind.
    pub code: Code,
    /// How bad, after levels.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The offending key or value itself.
    pub span: Span,
    /// A few words at the primary place, where they help.
    pub label: Option<String>,
    /// Second places.
    pub related: Vec<Label>,
    /// What to do about it.
    pub help: Vec<String>,
    /// The id of the rule that it is about.
    pub rule: Option<String>,
    /// A suggested edit.
    pub fix: Option<Fix>,
    /// A context that shows it.
    pub witness: Option<crate::context::Context>,
}

impl Diagnostic {
    /// A diagnostic with the severity of its code.
    #[must_use]
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: one_line(message.into()),
            span,
            label: None,
            related: Vec::new(),
            help: Vec::new(),
            rule: None,
            fix: None,
            witness: None,
        }
    }

    /// Words at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// A second place.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label { span, text: one_line(text.into()) });
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(one_line(text.into()));
        self
    }

    /// The rule that it is about.
    #[must_use]
    pub fn rule(mut self, id: impl Into<String>) -> Self {
        self.rule = Some(id.into());
        self
    }

    /// A suggested edit.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// A context that shows it.
    #[must_use]
    pub fn witness(mut self, context: crate::context::Context) -> Self {
        self.witness = Some(context);
        self
    }

    /// A name for this very diagnostic that outlives edits elsewhere in the file: code, file, rule
    /// and message count, the place does not.
    #[must_use]
    pub fn fingerprint(&self, sources: &Sources) -> String {
        let file = sources.file(self.span.file).name();
        let rule = self.rule.as_deref().unwrap_or_default();
        let mut hash = Sha256::new();
        for part in [self.code.as_str(), file, rule, &self.message, sources.text(self.span)] {
            hash.update(part);
            hash.update([0]);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// A replacement of the primary place by the name that was probably meant, with the question that asks so.
    #[must_use]
    pub fn did_you_mean(self, name: &str) -> Self {
        self.suggest(name, scalar(name))
    }

    /// The same for a value that is not a name, or for a place inside a text: `meant` replaces it as it is.
    #[must_use]
    pub fn did_you_mean_just(self, meant: &str) -> Self {
        self.suggest(meant, meant.to_owned())
    }

    fn suggest(self, meant: &str, replacement: String) -> Self {
        let edit = Edit { span: self.span, replacement };
        self.help(format!("did you mean `{meant}`?")).fix(Fix {
            title: format!("replace with `{meant}`"),
            edits: vec![edit],
            safe: false,
        })
    }
}

/// Longer messages are cut: a name in them can be as long as a file.
const MOST_CHARACTERS: usize = 600;

/// A text that names from rule files are part of, on one line whatever they contain.
fn one_line(text: String) -> String {
    let is_short = text.len() <= MOST_CHARACTERS;
    if is_short && !text.contains(char::is_control) {
        return text;
    }
    let mut line = String::new();
    for char in text.chars().take(MOST_CHARACTERS) {
        if char.is_control() { line.extend(char.escape_debug()) } else { line.push(char) }
    }
    if text.chars().nth(MOST_CHARACTERS).is_some() {
        line.push('…');
    }
    line
}

/// A name as a YAML scalar: in quotes unless it is a plain word.
fn scalar(name: &str) -> String {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '$');
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_.$/".contains(char);
    let is_string = !["true", "false", "null"].iter().any(|word| name.eq_ignore_ascii_case(word));
    if begins && is_string && name.chars().all(plain) {
        name.to_owned()
    } else {
        serde_json::Value::from(name).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_and_distinct() {
        let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase())));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn names_are_shown_on_one_line() {
        assert_eq!(one_line("`a\nb\u{1b}[31m`".to_owned()), "`a\\nb\\u{1b}[31m`");
        assert_eq!(one_line("é".repeat(1_000_000)).chars().count(), MOST_CHARACTERS + 1);
        assert_eq!(one_line("é".repeat(MOST_CHARACTERS)), "é".repeat(MOST_CHARACTERS));
    }

    #[test]
    fn suggested_names_stay_names() {
        let cases = [
            ("readPage", "readPage"),
            ("$all", "$all"),
            ("4.1", "\"4.1\""),
            ("True", "\"True\""),
            ("a: b", "\"a: b\""),
        ];
        for (name, expected) in cases {
            assert_eq!(scalar(name), expected);
        }
    }

    #[test]
    fn load_errors_are_errors() {
        let load_errors = Code::ALL.iter().filter(|code| code.class() == Class::LoadError);
        assert!(load_errors.into_iter().all(|code| code.severity() == Severity::Error));
    }
}
