//! Figures of the papers as tests, with the sizes of the trees: aliases (figure 1), covers against reduction (section IV-C, figure 5 of D. Kroening's tutorial).

use crate::options::{Options, Outcome, Reduction, Verdict};
use crate::verify;
use frontend::program::text::read;

fn run(text: &str, options: &Options) -> Outcome {
    verify(&read(text).unwrap(), &Options { modular: false, ..options.clone() }, false).unwrap()
}

/// Figure 1, with a claim that holds: two threads work on elements `i` and `j` of an array, which are different elements.
const ALIAS: &str = "program 1
    shared full1: bool = false
    shared full2: bool = false
    shared i: u8
    shared j: u8
    shared v: [i8; 256 by u8]
    shared done1: bool = false
    shared done2: bool = false
    location 0
    location 1
    location 2
    location 3
    location 4
    location 5
    location 6
    location 7
    location 8
    location 9
    location 10
    location 11
    location 12
    location 13
    location 14
    main 0
    pool 14
    edge 0: 0 -> 1
      guard (and (not full1) (not (= i j)))
      assign full1 := true
      assign v := (store (store v i #x00) j #x00)
    edge 1: 1 -> 2
      guard (not full2)
      assign full2 := true
    edge 2: 2 -> 3
      guard (and done1 done2)
    edge 3: 3 -> 4
      guard (not (bvslt (select v j) #x00))
    edge 4: 14 -> 5
      guard full1
      assign full1 := false
    edge 5: 14 -> 9
      guard full2
      assign full2 := false
    edge 6: 5 -> 6
      assign v := (store v i #x01)
    edge 7: 6 -> 7
      assign v := (store v i (bvadd (select v i) #x01))
    edge 8: 7 -> 8
      assign v := (store v i (select v j))
      assign done1 := true
    edge 9: 9 -> 10
      assign v := (store v j #xfe)
    edge 10: 10 -> 11
      assign v := (store v j (bvadd (select v j) #x01))
    edge 11: 11 -> 12
      assign v := (store v i (bvadd (select v i) #x01))
      assign done2 := true
    property p assertion \"p\" at 4
    ";

#[test]
fn different_elements_are_independent() {
    let monotonic = run(ALIAS, &Options::default());
    let full = run(ALIAS, &Options { reduction: Reduction::None, ..Options::default() });
    for outcome in [&monotonic, &full] {
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{:?}", outcome.verdict);
    }
    assert!(monotonic.statistics.skipped_by_alias >= 4, "{:?}", monotonic.statistics);
    assert_eq!((monotonic.statistics.nodes, full.statistics.nodes), (35, 50));
    // The labels say that the elements are different: the proof is accepted.
    let Verdict::Safe(proof) = &monotonic.verdict else { return };
    let program = read(ALIAS).unwrap();
    crate::check::check(&program, proof, &smt::SolverChoice::default(), &smt::Config::default()).unwrap();
}

#[test]
fn elements_that_may_be_the_same_are_not() {
    let same = ALIAS.replace("(and (not full1) (not (= i j)))", "(not full1)");
    let outcome = run(&same, &Options::default());
    assert!(matches!(outcome.verdict, Verdict::Bug(_)), "{:?}", outcome.verdict);
    assert_eq!(outcome.statistics.skipped_by_alias, 0);
}

/// A created thread may set `x` for a moment, the initial one looks at it. The way around the moment is independent of looking, so that the initial thread, which has the smaller number, does not look after it.
const MOMENT: &str = "program 1
    shared full: bool = false
    shared x: u8 = 0
    location 0
    location 1
    location 2
    location 3
    location 4
    location 5
    location 6
    location 7
    main 0
    pool 4
    edge 0: 0 -> 1
      guard (not full)
      assign full := true
    edge 1: 1 -> 6
      guard (not (= x #x00))
    edge 2: 4 -> 5
      guard full
      assign full := false
    edge 3: 5 -> 3
    edge 4: 5 -> 2
    edge 5: 2 -> 3
      assign x := #x01
    edge 6: 3 -> 7
      assign x := #x00
    property p assertion \"p\" at 6
    ";

#[test]
fn a_cover_expands_what_the_covered_node_would() {
    let lazy = Options { prune: false, force_limit: 0, ..Options::default() };
    // Whatever the order, the violation is found: also where the node with x = 1 is covered by the one without.
    for options in [Options::default(), lazy.clone(), Options { reduction: Reduction::None, ..lazy.clone() }]
    {
        let outcome = run(MOMENT, &options);
        assert!(matches!(outcome.verdict, Verdict::Bug(_)), "{:?}", outcome.verdict);
    }
    let outcome = run(MOMENT, &lazy);
    assert_eq!((outcome.statistics.nodes, outcome.statistics.by_cover), (11, 1));
    let safe = run(&MOMENT.replace("assign x := #x01", "assign x := #x00"), &lazy);
    assert!(matches!(safe.verdict, Verdict::Safe(_)));
    assert_eq!((safe.statistics.nodes, safe.statistics.by_cover), (12, 1));
}
