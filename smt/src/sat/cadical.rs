//! CaDiCaL: literals are already as it wants them.

use ::cadical::{Callbacks, Solver};

use super::{Limit, Lit, SatSolver};

/// Asked by the solver from time to time.
struct Watch(Limit);

impl Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.is_reached()
    }
}

#[derive(Default)]
pub(super) struct Cadical {
    solver: Solver<Watch>,
    variables: u32,
    clauses: usize,
}

impl SatSolver for Cadical {
    fn name(&self) -> &'static str {
        "cadical"
    }

    fn new_variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        self.solver.add_clause(clause.iter().map(|literal| literal.dimacs()));
    }

    fn solve(&mut self, assumptions: &[Lit], limit: &Limit) -> Option<bool> {
        self.solver.set_callbacks(Some(Watch(limit.clone())));
        self.solver.solve_with(assumptions.iter().map(|literal| literal.dimacs()))
    }

    fn value(&self, literal: Lit) -> bool {
        // Whatever occurs in no clause may have any value.
        self.solver.value(literal.dimacs()).unwrap_or(false)
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.solver.failed(assumption.dimacs())
    }

    fn variables(&self) -> usize {
        self.variables as usize
    }

    fn clauses(&self) -> usize {
        self.clauses
    }
}
