//! SAT solvers behind one trait: variables, clauses, and questions under assumptions.
//!
//! A literal is written as in the DIMACS format: the number of a variable, negated or not. A solver keeps its clauses from one
//! question to the next, and what it has learnt from them; clauses are never taken back. Whoever wants to take one
//! back adds a literal to it that is assumed to be false as long as the clause counts.
//!
//! Two solvers are there, each with a feature of the crate: CaDiCaL, and BatSat, which needs no C++ compiler.

#[cfg(feature = "batsat")]
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
#[cfg(all(test, any(feature = "cadical", feature = "batsat")))]
mod tests;

use std::fmt;
use std::ops::Not;
use std::time::Instant;

use crate::solver::Interrupt;

/// A variable or its negation.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(i32);

impl Lit {
    /// The variable with this number; the first one is number one.
    pub fn positive(variable: u32) -> Lit {
        debug_assert!(variable > 0 && i32::try_from(variable).is_ok(), "number of a variable");
        Lit(variable as i32)
    }

    /// The number of the variable.
    pub fn variable(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// Whether the variable is negated.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The number with sign of the DIMACS format.
    pub fn dimacs(self) -> i32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// As in the DIMACS format.
impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A SAT solver.
pub trait SatSolver {
    /// What it is, for messages.
    fn name(&self) -> &'static str;

    /// A new variable. The first one has the number one, each further one the next number.
    fn new_variable(&mut self) -> Lit;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Whether all clauses and all these literals can be true; nothing if it was stopped, or gave up.
    fn solve(&mut self, assumptions: &[Lit], limit: &Limit) -> Option<bool>;

    /// The value of a literal, right after the answer that all can be true.
    fn value(&self, literal: Lit) -> bool;

    /// Whether an assumption was needed, right after the answer that not all can be true.
    fn failed(&self, assumption: Lit) -> bool;

    /// How many variables there are.
    fn variables(&self) -> usize;

    /// How many clauses were added.
    fn clauses(&self) -> usize;
}

/// When to stop.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// At this time.
    pub deadline: Option<Instant>,
    /// When somebody says so.
    pub interrupt: Interrupt,
}

impl Limit {
    /// Whether it is time.
    pub fn is_reached(&self) -> bool {
        self.interrupt.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Which SAT solver.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(any(feature = "cadical", feature = "batsat"), derive(Default))]
pub enum SatChoice {
    /// CaDiCaL.
    #[cfg(feature = "cadical")]
    #[default]
    Cadical,
    /// BatSat.
    #[cfg(feature = "batsat")]
    #[cfg_attr(not(feature = "cadical"), default)]
    Batsat,
}

impl SatChoice {
    /// All that there are.
    pub const ALL: &[SatChoice] = &[
        #[cfg(feature = "cadical")]
        SatChoice::Cadical,
        #[cfg(feature = "batsat")]
        SatChoice::Batsat,
    ];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "cadical")]
            SatChoice::Cadical => "cadical",
            #[cfg(feature = "batsat")]
            SatChoice::Batsat => "batsat",
        }
    }
}

/// A new SAT solver.
pub fn create(choice: SatChoice) -> Box<dyn SatSolver> {
    match choice {
        #[cfg(feature = "cadical")]
        SatChoice::Cadical => Box::new(cadical::Cadical::default()),
        #[cfg(feature = "batsat")]
        SatChoice::Batsat => Box::new(batsat::Batsat::default()),
    }
}
