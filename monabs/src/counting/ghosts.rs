//! Counts as shared variables of the program.

use super::balance::{Balance, initial_only};
use super::observe::Observable;
use super::{Count, Counting, Equation, MAX_COUNTS, UNBOUNDED, WIDTH};
use crate::linear::sum;
use frontend::program::{DataType, LocationId, Program, Scope, Variable, VariableId};
use smt::{Bits, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The program with a location of its own for each edge to where a thread ends, so that what threads have done in their lives can be told apart.
/// No edge leads out of these locations and no property asks about them, so nothing else changes.
pub(super) fn with_ends_apart(program: &Program) -> Program {
    let mut apart = program.clone();
    let edges_from = program.edges_from();
    let mut stays = program.targets();
    program.pool.into_iter().chain([program.main]).for_each(|start| stays[start.index()] = true);
    let mut taken = vec![false; program.locations.len()];
    for edge in &mut apart.edges {
        let end = edge.to;
        if !edges_from[end.index()].is_empty() || stays[end.index()] {
            continue;
        }
        if std::mem::replace(&mut taken[end.index()], true) {
            edge.to = LocationId(apart.locations.len() as u32);
            apart.locations.push(program.location(end).clone());
        }
    }
    apart
}

/// The program with counts for the balances, as many as there is room for.
pub(super) fn introduce(
    program: &Program,
    observables: &[Observable],
    balances: Vec<Balance>,
    bound: Option<u128>,
) -> (Program, Counting) {
    // Locations that contribute alike to all equations have a count, unless they contribute nothing.
    let initial = initial_only(program);
    let kept = fitting(&initial, balances);
    let mut classes: BTreeMap<(Vec<i128>, bool), BTreeSet<LocationId>> = BTreeMap::new();
    for (index, &initial) in initial.iter().enumerate() {
        let amounts: Vec<i128> = kept.iter().map(|balance| balance.amounts[index]).collect();
        if amounts.iter().any(|amount| *amount != 0) {
            classes.entry((amounts, initial)).or_default().insert(LocationId(index as u32));
        }
    }
    let mut counted = program.clone();
    let bound = bound.unwrap_or(UNBOUNDED).min(UNBOUNDED);
    let edges_from = program.edges_from();
    // Nothing matters any more when a property is violated.
    let errors = program.errors();
    let ended = |locations: &BTreeSet<LocationId>| {
        locations.iter().any(|location| {
            let ends =
                edges_from[location.index()].is_empty() || !program.location(*location).may_end.is_false();
            ends && !errors[location.index()]
        })
    };
    let of_location = vec![None; program.locations.len()];
    let mut counting = Counting { of_location, initial, bound, ..Counting::default() };
    for (number, ((_, initial), locations)) in classes.iter().enumerate() {
        let variable = VariableId(counted.variables.len() as u32);
        counted.variables.push(Variable {
            name: fresh(program, number),
            scope: Scope::Shared,
            data_type: DataType::Int { width: WIDTH, signed: false },
            init: Some(Value::Bits(Bits::zero(WIDTH))),
            identity: false,
            position: program.location(program.main).position,
        });
        locations.iter().for_each(|location| counting.of_location[location.index()] = Some(number));
        counting.counts.push(Count {
            variable,
            locations: locations.clone(),
            ended: ended(locations),
            initial: *initial,
        });
    }
    update(&mut counted, &counting);
    for (place, balance) in kept.iter().enumerate() {
        let factors: Vec<(usize, i128)> = classes
            .keys()
            .enumerate()
            .map(|(number, (amounts, _))| (number, amounts[place]))
            .filter(|(_, factor)| *factor != 0)
            .collect();
        counting.equations.push(equation(&counted, &counting, observables, balance, factors));
    }
    (counted, counting)
}

/// The first balances that need no more counts than there may be.
fn fitting(initial: &[bool], balances: Vec<Balance>) -> Vec<Balance> {
    let mut kept: Vec<Balance> = Vec::new();
    for balance in balances {
        kept.push(balance);
        let mut classes: BTreeSet<(Vec<i128>, bool)> = BTreeSet::new();
        for (index, &initial) in initial.iter().enumerate() {
            classes.insert((kept.iter().map(|balance| balance.amounts[index]).collect(), initial));
        }
        if classes.len() > MAX_COUNTS + 2 {
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
        let one = Term::bv(WIDTH, 1);
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
    let terms: Vec<(Term, i128)> =
        balance.factors.iter().map(|&(number, factor)| (observables[number].term, factor)).collect();
    let width = terms.first().map_or(1, |(term, _)| term.width());
    let start =
        sum(width, balance.factors.iter().map(|&(number, factor)| (observables[number].initial, factor)));
    let counts = factors
        .iter()
        .map(|&(number, factor)| (program.variable(counting.counts[number].variable).term(), factor));
    let right = sum(width, counts).bv_add(start);
    let mut variables: BTreeSet<VariableId> =
        balance.factors.iter().map(|&(number, _)| observables[number].variable).collect();
    variables.extend(factors.iter().map(|&(number, _)| counting.counts[number].variable));
    let left = sum(width, terms.iter().copied());
    let tickets = balance.tickets.clone();
    let premises = balance
        .factors
        .iter()
        .flat_map(|&(number, _)| observables[number].premises.iter().copied())
        .collect();
    Equation { left, right, start, factors, terms, fact: balance.fact, premises, tickets, variables }
}
