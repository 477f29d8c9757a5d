//! What a solver is asked and what it answers.
//!
//! A [`Solver`] keeps a stack of asserted terms and answers whether they can all be true, together with further terms
//! that hold for one question only, the assumptions. To ask many questions about nearly the same terms, assert what
//! they have in common once and vary the assumptions: that is much faster than `push` and `pop`, and both are much
//! faster than a new solver.
//!
//! Being out of time is an answer, not an error. Errors are misuse, solvers that cannot be started or do not speak
//! SMT-LIB, and wrong models: with [`Config::check_models`] every model is evaluated by [`eval`](crate::eval) before
//! anyone sees the answer.

mod choice;
mod interrupt;
mod model;
pub(crate) mod session;
pub(crate) mod well_sorted;

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::sort::Sort;
use crate::term::Term;

pub use choice::{SolverChoice, create};
#[cfg(feature = "z3")]
pub(crate) use interrupt::Alarm;
pub use interrupt::Interrupt;
pub(crate) use interrupt::Limits;
pub use model::Model;

/// The answer to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Nothing is known.
    Unknown(Reason),
}

impl Answer {
    /// Whether there is a model.
    pub fn is_sat(&self) -> bool {
        *self == Answer::Sat
    }

    /// Whether there is no model.
    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Reason {
    /// The time for one question is over.
    #[error("time limit of the solver reached")]
    TimeLimit,
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The solver gave up, and says why.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The process of the solver ended.
    #[error("the solver died: {0}")]
    SolverDied(String),
}

/// A mistake in the use of a solver, or of the solver.
#[derive(Debug, Error)]
pub enum SolverError {
    /// An operator has arguments that it cannot have.
    #[error("ill-sorted term: {0}")]
    IllSorted(String),
    /// Only truth values can be asserted and assumed.
    #[error("a term of sort {0} is not a formula")]
    NotBoolean(Sort),
    /// More `pop` than `push`.
    #[error("there is nothing to pop")]
    NothingToPop,
    /// The last answer was not sat, or something was asserted, pushed or popped since.
    #[error("there is a model only right after the answer sat")]
    NoModel,
    /// The last answer was not unsat, or something was asserted, pushed or popped since.
    #[error("there is an unsatisfiable core only right after the answer unsat")]
    NoCore,
    /// The answer sat is wrong, or the model is.
    #[error("{solver} answers sat, but its model does not satisfy {term}")]
    WrongModel {
        /// Who said so.
        solver: String,
        /// What is not true in the model.
        term: String,
    },
    /// A program cannot be run.
    #[error("cannot run '{command}': {error}")]
    Start {
        /// Its command line.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// A program says something unexpected.
    #[error("{solver}: {message}")]
    Protocol {
        /// Who.
        solver: String,
        /// What.
        message: String,
    },
    /// The back end cannot express this.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// There is no such solver.
    #[error(
        "'{0}' is not a solver; there are z3, z3-pipe, cvc5, sat, sat:cadical, sat:batsat and pipe:COMMAND ARGUMENTS"
    )]
    UnknownSolver(String),
}

/// How solvers behave.
#[derive(Clone, Debug)]
pub struct Config {
    /// For each question.
    pub time_limit: Option<Duration>,
    /// Evaluate every model before the answer sat is given. On in debug builds.
    pub check_models: bool,
    /// Stops all solvers that are created with it.
    pub interrupt: Interrupt,
}

impl Default for Config {
    fn default() -> Config {
        Config { time_limit: None, check_models: cfg!(debug_assertions), interrupt: Interrupt::default() }
    }
}

/// What a solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Questions.
    pub queries: u64,
    /// Questions with the answer sat.
    pub sat: u64,
    /// Questions with the answer unsat.
    pub unsat: u64,
    /// Questions without answer.
    pub unknown: u64,
    /// Spent on questions.
    pub time: Duration,
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.time += other.time;
    }
}

/// How large formulas are for a solver that turns them into clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Distinct variables.
    pub variables: usize,
    /// Clauses, those that have been learnt not included.
    pub clauses: usize,
}

/// A solver for formulas. It belongs to the thread that created it.
pub trait Solver {
    /// What it is, for messages.
    fn name(&self) -> &str;

    /// Asks for a value of an uninterpreted constant in all models, until the next `pop`, whether or not it occurs in
    /// what is asserted.
    fn declare(&mut self, constant: Term) -> Result<(), SolverError>;

    /// Adds a formula, until the next `pop`.
    fn assert(&mut self, term: Term) -> Result<(), SolverError>;

    /// Remembers what is asserted.
    fn push(&mut self) -> Result<(), SolverError>;

    /// Forgets what was asserted since the last `push`.
    fn pop(&mut self) -> Result<(), SolverError>;

    /// Whether all asserted formulas and all these assumptions can be true.
    fn check_assuming(&mut self, assumptions: &[Term]) -> Result<Answer, SolverError>;

    /// Whether all asserted formulas can be true.
    fn check(&mut self) -> Result<Answer, SolverError> {
        self.check_assuming(&[])
    }

    /// Assumptions of the last question that cannot be true together with what is asserted, in their order. Not always
    /// a smallest such set.
    fn unsat_core(&mut self) -> Result<Vec<Term>, SolverError>;

    /// Values for all constants of the last question.
    fn model(&mut self) -> Result<Model, SolverError>;

    /// Sets the time for each further question.
    fn set_time_limit(&mut self, limit: Option<Duration>);

    /// The switch that stops this solver, also from another thread.
    fn interrupt(&self) -> Interrupt;

    /// What it has done so far.
    fn statistics(&self) -> Statistics;

    /// How large the formulas so far are, if the solver turns them into clauses.
    fn size(&self) -> Option<Size> {
        None
    }
}
