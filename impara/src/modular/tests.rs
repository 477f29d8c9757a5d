//! Proofs without a tree of small programs, and what becomes of them when they are damaged.

use super::*;
use crate::check::check;
use crate::options::Verdict;
use crate::proof::Proof;
use frontend::program::text::read;
use smt::{Config, SolverChoice};

/// The initial thread counts to five under a lock and pushes; any number of others pop what is there.
const STACK: &str = "program 1
    shared full: bool = false
    shared lock: bool = false
    shared top: i8 = 0
    local i: i8 = 0
    location 0 live i
    location 1 live i
    location 2 live i
    location 3
    location 4
    location 5
    location 6
    location 7
    main 0
    pool 4
    edge 0: 0 -> 1
      guard (and (not lock) (bvslt i #x05))
      assign lock := true
    edge 1: 1 -> 3
      guard (= top #x05)
    edge 2: 1 -> 2
      guard (not (= top #x05))
      assign top := (bvadd top #x01)
      assign i := (bvadd i #x01)
    edge 3: 2 -> 0
      assign lock := false
      assign full := true
    edge 4: 4 -> 5
      guard full
      assign full := false
    edge 5: 5 -> 6
      guard (and (not lock) (bvslt #x00 top))
      assign lock := true
    edge 6: 6 -> 3
      guard (= top #x00)
    edge 7: 6 -> 5
      guard (not (= top #x00))
      assign top := (bvsub top #x01)
      assign lock := false
    property p assertion \"p\" at 3
    ";

fn program(text: &str) -> Program {
    read(text).unwrap()
}

fn proved(program: &Program) -> Option<Proof> {
    match crate::verify(program, &Options { max_nodes: 300, ..Options::default() }, false).unwrap().verdict {
        Verdict::Safe(proof) => Some(proof),
        _ => None,
    }
}

fn judge(program: &Program, proof: &Proof) -> bool {
    check(program, proof, &SolverChoice::default(), &Config::default()).is_ok()
}

#[test]
fn a_counter_bounds_the_other() {
    let program = program(STACK);
    let proof = proved(&program).unwrap();
    let modular = proof.modular.as_ref().unwrap();
    let shown: Vec<String> = modular.holds[0].iter().map(ToString::to_string).collect();
    assert!(
        shown.contains(&"(bvsle (bvadd top (bvneg i)) #x00)".to_owned())
            || shown.iter().any(|part| part.contains("top") && part.contains('i')),
        "{shown:?}"
    );
    // Two threads are never inside at once.
    assert!(!modular.together.contains(&(LocationId(1), LocationId(6))));
    let text = proof.write();
    let again = Proof::read(&text, &program).unwrap();
    assert_eq!(again, proof);
    assert!(judge(&program, &again), "{text}");
}

#[test]
fn what_is_not_safe_has_no_such_proof() {
    // The lock is not asked for; the bound is too low.
    for (right, wrong) in [
        ("guard (and (not lock) (bvslt #x00 top))", "guard (bvslt #x00 top)"),
        ("guard (= top #x05)", "guard (= top #x04)"),
    ] {
        assert!(STACK.contains(right));
        let changed = program(&STACK.replace(right, wrong));
        assert!(prove(&changed, &Options::default()).unwrap().is_none());
        // Nor does the proof of the other program fit.
        assert!(!judge(&changed, &proved(&program(STACK)).unwrap()));
    }
}

#[test]
fn damaged_proofs_are_rejected() {
    let program = program(STACK);
    let proof = proved(&program).unwrap();
    let (holds, together) = {
        let modular = proof.modular.as_ref().unwrap();
        (modular.holds.clone(), modular.together.clone())
    };
    let with = |holds: Vec<Vec<Term>>, together: BTreeSet<(LocationId, LocationId)>| Proof {
        nodes: Vec::new(),
        modular: Some(Modular { holds, together }),
    };
    for (number, parts) in holds.iter().enumerate() {
        // Too much is said.
        let mut more = holds.clone();
        more[number] = vec![Term::fls()];
        let was_false = parts.iter().any(|part| part.is_false());
        assert_eq!(judge(&program, &with(more, together.clone())), was_false, "location {number}");
    }
    // Too little is said at the error.
    let mut less = holds.clone();
    less[3].clear();
    assert!(!judge(&program, &with(less, together.clone())));
    // Two threads are said to be apart that are not.
    for gone in &together {
        let mut fewer = together.clone();
        fewer.remove(gone);
        assert!(!judge(&program, &with(holds.clone(), fewer)), "{gone:?}");
    }
    // Two threads are said to be inside at once: what one of them has tested does not last.
    let mut more = together;
    more.insert((LocationId(1), LocationId(6)));
    assert!(!judge(&program, &with(holds, more)));
}
