use proptest::prelude::*;

use super::*;
use crate::analysis::Limit;
use crate::analysis::testing::{accepts, equals, form, group, ids, literals, matcher, not, pattern, prefix, regex};

fn languages() -> Languages {
    Languages::new([])
}

/// The witness for a regex on the raw id.
fn member(pattern: &str) -> Answer<Option<String>> {
    member_of(&matcher("", vec![regex(pattern)]))
}

fn member_of(matcher: &Matcher) -> Answer<Option<String>> {
    let mut languages = languages();
    let lang = languages.matcher(matcher);
    let answer = languages.member(lang)?;
    if let Some(id) = &answer {
        assert!(accepts(matcher, id), "{id:?}");
    }
    Ok(answer.map(String::from))
}

fn some(id: &str) -> Answer<Option<String>> {
    Ok(Some(id.into()))
}

#[test]
fn witnesses_are_shortest_and_readable() {
    assert_eq!(member(r"^claude-opus-4-8(-|$)"), some("claude-opus-4-8"));
    assert_eq!(member(""), some("a"));
    assert_eq!(member(r"^(foo|b)+x\d{2}$"), some("bx00"));
    assert_eq!(member(r"^\pL$"), some("a"));
    assert_eq!(member(r"^[^\x00-\x7F]$"), some("é"));
    assert_eq!(member(r"^(é|aaaa)$"), some("aaaa"));
    assert_eq!(member(r"^a{200}$"), some(&"a".repeat(200)));
}

#[test]
fn languages_without_an_id_are_empty() {
    for pattern in [r"a^", r"$a", r"^$", r"[a&&b]", r"\bx\B$|a\b\B", r"(?m)a^b", r"^a\b{start}b", r"(?R)\r^\n"] {
        assert_eq!(member(pattern), Ok(None), "{pattern}");
    }
    assert_eq!(member_of(&matcher("l", vec![equals("A")])), Ok(None));
    assert_eq!(member_of(&matcher("d", vec![prefix("gpt-5.4")])), Ok(None));
    assert_eq!(member_of(&matcher("v", vec![prefix("us/x")])), Ok(None));
    assert_eq!(member_of(&matcher("", vec![equals("")])), Ok(None));
    assert_eq!(member_of(&matcher("", vec![prefix("b"), regex("^a")])), Ok(None));
}

#[test]
fn an_empty_last_segment_is_an_id() {
    assert_eq!(member_of(&matcher("v", vec![equals("")])), some("/"));
    assert_eq!(member_of(&matcher("v", vec![regex("^$"), group("", vec![prefix("us")])])), some("us/"));
}

#[test]
fn groups_see_the_raw_id() {
    let both = matcher("l", vec![equals("gpt"), group("", vec![prefix("GP")])]);
    assert_eq!(member_of(&both), some("GPt"));
    let vendor = matcher("v", vec![not(group("vl", vec![equals("x")])), equals("X")]);
    assert_eq!(member_of(&vendor), Ok(None));
}

fn outside(left: &str, right: &str) -> Answer<Option<String>> {
    let mut languages = languages();
    let [left, right] = [left, right].map(|pattern| languages.matcher(&matcher("", vec![regex(pattern)])));
    Ok(languages.outside(left, &[right])?.map(String::from))
}

#[test]
fn inclusion_is_exact_beyond_ascii() {
    assert_eq!(outside("(?i)k", "k|K"), some("\u{212A}"));
    assert_eq!(outside("k|K", "(?i)k"), Ok(None));
    assert_eq!(outside(r"^\w+$", r"^[\pL\pM\p{Nd}\p{Pc}\p{Alphabetic}\p{Join_Control}]+$"), Ok(None));
    assert_eq!(outside(r"\d", "[0-9]"), some("\u{660}"));
    assert_eq!(outside(r"\bé", r"(^|\W)é"), Ok(None));
    assert_eq!(outside(r"(^|\W)é", r"\bé"), Ok(None));
    assert_eq!(outside(r"(?-u:\b)a", r"\ba"), some("éa"));
    assert_eq!(outside(r"(?s).", "."), some("\n"));
    assert_eq!(outside(r"(?m)^a$", r"^a$"), some("a\n"));
}

