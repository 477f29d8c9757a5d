//! What all solvers have in common.
//!
//! A [`Session`] keeps the stack of asserted terms, and lets a [`Backend`] do the solving. The stack makes back ends
//! simple: one that was cut off in the middle of a question, or has died, is started again from the stack.

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::interrupt::{Interrupt, Limits};
use super::well_sorted::{WellSorted, shortened};
use super::{Answer, Config, Model, Reason, Size, Solver, SolverError, Statistics};
use crate::eval::eval;
use crate::term::Term;
use crate::traverse::constants;
use crate::value::Value;

/// Asserted terms between one `push` and the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) assertions: Vec<Term>,
    declared: Vec<Term>,
    /// Those of all assertions, once they have been asked for.
    constants: Option<Vec<Term>>,
}

/// A solver that can be started again. Terms that reach it are well-sorted; assumptions are distinct.
pub(crate) trait Backend {
    /// What it is, for messages.
    fn name(&self) -> &str;

    /// Adds a formula to the innermost frame.
    fn assert(&mut self, term: Term) -> Result<(), SolverError>;

    /// Opens a frame.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Drops the innermost frame.
    fn pop(&mut self) -> Result<(), SolverError>;

    /// Answers. Afterwards the back end has just these frames, whatever happened to it before.
    fn check(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError>;

    /// Whether an assumption is in the core, for all assumptions of the last question.
    fn core(&mut self, assumptions: &[Term]) -> Result<Vec<bool>, SolverError>;

    /// The values of constants, in the model that belongs to the last answer.
    fn values(&mut self, constants: &[Term]) -> Result<Vec<Value>, SolverError>;

    /// How large the formulas so far are, if they become clauses.
    fn size(&self) -> Option<Size> {
        None
    }
}

/// A back end with a stack.
pub(crate) struct Session<B> {
    backend: B,
    config: Config,
    frames: Vec<Frame>,
    well_sorted: WellSorted,
    /// The last question and its answer, while the stack is as it was.
    last: Option<(Vec<Term>, Answer)>,
    model: Option<Model>,
    statistics: Statistics,
}

impl<B: Backend> Session<B> {
    pub(crate) fn new(backend: B, config: &Config) -> Session<B> {
        Session {
            backend,
            config: config.clone(),
            frames: vec![Frame::default()],
            well_sorted: WellSorted::default(),
            last: None,
            model: None,
            statistics: Statistics::default(),
        }
    }

    fn forget_answer(&mut self) {
        self.last = None;
        self.model = None;
    }

