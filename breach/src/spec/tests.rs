//! Tests of the reader and the printer: against a direct evaluation of rules, against each other, and on garbage.

use super::{NotExpressible, parse, print};
use crate::diagnostics::{Diagnostic, Source};
use crate::input::Input;
use crate::system::{InitialStates, Local, Multiset, State, System, Transfer, Transition};
use proptest::prelude::*;

fn read(text: &str) -> Result<Input, Diagnostic> {
    parse(Source { name: "t", text })
}

/// Reads a net over x, y, z with the given rules and returns its transitions.
fn rules(rules: &str) -> Result<Vec<Transition>, Diagnostic> {
    let text = format!("vars x y z rules {rules} init x = 0 target x >= 1");
    read(&text).map(|input| input.system.transitions)
}

fn transition(consume: &[Local], produce: &[Local], transfers: &[(Local, &[Local])]) -> Transition {
    Transition {
        from: 0,
        to: 0,
        consume: consume.iter().copied().collect(),
        produce: produce.iter().copied().collect(),
        transfers: transfers.iter().map(|&(from, to)| Transfer { from, to: to.to_vec() }).collect(),
    }
}

#[test]
fn a_whole_file() {
    let text = "# a comment\r\nvars\r\n  a b_1\n\tc\nrules\n a >= 1,\n b_1>=2 -> # why\n a' = a-1, c'=c+3;\n\nb_1 >= 1 -> b_1' = b_1 - 1\ninit\n a >= 1, b_1\n = 2\ntarget\n c >= 2, a >= 1\n c >= 1,\n c >= 3\n , a >= 0\ninvariants\n a=1, c = 1\n b_1 = 2\n";
    let input = read(text).unwrap();
    assert_eq!(input.system.local_names, ["a", "b_1", "c"]);
    assert_eq!((input.system.shared_states, input.system.local_states), (1, 3));
    assert_eq!(input.system.lines, [6, 10]);
    assert_eq!(
        input.system.transitions,
        [transition(&[0, 1, 1], &[1, 1, 2, 2, 2], &[]), transition(&[1], &[], &[])]
    );
    assert_eq!(input.init, Some(InitialStates::new(0, [0, 1, 1], vec![0])));
    assert_eq!(input.targets, [State::new(0, [0, 2, 2]), State::new(0, [2, 2, 2])]);
}

#[test]
fn rules_without_transfers() {
    for (text, consume, produce) in [
        ("-> x' = x + 1;", &[][..], &[0][..]),
        ("true -> x' = x + 1", &[], &[0]),
        ("x >= 2 -> ;", &[0, 0], &[0, 0]),
        ("x >= 1, x >= 2, x >= 0 -> x' = x;", &[0, 0], &[0, 0]),
        ("x >= 3 -> x' = x - 1;", &[0, 0, 0], &[0, 0]),
        ("-> x' = x - 2, y' = 1 + y;", &[0, 0], &[1]),
        ("x >= 1 -> x' = x - 1 + 2 - 1;", &[0], &[0]),
        ("-> x' = -1 + x;", &[0], &[]),
    ] {
        assert_eq!(rules(text), Ok(vec![transition(consume, produce, &[])]), "{text}");
    }
}

#[test]
fn rules_with_transfers() {
    for (text, expected) in [
        ("-> x' = x + y, y' = 0;", transition(&[], &[], &[(1, &[0])])),
        ("y >= 1 -> x' = x + y, y' = 0;", transition(&[1], &[0], &[(1, &[0])])),
        ("y >= 1 -> x' = x + y - 1, y' = 2;", transition(&[1], &[1, 1], &[(1, &[0])])),
        ("-> x' = 0;", transition(&[], &[], &[(0, &[])])),
        ("x >= 2 -> x' = 1;", transition(&[0, 0], &[0], &[(0, &[])])),
        ("-> x' = y, y' = x;", transition(&[], &[], &[(0, &[1]), (1, &[0])])),
        ("x >= 1 -> x' = y, y' = x;", transition(&[0], &[1], &[(0, &[1]), (1, &[0])])),
        ("-> x' = y - 2, y' = 0;", transition(&[1, 1], &[], &[(0, &[]), (1, &[0])])),
        ("z >= 1 -> x' = x + y + z + 1, y' = 0, z' = 0;", transition(&[2], &[0, 0], &[(1, &[0]), (2, &[0])])),
    ] {
        assert_eq!(rules(text), Ok(vec![expected]), "{text}");
    }
}

