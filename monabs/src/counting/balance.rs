//! Sums of observed terms that change by nothing around each cycle, and what each location contributes to them.
//!
//! A spanning forest of the control-flow graph gives each location an amount by each observed term: what changes on the way there from the start.
//! Each other edge closes a cycle, and says by how much the term changes around it. Factors for which these
//! changes cancel out are a null space; a basis of it over the integers is found by elimination.

use super::observe::{FLAG, Observable, conjuncts};
use frontend::program::{Edge, LocationId, Program, Scope, Target, VariableId};
use smt::Term;
use std::collections::BTreeSet;

/// A sum of observed terms whose value is a constant plus what each thread's location contributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Observed terms by number, with factors; none is zero.
    pub factors: Vec<(usize, i128)>,
    /// By location: what a thread there contributes, modulo the width; zero where no thread can be.
    pub amounts: Vec<i128>,
    /// Whether it holds in all states; else it is a guess.
    pub fact: bool,
    /// Locals that hold tickets: they get the first term when it goes up, and are compared with the second.
    pub tickets: Vec<Ticket>,
}

/// A local that holds a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket {
    /// The local.
    pub variable: VariableId,
    /// Whether no ticket is drawn at the end of the numbers, so that they do not wrap around.
    pub limited: bool,
}

/// All balances: differences of tickets first, then facts, then guesses.
pub fn balances(program: &Program, observables: &[Observable]) -> Vec<Balance> {
    let mut found = Vec::new();
    let numbers = 0..observables.len();
    let tickets = numbers.clone().flat_map(|next| numbers.clone().map(move |served| (next, served)));
    let tickets: Vec<Balance> =
        tickets.filter_map(|(next, served)| difference(program, observables, next, served)).collect();
    let widths: BTreeSet<u32> = observables.iter().map(Observable::width).collect();
    for width in widths {
        let of_width = |number: &usize| {
            let one = &observables[*number];
            one.width() == width && one.is_steady()
        };
        let steady: Vec<usize> = (0..observables.len()).filter(of_width).collect();
        let known: Vec<usize> =
            steady.iter().copied().filter(|&number| !observables[number].is_guessed()).collect();
        let counting: Vec<usize> =
            steady.into_iter().filter(|&number| observables[number].counts()).collect();
        let facts = sums(program, observables, &known, width);
        let guesses = sums(program, observables, &counting, width);
        let new = guesses.into_iter().filter(|guess| facts.iter().all(|fact| fact.factors != guess.factors));
        let new: Vec<Balance> = new.collect();
        found.extend(facts);
        found.extend(new);
    }
    // A flag says something about numbers if only the initial thread sets it, once.
    let initial = initial_only(program);
    found.retain(|balance: &Balance| {
        let mut terms = balance.factors.iter().map(|(number, _)| &observables[*number]);
        let (first, second) = (terms.next(), terms.next());
        let is_alone = second.is_none() && first.is_some_and(|first| first.is_flag());
        let amounts = balance.amounts.iter().zip(&initial);
        let is_set_once = amounts.into_iter().any(|(amount, initial)| *initial && *amount != 0);
        match (first, second) {
            (Some(flag), None) if is_alone => flag.width() == FLAG && is_set_once,
            _ => balance.factors.iter().any(|(number, _)| !observables[*number].is_flag()),
        }
    });
    // What follows from a difference and its second term says nothing new.
    let follows = |ticket: &Balance, balance: &Balance| {
        balance.factors == ticket.factors || balance.factors[..] == ticket.factors[..1]
    };
    found.retain(|balance| !tickets.iter().any(|ticket| follows(ticket, balance)));
    found.sort_by_key(|balance| !balance.fact);
    found.splice(0..0, tickets);
    for (number, observable) in observables.iter().enumerate() {
        if !observable.is_steady() && observable.counts() {
            found.extend(guess(program, observable, number));
        }
    }
    found
}

