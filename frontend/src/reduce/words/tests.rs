//! Words that are taken apart, and words that are not.

use super::*;
use crate::program::text::read;
use crate::program::validate::validate;

/// A ticket lock in one word, copied to `old`, with more steps.
fn lock(more: &str) -> Program {
    let mut program = read(&format!(
        "program 1
        shared lock: u32 = 65538
        shared sum: u32 = 0
        local old: u32 = 0
        local mine: u16 = 0
        location 0 live old, mine
        location 1 live old, mine
        main 0
        edge 0: 0 -> 1
          assign old := lock
          assign lock := (bvadd lock #x00010000)
        edge 1: 1 -> 1
          assign mine := ((_ extract 15 0) (bvlshr old #x00000010))
        edge 2: 1 -> 0
          guard (= mine ((_ extract 15 0) lock))
          assign lock := (concat ((_ extract 31 16) lock) (bvadd ((_ extract 15 0) lock) #x0001))
        {more}
        property p assertion \"p\" at 1
        "
    ))
    .unwrap();
    run(&mut program);
    assert_eq!(validate(&program, Default::default()), []);
    program
}

fn names(program: &Program) -> Vec<&str> {
    program.variables[4..].iter().map(|variable| variable.name.as_str()).collect()
}

#[test]
fn halves_are_counters() {
    let program = lock("");
    assert_eq!(names(&program), ["lock % 65536", "lock / 65536", "old % 65536", "old / 65536"]);
    let [serving, next, old, drawn] = [4, 5, 6, 7].map(|index: usize| &program.variables[index]);
    assert_eq!([serving, next].map(|part| part.init.clone()), [2, 1].map(|n| Some(Value::bits(16, n))));
    let one = Term::bv(16, 1);
    let draw = &program.edges[0];
    let assigned = |variable: &Variable| {
        let id = program.variables.iter().position(|other| other.name == variable.name).unwrap();
        draw.assigned(VariableId(id as u32))
    };
    assert_eq!(assigned(next), Some(next.term().bv_add(one)));
    assert_eq!(assigned(serving), None, "nothing is carried into the lower half, or out of it");
    assert_eq!([assigned(old), assigned(drawn)], [Some(serving.term()), Some(next.term())]);
    assert_eq!(program.edges[1].assign[0].1, drawn.term());
    assert_eq!(program.edges[2].guard, program.variables[3].term().equals(serving.term()));
}

#[test]
fn comparisons_are_those_of_the_parts() {
    let equal = lock("edge 3: 1 -> 0\n guard (= lock old)");
    let [a, b, c, d] = [4, 5, 6, 7].map(|index: usize| equal.variables[index].term());
    assert_eq!(equal.edges[3].guard, a.equals(c).and(b.equals(d)));
    let below = lock("edge 3: 1 -> 0\n guard (bvult lock #x00030000)");
    assert_eq!(below.edges[3].guard, b.ult(Term::bv(16, 3)));
    let above = lock("edge 3: 1 -> 0\n guard (bvult #x0002ffff lock)");
    assert_eq!(above.edges[3].guard, Term::bv(16, 2).ult(b));
}

#[test]
fn not_if_something_needs_the_word() {
    for more in [
        "edge 3: 1 -> 0\n assign lock := (bvadd lock #x00000001)",
        "edge 3: 1 -> 0\n guard (bvult lock #x00030001)",
        "edge 3: 1 -> 0\n guard (bvult lock old)",
        "edge 3: 1 -> 0\n assign sum := (bvmul sum lock)",
        "predicate (= lock #x00000000)",
    ] {
        assert!(names(&lock(more)).is_empty(), "{more}");
    }
}

#[test]
fn one_place_may_do_where_two_do_not() {
    let program = lock("edge 3: 1 -> 0\n guard (= ((_ extract 7 0) lock) #x00)");
    assert_eq!(names(&program).len(), 4, "the lower half is counted across bit 8");
}
