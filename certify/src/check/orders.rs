//! All orders of steps that can make a difference, tried again; which can make none is judged here.
//!
//! The program is unrolled into one in which threads are told apart ([`Apart`]), and its states are explored with persistent sets. The argument stands in `frontend/src/program/interpret/persistent.rs`; this module shares
//! no code with that one. There, whether two steps disturb each other is read off their terms. Here it is asked of a solver, pair by pair: two steps of different threads do not disturb each other if, from every state, whatever values they choose,
//! one is possible after the other if and only if it is before, and both orders end in the same state. Pairs in which neither changes a variable that the other mentions need no question. A thread waits as long as its flag is false: that this is so is checked, too.
//!
//! The states that are seen here need not be those that were seen there: the relations may differ. What counts is that nothing is violated, and nobody gets to the end of what is unrolled.

use super::{Accepted, Rejected};
use engine::apart::Apart;
use engine::unwind::{Bounds, unwind};
use frontend::program::interpret::{ExploreOptions, Select, Waiting, explore_apart};
use frontend::program::{Edge, EdgeId, LocationId, Program, Scope, Target, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Config, Solver, SolverChoice, Symbol, Term, Value, create};
use std::sync::atomic::AtomicBool;

/// Judges that no order of steps of so many threads, with loops unrolled so far, violates a property.
pub(super) fn orders(
    program: &Program,
    (unwind_bound, threads, states): (u32, usize, usize),
    solver: &SolverChoice,
    config: &Config,
) -> Result<Accepted, Rejected> {
    let bounds = Bounds { rounds: unwind_bound, of_loops: Vec::new(), threads, nodes: NODES };
    let apart = Apart::of(program, &unwind(program, &bounds))
        .ok_or_else(|| Rejected::new("the threads of the program cannot be told apart"))?;
    let mut pairs = Pairs::new(&apart.program, &apart.waiting, create(solver, config)?)?;
    let mut options = ExploreOptions { forget_dead: true, ..ExploreOptions::default() };
    options.limits.states = states.saturating_mul(MORE).saturating_add(MORE);
    let never = AtomicBool::new(false);
    let found = explore_apart(&apart.program, &apart.waiting, Some(&mut pairs), &options, &never)
        .map_err(|error| Rejected::new(error.to_string()))?;
    if let Some(failed) = pairs.failed {
        return Err(failed);
    }
    if !found.complete || !found.violated.is_empty() {
        return Err(Rejected::new("not all orders were tried, or not all are safe"));
    }
    Ok(Accepted::new(format!(
        "the orders of {threads} threads, {} states, with {} questions to {solver} about exchanges of steps",
        found.states, pairs.asked
    )))
}

/// Copies of locations at most.
const NODES: usize = 10_000;
/// The judge's relation may be coarser than the engine's, but not by much.
const MORE: usize = 100;

/// Which steps disturb each other, as far as it was asked.
struct Pairs<'a> {
    program: &'a Program,
    solver: Box<dyn Solver>,
    /// By edge: variables that it mentions, and those that it changes; locals are left out.
    mentioned: Vec<FxHashSet<VariableId>>,
    changed: Vec<FxHashSet<VariableId>>,
    edges_from: Vec<Vec<EdgeId>>,
    /// By location: the edges that a thread there may take, now or later, and those of the threads that it starts; and the locations that these get to, the first one included.
    later: Vec<FxHashSet<EdgeId>>,
    reached: Vec<FxHashSet<LocationId>>,
    /// Pairs of locations that races ask about, and by location the variables that their indices look at.
    races: Vec<(LocationId, LocationId)>,
    looked_at: FxHashMap<LocationId, FxHashSet<VariableId>>,
    edges: FxHashMap<(EdgeId, EdgeId), bool>,
    places: FxHashMap<(LocationId, LocationId), bool>,
    asked: usize,
    failed: Option<Rejected>,
}

