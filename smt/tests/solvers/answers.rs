//! Answers, models, cores and the stack, for every back end.

use smt::{Answer, Assignment, Op, SolverError, Sort, Symbol, Term, Value};

use super::{bits, choices, solver, truth};

#[test]
fn models_have_values_for_everything() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let sort = Sort::array(Sort::BitVec(8), Sort::BitVec(16));
        let (array, other) = (Term::constant(Symbol::new("a"), sort), Term::constant(Symbol::new("b"), sort));
        let (x, wide, p) = (bits("x", 8), bits("a wide one", 200), truth("p"));
        solver.declare(bits("unused", 3)).unwrap();
        solver.assert(array.select(x).equals(Term::bv(16, 0xbeef))).unwrap();
        solver.assert(array.distinct(other).and(p)).unwrap();
        let huge = Term::bv(200, 3).bv_shl(Term::bv(200, 150));
        solver.assert(wide.equals(huge.bv_add(Term::bv(200, 77)))).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Sat, "{choice}");
        let model = solver.model().unwrap();
        let names: Vec<&str> = model.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["a", "a wide one", "b", "p", "unused", "x"]);
        assert_eq!(model.eval(array.select(x)), Ok(Value::bits(16, 0xbeef)));
        assert_eq!(model.eval(wide), model.eval(huge.bv_add(Term::bv(200, 77))));
        assert_eq!(model.value(Symbol::new("p"), Sort::Bool), Some(Value::Bool(true)));
    }
}

#[test]
fn nested_arrays_and_arrays_of_truth_values() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let row = Sort::array(Sort::BitVec(4), Sort::Bool);
        let matrix = Term::constant(Symbol::new("matrix"), Sort::array(Sort::BitVec(4), row));
        let (x, y) = (bits("x", 4), bits("y", 4));
        solver.assert(matrix.select(x).select(y).and(matrix.select(y).select(x).not())).unwrap();
        solver.assert(matrix.select(x).distinct(matrix.select(y))).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Sat, "{choice}");
        let model = solver.model().unwrap();
        assert_eq!(model.satisfies(matrix.select(x).select(y)), Ok(true));
        solver.assert(x.equals(y)).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Unsat, "{choice}");
    }
}

#[test]
fn cores_are_subsets_that_suffice() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let (x, y, p) = (bits("x", 8), bits("y", 8), truth("p"));
        solver.assert(x.bv_add(y).equals(Term::bv(8, 10))).unwrap();
        let assumptions = [
            x.ult(Term::bv(8, 3)),
            p,
            y.ule(Term::bv(8, 6)),
            x.equals(Term::bv(8, 100)).not(),
            p.not().or(x.ult(y)),
        ];
        assert_eq!(solver.check_assuming(&assumptions).unwrap(), Answer::Unsat, "{choice}");
        let core = solver.unsat_core().unwrap();
        assert!(core.contains(&assumptions[0]) && core.contains(&assumptions[2]), "{choice}: {core:?}");
        assert!(core.iter().all(|term| assumptions.contains(term)));
        assert_eq!(solver.check_assuming(&core).unwrap(), Answer::Unsat, "{choice}");
        let without: Vec<Term> = core.iter().copied().filter(|term| *term != assumptions[0]).collect();
        assert_eq!(solver.check_assuming(&without).unwrap(), Answer::Sat, "{choice}");
        // Assumptions do not last, and repeated or constant ones do no harm.
        assert_eq!(solver.check_assuming(&[p, p, Term::tru()]).unwrap(), Answer::Sat);
        assert_eq!(solver.check_assuming(&[p, Term::fls()]).unwrap(), Answer::Unsat);
        assert_eq!(solver.unsat_core().unwrap(), [Term::fls()]);
        assert_eq!(solver.check_assuming(&[p, p.not()]).unwrap(), Answer::Unsat);
        assert_eq!(solver.unsat_core().unwrap(), [p, p.not()]);
    }
}

#[test]
fn the_stack() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let (x, y) = (bits("x", 8), bits("y", 8));
        let small = x.ult(Term::bv(8, 4));
        solver.assert(small).unwrap();
        for round in 0..3 {
            solver.push().unwrap();
            solver.assert(y.ult(x)).unwrap();
            assert_eq!(
                solver.check_assuming(&[y.equals(Term::bv(8, 2))]).unwrap(),
                Answer::Sat,
                "{choice} {round}"
            );
            assert_eq!(solver.check_assuming(&[y.equals(Term::bv(8, 3))]).unwrap(), Answer::Unsat);
            solver.push().unwrap();
            solver.assert(small.not()).unwrap();
            assert_eq!(solver.check().unwrap(), Answer::Unsat);
            assert_eq!(solver.unsat_core().unwrap(), []);
            solver.pop().unwrap();
            assert_eq!(solver.check().unwrap(), Answer::Sat);
            solver.pop().unwrap();
            assert_eq!(solver.check_assuming(&[y.equals(Term::bv(8, 3))]).unwrap(), Answer::Sat);
        }
        assert!(matches!(solver.pop(), Err(SolverError::NothingToPop)));
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        assert_eq!(solver.statistics().queries, 16);
        assert_eq!(solver.statistics().unsat, 6);
    }
}

