//! The EMDR language: explicit monotone dual-reference programs (thesis, section 5.2, figure 30).
//!
//! ```text
//! prog  = S L item*
//! item  = s l '->' s l (l '~>' l)*     an active thread moves, passive threads follow the rules
//!       | s l '+>' s l                 the thread stays, a new one appears in the second local state
//!       | s l '~>' s l                 all threads in the first local state move; same ends: one step
//!       | s '|' l,..                   a target
//! ```

mod lex;
mod parse;
mod print;
mod states;

pub use parse::parse;
pub use print::{NotExpressible, print, show_init};
pub use states::{parse_init, parse_target, parse_targets};
