//! Bounded search for bugs by lazy sequentialization: O. Inverso's thesis, chapter 4.
//!
//! - [`encode`]: all schedules of some rounds as one formula.
//! - [`check`]: the question for given bounds.
//! - [`deepen`]: the entry: options, the answer, deeper and deeper bounds.

pub mod check;
pub mod deepen;
mod encode;

pub use check::{Answered, Explored, Level};
pub use deepen::{Options, Outcome, Verdict, verify};
