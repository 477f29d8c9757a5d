//! Sums of observed terms that change by nothing around each cycle, and what each location contributes to them.
//!
//! A spanning forest of the control-flow graph gives each location an amount by each observed term: what changes on the way there from the start.
//! Each other edge closes a cycle, and says by how much the term changes around it. Factors for which these
//! changes cancel out are a null space; a basis of it over the integers is found by elimination.

use super::observe::{FLAG, Observable};
use frontend::program::{EdgeId, LocationId, Program, Scope, VariableId};
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
    let graph = Graph::new(program);
    let spreads: Vec<Spread<'_>> = observables.iter().map(|one| Spread::new(&graph, one)).collect();
    let mut found = Vec::new();
    let numbers = 0..observables.len();
    let tickets = numbers.clone().flat_map(|next| numbers.clone().map(move |served| (next, served)));
    let tickets: Vec<Balance> =
        tickets.filter_map(|(next, served)| difference(&graph, &spreads, next, served)).collect();
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
        let facts = sums(&graph, &spreads, &known, width);
        let guesses = sums(&graph, &spreads, &counting, width);
        let new = guesses.into_iter().filter(|guess| facts.iter().all(|fact| fact.factors != guess.factors));
        let new: Vec<Balance> = new.collect();
        found.extend(facts);
        found.extend(new);
    }
    // Flags alone say something about numbers only if the initial thread sets one, once.
    let initial = initial_only(program);
    found.retain(|balance: &Balance| {
        let is_flag = |number: usize| observables[number].is_flag();
        let amounts = balance.amounts.iter().zip(&initial);
        let mut set = amounts.filter(|(amount, initial)| **initial && **amount != 0);
        match balance.factors[..] {
            [(flag, _)] if is_flag(flag) => observables[flag].width() == FLAG && set.next().is_some(),
            _ => balance.factors.iter().any(|&(number, _)| !is_flag(number)),
        }
    });
    // What follows from a difference and its second term says nothing new.
    let follows = |ticket: &Balance, balance: &Balance| {
        balance.factors == ticket.factors || balance.factors[..] == ticket.factors[..1]
    };
    found.retain(|balance| !tickets.iter().any(|ticket| follows(ticket, balance)));
    found.sort_by_key(|balance| !balance.fact);
    found.splice(0..0, tickets);
    for (number, spread) in spreads.iter().enumerate() {
        if !spread.observable.is_steady() && spread.observable.counts() {
            found.extend(guess(program, spread, number));
        }
    }
    found
}

/// By location: only the initial thread can be there.
pub(super) fn initial_only(program: &Program) -> Vec<bool> {
    program.reachable(program.pool).into_iter().map(|others| !others).collect()
}

/// The graph that amounts are found along: without edges behind which a property is violated, as what holds then does not matter.
struct Graph<'p> {
    program: &'p Program,
    /// By location: edges that leave it.
    edges_from: Vec<Vec<EdgeId>>,
}

impl Graph<'_> {
    fn new(program: &Program) -> Graph<'_> {
        let errors = program.errors();
        let mut edges_from = program.edges_from();
        edges_from.iter_mut().for_each(|edges| edges.retain(|&id| !errors[program.edge(id).to.index()]));
        Graph { program, edges_from }
    }

    /// All edges.
    fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.edges_from.iter().flatten().copied()
    }
}

/// An observed term with what each location contributes to it.
struct Spread<'o> {
    observable: &'o Observable,
    amounts: Vec<i128>,
    /// The edges outside of the spanning forest.
    others: Vec<EdgeId>,
}

