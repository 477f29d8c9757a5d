//! Coverability for programs run by unboundedly many threads.

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
pub use reduce::Reductions;

mod antichain;
mod invariant;
mod net;
mod oracle;
mod reduce;
mod run;
mod search;
