//! The compiled rules in one number, and the settings and flags that they read.
//!
//! Counts: everything that a resolution or an explanation can depend on, ids included, in the
//! order in which it matters. Does not count: places, descriptions, accepted findings, lint
//! levels, names of bindings and shared texts and groups (what they stand for does), the order
//! of keys, of gates in `all` and `any`, of tools that are asked for in one breath. So a rule set that is
//! split over files in another way, or commented, keeps its number.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{
    Action, Base, Binding, BindingSource, Catalog, Condition, ConditionKind, Contributor, Gate, Item, Line,
    MatchCondition, Matcher, ModelGroup, Override, Part, Pattern, Piece, RuleSet, SectionRule, SettingId, SettingValue,
    SharedText, Template, Text, TextBody, ToolId, ToolSearch,
};
use crate::canonical;

/// What a relaunch must know of a rule set.
#[derive(Debug)]
pub(crate) struct RulesDigest {
    /// The rules.
    pub(crate) fingerprint: u64,
    /// The settings that gates, bindings and `tool_search` read, in name order.
    pub(crate) settings: Box<[SettingId]>,
    /// Whether a gate reads the flag.
    pub(crate) workspaceless: bool,
    /// Whether a gate reads the flag.
    pub(crate) tool_search_active: bool,
}

impl RulesDigest {
    pub(super) fn of(rules: &RuleSet) -> Self {
        let mut reader = Reader::new(&rules.catalog);
        let form = json!({
            "base": reader.base(&rules.base),
            "contributors": rules.contributors.iter().map(|it| reader.contributor(it)).collect::<Value>(),
            "lines": reader.lines(&rules.lines),
            "blocks": reader.lines(&rules.blocks),
            "tool_search": rules.tool_search.as_ref().map(|search| reader.tool_search(search)),
            "settings": reader.declarations(),
        });
        let mut settings: Vec<SettingId> = reader.settings.into_iter().collect();
        settings.sort_by_key(|id| &rules.catalog.setting(*id).name);
        Self {
            fingerprint: canonical::fingerprint(&canonical::bytes(&form)),
            settings: settings.into(),
            workspaceless: reader.workspaceless,
            tool_search_active: reader.tool_search_active,
        }
    }
}

/// Goes through the rules once, and notes what they read on the way.
struct Reader<'r> {
    catalog: &'r Catalog,
    settings: BTreeSet<SettingId>,
    workspaceless: bool,
    tool_search_active: bool,
    /// Shared parts, by address: each is read once however often it is used.
    texts: FxHashMap<*const SharedText, Value>,
    groups: FxHashMap<*const ModelGroup, Value>,
}

impl<'r> Reader<'r> {
    fn new(catalog: &'r Catalog) -> Self {
        Self {
            catalog,
            settings: BTreeSet::new(),
            workspaceless: false,
            tool_search_active: false,
            texts: FxHashMap::default(),
            groups: FxHashMap::default(),
        }
    }

    fn base(&mut self, base: &'r Base) -> Value {
        json!({"sections": self.sections(&base.sections), "content": self.optional_text(base.content.as_ref())})
    }

    fn contributor(&mut self, contributor: &'r Contributor) -> Value {
        let matching = contributor.matching.as_ref();
        let families = matching.map_or(&[][..], |matching| &matching.families);
        json!({
            "id": contributor.id,
            "model": matching.and_then(|matching| matching.predicate.as_ref()).map(|it| self.matcher(it)),
            "families": families.iter().map(|family| &family.prefix).collect::<Vec<_>>(),
            "extends": contributor.parent.as_ref().map(|parent| &parent.id),
            "when": self.when(contributor.when.as_ref()),
            "sections": self.sections(&contributor.sections),
            "content": self.optional_text(contributor.content.as_ref()),
            "full_prompt": contributor.full_prompt.as_ref().map(|prompt| {
                json!({"when": self.when(prompt.when.as_ref()), "text": self.text(&prompt.text)})
            }),
        })
    }

