//! What the programs around an engine share: the question that users ask, and the answer in all its forms. An engine's own program adds its options, its
//! statistics and its evidence in words.
//!
//! - [`args`]: options that all have; [`usage`]: which of them contradict each other; [`program`]: from `main` to the command.
//! - [`task`]: the way from FILE to a program that an engine can work on; [`specification`]: property files; [`limits`]: when it ends earlier.
//! - [`answer`]: the verdict with what shows it, in words and for `--json`; [`assumed`]: what a proof is based on.
//! - [`outputs`]: files that are written; [`proof`]: the file around a proof; [`sarif`], [`witness`]: forms that others have defined; [`html`]: a page for people; [`harness`]: a bug as a program that runs.

pub mod answer;
pub mod args;
pub mod assumed;
mod explain;
pub mod harness;
pub mod html;
pub mod limits;
pub mod outputs;
pub mod program;
pub mod proof;
pub mod sarif;
pub mod specification;
pub mod task;
pub mod usage;
pub mod witness;

pub use answer::Answer;
pub use task::{Job, Task};
