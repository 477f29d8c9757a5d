//! Counting threads: shared variables that say how many threads are in which part of the program.
//!
//! A reader-writer lock counts its readers, a ticket lock the threads between two tickets, a reference count its owners. For a set L of
//! locations let `n` be the number of threads in L. Edges into L add one to it and edges out of L take one away, so it can be added to
//! the program as a shared variable (a *count*) without changing what the program does. What a program's own counter has to do with it is an
//! *equation*
//!
//! ```text
//! a1 * u1 + ... + am * um  =  c + d1 * n1 + ... + dk * nk     (modulo 2^width)
//! ```
//!
//! between terms `u` over shared variables and counts `n` of disjoint sets of locations. It holds in all states if each edge changes both sides
//! by the same amount: the change of each `u` along an edge is a constant ([`observe`]), and around each cycle of the control-flow graph the
//! left side changes by nothing ([`balance`]). Then the amount `d` of a location is the same whatever way leads there, `n` counts the
//! locations with the same amounts in all equations, and the equation holds by induction: at the start all threads are in locations of
//! amount zero, and a step changes the left side and one thread's amount alike. Such an equation is a *fact*. Where some
//! edges change a term by an amount that depends on data (`readers = 0`), the same equation is a guess, and a candidate for refinement.
//!
//! More facts hold by what counts are: a thread in L makes `n >= 1`, two make `n >= 2`; where only the initial thread can be, `n <= 1`, and so at most one
//! thread is started by what only the initial thread does once; and no count is above the number of threads. That number is not bounded. It has to be for a counter of 32 bits to say anything: 2^32 readers are none. So there is a bound on
//! the threads that are alive at once, as an assumption of the user, and else one that no machine reaches ([`UNBOUNDED`]).
//!
//! Facts are used by [`crate::abstraction::instance`]: they are true before each step, whoever makes it.

pub mod balance;
mod candidates;
mod ghosts;
pub mod observe;

use balance::Ticket;
use frontend::program::infix::Infix;
use frontend::program::{LocationId, Program, VariableId};
use smt::{Config, SolverChoice, Term};
use std::collections::BTreeSet;

/// More threads than this are never alive at once, whatever a user says: no machine has memory for them.
pub const UNBOUNDED: u128 = 1 << 62;
/// The width of counts: room for the sum of all of them.
pub(crate) const WIDTH: u32 = 68;
/// More counts than this are not introduced.
const MAX_COUNTS: usize = 12;

/// The number of a count.
pub type CountId = usize;

/// How many threads are in a set of locations.
#[derive(Clone, Debug)]
pub struct Count {
    /// The shared variable that says so.
    pub variable: VariableId,
    /// The locations.
    pub locations: BTreeSet<LocationId>,
    /// Whether threads there may have ended: these are not bounded by the number of those alive.
    pub ended: bool,
    /// Whether only the initial thread can be there.
    pub initial: bool,
}

/// What a term over shared variables has to do with counts.
#[derive(Clone, Debug)]
pub struct Equation {
    /// Over shared variables, without the constant.
    pub left: Term,
    /// Over counts, of the same width.
    pub right: Term,
    /// The left side at the start: a literal.
    pub start: Term,
    /// With which factor each count is in it.
    pub factors: Vec<(CountId, i128)>,
    /// The terms of the left side with their factors.
    pub terms: Vec<(Term, i128)>,
    /// Whether it holds in all states; else it is a guess.
    pub fact: bool,
    /// If it is a guess: what has to hold for it to stay true.
    pub premises: Vec<Term>,
    /// Locals that hold tickets between its two terms.
    pub tickets: Vec<Ticket>,
    /// All variables in it, counts included.
    pub variables: BTreeSet<VariableId>,
}

/// What is known about numbers of threads.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    /// The counts.
    pub counts: Vec<Count>,
    /// The equations.
    pub equations: Vec<Equation>,
    /// By location: its count.
    of_location: Vec<Option<CountId>>,
    /// By location: only the initial thread can be there.
    initial: Vec<bool>,
    /// So many threads can be alive at once.
    bound: u128,
}

/// Adds counts to a program, if it has counters; at most `bound` threads are alive at once.
pub fn count(
    program: &Program,
    bound: Option<u128>,
    solver: &SolverChoice,
    config: &Config,
) -> Option<(Program, Counting)> {
    let observables = observe::observables(program, solver, config);
    let program = ghosts::with_ends_apart(program);
    let balances = balance::balances(&program, &observables);
    if balances.is_empty() {
        return None;
    }
    let (counted, counting) = ghosts::introduce(&program, &observables, balances, bound);
    for count in &counting.counts {
        let locations: Vec<u32> = count.locations.iter().map(|location| location.0).collect();
        log::info!("{} counts threads in {locations:?}", counted.variable(count.variable).name);
    }
    let infix = Infix::new(&counted);
    for equation in &counting.equations {
        let known = if equation.fact { "fact" } else { "guess" };
        log::info!("{known}: {} == {}", infix.term(equation.left), infix.term(equation.right));
    }
    Some((counted, counting))
}

impl Counting {
    /// The count of a location.
    pub fn of(&self, location: LocationId) -> Option<CountId> {
        *self.of_location.get(location.index())?
    }

