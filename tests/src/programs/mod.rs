//! Programs for any number of threads: random ones, and a judge for what `monabs` says about them.
//!
//! - [`brute`]: abstract steps by trying all values.
//! - [`template`]: these compared with what `monabs` computes.
//! - [`family`]: random programs, in families that each stress one part of the abstraction.
//! - [`counters`]: programs that count threads.
//! - [`creators`]: programs that create threads; [`turns`]: what they can do in some rounds.
//! - [`tickets`]: programs made of pieces of locks, which relate the locals of threads to each other.
//! - [`judge`]: asks, and believes no verdict that it has not checked.
//! - [`walk`]: all states of few threads, which are alike; [`states`]: of threads that have numbers.
//! - [`shrink`]: makes a program that is judged wrongly as small as possible.

pub mod brute;
pub mod counters;
pub mod creators;
pub mod family;
pub mod judge;
pub mod shrink;
pub mod states;
mod steps;
pub mod template;
pub mod tickets;
pub mod turns;
pub mod walk;