impl<'a> Pairs<'a> {
    fn new(
        program: &'a Program,
        waiting: &[Waiting],
        solver: Box<dyn Solver>,
    ) -> Result<Pairs<'a>, Rejected> {
        check_form(program, waiting)?;
        let names: FxHashMap<Symbol, VariableId> = program
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| variable.scope == Scope::Shared)
            .map(|(index, variable)| (variable.name, VariableId(index as u32)))
            .collect();
        let is_shared = |id: &VariableId| program.variable(*id).scope == Scope::Shared;
        let changes = |edge: &Edge| edge.assign.iter().map(|(id, _)| *id).filter(is_shared).collect();
        let changed: Vec<FxHashSet<VariableId>> = program.edges.iter().map(changes).collect();
        let mut mentioned = changed.clone();
        for (edge, mentioned) in program.edges.iter().zip(&mut mentioned) {
            let terms = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]);
            let constants = smt::traverse::constants(terms);
            mentioned.extend(constants.into_iter().filter_map(|one| names.get(&one.as_constant()?)));
        }
        let edges_from = program.edges_from();
        let starts: FxHashMap<VariableId, LocationId> =
            waiting.iter().map(|waiting| (waiting.flag, waiting.location)).collect();
        let mut later: Vec<FxHashSet<EdgeId>> = vec![FxHashSet::default(); program.locations.len()];
        let mut reached = Vec::new();
        for (index, later) in later.iter_mut().enumerate() {
            let mut open = vec![LocationId(index as u32)];
            let mut seen: FxHashSet<LocationId> = FxHashSet::default();
            while let Some(location) = open.pop() {
                if !seen.insert(location) {
                    continue;
                }
                for &id in &edges_from[location.index()] {
                    later.insert(id);
                    let edge = program.edge(id);
                    open.push(edge.to);
                    open.extend(edge.assign.iter().filter_map(|(variable, _)| starts.get(variable)));
                }
            }
            reached.push(seen);
        }
        let (mut races, mut looked_at) = (Vec::new(), FxHashMap::default());
        for property in &program.properties {
            if let Target::Race(first, second) = &property.target {
                races.push((first.location, second.location));
                for access in [first, second] {
                    let constants = access.index.map_or_else(Vec::new, Term::constants).into_iter();
                    let looked: &mut FxHashSet<VariableId> = looked_at.entry(access.location).or_default();
                    looked.extend(constants.filter_map(|one| names.get(&one.as_constant()?)));
                }
            }
        }
        let (edges, places) = (FxHashMap::default(), FxHashMap::default());
        Ok(Pairs {
            program,
            solver,
            mentioned,
            changed,
            edges_from,
            later,
            reached,
            races,
            looked_at,
            edges,
            places,
            asked: 0,
            failed: None,
        })
    }

    /// Whether a step of a thread at one location may be disturbed by what a thread at another one does, sooner or later.
    fn disturbs(&mut self, here: LocationId, there: LocationId) -> bool {
        if let Some(known) = self.places.get(&(here, there)) {
            return *known;
        }
        let mut others: Vec<EdgeId> = self.later[there.index()].iter().copied().collect();
        others.sort();
        let own = self.edges_from[here.index()].clone();
        let disturbs = self.meets(here, there)
            || own.iter().any(|one| others.iter().any(|other| self.conflict(*one, *other)));
        self.places.insert((here, there), disturbs);
        disturbs
    }

    /// Whether a race asks about a thread here and one that gets to where the other party is, or one of them changes what the index of a race looks at where the other is.
    fn meets(&self, here: LocationId, there: LocationId) -> bool {
        let reached = &self.reached[there.index()];
        let asked = |(one, other): &(LocationId, LocationId)| {
            (*one == here && reached.contains(other)) || (*other == here && reached.contains(one))
        };
        let changes =
            |edge: &EdgeId, looked: &FxHashSet<VariableId>| !self.changed[edge.index()].is_disjoint(looked);
        let mut looked = self.looked_at.iter();
        self.races.iter().any(asked)
            || looked.any(|(place, looked)| {
                (reached.contains(place)
                    && self.edges_from[here.index()].iter().any(|edge| changes(edge, looked)))
                    || (*place == here && self.later[there.index()].iter().any(|edge| changes(edge, looked)))
            })
    }

    fn conflict(&mut self, one: EdgeId, other: EdgeId) -> bool {
        let apart = |changed: &FxHashSet<VariableId>, mentioned: &FxHashSet<VariableId>| {
            changed.is_disjoint(mentioned)
        };
        if apart(&self.changed[one.index()], &self.mentioned[other.index()])
            && apart(&self.changed[other.index()], &self.mentioned[one.index()])
        {
            return false;
        }
        let key = (one.min(other), one.max(other));
        if let Some(known) = self.edges.get(&key) {
            return *known;
        }
        let question = self.question(key.0, key.1);
        let conflict = match question.as_bool() {
            Some(known) => known,
            None => {
                self.asked += 1;
                match self.solver.check_assuming(&[question]) {
                    Ok(answer) => answer != Answer::Unsat,
                    Err(error) => {
                        self.failed.get_or_insert(error.into());
                        true
                    }
                }
            }
        };
        self.edges.insert(key, conflict);
        conflict
    }

    /// When two steps of different threads disturb each other.
    fn question(&self, one: EdgeId, other: EdgeId) -> Term {
        let (one, other) = (self.renamed(one, "1"), self.renamed(other, "2"));
        let after = |first: &Edge, second: &Edge| {
            let shared = first.assign.iter();
            let map: FxHashMap<Term, Term> =
                shared.map(|(id, value)| (self.program.variable(*id).term(), *value)).collect();
            let guard = second.guard.substitute(&map);
            // What both have changed, by variable.
            let mut end = map.clone();
            for (id, value) in &second.assign {
                end.insert(self.program.variable(*id).term(), value.substitute(&map));
            }
            (guard, end)
        };
        let (guard_after, end) = after(&one, &other);
        let (guard_before, other_end) = after(&other, &one);
        let differs = |first: Term, second: Term| first.equals(second).not();
        let enables = one.guard.and(differs(other.guard, guard_after));
        let enabled = other.guard.and(differs(one.guard, guard_before));
        let mut variables: Vec<Term> = end.keys().chain(other_end.keys()).copied().collect();
        variables.sort_by(|one, other| one.cmp_structural(*other));
        variables.dedup();
        let value =
            |end: &FxHashMap<Term, Term>, variable: Term| end.get(&variable).copied().unwrap_or(variable);
        let ends = variables.iter().map(|one| differs(value(&end, *one), value(&other_end, *one)));
        let ends = one.guard.and(other.guard).and(Term::or_all(ends));
        Term::or_all([enables, enabled, ends])
    }

    /// An edge with names of its own for the locals and choices of its thread; assignments to locals are left out, nobody else sees them.
    fn renamed(&self, id: EdgeId, thread: &str) -> Edge {
        let mut edge = self.program.edge(id).clone();
        edge.assign.retain(|(variable, _)| self.program.variable(*variable).scope == Scope::Shared);
        let shared: FxHashSet<Symbol> = self
            .program
            .variables
            .iter()
            .filter(|variable| variable.scope == Scope::Shared)
            .map(|variable| variable.name)
            .collect();
        let mut name =
            |name: Symbol| (!shared.contains(&name)).then(|| Symbol::new(&format!("{name}#{thread}")));
        edge.guard = edge.guard.rename(&mut name);
        for (_, term) in &mut edge.assign {
            *term = term.rename(&mut name);
        }
        edge
    }
}

