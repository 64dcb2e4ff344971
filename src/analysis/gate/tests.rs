use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::analysis::testing::{equals, ids, literals, matcher, not as matcher_not, prefix, regex, span};
use crate::analysis::{Limit, testing};
use crate::rules::{
    Catalog, Condition, ConditionKind, Gate, LiteralKind, Matcher, Setting, SettingId, SettingType, SettingValue,
    ToolId, ValueRef,
};

fn from_json(value: &Value) -> Option<SettingValue> {
    ValueRef::from_json(value).map(ValueRef::to_value)
}

fn catalog(settings: Vec<Setting>) -> Catalog {
    let tools = ["t0", "t1", "t2"].map(Arc::from).to_vec();
    let tool_ids = tools.iter().cloned().zip((0..).map(ToolId)).collect();
    let setting_ids = settings.iter().map(|setting| setting.name.clone()).zip((0..).map(SettingId)).collect();
    Catalog { tools, tool_ids, setting_ids, settings, ..Catalog::default() }
}

fn setting(name: &str, value_type: SettingType, allowed: &[&str], default: Option<Value>) -> Setting {
    let allowed = allowed.iter().map(|text| Box::from(*text)).collect();
    let default = default.as_ref().and_then(from_json);
    Setting { name: name.into(), span: span(), value_type, allowed, default }
}

fn gate(kinds: Vec<ConditionKind>) -> Gate {
    let conditions = kinds.into_iter().map(|kind| Condition { kind, key_span: span(), span: span() }).collect();
    Gate { conditions, span: span() }
}

fn one_of(setting: u32, values: &[Value]) -> ConditionKind {
    let values = values.iter().filter_map(from_json).collect();
    ConditionKind::SettingIn([(SettingId(setting), values)].into())
}

fn negated(kind: ConditionKind) -> ConditionKind {
    ConditionKind::Not(Box::new(gate(vec![kind])))
}

/// The effective value of a setting, said a second time.
fn effective(setting: &Setting, context: &Context) -> Option<SettingValue> {
    match context.settings.get(&*setting.name) {
        None | Some(Value::Null) => setting.default.clone(),
        Some(raw) => from_json(raw).filter(|value| setting.admits(value.as_ref())),
    }
}

/// Whether a gate holds, said a second time.
fn holds(catalog: &Catalog, gate: &Gate, context: &Context) -> bool {
    let has = |tool: &ToolId| context.client_tools.iter().any(|name| name == catalog.tool_name(*tool));
    let value = |id: &SettingId| effective(catalog.setting(*id), context);
    gate.conditions.iter().all(|condition| match &condition.kind {
        ConditionKind::HasClientTool(tool) => has(tool),
        ConditionKind::HasAnyClientTool(tools) => tools.iter().any(has),
        ConditionKind::HasAllClientTools(tools) => tools.iter().all(has),
        ConditionKind::ToolSearchActive(flag) => context.tool_search_active == *flag,
        ConditionKind::Workspaceless(flag) => context.workspaceless == *flag,
        ConditionKind::SettingEquals(pairs) => pairs.iter().all(|(id, wanted)| value(id).as_ref() == Some(wanted)),
        ConditionKind::SettingIn(pairs) => {
            pairs.iter().all(|(id, wanted)| value(id).is_some_and(|value| wanted.contains(&value)))
        }
        ConditionKind::SettingIsSet(id) => value(id).is_some(),
        ConditionKind::Model(matcher) => context.model.as_ref().is_some_and(|id| testing::accepts(matcher, id)),
        ConditionKind::All(gates) => gates.iter().all(|gate| holds(catalog, gate, context)),
        ConditionKind::Any(gates) => gates.iter().any(|gate| holds(catalog, gate, context)),
        ConditionKind::Not(gate) => !holds(catalog, gate, context),
    })
}

fn facts(context: &Context) -> usize {
    usize::from(context.model.is_some())
        + context.client_tools.len()
        + context.settings.len()
        + usize::from(context.tool_search_active)
        + usize::from(context.workspaceless)
}

/// The settings of all tests: each type, with and without a default.
fn settings() -> Vec<Setting> {
    vec![
        setting("flag", SettingType::Boolean, &[], None),
        setting("flag_on", SettingType::Boolean, &[], Some(json!(true))),
        setting("number", SettingType::Number, &[], None),
        setting("number_2", SettingType::Number, &[], Some(json!(2))),
        setting("text", SettingType::String, &[], Some(json!("a"))),
        setting("choice", SettingType::String, &["x", "y"], None),
        setting("choice_x", SettingType::String, &["x", "y"], Some(json!("x"))),
    ]
}

