//! Programs as text, out ([`print()`]) and in ([`read()`]): complete, so that what is printed reads back to an equal program.
//!
//! ```text
//! program 1
//!
//! file 0 "racy.c"
//!
//! shared x: i32 = 0 @0:1:5
//! local main::t: i32
//!
//! location 0 in main @0:4:3
//! location 1 in main @0:5:3 live main::t
//! location 2
//! main 0
//! pool 2
//!
//! edge 0: 0 -> 1
//!   guard (bvslt x #x00000005)
//!   assign main::t := x
//!   origin @0:4:3 in main "t = x;"
//!
//! property main.assertion.1 assertion @0:9:3 "assertion x == 2 does not hold" at 4
//! ```
//!
//! The grammar, where `[ ]` is optional, `{ }` any number of times, and white space (also line ends) separates words:
//!
//! ```text
//! program   = "program" "1" { item }
//! item      = "file" number string
//!           | ( "shared" | "local" ) name ":" type [ "=" value ] [ position ]
//!           | "location" number [ "in" name ] [ position ] [ "atomic" ] [ "live" name { "," name } ]
//!           | "main" number | "pool" number
//!           | "edge" number ":" number "->" number { clause }
//!           | "property" name kind [ position ] string target
//!           | "note" number ( "over" | "under" | "inexact" | "assumption" [ assumed ] ) [ position ] string
//!           | "address" name "=" number "size" number
//!           | "predicate" [ position ] term
//! clause    = [ "passive" ] "input" name ":" type | "guard" term | [ "passive" ] "assign" name ":=" term
//!           | "approximate" number | "origin" [ position ] [ "in" name ] string
//! target    = "at" number | "race" access "with" access
//! access    = number [ "[" term "]" ] [ "write" ]
//! position  = "@" file ":" line ":" column
//! type      = "bool" | "i" bits | "u" bits | "[" type [ ";" length ] "by" "u" bits "]"
//! value     = "true" | "false" | integer | "#x" digits | "#b" digits
//!           | "{" { integer ":" value "," } "else" value "}"
//! kind      = "assertion" | "error-function" | "error-label" | "bounds" | "division-by-zero" | "mutex"
//!           | "signed-overflow" | "shift" | "pointer" | "data-race" | "limit"
//! assumed   = "sequential-consistency" | "race-freedom" | "statement-granularity" | "undefined-function" | "extern-variable"
//!           | "evaluation-order" | "allocation-succeeds" | "syntax-check-skipped" | "thread-bound" | "other"
//! ```
//!
//! Terms are those of SMT-LIB; `x@P` is a passive thread's copy. In terms, names are quoted as SMT-LIB has it (`|main::t|`); elsewhere
//! a name is a word of letters, digits and `_ $ . @ & * ~ ::`, or a string. Files, locations, edges and notes are numbered
//! in order from 0; the numbers are there for the reader and are checked. A guard that is missing is `true`, several must all hold. Declarations
//! come before their uses in terms and in `live`. Comments go from `//` to the end of the line. In strings, `\n`, `\t`, `\r`, `\"`, `\\`
//! and `\u{...}` are escapes.

mod lex;
mod print;
mod read;

pub use print::print;
pub use read::{ReadError, read};

use super::PropertyKind;

/// Kinds of properties and their words.
const KINDS: [(PropertyKind, &str); 14] = [
    (PropertyKind::Assertion, "assertion"),
    (PropertyKind::ErrorFunction, "error-function"),
    (PropertyKind::ErrorLabel, "error-label"),
    (PropertyKind::Bounds, "bounds"),
    (PropertyKind::DivisionByZero, "division-by-zero"),
    (PropertyKind::Mutex, "mutex"),
    (PropertyKind::SignedOverflow, "signed-overflow"),
    (PropertyKind::Shift, "shift"),
    (PropertyKind::Pointer, "pointer"),
    (PropertyKind::Free, "free"),
    (PropertyKind::Leak, "leak"),
    (PropertyKind::DataRace, "data-race"),
    (PropertyKind::Deadlock, "deadlock"),
    (PropertyKind::Limit, "limit"),
];

impl PropertyKind {
    /// A word for the kind, such as `data-race`.
    pub fn word(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

/// Whether a name can stand in the text as it is.
fn is_bare(name: &str) -> bool {
    let without_colons = name.replace("::", "");
    name.starts_with(|first: char| lex::is_word_character(first) && !first.is_ascii_digit() && first != '@')
        && !name.ends_with(':')
        && without_colons.chars().all(lex::is_word_character)
}

#[cfg(test)]
mod tests;
