//! BatSat: MiniSat in Rust. Its variables are numbered from zero.

use ::batsat::{Callbacks, Solver, SolverInterface, Var, lbool};

use super::{Limit, Lit, SatSolver};

/// Asked by the solver at every decision.
#[derive(Default)]
struct Watch(Limit);

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        self.0.is_reached()
    }
}

#[derive(Default)]
pub(super) struct Batsat {
    solver: Solver<Watch>,
    /// By number, from zero.
    variables: Vec<Var>,
    clauses: usize,
    buffer: Vec<::batsat::Lit>,
}

impl Batsat {
    fn literal(&self, literal: Lit) -> ::batsat::Lit {
        let variable = self.variables[literal.variable() as usize - 1];
        ::batsat::Lit::new(variable, !literal.is_negative())
    }
}

impl SatSolver for Batsat {
    fn name(&self) -> &'static str {
        "batsat"
    }

    fn new_variable(&mut self) -> Lit {
        self.variables.push(self.solver.new_var_default());
        Lit::positive(self.variables.len() as u32)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(clause.iter().map(|&literal| self.literal(literal)));
        // The answer is whether clauses contradict each other already; the next question finds that out again.
        self.solver.add_clause_reuse(&mut buffer);
        self.buffer = buffer;
    }

    fn solve(&mut self, assumptions: &[Lit], limit: &Limit) -> Option<bool> {
        self.solver.cb_mut().0 = limit.clone();
        let assumptions: Vec<::batsat::Lit> =
            assumptions.iter().map(|&literal| self.literal(literal)).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Some(true)
        } else if answer == lbool::FALSE {
            Some(false)
        } else {
            None
        }
    }

    fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(self.literal(literal)) == lbool::TRUE
    }

    fn failed(&self, assumption: Lit) -> bool {
        // The core is kept as the clause that follows from it.
        self.solver.unsat_core_contains_lit(!self.literal(assumption))
    }

    fn variables(&self) -> usize {
        self.variables.len()
    }

    fn clauses(&self) -> usize {
        self.clauses
    }
}
