//! What all programs here share, whatever they read: the terminal and the process.
//!
//! - [`color`]: when to use colours, and which.   [`output`]: the result on stdout.   [`progress`]: one line about what is being done.
//! - [`files`]: other results, in files.
//! - [`messages`]: standard error.   [`panics`]: a panic becomes a message.   [`memory`]: how much memory the process has.   [`words`]: numbers of things.
//! - [`size`]: how wide the terminal is.   [`help`]: short and long help.

pub mod color;
pub mod files;
pub mod help;
pub mod memory;
pub mod messages;
pub mod output;
pub mod panics;
pub mod progress;
pub mod size;
pub mod words;
