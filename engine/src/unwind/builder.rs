//! Builds the graphs of all threads, node by node in topological order, so that all ways to a node are known when its turn comes.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use frontend::program::{EdgeId, LocationId, Program, Target, VariableId};
use rustc_hash::FxHashMap;
use smt::Term;

use super::values::{Knowledge, Values, absorbed, meet};
use super::{Bounds, Node, Start, Step, Thread, Unwinding};
use crate::order::{Counts, Key, Order};
use crate::threads::Handshake;

/// Rounds that are decided by known values are free, but not without end.
const FREE_ROUNDS: u32 = 100_000;

/// The threads of a program up to some bounds.
pub fn unwind(program: &Program, bounds: &Bounds) -> Unwinding {
    let handshake = Handshake::of(program).ok();
    let fused = handshake.is_some();
    let knowledge = Knowledge::new(program);
    let edges_from = program.edges_from();
    let mut unwinding = Unwinding { threads: Vec::new(), owned: knowledge.owned.clone(), fused };
    let mut open = VecDeque::from([(program.main, knowledge.at_start(0))]);
    if let (false, Some(pool)) = (fused, program.pool) {
        open.extend((1..bounds.threads).map(|thread| (pool, knowledge.at_start(thread))));
    }
    let mut orders: FxHashMap<LocationId, Order> = FxHashMap::default();
    let mut planned = open.len();
    let mut nodes = 0;
    while let Some((start, values)) = open.pop_front() {
        let order = orders.entry(start).or_insert_with(|| Order::new(program, &edges_from, start));
        let handshake = handshake.as_ref();
        let mut builder = Builder {
            program,
            bounds,
            knowledge: &knowledge,
            edges_from: &edges_from,
            order,
            handshake,
            number: unwinding.threads.len(),
            thread: Thread::default(),
            pending: BTreeMap::new(),
            open: &mut open,
            planned: &mut planned,
            nodes_left: bounds.nodes.saturating_sub(nodes),
        };
        builder.run(start, values);
        nodes += builder.thread.nodes.len();
        unwinding.threads.push(builder.thread);
    }
    unwinding
}

/// What one round of a loop has seen of the ways out of it.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// Rounds before that count against the bound.
    spent: u32,
    /// It could have been left, and need not have been.
    undecided: bool,
    /// Known values say that it could not be left.
    stayed: bool,
}

/// A node whose turn has not come.
struct Pending {
    location: LocationId,
    counts: Counts,
    /// For each loop around it.
    rounds: Vec<Round>,
    /// Node, step, and what is known after it.
    incoming: Vec<(usize, usize, Rc<Values>)>,
}

struct Builder<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    knowledge: &'a Knowledge<'a>,
    edges_from: &'a [Vec<EdgeId>],
    order: &'a Order,
    handshake: Option<&'a Handshake>,
    /// The number of the thread.
    number: usize,
    thread: Thread,
    pending: BTreeMap<Key, Pending>,
    /// Threads to be built after this one: where they start, and what is known there.
    open: &'a mut VecDeque<(LocationId, Values)>,
    /// How many threads there are, built or not.
    planned: &'a mut usize,
    nodes_left: usize,
}

