//! How fast solvers answer: a new solver for every question, `push` and `pop`, assumptions. Run with
//! `cargo test --release -p smt --test solvers -- --ignored --nocapture speed`.

use std::time::Instant;

use smt::{Answer, Config, Term, create};

use super::random::Random;
use super::{bits, choices};

/// Assignments between two states, and atoms over both.
fn problem(random: &mut Random, width: u32) -> (Term, Vec<Term>) {
    let old: Vec<Term> = (0..8).map(|number| bits(&format!("old{number}"), width)).collect();
    let new: Vec<Term> = (0..8).map(|number| bits(&format!("new{number}"), width)).collect();
    let mut step = Vec::new();
    for &target in &new {
        let (a, b) = (random.pick(&old), random.pick(&old));
        let value = match random.below(4) {
            0 => a.bv_add(b),
            1 => a.bv_sub(b),
            2 => a.bv_add(Term::bv(width, 1)),
            _ => a.slt(b).ite(a, b),
        };
        step.push(target.equals(value));
    }
    let atom = |_| {
        let side = if random.coin() { &old } else { &new };
        let (a, b) = (random.pick(side), random.pick(side));
        match random.below(3) {
            0 => a.slt(b),
            1 => a.bv_add(Term::bv(width, 3)).equals(b),
            _ => a.ult(Term::bv(width, random.below(100) as u128)),
        }
    };
    (Term::and_all(step), (0..12).map(atom).collect())
}

#[test]
#[ignore = "measures"]
fn questions_per_second() {
    for choice in choices() {
        for width in [8, 32] {
            for (mode, number) in [("new", 300), ("push and pop", 2000), ("assumptions", 2000)] {
                let mut random = Random::new(7);
                let (step, atoms) = problem(&mut random, width);
                let config = Config { check_models: false, ..Config::default() };
                let mut solver = create(&choice, &config).unwrap();
                solver.assert(step).unwrap();
                let mut sat = 0;
                let start = Instant::now();
                for _ in 0..number {
                    let mut literal = || {
                        let atom = random.pick(&atoms);
                        if random.coin() { atom } else { atom.not() }
                    };
                    let cube = [literal(), literal(), literal(), literal()];
                    let answer = match mode {
                        "new" => {
                            let mut solver = create(&choice, &config).unwrap();
                            solver.assert(step.and(Term::and_all(cube))).unwrap();
                            solver.check().unwrap()
                        }
                        "push and pop" => {
                            solver.push().unwrap();
                            solver.assert(Term::and_all(cube)).unwrap();
                            let answer = solver.check().unwrap();
                            solver.pop().unwrap();
                            answer
                        }
                        _ => solver.check_assuming(&cube).unwrap(),
                    };
                    sat += usize::from(answer == Answer::Sat);
                }
                let rate = number as f64 / start.elapsed().as_secs_f64();
                println!(
                    "{choice}, {width} bits, {mode}: {rate:.0} questions per second, {sat} of {number} sat"
                );
            }
        }
    }
}
