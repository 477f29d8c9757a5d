//! The programs as their users have them: installed, documented, read by other programs, and on days when things go wrong.
//!
//! - [`package`]: what is installed and packaged runs without the source folder.
//! - [`schema`]: `--json` is as it is documented.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

mod package;
mod schema;
mod support;