impl Builder<'_> {
    fn run(&mut self, start: LocationId, mut values: Values) {
        self.knowledge.forget(&mut values, start);
        let heads = self.order.place(start).map_or(0, |place| place.heads.len());
        let counts = vec![0; heads];
        self.node(start, counts, vec![Round::default(); heads], values);
        while let Some((_, pending)) = self.pending.pop_first() {
            let Pending { location, counts, rounds, incoming } = pending;
            let mut values = Values::clone(&incoming[0].2);
            for (_, _, other) in &incoming[1..] {
                meet(&mut values, other);
            }
            let id = self.thread.nodes.len();
            for (node, step, known) in incoming {
                let step = &mut self.thread.nodes[node].steps[step];
                step.to = Some(id);
                let lost = known.iter().filter(|(variable, _)| !values.contains_key(variable));
                let lost = lost.filter(|(variable, _)| self.knowledge.matters(**variable, location));
                let mut lost: Vec<(VariableId, Term)> =
                    lost.map(|(variable, value)| (*variable, *value)).collect();
                lost.sort_by_key(|(variable, _)| *variable);
                step.assign.extend(lost);
            }
            self.node(location, counts, rounds, values);
        }
    }

    /// Adds a node; everything that is known about it is known.
    fn node(&mut self, location: LocationId, counts: Counts, rounds: Vec<Round>, values: Values) {
        let id = self.thread.nodes.len();
        let edges = &self.edges_from[location.index()];
        let mut steps: Vec<Step> = Vec::new();
        let mut after: Vec<Values> = Vec::new();
        let mut excluded: Vec<LocationId> = Vec::new();
        for &edge in edges {
            match self.step(edge, &values, (self.number, id, steps.len())) {
                Some((step, values)) => {
                    steps.push(step);
                    after.push(values);
                }
                None => excluded.push(self.program.edge(edge).to),
            }
        }
        let rounds = self.look_for_exits(location, rounds, &steps, &excluded);
        for (number, (step, values)) in steps.iter().zip(after).enumerate() {
            let to = self.program.edge(step.edge).to;
            let target = (location, &counts, &rounds[..]);
            self.follow(target, to, (id, number), values);
        }
        let accesses = self.accesses(location, &values);
        let visible = !accesses.is_empty() || steps.iter().any(|step| self.knowledge.is_visible(step.edge));
        self.thread.nodes.push(Node { location, steps, visible, accesses });
    }

    /// The copy of an edge, and what is known after it; nothing if it cannot be taken.
    fn step(&mut self, id: EdgeId, values: &Values, place: (usize, usize, usize)) -> Option<(Step, Values)> {
        let program = self.program;
        let edge = program.edge(id);
        let mut substitution = self.knowledge.substitution(id, values, place);
        let guard = absorbed(substitution.apply(edge.guard));
        if guard.is_false() {
            return None;
        }
        let mut after = values.clone();
        let mut assign = Vec::new();
        // What others can see, and is known nevertheless.
        let mut told = Vec::new();
        for (variable, term) in &edge.assign {
            let value = substitution.apply(*term);
            let is_known = self.knowledge.is_known(*term, values);
            if !self.knowledge.is_private(*variable) {
                // Known values may say that nothing changes.
                if value == program.variable(*variable).term() {
                    continue;
                }
                assign.push((*variable, value));
                told.extend(is_known.then_some((*variable, value)));
            } else if is_known {
                after.insert(*variable, value);
            } else {
                after.remove(variable);
                assign.push((*variable, value));
            }
        }
        let broadcast = edge.broadcast.assign.iter();
        let broadcast = broadcast.map(|(variable, term)| (*variable, substitution.apply(*term))).collect();
        let starts = self.starts(id, &told);
        self.knowledge.forget(&mut after, edge.to);
        let approximate = edge.approximate;
        Some((Step { edge: id, guard, assign, broadcast, to: None, starts, approximate }, after))
    }

    /// The threads that start with a step that assigns these known values to shared variables, and perhaps others.
    fn starts(&mut self, edge: EdgeId, told: &[(VariableId, Term)]) -> Vec<Start> {
        let Some(handshake) = self.handshake else { return Vec::new() };
        let program = self.program;
        let mailbox = told.iter().map(|(variable, value)| (program.variable(*variable).term(), *value));
        let mailbox: FxHashMap<Term, Term> = mailbox.collect();
        let mut starts = Vec::new();
        for id in handshake.after(program.edge(edge)) {
            let start = program.edge(id);
            let has_room = *self.planned < self.bounds.threads;
            let before = self.knowledge.at_start(*self.planned);
            if self.knowledge.apply(start.guard.substitute(&mailbox), &before).is_false() {
                continue;
            }
            let mut values = before.clone();
            let mut own = Vec::new();
            for (variable, term) in &start.assign {
                let filled = term.substitute(&mailbox);
                let is_private = self.knowledge.is_private(*variable);
                if is_private && start.inputs.is_empty() && self.knowledge.is_known(filled, &before) {
                    values.insert(*variable, self.knowledge.apply(filled, &before));
                } else {
                    values.remove(variable);
                    own.push((*variable, self.knowledge.apply(*term, &before)));
                }
            }
            let thread = has_room.then_some(*self.planned);
            if has_room {
                *self.planned += 1;
                self.open.push_back((start.to, values));
            }
            starts.push(Start { edge: id, thread, assign: own });
        }
        starts
    }

    /// Whether the loops around a node can be left from it.
    fn look_for_exits(
        &self,
        location: LocationId,
        mut rounds: Vec<Round>,
        steps: &[Step],
        excluded: &[LocationId],
    ) -> Vec<Round> {
        let heads = self.order.place(location).map_or(&[][..], |place| &place.heads);
        for (level, round) in rounds.iter_mut().enumerate() {
            // Ends, such as errors, are ways out only where there are no others: `for (...) join(...); assert(...)`.
            let ends_count = !heads.get(level).is_some_and(|head| self.order.is_left(*head));
            let leaves = |to: LocationId| {
                let there = self.order.place(to).map_or(&[][..], |place| &place.heads);
                (ends_count || !self.edges_from[to.index()].is_empty())
                    && there.get(..=level) != heads.get(..=level)
            };
            let out = steps.iter().any(|step| leaves(self.program.edge(step.edge).to));
            let stays = steps.iter().any(|step| !leaves(self.program.edge(step.edge).to));
            round.undecided |= out && stays;
            round.stayed |= !out && excluded.iter().any(|to| leaves(*to));
        }
        rounds
    }

    /// Notes that a step leads to another node, or leaves it without a target where the bound is reached.
    fn follow(
        &mut self,
        (from, counts, rounds): (LocationId, &Counts, &[Round]),
        to: LocationId,
        (node, step): (usize, usize),
        values: Values,
    ) {
        let (next, again) = self.order.follow(from, counts, to);
        let mut around: Vec<Round> = rounds[..rounds.len().min(next.len())].to_vec();
        around.resize(next.len(), Round::default());
        if let Some(level) = again {
            let round = around[level];
            let spent = round.spent + u32::from(round.undecided || !round.stayed);
            around[level] = Round { spent, ..Round::default() };
            if spent > self.bound(to) || next[level] > FREE_ROUNDS {
                return;
            }
        } else if let Some(place) = self.order.place(to) {
            // A loop that is entered begins anew.
            let here = self.order.place(from).map_or(&[][..], |place| &place.heads);
            let common = here.iter().zip(&place.heads).take_while(|(one, other)| one == other).count();
            around[common..].fill(Round::default());
        }
        let key = self.order.key(to, &next);
        if !self.pending.contains_key(&key) && self.thread.nodes.len() + self.pending.len() >= self.nodes_left
        {
            return;
        }
        let pending = self.pending.entry(key).or_insert_with(|| Pending {
            location: to,
            counts: next,
            rounds: around.clone(),
            incoming: Vec::new(),
        });
        for (known, new) in pending.rounds.iter_mut().zip(&around) {
            known.spent = known.spent.max(new.spent);
            known.undecided |= new.undecided;
            known.stayed |= new.stayed;
        }
        pending.incoming.push((node, step, Rc::new(values)));
    }

    fn bound(&self, head: LocationId) -> u32 {
        let own = self.bounds.of_loops.iter().find(|(location, _)| *location == head);
        own.map_or(self.bounds.rounds, |(_, rounds)| *rounds)
    }

    /// The accesses of races that a thread at a location is about to make.
    fn accesses(&self, location: LocationId, values: &Values) -> Vec<(usize, bool, Option<Term>)> {
        let mut accesses = Vec::new();
        for (number, property) in self.program.properties.iter().enumerate() {
            if let Target::Race(first, second) = &property.target {
                for (access, is_second) in [(first, false), (second, true)] {
                    if access.location == location {
                        let index = access.index.map(|index| self.knowledge.apply(index, values));
                        accesses.push((number, is_second, index));
                    }
                }
            }
        }
        accesses
    }
}
