//! The program with the counts of a certificate: ends of threads are told apart, and each edge says which counts it changes.
//!
//! An end has no edges and no property asks about it, so a location of its own changes nothing. A count starts at zero, because neither the initial thread nor those in the pool stand in a counted location
//! (checked), and goes up and down with the edges: it is the number of threads there.

use super::Rejected;
use crate::abstraction::{Abstraction, COUNT_WIDTH as WIDTH};
use frontend::program::{DataType, LocationId, Program, Scope, Variable, VariableId};
use smt::{Bits, Symbol, Term, Value};
use std::collections::BTreeSet;

/// So many threads there never are.
pub(super) const ALL_THREADS: u128 = 1 << 62;
/// More counts could have a sum that does not fit.
const MOST_COUNTS: usize = 60;

/// The program, and the variables that count, in the order of the certificate.
pub(super) fn counted(
    program: &Program,
    certificate: &Abstraction,
) -> Result<(Program, Vec<VariableId>), Rejected> {
    let mut counted = program.clone();
    let (edges_from, targets) = (program.edges_from(), program.targets());
    let mut moved = BTreeSet::new();
    for &id in &certificate.ends {
        let Some(edge) = counted.edges.get_mut(id.index()) else {
            return Err(Rejected::new(format!("there is no edge {}", id.0)));
        };
        let end = edge.to;
        let is_start = end == program.main || Some(end) == program.pool;
        let is_end = edges_from.get(end.index()).is_some_and(Vec::is_empty) && !targets[end.index()];
        if !moved.insert(id) || is_start || !is_end {
            return Err(Rejected::new(format!("edge {} does not lead to the end of a thread", id.0)));
        }
        edge.to = LocationId(counted.locations.len() as u32);
        counted.locations.push(program.location(end).clone());
    }
    if certificate.counts.len() > MOST_COUNTS {
        return Err(Rejected::new("there are too many counts"));
    }
    let mut variables = Vec::new();
    let mut seen = BTreeSet::new();
    for count in &certificate.counts {
        let name = Symbol::new(&count.name);
        if counted.variables.iter().any(|variable| variable.name == name) {
            return Err(Rejected::new(format!("the count {name} has the name of a variable")));
        }
        for location in &count.locations {
            let exists = location.index() < counted.locations.len();
            let is_start = *location == program.main || Some(*location) == program.pool;
            if !exists || is_start || !seen.insert(*location) {
                return Err(Rejected::new(format!("{name} cannot count threads at location {}", location.0)));
            }
        }
        variables.push(VariableId(counted.variables.len() as u32));
        counted.variables.push(Variable {
            name,
            scope: Scope::Shared,
            data_type: DataType::Int { width: WIDTH, signed: false },
            init: Some(Value::Bits(Bits::zero(WIDTH))),
            identity: false,
            position: program.location(program.main).position,
        });
    }
    let one = Term::bv(WIDTH, 1);
    for (count, &variable) in certificate.counts.iter().zip(&variables) {
        let term = counted.variable(variable).term();
        for edge in &mut counted.edges {
            match (count.locations.contains(&edge.from), count.locations.contains(&edge.to)) {
                (true, false) => edge.assign.push((variable, term.bv_sub(one))),
                (false, true) => edge.assign.push((variable, term.bv_add(one))),
                _ => {}
            }
        }
    }
    Ok((counted, variables))
}
