//! New predicates from a path that cannot be run: section 5.1 of the thesis, and the measures against divergence.
//!
//! - [`wp`]: atoms of weakest preconditions along the path.   [`atoms`]: atoms of formulas.
//! - [`candidates`]: predicates from atoms, in an order of preference.
//! - [`trial`]: whether candidates exclude the path, and which of them are needed.   [`narrow`]: a guess at that, soon.
//!
//! Groups of candidates are tried in turn. The first one that excludes the path in the exact template is reduced to a minimal set, so that the
//! loop makes progress with as few predicates as possible.

pub mod atoms;
pub mod candidates;
pub mod narrow;
pub mod trial;
pub mod wp;

use crate::abstraction::Source;
use crate::limits::Stop;
use crate::path::Path;
use crate::predicate::{Chosen, PredicateId, Store};
use crate::scope::Setting;
use candidates::{Candidates, Native};
use smt::{Config, SolverChoice};
use trial::Trial;

/// Finds predicates.
pub struct Refiner {
    native: Native,
    solver: SolverChoice,
    config: Config,
}

/// How a set of predicates was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Atoms of the program.
    Native,
    /// Orders.
    Orders,
    /// Relations between threads.
    Inter,
    /// Atoms with the program's own literals.
    Near,
    /// Atoms that unrolling makes.
    Unrolled,
}

impl Refiner {
    /// For a program.
    pub fn new(setting: &Setting<'_>, solver: SolverChoice, config: Config) -> Refiner {
        Refiner { native: Native::new(setting), solver, config }
    }

    /// Predicates that exclude the first steps of a path; nothing if none were found. With narrow variables this is a guess, but
    /// a quick one.
    pub fn refine(
        &self,
        setting: &Setting<'_>,
        store: &mut Store,
        chosen: &Chosen,
        path: &Path,
        steps: usize,
        narrow: bool,
    ) -> Result<Option<(Vec<PredicateId>, Origin)>, Stop> {
        let core = wp::core(setting, path, steps, &self.solver, &self.config)?;
        let steps = path.steps.len();
        let core = core.into_iter().chain(0..steps).collect();
        let positions = wp::preconditions(setting, path, steps, &core);
        let found = candidates::candidates(setting, store, &self.native, path, &positions);
        let Candidates { native, orders, relations, wide, inter, near, unrolled } = found;
        let few = |most: usize| &inter[..most.min(inter.len())];
        let with = |parts: &[&[PredicateId]]| -> Vec<PredicateId> {
            let mut group = Vec::new();
            for &id in parts.iter().flat_map(|part| part.iter()) {
                if !group.contains(&id) {
                    group.push(id);
                }
            }
            group
        };
        let groups = [
            (Origin::Native, with(&[&native])),
            (Origin::Orders, with(&[&native, &orders, &relations])),
            (Origin::Near, with(&[&native, &orders, &relations, &near])),
            (Origin::Inter, with(&[&native, few(3), &wide])),
            (Origin::Inter, with(&[&native, few(6), &wide])),
            (Origin::Unrolled, with(&[&native, &orders, &relations, &near, &unrolled])),
            (Origin::Inter, with(&[&native, &inter, &wide, &orders])),
            (Origin::Unrolled, with(&[&native, &orders, &relations, &near, &unrolled, &inter, &wide])),
        ];
        let mut tried = 0;
        for (origin, group) in groups {
            if group.len() == tried || (origin == Origin::Inter && path.threads < 2) {
                continue;
            }
            tried = group.len();
            let started = std::time::Instant::now();
            let source = Source { setting, store, chosen };
            let mut trial = Trial::new(source, path, steps, &group, narrow, (&self.solver, &self.config))?;
            let found = trial.minimal(&group)?;
            log::debug!("{} candidates ({origin:?}) tried in {:?}", group.len(), started.elapsed());
            for id in &group {
                log::trace!("candidate {}", store.get(*id).term);
            }
            if let Some(needed) = found {
                return Ok(Some((needed, origin)));
            }
        }
        Ok(None)
    }
}