/// Values that gates compare each of them with.
fn values(setting: u32) -> Vec<Value> {
    match setting {
        0 | 1 => vec![json!(true), json!(false)],
        2 | 3 => vec![json!(1), json!(2.0), json!(2.5)],
        4 => vec![json!("a"), json!("b")],
        _ => vec![json!("x"), json!("y")],
    }
}

/// All that a context can say about a setting, as far as any gate can tell.
fn raw_values() -> Vec<Option<Value>> {
    let values = [json!(true), json!(false), json!(1), json!(2), json!(2.5), json!(77)];
    let texts = ["a", "b", "x", "y", "z"].map(Value::from);
    let others = [json!([])];
    std::iter::once(None).chain(values.into_iter().chain(texts).chain(others).map(Some)).collect()
}

/// All contexts that the gates can tell apart, as far as short ids go.
fn contexts(space: &Space, functions: &[Function]) -> Vec<Context> {
    let mut support: Vec<Atom> = functions.iter().flat_map(|function| space.support(*function)).collect();
    let models = support.iter().any(|atom| matches!(atom, Atom::Model(_)));
    support.retain(|atom| !matches!(atom, Atom::Model(_)));
    support.sort_by_key(|atom| format!("{atom:?}"));
    support.dedup();
    let mut all = vec![Context::default()];
    if models {
        all.extend(ids("aAb", 3).into_iter().map(|id| Context { model: Some(id), ..Context::default() }));
    }
    for atom in support {
        all = all.into_iter().flat_map(|context| extend(&context, &atom)).collect();
    }
    all
}

fn extend(context: &Context, atom: &Atom) -> Vec<Context> {
    let mut more = context.clone();
    match atom {
        Atom::Model(_) => return vec![more],
        Atom::Tool(name) => more.client_tools.push(name.to_string()),
        Atom::ToolSearchActive => more.tool_search_active = true,
        Atom::Workspaceless => more.workspaceless = true,
        Atom::Setting(name) => {
            let with = |value: Option<Value>| {
                let mut context = context.clone();
                context.settings.extend(value.map(|value| (name.to_string(), value)));
                context
            };
            return raw_values().into_iter().map(with).collect();
        }
    }
    vec![context.clone(), more]
}

fn arb_kind() -> impl Strategy<Value = ConditionKind> {
    let tools = prop::sample::subsequence(vec![ToolId(0), ToolId(1), ToolId(2)], 1..=3);
    let setting = (0..7_u32).prop_flat_map(|id| (Just(id), prop::sample::subsequence(values(id), 1..=2)));
    let models = vec![
        matcher("", vec![prefix("a")]),
        matcher("l", vec![prefix("a")]),
        matcher("", vec![literals(LiteralKind::Suffix, &["b"])]),
        matcher("l", vec![equals("A")]),
        matcher("", vec![matcher_not(regex("^a|b$"))]),
        matcher("", vec![literals(LiteralKind::Contains, &[""])]),
    ];
    let leaf = prop_oneof![
        (0..3_u32).prop_map(|tool| ConditionKind::HasClientTool(ToolId(tool))),
        tools.clone().prop_map(|tools| ConditionKind::HasAnyClientTool(tools.into())),
        tools.prop_map(|tools| ConditionKind::HasAllClientTools(tools.into())),
        any::<bool>().prop_map(ConditionKind::ToolSearchActive),
        any::<bool>().prop_map(ConditionKind::Workspaceless),
        setting.prop_map(|(id, values)| one_of(id, &values)),
        (0..7_u32).prop_map(|id| ConditionKind::SettingIsSet(SettingId(id))),
        prop::sample::select(models).prop_map(ConditionKind::Model),
    ];
    leaf.prop_recursive(3, 6, 3, |inner| {
        let gates = prop::collection::vec(inner.clone().prop_map(|kind| gate(vec![kind])), 1..3);
        prop_oneof![
            gates.clone().prop_map(|gates| ConditionKind::All(gates.into())),
            gates.prop_map(|gates| ConditionKind::Any(gates.into())),
            inner.prop_map(negated),
        ]
    })
}

