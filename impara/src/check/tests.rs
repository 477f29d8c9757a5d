//! Proofs of small programs, and what becomes of them when they are damaged.

use super::*;
use crate::options::{Options, Reduction, Verdict};
use crate::verify;
use frontend::program::text::read;

/// Two threads that take turns at a counter under a lock; the first one asks whether it was alone.
const LOCKED: &str = "program 1
    shared full: bool = false
    shared lock: bool = false
    shared x: u8 = 0
    shared y: u8 = 0
    local a: u8 = 0
    location 0
    location 1
    location 2
    location 3
    location 4
    location 5
    location 6
    location 7
    location 8
    main 0
    pool 5
    edge 0: 0 -> 1
      guard (not full)
      assign full := true
    edge 1: 1 -> 2
      guard (not lock)
      assign lock := true
      assign x := #x01
    edge 2: 2 -> 3
      guard (= x #x01)
      assign x := #x00
    edge 3: 2 -> 4
      guard (not (= x #x01))
    edge 4: 3 -> 1
      assign lock := false
    edge 5: 5 -> 6
      guard full
      assign full := false
    edge 6: 6 -> 7
      guard (not lock)
      assign lock := true
      assign x := #x02
    edge 7: 7 -> 8
      assign y := (bvadd y #x01)
    edge 8: 8 -> 6
      assign lock := false
    property p assertion \"p\" at 4
    ";

fn proof_of(program: &Program, reduction: Reduction) -> Proof {
    let options = Options { reduction, modular: false, ..Options::default() };
    match verify(program, &options, false).unwrap().verdict {
        Verdict::Safe(proof) => proof,
        other => panic!("{other:?}"),
    }
}

fn judge(program: &Program, proof: &Proof) -> Result<(), Rejected> {
    check(program, proof, &SolverChoice::default(), &Config::default())
}

#[test]
fn proofs_are_accepted_from_their_text() {
    let program = read(LOCKED).unwrap();
    for reduction in [Reduction::None, Reduction::Static, Reduction::Monotonic] {
        let proof = proof_of(&program, reduction);
        let text = proof.write();
        let again = Proof::read(&text, &program).unwrap();
        assert_eq!(again, proof);
        judge(&program, &again).unwrap_or_else(|rejected| panic!("{rejected}\n{text}"));
    }
}

#[test]
fn the_same_text_is_no_proof_of_another_program() {
    let proof = proof_of(&read(LOCKED).unwrap(), Reduction::Monotonic);
    // The second thread forgets to ask for the lock.
    let other = read(&LOCKED.replacen(
        "guard (not lock)\n      assign lock := true\n      assign x := #x02",
        "assign lock := true\n      assign x := #x02",
        1,
    ))
    .unwrap();
    assert!(judge(&other, &proof).is_err());
    // The lock is taken at first: all labels still follow, but not from there.
    let other = read(&LOCKED.replace("x: u8 = 0", "x: u8 = 7")).unwrap();
    assert!(judge(&other, &proof).is_err());
}

#[test]
fn damaged_labels_are_rejected() {
    let program = read(LOCKED).unwrap();
    let proof = proof_of(&program, Reduction::Monotonic);
    let mut damaged = 0;
    for number in 0..proof.nodes.len() {
        // What is not claimed is missing somewhere: at errors, in covers, or in what follows.
        if !proof.nodes[number].label.is_empty() && number > 0 {
            let mut weaker = proof.clone();
            weaker.nodes[number].label.clear();
            damaged += usize::from(judge(&program, &weaker).is_err());
        }
        // What is claimed too much does not follow, unless nobody gets here anyway.
        let mut stronger = proof.clone();
        stronger.nodes[number].label = vec![Term::fls()];
        let was_false = proof.nodes[number].label.contains(&Term::fls());
        assert_eq!(judge(&program, &stronger).is_ok(), was_false, "node {number}");
    }
    assert!(damaged > 0);
}

#[test]
fn damaged_covers_are_rejected() {
    let program = read(LOCKED).unwrap();
    let proof = proof_of(&program, Reduction::Monotonic);
    let covered: Vec<usize> =
        (0..proof.nodes.len()).filter(|&number| proof.nodes[number].cover.is_some()).collect();
    assert!(!covered.is_empty());
    for number in covered {
        let mut none = proof.clone();
        none.nodes[number].cover = None;
        assert!(judge(&program, &none).is_err(), "node {number} is not expanded");
        for by in [number, 0, proof.nodes.len()] {
            let mut other = proof.clone();
            other.nodes[number].cover = Some(by);
            assert!(judge(&program, &other).is_err(), "node {number} by {by}");
        }
    }
}

#[test]
fn damaged_reasons_are_rejected() {
    let program = read(LOCKED).unwrap();
    let proof = proof_of(&program, Reduction::Monotonic);
    let skips = proof.nodes.iter().map(|node| node.skips.len()).sum::<usize>();
    assert!(skips > 0, "{}", proof.write());
    let mut rejected = 0;
    for number in 1..proof.nodes.len() {
        let mut without = proof.clone();
        if !std::mem::take(&mut without.nodes[number].skips).is_empty() {
            rejected += usize::from(judge(&program, &without).is_err());
        }
        // A step that is expanded is left out instead: a leaf goes, and the parent says that it can wait.
        let node = &proof.nodes[number];
        let Some((parent, step)) = node.from.clone() else { continue };
        if number == proof.nodes.len() - 1 {
            let mut fewer = proof.clone();
            fewer.nodes.pop();
            fewer.nodes[parent].skips.push(step);
            assert!(judge(&program, &fewer).is_err());
        }
    }
    assert!(rejected > 0);
    let mut alone = proof_of(&program, Reduction::None);
    alone.nodes[1].alone = Some(1);
    assert!(judge(&program, &alone).is_err());
}
