//! Proves and refutes C programs for every number of threads by predicate abstraction with inter-thread
//! predicates (Kaiser's thesis, chapters 3 and 5.1).
//!
//! | you have | made by | checked by |
//! |---|---|---|
//! | a program | `frontend` | its interpreter |
//! | predicates ([`predicate`]), with where they count ([`scope`]) | the user, [`refine`] | |
//! | numbers of threads, and what is known about them ([`counting`]) | the control-flow graph | the solver, edge by edge |
//! | which thread has which number ([`identity`]) | the front end | |
//! | an abstract program ([`abstraction`]) | questions to a solver | brute force on small programs |
//! | an abstract run, or a proof | `breach` | `breach::check` |
//! | a path of real steps ([`path`]) | the abstract run | the solver; a feasible one is replayed |
//! | new predicates ([`refine`]) | weakest preconditions | the path is excluded, or they are not used |
//! | a certificate ([`certificate`]) | what was found | `certify` |
//! | a verdict ([`verify`]) | the loop (`cegar`), or an engine beside it ([`team`]: `engine::search`, `cseq`, `impara`) | proof and run, as above |

pub mod abstraction;
mod bound;
mod cegar;
pub mod certificate;
pub mod counting;
pub mod emit;
pub mod identity;
pub mod limits;
mod linear;
pub mod path;
pub mod predicate;
pub mod refine;
pub mod scope;
mod shorten;
pub mod team;
pub mod verify;

pub use team::Engine;
pub use verify::{Options, Outcome, Reason, Verdict, verify};
