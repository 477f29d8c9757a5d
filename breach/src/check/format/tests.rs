//! Proofs and runs survive being written and read; broken files are told apart.

use super::*;
use crate::check::samples::*;
use crate::diagnostics::{Diagnostic, Source};
use crate::proof::{Invariant, Proof};
use crate::system::{Local, Multiset, State, System};
use crate::trace::{Move, Role, Step, Trace};
use proptest::prelude::*;

fn source(text: &str) -> Source<'_> {
    Source { name: "t", text }
}

/// The names of local states, if they have any.
fn name_them(system: &mut System, named: bool) {
    if named {
        system.local_names = ["end", "a.b$c@1", "_", "vanishes"].map(String::from).to_vec();
    }
}

fn small_proof() -> (System, Proof) {
    let system = system(RUNNING);
    let invariant = Invariant { shared: vec![(0, 0), (3, -1)], locals: vec![(2, 1)], bound: 1 };
    let proof = Proof { invariants: vec![invariant], ..proof(&system, "0/0", "2|", "2| 0|2,2 3|2^5") };
    (system, proof)
}

const SMALL_PROOF: &str = "breach-proof 1
system 4 3
init 0/0
target 2|
element 2|
element 0|2,2
element 3|2^5
invariant 1 : 0:0 3:-1 | 2:1
end
";

fn small_trace() -> (System, Trace) {
    let system = system("2 4\n# a comment\n0 0 -> 1 0 1 ~> 2\n1 0 +> 1 3\n");
    let one = |thread, from, to, role| Move { thread, from, to, role };
    let trace = Trace {
        shared: 0,
        threads: vec![0, 1],
        steps: vec![
            Step {
                transition: 0,
                moves: vec![one(0, Some(0), Some(0), Role::Active), one(1, Some(1), Some(2), Role::Passive)],
            },
            Step {
                transition: 1,
                moves: vec![one(0, Some(0), Some(0), Role::Active), one(2, None, Some(3), Role::Active)],
            },
        ],
        target: State::new(1, [2, 3]),
    };
    (system, trace)
}

const SMALL_TRACE: &str = "breach-trace 1
system 2 4
init 0|0,1
target 1|2,3
thread 0 at 0
thread 1 at 1
step 1 transition 0 line 3 : 0|0 -> 1|0
  thread 0 active 0 -> 0
  thread 1 passive 1 -> 2
  # now 1|0,2
step 2 transition 1 line 4 : 1|0 -> 1|0,3
  thread 0 active 0 -> 0
  thread 2 appears in 3
  # now 1|0,2,3
end
";

#[test]
fn examples_look_like_the_documentation() {
    let (system, proof) = small_proof();
    assert_eq!(write_proof(&system, &proof), SMALL_PROOF);
    assert_eq!(parse_proof(source(SMALL_PROOF), &system), Ok(proof));
    let (system, trace) = small_trace();
    assert_eq!(write_trace(&system, &trace), SMALL_TRACE);
    assert_eq!(parse_trace(source(SMALL_TRACE), &system), Ok(trace));
}

#[test]
fn blanks_comments_and_line_ends_do_not_matter() {
    let (system, proof) = small_proof();
    let text =
        SMALL_PROOF.replace('\n', "  # a comment: end\r\n\r\n\t").replace(',', " , ").replace(':', " : ");
    assert_eq!(parse_proof(source(&text), &system), Ok(proof));
    let (system, trace) = small_trace();
    let text = SMALL_TRACE.replace("->", " -> ").replace(" line 3", "").replace("line 4", "line 99");
    assert_eq!(parse_trace(source(text.trim_end()), &system), Ok(trace));
}

#[test]
fn every_file_that_is_cut_off_is_refused() {
    let (system, _) = small_proof();
    for end in 0..SMALL_PROOF.len() - 1 {
        assert!(parse_proof(source(&SMALL_PROOF[..end]), &system).is_err(), "{end}");
    }
    let error = parse_proof(source(SMALL_PROOF.strip_suffix("end\n").unwrap()), &system).unwrap_err();
    assert_eq!((error.line, error.column), (9, 1));
    assert!(error.message.contains("cut off"), "{error}");
    let (system, _) = small_trace();
    for end in 0..SMALL_TRACE.len() - 1 {
        assert!(parse_trace(source(&SMALL_TRACE[..end]), &system).is_err(), "{end}");
    }
}

