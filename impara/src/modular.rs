//! Proofs without a tree: what holds at each location, whatever other threads do. S. Owicki, D. Gries: "An axiomatic proof technique for parallel programs"; C. Flanagan, S. Qadeer:
//! "Thread-modular model checking".
//!
//! Each location gets formulas over shared variables and the locals of *one* thread, the one that is there, and the pairs of locations are listed where two threads can be *together*. Both are right for any number of
//! threads if
//! - they hold at the beginning;
//! - a step from `l` to `l'` leads from what holds at `l` to what holds at `l'`;
//! - for each `m` that goes together with `l`, the step keeps what holds at `m` for the thread there, given what holds at `l` for the one that makes it, and `l'` goes together with `m`, or the
//!   step is impossible.
//!
//! By induction over the steps of a run: every thread has what its location says, every two threads are at locations that go together. A step changes one thread, and
//! each other thread sees it as the third condition says; two others stay where they are. If no error location is reached, the program is safe, and no interleaving had to be
//! looked at. Mutual exclusion is in the pairs: nobody gets in while a thread inside says that the lock is taken.
//!
//! The formulas are the least ones of a fixed shape ([`shape`]): bounds of numbers and of differences between counters, truth values. They are found from below ([`fixpoint`]): a model of a step that leads out of
//! what was believed so far is a state that has to be added (T. Reps, M. Sagiv, G. Yorsh: "Symbolic implementation of the best transformer").
//! Where this is not enough for a proof, the tree is unwound; that is the engine's own way.

mod fixpoint;
mod shape;

use crate::options::Options;
use frontend::program::{LocationId, Program, Target, VariableId};
use smt::{SolverError, Term};
use std::collections::BTreeSet;

/// What holds where, whatever others do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modular {
    /// By location: what holds for a thread there, over shared variables and its own locals, by their names in the program. A thread is never where `false` holds.
    pub holds: Vec<Vec<Term>>,
    /// Where two threads can be at once, the smaller location first.
    pub together: BTreeSet<(LocationId, LocationId)>,
}

/// What is known at a location, in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InC {
    /// Nobody gets there.
    Never,
    /// All of these hold.
    Known(Vec<String>),
}

/// What holds at each location about shared variables that `name` has a name for, as conditions of C, in a program that is known to be safe. Nothing if it takes too much.
pub(crate) fn in_c(
    program: &Program,
    options: &Options,
    name: &dyn Fn(VariableId) -> Option<String>,
) -> Result<Option<Vec<InC>>, SolverError> {
    if program.locations.iter().any(|location| location.atomic) {
        return Ok(None);
    }
    fixpoint::in_c(program, options, name)
}

/// Two locations in order.
pub fn pair(one: LocationId, other: LocationId) -> (LocationId, LocationId) {
    (one.min(other), one.max(other))
}

/// A proof without a tree, if formulas of the known shapes are enough.
pub(crate) fn prove(program: &Program, options: &Options) -> Result<Option<Modular>, SolverError> {
    // The judge knows strictly asynchronous programs only.
    if program.locations.iter().any(|location| location.atomic) {
        return Ok(None);
    }
    let Some(found) = fixpoint::least(program, options)? else { return Ok(None) };
    let races = program.properties.iter().filter_map(|property| match &property.target {
        Target::Race(first, second) => Some((first, second)),
        Target::Location(_) => None,
    });
    for (first, second) in races {
        if found.together.contains(&pair(first.location, second.location)) {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests;
