//! Certificates as text.
//!
//! ```text
//! monabs-proof 1
//! source SHA-256 NAME
//! assumption TEXT
//! begin program
//! ...                          as asyncc --emit program prints it
//! end program
//! kind abstraction
//! end-of-edge 12
//! count threads.1 at 3 4 5
//! bound 2147483648
//! fact (= readers threads.1)
//! carrier owner
//! shared-predicate (= held #x00)
//! thread-predicate (= mine mine@P) at 1 2 about 1 2
//! shared 0 10
//! local 0 at 3 01
//! error 4
//! occurs 0 with 0 1 2
//! edges 0 0 3 -
//! begin emdr
//! ...
//! end emdr
//! begin proof
//! ...
//! end proof
//! end
//! ```
//!
//! The head and the frame are [`engine::document`]. `kind tree` has the text of impara's proof between `begin tree` and `end tree`; `kind bounds UNWIND ROUNDS THREADS` and `kind states THREADS STATES` have nothing else. The digits of a state are the values of the
//! predicates, in their order. Locations and edges are those of the program, edges of the system are in the order of its transitions.

mod read;
mod write;

pub use read::{Unread, read};
pub use write::write;
