//! What engines share that verify a [`Program`](frontend::program::Program) with threads that are told apart.
//!
//! - [`bug`]: runs that violate a property, and when they are believed.
//! - [`tidy`]: such a run made easy to read.
//! - [`limits`]: when to give up.   [`document`]: the file of a proof, around what an engine has to say.
//! - [`search`]: bugs by running the program with few threads, proofs by exhausting its states; [`races`]: races that way.
//! - [`threads`]: creation of a thread as one step of its creator.
//! - [`order`]: an order of control-flow graphs in which loops are nested.
//! - [`unwind`]: the threads of a program with their loops unrolled: acyclic graphs, one for each thread; [`apart`]: these as a program again.

pub mod apart;
pub mod bug;
pub mod document;
pub mod limits;
pub mod order;
pub mod races;
pub mod search;
pub mod threads;
pub mod tidy;
pub mod unwind;
