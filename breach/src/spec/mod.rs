//! Petri nets with transfers in the format of the mist tool.
//!
//! The variables of a net are the local states of our model, tokens are threads, and there is one shared state.
//!
//! ```text
//! file   = 'vars' name* 'rules' rule* 'init' conj? 'target' conj* ('invariants' conj*)?
//! rule   = guard '->' effect,* ';'                         the last ';' of the section may be missing
//! guard  = 'true' | nothing | (name '>=' number),*
//! effect = name ' '=' sum of variables and constants       such as x' = x - 1, x' = x + y + 2, y' = 0
//! conj   = (name ('>=' | '=') number),*
//! ```
//!
//! All effects of a rule act at once on the old values. A variable without an effect keeps its value. Conditions
//! of one conjunction are separated by commas; in `target` a new line without a comma starts an alternative.
//! `x >= k` in `init` stands for k tokens and any number more; variables that `init` does not list start with 0.
//! The sections `init` and `target` may be empty when the question comes from the command line. Invariants are
//! hints for other tools: they are read and dropped.

mod lex;
mod parse;
mod print;
mod rule;
#[cfg(test)]
mod tests;

pub use parse::parse;
pub(crate) use print::variable_names;
pub use print::{NotExpressible, print};
