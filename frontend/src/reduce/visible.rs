//! Which steps other threads can notice, and which steps can notice other threads.
//!
//! A step is *invisible* if it reads nothing that another thread can change and writes nothing that another thread, or
//! its broadcast, can read or write. Then it commutes with every step of every other thread, and neither enables nor
//! disables it.
//!
//! - Others change shared variables that some edge assigns, and locals that some broadcast assigns.
//! - Others look at shared variables, and their broadcasts at the copies `x@P` of passive threads: so a thread that
//!   assigns its own `x` changes what the next broadcast does to it.
//! - Without a pool there is one thread only, and nothing is visible.
//! - What is protected by a lock is nobody else's while a thread holds it ([`super::locks`]).
//! - A step that enters or leaves an atomic location stops or frees all others: it counts as visible, whatever it
//!   touches.

use super::locks::Protection;
use super::symbols::{Reading, Symbols};
use crate::program::{Edge, Program, Scope, VariableId};

/// What a step has to do with other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Access {
    /// It depends on something that others change.
    pub(super) reads: bool,
    /// It does something that others can notice.
    pub(super) writes: bool,
}

impl Access {
    /// Neither.
    pub(super) fn is_invisible(self) -> bool {
        !self.reads && !self.writes
    }
}

/// On which side of a location an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It leads into the location.
    Into,
    /// It leads out of the location.
    OutOf,
    /// Wherever the thread is.
    Neither,
}

/// What others can change and see.
pub(super) struct Visibility {
    /// By variable: others change it.
    changed: Vec<bool>,
    /// By variable: others read or change it.
    seen: Vec<bool>,
    /// By location.
    atomic: Vec<bool>,
    has_others: bool,
    protection: Protection,
}

impl Visibility {
    /// Of a program.
    pub(super) fn new(program: &Program, symbols: &Symbols) -> Visibility {
        let mut changed = vec![false; program.variables.len()];
        let mut seen = vec![false; program.variables.len()];
        let has_others = program.pool.is_some();
        for edge in program.edges.iter().filter(|_| has_others) {
            for &(id, _) in &edge.assign {
                changed[id.index()] |= program.variable(id).scope == Scope::Shared;
            }
            for &(id, term) in &edge.broadcast.assign {
                changed[id.index()] = true;
                for reading in symbols.readings(term) {
                    if let Reading::Passive(read) = reading {
                        seen[read.index()] = true;
                    }
                }
            }
        }
        for (seen, changed) in seen.iter_mut().zip(&changed) {
            *seen |= changed;
        }
        let atomic = program.locations.iter().map(|l| l.atomic).collect();
        Visibility { changed, seen, atomic, has_others, protection: Protection::new(program, symbols) }
    }

    /// What the edge has to do with what other threads do while the thread is in the location that the edge enters or leaves.
    pub(super) fn access(&self, symbols: &Symbols, edge: &Edge, side: Side) -> Access {
        if self.atomic[edge.from.index()] || self.atomic[edge.to.index()] {
            return Access { reads: true, writes: true };
        }
        let location = match side {
            Side::Into => Some(edge.to),
            Side::OutOf => Some(edge.from),
            Side::Neither => None,
        };
        let concerns = |table: &[bool], id: VariableId| {
            table[id.index()] && !location.is_some_and(|location| self.protection.is_private(id, location))
        };
        let values = edge.assign.iter().map(|&(_, term)| term);
        let mut terms = std::iter::once(edge.guard).chain(values);
        Access {
            reads: terms.any(|term| symbols.reads(term).any(|id| concerns(&self.changed, id))),
            writes: edge.assign.iter().any(|&(id, _)| concerns(&self.seen, id))
                || (self.has_others && !edge.broadcast.is_empty()),
        }
    }
}
