//! What the programs that read C share: what users type, and what they get.
//!
//! - [`args`]: options; [`usage`]: which of them contradict each other; [`options`]: what they mean for the front end.
//! - [`input`]: C or a printed program becomes a program; [`notes`]: what is not exact in it; [`obstacles`]: what is not modelled, by kind; [`listing`]: its properties and loops.
//! - [`runs`]: runs in files; [`verdict`]: what runs say; [`assumptions`]: what answers are based on; [`replay`]: runs from files, made again.
//! - [`report`], [`statistics`]: the answer.   [`console`], [`outputs`]: where it goes.
//! - [`deadline`]: the time limit.   [`failure`]: messages and exit codes.
//!
//! stdout has the result and nothing else; where there is a verdict, it is the last line. Messages go to stderr.

pub mod args;
pub mod assumptions;
pub mod console;
pub mod deadline;
pub mod failure;
pub mod input;
pub mod listing;
pub mod notes;
pub mod obstacles;
pub mod options;
pub mod outputs;
pub mod project;
pub mod replay;
pub mod report;
pub mod runs;
pub mod statistics;
pub mod usage;
pub mod verdict;

pub use console::Console;
pub use failure::{Failure, Result, exit};
pub use terminal::progress::ProgressLine;
pub use terminal::words::plural;

/// The program that runs: its name and its table of options, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its options.
    pub command: fn() -> clap::Command,
}
