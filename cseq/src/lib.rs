//! Bounded search for bugs by lazy sequentialization: O. Inverso's thesis, chapter 4.
//!
//! - [`encode`]: all schedules of some rounds as one formula.
//! - [`narrow`]: choices in few bits.
//! - [`schedule`]: which schedules, if not all.
//! - [`check`]: the question for given bounds.
//! - [`deepen`]: the entry: options, the answer, deeper and deeper bounds.

pub mod check;
pub mod deepen;
mod encode;
mod narrow;
pub mod schedule;

pub use check::{Answered, Explored, Level};
pub use deepen::{Options, Outcome, Unknown, Verdict, formulas, verify};
pub use schedule::Schedule;