#[test]
fn a_negated_assertion_inside_a_character_is_no_match() {
    assert_eq!(outside(r"^aéa$", r"(?-u:\B)"), some("aéa"));
}

#[test]
fn a_union_of_several_includes() {
    let mut languages = languages();
    let raw = |languages: &mut Languages, text| languages.matcher(&matcher("", vec![regex(text)]));
    let all = raw(&mut languages, "^gpt-[5-7]");
    let parts = [raw(&mut languages, "^gpt-5"), raw(&mut languages, "^gpt-(6|7x)"), raw(&mut languages, "^gpt-7")];
    assert_eq!(languages.outside(all, &parts), Ok(None));
    assert_eq!(languages.outside(all, &parts[..2]), Ok(Some("gpt-7".into())));
}

#[test]
fn witnesses_come_from_the_catalog_first() {
    let mut languages = Languages::new(["", "gpt-5", "us/Claude_3"]);
    let lang = languages.matcher(&matcher("vl", vec![prefix("claude")]));
    assert_eq!(languages.member(lang), Ok(Some("us/Claude_3".into())));
    assert_eq!(languages.non_member(lang), Ok(Some("gpt-5".into())));
}

#[test]
fn exponential_patterns_are_undecided_in_bounded_time() {
    let hard = r"(a|b)*a(a|b){40}$";
    assert_eq!(member(&format!("^{hard}")).unwrap_err().limit, Limit::PatternStates);
    assert_eq!(member("(a{500}){500}").unwrap_err().limit, Limit::PatternSize);
    let mut languages = languages();
    let hard = languages.matcher(&matcher("", vec![regex(hard)]));
    let easy = languages.matcher(&matcher("", vec![equals("x")]));
    let either = languages.or([hard, easy]);
    assert_eq!(languages.member(either), Ok(Some("x".into())));
    assert_eq!(languages.outside(easy, &[hard]), Ok(Some("x".into())), "by comparing the witness itself");
    let impossible = languages.matcher(&matcher("l", vec![equals("A")]));
    assert_eq!(languages.common(impossible, hard), Ok(None));
}

#[test]
fn exponential_products_are_undecided_in_bounded_time() {
    let mut languages = languages();
    let letters: Vec<Lang> = ('a'..='t')
        .map(|letter| languages.matcher(&matcher("", vec![regex(&format!("{letter}[^{letter}]*{letter}"))])))
        .collect();
    let all = languages.and(letters.iter().copied());
    assert!(languages.member(all).is_err());
}

#[test]
fn many_contributors_are_told_apart_quickly() {
    let mut languages = languages();
    let patterns = (0..200).map(|at| match at % 4 {
        0 => matcher("vld", vec![regex(&format!("^claude-{at}(-|$)"))]),
        1 => matcher("ld", vec![regex(&format!("gpt-{at}-(mini|nano)"))]),
        2 => matcher("", vec![regex(&format!("^(us|eu)/m{at}-"))]),
        _ => matcher("vl", vec![literals(LiteralKind::Contains, &[&format!("x{at}y"), &format!("y{at}x")])]),
    });
    let langs: Vec<Lang> = patterns.map(|matcher| languages.matcher(&matcher)).collect();
    let start = std::time::Instant::now();
    for (at, lang) in langs.iter().enumerate() {
        assert!(languages.outside(*lang, &langs[..at]).unwrap().is_some());
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

const LETTERS: &str = "aA-./1";

fn arb_text() -> impl Strategy<Value = String> {
    "[aA./1-]{0,3}"
}

fn arb_regex() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        4 => prop::sample::select(vec!["a", "A", "1", "/", "-"]),
        2 => prop::sample::select(vec![r"\.", ".", "[a-z]", "[^a]", r"\d", r"\w", r"\W", "(?i:a)", "(?s:.)", "[A/]"]),
        2 => prop::sample::select(vec!["^", "$", r"\b", r"\B", "(?m:^)", "(?m:$)", r"(?-u:\B)", r"\A", r"\z"]),
        1 => prop::sample::select(vec!["", r"\b{start}", r"\b{end}", r"\b{start-half}", r"\b{end-half}"]),
    ];
    atom.prop_map(String::from).prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("(?:{left}|{right})")),
            (inner, prop::sample::select(vec!["*", "+", "?", "{2}", "{1,2}", "*?"]))
                .prop_map(|(inner, times)| format!("(?:{inner}){times}")),
        ]
    })
}

