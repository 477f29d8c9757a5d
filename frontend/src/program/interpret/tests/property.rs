//! Random programs: all ways to explore agree, and runs replay.

use super::*;
use crate::program::random::{Shape, program_with};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// All reachable states by the public interface, the obvious way.
fn naive(interpreter: &Interpreter<'_>, domain: &InputDomain) -> Option<(usize, BTreeSet<String>)> {
    let variables = &interpreter.program().variables;
    if variables.iter().any(|variable| variable.init.is_none()) {
        return None;
    }
    let mut seen = BTreeSet::from([zero(interpreter)]);
    let mut violated = BTreeSet::new();
    let mut work: Vec<State> = seen.iter().cloned().collect();
    while let Some(state) = work.pop() {
        violated.extend(interpreter.violated(&state).into_iter().map(str::to_owned));
        for choice in interpreter.enabled(&state, domain).choices {
            let next = interpreter.step(&state, &choice).unwrap();
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    Some((seen.len(), violated))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn all_explorations_agree_and_runs_replay(seed: u64, threads in 1..4_usize, arrays: bool) {
        // Many threads with many unknown values have too many initial states.
        let program = program_with(seed, Shape { arrays, unknown: threads < 3, ..Shape::default() });
        let limits = Limits { states: 5_000, ..Limits::default() };
        let explored = |symmetry, forget_dead| {
            let options = ExploreOptions { limits, symmetry, forget_dead, ..ExploreOptions::default() };
            explore(&program, threads, &options).unwrap()
        };
        let plain = explored(false, false);
        prop_assume!(plain.stop != Some(Stop::States));
        let reduced = explored(true, false);
        let forgetful = explored(true, true);
        prop_assert!(!plain.sampled);
        if plain.complete {
            prop_assert!(reduced.states <= plain.states && forgetful.states <= reduced.states);
        }
        for other in [&reduced, &forgetful] {
            prop_assert_eq!(other.complete, plain.complete);
            prop_assert_eq!(other.violated.keys().collect::<Vec<_>>(), plain.violated.keys().collect::<Vec<_>>());
            for (name, run) in &other.violated {
                prop_assert_eq!(run.steps.len(), plain.violated[name].steps.len());
                let outcome = replay(&program, run).unwrap();
                prop_assert_eq!(outcome.violated.get(name), Some(&run.steps.len()));
            }
        }
        for seed in 0..10 {
            let found = random(&program, threads, seed, 50).unwrap();
            replay(&program, &found.run).unwrap();
            if let End::Violated(names) = found.end {
                prop_assert!(names.iter().all(|name| plain.violated.contains_key(name)));
            }
        }
    }

    #[test]
    fn exploration_is_what_the_steps_say(seed: u64, threads in 1..3_usize) {
        let mut program = program_with(seed, Shape { unknown: false, ..Shape::default() });
        let domain = InputDomain::default();
        let (_, violated) = naive(&Interpreter::new(&program, threads).unwrap(), &domain).unwrap();
        let exploration = all(&program, threads, true);
        prop_assert_eq!(exploration.violated.into_keys().collect::<BTreeSet<_>>(), violated);
        // Without properties nothing stops it early.
        program.properties.clear();
        let (states, _) = naive(&Interpreter::new(&program, threads).unwrap(), &domain).unwrap();
        let exploration = all(&program, threads, false);
        prop_assert_eq!((exploration.states, exploration.complete), (states, true));
    }
}
