//! Lazy abstraction with interpolants for programs with a fixed number of threads, and partial-order reduction. B. Wachter, D. Kroening, J. Ouaknine: "Verifying Multi-threaded Software
//! with Impact", FMCAD 2013.
//!
//! - [`system`]: the program as a transition system over vectors of locations.
//! - [`verify()`]: the entry; [`options`]: how to search, and what was found.
//! - `tree`, `search`: the abstract reachability tree and how it grows; [`explain`]: labels for paths; [`facts`]: implications; [`independence`]: which steps can change places.
//! - [`modular`]: proofs without a tree. [`observed`]: what holds at statements of the source, for witnesses.
//! - [`proof`]: a complete tree as text; [`check`]: the judge of proofs, which uses nothing that searches. [`places`]: what a proof says about places. `dot`: the tree as a drawing. [`divergence`]: why it grows without end.

pub mod check;
pub mod divergence;
mod dot;
pub mod explain;
pub mod facts;
#[cfg(test)]
mod figures;
pub mod independence;
pub mod modular;
pub mod observed;
pub mod options;
pub mod places;
pub mod proof;
mod run;
mod search;
pub mod system;
mod tree;
mod verify;

pub use options::{Options, Order, Outcome, Reduction, Statistics, Unknown, Verdict};
pub use verify::verify;