/// Replaces a part of a good text and expects an error at a position with a part of the message.
fn refused<T: std::fmt::Debug>(
    text: &str,
    parse: impl Fn(Source<'_>) -> Result<T, Diagnostic>,
    cases: &[(&str, &str, usize, usize, &str)],
) {
    for (old, new, line, column, part) in cases {
        assert!(text.contains(old), "{old}");
        let error = parse(source(&text.replacen(old, new, 1))).unwrap_err();
        assert_eq!((error.line, error.column), (*line, *column), "{old} -> {new}: {error}");
        assert!(error.message.contains(part), "{old} -> {new}: {error}");
    }
}

#[test]
fn bad_proofs_are_refused_with_a_position() {
    let (system, _) = small_proof();
    let cases = [
        ("breach-proof 1", "breach-trace 1", 1, 1, "expected 'breach-proof 1'"),
        ("breach-proof 1", "breach-proof 2", 1, 14, "version 2"),
        ("breach-proof 1", "breach-proof", 1, 13, "expected the version of the format, found the end"),
        ("breach-proof 1", "breach-proof 1 x", 1, 16, "expected the end of the line, found 'x'"),
        ("system 4 3", "system 4 4", 2, 8, "4 shared and 4 local states, but the system has 4 and 3"),
        ("system 4 3", "init 0/0", 2, 1, "expected 'system', found 'init'"),
        ("init 0/0", "init 0/3", 3, 8, "local state 3 is out of range: the system has 3"),
        ("init 0/0", "init 0/", 3, 8, "expected a local state, found the end of the line"),
        ("init 0/0", "", 4, 1, "expected 'init'"),
        ("target 2|", "target 2", 4, 9, "expected '|'"),
        ("target 2|", "target 2|x", 4, 10, "unknown local state 'x'"),
        ("target 2|", "target 2/1", 4, 9, "expected '|', found '/1'"),
        ("target 2|", "targets 2|", 4, 1, "expected 'target', 'element', 'invariant' or 'end'"),
        ("element 0|2,2", "element 4|2,2", 6, 9, "shared state 4 is out of range"),
        ("element 0|2,2", "element 0|2,", 6, 13, "expected a local state"),
        ("element 0|2,2", "element 0|2 2", 6, 13, "expected the end of the line, found '2'"),
        ("element 0|2,2", "element 0|2^0", 6, 13, "at least 1"),
        ("element 0|2,2", "element 0|2^4294967296", 6, 13, "out of range"),
        ("element 0|2,2", "element 0|\u{e9}", 6, 11, "expected the end of the line, found '\u{e9}'"),
        ("invariant 1", "invariant x", 8, 11, "expected the bound"),
        ("invariant 1", "invariant 9223372036854775808", 8, 11, "the bound of the invariant is out of range"),
        ("1 : 0:0", "1 0:0", 8, 13, "expected ':'"),
        ("0:0 3:-1", "3:0 3:-1", 8, 19, "ascending"),
        ("3:-1 | 2:1", "3:-1", 8, 23, "expected a shared state, found the end of the line"),
        ("2:1", "2:-1", 8, 28, "a weight is out of range"),
        ("2:1", "2", 8, 27, "expected ':'"),
        ("end\n", "end of it\n", 9, 5, "expected the end of the line"),
        ("end\n", "end\n\nend\n", 11, 1, "unexpected text after 'end'"),
    ];
    refused(SMALL_PROOF, |text| parse_proof(text, &system), &cases);
}

#[test]
fn bad_traces_are_refused_with_a_position() {
    let (system, _) = small_trace();
    let cases = [
        ("init 0|0,1", "init 0|0", 3, 6, "does not have the threads"),
        ("init 0|0,1", "init 0|0,1/1", 3, 11, "expected the end of the line"),
        ("target 1|2,3", "goal 1|2,3", 4, 1, "expected 'target'"),
        ("thread 1 at 1", "thread 2 at 1", 6, 8, "expected thread 1"),
        ("thread 1 at 1", "thread 1 active 1 -> 1", 6, 10, "expected 'at'"),
        ("step 1", "step 2", 7, 6, "expected step 1"),
        ("transition 0", "transition 2", 7, 19, "the system has 2, counted from 0"),
        ("line 3 : 0|0 -> 1|0", "line 3 : 0|0 -> 1|1", 7, 30, "transition 0 of the system is 0|0 -> 1|0"),
        ("line 3 :", "line :", 7, 26, "expected the line"),
        ("thread 1 passive 1 -> 2", "thread 1 passive 1 -> 4", 9, 25, "out of range"),
        ("thread 1 passive 1 -> 2", "thread 1 passive 1", 9, 21, "expected '->' or 'vanishes'"),
        (
            "thread 1 passive 1 -> 2",
            "thread 1 idle 1 -> 2",
            9,
            12,
            "expected 'active', 'passive' or 'appears'",
        ),
        ("thread 1 passive 1 -> 2", "thread -1 passive 1 -> 2", 9, 10, "number of a thread is out of range"),
        ("thread 2 appears in 3", "thread 2 appears 3", 13, 20, "expected 'in'"),
        ("end\n", "END\n", 15, 1, "expected 'thread', 'step' or 'end'"),
    ];
    refused(SMALL_TRACE, |text| parse_trace(text, &system), &cases);
}

#[test]
fn large_states_are_shortened_in_comments_only() {
    let mut system = system("1 100\n0 0 -> 0 1\n");
    system.lines.clear();
    let one = Move { thread: 0, from: Some(0), to: Some(1), role: Role::Active };
    let trace = Trace {
        shared: 0,
        threads: (0..100).collect(),
        steps: vec![Step { transition: 0, moves: vec![one] }],
        target: State::new(0, [1, 1]),
    };
    let text = write_trace(&system, &trace);
    assert!(text.contains("step 1 transition 0 : 0|0 -> 0|1\n"), "{text}");
    assert!(text.contains("  # now 0|1,1,2,3,"), "{text}");
    assert!(text.contains(",39,40,.. and 59 more local states\n"), "{text}");
    assert_eq!(parse_trace(source(&text), &system), Ok(trace));
}

#[test]
fn what_cannot_be_replayed_cannot_be_read_back() {
    let (system, trace) = small_trace();
    for (from, to, role) in [(None, None, Role::Active), (None, Some(1), Role::Passive)] {
        let mut bad = trace.clone();
        bad.steps[0].moves.push(Move { thread: 2, from, to, role });
        assert!(parse_trace(source(&write_trace(&system, &bad)), &system).is_err());
    }
    let mut bad = trace;
    bad.steps[0].transition = 2;
    assert!(parse_trace(source(&write_trace(&system, &bad)), &system).is_err());
}

fn random_count() -> impl Strategy<Value = u32> {
    prop_oneof![1..6u32, Just(u32::MAX)]
}

fn random_counts() -> impl Strategy<Value = Multiset> {
    prop::collection::btree_map(0..LOCAL, random_count(), 0..4)
        .prop_map(|counts| Multiset::from_sorted(counts.into_iter().collect()))
}

fn random_proof() -> impl Strategy<Value = Proof> {
    let state = || (0..SHARED, random_counts()).prop_map(|(shared, threads)| State { shared, threads });
    let invariant = (
        prop::collection::btree_map(0..SHARED, any::<i64>(), 0..4),
        prop::collection::btree_map(0..LOCAL, any::<u32>(), 0..4),
        any::<i64>(),
    )
        .prop_map(|(shared, locals, bound)| Invariant {
            shared: shared.into_iter().collect(),
            locals: locals.into_iter().collect(),
            bound,
        });
    let states = || prop::collection::vec(state(), 0..5);
    (random_init(), states(), states(), prop::collection::vec(invariant, 0..3))
        .prop_map(|(init, targets, elements, invariants)| Proof { init, targets, elements, invariants })
}

fn random_move() -> impl Strategy<Value = Move> {
    let local = || 0..LOCAL;
    (any::<u32>(), prop::option::of(local()), prop::option::of(local()), any::<bool>())
        .prop_filter("has a notation", |(_, from, to, active)| from.is_some() || (to.is_some() && *active))
        .prop_map(|(thread, from, to, active)| Move {
            thread,
            from,
            to,
            role: if active { Role::Active } else { Role::Passive },
        })
}

fn random_trace() -> impl Strategy<Value = (System, Trace)> {
    let steps = prop::collection::vec((any::<usize>(), prop::collection::vec(random_move(), 0..4)), 0..6);
    let threads = prop::collection::vec(0..LOCAL, 0..6);
    (random_system(), any::<bool>(), 0..SHARED, threads, steps, random_state()).prop_map(
        |(mut system, lines, shared, threads, steps, target): (_, _, _, Vec<Local>, Vec<_>, _)| {
            let transitions = system.transitions.len();
            if lines {
                system.lines = (0..transitions as u32).collect();
            }
            let step = |(wish, moves): (usize, _)| Step { transition: wish % transitions, moves };
            let steps = if transitions == 0 { vec![] } else { steps.into_iter().map(step).collect() };
            (system, Trace { shared, threads, steps, target })
        },
    )
}

proptest! {
    #[test]
    fn proofs_are_read_back(mut system in random_system(), proof in random_proof(), named in any::<bool>()) {
        name_them(&mut system, named);
        let text = write_proof(&system, &proof);
        prop_assert_eq!(parse_proof(source(&text), &system), Ok(proof), "{}", text);
    }

    #[test]
    fn traces_are_read_back((mut system, trace) in random_trace(), named in any::<bool>()) {
        name_them(&mut system, named);
        let text = write_trace(&system, &trace);
        prop_assert_eq!(parse_trace(source(&text), &system), Ok(trace), "{}", text);
    }

    #[test]
    fn damaged_files_never_panic(
        (system, trace) in random_trace(),
        proof in random_proof(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4),
    ) {
        for text in [write_trace(&system, &trace), write_proof(&system, &proof)] {
            let mut characters: Vec<char> = text.chars().collect();
            for (place, character) in &damage {
                let place = place.index(characters.len());
                characters[place] = *character;
            }
            let damaged: String = characters.into_iter().collect();
            let _ = parse_trace(source(&damaged), &system).map_err(|e| e.to_string());
            let _ = parse_proof(source(&damaged), &system).map_err(|e| e.to_string());
        }
    }
}