    fn innermost(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn ask(&mut self, assumptions: &[Term]) -> Result<Answer, SolverError> {
        if self.config.interrupt.is_stopped() {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        let deadline = self.config.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let limits = Limits { deadline, interrupt: self.config.interrupt.clone() };
        self.backend.check(&self.frames, assumptions, &limits)
    }

    fn count(&mut self, answer: &Answer, time: Duration) {
        self.statistics.queries += 1;
        self.statistics.time += time;
        match answer {
            Answer::Sat => self.statistics.sat += 1,
            Answer::Unsat => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
    }

    /// All constants that a model must have.
    fn all_constants(&mut self, assumptions: &[Term]) -> Vec<Term> {
        let mut all = Vec::new();
        for frame in &mut self.frames {
            all.extend(&frame.declared);
            all.extend(
                frame.constants.get_or_insert_with(|| constants(frame.assertions.iter().copied())).iter(),
            );
        }
        all.extend(constants(assumptions.iter().copied()));
        constants(all)
    }

    fn fetch_model(&mut self, assumptions: &[Term]) -> Result<Model, SolverError> {
        let constants = self.all_constants(assumptions);
        let values = self.backend.values(&constants)?;
        let names = constants.iter().filter_map(|constant| constant.as_constant());
        Ok(names.zip(values).collect())
    }

    /// Refuses a model that does not satisfy everything.
    fn judge(&self, model: &Model, assumptions: &[Term]) -> Result<(), SolverError> {
        let asserted = self.frames.iter().flat_map(|frame| &frame.assertions);
        for &term in asserted.chain(assumptions) {
            if eval(term, model) != Ok(Value::Bool(true)) {
                return Err(SolverError::WrongModel {
                    solver: self.name().to_owned(),
                    term: shortened(term),
                });
            }
        }
        Ok(())
    }
}

impl<B: Backend> Solver for Session<B> {
    fn name(&self) -> &str {
        self.backend.name()
    }

    fn declare(&mut self, constant: Term) -> Result<(), SolverError> {
        self.well_sorted.check(constant)?;
        let constants = constant.constants();
        self.innermost().declared.extend(constants);
        Ok(())
    }

    fn assert(&mut self, term: Term) -> Result<(), SolverError> {
        self.well_sorted.check_formula(term)?;
        self.forget_answer();
        self.backend.assert(term)?;
        let frame = self.innermost();
        frame.assertions.push(term);
        frame.constants = None;
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.forget_answer();
        self.backend.push()?;
        self.frames.push(Frame::default());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        if self.frames.len() <= 1 {
            return Err(SolverError::NothingToPop);
        }
        self.forget_answer();
        self.backend.pop()?;
        self.frames.pop();
        Ok(())
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.forget_answer();
        assumptions.iter().try_for_each(|&assumption| self.well_sorted.check_formula(assumption))?;
        let mut seen = FxHashSet::default();
        let distinct: Vec<Term> = assumptions
            .iter()
            .copied()
            .filter(|&assumption| !assumption.is_true() && seen.insert(assumption))
            .collect();
        let start = Instant::now();
        let answer = if distinct.contains(&Term::fls()) { Answer::Unsat } else { self.ask(&distinct)? };
        if self.config.check_models && answer.is_sat() {
            let model = self.fetch_model(&distinct)?;
            self.judge(&model, &distinct)?;
            self.model = Some(model);
        }
        self.count(&answer, start.elapsed());
        self.last = Some((distinct, answer.clone()));
        Ok(answer)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>, SolverError> {
        match &self.last {
            Some((assumptions, Answer::Unsat)) if assumptions.contains(&Term::fls()) => Ok(vec![Term::fls()]),
            Some((assumptions, Answer::Unsat)) => {
                let core = self.backend.core(assumptions)?;
                Ok(assumptions
                    .iter()
                    .zip(core)
                    .filter(|(_, needed)| *needed)
                    .map(|(term, _)| *term)
                    .collect())
            }
            _ => Err(SolverError::NoCore),
        }
    }

    fn model(&mut self) -> Result<Model, SolverError> {
        let assumptions = match &self.last {
            Some((assumptions, Answer::Sat)) => assumptions.clone(),
            _ => return Err(SolverError::NoModel),
        };
        if self.model.is_none() {
            self.model = Some(self.fetch_model(&assumptions)?);
        }
        self.model.clone().ok_or(SolverError::NoModel)
    }

    fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.config.time_limit = limit;
    }

    fn interrupt(&self) -> Interrupt {
        self.config.interrupt.clone()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn size(&self) -> Option<Size> {
        self.backend.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::symbol::Symbol;

    /// Answers sat, with the same value for everything, and counts.
    struct Liar {
        value: Value,
        questions: usize,
    }

    impl Backend for Liar {
        fn name(&self) -> &str {
            "liar"
        }

        fn assert(&mut self, term: Term) -> Result<(), SolverError> {
            let refused = term == Term::constant(Symbol::new("refused"), Sort::Bool);
            if refused { Err(SolverError::Unsupported(String::new())) } else { Ok(()) }
        }

        fn push(&mut self) -> Result<(), SolverError> {
            Ok(())
        }

        fn pop(&mut self) -> Result<(), SolverError> {
            Ok(())
        }

        fn check(&mut self, _: &[Frame], _: &[Term], _: &Limits) -> Result<Answer, SolverError> {
            self.questions += 1;
            Ok(Answer::Sat)
        }

        fn core(&mut self, assumptions: &[Term]) -> Result<Vec<bool>, SolverError> {
            Ok(vec![true; assumptions.len()])
        }

        fn values(&mut self, constants: &[Term]) -> Result<Vec<Value>, SolverError> {
            Ok(vec![self.value.clone(); constants.len()])
        }
    }

    fn liar(value: Value, check_models: bool) -> Session<Liar> {
        Session::new(Liar { value, questions: 0 }, &Config { check_models, ..Config::default() })
    }

    #[test]
    fn wrong_models_are_errors_if_somebody_looks() {
        let x = Term::constant(Symbol::new("x"), Sort::BitVec(8));
        for (value, assumed) in [(9, false), (9, true)] {
            let below = x.ult(Term::bv(8, 9));
            let mut session = liar(Value::bits(8, value), true);
            let assumptions = if assumed { vec![below] } else { Vec::new() };
            if !assumed {
                session.push().unwrap();
                session.assert(below).unwrap();
            }
            let error = session.check_assuming(&assumptions).unwrap_err();
            let message = "liar answers sat, but its model does not satisfy (bvult x #x09)";
            assert_eq!(error.to_string(), message);
            assert!(session.model().is_err());
        }
        let mut trusting = liar(Value::bits(8, 9), false);
        trusting.assert(x.ult(Term::bv(8, 9))).unwrap();
        assert_eq!(trusting.check().unwrap(), Answer::Sat);
        let mut ill_sorted = liar(Value::Bool(true), true);
        ill_sorted.assert(x.ult(Term::bv(8, 9))).unwrap();
        assert!(matches!(ill_sorted.check(), Err(SolverError::WrongModel { .. })));
        let mut honest = liar(Value::bits(8, 3), true);
        honest.assert(x.ult(Term::bv(8, 9))).unwrap();
        assert_eq!(honest.check().unwrap(), Answer::Sat);
    }

    #[test]
    fn what_a_back_end_refuses_is_not_on_the_stack() {
        let mut session = liar(Value::Bool(false), true);
        assert!(session.assert(Term::constant(Symbol::new("refused"), Sort::Bool)).is_err());
        assert_eq!(session.check().unwrap(), Answer::Sat);
    }

    #[test]
    fn an_interrupted_session_asks_nobody() {
        let mut session = liar(Value::Bool(true), true);
        session.interrupt().stop();
        assert_eq!(session.check().unwrap(), Answer::Unknown(Reason::Interrupted));
        assert_eq!(session.check_assuming(&[Term::fls()]).unwrap(), Answer::Unsat);
        assert_eq!(session.backend.questions, 0);
    }
}
