//! Implied cubes and all-sat against brute force.

use std::collections::{BTreeSet, HashMap};

use smt::cubes::{Cube, End, Literal, all_sat, implied_cubes};
use smt::{Answer, Config, Symbol, Term, Value, create, eval};

use super::random::{Random, Terms};
use super::{bits, choices, solver, truth};

const TERMS: Terms = Terms { width: 2, constants: 2, arrays: false, products: true };

/// All assignments to the constants of random terms.
fn assignments() -> Vec<HashMap<Symbol, Value>> {
    let value = |name: &str, value: Value| (Symbol::new(name), value);
    let assignment = |number: u32| {
        HashMap::from([
            value("x0", Value::bits(2, u128::from(number))),
            value("x1", Value::bits(2, u128::from(number >> 2))),
            value("p0", Value::Bool(number >> 4 & 1 == 1)),
            value("p1", Value::Bool(number >> 5 & 1 == 1)),
        ])
    };
    (0..64).map(assignment).collect()
}

fn holds(term: Term, assignment: &HashMap<Symbol, Value>) -> bool {
    eval(term, assignment) == Ok(Value::Bool(true))
}

/// All sets of at most so many literals over distinct atoms, small ones first.
fn all_cubes(atoms: usize, size: usize) -> Vec<Vec<Literal>> {
    let mut cubes: Vec<Vec<Literal>> = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..size {
        let end = cubes.len();
        for cube in start..end {
            let first = cubes[cube].last().map_or(0, |literal| literal.0 + 1);
            for atom in first..atoms {
                for value in [true, false] {
                    let mut larger = cubes[cube].clone();
                    larger.push((atom, value));
                    cubes.push(larger);
                }
            }
        }
        start = end;
    }
    cubes
}

/// The cubes that imply the goal, and those that contradict the context.
fn brute_force(context: Term, atoms: &[Term], goal: Term, size: usize) -> [BTreeSet<Vec<Literal>>; 2] {
    let states: Vec<(Vec<bool>, bool)> = (assignments().iter())
        .filter(|assignment| holds(context, assignment))
        .map(|assignment| {
            (atoms.iter().map(|&atom| holds(atom, assignment)).collect(), holds(goal, assignment))
        })
        .collect();
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for cube in all_cubes(atoms.len(), size) {
        let smaller = |known: &Vec<Literal>| known.iter().all(|literal| cube.contains(literal));
        if found.iter().flatten().any(smaller) {
            continue;
        }
        let inside = |state: &&(Vec<bool>, bool)| cube.iter().all(|&(atom, value)| state.0[atom] == value);
        let states: Vec<_> = states.iter().filter(inside).collect();
        if states.is_empty() {
            found[1].insert(cube);
        } else if states.iter().all(|state| state.1) {
            found[0].insert(cube);
        }
    }
    found
}

fn literals(cubes: &[Cube]) -> BTreeSet<Vec<Literal>> {
    cubes.iter().map(|cube| cube.literals().to_vec()).collect()
}

#[test]
fn implied_cubes_against_brute_force() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let (mut implying, mut inconsistent) = (0, 0);
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let mut atoms: Vec<Term> = (0..5).map(|_| TERMS.formula(&mut random, 2)).collect();
            let mut seen = BTreeSet::new();
            atoms.retain(|atom| seen.insert(atom.to_string()));
            let (context, goal) = (TERMS.formula(&mut random, 3), TERMS.formula(&mut random, 2));
            let found = implied_cubes(solver.as_mut(), context, &atoms, goal, 3).unwrap();
            let expected = brute_force(context, &atoms, goal, 3);
            assert_eq!(literals(&found.implying), expected[0], "{choice}, seed {seed}");
            assert_eq!(literals(&found.inconsistent), expected[1], "{choice}, seed {seed}");
            assert_eq!(found.undecided, []);
            implying += found.implying.len();
            inconsistent += found.inconsistent.len();
        }
        assert!(implying > 50 && inconsistent > 50, "{implying} implying, {inconsistent} inconsistent");
        assert_eq!(solver.check().unwrap(), Answer::Sat, "nothing stays asserted");
    }
}

#[test]
fn models_save_questions() {
    let mut solver = solver(&choices()[0]);
    let (x, y) = (bits("x", 32), bits("y", 32));
    let atoms: Vec<Term> = (0..12).map(|number| x.ult(Term::bv(32, number * 7))).chain([x.ult(y)]).collect();
    let goal = y.ugt(Term::bv(32, 3));
    let found = implied_cubes(solver.as_mut(), Term::tru(), &atoms, goal, 3).unwrap();
    // Not below seven, and below y.
    let expected = Cube::clone(&found.implying[0]);
    assert_eq!(found.implying.len(), 11);
    assert_eq!(expected.literals(), [(1, false), (12, true)]);
    assert_eq!(expected.term(&atoms), x.ult(y).and(x.ult(Term::bv(32, 7)).not()));
    assert!(solver.statistics().queries < 200, "{:?}", solver.statistics());
}

#[test]
fn all_sat_against_brute_force() {
    for choice in choices() {
        let mut solver = solver(&choice);
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let terms: Vec<Term> = (0..4).map(|_| TERMS.formula(&mut random, 2)).collect();
            let formula = TERMS.formula(&mut random, 3);
            let rows: BTreeSet<Vec<bool>> = (assignments().iter())
                .filter(|assignment| holds(formula, assignment))
                .map(|assignment| terms.iter().map(|&term| holds(term, assignment)).collect())
                .collect();
            let rows: Vec<Vec<bool>> = rows.into_iter().collect();
            let found = all_sat(solver.as_mut(), formula, &terms, 100).unwrap();
            assert_eq!((found.rows, found.end), (rows.clone(), End::Complete), "{choice}, seed {seed}");
            let found = all_sat(solver.as_mut(), formula, &terms, 2).unwrap();
            assert_eq!(found.rows.len(), rows.len().min(2));
            assert_eq!(found.end == End::Limit, rows.len() >= 2);
            assert!(found.rows.iter().all(|row| rows.contains(row)));
        }
    }
}

#[test]
fn what_is_asserted_counts_and_stays() {
    let mut solver = solver(&choices()[0]);
    let (p, q) = (truth("p"), truth("q"));
    solver.assert(p.implies(q)).unwrap();
    let found = all_sat(solver.as_mut(), q.not(), &[p, q], 10).unwrap();
    assert_eq!(found.rows, [[false, false]]);
    let found = implied_cubes(solver.as_mut(), Term::tru(), &[p], q, 1).unwrap();
    assert_eq!(literals(&found.implying), BTreeSet::from([vec![(0, true)]]));
    assert_eq!(solver.check_assuming(&[p, q.not()]).unwrap(), Answer::Unsat);
    assert!(all_sat(solver.as_mut(), Term::tru(), &[bits("x", 8)], 10).is_err());
    assert_eq!(solver.check_assuming(&[q.not()]).unwrap(), Answer::Sat);
}

#[test]
fn an_interrupt_leaves_cubes_undecided() {
    let config = Config::default();
    let mut solver = create(&choices()[0], &config).unwrap();
    config.interrupt.stop();
    let found = implied_cubes(solver.as_mut(), Term::tru(), &[truth("p")], truth("q"), 1).unwrap();
    assert_eq!((found.implying.len(), found.inconsistent.len(), found.undecided.len()), (0, 0, 3));
    let found = all_sat(solver.as_mut(), Term::tru(), &[truth("p")], 5).unwrap();
    assert!(matches!(found.end, End::Unknown(_)));
}
