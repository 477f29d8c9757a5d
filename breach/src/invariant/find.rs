//! Looks for an invariant that excludes a given state.
//!
//! The weights are the unknowns of a linear program: "the state is above the bound" is one row, "this step
//! does not increase the weight" one row per step. Steps are added only when the weights found so far are
//! violated by them, which touches the neighbourhood of the state and not the whole net.

use super::NetInvariant;
use super::simplex::{Failure, Simplex};
use crate::net::{Net, NetStep, OMEGA, Pairs};
use crate::system::{Local, Shared};
use std::sync::Arc;

/// Rows added between two solutions.
const ROWS_AT_ONCE: usize = 24;
/// Rounding tries these denominators.
const MAX_DENOMINATOR: u32 = 840;

/// What came of the search for an invariant.
pub(crate) enum Attempt {
    /// An invariant that the state violates.
    Found(NetInvariant),
    /// There is none, or none with weights that can be written down.
    Refuted,
    /// The cost limit was reached.
    TooExpensive,
}

/// What the programs of one net have in common.
pub(crate) struct Frame {
    /// Local states with any number of threads at the start: their weight must be 0.
    free: Vec<bool>,
    /// Passive moves from one local state to another, by any step.
    moves: Vec<(Local, Local)>,
    /// What looking at all steps once costs.
    cost: u64,
}

impl Frame {
    pub(crate) fn new(net: &Net) -> Self {
        let mut free = vec![false; net.local_states];
        for &(l, c) in &net.init {
            free[l as usize] = c == OMEGA;
        }
        let rules = net.steps.iter().filter_map(|s| s.transfers.as_ref()).flat_map(|t| &t.rules);
        let moves = rules.flat_map(|(a, places)| places.iter().map(|b| (*a, *b)));
        let mut moves: Vec<_> = moves.filter(|(a, b)| a != b).collect();
        moves.sort_unstable();
        moves.dedup();
        let cost = 8 * net.steps.len() as u64 + moves.len() as u64;
        Self { free, moves, cost }
    }
}

/// A row that the current weights violate.
#[derive(Clone, Copy)]
enum Violation {
    Step(u32),
    Move(Local, Local),
}

/// The search for an invariant that excludes one state.
pub(crate) struct Program<'a> {
    net: &'a Net,
    frame: Arc<Frame>,
    state: (Shared, Pairs),
    simplex: Simplex,
}

impl<'a> Program<'a> {
    pub(crate) fn new(net: &'a Net, frame: &Arc<Frame>, s: Shared, threads: &[(Local, u32)]) -> Self {
        let state = (s, Pairs::from_slice(threads));
        let mut program = Self { net, frame: frame.clone(), state, simplex: Simplex::default() };
        let initial = net.init.iter().filter(|p| p.1 != OMEGA).map(|p| (p.0, -f64::from(p.1)));
        let excess: Vec<_> = threads.iter().map(|p| (p.0, f64::from(p.1))).chain(initial).collect();
        let shared: &[_] = if s == net.init_shared { &[] } else { &[(s, 1.0), (net.init_shared, -1.0)] };
        program.add_row(&excess, shared, 1.0);
        program
    }

    /// Works with at most about `max_cost` multiplications, and returns how many were made. After
    /// [`Attempt::TooExpensive`] it can be called again to go on.
    pub(crate) fn run(&mut self, max_cost: u64) -> (Attempt, u64) {
        let before = self.simplex.cost;
        let attempt = match self.solve(before + max_cost) {
            Err(Failure::Infeasible) => Attempt::Refuted,
            Err(Failure::TooExpensive) => Attempt::TooExpensive,
            Ok(()) => {
                let (s, threads) = &self.state;
                let checked = |i: &NetInvariant| i.is_violated(*s, threads) && is_inductive(self.net, i);
                round(self.net, self).filter(checked).map_or(Attempt::Refuted, Attempt::Found)
            }
        };
        (attempt, self.simplex.cost - before)
    }

    /// The variables: a weight per local state, numbered as the local states, then a positive and a negative
    /// part per shared state.
    fn shared(&self, s: Shared, negative: bool) -> u32 {
        self.net.local_states as u32 + 2 * s + u32::from(negative)
    }

    fn local_weight(&self, l: Local) -> f64 {
        self.simplex.value(l)
    }

    fn shared_weight(&self, s: Shared) -> f64 {
        self.simplex.value(self.shared(s, false)) - self.simplex.value(self.shared(s, true))
    }

    fn add_row(&mut self, locals: &[(Local, f64)], shared: &[(Shared, f64)], bound: f64) {
        let mut terms = Vec::new();
        for &(l, factor) in locals {
            if !self.frame.free[l as usize] {
                terms.push((l, factor));
            }
        }
        for &(s, factor) in shared {
            terms.push((self.shared(s, false), factor));
            terms.push((self.shared(s, true), -factor));
        }
        // Shared states are cheap: their weights do not make the inequality weaker.
        let locals = self.net.local_states as u32;
        self.simplex.add_row(&terms, bound, |v| if v < locals { 1.0 } else { 0.01 });
    }

