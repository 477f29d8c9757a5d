//! Where the value of a local still matters, and assignments that never do.
//!
//! A local x is *live* at l if its value in a thread at l may still be read, before it is assigned again, by something
//! that matters: a guard, an assignment to a shared variable or to a local that is live afterwards, the index of a race
//! at l, or a broadcast. (Assignments to dead variables make nothing live: this is strong liveness.)
//!
//! A broadcast can reach a thread wherever it is. If it assigns y from `x@P`, then x is live wherever y is: the thread
//! is still at the same place afterwards. It does not make y dead, since it may not happen. What it reads of the
//! *active* thread is live there if y is live anywhere at all.
//!
//! An assignment to a local that is dead at the edge's target is removed: no later step of that thread, and no
//! broadcast that changes it, depends on the value in any way that matters. So every run has a counterpart that differs
//! in dead values only. Broadcasts to locals that are live nowhere go as well, and all where there is no other thread.
//!
//! Sets at locations grow by a work list ([`super::sets`]), the locations farthest from the start first, so that mostly
//! each is looked at once. Programs have thousands of locals, most of which are live at a few places only.

use super::inputs;
use super::sets::{Set, place, variables};
use super::symbols::{Reading, Symbols};
use super::{compose, graph};
use crate::program::{EdgeId, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::Term;
use std::collections::BinaryHeap;

/// Which locals are live where.
pub(super) struct Liveness {
    /// By location.
    live: Vec<Set>,
    /// By variable: live at some location.
    wanted: Vec<bool>,
}

impl Liveness {
    /// The locals that are live at the location, sorted.
    pub(super) fn at(&self, location: LocationId) -> impl Iterator<Item = VariableId> {
        self.live[location.index()].iter()
    }

    /// Whether the local is live at the location.
    pub(super) fn is_live(&self, variable: VariableId, location: LocationId) -> bool {
        self.live[location.index()].contains(variable)
    }

    /// Whether the local is live anywhere.
    pub(super) fn is_wanted(&self, variable: VariableId) -> bool {
        self.wanted[variable.index()]
    }
}

/// Fills in what is live at each location and removes assignments that do not matter.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    let liveness = analyse(program, &symbols);
    let is_local: Vec<bool> = program.variables.iter().map(|v| v.scope == Scope::Local).collect();
    let has_others = program.pool.is_some();
    for edge in &mut program.edges {
        edge.assign.retain(|&(id, _)| !is_local[id.index()] || liveness.is_live(id, edge.to));
        edge.broadcast.assign.retain(|&(id, _)| has_others && liveness.is_wanted(id));
        compose::drop_identities(&symbols, edge);
        inputs::eliminate(edge);
    }
    for (location, live) in program.locations.iter_mut().zip(liveness.live) {
        location.live = live.iter().collect();
    }
}

/// Finds out which locals are live where.
pub(super) fn analyse(program: &Program, symbols: &Symbols) -> Liveness {
    let mut analysis = Analysis::new(program, symbols);
    analysis.start();
    while let Some((_, location)) = analysis.open.pop() {
        analysis.is_open[location.index()] = false;
        for (block, new) in analysis.live[location.index()].take_new() {
            analysis.spread(location, block, new);
        }
    }
    Liveness { live: analysis.live, wanted: analysis.wanted }
}

/// The locals that an edge assigns, sorted, and the values; none if what it reads has been looked at.
type Assigned = Vec<(VariableId, Option<Term>)>;

