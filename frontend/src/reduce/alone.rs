//! Where the initial thread is the only one that has begun.
//!
//! Threads of the pool begin when somebody lets them: each edge out of the pool has a condition on shared variables that is false at first (a mailbox is
//! empty). The variables of one such condition for each of these edges are *gates*. As long as nobody writes a gate, nobody begins; and who
//! writes one first is the initial thread, because nobody else has begun.
//!
//! So where control gets to from `main` along edges that write no gate, and not in another way, no other thread takes a step: a thread there is the initial
//! one, since the pool does not lead there, and it has not opened a gate, since behind one control does not get there. While it is there,
//! there are no steps of others that its steps would have to change places with, whatever they touch.

use crate::program::{EdgeId, LocationId, Program, Scope, Target, VariableId};
use smt::{Assignment, Sort, Symbol, Term, Value, eval};

/// By location: a thread there is the initial one, and no other has begun.
pub(super) fn locations(program: &Program) -> Vec<bool> {
    let mut alone = vec![false; program.locations.len()];
    let Some(pool) = program.pool.filter(|pool| !asked_about(program, *pool)) else { return alone };
    let edges_from = program.edges_from();
    let Some(gates) = gates(program, &edges_from[pool.index()]) else { return alone };
    let opens = |edge: &EdgeId| program.edge(*edge).assign.iter().any(|(id, _)| gates.contains(id));
    let opened = (0..program.edges.len() as u32).map(EdgeId).filter(|edge| opens(edge));
    let crowded = program.reachable(opened.map(|edge| program.edge(edge).to).chain([pool]));
    for (index, reached) in program.reachable([program.main]).into_iter().enumerate() {
        alone[index] = reached && !crowded[index];
    }
    alone
}

/// Whether a property asks about threads in the pool: then steps of the initial thread alone may matter to it.
fn asked_about(program: &Program, pool: LocationId) -> bool {
    program.properties.iter().any(|property| match &property.target {
        Target::Location(location) => *location == pool,
        Target::Race(first, second) => first.location == pool || second.location == pool,
    })
}

/// The variables of a condition for each of the edges that is false at first; none if there is an edge without one.
fn gates(program: &Program, begins: &[EdgeId]) -> Option<Vec<VariableId>> {
    let start = Start(program);
    let mut gates = Vec::new();
    for edge in begins {
        let parts = program.edge(*edge).guard.conjuncts();
        let closed = parts.into_iter().find(|part| eval(*part, &start) == Ok(Value::Bool(false)))?;
        gates.extend(closed.constants().into_iter().filter_map(|constant| start.variable(constant)));
    }
    Some(gates)
}

/// The initial values of shared variables.
struct Start<'p>(&'p Program);

impl Start<'_> {
    fn variable(&self, constant: Term) -> Option<VariableId> {
        let name = constant.as_constant()?;
        let place = self.0.variables.iter().position(|variable| variable.name == name)?;
        Some(VariableId(place as u32))
    }
}

impl Assignment for Start<'_> {
    fn value(&self, name: Symbol, _: Sort) -> Option<Value> {
        let variable = self.0.variables.iter().find(|variable| variable.name == name)?;
        variable.init.clone().filter(|_| variable.scope == Scope::Shared)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, edge, two};
    use super::*;

    /// Main counts, opens the gate, and counts again; a thread begins behind the gate.
    fn program() -> (Builder, [LocationId; 4]) {
        let mut builder = Builder::new();
        let (n, gate) = (builder.shared("n", Some(0)), builder.shared("gate", Some(0)));
        let pool = builder.pool();
        let [a, b, c, inside] = builder.locations();
        let error = builder.error("error");
        builder.assign(LocationId(0), a, n.0, n.1.bv_add(two(1)));
        builder.assign(a, b, gate.0, two(1));
        builder.assign(b, c, n.0, n.1.bv_add(two(1)));
        builder.guard(pool, inside, gate.1.equals(two(1)));
        builder.guard(inside, error, n.1.equals(two(1)));
        (builder, [a, b, c, inside])
    }

    fn alone(builder: &Builder) -> Vec<usize> {
        let found = locations(&builder.program);
        (0..found.len()).filter(|&index| found[index]).collect()
    }

    #[test]
    fn before_the_gate_is_opened() {
        let (builder, [a, ..]) = program();
        assert_eq!(alone(&builder), [0, a.index()]);
    }

    #[test]
    fn not_behind_the_gate_or_where_others_come() {
        let (mut builder, [a, b, c, inside]) = program();
        builder.program.edges.push(edge(c, a));
        assert_eq!(alone(&builder), [0], "the initial thread comes back");
        let (mut builder, [..]) = program();
        builder.program.edges.push(edge(inside, a));
        assert_eq!(alone(&builder), [0], "others come");
        let (mut builder, [..]) = program();
        builder.program.edges.push(edge(b, LocationId(0)));
        assert!(alone(&builder).is_empty());
    }

    #[test]
    fn not_if_the_pool_needs_no_permission() {
        let (mut builder, [.., inside]) = program();
        let pool = builder.program.pool.unwrap();
        builder.program.edges.push(edge(pool, inside));
        assert!(alone(&builder).is_empty());
        let (mut builder, [..]) = program();
        builder.program.variables[1].init = None;
        assert!(alone(&builder).is_empty(), "the gate may be open at first");
    }
}
