//! Helpers shared by the tests that drive the workspace from outside.
//!
//! - [`random`]: random questions, in families that each stress one part of the search.
//! - [`binary`]: the program `monabs` as a process, for tests that have another judge.
//! - [`call_graphs`]: C programs with deep and wide call graphs.
//! - [`combination`]: the ways in which a question can be asked.
//! - [`create_join`]: C programs that create and join threads in loops.
//! - [`judge`]: asks, and believes no answer that it has not checked.
//! - [`shrink`]: makes a question that is answered wrongly as small as possible.
//! - [`programs`]: random programs for any number of threads, and a judge for verdicts about them.
//! - [`random_c`]: random C programs about memory, and the compiler as their judge.
//! - [`random_threads`]: random C programs with threads.
//! - [`repository`]: the files of the repository.
//! - [`schema`]: whether JSON is as it is documented.
//! - [`transcript`]: commands in documents.

pub mod binary;
pub mod call_graphs;
pub mod combination;
pub mod create_join;
pub mod judge;
pub mod programs;
pub mod random;
pub mod random_c;
pub mod random_threads;
pub mod repository;
pub mod schema;
pub mod shrink;
pub mod transcript;
