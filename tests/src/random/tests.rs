//! Both answers and everything a family promises are frequent in it.

use super::*;
use crate::combination::Combination;
use crate::judge::ask_with;

fn share(problems: &[Problem], accept: impl Fn(&Problem) -> bool) -> f64 {
    problems.iter().filter(|p| accept(p)).count() as f64 / problems.len() as f64
}

#[test]
fn both_answers_are_frequent() {
    for family in Family::ALL {
        let problems: Vec<_> = (0..300).flat_map(|seed| family.problems(seed)).collect();
        let coverable = share(&problems, |p| {
            let answer = ask_with(p, &Combination::classical()).unwrap_or_else(|fault| panic!("{fault}"));
            answer.is_coverable().unwrap()
        });
        println!("{family:?}: {coverable:.2} coverable");
        assert!((0.2..0.8).contains(&coverable), "{family:?}: {coverable}");
    }
}

#[test]
fn questions_are_well_formed() {
    for problem in Family::ALL.iter().flat_map(|f| (0..200).flat_map(|seed| f.problems(seed))) {
        let System { shared_states, local_states, transitions, .. } = &problem.system;
        let threads = |m: &Multiset| m.pairs().iter().all(|p| p.0 < *local_states);
        for t in transitions {
            assert!(t.from.max(t.to) < *shared_states && threads(&t.consume) && threads(&t.produce));
            assert!(t.transfers.is_sorted_by(|a, b| a.from < b.from));
            for rule in &t.transfers {
                assert!(rule.from < *local_states && rule.to.is_sorted_by(|a, b| a < b));
                assert!(rule.to.iter().all(|l| l < local_states));
            }
        }
        assert!(problem.init.shared < *shared_states && threads(&problem.init.bounded));
        assert!(problem.init.unbounded.is_sorted_by(|a, b| a < b));
        assert!(problem.init.unbounded.iter().all(|l| l < local_states));
        assert!(!problem.targets.is_empty());
        assert!(problem.targets.iter().all(|t| t.shared < *shared_states && threads(&t.threads)));
    }
}

#[test]
fn families_differ_from_seed_to_seed_and_stay_the_same() {
    for family in Family::ALL {
        assert_eq!(family.problems(7), family.problems(7));
        assert_ne!(family.problems(7), family.problems(9));
    }
}

#[test]
fn special_cases_are_frequent() {
    let of = |family: Family| -> Vec<Problem> { (0..500).flat_map(|seed| family.problems(seed)).collect() };
    let has_transfers = |p: &Problem| !p.system.is_transfer_free();
    assert!(share(&of(Family::Dense), has_transfers) > 0.8);
    assert!(share(&of(Family::Dense), |p| p.init.unbounded.is_empty()) > 0.5);
    let chains = of(Family::Chains);
    assert!((0.2..0.8).contains(&share(&chains, has_transfers)));
    assert!(share(&chains, has_intermediate) > 0.3);
    let forced = of(Family::Forced);
    assert!((0.2..0.8).contains(&share(&forced, has_transfers)));
    assert!(share(&forced, has_forced_local) > 0.3);
    let heavy = |p: &Problem| p.system.transitions.iter().any(|t| t.consume.pairs().iter().any(|l| l.1 > 3));
    assert!(share(&of(Family::Weights), heavy) > 0.5);
    assert!(share(&of(Family::Locks), |p| !p.init.bounded.is_empty() && !p.init.unbounded.is_empty()) > 0.8);
}

/// A shared state with one way in and one way out, no loop, and no question about it.
fn has_intermediate(p: &Problem) -> bool {
    (0..p.system.shared_states).any(|s| {
        let count = |accept: fn(&Transition, Shared) -> bool| {
            p.system.transitions.iter().filter(|t| accept(t, s)).count()
        };
        s != p.init.shared
            && p.targets.iter().all(|t| t.shared != s)
            && count(|t, s| t.to == s) == 1
            && count(|t, s| t.from == s) == 1
            && count(|t, s| t.from == s && t.to == s) == 0
    })
}

/// A local state whose only way out is the same under all shared states.
fn has_forced_local(p: &Problem) -> bool {
    (0..p.system.local_states).any(|l| {
        let exits: Vec<_> = p.system.transitions.iter().filter(|t| t.consume.count(l) > 0).collect();
        exits.len() >= p.system.shared_states as usize
            && p.targets.iter().all(|t| t.threads.count(l) == 0)
            && exits.iter().all(|t| {
                t.from == t.to
                    && t.consume.size() == 1
                    && t.produce == exits[0].produce
                    && t.transfers.is_empty()
            })
    })
}