fn arb_gate() -> impl Strategy<Value = Gate> {
    prop::collection::vec(arb_kind(), 1..3).prop_map(gate)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_all_contexts(left in arb_gate(), right in arb_gate()) {
        let catalog = catalog(settings());
        let mut space = Space::new(Languages::new([]));
        let l = space.gate(&catalog, &left).unwrap();
        let r = space.gate(&catalog, &right).unwrap();
        let (not_l, both, counter) = (space.not(l).unwrap(), space.and(l, r).unwrap(), space.minus(l, r).unwrap());
        let contexts = contexts(&space, &[l, r]);
        prop_assume!(contexts.len() < 1_500);
        let truth: Vec<(bool, bool)> =
            contexts.iter().map(|context| (holds(&catalog, &left, context), holds(&catalog, &right, context))).collect();
        for (context, (left, right)) in contexts.iter().zip(&truth) {
            prop_assert_eq!(space.holds(l, context), *left);
            prop_assert_eq!(space.holds(r, context), *right);
        }
        type Wanted = fn(bool, bool) -> bool;
        let questions: [(Function, Wanted); 4] =
            [(l, |l, _| l), (not_l, |l, _| !l), (both, |l, r| l && r), (counter, |l, r| l && !r)];
        for (function, wanted) in questions {
            let found = contexts.iter().zip(&truth).filter(|(_, (l, r))| wanted(*l, *r)).map(|(c, _)| facts(c)).min();
            prop_assert_eq!(space.satisfiable(function).unwrap(), found.is_some());
            let witness = space.witness(function).unwrap();
            prop_assert_eq!(witness.as_ref().map(facts), found);
            if let Some(witness) = witness {
                prop_assert!(wanted(holds(&catalog, &left, &witness), holds(&catalog, &right, &witness)), "{:?}", witness);
            }
        }
        prop_assert_eq!(space.implied(l, r).unwrap(), truth.iter().all(|(l, r)| !l || *r));
        prop_assert_eq!(space.equivalent(l, r).unwrap(), truth.iter().all(|(l, r)| l == r));
    }

    #[test]
    fn without_model_conditions_equal_functions_have_equal_handles(left in arb_gate(), right in arb_gate()) {
        let catalog = catalog(settings());
        let mut space = Space::new(Languages::new([]));
        let l = space.gate(&catalog, &left).unwrap();
        let r = space.gate(&catalog, &right).unwrap();
        for model in [None, Some("a"), Some("Ab")] {
            let (l, r) = (space.at_model(l, model).unwrap(), space.at_model(r, model).unwrap());
            prop_assert_eq!(l == r, space.equivalent(l, r).unwrap());
        }
    }
}

fn space() -> (Catalog, Space) {
    (catalog(settings()), Space::new(Languages::new([])))
}

fn witness(kinds: Vec<ConditionKind>) -> Option<Context> {
    let (catalog, mut space) = space();
    let function = space.gate(&catalog, &gate(kinds)).unwrap();
    space.witness(function).unwrap()
}

fn with_setting(name: &str, value: Value) -> Option<Context> {
    Some(Context { settings: [(name.to_owned(), value)].into_iter().collect(), ..Context::default() })
}

#[test]
fn witnesses_say_as_little_as_possible() {
    let is_set = |id| ConditionKind::SettingIsSet(SettingId(id));
    assert_eq!(witness(vec![one_of(1, &[json!(true)])]), Some(Context::default()), "the default");
    assert_eq!(witness(vec![negated(one_of(1, &[json!(true)]))]), with_setting("flag_on", json!(false)));
    assert_eq!(witness(vec![negated(is_set(1))]), with_setting("flag_on", json!(0)), "contradicts its entry");
    assert_eq!(witness(vec![negated(is_set(4))]), with_setting("text", json!(true)));
    assert_eq!(witness(vec![negated(is_set(0))]), Some(Context::default()));
    assert_eq!(witness(vec![negated(one_of(6, &[json!("x")]))]), with_setting("choice_x", json!("y")));
    let other = vec![is_set(4), negated(one_of(4, &[json!("a"), json!("other")]))];
    assert_eq!(witness(other), with_setting("text", json!("other2")));
    assert_eq!(witness(vec![one_of(0, &[json!(true)]), negated(is_set(0))]), None);
}

#[test]
fn model_conditions_are_languages() {
    let model = |matcher: Matcher| ConditionKind::Model(matcher);
    let both = vec![model(matcher("", vec![prefix("gpt-5")])), negated(model(matcher("", vec![prefix("gpt")])))];
    assert_eq!(witness(both), None);
    let no_model = witness(vec![negated(model(matcher("", vec![regex("")])))]);
    assert_eq!(no_model, Some(Context::default()));
    let (catalog, mut space) = space();
    let taken = space.languages().matcher(&matcher("", vec![prefix("gpt-5")]));
    let given = space.model(taken).unwrap();
    let asked = space.gate(&catalog, &gate(vec![model(matcher("l", vec![prefix("gpt")]))])).unwrap();
    assert_eq!(space.implied(given, asked), Ok(true));
    assert_eq!(space.implied(asked, given), Ok(false));
    assert_eq!(space.at_model(asked, Some("GPT")), Ok(Function::TRUE));
    assert_eq!(space.at_model(asked, None), Ok(Function::FALSE));
}

