//! What steps do, for the judge: written anew from the meaning of edges, so that a mistake in the search is no mistake here.

use crate::proof::Taken;
use engine::threads::Handshake;
use frontend::program::{EdgeId, LocationId, Program, RaceAccess, Scope, VariableId, passive};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};

/// Values of variables, over those at the beginning; what is not listed has not changed. Keys are constants as labels have them.
#[derive(Clone, Debug, Default)]
pub(super) struct State(FxHashMap<Term, Term>);

impl State {
    /// A formula of a label in this state.
    pub(super) fn read(&self, term: Term) -> Term {
        term.substitute(&self.0)
    }

    fn value(&self, constant: Term) -> Term {
        self.0.get(&constant).copied().unwrap_or(constant)
    }
}

/// A program.
pub(super) struct Model<'a> {
    pub(super) program: &'a Program,
    /// How threads are created, where they are told apart.
    handshake: Option<Handshake>,
}

impl<'a> Model<'a> {
    pub(super) fn new(program: &'a Program) -> Result<Model<'a>, String> {
        if program.locations.iter().any(|location| location.atomic) {
            return Err("the program has atomic sections".to_owned());
        }
        let handshake = Handshake::of(program).map_err(|obstacle| obstacle.to_string())?;
        Ok(Model { program, handshake: Some(handshake) })
    }

    /// For steps of single edges, however threads are created.
    pub(super) fn of_edges(program: &'a Program) -> Result<Model<'a>, String> {
        if program.locations.iter().any(|location| location.atomic) {
            return Err("the program has atomic sections".to_owned());
        }
        Ok(Model { program, handshake: None })
    }

    fn variables(&self) -> impl Iterator<Item = VariableId> + use<'_> {
        (0..self.program.variables.len() as u32).map(VariableId)
    }

    /// A variable as labels call it.
    fn name(&self, variable: VariableId, thread: usize) -> Term {
        let declared = self.program.variable(variable);
        if declared.scope == Scope::Shared {
            return declared.term();
        }
        Term::constant(Symbol::new(&format!("{}#{thread}", declared.name)), declared.data_type.sort())
    }

    /// A formula over the names of the program, as it is about a thread.
    pub(super) fn of_thread(&self, thread: usize, term: Term) -> Term {
        let map = self.variables().map(|id| (self.program.variable(id).term(), self.name(id, thread)));
        term.substitute(&map.collect())
    }

    /// What holds at the beginning.
    pub(super) fn initial(&self) -> Vec<Term> {
        let known = self.variables().filter_map(|variable| {
            let value = self.program.variable(variable).init.as_ref()?;
            Some(self.name(variable, 0).equals(Term::value(value)))
        });
        known.collect()
    }

    /// For each broadcast: when it changes a thread with first values.
    pub(super) fn pool_changes(&self) -> Vec<Vec<Term>> {
        let mut changes = Vec::new();
        if self.program.pool.is_none() {
            return changes;
        }
        for (variable, term) in self.program.edges.iter().flat_map(|edge| &edge.broadcast.assign) {
            let first = self.variables().filter_map(|other| {
                let declared = self.program.variable(other);
                let value = Term::value(declared.init.as_ref()?);
                (declared.scope == Scope::Local).then(|| declared.passive_term().equals(value))
            });
            let declared = self.program.variable(*variable);
            let before = declared.init.as_ref().map_or_else(|| declared.passive_term(), Term::value);
            changes.push(first.chain([term.equals(before).not()]).collect());
        }
        changes
    }

    /// Everything that threads at these locations can do, if guards allow it.
    pub(super) fn steps(&self, locations: &[LocationId]) -> Vec<Taken> {
        let mut steps = Vec::new();
        for (thread, location) in locations.iter().enumerate() {
            for (index, edge) in self.program.edges.iter().enumerate() {
                if edge.from != *location || Some(edge.from) == self.program.pool {
                    continue;
                }
                let mut ways = vec![vec![EdgeId(index as u32)]];
                for waiting in self.waiting(EdgeId(index as u32)) {
                    let mut more = Vec::new();
                    for way in &ways {
                        for start in &waiting {
                            more.push(way.iter().copied().chain([*start]).collect());
                        }
                    }
                    ways.extend::<Vec<Vec<EdgeId>>>(more);
                }
                steps.extend(ways.into_iter().map(|edges| Taken { thread, edges }));
            }
        }
        steps
    }

    /// Edges out of the pool that an edge may make possible, by mailbox.
    fn waiting(&self, edge: EdgeId) -> Vec<Vec<EdgeId>> {
        let mut boxes: Vec<(VariableId, Vec<EdgeId>)> = Vec::new();
        let filled = self.handshake.iter().flat_map(|handshake| handshake.filled(self.program.edge(edge)));
        for (flag, start) in filled {
            match boxes.iter_mut().find(|(known, _)| *known == flag) {
                Some((_, starts)) => starts.push(start),
                None => boxes.push((flag, vec![start])),
            }
        }
        boxes.into_iter().map(|(_, starts)| starts).collect()
    }

    /// Makes a step in a state with so many threads; returns what must hold for that. Choices are named after `whose`.
    pub(super) fn take(&self, state: &mut State, step: &Taken, threads: usize, whose: &str) -> Vec<Term> {
        let mut demands = Vec::new();
        demands.push(self.edge(state, step.edges[0], step.thread, threads, whose));
        for (index, &start) in step.edges[1..].iter().enumerate() {
            let thread = threads + index;
            for variable in self.variables() {
                let declared = self.program.variable(variable);
                if declared.scope == Scope::Local {
                    let name = Symbol::new(&format!("{}'{thread}{whose}", declared.name));
                    let open = || Term::constant(name, declared.data_type.sort());
                    let value = declared.init.as_ref().map_or_else(open, Term::value);
                    state.0.insert(self.name(variable, thread), value);
                }
            }
            demands.push(self.edge(state, start, thread, 0, whose));
        }
        for starts in self.waiting(step.edges[0]) {
            if starts.iter().any(|start| step.edges[1..].contains(start)) {
                continue;
            }
            for start in starts {
                let guard = self.program.edge(start).guard;
                let is_shared = |constant: &Term| {
                    let mut shared = self.program.variables.iter().filter(|one| one.scope == Scope::Shared);
                    shared.any(|variable| variable.term() == *constant)
                };
                if guard.constants().iter().all(is_shared) {
                    demands.push(state.read(guard).not());
                }
            }
        }
        demands
    }

    /// Makes the step of one edge; returns its guard.
    pub(super) fn edge(
        &self,
        state: &mut State,
        edge: EdgeId,
        thread: usize,
        threads: usize,
        whose: &str,
    ) -> Term {
        let details = self.program.edge(edge);
        let mut seen: FxHashMap<Term, Term> = self
            .variables()
            .map(|variable| {
                (self.program.variable(variable).term(), state.value(self.name(variable, thread)))
            })
            .collect();
        let choice = |name: Symbol, who: usize| Symbol::new(&format!("{name}'{}.{who}{whose}", edge.0));
        for input in &details.inputs {
            seen.insert(input.term(), Term::constant(choice(input.name, thread), input.sort));
        }
        let mut after = state.clone();
        for (variable, term) in &details.assign {
            after.0.insert(self.name(*variable, thread), term.substitute(&seen));
        }
        for other in (0..threads).filter(|other| *other != thread && !details.broadcast.is_empty()) {
            let mut heard = seen.clone();
            for variable in self.variables() {
                let declared = self.program.variable(variable);
                let constant = Term::constant(passive(declared.name), declared.data_type.sort());
                heard.insert(constant, state.value(self.name(variable, other)));
            }
            for input in &details.broadcast.inputs {
                heard.insert(input.term(), Term::constant(choice(input.name, other), input.sort));
            }
            for (variable, term) in &details.broadcast.assign {
                after.0.insert(self.name(*variable, other), term.substitute(&heard));
            }
        }
        *state = after;
        details.guard.substitute(&seen)
    }

    /// Whether nobody can see or hinder what a thread does at a location: then, when it has nothing to do there.
    pub(super) fn alone(&self, location: LocationId) -> Option<Vec<Term>> {
        if !self.is_private(location) {
            return None;
        }
        // No private places are passed for ever.
        let mut open = vec![location];
        let mut seen: FxHashSet<LocationId> = FxHashSet::default();
        while let Some(here) = open.pop() {
            for edge in self.program.edges.iter().filter(|edge| edge.from == here) {
                if edge.to == location {
                    return None;
                }
                if self.is_private(edge.to) && seen.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        let edges = self.program.edges.iter().filter(|edge| edge.from == location);
        Some(edges.map(|edge| edge.guard.not()).collect())
    }

    fn is_private(&self, location: LocationId) -> bool {
        let broadcasts = || self.program.edges.iter().flat_map(|edge| &edge.broadcast.assign);
        let own = |constant: &Term| {
            let declared = self.variables().find(|id| self.program.variable(*id).term() == *constant);
            declared.is_none_or(|id| {
                let variable = self.program.variable(id);
                let heard = |(target, term): &(VariableId, Term)| {
                    *target == id || term.constants().contains(&variable.passive_term())
                };
                variable.scope == Scope::Local && !broadcasts().any(heard)
            })
        };
        let mut edges = self.program.edges.iter().filter(|edge| edge.from == location);
        !self.program.targets()[location.index()]
            && Some(location) != self.program.pool
            && edges.all(|edge| {
                let assigned =
                    edge.assign.iter().map(|(variable, _)| self.program.variable(*variable).term());
                let terms = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]);
                edge.broadcast.is_empty()
                    && smt::traverse::constants(terms)
                        .into_iter()
                        .chain(assigned)
                        .all(|constant| own(&constant))
            })
    }

    /// When two steps of different threads, one after the other, cannot change places without a difference.
    pub(super) fn different(&self, first: &Taken, second: &Taken, threads: usize) -> Vec<Term> {
        let (mut one, mut other) = (State::default(), State::default());
        let mut formulas = self.take(&mut one, first, threads, ".1");
        formulas.extend(self.take(&mut one, second, threads + first.edges.len() - 1, ".2"));
        let mut swapped = self.take(&mut other, second, threads, ".2");
        swapped.extend(self.take(&mut other, first, threads + second.edges.len() - 1, ".1"));
        let keys = one.0.keys().chain(other.0.keys());
        let differences = keys.map(|&constant| one.value(constant).equals(other.value(constant)).not());
        formulas.push(Term::or_all(differences.chain(swapped.into_iter().map(Term::not))));
        formulas
    }

    /// When threads at these locations race.
    pub(super) fn races(
        &self,
        locations: &[LocationId],
        first: &RaceAccess,
        second: &RaceAccess,
    ) -> Vec<Term> {
        let mut races = Vec::new();
        for (one, here) in locations.iter().enumerate().filter(|(_, here)| **here == first.location) {
            for (other, _) in locations.iter().enumerate().filter(|(_, there)| **there == second.location) {
                let seen = |thread: usize, term: Term| self.of_thread(thread, term);
                if one != other {
                    let indices = first.index.zip(second.index);
                    races.push(indices.map_or_else(Term::tru, |(i, j)| seen(one, i).equals(seen(other, j))));
                }
            }
            debug_assert_eq!(*here, first.location);
        }
        races
    }
}
