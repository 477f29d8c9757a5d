//! Forward search: finds coverable states fast (thesis, section 4.3.1).

mod config;
mod dominance;
mod karp_miller;
mod tree;
mod unwind;

pub(crate) use config::{Bits, contains, covers};
pub(crate) use karp_miller::{Covered, Forward, KarpMiller};
pub(crate) use unwind::UnwindError;