#[test]
fn arrays_may_come_late() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let (x, y) = (bits("x", 8), bits("y", 8));
        let array = Term::constant(Symbol::new("a"), Sort::array(Sort::BitVec(8), Sort::BitVec(8)));
        solver.assert(x.ult(y)).unwrap();
        solver.push().unwrap();
        assert_eq!(solver.check_assuming(&[y.ult(Term::bv(8, 2))]).unwrap(), Answer::Sat);
        let equal = array.select(x).distinct(array.select(y));
        assert_eq!(solver.check_assuming(&[equal, y.ult(Term::bv(8, 2))]).unwrap(), Answer::Sat, "{choice}");
        solver.assert(array.equals(Term::const_array(array.sort(), Term::bv(8, 5)))).unwrap();
        assert_eq!(solver.check_assuming(&[equal]).unwrap(), Answer::Unsat, "{choice}");
        assert_eq!(solver.unsat_core().unwrap(), [equal]);
        solver.pop().unwrap();
        assert_eq!(solver.check_assuming(&[equal]).unwrap(), Answer::Sat, "{choice}");
    }
}

#[test]
fn misuse_is_an_error() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let x = bits("x", 8);
        assert!(matches!(solver.assert(x), Err(SolverError::NotBoolean(Sort::BitVec(8)))));
        assert!(matches!(solver.check_assuming(&[x]), Err(SolverError::NotBoolean(_))));
        assert!(matches!(solver.model(), Err(SolverError::NoModel)));
        assert!(matches!(solver.unsat_core(), Err(SolverError::NoCore)));
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        assert!(matches!(solver.unsat_core(), Err(SolverError::NoCore)));
        solver.assert(x.ult(x.bv_add(Term::bv(8, 1)))).unwrap();
        assert!(matches!(solver.model(), Err(SolverError::NoModel)));
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        assert!(solver.model().is_ok());
    }
}

#[test]
fn strange_names() {
    for choice in choices() {
        let mut solver = solver(&choice);
        let names = [
            "",
            "true",
            "a|b",
            "back\\slash",
            "größe",
            "let",
            "assumed!0",
            "nul\0inside",
            "(",
            "x y",
            "\"",
            "0",
        ];
        let terms: Vec<Term> = names.iter().map(|name| bits(name, 8)).collect();
        for (number, &term) in terms.iter().enumerate() {
            solver.assert(term.equals(Term::bv(8, number as u128))).unwrap();
        }
        let assumption = terms[0].bv_add(terms[1]).ult(terms[2]);
        assert_eq!(solver.check_assuming(&[assumption]).unwrap(), Answer::Sat, "{choice}");
        let model = solver.model().unwrap();
        for (number, &term) in terms.iter().enumerate() {
            assert_eq!(model.eval(term), Ok(Value::bits(8, number as u128)), "{choice} {:?}", names[number]);
        }
    }
}

#[test]
fn deep_terms() {
    for choice in choices() {
        let depth = if matches!(choice.to_string().as_str(), "z3-pipe" | "cvc5") { 2_000 } else { 20_000 };
        let (x, y) = (bits("x", 4), bits("y", 4));
        let term = (0..depth).fold(x, |term, number| term.bv_xor(y).bv_add(Term::bv(4, number % 15 + 1)));
        let mut solver = solver(&choice);
        solver.assert(term.equals(Term::bv(4, 7)).and(y.equals(Term::bv(4, 2)))).unwrap();
        assert_eq!(solver.check().unwrap(), Answer::Sat, "{choice}");
    }
}

#[test]
fn one_name_with_two_sorts() {
    let both = bits("x", 8).ult(Term::bv(8, 3)).and(truth("x"));
    assert!(matches!(both.op(), Op::And));
    for choice in choices() {
        let mut solver = solver(&choice);
        let asserted = solver.assert(both);
        match choice.to_string().as_str() {
            "z3" | "sat:cadical" | "sat:batsat" => {
                asserted.unwrap();
                assert_eq!(solver.check().unwrap(), Answer::Sat);
                assert_eq!(solver.model().unwrap().len(), 2);
            }
            _ => {
                assert!(matches!(asserted, Err(SolverError::Unsupported(_))), "{choice}");
                // What was refused is not asserted.
                assert_eq!(solver.check_assuming(&[truth("x").not()]).unwrap(), Answer::Sat);
            }
        }
    }
}