    /// Finds weights that exclude the state and that no step increases.
    fn solve(&mut self, max_cost: u64) -> Result<(), Failure> {
        let net = self.net;
        loop {
            self.simplex.cost += self.frame.cost;
            self.simplex.solve(max_cost)?;
            let mut violated = self.violations();
            if violated.is_empty() {
                return Ok(());
            }
            violated.sort_by(|a, b| b.0.total_cmp(&a.0));
            for &(_, violation) in violated.iter().take(ROWS_AT_ONCE) {
                match violation {
                    Violation::Move(a, b) => self.add_row(&[(a, 1.0), (b, -1.0)], &[], 0.0),
                    Violation::Step(id) => self.add_step(&net.steps[id as usize]),
                }
            }
        }
    }

    fn add_step(&mut self, step: &NetStep) {
        let consumed = step.consume.pairs().iter().map(|p| (p.0, f64::from(p.1)));
        let produced = step.produce.pairs().iter().map(|p| (p.0, -f64::from(p.1)));
        let locals: Vec<_> = consumed.chain(produced).collect();
        let change = [(step.from, 1.0), (step.to, -1.0)];
        self.add_row(&locals, if step.from == step.to { &[] } else { &change }, 0.0);
    }

    /// The rows that the current weights violate, and by how much.
    fn violations(&self) -> Vec<(f64, Violation)> {
        let net = self.net;
        let locals: Vec<f64> = (0..net.local_states as Local).map(|l| self.local_weight(l)).collect();
        let shared: Vec<f64> = (0..net.shared_states as Shared).map(|s| self.shared_weight(s)).collect();
        let weight = |pairs: &[(Local, u32)]| -> f64 {
            pairs.iter().map(|p| locals[p.0 as usize] * f64::from(p.1)).sum()
        };
        let by_step = net.steps.iter().enumerate().map(|(id, step)| {
            let change = shared[step.to as usize] - shared[step.from as usize];
            let gain = weight(step.produce.pairs()) - weight(step.consume.pairs()) + change;
            (gain, Violation::Step(id as u32))
        });
        let by_move = self
            .frame
            .moves
            .iter()
            .map(|&(a, b)| (locals[b as usize] - locals[a as usize], Violation::Move(a, b)));
        by_step.chain(by_move).filter(|v| v.0 > 1e-7).collect()
    }
}

/// The weights as integers, by the smallest common denominator that fits.
fn round(net: &Net, program: &Program<'_>) -> Option<NetInvariant> {
    let locals: Vec<f64> = (0..net.local_states as Local).map(|l| program.local_weight(l)).collect();
    let shared: Vec<f64> = (0..net.shared_states as Shared).map(|s| program.shared_weight(s)).collect();
    let fits = |k: &u32| {
        let whole = |x: &f64| (x * f64::from(*k) - (x * f64::from(*k)).round()).abs() < 1e-6 * f64::from(*k);
        locals.iter().all(whole) && shared.iter().all(whole)
    };
    let k = f64::from((1..=MAX_DENOMINATOR).find(fits)?);
    let large = |x: &f64| x.abs() * k > f64::from(u32::MAX / 2);
    if locals.iter().chain(&shared).any(large) {
        return None;
    }
    let locals: Vec<u32> = locals.iter().map(|x| (x * k).round() as u32).collect();
    let shared: Vec<i64> = shared.iter().map(|x| (x * k).round() as i64).collect();
    let initial = net.init.iter().filter(|p| p.1 != OMEGA);
    let bound: i128 = initial.map(|p| i128::from(locals[p.0 as usize]) * i128::from(p.1)).sum();
    let bound = i64::try_from(bound + i128::from(shared[net.init_shared as usize])).ok()?;
    Some(NetInvariant { shared, locals, bound })
}

/// The exact check: no step increases the weight, and unbounded local states have none.
fn is_inductive(net: &Net, invariant: &NetInvariant) -> bool {
    let weight = |pairs: &[(Local, u32)]| -> i128 {
        pairs.iter().map(|p| i128::from(invariant.locals[p.0 as usize]) * i128::from(p.1)).sum()
    };
    let shared = |s: Shared| i128::from(invariant.shared[s as usize]);
    let local = |l: Local| invariant.locals[l as usize];
    net.init.iter().all(|p| p.1 != OMEGA || local(p.0) == 0)
        && net.steps.iter().all(|step| {
            let before = shared(step.from) + weight(step.consume.pairs());
            let after = shared(step.to) + weight(step.produce.pairs());
            let rules = step.transfers.iter().flat_map(|t| &t.rules);
            after <= before
                && rules.flat_map(|(a, bs)| bs.iter().map(|b| (*a, *b))).all(|(a, b)| local(b) <= local(a))
        })
}
