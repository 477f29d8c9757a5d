//! Random terms as clauses: with all constants fixed, a SAT solver must find the value that evaluation finds.

use proptest::prelude::*;

use super::expression::Choices;
use super::{built, choices};
use crate::eval::eval;
use crate::sat::SatChoice;
use crate::solver::{Answer, Config, Reason, Solver, SolverChoice, create};
use crate::term::Term;
use crate::value::Value;

/// The answer; nothing if the question cannot be translated.
fn ask(solver: &mut dyn Solver, assumption: Term) -> Option<Answer> {
    match solver.check_assuming(&[assumption]).unwrap() {
        Answer::Unknown(Reason::Incomplete(_)) => None,
        answer => Some(answer),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn clauses_mean_the_same(data in choices(), values in choices()) {
        let (expression, term) = built(&data);
        let model = expression.model(&mut Choices::new(&values));
        let expected = Term::value(&eval(term, &model).unwrap());
        for &choice in SatChoice::ALL {
            let config = Config { check_models: true, ..Config::default() };
            let mut solver = create(&SolverChoice::Sat(choice), &config).unwrap();
            for constant in term.constants() {
                let value: &Value = &model[&constant.as_constant().unwrap()];
                solver.assert(constant.equals(Term::value(value))).unwrap();
            }
            let equal = term.equals(expected);
            let yes = ask(solver.as_mut(), equal);
            let no = ask(solver.as_mut(), equal.not());
            prop_assert!(yes.is_none_or(|answer| answer.is_sat()), "{}", term);
            prop_assert!(no.is_none_or(|answer| answer.is_unsat()), "{}", term);
        }
    }
}
