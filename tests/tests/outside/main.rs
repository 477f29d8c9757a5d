//! The programs as their users have them: installed, documented, read by other programs, and on days when things go wrong.
//!
//! - [`bad_days`]: when they are killed, or have no room, or may not do what they should.
//! - [`documents`]: commands in the documents do what is said there.
//! - [`manual`]: manual pages are complete.
//! - [`package`]: what is installed and packaged runs without the source folder.
//! - [`proofs`]: one command judges the proofs of all programs.
//! - [`sarif`]: `--sarif` is as viewers and services want it.
//! - [`schema`]: `--json` is as it is documented.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

mod bad_days;
mod documents;
mod manual;
mod package;
mod proofs;
mod sarif;
mod schema;
mod support;