    /// The order of lines and blocks is that of the prompt.
    fn lines(&mut self, lines: &'r [Line]) -> Value {
        let line = |line: &'r Line| json!([line.id, self.when(line.when.as_ref()), self.text(&line.text)]);
        lines.iter().map(line).collect()
    }

    fn tool_search(&mut self, search: &'r ToolSearch) -> Value {
        self.settings.extend(search.threshold_setting);
        self.settings.insert(search.enabled_setting);
        json!({
            "enabled_setting": self.setting(search.enabled_setting),
            "threshold_setting": search.threshold_setting.map(|setting| self.setting(setting)),
            "defer_threshold": search.defer_threshold,
            "supported_models": self.matcher(&search.supported_models),
            "client_tool": self.tool(search.client_tool),
            "runtime_tool": search.runtime_tool,
            "never_defer": self.any_order(&search.never_defer),
        })
    }

    /// How the catalog declares the settings that were read.
    fn declarations(&self) -> Value {
        let declaration = |id: &SettingId| {
            let setting = self.catalog.setting(*id);
            let allowed = setting.allowed.iter().map(|value| json!(value)).collect();
            let default = setting.default.as_ref().map(|value| value.as_ref().to_json());
            json!([setting.name, setting.value_type.as_str(), unordered(allowed), default])
        };
        unordered(self.settings.iter().map(declaration).collect())
    }

