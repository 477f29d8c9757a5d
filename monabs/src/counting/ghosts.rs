//! Counts as shared variables of the program.

use super::balance::Balance;
use super::observe::Observable;
use super::{Count, Counting, Equation, MAX_COUNTS, UNBOUNDED, left, linear};
use frontend::program::{DataType, LocationId, Program, Scope, Target, Variable, VariableId};
use smt::{Bits, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The program with counts for the balances, as many as there is room for.
pub(super) fn introduce(
    program: &Program,
    observables: &[Observable],
    balances: Vec<Balance>,
    bound: Option<u128>,
) -> (Program, Counting) {
    let kept = fitting(program, balances);
    // Locations that contribute alike to all equations have a count, unless they contribute nothing.
    let mut classes: BTreeMap<Vec<i128>, BTreeSet<LocationId>> = BTreeMap::new();
    for index in 0..program.locations.len() {
        let amounts: Vec<i128> = kept.iter().map(|balance| balance.amounts[index]).collect();
        if amounts.iter().any(|amount| *amount != 0) {
            classes.entry(amounts).or_default().insert(LocationId(index as u32));
        }
    }
    let mut counted = program.clone();
    let bound = bound.unwrap_or(UNBOUNDED).min(UNBOUNDED);
    let edges_from = program.edges_from();
    // Nothing matters any more when a property is violated.
    let error = |location: &LocationId| {
        program.properties.iter().any(|property| property.target == Target::Location(*location))
    };
    let ended = |locations: &BTreeSet<LocationId>| {
        locations.iter().any(|location| edges_from[location.index()].is_empty() && !error(location))
    };
    // Room for the sum of all counts.
    let largest = if classes.values().any(ended) { UNBOUNDED } else { bound };
    let width = 128 - largest.leading_zeros() + 5;
    let mut counting =
        Counting { of_location: vec![None; program.locations.len()], bound, width, ..Counting::default() };
    for (number, locations) in classes.values().enumerate() {
        let variable = VariableId(counted.variables.len() as u32);
        counted.variables.push(Variable {
            name: fresh(program, number),
            scope: Scope::Shared,
            data_type: DataType::Int { width, signed: false },
            init: Some(Value::Bits(Bits::zero(width))),
            position: program.location(program.main).position,
        });
        locations.iter().for_each(|location| counting.of_location[location.index()] = Some(number));
        counting.counts.push(Count { variable, locations: locations.clone(), ended: ended(locations) });
    }
    update(&mut counted, &counting);
    for (place, balance) in kept.iter().enumerate() {
        let factors: Vec<(usize, i128)> = classes
            .keys()
            .enumerate()
            .map(|(number, amounts)| (number, amounts[place]))
            .filter(|(_, factor)| *factor != 0)
            .collect();
        counting.equations.push(equation(&counted, &counting, observables, balance, factors));
    }
    (counted, counting)
}

/// The first balances that need no more counts than there may be.
fn fitting(program: &Program, balances: Vec<Balance>) -> Vec<Balance> {
    let mut kept: Vec<Balance> = Vec::new();
    for balance in balances {
        kept.push(balance);
        let mut classes: BTreeSet<Vec<i128>> = BTreeSet::new();
        for index in 0..program.locations.len() {
            classes.insert(kept.iter().map(|balance| balance.amounts[index]).collect());
        }
        if classes.len() > MAX_COUNTS + 1 {
            kept.pop();
        }
    }
    kept
}

/// A name that nobody has.
fn fresh(program: &Program, number: usize) -> Symbol {
    let mut name = format!("threads.{}", number + 1);
    while program.variables.iter().any(|variable| variable.name.as_str() == name) {
        name.push('\'');
    }
    Symbol::new(&name)
}

/// Edges from one set to another move one thread.
fn update(program: &mut Program, counting: &Counting) {
    let terms: Vec<Term> =
        counting.counts.iter().map(|count| program.variable(count.variable).term()).collect();
    for edge in &mut program.edges {
        let (from, to) = (counting.of(edge.from), counting.of(edge.to));
        if from == to {
            continue;
        }
        let one = Term::bv(counting.width, 1);
        if let Some(from) = from {
            edge.assign.push((counting.counts[from].variable, terms[from].bv_sub(one)));
        }
        if let Some(to) = to {
            edge.assign.push((counting.counts[to].variable, terms[to].bv_add(one)));
        }
    }
}

fn equation(
    program: &Program,
    counting: &Counting,
    observables: &[Observable],
    balance: &Balance,
    factors: Vec<(usize, i128)>,
) -> Equation {
    let terms = left(observables, balance);
    let width = terms.first().map_or(1, |(term, _)| term.width());
    let start = linear(
        width,
        balance.factors.iter().map(|&(number, factor)| (observables[number].initial, factor)),
    );
    let counts = factors.iter().map(|&(number, factor)| {
        (program.variable(counting.counts[number].variable).term(), factor)
    });
    let right = linear(width, counts).bv_add(start);
    let mut variables: BTreeSet<VariableId> =
        balance.factors.iter().map(|&(number, _)| observables[number].variable).collect();
    variables.extend(factors.iter().map(|&(number, _)| counting.counts[number].variable));
    let left = linear(width, terms.iter().copied());
    let tickets = balance.tickets.clone();
    Equation { left, right, start, factors, terms, fact: balance.fact, tickets, variables }
}