impl Select for Pairs<'_> {
    fn sets(&mut self, places: &[Option<LocationId>], sets: &mut Vec<u64>) {
        for seed in 0..places.len() {
            if places[seed].is_none() {
                continue;
            }
            let mut set = vec![seed];
            let mut next = 0;
            while let Some(&one) = set.get(next) {
                next += 1;
                for other in 0..places.len() {
                    if let (Some(here), Some(there)) = (places[one], places[other])
                        && !set.contains(&other)
                        && self.disturbs(here, there)
                    {
                        set.push(other);
                    }
                }
            }
            sets.push(set.iter().fold(0, |bits, thread| bits | 1 << thread));
        }
        sets.sort_by_key(|set| set.count_ones());
    }
}

/// What the argument needs: no cycles, no broadcasts, no atomic locations; a thread that waits cannot move before its flag is set, and has not been started at first.
fn check_form(program: &Program, waiting: &[Waiting]) -> Result<(), Rejected> {
    let quiet = program.edges.iter().all(|edge| edge.broadcast.is_empty());
    if !quiet || program.locations.iter().any(|location| location.atomic) {
        return Err(Rejected::new("steps that concern several threads at once"));
    }
    for waiting in waiting {
        let flag = program.variable(waiting.flag);
        let is_flag = flag.scope == Scope::Shared && flag.init == Some(Value::Bool(false));
        let demanded = |edge: &Edge| edge.guard.conjuncts().contains(&flag.term());
        let from = program.edges.iter().filter(|edge| edge.from == waiting.location);
        let back = program.edges.iter().any(|edge| edge.to == waiting.location);
        if !is_flag || back || !from.clone().all(demanded) {
            return Err(Rejected::new("a thread does not wait for its flag"));
        }
    }
    // Locations that are left again and again have a cycle through them.
    let edges_from = program.edges_from();
    let mut done = vec![false; program.locations.len()];
    let mut on_path = vec![false; program.locations.len()];
    for start in 0..program.locations.len() {
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((location, next)) = path.pop() {
            if done[location] {
                continue;
            }
            on_path[location] = true;
            let Some(edge) = edges_from[location].get(next) else {
                done[location] = true;
                on_path[location] = false;
                continue;
            };
            path.push((location, next + 1));
            let to = program.edge(*edge).to.index();
            if on_path[to] {
                return Err(Rejected::new("a loop that was not unrolled"));
            }
            path.push((to, 0));
        }
    }
    Ok(())
}
