//! Proofs that hold, and every way in which one can be wrong.

use super::*;
use crate::check::brute::{coverable_within, successors};
use crate::check::samples::*;
use crate::system::Transfer;
use proptest::prelude::*;

/// Figures 17 and 20 of the thesis.
const CLASSICAL: &str = "2| 1|2 0|2,2 3|2,2,2 3|1,2,2 3|1,1,2 3|1,1,1 0|0,1,1 0|0,1,2";
const WIDENED: &str = "2| 1| 0|2 3|2,2 3|1,2 3|1,1 0|1";

fn running(elements: &str) -> Result<Summary, Flaw> {
    let system = system(RUNNING);
    verify(&system, &proof(&system, "0/0", "2|", elements))
}

/// The element, the transition and the predecessor of a missing predecessor, as text.
fn missing(result: Result<Summary, Flaw>) -> (String, usize, String) {
    match result {
        Err(Flaw::PredecessorMissing { shown, transition, shown_predecessor, .. }) => {
            (shown, transition, shown_predecessor)
        }
        other => panic!("expected a missing predecessor, got {other:?}"),
    }
}

#[test]
fn the_proofs_of_the_thesis_are_right() {
    let classical = running(CLASSICAL).unwrap();
    assert_eq!((classical.elements, classical.invariants, classical.max_threads), (9, 0, 3));
    let widened = running(WIDENED).unwrap();
    assert_eq!((widened.elements, widened.max_threads), (7, 2));
}

#[test]
fn every_element_is_needed() {
    for elements in [CLASSICAL, WIDENED] {
        let all: Vec<&str> = elements.split(' ').collect();
        for removed in &all {
            let rest: Vec<&str> = all.iter().copied().filter(|e| e != removed).collect();
            let flaw = running(&rest.join(" ")).unwrap_err();
            if *removed == "2|" {
                assert!(matches!(&flaw, Flaw::TargetMissing { target: 0, .. }), "{removed}: {flaw}");
                continue;
            }
            let Flaw::PredecessorMissing { shown_predecessor, .. } = &flaw else {
                panic!("{removed}: {flaw}")
            };
            // The widened proof has 0|1 for the predecessor 0|0,1.
            let expected = if *removed == "0|1" { "0|0,1" } else { removed };
            let expected = if elements == WIDENED && *removed == "1|" { "1|2" } else { expected };
            assert_eq!(shown_predecessor, expected, "{flaw}");
        }
    }
}

#[test]
fn changed_elements_are_noticed() {
    let with = |old: &str, new: &str| running(&WIDENED.replace(old, new));
    let flaw = with("0|2", "0|2,2").unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "element 1 (1|) has the predecessor 0|2 by transition 1 (line 3: 0|2 -> 1|0), which is not in the proof's set"
    );
    assert_eq!(missing(with("3|1,1", "3|1")), ("3|1".into(), 4, "0|0".into()));
    assert_eq!(
        with("0|1", "0|").unwrap_err().to_string(),
        "element 6 (0|) is covered by an initial state (0/0)"
    );
    // Not minimal, but a proof: the cover predecessor as it was before it was widened.
    assert!(with("0|1", "0|0,1").is_ok());
    assert_eq!(missing(with("0|1", "0|0,0,1")), ("3|1,1".into(), 4, "0|0,1".into()));
}

#[test]
fn larger_elements_than_needed_are_noticed_smaller_ones_too() {
    assert_eq!(missing(running("2| 1|2 0|2 3|2,2 3|1,2 3|1,1,1 0|1")).2, "3|1,1");
    assert!(matches!(running("2| 1| 0|2 3|2 3|1 0|1"), Err(Flaw::PredecessorMissing { .. })));
    assert!(matches!(running("2| 0|0"), Err(Flaw::InitialElement { element: 1, .. })));
}

#[test]
fn a_proof_for_another_question_does_not_count() {
    let system = system(RUNNING);
    let proof = proof(&system, "0/0", "2|", WIDENED);
    let problem = |start: &str, targets: &str| Problem {
        system: system.clone(),
        init: init(&system, start),
        targets: states(&system, targets),
    };
    assert!(verify_problem(&problem("0/0", "2|"), &proof).is_ok());
    let flaw = verify_problem(&problem("0/1", "2|"), &proof).unwrap_err();
    assert_eq!(flaw.to_string(), "the proof is about the initial states 0/0, the question about 0/1");
    let flaw = verify_problem(&problem("0/0", "2| 3|0"), &proof).unwrap_err();
    assert_eq!(flaw, Flaw::OtherTarget { target: "3|0".into() });
}

