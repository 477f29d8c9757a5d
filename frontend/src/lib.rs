//! C text becomes a strictly asynchronous program: shared variables, locals of each thread, guarded edges.
//!
//! Nothing is implemented yet. Planned: sources and diagnostics, preprocessing, parsing, types, one lowering
//! pass per file, and the `program` representation with its interpreter, which every engine shares. Predicate
//! abstraction must not leak into this crate.
