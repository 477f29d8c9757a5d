//! Large blocks: a location is removed by composing each edge that enters it with each edge that leaves it.
//!
//! A thread at the location l could be overtaken by others there. Nothing is lost without that, if one side is
//! invisible to others while the thread is at l (see [`super::visible`]); at most one access is left in each composed edge, but for what locks protect.
//! This is Lipton's reduction.
//! Take a run to a violation; l is neither `main` nor `pool` nor atomic, and no property asks about it.
//!
//! - *All edges into l are invisible.* Whenever a thread enters l, that step commutes with all steps of others up to
//!   its next own step: do it right before that one. If there is no next step, leave it out: nobody has noticed it.
//! - *All edges out of l are invisible.* The step out of l depends on nothing that others do: do it right after the
//!   step into l. If the thread is still at l in the end, let it make a step out of l: what is violated stays violated.
//!   But the thread may be *stuck* at l, when no guard holds. Then the step into l must be left out, which is right
//!   only if nobody has noticed it: so it must not write anything visible, or else the guards of the edges out of l
//!   must leave no case out, given what it did. (That a thread is stuck is never itself a violation; that others go on
//!   after what it did before may be one.)
//!
//! Conversely every composed step is two steps of the program in a row.
//!
//! A location is removed if that does not increase the number of edges, and all edges together do not grow beyond a
//! constant factor. Those with only invisible edges out of them go first: what a thread does with a value that it read
//! becomes part of the reading, not of the next access, and the variable for the value is dead. Otherwise the cheapest
//! ones go first. So chains are halved again and again, and composing takes O(n log n) for them. No edge is ever composed with itself: a location with an edge to itself stays, so on each cycle one location
//! does. Assignments to locals that are dead after the composed step are left out.

use super::compose::{self, compose};
use super::formula::are_exclusive;
use super::liveness::{self, Liveness};
use super::symbols::Symbols;
use super::visible::{self, Access, Visibility};
use super::{graph, inputs};
use crate::program::{Edge, LocationId, Program, Scope, VariableId};
use smt::Term;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// How much larger all edges together may become, counted in edges of the program before.
const GROWTH: usize = 8;

/// Removes locations that no other thread needs a thread to stop at.
pub(super) fn run(program: &mut Program) {
    let symbols = Symbols::new(program);
    inputs::make_unique(program, &symbols);
    let mut merger = Merger::new(program, &symbols);
    merger.eliminate();
    for (location, may_end) in program.locations.iter_mut().zip(&merger.may_end) {
        location.may_end = *may_end;
    }
    program.edges = merger.edges.into_iter().flatten().map(|part| part.edge).collect();
    inputs::shorten_names(program, &symbols);
    graph::drop_unreachable(program);
}

/// An edge on the way.
struct Part {
    edge: Edge,
    /// What others notice of it while the thread is where it leads, and where it comes from.
    into: Access,
    out_of: Access,
    /// Whether others notice it if locks are not looked at.
    is_visible: bool,
    /// How many edges of the program are in it.
    weight: usize,
}

/// Whether a step that others notice leaves the location, and the size of the edges that would replace those at it.
type Cost = (bool, usize);

/// The edges at a location on one side. Removed ones are swept out now and then.
#[derive(Clone, Default)]
struct Side {
    edges: Vec<u32>,
    count: usize,
    /// How many others notice, and how many they would if locks were not looked at.
    visible: usize,
    without_locks: usize,
    writing: usize,
    weight: usize,
}

impl Side {
    fn change(&mut self, access: Access, part: &Part, apply: fn(usize, usize) -> usize) {
        let weight = part.weight;
        self.count = apply(self.count, 1);
        self.without_locks = apply(self.without_locks, usize::from(part.is_visible));
        self.visible = apply(self.visible, usize::from(!access.is_invisible()));
        self.writing = apply(self.writing, usize::from(access.writes));
        self.weight = apply(self.weight, weight);
    }
}

struct Merger<'a> {
    symbols: &'a Symbols,
    visibility: Visibility,
    liveness: Liveness,
    is_local: Vec<bool>,
    /// Locals that others change or read.
    shaken: BTreeSet<VariableId>,
    /// By location: must stay.
    fixed: Vec<bool>,
    /// By location: a property asks about it.
    targets: Vec<bool>,
    /// By location: threads there may have ended.
    may_end: Vec<Term>,
    loops: Vec<u32>,
    into: Vec<Side>,
    out_of: Vec<Side>,
    edges: Vec<Option<Part>>,
    /// Locations by what it costs to remove them, as known when they were put here.
    open: BinaryHeap<Reverse<(Cost, LocationId)>>,
    weight: usize,
    limit: usize,
}

