//! Coverability for programs run by unboundedly many threads.

pub mod diagnostics;
pub mod emdr;
pub mod input;
pub mod proof;
pub mod spec;
pub mod system;
pub mod trace;