struct Analysis<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    edges_to: Vec<Vec<EdgeId>>,
    /// By edge.
    assigned: Vec<Assigned>,
    /// By variable: the broadcasts that assign it.
    broadcasts: FxHashMap<VariableId, Vec<(EdgeId, Term)>>,
    /// By variable: what broadcasts read of the same passive thread for it. Filled when it is first live.
    passive: FxHashMap<VariableId, Vec<VariableId>>,
    live: Vec<Set>,
    wanted: Vec<bool>,
    /// By location: how far it is from the start.
    rank: Vec<usize>,
    /// Locations with something new, by rank.
    open: BinaryHeap<(usize, LocationId)>,
    is_open: Vec<bool>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, symbols: &'a Symbols) -> Analysis<'a> {
        let mut broadcasts: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for (index, edge) in program.edges.iter().enumerate() {
            // Without a pool there is nobody to hear a broadcast.
            for &(id, term) in edge.broadcast.assign.iter().filter(|_| program.pool.is_some()) {
                broadcasts.entry(id).or_default().push((EdgeId(index as u32), term));
            }
        }
        let assigned = program.edges.iter().map(|edge| {
            let mut assigned: Assigned = edge.assign.iter().map(|&(id, term)| (id, Some(term))).collect();
            assigned.sort_unstable_by_key(|&(id, _)| id);
            assigned
        });
        let mut rank = vec![0; program.locations.len()];
        for (index, location) in graph::reverse_postorder(program).into_iter().enumerate() {
            rank[location.index()] = index;
        }
        Analysis {
            program,
            symbols,
            edges_to: graph::edges_to(program),
            assigned: assigned.collect(),
            broadcasts,
            passive: FxHashMap::default(),
            live: vec![Set::default(); program.locations.len()],
            wanted: vec![false; program.variables.len()],
            rank,
            open: BinaryHeap::new(),
            is_open: vec![false; program.locations.len()],
        }
    }

    /// What is read by things that matter in themselves.
    fn start(&mut self) {
        let program = self.program;
        for edge in &program.edges {
            self.read(edge.guard, edge.from);
            for &(id, term) in &edge.assign {
                if program.variable(id).scope == Scope::Shared {
                    self.read(term, edge.from);
                }
            }
        }
        for property in &program.properties {
            if let Target::Race(first, second) = &property.target {
                for access in [first, second] {
                    access.index.iter().for_each(|&index| self.read(index, access.location));
                }
            }
        }
    }

    /// The active thread's locals in the term matter at the location.
    fn read(&mut self, term: Term, location: LocationId) {
        for id in self.symbols.reads(term) {
            self.add(id, location);
        }
    }

    fn add(&mut self, variable: VariableId, location: LocationId) {
        if self.program.variable(variable).scope == Scope::Local {
            let (block, member) = place(variable);
            self.add_block(block, member, location);
        }
    }

    fn add_block(&mut self, block: u32, members: u64, location: LocationId) {
        if self.live[location.index()].add(block, members)
            && !std::mem::replace(&mut self.is_open[location.index()], true)
        {
            self.open.push((self.rank[location.index()], location));
        }
    }

    /// What follows from what is newly live at the location?
    fn spread(&mut self, location: LocationId, block: u32, new: u64) {
        for index in 0..self.edges_to[location.index()].len() {
            let edge = self.edges_to[location.index()][index];
            let kept = self.before(edge, block, new);
            if kept != 0 {
                self.add_block(block, kept, self.program.edge(edge).from);
            }
        }
        for variable in variables(block, new) {
            self.wanted[variable.index()] = true;
            if self.broadcasts.contains_key(&variable) {
                self.hear(variable, location);
            }
        }
    }

    /// Of the locals, which matter after the edge, those that it does not assign. What it reads for others becomes
    /// live.
    fn before(&mut self, edge: EdgeId, block: u32, mut members: u64) -> u64 {
        let assigned = &self.assigned[edge.index()];
        let mut at = assigned.partition_point(|&(id, _)| place(id).0 < block);
        while let Some(&(id, term)) = self.assigned[edge.index()].get(at)
            && place(id).0 == block
        {
            if members & place(id).1 != 0 {
                members &= !place(id).1;
                if let Some(term) = term {
                    self.assigned[edge.index()][at].1 = None;
                    self.read(term, self.program.edge(edge).from);
                }
            }
            at += 1;
        }
        members
    }

    /// Broadcasts may assign the local while the thread is at the location.
    fn hear(&mut self, variable: VariableId, location: LocationId) {
        if !self.passive.contains_key(&variable) {
            let mut passive = Vec::new();
            for (edge, term) in self.broadcasts[&variable].clone() {
                let from = self.program.edge(edge).from;
                for reading in self.symbols.readings(term) {
                    match reading {
                        Reading::Own(id) => self.add(id, from),
                        Reading::Passive(id) => passive.push(id),
                    }
                }
            }
            passive.sort_unstable();
            passive.dedup();
            self.passive.insert(variable, passive);
        }
        for id in self.passive[&variable].clone() {
            self.add(id, location);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, two};
    use super::*;

    #[test]
    fn only_what_is_read_later_is_live() {
        let mut builder = Builder::new();
        let (s, x, y, z) = (
            builder.shared("s", Some(0)),
            builder.local("x", None),
            builder.local("y", None),
            builder.local("z", None),
        );
        let [a, b, c] = builder.locations();
        builder.assign(LocationId(0), a, x.0, y.1);
        builder.assign(a, b, z.0, z.1.bv_add(x.1));
        builder.assign(b, c, s.0, x.1);
        run(&mut builder.program);
        let live: Vec<_> = builder.program.locations.iter().map(|location| location.live.clone()).collect();
        assert_eq!(live, [vec![y.0], vec![x.0], vec![x.0], vec![]]);
        assert!(builder.program.edges[1].assign.is_empty(), "z is only read for itself");
    }

    #[test]
    fn an_index_is_live_at_its_race_and_shared_variables_are_not_locals() {
        let mut builder = Builder::new();
        let (s, x) = (builder.shared("s", Some(0)), builder.local("x", None));
        let a = builder.location();
        builder.edge(LocationId(0), a);
        let access = crate::program::RaceAccess { location: a, index: Some(x.1.bv_add(s.1)), write: true };
        builder.property("race", Target::Race(access.clone(), access));
        run(&mut builder.program);
        assert!(builder.program.locations.iter().all(|location| location.live == [x.0]));
    }

    #[test]
    fn broadcasts_make_live_what_they_read_for_what_is_live() {
        let mut builder = Builder::new();
        let (s, x, y) = (builder.shared("s", Some(0)), builder.local("x", None), builder.local("y", None));
        let (own, never) = (builder.local("own", None), builder.local("never", None));
        let (a, b, pool) = (builder.location(), builder.location(), builder.pool());
        builder.edge(LocationId(0), a);
        builder.assign(a, b, s.0, y.1);
        let copy = builder.program.variable(x.0).passive_term();
        let speaker = builder.edge(pool, pool);
        speaker.broadcast.assign = vec![(y.0, copy.bv_add(own.1)), (never.0, own.1)];
        run(&mut builder.program);
        let live = |location: LocationId| builder.program.location(location).live.clone();
        assert_eq!(live(LocationId(0)), [x.0, y.0]);
        assert_eq!(live(a), [x.0, y.0]);
        assert_eq!(live(b), []);
        assert_eq!(live(pool), [own.0], "y of a thread in the pool does not matter");
        assert_eq!(builder.program.edges[2].broadcast.assign.len(), 1, "nobody reads `never`");
        builder.program.pool = None;
        run(&mut builder.program);
        assert!(builder.program.edges[2].broadcast.is_empty(), "there is nobody else");
    }

    #[test]
    fn long_programs_with_many_locals_take_no_time() {
        let mut builder = Builder::new();
        let (s, _) = builder.shared("s", Some(0));
        let locals: Vec<_> = (0..500).map(|number| builder.local(&format!("l{number}"), None)).collect();
        let mut at = LocationId(0);
        for number in 0..20_000 {
            let next = builder.location();
            let (id, term) = locals[number % 500];
            match number / 500 % 2 {
                0 => builder.assign(at, next, id, two(1)),
                _ => builder.assign(at, next, s, term),
            }
            at = next;
        }
        run(&mut builder.program);
        let live: usize = builder.program.locations.iter().map(|location| location.live.len()).sum();
        assert_eq!(live, 20 * 500 * 500);
    }
}
