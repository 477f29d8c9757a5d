//! Circuits against evaluation, clauses as text, limits of what can be translated, and deep terms.

use std::time::Instant;

use super::*;
use crate::bits::Bits;
use crate::eval::eval;
use crate::sat::{SatChoice, SatSolver, create};
use crate::solver::session::Session;
use crate::solver::{Answer, Config, Reason, Solver};
use crate::symbol::Symbol;
use crate::value::Value;

impl Blaster {
    /// The values of terms without arrays, as numbers, under assignments to their constants.
    pub(crate) fn simulate(
        &mut self,
        terms: &[Term],
        assignments: impl IntoIterator<Item = impl Fn(Symbol) -> u128>,
    ) -> Vec<Vec<u128>> {
        let limit = Limit::default();
        let words: Vec<Word> = terms.iter().map(|&term| self.word(term, &limit).unwrap()).collect();
        let mut values = Vec::new();
        for assignment in assignments {
            let mut inputs = FxHashMap::default();
            for (term, word) in &self.words {
                if let Some(name) = term.as_constant() {
                    let value = assignment(name);
                    inputs.extend(word.iter().enumerate().map(|(at, &bit)| (bit, value >> at & 1 == 1)));
                }
            }
            let gates = self.graph.evaluate(|input| inputs[&input]);
            let number =
                |word: &Word| word.iter().rev().fold(0, |sum, &bit| sum << 1 | u128::from(gates.of(bit)));
            values.push(words.iter().map(number).collect());
        }
        values
    }
}

fn constant(name: &str, sort: Sort) -> Term {
    Term::constant(Symbol::new(name), sort)
}

fn number(value: &Value) -> u128 {
    value.as_bits().and_then(Bits::to_u128).unwrap_or_else(|| u128::from(value.as_bool().unwrap()))
}

/// Every operator on two vectors, and some with a literal.
fn operations(x: Term, y: Term) -> Vec<Term> {
    let width = x.width();
    let mut all = vec![
        x.bv_not(),
        x.bv_neg(),
        x.bv_and(y),
        x.bv_or(y),
        x.bv_xor(y),
        x.bv_add(y),
        x.bv_sub(y),
        x.bv_mul(y),
        x.bv_udiv(y),
        x.bv_urem(y),
        x.bv_sdiv(y),
        x.bv_srem(y),
        x.bv_shl(y),
        x.bv_lshr(y),
        x.bv_ashr(y),
        x.ult(y),
        x.ule(y),
        x.slt(y),
        x.sle(y),
        x.equals(y),
        x.concat(y),
        x.sign_extend(3).bv_add(y.zero_extend(3)),
        x.slt(y).xor(x.ult(y)).ite(x, y.bv_not()),
        x.extract(width - 1, width / 2),
    ];
    for literal in [1, 3, 6, 11].map(|value| Term::bv(width, value)) {
        all.extend([x.bv_mul(literal), x.bv_udiv(literal), literal.bv_urem(x), literal.bv_sdiv(x)]);
        all.extend([x.bv_ashr(literal), literal.bv_shl(x), x.sle(literal), x.bv_srem(literal)]);
    }
    all
}

#[test]
fn every_operator_on_all_values() {
    for width in 1..=8 {
        let (x, y) = (constant("x", Sort::BitVec(width)), constant("y", Sort::BitVec(width)));
        let terms = operations(x, y);
        let mut blaster = Blaster::new();
        // All pairs of short vectors; of longer ones, every third, and those around zero.
        let edges =
            |value: &u128| width < 7 || value.is_multiple_of(3) || *value < 5 || *value > (1 << width) - 5;
        let pairs: Vec<(u128, u128)> = (0..1 << width)
            .filter(edges)
            .flat_map(|x| (0..1 << width).filter(edges).map(move |y| (x, y)))
            .collect();
        let assignments =
            pairs.iter().map(|&(x, y)| move |name: Symbol| if name.as_str() == "x" { x } else { y });
        for (values, &(x, y)) in blaster.simulate(&terms, assignments).iter().zip(&pairs) {
            let assignment =
                |name: Symbol, _: Sort| Some(Value::bits(width, if name.as_str() == "x" { x } else { y }));
            for (&term, &value) in terms.iter().zip(values) {
                assert_eq!(value, number(&eval(term, &assignment).unwrap()), "{term} at {x}, {y}");
            }
        }
    }
}

