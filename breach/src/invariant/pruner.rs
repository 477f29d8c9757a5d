//! Decides which states are worth a linear program, and remembers the invariants found.
//!
//! Programs are paid from a fund that grows with the work of the search, so that they take a fixed share of
//! the time; and from a credit that successes renew, so that hopeless systems are left alone. The targets
//! come first: if the state equation excludes them, there is nothing to search. A target's program goes on
//! when there is more to pay it from.

use super::NetInvariant;
use super::find::{Attempt, Frame, Program};
use crate::net::Net;
use crate::search::Counts;
use crate::system::{Local, Shared};
use std::sync::Arc;

/// Multiplications that are free at the start, and per unit of work.
const INITIAL_FUND: u64 = 2_000_000;
const FUND_PER_WORK: u64 = 10;
/// Multiplications that a program for one state may take, and must be able to take.
const MAX_COST: u64 = 4_000_000;
const MIN_COST: u64 = 50_000;
/// Multiplications in one unit of work.
const COST_OF_WORK: u64 = 32;
/// Programs that may fail before the pruner gives up, and what a success adds.
const INITIAL_CREDIT: i64 = 20;
const CREDIT_PER_SUCCESS: i64 = 4;
const MAX_CREDIT: i64 = 200;

/// The invariants of a search.
pub(crate) struct Pruner<'a> {
    net: &'a Net,
    invariants: Vec<NetInvariant>,
    /// Set once new invariants are looked for.
    frame: Option<Arc<Frame>>,
    fund: u64,
    target_fund: u64,
    credit: i64,
    /// Programs of targets of which it is not known whether an invariant excludes them.
    open_targets: Vec<Program<'a>>,
    /// Linear programs solved.
    programs: u64,
    /// Work done, in the unit of the searches.
    pub(crate) work: u64,
}

impl<'a> Pruner<'a> {
    pub(crate) fn new(net: &'a Net) -> Self {
        Self {
            net,
            invariants: Vec::new(),
            frame: None,
            fund: 0,
            target_fund: 0,
            credit: INITIAL_CREDIT,
            open_targets: Vec::new(),
            programs: 0,
            work: 0,
        }
    }

    /// Pays for programs according to the work of the search. The first payment starts the search for
    /// invariants. True if that or a newly excluded target makes a fresh start worth while.
    pub(crate) fn pay(&mut self, work: u64) -> bool {
        let first = self.frame.is_none();
        if first {
            let frame = Arc::new(Frame::new(self.net));
            let targets = self.net.targets.iter();
            self.open_targets = targets.map(|(s, t)| Program::new(self.net, &frame, *s, t)).collect();
            self.frame = Some(frame);
        }
        let payment = if first { INITIAL_FUND } else { 0 } + work * FUND_PER_WORK;
        self.fund += payment;
        self.target_fund += payment;
        let mut excluded = false;
        for mut program in std::mem::take(&mut self.open_targets) {
            let (attempt, cost) = program.run(self.target_fund);
            self.target_fund = self.target_fund.saturating_sub(cost);
            self.work += cost / COST_OF_WORK;
            match attempt {
                Attempt::Found(invariant) => {
                    self.programs += 1;
                    self.invariants.push(invariant);
                    excluded = true;
                }
                Attempt::Refuted => self.programs += 1,
                Attempt::TooExpensive => self.open_targets.push(program),
            }
        }
        first || excluded
    }

    /// True if a known invariant excludes the state.
    pub(crate) fn excludes(&mut self, s: Shared, threads: &[(Local, u32)]) -> bool {
        self.work += self.invariants.len() as u64 / 4;
        self.invariants.iter().any(|i| i.is_violated(s, threads))
    }

    /// True if an invariant, known or found now, excludes the state.
    pub(crate) fn try_to_exclude(&mut self, s: Shared, threads: &[(Local, u32)]) -> bool {
        if self.excludes(s, threads) {
            return true;
        }
        let Some(frame) = self.frame.as_ref().filter(|_| self.credit > 0 && self.fund >= MIN_COST) else {
            return false;
        };
        let (attempt, cost) = Program::new(self.net, frame, s, threads).run(self.fund.min(MAX_COST));
        self.fund = self.fund.saturating_sub(cost);
        self.work += cost / COST_OF_WORK;
        self.programs += 1;
        match attempt {
            Attempt::Found(invariant) => {
                self.credit = (self.credit + CREDIT_PER_SUCCESS).min(MAX_CREDIT);
                self.invariants.push(invariant);
                true
            }
            Attempt::Refuted | Attempt::TooExpensive => {
                self.credit -= 1;
                false
            }
        }
    }

    /// Adds its own counts to those of a search.
    pub(crate) fn count(&self, counts: Counts) -> Counts {
        let invariants = self.invariants.len() as u64;
        Counts { invariants, linear_programs: self.programs, ..counts }
    }

    /// All invariants found.
    pub(crate) fn invariants(&self) -> &[NetInvariant] {
        &self.invariants
    }
}
