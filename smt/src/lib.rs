//! Questions about formulas: hash-consed terms and solvers behind one trait. Knows no C and no threads.
//!
//! Nothing is implemented yet. Planned, in this order: typed terms (`sort`, `term`, `subst`, `simplify`), an
//! evaluator that judges every model (`eval`), SMT-LIB in and out (`smtlib`), the solver trait with an
//! in-process and a piped back end (`solver`, `z3`, `process`), implied cubes and sequence interpolants
//! (`cubes`, `interpolate`).