impl<'o> Spread<'o> {
    /// The amounts by location along a spanning forest. Edges whose change is not known are used last, as if they led to a location of amount zero.
    fn new(graph: &Graph<'_>, observable: &'o Observable) -> Spread<'o> {
        let program = graph.program;
        let mut amounts: Vec<Option<i128>> = vec![None; program.locations.len()];
        let mut doubtful: Vec<LocationId> = Vec::new();
        let mut open: Vec<LocationId> = program.pool.into_iter().chain([program.main]).collect();
        open.iter().for_each(|start| amounts[start.index()] = Some(0));
        let mut tree = vec![false; program.edges.len()];
        loop {
            while let Some(location) = open.pop() {
                let here = amounts[location.index()].unwrap_or(0);
                for &id in &graph.edges_from[location.index()] {
                    let to = program.edge(id).to;
                    match observable.changes[id.index()] {
                        Some(change) if amounts[to.index()].is_none() => {
                            amounts[to.index()] = Some(wrap(here.wrapping_add(change), observable.width()));
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
        let reached = |id: &EdgeId| amounts[program.edge(*id).from.index()].is_some();
        let others = graph.edges().filter(|id| !tree[id.index()]).filter(reached).collect();
        let amounts = amounts.into_iter().map(|amount| amount.unwrap_or(0)).collect();
        Spread { observable, amounts, others }
    }

    /// By how much the term changes around the cycle that an edge closes.
    fn around(&self, program: &Program, id: EdgeId) -> Option<i128> {
        let (from, to) = (program.edge(id).from.index(), program.edge(id).to.index());
        let change = self.observable.changes[id.index()]?;
        let sum = self.amounts[from].wrapping_add(change).wrapping_sub(self.amounts[to]);
        Some(wrap(sum, self.observable.width()))
    }
}

/// The signed representative of a number modulo a power of two.
fn wrap(value: i128, width: u32) -> i128 {
    let shift = 128 - width;
    (value << shift) >> shift
}

/// Sums of terms of one width whose changes are all known, or guessed.
fn sums(graph: &Graph<'_>, spreads: &[Spread<'_>], steady: &[usize], width: u32) -> Vec<Balance> {
    let Some(&first) = steady.first() else { return Vec::new() };
    let program = graph.program;
    let mut rows: BTreeSet<Vec<i128>> = BTreeSet::new();
    // The forest depends on the graph only, as all changes are known.
    for &edge in &spreads[first].others {
        let row: Option<Vec<i128>> =
            steady.iter().map(|&number| spreads[number].around(program, edge)).collect();
        rows.extend(row);
    }
    let mut found = Vec::new();
    for factors in null_space(rows.into_iter().collect(), steady.len()) {
        let sum = |location: usize| {
            let parts = factors
                .iter()
                .zip(steady)
                .map(|(factor, &number)| factor.wrapping_mul(spreads[number].amounts[location]));
            wrap(parts.fold(0, i128::wrapping_add), width)
        };
        let amounts: Vec<i128> = (0..program.locations.len()).map(sum).collect();
        let negative = amounts.iter().filter(|amount| **amount < 0).count();
        let positive = amounts.iter().filter(|amount| **amount > 0).count();
        let sign = if negative > positive { -1 } else { 1 };
        let factors = steady.iter().zip(&factors).filter(|(_, factor)| **factor != 0);
        let factors: Vec<(usize, i128)> = factors.map(|(&number, factor)| (number, sign * factor)).collect();
        let fact = !factors.iter().any(|&(number, _)| spreads[number].observable.is_guessed());
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
fn difference(graph: &Graph<'_>, spreads: &[Spread<'_>], next: usize, served: usize) -> Option<Balance> {
    let (one, two) = (spreads[next].observable, spreads[served].observable);
    if one.term == two.term || one.width() != two.width() || !one.is_steady() || !two.is_steady() {
        return None;
    }
    let tickets = tickets(graph.program, one, two);
    if tickets.is_empty() {
        return None;
    }
    let width = one.width();
    let amounts = spreads[next].amounts.iter().zip(&spreads[served].amounts);
    let amounts: Vec<i128> = amounts.map(|(one, two)| wrap(one.wrapping_sub(*two), width)).collect();
    let balanced = graph.edges().all(|id| {
        let (edge, index) = (graph.program.edge(id), id.index());
        let change = one.changes[index].unwrap_or(0).wrapping_sub(two.changes[index].unwrap_or(0));
        wrap(amounts[edge.from.index()].wrapping_add(change), width) == amounts[edge.to.index()]
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
        if change.is_some_and(|change| change != 0) {
            // Who looks at the number itself before counting cares about its end; else two distances are compared.
            let is_limited = edge
                .guard
                .conjuncts()
                .iter()
                .any(|part| part.constants() == [program.variable(next.variable).term()]);
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
fn guess(program: &Program, spread: &Spread<'_>, number: usize) -> Option<Balance> {
    let mut others = spread.others.iter();
    let balanced = others.all(|&edge| spread.around(program, edge).is_none_or(|sum| sum == 0));
    (balanced && spread.amounts.iter().any(|amount| *amount != 0)).then(|| Balance {
        factors: vec![(number, 1)],
        amounts: spread.amounts.clone(),
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
            // The pivot divides it; what is too large is no factor.
            vector[pivot] = row[free].checked_mul(-multiple).map_or(i128::MAX, |factor| factor / row[pivot]);
        }
        if vector.iter().all(|factor| (-MAX_FACTOR..=MAX_FACTOR).contains(factor)) {
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