#[test]
fn rules_that_are_not_supported() {
    for (text, part) in [
        ("-> x' = x + x;", "twice in the effect"),
        ("-> x' = x + y;", "add the effect \"y' = 0\""),
        ("-> x' = x + y, z' = z + y, y' = 0;", "both to 'x' and to 'z'"),
        ("-> x' = x + y, y' = y;", "both to 'x' and to 'y'"),
        ("-> x' = x - y, y' = 0;", "subtracting"),
        ("-> x' = -1;", "negative"),
        ("-> x' = x + y - 1, y' = 0;", "unless guards"),
        ("-> x' = x + 1, x' = x;", "second effect for 'x'"),
        ("-> x' = x - 4294967295 - 1;", "out of range"),
        ("x >= 4294967295 -> x' = x + 1;", "out of range"),
        ("-> x' = x + 4294967296;", "too large"),
        ("x >= -1 -> x' = x;", "negative"),
        ("x = 0 -> x' = x;", "not monotone"),
        ("x <= 3 -> x' = x;", "not monotone"),
        ("x -> x' = x;", "expected '>=' or '='"),
        ("x >= 1 x' = x;", "expected ',' or '->'"),
        ("x >= 1 -> x = x;", "after the variable of an effect"),
        ("x >= 1 -> x' = 2*x;", "unexpected character '*'"),
        ("x >= 1 -> x' = ;", "expected a variable or a number"),
        ("x >= 1 -> x' = x y' = y;", "expected '+', '-', ',' or ';'"),
        ("x >= 1 -> w' = w;", "'w' is not declared"),
        ("x >= 1 -> x' = x,;", "expected a variable"),
        ("x' = x;", "expected '>=' or '='"),
    ] {
        let error = rules(text).unwrap_err();
        assert!(error.message.contains(part), "{text}: {error}");
    }
}

