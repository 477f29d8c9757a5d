//! Proves and refutes C programs for every number of threads by predicate abstraction with inter-thread
//! predicates (Kaiser's thesis, chapters 3 and 5.1).
//!
//! Nothing is implemented yet. Planned: predicates and their classes, the template abstraction and its
//! monotone closure, emission as an EMDR program, refinement of infeasible abstract runs, and the CEGAR loop
//! that ties `frontend`, `smt` and `breach` together.
