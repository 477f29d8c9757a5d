//! Coverability for programs run by unboundedly many threads.
//!
//! The question: can some run, with however many threads, reach a state with this shared part and at least
//! these threads? [`check_coverability`] answers it for explicit monotone dual-reference programs and for Petri
//! nets with transfers, after chapter 4 of Alexander Kaiser's thesis. "Uncoverable" comes with a
//! [`proof`], "coverable" with a run (a [`trace`]), and [`check`] verifies both with code of its own.
//!
//! | you have | made by | checked by |
//! |---|---|---|
//! | text | the user | [`diagnostics`]: file, line, column and a caret |
//! | a [`system`] with a question | [`emdr`], [`spec`], [`convert`], [`generate`] | round trips |
//! | the reduced system | `reduce` | proofs and runs are about the user's states again |
//! | an answer | `search` (backward), `oracle` (forward), `invariant` (linear programs) | each other |
//! | a [`proof`] or a [`trace`] | `reduce::lift`, `run` | [`check`], which uses none of the above |

pub mod check;
pub mod convert;
pub mod coverability;
pub mod diagnostics;
pub mod emdr;
pub mod generate;
pub mod input;
pub mod limits;
pub mod proof;
pub mod spec;
pub mod system;
pub mod trace;

mod antichain;
mod invariant;
mod net;
mod oracle;
mod reduce;
mod run;
mod search;

pub use coverability::{Algorithm, Options, Outcome, Verdict, check_coverability};
pub use reduce::Reductions;