    /// The order of sections is that of the result.
    fn sections(&mut self, sections: &'r [SectionRule]) -> Value {
        let section = |rule: &'r SectionRule| {
            let overrides: Value = rule.overrides.iter().map(|it| self.section_override(it)).collect();
            json!([rule.section, overrides])
        };
        sections.iter().map(section).collect()
    }

    fn section_override(&mut self, it: &'r Override) -> Value {
        let when = self.when(it.when.as_ref());
        let operand = match &it.action {
            Action::Replace(text) | Action::Append(text) | Action::Prepend(text) => self.text(text),
            Action::Transform(steps) => json!(steps.iter().map(|step| &step.step).collect::<Vec<_>>()),
            Action::Remove | Action::Preserve => Value::Null,
        };
        json!([when, it.action.as_str(), operand])
    }

    fn optional_text(&mut self, text: Option<&'r Text>) -> Value {
        text.map_or(Value::Null, |text| self.text(text))
    }

    fn text(&mut self, text: &'r Text) -> Value {
        match &text.body {
            TextBody::One(template) => self.template(template),
            TextBody::List(items) => json!({"list": items.iter().map(|item| self.item(item)).collect::<Value>()}),
        }
    }

    fn item(&mut self, item: &'r Item) -> Value {
        let when = self.when(item.when.as_ref());
        let part = match &item.part {
            Part::Template(template) => self.template(template),
            Part::Shared(shared, _) => json!({"use": self.shared(shared)}),
            Part::Parent => json!({"parent": true}),
        };
        json!([when, part])
    }

    fn shared(&mut self, shared: &'r Arc<SharedText>) -> Value {
        if let Some(known) = self.texts.get(&Arc::as_ptr(shared)) {
            return known.clone();
        }
        let form = in_short(&self.text(&shared.text));
        self.texts.insert(Arc::as_ptr(shared), form.clone());
        form
    }

    fn template(&mut self, template: &'r Template) -> Value {
        let piece = |piece: &'r Piece| match piece {
            Piece::Literal(text) => json!(text),
            Piece::Variable(binding) => self.binding(binding),
        };
        json!({"text": template.pieces.iter().map(piece).collect::<Value>()})
    }

    fn binding(&mut self, binding: &Binding) -> Value {
        match &binding.source {
            BindingSource::FirstClientTool(tools) => {
                json!({"first_client_tool": tools.iter().map(|tool| self.tool(*tool)).collect::<Vec<_>>()})
            }
            BindingSource::Setting(setting) => {
                self.settings.insert(*setting);
                json!({"setting": self.setting(*setting)})
            }
        }
    }

    fn when(&mut self, gate: Option<&'r Gate>) -> Value {
        gate.map_or(Value::Null, |gate| self.gate(gate))
    }

    fn gate(&mut self, gate: &'r Gate) -> Value {
        unordered(gate.conditions.iter().map(|it| json!([it.kind.key(), self.condition(it)])).collect())
    }

    fn condition(&mut self, condition: &'r Condition) -> Value {
        match &condition.kind {
            ConditionKind::HasClientTool(tool) => json!(self.tool(*tool)),
            ConditionKind::HasAnyClientTool(tools) | ConditionKind::HasAllClientTools(tools) => self.any_order(tools),
            ConditionKind::ToolSearchActive(flag) => {
                self.tool_search_active = true;
                json!(flag)
            }
            ConditionKind::Workspaceless(flag) => {
                self.workspaceless = true;
                json!(flag)
            }
            ConditionKind::SettingEquals(pairs) => {
                unordered(pairs.iter().map(|(id, value)| self.read(*id, std::slice::from_ref(value))).collect())
            }
            ConditionKind::SettingIn(pairs) => {
                unordered(pairs.iter().map(|(id, values)| self.read(*id, values)).collect())
            }
            ConditionKind::SettingIsSet(id) => self.read(*id, &[]),
            ConditionKind::Model(matcher) => self.matcher(matcher),
            ConditionKind::All(gates) | ConditionKind::Any(gates) => {
                unordered(gates.iter().map(|gate| self.gate(gate)).collect())
            }
            ConditionKind::Not(gate) => self.gate(gate),
        }
    }

    fn read(&mut self, setting: SettingId, values: &[SettingValue]) -> Value {
        self.settings.insert(setting);
        let values = values.iter().map(|value| value.as_ref().to_json()).collect();
        json!([self.setting(setting), unordered(values)])
    }

    fn matcher(&mut self, matcher: &'r Matcher) -> Value {
        json!([matcher.normalize.number(), self.pattern(&matcher.pattern)])
    }

    fn pattern(&mut self, pattern: &'r Pattern) -> Value {
        unordered(pattern.conditions.iter().map(|condition| self.match_condition(condition)).collect())
    }

    fn patterns(&mut self, patterns: &'r [Pattern]) -> Value {
        unordered(patterns.iter().map(|pattern| self.pattern(pattern)).collect())
    }

    fn match_condition(&mut self, condition: &'r MatchCondition) -> Value {
        match condition {
            MatchCondition::Literals(kind, literals) => {
                json!([kind.key(), unordered(literals.iter().map(|literal| json!(literal.text)).collect())])
            }
            MatchCondition::Regex(pattern) => json!(["regex", pattern.regex.as_str()]),
            MatchCondition::All(patterns) => json!(["all", self.patterns(patterns)]),
            MatchCondition::Any(patterns) => json!(["any", self.patterns(patterns)]),
            MatchCondition::Not(pattern) => json!(["not", self.pattern(pattern)]),
            MatchCondition::Group(group, _) => json!(["group", self.group(group)]),
        }
    }

    fn group(&mut self, group: &'r Arc<ModelGroup>) -> Value {
        if let Some(known) = self.groups.get(&Arc::as_ptr(group)) {
            return known.clone();
        }
        let form = in_short(&self.matcher(&group.matcher));
        self.groups.insert(Arc::as_ptr(group), form.clone());
        form
    }

    fn any_order(&self, tools: &[ToolId]) -> Value {
        unordered(tools.iter().map(|tool| json!(self.tool(*tool))).collect())
    }

    fn tool(&self, tool: ToolId) -> &'r str {
        self.catalog.tool_name(tool)
    }

    fn setting(&self, setting: SettingId) -> &'r str {
        &self.catalog.setting(setting).name
    }
}

/// A list whose order and repetitions mean nothing.
fn unordered(mut values: Vec<Value>) -> Value {
    if values.len() > 1 {
        values.sort_by_cached_key(canonical::bytes);
        values.dedup();
    }
    Value::Array(values)
}

/// A fingerprint in place of a form that may be used many times.
fn in_short(form: &Value) -> Value {
    json!(canonical::fingerprint(&canonical::bytes(form)))
}
