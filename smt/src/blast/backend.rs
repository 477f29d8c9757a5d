//! Clauses and a SAT solver as a back end.
//!
//! Formulas are translated when a question is asked, so that its limits hold for that, too. A frame of the stack has a
//! literal that guards its clauses: questions assume it, and when the frame goes, it becomes false for good. Gates stay. When
//! most of them may be left over from frames that are gone, all is built again from the stack.

use super::{Blaster, Stop};
use crate::sat::{Limit, Lit, SatChoice, SatSolver, create};
use crate::solver::session::{Backend, Frame};
use crate::solver::{Answer, Limits, Reason, Size, SolverError};
use crate::term::Term;
use crate::value::Value;

/// Fewer variables are not worth the trouble of building again.
const MANY_VARIABLES: usize = 50_000;
/// Growth after which leftovers are assumed to be the greater part.
const GROWTH: usize = 4;

/// Bit-blasting as a back end.
pub(crate) struct SatBackend {
    name: String,
    choice: SatChoice,
    blaster: Blaster,
    sat: Box<dyn SatSolver>,
    /// Of the frames that have been translated.
    levels: Vec<Level>,
    depth: usize,
    /// Of the last question.
    assumed: Vec<Lit>,
    /// Whether a frame that had been translated is gone.
    leftovers: bool,
    /// Variables after all was built.
    built: usize,
}

/// One frame of the stack.
struct Level {
    /// The outermost frame has none.
    guard: Option<Lit>,
    /// How many of its assertions have clauses.
    asserted: usize,
}

impl SatBackend {
    pub(crate) fn new(choice: SatChoice) -> SatBackend {
        SatBackend {
            name: format!("sat:{}", choice.name()),
            choice,
            blaster: Blaster::new(),
            sat: create(choice),
            levels: Vec::new(),
            depth: 1,
            assumed: Vec::new(),
            leftovers: false,
            built: 0,
        }
    }

    fn start_again(&mut self) {
        self.blaster = Blaster::new();
        self.sat = create(self.choice);
        self.levels.clear();
        self.leftovers = false;
        self.built = 0;
    }

    /// Translates what is new; the literals of the assumptions.
    fn translate(&mut self, frames: &[Frame], assumptions: &[Term], limit: &Limit) -> Result<Vec<Lit>, Stop> {
        for (number, frame) in frames.iter().enumerate() {
            if number == self.levels.len() {
                let guard = (number > 0).then(|| self.blaster.cnf.fresh());
                self.levels.push(Level { guard, asserted: 0 });
            }
            let level = &mut self.levels[number];
            for &term in frame.assertions.iter().skip(level.asserted) {
                let edge = self.blaster.formula(term, limit)?;
                self.blaster.cnf.assert(&self.blaster.graph, edge, level.guard);
                level.asserted += 1;
            }
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            let edge = self.blaster.formula(assumption, limit)?;
            literals.push(self.blaster.cnf.literal(&self.blaster.graph, edge));
        }
        self.blaster.complete(limit)?;
        Ok(literals)
    }

    /// Hands new variables and clauses over.
    fn transfer(&mut self) {
        while self.sat.variables() < self.blaster.cnf.variables() {
            self.sat.new_variable();
        }
        for clause in self.blaster.cnf.iter() {
            self.sat.add_clause(clause);
        }
        self.blaster.cnf.clear();
    }
}

/// Why a question was stopped.
fn reason(limits: &Limits) -> Reason {
    if limits.interrupt.is_stopped() { Reason::Interrupted } else { Reason::TimeLimit }
}

impl Backend for SatBackend {
    fn name(&self) -> &str {
        &self.name
    }

    fn assert(&mut self, _: Term) -> Result<(), SolverError> {
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.depth -= 1;
        if self.levels.len() > self.depth
            && let Some(level) = self.levels.pop()
        {
            self.leftovers |= level.asserted > 0;
            if let Some(guard) = level.guard {
                self.blaster.cnf.add([!guard]);
            }
        }
        Ok(())
    }

    fn check(
        &mut self,
        frames: &[Frame],
        assumptions: &[Term],
        limits: &Limits,
    ) -> Result<Answer, SolverError> {
        let limit = Limit { deadline: limits.deadline, interrupt: limits.interrupt.clone() };
        let variables = self.blaster.cnf.variables();
        if self.leftovers && variables > MANY_VARIABLES && variables > GROWTH * self.built {
            self.start_again();
        }
        self.assumed = match self.translate(frames, assumptions, &limit) {
            Ok(literals) => literals,
            Err(Stop::Limit) => return Ok(Answer::Unknown(reason(limits))),
            Err(Stop::Unsupported(what)) => return Ok(Answer::Unknown(Reason::Incomplete(what))),
        };
        self.transfer();
        if self.built == 0 {
            self.built = self.blaster.cnf.variables();
        }
        let guards = self.levels.iter().filter_map(|level| level.guard);
        let assumed: Vec<Lit> = guards.chain(self.assumed.iter().copied()).collect();
        Ok(match self.sat.solve(&assumed, &limit) {
            Some(true) => Answer::Sat,
            Some(false) => Answer::Unsat,
            None if limit.is_reached() => Answer::Unknown(reason(limits)),
            None => Answer::Unknown(Reason::Incomplete(format!("{} gave up", self.sat.name()))),
        })
    }

    fn core(&mut self, _: &[Term]) -> Result<Vec<bool>, SolverError> {
        Ok(self.assumed.iter().map(|&literal| self.sat.failed(literal)).collect())
    }

    fn values(&mut self, constants: &[Term]) -> Result<Vec<Value>, SolverError> {
        let values = self.blaster.valuation(|literal| self.sat.value(literal));
        constants.iter().map(|&constant| Ok(self.blaster.value(constant, &values)?)).collect()
    }

    fn size(&self) -> Option<Size> {
        Some(Size { variables: self.sat.variables(), clauses: self.sat.clauses() })
    }
}
