//! Random formulas: all back ends and, where it is possible, brute force agree.

use std::collections::HashMap;
use std::time::Duration;

use smt::{Answer, Solver, Symbol, Term, Value, eval};

use super::random::{Random, Terms};
use super::{choices, solver};

/// The answer by trying all values; every constant has at most so many bits.
fn brute_force(formula: Term) -> Answer {
    let constants = formula.constants();
    let bits: u32 = constants.iter().map(|constant| constant.width().max(1)).sum();
    for number in 0..1u128 << bits {
        let mut left = number;
        let mut take = |constant: &Term| -> (Symbol, Value) {
            let width = constant.width();
            let value = if width == 0 { Value::Bool(left & 1 == 1) } else { Value::bits(width, left) };
            left >>= width.max(1);
            (constant.as_constant().unwrap(), value)
        };
        let assignment: HashMap<Symbol, Value> = constants.iter().map(&mut take).collect();
        if eval(formula, &assignment) == Ok(Value::Bool(true)) {
            return Answer::Sat;
        }
    }
    Answer::Unsat
}

#[test]
fn small_formulas_against_brute_force() {
    let terms = Terms { width: 3, constants: 2, arrays: false, products: true };
    for choice in choices() {
        let mut solver = solver(&choice);
        let (mut sat, mut unsat) = (0, 0);
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let formula = Term::and_all((0..4).map(|_| terms.formula(&mut random, 3)));
            let expected = brute_force(formula);
            solver.push().unwrap();
            solver.assert(formula).unwrap();
            assert_eq!(solver.check().unwrap(), expected, "{choice}, seed {seed}: {formula}");
            solver.pop().unwrap();
            assert_eq!(
                solver.check_assuming(&[formula]).unwrap(),
                expected,
                "{choice}, seed {seed}: {formula}"
            );
            if expected.is_sat() { sat += 1 } else { unsat += 1 }
        }
        assert!(sat > 50 && unsat > 50, "{sat} sat, {unsat} unsat");
    }
}

/// Asks the same random questions, with random operations on the stack between them.
fn conversation(solver: &mut dyn Solver, terms: Terms, seed: u64) -> Vec<Answer> {
    let mut random = Random::new(seed);
    let mut answers = Vec::new();
    let mut depth = 0;
    for _ in 0..12 {
        match random.below(4) {
            0 => {
                solver.push().unwrap();
                depth += 1;
            }
            1 if depth > 0 => {
                solver.pop().unwrap();
                depth -= 1;
            }
            _ => solver.assert(terms.formula(&mut random, 3)).unwrap(),
        }
        let number = random.below(4);
        let assumptions: Vec<Term> = (0..number).map(|_| terms.formula(&mut random, 3)).collect();
        let answer = solver.check_assuming(&assumptions).unwrap();
        if answer.is_unsat() {
            let core = solver.unsat_core().unwrap();
            assert!(core.iter().all(|term| assumptions.contains(term)));
            assert_eq!(solver.check_assuming(&core).unwrap(), Answer::Unsat);
        }
        answers.push(answer);
    }
    (0..depth).for_each(|_| solver.pop().unwrap());
    answers
}

#[test]
fn all_back_ends_agree() {
    let choices = choices();
    let (mut asked, mut compared) = (0, 0);
    for (terms, seeds) in [
        (Terms { width: 5, constants: 3, arrays: false, products: true }, 15),
        (Terms { width: 3, constants: 2, arrays: true, products: true }, 15),
        (Terms { width: 7, constants: 2, arrays: true, products: false }, 10),
        (Terms { width: 12, constants: 2, arrays: true, products: false }, 15),
        (Terms { width: 67, constants: 2, arrays: false, products: false }, 10),
    ] {
        for seed in 0..seeds {
            let mut answers = Vec::new();
            for choice in &choices {
                let mut solver = solver(choice);
                solver.set_time_limit(Some(Duration::from_secs(1)));
                answers.push(conversation(solver.as_mut(), terms, seed));
            }
            for (other, choice) in answers.iter().zip(&choices) {
                for (answer, expected) in other.iter().zip(&answers[0]) {
                    // cvc5 cannot do all that arrays can do, and products of wide numbers take their time.
                    if !matches!((answer, expected), (Answer::Unknown(_), _) | (_, Answer::Unknown(_))) {
                        assert_eq!(answer, expected, "{choice}, seed {seed}, width {}", terms.width);
                        compared += 1;
                    }
                    asked += 1;
                }
            }
        }
    }
    eprintln!("{compared} of {asked} answers compared");
    assert!(compared * 20 > asked * 19, "{compared} of {asked}");
}
