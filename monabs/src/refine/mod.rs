//! New predicates from a path that cannot be run: section 5.1 of the thesis, and the measures against divergence.
//!
//! - [`wp`]: atoms of weakest preconditions along the path.   [`interpolants`]: atoms of interpolants.   [`atoms`]: atoms of formulas.
//! - [`candidates`]: predicates from atoms, in an order of preference.
//! - [`trial`]: whether candidates exclude the path, and which of them are needed.   [`narrow`]: a guess at that, soon.
//!
//! Groups of candidates are tried in turn. The first one that excludes the path in the exact template is reduced to a minimal set, so that the
//! loop makes progress with as few predicates as possible.

pub mod atoms;
pub mod candidates;
pub mod interpolants;
pub mod narrow;
pub mod trial;
pub mod wp;

use crate::abstraction::Source;
use crate::limits::Stop;
use crate::path::Path;
use crate::predicate::{Chosen, PredicateId, Store};
use crate::scope::{Extent, Setting};
use candidates::{Candidates, Native};
use frontend::program::VariableId;
use frontend::program::infix::Infix;
use smt::{Config, SolverChoice};
use std::collections::BTreeSet;
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
    /// Numbers of threads.
    Counting,
    /// Orders.
    Orders,
    /// Relations between threads.
    Inter,
    /// Atoms with the program's own literals.
    Near,
    /// Atoms of interpolants.
    Interpolants,
    /// Atoms that unrolling makes.
    Unrolled,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Origin::Native => "conditions of the program",
            Origin::Counting => "numbers of threads",
            Origin::Orders => "orders of variables",
            Origin::Inter => "relations between threads",
            Origin::Near => "conditions with the program's own numbers",
            Origin::Interpolants => "interpolants",
            Origin::Unrolled => "conditions after several steps",
        })
    }
}

/// How far to look for predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only what the program says itself, and numbers of threads.
    Numbers,
    /// Everything but that.
    Beyond,
    /// Everything.
    All,
}

impl Refiner {
    /// For a program.
    pub fn new(setting: &Setting<'_>, solver: SolverChoice, config: Config) -> Refiner {
        Refiner { native: Native::new(setting), solver, config }
    }

    /// Predicates that exclude a path whose first steps cannot be run; nothing if none were found. With narrow variables this is a guess, but
    /// a quick one.
    pub fn refine(
        &self,
        setting: &Setting<'_>,
        store: &mut Store,
        chosen: &Chosen,
        path: &Path,
        infeasible: usize,
        (narrow, reach): (bool, Reach),
    ) -> Result<Option<(Vec<PredicateId>, Origin)>, Stop> {
        // All guards: the contradiction that comes first need not be the one that is easiest to exclude.
        let positions = wp::preconditions(setting, path);
        let found = candidates::candidates(setting, store, &self.native, path, &positions);
        let Candidates { native, orders, relations, wide, inter, counting, between, near, unrolled } = found;
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
        // Where numbers of threads have been needed, they come first: what is said of single values there is said of many.
        let counts = setting.counting.counts.iter().map(|count| count.variable);
        let counts: BTreeSet<VariableId> = counts.collect();
        let counted = |id| store.get(id).variables.iter().any(|variable| counts.contains(variable));
        let first = if chosen.iter().any(counted) { with(&[&counting]) } else { Vec::new() };
        let mut groups = vec![
            (Origin::Counting, first),
            (Origin::Native, with(&[&native])),
            (Origin::Counting, if between.is_empty() { Vec::new() } else { with(&[&native, &between]) }),
            (Origin::Counting, with(&[&native, &counting])),
            (Origin::Counting, with(&[&native, &counting, &between])),
        ];
        if reach == Reach::Beyond {
            groups.clear();
        }
        let others = [
            (Origin::Orders, with(&[&native, &orders, &relations])),
            (Origin::Near, with(&[&native, &orders, &relations, &near])),
            (Origin::Inter, with(&[&native, few(3), &wide])),
            (Origin::Inter, with(&[&native, few(6), &wide])),
        ];
        if reach != Reach::Numbers {
            groups.extend(others);
        }
        let mut tried = Vec::new();
        if let Some(found) =
            self.try_groups(Source { setting, store, chosen }, path, &groups, narrow, &mut tried)?
        {
            return Ok(Some(found));
        }
        if reach == Reach::Numbers {
            return Ok(None);
        }
        let positions = interpolants::interpolants(setting, path, infeasible, &self.solver, &self.config)?;
        let more = candidates::candidates(setting, store, &self.native, path, &positions);
        let interpolated = with(&[&more.native, &more.orders, &more.near, &more.unrolled]);
        let groups = [
            (Origin::Interpolants, with(&[&native, &interpolated])),
            (Origin::Interpolants, with(&[&native, &orders, &relations, &near, &interpolated])),
            (Origin::Unrolled, with(&[&native, &orders, &relations, &near, &unrolled])),
            (Origin::Inter, with(&[&native, &inter, &wide, &orders])),
            (
                Origin::Unrolled,
                with(&[
                    &native,
                    &counting,
                    &orders,
                    &relations,
                    &near,
                    &unrolled,
                    &interpolated,
                    &inter,
                    &wide,
                ]),
            ),
        ];
        self.try_groups(Source { setting, store, chosen }, path, &groups, narrow, &mut tried)
    }

    /// The first group that excludes a path, reduced to what is needed of it.
    fn try_groups(
        &self,
        source: Source<'_, '_>,
        path: &Path,
        groups: &[(Origin, Vec<PredicateId>)],
        narrow: bool,
        tried: &mut Vec<Vec<PredicateId>>,
    ) -> Result<Option<(Vec<PredicateId>, Origin)>, Stop> {
        for (origin, group) in groups {
            if group.is_empty() {
                continue;
            }
            let covered = tried.iter().any(|earlier| group.iter().all(|id| earlier.contains(id)));
            if covered || (*origin == Origin::Inter && path.threads < 2) {
                continue;
            }
            let started = std::time::Instant::now();
            let steps = path.steps.len();
            let mut trial = Trial::new(source, path, steps, group, narrow, (&self.solver, &self.config))?;
            let found = trial.minimal(group)?;
            log::debug!("{} candidates ({origin:?}) tried in {:?}", group.len(), started.elapsed());
            if log::log_enabled!(log::Level::Trace) {
                let infix = Infix::new(source.setting.program);
                let shown = |id: &PredicateId| infix.term(source.store.get(*id).term);
                group.iter().for_each(|id| log::trace!("candidate {}", shown(id)));
            }
            if let Some(mut needed) = found {
                // Where tickets are is an invariant together or not at all.
                let is_ticket = |id: &PredicateId| matches!(source.store.get(*id).extent, Extent::Counted(_));
                if needed.iter().any(is_ticket) {
                    let others = group.iter().copied().filter(|id| is_ticket(id) && !needed.contains(id));
                    let others: Vec<PredicateId> = others.collect();
                    needed.extend(others);
                }
                return Ok(Some((needed, *origin)));
            }
            tried.push(group.clone());
        }
        Ok(None)
    }
}