#[test]
fn errors_say_where_and_what() {
    for (text, line, column, part) in [
        ("", 1, 1, "no content"),
        ("# nothing\n", 2, 1, "no content"),
        ("rules\n", 1, 1, "where 'vars' should come"),
        ("x\n", 1, 1, "expected the section 'vars'"),
        ("vars\nrules\n", 2, 1, "at least one variable"),
        ("vars x\n", 2, 1, "the section 'rules' is missing"),
        ("vars x y x\n", 1, 10, "declared twice"),
        ("vars x 1\n", 1, 8, "name of a variable"),
        ("vars x\ninit\n", 2, 1, "where 'rules' should come"),
        ("vars x rules init\nx = 1\ny = 2\n", 3, 1, "several alternatives"),
        ("vars x y rules init\nx = 1,\ny = 2, x = 1\n", 3, 8, "second condition"),
        ("vars x rules init x <= 1 target", 1, 21, "use '=' or '>='"),
        ("vars x rules init x = 1\n", 2, 1, "the section 'target' is missing"),
        ("vars x rules init x = 1 target x = 0", 1, 34, "upward closed"),
        ("vars x rules init x = 1 target x >= 1 x >= 2", 1, 39, "a new line"),
        ("vars x rules init x = 1 target\nx >= 1\nrules", 3, 1, "order of sections"),
        ("vars x rules init x = 1 target x >= 1 invariants x > y", 1, 54, "expected a number"),
        ("vars x rules init x = 1 target x >= 1 invariants x = 1 vars", 1, 56, "order of sections"),
        ("vars é", 1, 6, "unexpected character 'é'"),
    ] {
        let error = match read(text) {
            Err(error) => error,
            Ok(input) => panic!("{text:?} was read as {input:?}"),
        };
        assert!(error.message.contains(part), "{text:?}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
    }
}

#[test]
fn a_question_may_be_left_to_the_command_line() {
    let input = read("vars x rules init target").unwrap();
    assert_eq!((input.init, input.targets.len()), (None, 0));
}

#[test]
fn what_a_net_cannot_say() {
    let system = System { shared_states: 1, local_states: 2, ..System::default() };
    let mut input = Input { system, init: None, targets: vec![] };
    input.system.transitions.push(transition(&[], &[], &[(0, &[0, 1])]));
    assert_eq!(print(&input), Err(NotExpressible::Choice(0)));
    input.system.shared_states = 2;
    assert_eq!(print(&input), Err(NotExpressible::SharedStates(2)));
    let none = System { shared_states: 1, ..System::default() };
    assert_eq!(print(&Input { system: none, init: None, targets: vec![] }), Err(NotExpressible::NoVariables));
}

#[test]
fn odd_names_are_replaced() {
    let local_names = vec!["a b".to_owned(), "init".to_owned()];
    let system = System { shared_states: 1, local_states: 2, local_names, ..System::default() };
    let text = print(&Input { system, init: None, targets: vec![State::new(0, [1])] }).unwrap();
    assert_eq!(read(&text).unwrap().system.local_names, ["l0", "l1"]);
}

const VARIABLES: u32 = 4;

/// An effect: the variables on the right side and the constant.
type Sum = (Vec<Local>, i64);

/// The effect of a rule on a state by direct evaluation; `None` when the rule cannot be applied.
fn evaluate(guards: &[(Local, u32)], effects: &[(Local, Sum)], state: &[u32]) -> Option<Vec<u32>> {
    if guards.iter().any(|&(v, k)| state[v as usize] < k) {
        return None;
    }
    let mut after = state.to_vec();
    for (variable, (sources, constant)) in effects {
        let sum: i64 = sources.iter().map(|&w| i64::from(state[w as usize])).sum();
        after[*variable as usize] = u32::try_from(sum + constant).ok()?;
    }
    Some(after)
}

/// What a transition without choices does.
fn apply(t: &Transition, state: &[u32]) -> Option<Vec<u32>> {
    let mut after = vec![0; state.len()];
    for (local, &count) in state.iter().enumerate() {
        let rest = count.checked_sub(t.consume.count(local as Local))?;
        match t.transfer(local as Local).map(|rule| rule.to.as_slice()) {
            None => after[local] += rest,
            Some([]) => {}
            Some(&[to]) => after[to as usize] += rest,
            Some(_) => panic!("a choice in a rule of a net"),
        }
    }
    for &(local, count) in t.produce.pairs() {
        after[local as usize] += count;
    }
    Some(after)
}

fn guards() -> impl Strategy<Value = Vec<(Local, u32)>> {
    prop::collection::vec((0..VARIABLES, 0..3u32), 0..4)
}

fn effect_list() -> impl Strategy<Value = Vec<(Local, Sum)>> {
    let sum = (prop::collection::vec(0..VARIABLES, 0..3), -2..3i64);
    prop::collection::btree_map(0..VARIABLES, sum, 0..4).prop_map(|map| map.into_iter().collect())
}

/// Effects in which every variable has at most one destination: those that are always supported, up to signs.
fn moving_effects() -> impl Strategy<Value = Vec<(Local, Sum)>> {
    prop::collection::vec((0..=VARIABLES, -2..3i64), VARIABLES as usize).prop_map(|destinations| {
        let sum = |v: Local| {
            let goes_to = |w: &Local| destinations[*w as usize].0 == v;
            ((0..VARIABLES).filter(goes_to).collect(), destinations[v as usize].1)
        };
        (0..VARIABLES).map(|v| (v, sum(v))).collect()
    })
}

fn rule_text(guards: &[(Local, u32)], effects: &[(Local, Sum)]) -> String {
    let guards: Vec<_> = guards.iter().map(|(v, k)| format!("v{v} >= {k}")).collect();
    let show = |(v, (sources, constant)): &(Local, Sum)| {
        let mut terms: Vec<_> = sources.iter().map(|w| format!("v{w} + ")).collect();
        terms.push(if *constant < 0 { format!("0 - {}", -constant) } else { constant.to_string() });
        format!("v{v}' = {}", terms.concat())
    };
    let effects: Vec<_> = effects.iter().map(show).collect();
    let init = "v0 = 0 target v0 >= 1";
    format!("vars v0 v1 v2 v3 rules {} -> {}; init {init}", guards.join(","), effects.join(","))
}

fn threads() -> impl Strategy<Value = Multiset> {
    prop::collection::vec(0..VARIABLES, 0..5).prop_map(|threads| threads.into_iter().collect())
}

fn net_transition() -> impl Strategy<Value = Transition> {
    let transfers = prop::collection::btree_map(0..VARIABLES, prop::option::of(0..VARIABLES), 0..3);
    (threads(), threads(), transfers).prop_map(|(consume, produce, transfers)| {
        let rule = |(from, to): (Local, Option<Local>)| {
            (to != Some(from)).then(|| Transfer { from, to: to.into_iter().collect() })
        };
        let transfers = transfers.into_iter().filter_map(rule).collect();
        Transition { from: 0, to: 0, consume, produce, transfers }
    })
}

fn net() -> impl Strategy<Value = Input> {
    let init =
        (threads(), prop::collection::btree_set(0..VARIABLES, 0..3)).prop_map(|(bounded, unbounded)| {
            InitialStates { shared: 0, bounded, unbounded: unbounded.into_iter().collect() }
        });
    let transitions = prop::collection::vec(net_transition(), 0..5);
    let targets = prop::collection::vec(threads().prop_map(|threads| State { shared: 0, threads }), 0..3);
    (transitions, prop::option::of(init), targets).prop_map(|(transitions, init, targets)| {
        let local_names = (0..VARIABLES).map(|v| format!("v{v}")).collect();
        let lines = vec![];
        let system = System { shared_states: 1, local_states: VARIABLES, transitions, lines, local_names };
        Input { system, init, targets }
    })
}

proptest! {
    #[test]
    fn transitions_do_what_rules_say(
        guards in guards(),
        effects in prop_oneof![effect_list(), moving_effects()],
        states in prop::collection::vec(prop::collection::vec(0..4u32, VARIABLES as usize), 8),
    ) {
        if let Ok(input) = read(&rule_text(&guards, &effects)) {
            let transition = &input.system.transitions[0];
            for state in &states {
                prop_assert_eq!(apply(transition, state), evaluate(&guards, &effects, state));
            }
        }
    }

    #[test]
    fn moving_effects_are_supported(guards in guards(), effects in moving_effects()) {
        let effects: Vec<_> = effects.into_iter().map(|(v, (sources, c))| (v, (sources, c.max(0)))).collect();
        prop_assert!(read(&rule_text(&guards, &effects)).is_ok());
    }

    #[test]
    fn printed_nets_are_read_back(net in net()) {
        let mut back = read(&print(&net).unwrap()).unwrap();
        prop_assert_eq!(back.system.lines.len(), net.system.transitions.len());
        back.system.lines.clear();
        prop_assert_eq!(back, net);
    }

    #[test]
    fn read_nets_are_printed_and_read_back(guards in guards(), effects in effect_list()) {
        if let Ok(mut input) = read(&rule_text(&guards, &effects)) {
            let mut back = read(&print(&input).unwrap()).unwrap();
            input.system.lines.clear();
            back.system.lines.clear();
            prop_assert_eq!(back, input);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = read(&text);
    }

    #[test]
    fn no_sequence_of_tokens_makes_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60),
        start in prop::sample::select(vec!["", "vars x y z rules ", "vars x y rules init ", "vars x rules init target "]),
    ) {
        let _ = read(&format!("{start}{}", words.join(" ")));
    }
}

const WORDS: [&str; 28] = [
    "vars",
    "rules",
    "init",
    "target",
    "invariants",
    "true",
    "x",
    "y",
    "z",
    "'",
    "->",
    ">=",
    "=",
    "<=",
    "+",
    "-",
    ",",
    ";",
    "0",
    "1",
    "4294967295",
    "99999999999",
    "#",
    "\n",
    "x >= 1 ->",
    "x' = x + y",
    "é",
    "y' = 0,",
];
