//! `--html`: the answer as one page that needs nothing else, neither files beside it nor a network.
//!
//! A bug is shown as its interleaving, a lane for each thread, with the source beside it; a proof by its predicates in words, where they matter,
//! and what holds at each place of the source. Everything is there without scripts; the script adds keys and highlights. What only an engine
//! knows comes as [`Details`], so that the page depends on no engine.
//!
//! - [`details`]: what an engine adds.   [`words`]: formulas as sentences.   [`cubes`]: what holds in all states of a table.
//! - [`run`]: a run as steps, accesses and arrows, without any layout.   [`lanes`]: the same as lanes.   [`picture`]: as a picture of its own.
//! - [`source`], [`highlight`]: the user's files.   [`proof`]: predicates and invariants.   [`charts`]: numbers.
//! - [`page`]: all of it.   [`escape`]: no text of the user ever becomes markup.

mod charts;
mod cubes;
pub mod details;
mod escape;
mod highlight;
mod lanes;
mod page;
mod picture;
mod proof;
mod run;
mod source;
mod words;

pub use details::{Curve, Details, Formula, Invariant, Invariants, Predicate};
pub use page::page;
pub use picture::picture;
pub use words::Words;