#[test]
fn states_that_do_not_exist_and_lists_in_disorder() {
    let system = system(RUNNING);
    let good = proof(&system, "0/0", "2|", WIDENED);
    let flaw = |change: &dyn Fn(&mut Proof)| {
        let mut bad = good.clone();
        change(&mut bad);
        verify(&system, &bad).unwrap_err().to_string()
    };
    assert_eq!(
        flaw(&|p| p.elements.push(State::new(4, []))),
        "element 7 has the shared state 4, but the system has only 4 of them"
    );
    assert!(flaw(&|p| p.elements.push(State::new(0, [3]))).contains("local state 3"));
    assert!(flaw(&|p| p.targets.push(State::new(9, []))).starts_with("target 1"));
    assert!(flaw(&|p| p.init.unbounded = vec![7]).starts_with("the initial state has the local state 7"));
    assert!(flaw(&|p| p.init.unbounded = vec![2, 0]).contains("ascending"));
    let invariant = |shared: &[(u32, i64)], locals: &[(u32, u32)]| Invariant {
        shared: shared.to_vec(),
        locals: locals.to_vec(),
        bound: 0,
    };
    assert!(flaw(&|p| p.invariants.push(invariant(&[(5, 0)], &[]))).starts_with("invariant 0"));
    assert!(flaw(&|p| p.invariants.push(invariant(&[], &[(1, 1), (1, 0)]))).contains("ascending"));
}

#[test]
fn transfers_move_the_element_back() {
    let system = system(TRANSFERS);
    let good = "1|1";
    let check = |targets: &str, elements: &str| verify(&system, &proof(&system, "0|0,1", targets, elements));
    // Before the step into shared state 1, a thread in 1 would have been in 1: but it moves on. Only the
    // active thread is in 1 then, and it goes to 0.
    assert!(check("1|1", good).is_ok());
    assert_eq!(missing(check("2|3", "2|3")), ("2|3".into(), 1, "1|0,2".into()));
    // A thread in 3 stays there, so it has two sources.
    assert_eq!(missing(check("2|3", "2|3 1|0,2")), ("2|3".into(), 1, "1|0,3".into()));
    assert_eq!(missing(check("2|3", "2|3 1|0,2 1|0,3")), ("1|0,2".into(), 0, "0|0,1".into()));
    assert!(matches!(check("2|3", "2|3 1|2 1|3 0|0,1 0|0,2"), Err(Flaw::InitialElement { element: 3, .. })));
}

#[test]
fn threads_with_several_sources_choose_independently() {
    let system = system("2 4\n0 0 -> 1 0 1 ~> 3 2 ~> 3 3 ~> 1\n");
    let check = |elements: &str| verify(&system, &proof(&system, "0|", "1|3,3", elements));
    assert!(check("1|3,3 0|0,1,1 0|0,1,2 0|0,2,2").is_ok());
    assert_eq!(missing(check("1|3,3 0|0,1,1 0|0,2,2")).2, "0|0,1,2");
    assert_eq!(missing(check("1|3,3 0|0,1,1 0|0,1,2")).2, "0|0,2,2");
    assert_eq!(missing(check("1|3,3 0|0,1,2 0|0,2,2")).2, "0|0,1,1");
    assert!(check("1|3,3 0|1 0|0,2,2").is_ok());
}

#[test]
fn spawns_and_vanishing_threads() {
    let spawn = system("1 3\n0 0 +> 0 1\n");
    let check = |elements: &str| verify(&spawn, &proof(&spawn, "0/2", "0|1,1", elements));
    assert!(check("0|0 0|1").is_ok());
    assert_eq!(missing(check("0|1,1")).2, "0|0,1");
    assert_eq!(missing(check("0|1")).2, "0|0");
    // Threads in 1 vanish: nobody is there after the step.
    let mut vanish = system("2 3\n0 0 -> 1 0\n");
    vanish.transitions[0].transfers = vec![Transfer { from: 1, to: vec![] }];
    assert!(verify(&vanish, &proof(&vanish, "0/0,1", "1|1", "1|1")).is_ok());
    assert_eq!(missing(verify(&vanish, &proof(&vanish, "0|1", "1|2", "1|2"))).2, "0|0,2");
}

/// One thread at a time in local state 1: shared state 1 says that the lock is taken.
const LOCK: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";

fn lock(
    text: &str,
    start: &str,
    targets: &str,
    elements: &str,
    invariant: Invariant,
) -> Result<Summary, Flaw> {
    let system = system(text);
    let proof = Proof { invariants: vec![invariant], ..proof(&system, start, targets, elements) };
    verify(&system, &proof)
}

fn mutual_exclusion() -> Invariant {
    Invariant { shared: vec![(0, 1), (1, 0)], locals: vec![(1, 1)], bound: 1 }
}

