//! Whether formulas imply others: on sight, from memory, or by asking a solver. Section V of the paper, "cascaded approach".

use rustc_hash::FxHashMap;
use smt::{Answer, Config, Model, Op, Reason, Solver, SolverChoice, SolverError, Term, create};

/// How implications were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// On sight.
    pub syntactic: u64,
    /// From memory.
    pub remembered: u64,
    /// By a model of an earlier question.
    pub refuted: u64,
    /// By the solver.
    pub solver: u64,
}

/// What is known about implications.
pub struct Facts {
    /// Who answers.
    pub solver: Box<dyn Solver>,
    memory: FxHashMap<(Term, Term), bool>,
    /// Models of questions that were answered with no, the latest last.
    models: Vec<Model>,
    /// How often.
    pub counts: Counts,
}

/// What a solver that gives up means: nothing is known, or everything ends.
pub fn no_answer(reason: Reason) -> Result<(), SolverError> {
    match reason {
        Reason::TimeLimit | Reason::Incomplete(_) => Ok(()),
        Reason::Interrupted | Reason::SolverDied(_) => {
            Err(SolverError::Protocol { solver: "impara".to_owned(), message: reason.to_string() })
        }
    }
}

/// So many models are tried before the solver is asked.
const MODELS: usize = 8;

impl Facts {
    /// Nothing is known.
    pub fn new(choice: &SolverChoice, config: &Config) -> Result<Facts, SolverError> {
        let solver = create(choice, config)?;
        Ok(Facts { solver, memory: FxHashMap::default(), models: Vec::new(), counts: Counts::default() })
    }

    /// Whether all of a label together imply a formula; a question without answer counts as no.
    pub fn implies(&mut self, label: &[Term], formula: Term) -> Result<bool, SolverError> {
        if let Some(known) = on_sight(label, formula) {
            self.counts.syntactic += 1;
            return Ok(known);
        }
        let key = (Term::and_all(label.iter().copied()), formula);
        if let Some(known) = self.memory.get(&key) {
            self.counts.remembered += 1;
            return Ok(*known);
        }
        let question = key.0.and(formula.not());
        let is_model =
            |model: &Model| model.eval(question).is_ok_and(|value| value == smt::Value::Bool(true));
        let implied = if self.models.iter().rev().any(is_model) {
            self.counts.refuted += 1;
            false
        } else {
            self.counts.solver += 1;
            self.ask(label, formula)?
        };
        self.memory.insert(key, implied);
        Ok(implied)
    }

    fn ask(&mut self, label: &[Term], formula: Term) -> Result<bool, SolverError> {
        let mut assumptions = label.to_vec();
        assumptions.push(formula.not());
        match self.solver.check_assuming(&assumptions)? {
            Answer::Unsat => Ok(true),
            Answer::Sat => {
                if self.models.len() == MODELS {
                    self.models.remove(0);
                }
                self.models.push(self.solver.model()?);
                Ok(false)
            }
            Answer::Unknown(reason) => no_answer(reason).map(|()| false),
        }
    }
}

/// What can be seen without thinking.
fn on_sight(label: &[Term], formula: Term) -> Option<bool> {
    let is_known = |part: Term| part.is_true() || label.contains(&part);
    if is_known(formula) || label.iter().any(|part| part.is_false()) {
        return Some(true);
    }
    if *formula.op() == Op::Or && formula.disjuncts().into_iter().any(is_known) {
        return Some(true);
    }
    if label.is_empty() && (formula.is_false() || formula.as_constant().is_some()) {
        return Some(false);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Sort, Symbol};

    #[test]
    fn cheap_answers_come_first() {
        let mut facts = Facts::new(&SolverChoice::default(), &Config::default()).unwrap();
        let x = Term::constant(Symbol::new("x"), Sort::BitVec(8));
        let small = x.ult(Term::bv(8, 5));
        let smaller = x.ult(Term::bv(8, 3));
        assert!(facts.implies(&[smaller], smaller).unwrap());
        assert_eq!((facts.counts.syntactic, facts.counts.solver), (1, 0));
        for _ in 0..2 {
            assert!(facts.implies(&[smaller], small).unwrap());
            assert!(!facts.implies(&[small], smaller).unwrap());
        }
        assert_eq!((facts.counts.remembered, facts.counts.solver), (2, 2));
    }
}
