//! Decides which states are worth a linear program, and remembers the invariants found.

use super::NetInvariant;
use super::find::find;
use crate::net::Net;
use crate::system::{Local, Shared};

/// Programs that may fail before the pruner gives up, and what a success adds.
const INITIAL_CREDIT: i64 = 20;
const CREDIT_PER_SUCCESS: i64 = 4;
const MAX_CREDIT: i64 = 200;

/// The invariants of a search.
pub(crate) struct Pruner<'a> {
    net: &'a Net,
    invariants: Vec<NetInvariant>,
    /// Whether new invariants are looked for.
    active: bool,
    credit: i64,
    /// Linear programs solved.
    pub(crate) programs: u64,
    /// Work done, in the unit of the searches.
    pub(crate) work: u64,
}

impl<'a> Pruner<'a> {
    pub(crate) fn new(net: &'a Net) -> Self {
        Self { net, invariants: Vec::new(), active: false, credit: INITIAL_CREDIT, programs: 0, work: 0 }
    }

    /// From now on new invariants are looked for; true if that is a change.
    pub(crate) fn activate(&mut self) -> bool {
        !std::mem::replace(&mut self.active, true)
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
        if !self.active || self.credit <= 0 {
            return false;
        }
        let (found, work) = find(self.net, s, threads);
        self.work += work;
        self.programs += 1;
        match found {
            Some(invariant) => {
                self.credit = (self.credit + CREDIT_PER_SUCCESS).min(MAX_CREDIT);
                self.invariants.push(invariant);
                true
            }
            None => {
                self.credit -= 1;
                false
            }
        }
    }

    /// All invariants found.
    pub(crate) fn invariants(&self) -> &[NetInvariant] {
        &self.invariants
    }
}