    /// Whether a thread there is the initial one, and so nobody is in other locations that only that one can be in and that are counted.
    pub fn is_initial(&self, location: LocationId) -> bool {
        self.initial.get(location.index()) == Some(&true) && self.counts.iter().any(|count| count.initial)
    }

    /// With another bound on the threads that are alive at once, or without one.
    pub fn bounded(&self, bound: Option<u128>) -> Counting {
        Counting { bound: bound.unwrap_or(UNBOUNDED).min(UNBOUNDED), ..self.clone() }
    }

    /// The bound, if it is one that a machine could reach.
    pub fn assumed_bound(&self) -> Option<u128> {
        self.is_bounded().then_some(self.bound)
    }

    /// Whether a bound is assumed that a machine could reach.
    pub fn is_bounded(&self) -> bool {
        !self.is_empty() && self.bound < UNBOUNDED
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    /// The largest number that a count can be.
    fn bound_of(&self, count: &Count) -> u128 {
        match (count.initial, count.ended) {
            (true, _) => 1,
            (false, true) => UNBOUNDED,
            (false, false) => self.bound,
        }
    }

    /// The facts that say something about the given variables. A count that nothing else speaks of, and that can be any number modulo the
    /// equation's, makes an equation true whatever the rest is.
    fn facts(&self, variables: &BTreeSet<VariableId>) -> Vec<&Equation> {
        let mut facts: Vec<&Equation> = self.equations.iter().filter(|equation| equation.fact).collect();
        loop {
            let is_free = |equation: &Equation, number: CountId, factor: i128| {
                let count = &self.counts[number];
                let modulus = 1u128 << equation.left.width().min(100);
                factor % 2 != 0
                    && self.bound_of(count) / 4 >= modulus
                    && !variables.contains(&count.variable)
                    && facts.iter().filter(|other| other.variables.contains(&count.variable)).count() == 1
            };
            let void = facts.iter().position(|equation| {
                equation.factors.iter().any(|&(number, factor)| is_free(equation, number, factor))
            });
            match void {
                Some(void) => facts.remove(void),
                None => return facts,
            };
        }
    }

    /// Those of the variables that are counts.
    pub fn counts_in(&self, variables: impl Iterator<Item = VariableId>) -> BTreeSet<VariableId> {
        variables.filter(|id| self.counts.iter().any(|count| count.variable == *id)).collect()
    }

    /// Adds the variables that facts connect with the given ones; predicates speak of the `mentioned` counts, too.
    pub fn connect(&self, variables: &mut BTreeSet<VariableId>, mentioned: &BTreeSet<VariableId>) {
        let mut open = self.facts(&variables.union(mentioned).copied().collect());
        loop {
            let before = open.len();
            open.retain(|equation| {
                let touches = !equation.variables.is_disjoint(variables);
                if touches {
                    variables.extend(equation.variables.iter().copied());
                }
                !touches
            });
            if open.len() == before {
                return;
            }
        }
    }

    /// Whether threads in the location are counted by an equation.
    pub fn counts_in_equation(&self, equation: usize, location: LocationId) -> bool {
        let count = self.of(location);
        self.equations[equation].factors.iter().any(|(number, _)| Some(*number) == count)
    }

    /// The variable that counts threads in a location.
    pub fn variable(&self, location: LocationId) -> Option<VariableId> {
        Some(self.counts[self.of(location)?].variable)
    }

    /// What holds before a step if the active and the passive thread are in these locations, as far as it has to do with the variables.
    pub fn constraints(
        &self,
        program: &Program,
        variables: &BTreeSet<VariableId>,
        threads: &[LocationId],
    ) -> Vec<Term> {
        let mut connected = variables.clone();
        self.connect(&mut connected, &BTreeSet::new());
        let mut constraints: Vec<Term> = self
            .facts(variables)
            .into_iter()
            .filter(|equation| !equation.variables.is_disjoint(&connected))
            .map(|equation| equation.left.equals(equation.right))
            .collect();
        let bound = Term::bv(WIDTH, self.bound);
        let (mut alive, mut initial) = (Vec::new(), Vec::new());
        for (number, count) in self.counts.iter().enumerate() {
            if !connected.contains(&count.variable) {
                continue;
            }
            let term = program.variable(count.variable).term();
            let there = threads.iter().filter(|&&location| self.of(location) == Some(number)).count();
            if there > 0 {
                constraints.push(term.uge(Term::bv(WIDTH, there as u128)));
            }
            if count.initial {
                // Who is elsewhere is not here.
                let elsewhere = threads
                    .iter()
                    .any(|&location| self.initial[location.index()] && self.of(location) != Some(number));
                constraints.push(term.ule(Term::bv(WIDTH, u128::from(!elsewhere))));
                initial.push(term);
            } else if count.ended {
                constraints.push(term.ule(Term::bv(WIDTH, UNBOUNDED)));
            } else {
                constraints.push(term.ule(bound));
                alive.push(term);
            }
        }
        // No sum of so few bounded numbers is above the largest number of this width.
        for (terms, most) in [(alive, bound), (initial, Term::bv(WIDTH, 1))] {
            if terms.len() > 1 {
                constraints.extend(terms.into_iter().reduce(Term::bv_add).map(|sum| sum.ule(most)));
            }
        }
        constraints
    }
}