/// By location: only the initial thread can be there.
pub(super) fn initial_only(program: &Program) -> Vec<bool> {
    let edges_from = program.edges_from();
    let mut others = vec![false; program.locations.len()];
    let mut open: Vec<LocationId> = program.pool.into_iter().collect();
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut others[location.index()], true) {
            open.extend(edges_from[location.index()].iter().map(|&edge| program.edge(edge).to));
        }
    }
    others.into_iter().map(|others| !others).collect()
}

/// Whether a property is violated behind the edge: what holds then does not matter.
fn is_last(program: &Program, edge: &Edge) -> bool {
    program.properties.iter().any(|property| property.target == Target::Location(edge.to))
}

/// The amounts by location along a spanning forest, and the edges outside of it. Edges whose change is not known are used last, as if they
/// led to a location of amount zero.
fn forest(program: &Program, observable: &Observable, width: u32) -> (Vec<i128>, Vec<usize>) {
    let mut amounts: Vec<Option<i128>> = vec![None; program.locations.len()];
    let edges_from = program.edges_from();
    let mut open: Vec<LocationId> = Vec::new();
    let mut doubtful: Vec<LocationId> = Vec::new();
    for start in program.pool.into_iter().chain([program.main]) {
        amounts[start.index()] = Some(0);
        open.push(start);
    }
    let mut tree = vec![false; program.edges.len()];
    loop {
        while let Some(location) = open.pop() {
            let here = amounts[location.index()].unwrap_or(0);
            for &id in &edges_from[location.index()] {
                if is_last(program, program.edge(id)) {
                    continue;
                }
                let to = program.edge(id).to;
                match observable.changes[id.index()] {
                    Some(change) if amounts[to.index()].is_none() => {
                        amounts[to.index()] = Some(wrap(here.wrapping_add(change), width));
                        tree[id.index()] = true;
                        open.push(to);
                    }
                    Some(_) => {}
                    None => doubtful.push(to),
                }
            }
        }
        match doubtful.pop() {
            None => break,
            Some(to) if amounts[to.index()].is_none() => {
                amounts[to.index()] = Some(0);
                open.push(to);
            }
            Some(_) => {}
        }
    }
    let reached = |index: &usize| {
        let edge = &program.edges[*index];
        amounts[edge.from.index()].is_some() && !is_last(program, edge)
    };
    let others = (0..program.edges.len()).filter(|&index| !tree[index]).filter(reached).collect();
    (amounts.into_iter().map(|amount| amount.unwrap_or(0)).collect(), others)
}

/// The signed representative of a number modulo a power of two.
fn wrap(value: i128, width: u32) -> i128 {
    let shift = 128 - width;
    (value << shift) >> shift
}

/// By how much a term changes around the cycle that an edge closes.
fn around(program: &Program, observable: &Observable, amounts: &[i128], edge: usize) -> Option<i128> {
    let (from, to) = (program.edges[edge].from.index(), program.edges[edge].to.index());
    let change = observable.changes[edge]?;
    Some(wrap(amounts[from].wrapping_add(change).wrapping_sub(amounts[to]), observable.width()))
}

