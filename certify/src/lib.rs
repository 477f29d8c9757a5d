//! Proofs of safety as files: what an engine found, in one text, and a judge that shares nothing with the engine.
//!
//! A [`Certificate`] says why no run of a program violates a property. [`text`] writes it with the program that it is about and a hash of the source, and reads it back;
//! [`check`](check::check) judges it. There are five kinds:
//!
//! - an *abstraction* ([`abstraction`]), for any number of threads: predicates, a finite system over their values, and a proof that no target of that system is coverable. The judge
//!   asks an SMT solver, edge by edge, whether the system has every step of the program, and `breach`'s checker about the proof. See [`check`] for the argument.
//! - a complete *tree* of `impara`, for which `impara::check` is the judge.
//! - *bounds* within which the program has all its runs: all of them are asked about again, by another solver if one is chosen.
//! - *all states* of so many threads, visited again.
//! - *orders* of the steps of the threads that the program starts, tried again, and every exchange of steps that was not tried judged by a solver.

pub mod abstraction;
pub mod check;
pub mod text;

use abstraction::Abstraction;
pub(crate) use engine::document::OTHER_PROGRAM;
use engine::document::{Head, printed};
use frontend::program::Program;

/// Why no run violates a property.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// A finite system that does all that the program does.
    Abstraction(Box<Abstraction>),
    /// A complete tree for the threads that the program creates.
    Tree(impara::proof::Proof),
    /// Bounds that no run exceeds.
    Bounds {
        /// How often loops are unwound.
        unwind: u32,
        /// How many turns each thread has.
        rounds: usize,
        /// How many threads there are.
        threads: usize,
    },
    /// All orders of steps that can make a difference.
    Orders {
        /// How often loops are unwound.
        unwind: u32,
        /// How many threads there are.
        threads: usize,
        /// So many states.
        states: usize,
    },
    /// All states.
    States {
        /// Of so many threads.
        threads: usize,
        /// So many.
        states: usize,
    },
}

impl Certificate {
    /// What kind it is, in files.
    pub fn kind(&self) -> &'static str {
        match self {
            Certificate::Abstraction(_) => "abstraction",
            Certificate::Tree(_) => "tree",
            Certificate::Bounds { .. } => "bounds",
            Certificate::Orders { .. } => "orders",
            Certificate::States { .. } => "states",
        }
    }
}

/// A certificate with what it is about.
#[derive(Clone, Debug)]
pub struct Document {
    /// The program and what it was made from; what the proof takes for granted.
    pub head: Head,
    /// Why it is safe.
    pub certificate: Certificate,
}

impl Document {
    /// For a program.
    pub fn new(
        program: &Program,
        sources: Vec<(String, String)>,
        assumptions: Vec<String>,
        certificate: Certificate,
    ) -> Document {
        let head = Head { program: printed(program), sources, assumptions };
        Document { head, certificate }
    }
}
