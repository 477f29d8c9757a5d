//! Random C programs of one thread that look at memory in other ways than they wrote it, each a function of its seed.
//!
//! - [`objects`]: the objects of a program, none of which has padding.
//! - [`bytes`]: functions that compute a number by byte copies, casts of pointers, unions, string functions.
//! - [`lifetimes`]: programs that allocate, use and free, half of them with one fault.
//! - [`races`]: programs of two threads that use locks and atomic operations, half of them with one access outside.
//! - [`compiler`]: what the compiled program prints, and what the sanitizers say.

pub mod bytes;
pub mod compiler;
pub mod lifetimes;
pub mod objects;
pub mod races;
