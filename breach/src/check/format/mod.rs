//! Proofs and runs as text, so that they can be kept, read and checked later. Also in `docs/formats.md`.
//!
//! One statement per line; `#` starts a comment, and blank lines mean nothing. States are written as on the
//! command line (`0|16,16`, `0|1,2/3`), local states by their names where the system has names. The first line
//! has the kind of the file and the version of its format, the second the numbers of shared and of local states
//! of the system. The last line is `end`: without it a file has been cut off and is refused.
//!
//! A proof:
//!
//! ```text
//! breach-proof 1
//! system 4 3                       numbers of shared and of local states
//! init 0/0                         the initial states
//! target 2|                        any number of lines, like the following ones
//! element 0|2,2                    a minimal element
//! invariant 1 : 0:0 3:-1 | 2:1     bound : weights of shared states | weights of local states
//! end
//! ```
//!
//! An invariant says that the weight of the shared state and the weights of all threads together do not exceed
//! the bound. It speaks only of the shared states that it lists; local states that it does not list weigh 0.
//!
//! A run:
//!
//! ```text
//! breach-trace 1
//! system 1 15
//! init 0|2,2                       the state in which the run starts
//! target 0|14                      what it covers
//! thread 0 at 2                    the threads of that state, numbered from 0
//! thread 1 at 2
//! step 1 transition 5 line 7 : 0|2 -> 0|5,14
//!   thread 0 active 2 -> 14        a thread that the transition is about
//!   thread 2 appears in 5          likewise, new; gets the next number
//!   thread 1 passive 2 -> 6        a thread that follows a rule; those who stay need not be listed
//!   # now 0|5,6,14
//! end
//! ```
//!
//! A thread that goes away is written `thread 0 active 2 vanishes` or `thread 1 passive 2 vanishes`.
//! Transitions are counted from 0. The text after the colon repeats shared states and active threads of the
//! transition; a difference from the system is an error, because then the run is about another system. The
//! line is for the reader only and is left out where it is not known.

mod cursor;
mod proof;
mod trace;

pub use proof::{parse_proof, write_proof};
pub use trace::{parse_trace, write_trace};

#[cfg(test)]
mod tests;