/// Sums of terms of one width whose changes are all known, or guessed.
fn sums(program: &Program, observables: &[Observable], steady: &[usize], width: u32) -> Vec<Balance> {
    let Some(&first) = steady.first() else { return Vec::new() };
    // The forest depends on the graph only, as all changes are known.
    let (_, others) = forest(program, &observables[first], width);
    let amounts: Vec<Vec<i128>> =
        steady.iter().map(|&number| forest(program, &observables[number], width).0).collect();
    let mut rows: BTreeSet<Vec<i128>> = BTreeSet::new();
    for edge in others {
        let row: Option<Vec<i128>> = steady
            .iter()
            .zip(&amounts)
            .map(|(&number, amounts)| around(program, &observables[number], amounts, edge))
            .collect();
        rows.extend(row);
    }
    let mut found = Vec::new();
    for factors in null_space(rows.into_iter().collect(), steady.len()) {
        let sum = |location: usize| {
            let parts =
                factors.iter().zip(&amounts).map(|(factor, amounts)| factor.wrapping_mul(amounts[location]));
            wrap(parts.fold(0, i128::wrapping_add), width)
        };
        let amounts: Vec<i128> = (0..program.locations.len()).map(sum).collect();
        let negative = amounts.iter().filter(|amount| **amount < 0).count();
        let positive = amounts.iter().filter(|amount| **amount > 0).count();
        let sign = if negative > positive { -1 } else { 1 };
        let factors = steady.iter().zip(&factors).filter(|(_, factor)| **factor != 0);
        let factors: Vec<(usize, i128)> = factors.map(|(&number, factor)| (number, sign * factor)).collect();
        let fact = !factors.iter().any(|&(number, _)| observables[number].is_guessed());
        found.push(Balance {
            factors,
            amounts: amounts.into_iter().map(|amount| wrap(sign * amount, width)).collect(),
            fact,
            tickets: Vec::new(),
        });
    }
    found
}

/// The difference of a counter from which threads draw tickets and one that says whose turn it is.
fn difference(program: &Program, observables: &[Observable], next: usize, served: usize) -> Option<Balance> {
    let (one, two) = (&observables[next], &observables[served]);
    if one.term == two.term || one.width() != two.width() || !one.is_steady() || !two.is_steady() {
        return None;
    }
    let tickets = tickets(program, one, two);
    if tickets.is_empty() {
        return None;
    }
    let width = one.width();
    let amounts = forest(program, one, width).0.into_iter().zip(forest(program, two, width).0);
    let amounts: Vec<i128> = amounts.map(|(one, two)| wrap(one.wrapping_sub(two), width)).collect();
    let balanced = program.edges.iter().enumerate().all(|(index, edge)| {
        let change = one.changes[index].unwrap_or(0).wrapping_sub(two.changes[index].unwrap_or(0));
        is_last(program, edge)
            || wrap(amounts[edge.from.index()].wrapping_add(change), width) == amounts[edge.to.index()]
    });
    let counts = amounts.iter().all(|amount| *amount >= 0) && amounts.iter().any(|amount| *amount > 0);
    let fact = !one.is_guessed() && !two.is_guessed();
    (balanced && counts).then(|| Balance { factors: vec![(next, 1), (served, -1)], amounts, fact, tickets })
}

/// Locals that get a counter's value in the step that changes it, and that the program compares with another counter.
fn tickets(program: &Program, next: &Observable, served: &Observable) -> Vec<Ticket> {
    let mentions = |term: Term, variable: VariableId| {
        let wanted = program.variable(variable).term();
        term.constants().contains(&wanted)
    };
    let mut drawn: BTreeSet<Ticket> = BTreeSet::new();
    for (edge, change) in program.edges.iter().zip(&next.changes) {
        // Who looks at the number itself before counting cares about its end; else two distances are compared.
        let is_limited = conjuncts(edge.guard).iter().any(|part| {
            let constants = part.constants();
            constants.len() == 1 && constants[0] == program.variable(next.variable).term()
        });
        if change.is_some_and(|change| change != 0) {
            let locals = edge.assign.iter().filter(|(variable, term)| {
                let declared = program.variable(*variable);
                declared.scope == Scope::Local
                    && declared.data_type.sort() == next.term.sort()
                    && mentions(*term, next.variable)
            });
            drawn.extend(locals.map(|(variable, _)| Ticket { variable: *variable, limited: is_limited }));
        }
    }
    let compared = |ticket: &Ticket| {
        program.edges.iter().any(|edge| {
            let mut terms = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]);
            terms.any(|term| mentions(term, ticket.variable) && mentions(term, served.variable))
        })
    };
    drawn.into_iter().filter(compared).collect()
}