#[test]
fn an_invariant_replaces_elements() {
    let summary = lock(LOCK, "0/0", "1|1,1 0|1", "", mutual_exclusion()).unwrap();
    assert_eq!((summary.elements, summary.invariants), (0, 1));
    assert!(matches!(lock(LOCK, "0/0", "1|1", "", mutual_exclusion()), Err(Flaw::TargetMissing { .. })));
}

#[test]
fn invariants_that_break_or_do_not_hold_initially() {
    let grow = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n1 0 -> 1 1\n";
    assert_eq!(
        lock(grow, "0/0", "0|1", "", mutual_exclusion()).unwrap_err().to_string(),
        "invariant 0 can break: transition 2 (line 4: 1|0 -> 1|1) raises the weight of shared state and active threads from 0 to 1"
    );
    assert_eq!(
        lock(LOCK, "0/0,1", "0|1", "", mutual_exclusion()).unwrap_err().to_string(),
        "invariant 0 does not hold initially: any number of threads can start in 1, which has weight 1"
    );
    assert!(lock(LOCK, "1|1/0", "0|1", "", mutual_exclusion()).is_ok());
    assert_eq!(
        lock(LOCK, "1|1,1/0", "0|1", "", mutual_exclusion()).unwrap_err().to_string(),
        "invariant 0 does not hold initially: the initial states (1|1^2/0) have weight 2, which is above the bound 1"
    );
}

#[test]
fn invariants_and_transfers() {
    let moves = "2 3\n0 0 -> 1 1 2 ~> 1\n1 1 -> 0 0\n";
    assert_eq!(
        lock(moves, "0/0", "0|1", "", mutual_exclusion()).unwrap_err().to_string(),
        "invariant 0 can break: in transition 0 (line 2: 0|0 -> 1|1 2~>1), passive threads from 2 of weight 0 can move to 1 of weight 1"
    );
    // Nobody is ever in 2, which the elements say: then the rule is never used.
    assert!(lock(moves, "0/0", "0|1", "0|0,2 1|2", mutual_exclusion()).is_ok());
    assert!(lock("2 3\n0 0 -> 1 1 1 ~> 2\n", "0/0", "0|1", "", mutual_exclusion()).is_ok());
    // A transition that only fires inside the set may do what it likes.
    let never = "2 3\n0 0 -> 1 1\n1 1 -> 0 0\n0 2 -> 0 1 0 ~> 1\n";
    assert!(matches!(
        lock(never, "0/0", "0|1", "", mutual_exclusion()),
        Err(Flaw::WeightRaised { transition: 2, before: 1, after: 2, .. })
    ));
    assert!(lock(never, "0/0", "0|1", "0|2 1|2", mutual_exclusion()).is_ok());
}

#[test]
fn an_invariant_speaks_only_of_the_shared_states_it_lists() {
    let partial = || Invariant { shared: vec![(1, 0)], locals: vec![(1, 1)], bound: 1 };
    let flaw = lock(LOCK, "0/0", "1|1,1", "", partial()).unwrap_err();
    assert_eq!(
        flaw.to_string(),
        "invariant 0 can break: transition 0 (line 2: 0|0 -> 1|1) leads to shared state 1, of which the invariant speaks, from 0, of which it does not"
    );
    assert!(matches!(lock(LOCK, "0/0", "0|1,1", "", partial()), Err(Flaw::TargetMissing { .. })));
    // A shared state without predecessors need not be listed, and what follows it is free.
    let text = "3 2\n1 0 -> 1 0\n1 1 -> 0 0\n2 0 -> 1 1\n";
    assert!(lock(text, "1|1/0", "1|1,1", "2|", partial()).is_ok());
    assert!(lock(text, "0|1,1/1", "1|1,1", "2|", partial()).is_ok());
}

#[test]
fn predecessors_of_elements_may_violate_an_invariant() {
    // 0|1 is excluded by the invariant; the target 2| is reached from there only.
    let text = "3 2\n0 0 -> 1 1\n1 1 -> 0 0\n0 1 -> 2 1\n";
    assert!(lock(text, "0/0", "2|", "2|", mutual_exclusion()).is_ok());
    let without = system(text);
    assert_eq!(missing(verify(&without, &proof(&without, "0/0", "2|", "2|"))).2, "0|1");
}

