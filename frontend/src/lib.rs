//! C text becomes a strictly asynchronous program: shared variables, locals of each thread, guarded edges.
//!
//! - Text: [`source`] positions, [`diagnostics`] messages, [`preprocess`] and [`tokens`] what the parser needs, [`parse`] the tree; `link` makes one of several files.
//! - `assembly`: templates of inline assembly as instructions.
//! - [`models`]: the library as C text.   [`types`]: C's types and conversions.   [`lower`]: from the tree to a program, in passes.
//! - [`program`]: what engines work on, with an interpreter as reference.   [`mod@reduce`]: the same program, smaller.
//! - [`entry`]: what runs where there is no `main`.   [`translate`]: the whole way, and [`watch`] who is told how far it is.
//!
//! Predicate abstraction must not leak into this crate: it serves any engine.

mod assembly;
pub mod diagnostics;
pub mod entry;
mod link;
pub mod lower;
pub mod models;
pub mod parse;
pub mod preprocess;
pub mod program;
pub mod reduce;
pub mod source;
pub mod tokens;
pub mod translate;
pub mod types;
pub mod watch;
