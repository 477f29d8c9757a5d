//! The program with what the abstraction needs to know about it: names, targets, and where locals count.
//!
//! A local counts either where it is *live* (its value can still be read), or where it is *assigned*: on all ways to the location
//! it got a value. A value that is not read any more can still say something about other values, as a ticket does
//! when its owner is in the critical section. Both keep threads in the pool out, whose locals mean nothing.

use crate::counting::Counting;
use crate::identity::Identities;
use frontend::program::{EdgeId, LocationId, Program, Scope, VariableId, passive};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};
use std::collections::BTreeSet;

/// Where the locals of a predicate count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// Where they are live.
    Live,
    /// Where they have been assigned on all ways.
    Assigned,
    /// The same, but only in locations that an equation counts, by number: between the drawing of a ticket and its return.
    Counted(usize),
}

/// A program with tables about it.
pub struct Setting<'a> {
    /// The program.
    pub program: &'a Program,
    /// Edges by the location that they leave.
    pub edges_from: Vec<Vec<EdgeId>>,
    /// What is known about numbers of threads.
    pub counting: Counting,
    /// What is known about identities of threads.
    pub identities: Identities,
    /// Whether each step looks at all that is known about numbers of threads, and not only at what it seems to have to do with.
    pub thorough: bool,
    names: FxHashMap<Symbol, (VariableId, bool)>,
    live: Vec<Vec<bool>>,
    assigned: Vec<Vec<bool>>,
    error: Vec<bool>,
    reachable: Vec<bool>,
}

impl<'a> Setting<'a> {
    /// The tables for a program.
    pub fn new(program: &'a Program) -> Setting<'a> {
        Setting::with_counting(program, Counting::default())
    }

    /// The tables for a program with counts.
    pub fn with_counting(program: &'a Program, counting: Counting) -> Setting<'a> {
        let mut names = FxHashMap::default();
        for (index, variable) in program.variables.iter().enumerate() {
            let id = VariableId(index as u32);
            names.insert(variable.name, (id, false));
            if variable.scope == Scope::Local {
                names.insert(passive(variable.name), (id, true));
            }
        }
        let mut live = vec![vec![false; program.variables.len()]; program.locations.len()];
        for (location, row) in program.locations.iter().zip(&mut live) {
            location.live.iter().for_each(|variable| row[variable.index()] = true);
        }
        let edges_from = program.edges_from();
        let error = program.errors();
        let reachable = program.reachable(program.pool.into_iter().chain([program.main]));
        let assigned = assigned(program, &edges_from, &live);
        Setting {
            program,
            edges_from,
            counting,
            identities: Identities::new(program),
            thorough: false,
            names,
            live,
            assigned,
            error,
            reachable,
        }
    }

    /// All locations.
    pub fn locations(&self) -> impl Iterator<Item = LocationId> + Clone + use<> {
        (0..self.program.locations.len() as u32).map(LocationId)
    }

    /// The variable that a constant stands for, and whether it is a passive thread's copy.
    pub fn variable(&self, constant: Term) -> Option<(VariableId, bool)> {
        let (variable, passive) = *self.names.get(&constant.as_constant()?)?;
        (constant.sort() == self.program.variable(variable).data_type.sort()).then_some((variable, passive))
    }

    /// Whether all threads see the variable.
    pub fn is_shared(&self, variable: VariableId) -> bool {
        self.program.variable(variable).scope == Scope::Shared
    }

    /// Whether being there violates a property.
    pub fn is_error(&self, location: LocationId) -> bool {
        self.error[location.index()]
    }

    /// Whether control can get there, whatever guards say.
    pub fn is_reachable(&self, location: LocationId) -> bool {
        self.reachable[location.index()]
    }

    /// Whether a local counts in a location.
    pub fn in_extent(&self, variable: VariableId, location: LocationId, extent: Extent) -> bool {
        let table = match extent {
            Extent::Live => &self.live,
            Extent::Counted(equation) if !self.counting.counts_in_equation(equation, location) => {
                return false;
            }
            Extent::Assigned | Extent::Counted(_) => &self.assigned,
        };
        table[location.index()][variable.index()]
    }

    /// The variables in a term of the program.
    pub fn variables_of(&self, term: Term) -> BTreeSet<VariableId> {
        term.constants().into_iter().filter_map(|constant| Some(self.variable(constant)?.0)).collect()
    }
}

/// Where each local has been assigned on all ways, or is live: a greatest fixed point over the edges.
fn assigned(program: &Program, edges_from: &[Vec<EdgeId>], live: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let start = |location: LocationId| location == program.main || Some(location) == program.pool;
    let mut table = vec![vec![true; program.variables.len()]; program.locations.len()];
    for location in program.pool.into_iter().chain([program.main]) {
        table[location.index()].clone_from(&live[location.index()]);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for edge in edges_from.iter().flatten().map(|&edge| program.edge(edge)) {
            if start(edge.to) {
                continue;
            }
            let mut after = table[edge.from.index()].clone();
            edge.assign.iter().for_each(|(variable, _)| after[variable.index()] = true);
            let row = table[edge.to.index()].iter_mut().zip(after).zip(&live[edge.to.index()]);
            for ((known, after), live) in row {
                if *known && !after && !live {
                    *known = false;
                    changed = true;
                }
            }
        }
    }
    table
}
