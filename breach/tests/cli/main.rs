//! Drives the built program from outside: what users type, and what they get.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests stop at the first broken assumption"
)]

mod answers;
mod claims;
mod examples;
mod inputs;
mod limits;
mod outputs;
mod support;
mod tools;
mod usage;