/// Reads clauses in the DIMACS format, and asks a SAT solver about them.
fn solve(text: &str, choice: SatChoice) -> (Option<bool>, Box<dyn SatSolver>) {
    let mut solver = create(choice);
    let mut lines = text.lines();
    let header: Vec<usize> =
        lines.next().unwrap().split(' ').skip(2).map(|word| word.parse().unwrap()).collect();
    let variables: Vec<Lit> = (0..header[0]).map(|_| solver.new_variable()).collect();
    for line in lines {
        let literals = line.strip_suffix(" 0").unwrap().split(' ');
        let literals = literals.map(|word| word.parse::<i32>().unwrap());
        let literal = |number: i32| {
            let variable = variables[number.unsigned_abs() as usize - 1];
            if number < 0 { !variable } else { variable }
        };
        solver.add_clause(&literals.map(literal).collect::<Vec<Lit>>());
    }
    assert_eq!(solver.clauses(), header[1]);
    let answer = solver.solve(&[], &Limit::default());
    (answer, solver)
}

#[test]
fn clauses_as_text() {
    let (x, y) = (constant("x", Sort::BitVec(8)), constant("y", Sort::BitVec(8)));
    let product = x.zero_extend(8).bv_mul(y.zero_extend(8)).equals(Term::bv(16, 221));
    let nontrivial = Term::bv(8, 1).ult(x).and(x.ult(y));
    for &choice in SatChoice::ALL {
        for (bound, expected) in [(200, true), (16, false)] {
            let mut blaster = Blaster::new();
            blaster.assert(product.and(nontrivial)).unwrap();
            blaster.assert(y.ult(Term::bv(8, bound))).unwrap();
            let below = blaster.literal(x.equals(Term::bv(8, 13))).unwrap();
            let mut text = Vec::new();
            blaster.write_dimacs(&mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let Size { variables, clauses } = blaster.size();
            assert!(text.starts_with(&format!("p cnf {variables} {clauses}\n")));
            assert!(variables <= blaster.gates() + 1, "{variables} variables");
            let (answer, solver) = solve(&text, choice);
            assert_eq!(answer, Some(expected), "{}", choice.name());
            // The only factors are 13 and 17.
            assert!(!expected || solver.value(below));
        }
    }
}

#[test]
fn ill_sorted_terms_are_refused() {
    let mut blaster = Blaster::new();
    assert!(matches!(blaster.assert(constant("x", Sort::BitVec(8))), Err(SolverError::NotBoolean(_))));
    assert!(matches!(blaster.literal(constant("x", Sort::BitVec(8))), Err(SolverError::NotBoolean(_))));
}

fn session(choice: SatChoice) -> Session<SatBackend> {
    Session::new(SatBackend::new(choice), &Config { check_models: true, ..Config::default() })
}

#[test]
fn terms_of_many_levels() {
    let (x, y) = (constant("x", Sort::BitVec(4)), constant("y", Sort::BitVec(4)));
    let deep = (0..100_000).fold(x, |term, level| term.bv_xor(y).bv_add(Term::bv(4, level % 15 + 1)));
    let sort = Sort::array(Sort::BitVec(32), Sort::BitVec(8));
    let (array, i, p) = (constant("array", sort), constant("i", Sort::BitVec(32)), constant("p", Sort::Bool));
    let literal = |level: u128| Term::bv(32, level);
    let known = (0..100_000).fold(array, |term, level| term.store(literal(level), Term::bv(8, level)));
    let small = Sort::array(Sort::BitVec(8), Sort::BitVec(8));
    let (j, k) = (constant("j", Sort::BitVec(8)), constant("k", Sort::BitVec(8)));
    let chosen = (0..100_000).fold(constant("small", small), |term, level| {
        let index = if level % 2 == 0 { j } else { k };
        p.ite(term.store(index, Term::bv(8, level)), term.store(index, Term::bv(8, 4)))
    });
    for &choice in SatChoice::ALL {
        let mut solver = session(choice);
        solver.assert(deep.equals(Term::bv(4, 7)).and(y.equals(Term::bv(4, 2)))).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        solver.assert(known.select(i.bv_and(literal(3))).equals(Term::bv(8, 2))).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        let (low, high) = (Term::bv(2, 2), i.extract(1, 0));
        assert_eq!(solver.check_assuming(&[low.distinct(high)]).unwrap(), Answer::Unsat);
        // The last of all stores at k has the number 99,999.
        let seven = Term::bv(8, 7);
        solver.assert(chosen.select(seven).equals(Term::bv(8, 99_999)).and(k.equals(seven))).unwrap();
        assert_eq!(solver.check_assuming(&[p.not()]).unwrap(), Answer::Unsat);
        assert_eq!(solver.check_assuming(&[p]).unwrap(), Answer::Sat);
    }
}

#[test]
fn translation_obeys_limits() {
    let x = constant("x", Sort::BitVec(64));
    let formula = (0..100).fold(x, |term, _| x.bv_udiv(term)).equals(Term::bv(64, 5));
    for &choice in SatChoice::ALL {
        let mut blaster = Blaster::new();
        let limit = Limit { deadline: Some(Instant::now()), ..Limit::default() };
        assert!(matches!(blaster.formula(formula, &limit), Err(Stop::Limit)));
        let mut solver = session(choice);
        solver.assert(formula).unwrap();
        solver.set_time_limit(Some(std::time::Duration::ZERO));
        assert_eq!(solver.check().unwrap(), Answer::Unknown(Reason::TimeLimit));
    }
}

#[test]
fn what_cannot_be_translated_has_no_answer() {
    let huge = constant("huge", Sort::BitVec(5000));
    let product = huge.bv_mul(huge).equals(Term::bv(5000, 4));
    let row = Sort::array(Sort::BitVec(32), Sort::Bool);
    let matrix = Sort::array(Sort::BitVec(32), row);
    let (one, two) = (constant("one", matrix), constant("two", matrix));
    let i = constant("i", Sort::BitVec(32));
    for &choice in SatChoice::ALL {
        for formula in [product, one.equals(two), one.select(i).equals(two.select(i))] {
            let mut solver = session(choice);
            solver.push().unwrap();
            solver.assert(formula).unwrap();
            let answer = solver.check().unwrap();
            assert!(matches!(answer, Answer::Unknown(Reason::Incomplete(_))), "{formula}");
            solver.pop().unwrap();
            // An equality that fails stays behind; nothing wrong may come of it.
            let after = solver.check_assuming(&[one.select(i).select(i)]).unwrap();
            assert!(!after.is_unsat(), "{formula}");
        }
    }
}

#[test]
fn leftovers_are_cleared_away() {
    let x = constant("x", Sort::BitVec(64));
    for &choice in SatChoice::ALL {
        let mut solver = session(choice);
        solver.assert(x.ult(Term::bv(64, 10))).unwrap();
        let mut largest = 0;
        for round in 0..12 {
            solver.push().unwrap();
            let square = x.bv_add(Term::bv(64, round)).bv_mul(x.bv_xor(Term::bv(64, round * 77)));
            solver.assert(square.equals(Term::bv(64, round * 77 * round))).unwrap();
            assert_eq!(solver.check_assuming(&[x.equals(Term::bv(64, 0))]).unwrap(), Answer::Sat);
            largest = largest.max(solver.size().unwrap().variables);
            solver.pop().unwrap();
        }
        assert!(largest < 120_000, "{largest} variables");
        assert_eq!(solver.check_assuming(&[x.equals(Term::bv(64, 11))]).unwrap(), Answer::Unsat);
    }
}