#[test]
fn two_catalogs_share_one_space() {
    let (old, new) = (
        setting("s", SettingType::Boolean, &[], Some(json!(false))),
        setting("s", SettingType::Boolean, &[], Some(json!(true))),
    );
    let (_, mut space) = space();
    let value = [SettingValue::Bool(true)];
    let before = space.setting_is_one_of(&old, &value).unwrap();
    let after = space.setting_is_one_of(&new, &value).unwrap();
    let differs = space.xor(before, after).unwrap();
    assert_eq!(space.witness(differs), Ok(Some(Context::default())));
    let set = (space.setting_is_set(&old).unwrap(), space.setting_is_set(&new).unwrap());
    assert_eq!(set.0, set.1);
}

#[test]
fn numbers_compare_by_value_or_are_undecided() {
    let (_, mut space) = space();
    let number = setting("n", SettingType::Number, &[], None);
    let mut is = |value: Value| space.setting_is_one_of(&number, &[from_json(&value).unwrap()]);
    assert_eq!(is(json!(1)), is(json!(1.0)));
    assert_eq!(is(json!(0)), is(json!(-0.0)));
    assert_ne!(is(json!(1)), is(json!(1.5)));
    assert!(is(json!(1e300)).is_ok());
    assert_eq!(is(json!(9_007_199_254_740_993_i64)).unwrap_err().limit, Limit::HugeNumber);
}

#[test]
fn undecided_patterns_leave_the_rest_decided() {
    let (catalog, mut space) = space();
    let hard = ConditionKind::Model(matcher("", vec![regex("^(a|b)*a(a|b){40}$")]));
    let tool = ConditionKind::HasClientTool(ToolId(0));
    let plain = space.gate(&catalog, &gate(vec![hard.clone()])).unwrap();
    assert_eq!(space.satisfiable(plain).unwrap_err().limit, Limit::PatternStates);
    let either = ConditionKind::Any([gate(vec![hard.clone()]), gate(vec![tool.clone()])].into());
    let either = space.gate(&catalog, &gate(vec![either])).unwrap();
    assert_eq!(space.satisfiable(either), Ok(true));
    let never = space.gate(&catalog, &gate(vec![hard, tool.clone(), negated(tool)])).unwrap();
    assert_eq!(space.satisfiable(never), Ok(false));
}

#[test]
fn forty_conditions_are_decided_quickly() {
    let tools = (0..40).map(|number| format!("t{number}").into()).collect();
    let catalog = Catalog { tools, ..Catalog::default() };
    let tool = |number: u32| gate(vec![ConditionKind::HasClientTool(ToolId(number % 40))]);
    let pair = |left: u32, right: u32| gate(vec![ConditionKind::Any([tool(left), tool(right)].into())]);
    let start = std::time::Instant::now();
    let mut space = Space::new(Languages::new([]));
    for step in 1..50 {
        let one = gate(vec![ConditionKind::All((0..40).map(|at| pair(at, at + step % 5)).collect())]);
        let other = gate(vec![ConditionKind::All((0..40).rev().map(|at| pair(at + step % 5, at)).collect())]);
        let (one, other) = (space.gate(&catalog, &one).unwrap(), space.gate(&catalog, &other).unwrap());
        assert_eq!(one, other);
        assert!(space.witness(one).unwrap().is_some_and(|context| context.client_tools.len() >= 8));
    }
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn a_gate_of_very_many_tools_is_undecided_without_deep_recursion() {
    let tools = (0..20_000).map(|number| format!("t{number}").into()).collect();
    let catalog = Catalog { tools, ..Catalog::default() };
    let list = ConditionKind::HasAnyClientTool((0..20_000).map(ToolId).collect());
    let mut space = Space::new(Languages::new([]));
    assert_eq!(space.gate(&catalog, &gate(vec![list])).unwrap_err().limit, Limit::Conditions);
    let singles = (0..20_000).map(|tool| gate(vec![ConditionKind::HasClientTool(ToolId(tool))]));
    let single = ConditionKind::All(singles.collect());
    assert_eq!(space.gate(&catalog, &gate(vec![single])).unwrap_err().limit, Limit::Conditions);
}