impl<'a> Merger<'a> {
    /// Takes the edges out of the program.
    fn new(program: &mut Program, symbols: &'a Symbols) -> Merger<'a> {
        let visibility = Visibility::new(program, symbols);
        let locations = program.locations.len();
        let mut fixed = graph::fixed(program);
        fixed.iter_mut().zip(&program.locations).for_each(|(fixed, location)| *fixed |= location.atomic);
        let mut merger = Merger {
            symbols,
            visibility,
            liveness: liveness::analyse(program, symbols),
            is_local: program.variables.iter().map(|v| v.scope == Scope::Local).collect(),
            shaken: super::coalesce::in_broadcasts(program, symbols),
            fixed,
            targets: program.targets(),
            may_end: program.locations.iter().map(|location| location.may_end).collect(),
            loops: vec![0; locations],
            into: vec![Side::default(); locations],
            out_of: vec![Side::default(); locations],
            edges: Vec::with_capacity(program.edges.len()),
            open: BinaryHeap::new(),
            weight: 0,
            limit: program.edges.len() * GROWTH,
        };
        for mut edge in program.edges.drain(..) {
            merger.clean(&mut edge);
            merger.insert(edge, 1);
        }
        merger
    }

    fn insert(&mut self, edge: Edge, weight: usize) {
        let into = self.visibility.access(self.symbols, &edge, visible::Side::Into);
        let out_of = self.visibility.access(self.symbols, &edge, visible::Side::OutOf);
        let plain = self.visibility.access(self.symbols, &edge, visible::Side::Neither);
        let part = Part { edge, into, out_of, is_visible: !plain.is_invisible(), weight };
        let id = self.edges.len() as u32;
        let (from, to) = (part.edge.from.index(), part.edge.to.index());
        self.loops[from] += u32::from(from == to);
        self.out_of[from].edges.push(id);
        self.out_of[from].change(part.out_of, &part, |a, b| a + b);
        self.into[to].edges.push(id);
        self.into[to].change(part.into, &part, |a, b| a + b);
        self.weight += part.weight;
        self.edges.push(Some(part));
    }

    fn remove(&mut self, id: u32) -> Option<Part> {
        let part = self.edges[id as usize].take()?;
        let (from, to) = (part.edge.from.index(), part.edge.to.index());
        self.loops[from] -= u32::from(from == to);
        self.out_of[from].change(part.out_of, &part, |a, b| a - b);
        self.into[to].change(part.into, &part, |a, b| a - b);
        self.weight -= part.weight;
        Some(part)
    }

    fn eliminate(&mut self) {
        (0..self.fixed.len()).for_each(|index| self.consider(LocationId(index as u32)));
        while let Some(Reverse((cost, location))) = self.open.pop() {
            match self.cost(location) {
                Some(now) if now > cost => self.open.push(Reverse((now, location))),
                Some(_) if self.leaves_no_case_out(location) => self.bypass(location),
                _ => {}
            }
        }
    }

    fn consider(&mut self, location: LocationId) {
        if let Some(cost) = self.cost(location) {
            self.open.push(Reverse((cost, location)));
        }
    }

    /// The size of the edges that would replace those at the location; nothing if it must not or should not be removed.
    fn cost(&self, location: LocationId) -> Option<Cost> {
        let (into, out_of) = (&self.into[location.index()], &self.out_of[location.index()]);
        if self.fixed[location.index()] || self.loops[location.index()] > 0 {
            return None;
        }
        if into.visible > 0 && out_of.visible > 0 {
            return None;
        }
        // What is tested in a critical section is tested there: as part of what comes before, it would be about other values.
        let needs_locks = into.without_locks > 0 && out_of.without_locks > 0;
        if needs_locks && self.is_tested(out_of) {
            return None;
        }
        if into.count * out_of.count > into.count + out_of.count {
            return None;
        }
        let cost = into.weight * out_of.count + out_of.weight * into.count;
        let after = self.weight - into.weight - out_of.weight + cost;
        (cost <= into.weight + out_of.weight || after <= self.limit).then_some((out_of.visible > 0, cost))
    }

    /// Whether some edge violates a property.
    fn is_tested(&self, out_of: &Side) -> bool {
        let parts = out_of.edges.iter().filter_map(|&id| self.edges[id as usize].as_ref());
        parts.into_iter().any(|part| self.targets[part.edge.to.index()])
    }

    /// Whether no thread can be stuck at the location after a step that others may have noticed.
    fn leaves_no_case_out(&mut self, location: LocationId) -> bool {
        let (into, out_of) = (&self.into[location.index()], &self.out_of[location.index()]);
        if into.writing == 0 {
            return true;
        }
        let part = |&id: &u32| self.edges[id as usize].as_ref();
        let guards: Vec<Term> = out_of.edges.iter().filter_map(part).map(|out| out.edge.guard).collect();
        let cases = Term::or_all(guards);
        into.edges.iter().filter_map(part).filter(|part| part.into.writes).all(|part| {
            let after = compose::after(self.symbols, &part.edge).apply(cases);
            are_exclusive(part.edge.guard, after.not())
        })
    }

    /// Replaces the edges at the location by their compositions.
    fn bypass(&mut self, location: LocationId) {
        let is_delayed = self.into[location.index()].visible == 0;
        let into = std::mem::take(&mut self.into[location.index()].edges);
        let out_of = std::mem::take(&mut self.out_of[location.index()].edges);
        let into: Vec<Part> = into.into_iter().filter_map(|id| self.remove(id)).collect();
        let out_of: Vec<Part> = out_of.into_iter().filter_map(|id| self.remove(id)).collect();
        self.move_ends(location, is_delayed, &into, &out_of);
        for first in &into {
            for second in &out_of {
                if let Some(edge) = self.compose(&first.edge, &second.edge) {
                    self.insert(edge, first.weight + second.weight);
                }
            }
        }
        let sources = into.iter().map(|part| part.edge.from);
        let mut neighbours: Vec<LocationId> = sources.chain(out_of.iter().map(|part| part.edge.to)).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        for neighbour in neighbours {
            self.sweep(neighbour);
            self.consider(neighbour);
        }
    }

    /// Says where threads stand now that have ended at a location that is removed, by the cases of the module's argument: where steps into it are
    /// delayed, they have not come there; else they have gone on, if a guard lets them, or are where they were before a step that writes nothing.
    fn move_ends(&mut self, location: LocationId, is_delayed: bool, into: &[Part], out_of: &[Part]) {
        let ended = self.may_end[location.index()];
        if ended.is_false() {
            return;
        }
        for first in into.iter().filter(|first| is_delayed || !first.into.writes) {
            let (from, guard) = (first.edge.from, first.edge.guard);
            let ended = compose::after(self.symbols, &first.edge).apply(ended);
            if !are_exclusive(guard, ended) {
                let condition = self.about_locals(from, guard.and(ended));
                self.may_end[from.index()] = self.may_end[from.index()].or(condition);
            }
        }
        if !is_delayed {
            for second in out_of.iter().filter(|second| !are_exclusive(second.edge.guard, ended)) {
                self.may_end[second.edge.to.index()] = Term::tru();
            }
        }
    }

    /// The condition if it is about locals that have a value at the location, and that only their thread changes; else nothing is known.
    fn about_locals(&self, location: LocationId, condition: Term) -> Term {
        let is_known = condition.constants().into_iter().all(|constant| {
            self.symbols.readings(constant).any(|reading| {
                let id = reading.variable();
                constant == self.symbols.own(id)
                    && self.is_local[id.index()]
                    && !self.shaken.contains(&id)
                    && self.liveness.is_live(id, location)
            })
        });
        if is_known { condition } else { Term::tru() }
    }

    fn compose(&self, first: &Edge, second: &Edge) -> Option<Edge> {
        let mut edge = compose(self.symbols, first, second)?;
        self.clean(&mut edge);
        let is_idle = edge.from == edge.to && compose::has_no_effect(&edge);
        (!is_idle && !edge.guard.is_false()).then_some(edge)
    }

    /// Drops assignments to locals that are dead after the edge, and inputs that do not matter.
    fn clean(&self, edge: &mut Edge) {
        edge.assign.retain(|&(id, _)| !self.is_local[id.index()] || self.liveness.is_live(id, edge.to));
        inputs::eliminate(edge);
    }

    /// Forgets removed edges if there are many of them.
    fn sweep(&mut self, location: LocationId) {
        for side in [&mut self.into[location.index()], &mut self.out_of[location.index()]] {
            if side.edges.len() > 2 * side.count + 8 {
                side.edges.retain(|&id| self.edges[id as usize].is_some());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Builder, two};
    use super::*;

    fn size(mut builder: Builder) -> (usize, usize) {
        run(&mut builder.program);
        (builder.program.locations.len(), builder.program.edges.len())
    }

    /// A shared and a local variable, a pool, and an error that is reached if the shared variable is 3.
    fn start() -> (Builder, (VariableId, Term), (VariableId, Term)) {
        let mut builder = Builder::new();
        let (s, l) = (builder.shared("s", Some(0)), builder.local("l", Some(0)));
        let pool = builder.pool();
        let error = builder.error("error");
        builder.guard(pool, error, s.1.equals(two(3)));
        (builder, s, l)
    }

    #[test]
    fn steps_on_locals_become_part_of_the_next_access() {
        let (mut builder, s, l) = start();
        let [a, b, c, d] = builder.locations();
        builder.assign(LocationId(0), a, l.0, two(1));
        builder.guard(a, b, l.1.equals(two(1)));
        builder.assign(b, c, l.0, l.1.bv_add(two(1)));
        builder.assign(c, d, s.0, l.1);
        run(&mut builder.program);
        assert_eq!(builder.program.locations.len(), 4, "main, pool, error and the end");
        let [_, edge] = &builder.program.edges[..] else { panic!("{:?}", builder.program.edges) };
        assert_eq!(edge.assign, [(s.0, two(2))], "l is dead afterwards");
        assert!(edge.guard.is_true());
        assert_eq!(edge.origin.len(), 4);
    }

    #[test]
    fn a_read_and_a_write_stay_two_steps() {
        let (mut builder, s, l) = start();
        let [a, b, c] = builder.locations();
        builder.assign(LocationId(0), a, l.0, s.1);
        builder.assign(a, b, l.0, l.1.bv_add(two(1)));
        builder.assign(b, c, s.0, l.1);
        assert_eq!(size(builder), (5, 3), "the increment is merged with one of them");
    }

    #[test]
    fn a_single_thread_has_no_accesses() {
        let mut builder = Builder::new();
        let (s, l) = (builder.shared("s", Some(0)), builder.local("l", Some(0)));
        let [a, b] = builder.locations();
        let error = builder.error("error");
        builder.assign(LocationId(0), a, l.0, s.1);
        builder.assign(a, b, s.0, l.1.bv_add(two(1)));
        builder.guard(b, error, s.1.equals(two(1)));
        assert_eq!(size(builder), (2, 1));
    }

    #[test]
    fn what_a_stuck_thread_did_is_not_lost() {
        let cases = |complete: bool| {
            let (mut builder, s, l) = start();
            builder.program.variables[l.0.index()].init = None;
            let a = builder.location();
            let (first, second) = (builder.error("first"), builder.error("second"));
            builder.assign(LocationId(0), a, s.0, two(3));
            builder.guard(a, first, l.1.equals(two(1)));
            builder.guard(a, second, if complete { l.1.distinct(two(1)) } else { l.1.equals(two(2)) });
            size(builder)
        };
        assert_eq!(cases(false), (6, 4), "after the assignment the thread may not get further");
        assert_eq!(cases(true), (5, 3), "it will always");
        let (mut builder, s, l) = start();
        let [a, b] = builder.locations();
        builder.assign(LocationId(0), a, l.0, s.1);
        builder.guard(a, b, l.1.equals(two(1)));
        builder.assign(b, LocationId(0), s.0, two(3));
        assert_eq!(size(builder), (4, 3), "nobody has noticed a thread that has only read");
    }

    #[test]
    fn loops_and_targets_stay() {
        let (mut builder, s, l) = start();
        let [a, b] = builder.locations();
        let error = builder.error("second");
        builder.guard(LocationId(0), a, Term::tru());
        builder.assign(a, a, l.0, l.1.bv_add(two(1)));
        builder.guard(a, error, l.1.equals(two(3)));
        builder.guard(error, b, Term::tru());
        builder.assign(b, a, s.0, l.1);
        assert_eq!(size(builder), (5, 5), "only b goes");
    }

    #[test]
    fn an_own_local_that_broadcasts_look_at_is_visible() {
        let (mut builder, s, l) = start();
        let heard = builder.local("heard", Some(0));
        let copy = builder.program.variable(l.0).passive_term();
        let [a, b] = builder.locations();
        builder.assign(LocationId(0), a, l.0, two(1));
        builder.assign(a, b, s.0, heard.1);
        let pool = LocationId(1);
        builder.edge(pool, pool).broadcast.assign = vec![(heard.0, copy)];
        assert_eq!(size(builder), (5, 4));
    }

    #[test]
    fn composing_takes_little_more_than_linear_time() {
        let (mut builder, s, l) = start();
        let mut at = LocationId(0);
        for number in 0..20_000 {
            let next = builder.location();
            match number % 10 {
                0 => builder.assign(at, next, s.0, l.1),
                1 => builder.guard(at, next, l.1.distinct(two(number / 10 % 4))),
                _ => builder.assign(at, next, l.0, l.1.bv_mul(l.1).bv_add(two(number / 10 % 4))),
            }
            at = next;
        }
        let (locations, edges) = size(builder);
        assert_eq!(
            (locations, edges),
            (2_003, 2_001),
            "after a write of s a thread can be stuck in front of a guard"
        );
    }
}