/// A term that is sometimes set: what it would count if it were set to what it counts.
fn guess(program: &Program, observable: &Observable, number: usize) -> Option<Balance> {
    let (amounts, others) = forest(program, observable, observable.width());
    let balanced =
        others.into_iter().all(|edge| around(program, observable, &amounts, edge).is_none_or(|sum| sum == 0));
    (balanced && amounts.iter().any(|amount| *amount != 0)).then(|| Balance {
        factors: vec![(number, 1)],
        amounts,
        fact: false,
        tickets: Vec::new(),
    })
}

/// A basis of the integer vectors that are orthogonal to all rows; nothing where numbers become too large.
fn null_space(rows: Vec<Vec<i128>>, columns: usize) -> Vec<Vec<i128>> {
    let Some((rows, pivots)) = eliminate(rows, columns) else { return Vec::new() };
    let mut basis = Vec::new();
    for free in (0..columns).filter(|column| !pivots.contains(column)) {
        // The free column is a common multiple of the pivots, so that all others are integers.
        let multiple = rows.iter().zip(&pivots).filter(|(row, _)| row[free] != 0).try_fold(
            1i128,
            |all, (row, &pivot)| {
                let step = (row[pivot] / gcd(row[pivot], row[free])).abs();
                (all / gcd(all, step)).checked_mul(step)
            },
        );
        let Some(multiple) = multiple.filter(|multiple| *multiple <= MAX_FACTOR) else { continue };
        let mut vector = vec![0i128; columns];
        vector[free] = multiple;
        for (row, &pivot) in rows.iter().zip(&pivots) {
            vector[pivot] = -(row[free] * multiple) / row[pivot];
        }
        if vector.iter().all(|factor| factor.abs() <= MAX_FACTOR) {
            basis.push(vector);
        }
    }
    basis
}

/// Larger factors are no counting.
const MAX_FACTOR: i128 = 1 << 16;

/// Reduced row echelon form over the integers, and the pivot of each row.
fn eliminate(mut rows: Vec<Vec<i128>>, columns: usize) -> Option<(Vec<Vec<i128>>, Vec<usize>)> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let done = pivots.len();
        let Some(place) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(done, place);
        let pivot = rows[done].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number == done || row[column] == 0 {
                continue;
            }
            let common = gcd(pivot[column], row[column]);
            let (scale, by) = (pivot[column] / common, row[column] / common);
            for (value, subtracted) in row.iter_mut().zip(&pivot) {
                *value = value.checked_mul(scale)?.checked_sub(subtracted.checked_mul(by)?)?;
            }
            let common = row.iter().fold(0, |common, value| gcd(common, *value)).max(1);
            row.iter_mut().for_each(|value| *value /= common);
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    Some((rows, pivots))
}

fn gcd(one: i128, two: i128) -> i128 {
    let (mut one, mut two) = (one.abs(), two.abs());
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_null_space_of_cycles() {
        // Tickets: both counters go up by one in each round.
        assert_eq!(null_space(vec![vec![1, 1]], 2), [vec![-1, 1]]);
        assert_eq!(null_space(vec![vec![0, 0]], 2), [vec![1, 0], vec![0, 1]]);
        assert_eq!(null_space(vec![vec![1, 0], vec![0, 1]], 2), Vec::<Vec<i128>>::new());
        assert_eq!(null_space(vec![vec![2, 3, 0]], 3), [vec![-3, 2, 0], vec![0, 0, 1]]);
        assert_eq!(null_space(Vec::new(), 1), [vec![1]]);
    }

    #[test]
    fn numbers_wrap() {
        assert_eq!(wrap(0xffff_ffff, 32), -1);
        assert_eq!(wrap(1 << 31, 32), -(1 << 31));
        assert_eq!(wrap(5, 32), 5);
    }
}
