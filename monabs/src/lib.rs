//! Proves and refutes C programs for every number of threads by predicate abstraction with inter-thread
//! predicates (Kaiser's thesis, chapters 3 and 5.1).

pub mod abstraction;
pub mod limits;
pub mod path;
pub mod predicate;
pub mod scope;
pub mod cegar;
pub mod refine;