#[test]
fn large_counts_do_not_blow_up() {
    let system = system("2 3\n0 0 -> 1 0 1 ~> 2 2 ~> 2\n");
    let element = State { shared: 1, threads: Multiset::from_sorted(vec![(2, 5_000)]) };
    let mut all = proof(&system, "0|", "1|2^5000", "");
    all.elements = vec![element];
    assert!(matches!(verify(&system, &all), Err(Flaw::PredecessorMissing { .. })));
    let below = |ones, twos| {
        let pairs = vec![(0, 1), (1, ones), (2, twos)];
        State { shared: 0, threads: Multiset::from_sorted(pairs.into_iter().filter(|p| p.1 > 0).collect()) }
    };
    all.elements.extend((0..=5_000).map(|ones| below(ones, 5_000 - ones)));
    assert!(verify(&system, &all).is_ok());
    all.elements.remove(2_345);
    assert!(matches!(verify(&system, &all), Err(Flaw::PredecessorMissing { .. })));
}

/// Adds missing predecessors until the judge has no more to ask for: the backward search of a judge that
/// knows nothing else. `None` if that takes too long.
fn saturate(problem: &Problem) -> Option<(Proof, Result<Summary, Flaw>)> {
    let mut proof = Proof {
        init: problem.init.clone(),
        targets: problem.targets.clone(),
        elements: problem.targets.clone(),
        invariants: vec![],
    };
    for _ in 0..60 {
        let result = verify_problem(problem, &proof);
        match result {
            Err(Flaw::PredecessorMissing { predecessor, .. }) => proof.elements.push(*predecessor),
            _ => return Some((proof, result)),
        }
    }
    None
}

/// All states with at most `size` threads.
fn all_states(size: usize) -> Vec<State> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..size {
        let more = |threads: &Vec<u32>| {
            let threads = threads.clone();
            let least = threads.last().copied().unwrap_or(0);
            (least..LOCAL).map(move |local| threads.iter().copied().chain([local]).collect::<Vec<u32>>())
        };
        last = last.iter().flat_map(more).collect();
        all.extend(last.iter().cloned());
    }
    (0..SHARED).flat_map(|s| all.iter().map(move |threads| State::new(s, threads.iter().copied()))).collect()
}

/// All states one step after `state`, by transition `id` or by any.
fn after(system: &System, state: &State, id: Option<usize>) -> Vec<State> {
    let by = |id: usize| successors(state, &system.transitions[id], 10_000).unwrap();
    let ids = id.map_or(0..system.transitions.len(), |id| id..id + 1);
    ids.flat_map(by).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn agrees_with_brute_force(problem in random_problem()) {
        let Some((proof, result)) = saturate(&problem) else { return Ok(()) };
        match result {
            Ok(_) => prop_assert_ne!(coverable_within(&problem, 5, 20_000), Some(true), "{:?}", proof),
            Err(Flaw::InitialElement { element, .. }) => {
                // Each element was asked for because a run leads from it to a target. Without transitions that
                // make threads, the smallest initial state above it has all that the run needs.
                let makes = |t: &Transition| t.produce.size() > t.consume.size();
                if problem.system.transitions.iter().any(makes) {
                    return Ok(());
                }
                let element = &proof.elements[element].threads;
                let extra = |&(l, c): &(u32, u32)| u64::from(c.saturating_sub(problem.init.bounded.count(l)));
                let extra: u64 = element.pairs().iter().map(extra).sum();
                let threads = (problem.init.bounded.size() + extra) as u32;
                prop_assert_ne!(coverable_within(&problem, threads, 20_000), Some(false), "{:?}", proof);
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn the_set_of_an_accepted_proof_is_closed(problem in random_problem(), weights in prop::collection::vec(0..3u32, 4),
        shared in prop::collection::btree_map(0..SHARED, -2..3i64, 0..4), bound in -2..4i64)
    {
        // An arbitrary invariant on top; where the judge accepts it, X must be closed all the same.
        let Some((mut proof, _)) = saturate(&problem) else { return Ok(()) };
        let locals = weights.iter().copied().enumerate().map(|(l, w)| (l as u32, w)).collect();
        proof.invariants.push(Invariant { shared: shared.into_iter().collect(), locals, bound });
        let result = verify_problem(&problem, &proof);
        let members = Members::new(&proof);
        let in_x = |state: &State| members.contain(state.shared, state.threads.pairs());
        match result {
            Ok(_) => {
                for state in all_states(4).iter().filter(|state| !in_x(state)) {
                    let next = after(&problem.system, state, None).into_iter().find(in_x);
                    prop_assert_eq!(next, None, "{} is not in X, but leads there", state);
                }
                prop_assert_ne!(coverable_within(&problem, 5, 20_000), Some(true));
            }
            Err(Flaw::PredecessorMissing { element, transition, predecessor, .. }) => {
                prop_assert!(!in_x(&predecessor));
                let next = after(&problem.system, &predecessor, Some(transition));
                prop_assert!(next.iter().any(|state| proof.elements[element].covered_by(state)));
            }
            Err(_) => {}
        }
    }
}
