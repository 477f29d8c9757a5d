//! Questions about formulas: hash-consed terms and solvers behind one trait. Knows no C and no threads.
//!
//! - Data: names ([`symbol`]), sorts ([`mod@sort`]), bit-vectors of any width ([`bits`]), values ([`value`]).
//! - Terms ([`term`]): typed, interned, and simplified while they are built ([`simplify`]); replaced in parts
//!   ([`subst`]), with what comparisons with numbers say ([`ranges`]), evaluated under an assignment ([`mod@eval`]), written and read as SMT-LIB ([`smtlib`]).
//! - Solvers ([`mod@solver`]): Z3 in the same process, which the feature `z3` switches on, programs at the other end of a
//!   pipe, and SAT solvers that get clauses (modules `blast` and `sat`), which the features `cadical` and `batsat` switch on;
//!   on top of them implied cubes and all-sat ([`cubes`]) and sequence interpolants ([`interpolate`]).
//! - Programs that are started ([`child`]) end when this one does.
//!
//! Bit-vector operations are those of SMT-LIB, division by zero included. No traversal recurses over terms: they may
//! be a million levels deep.

pub mod bits;
#[cfg(any(feature = "cadical", feature = "batsat"))]
pub mod blast;
pub mod child;
pub mod cubes;
pub mod eval;
mod hash;
mod intern;
pub mod interpolate;
mod process;
#[cfg(test)]
mod properties;
#[cfg(feature = "z3")]
mod quiet;
pub mod ranges;
#[cfg(any(feature = "cadical", feature = "batsat"))]
pub mod sat;
pub mod simplify;
pub mod smtlib;
pub mod solver;
pub mod sort;
pub mod subst;
pub mod symbol;
pub mod term;
pub mod traverse;
pub mod value;
#[cfg(feature = "z3")]
mod z3;

pub use bits::Bits;
pub use eval::{Assignment, EvalError, eval};
pub use solver::{
    Answer, Config, Interrupt, Model, Reason, Size, Solver, SolverChoice, SolverError, Statistics, create,
};
pub use sort::{ArraySort, Sort};
pub use subst::Substitution;
pub use symbol::Symbol;
pub use term::{Op, Term};
pub use value::{ArrayValue, Value};