fn arb_condition() -> impl Strategy<Value = MatchCondition> {
    let kind = prop::sample::select(vec![
        LiteralKind::Equals,
        LiteralKind::Prefix,
        LiteralKind::Suffix,
        LiteralKind::Contains,
    ]);
    let literals = (kind, prop::collection::vec(arb_text(), 1..3))
        .prop_map(|(kind, texts)| literals(kind, &texts.iter().map(String::as_str).collect::<Vec<_>>()));
    let leaf = prop_oneof![literals, arb_regex().prop_map(|pattern| regex(&pattern))];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            list.clone()
                .prop_map(|parts| MatchCondition::Any(parts.into_iter().map(|part| pattern(vec![part])).collect())),
            list.clone().prop_map(|parts| MatchCondition::All([pattern(parts)].into())),
            inner.clone().prop_map(not),
            (arb_form(), list).prop_map(|(steps, parts)| group(&steps, parts)),
        ]
    })
}

fn arb_form() -> impl Strategy<Value = String> {
    prop::sample::subsequence(vec!["v", "l", "d"], 0..=3).prop_map(|steps| steps.concat())
}

fn arb_matcher() -> impl Strategy<Value = Matcher> {
    (arb_form(), prop::collection::vec(arb_condition(), 1..3)).prop_map(|(steps, parts)| matcher(&steps, parts))
}

thread_local! {
    static IDS: Vec<String> = ids(LETTERS, 4);
}

/// An answer about a combination of two matchers against brute force over all short ids.
fn check(
    answer: Answer<Option<Box<str>>>,
    [left, right]: [&Matcher; 2],
    short: &[(&str, bool, bool)],
    is_member: fn(bool, bool) -> bool,
) -> Result<(), TestCaseError> {
    let answer = answer.expect("small patterns are decided");
    let short = short.iter().find(|(_, left, right)| is_member(*left, *right)).map(|(id, ..)| *id);
    match &answer {
        None => prop_assert_eq!(short, None),
        Some(id) => {
            prop_assert!(!id.is_empty() && is_member(accepts(left, id), accepts(right, id)), "{:?} is no witness", id);
            if let Some(short) = short {
                prop_assert!(id.is_ascii() && id.len() <= short.len(), "{:?} is longer than {:?}", id, short);
            }
        }
    }
    Ok(())
}

fn check_all(left: &Matcher, right: &Matcher, ids: &[String]) -> Result<(), TestCaseError> {
    let mut languages = languages();
    let (l, r) = (languages.matcher(left), languages.matcher(right));
    let short: Vec<_> = ids.iter().map(|id| (id.as_str(), accepts(left, id), accepts(right, id))).collect();
    check(languages.member(l), [left, right], &short, |l, _| l)?;
    check(languages.non_member(l), [left, right], &short, |l, _| !l)?;
    check(languages.common(l, r), [left, right], &short, |l, r| l && r)?;
    check(languages.outside(l, &[r]), [left, right], &short, |l, r| l && !r)?;
    check(languages.difference(l, r), [left, right], &short, |l, r| l != r)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_brute_force(left in arb_matcher(), right in arb_matcher()) {
        IDS.with(|ids| check_all(&left, &right, ids))?;
    }

    #[test]
    fn automata_accept_what_matchers_accept(left in arb_matcher(), id in "[aA./1é\n\r\u{212A}_ -]{1,6}") {
        let mut languages = languages();
        let lang = languages.matcher(&left);
        let one = languages.literals(form(""), LiteralKind::Equals, [id.as_str()]);
        let both = languages.and([lang, one]);
        prop_assert_eq!(languages.accepts(lang, &id), accepts(&left, &id));
        prop_assert_eq!(languages.is_empty(both), Ok(!accepts(&left, &id)));
    }
}
