//! SMT-LIB, out and in.
//!
//! Terms are printed by their `Display`, with `let` for shared parts; [`Script`] has what a solver reads. The reader
//! understands what the printer writes and the rest of the core, bit-vector and array theories as far as there are terms for
//! it: constants, no uninterpreted functions, no quantifiers. It builds terms with the smart constructors, so what
//! was printed is read back as the same term. Neither recurses over the depth of terms.
//!
//! Errors have a line and a column. Limits keep small texts from denoting huge terms: see [`MAXIMAL_WIDTH`].

mod apply;
mod lex;
mod parse;
mod print;
mod script;

pub use parse::{MAXIMAL_WIDTH, ParseError, Problem, parse_term};
pub use print::{declaration, quoted};
pub use script::{Script, parse_model, parse_script};
