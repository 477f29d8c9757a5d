//! Unrolled threads as a program again, in which each thread has code of its own.
//!
//! Copies of locations are locations, copies of steps are edges, and what is known at them is in their terms ([`crate::unwind`]): handles of threads are numbers, a thread's arguments its own, so that steps
//! touch what they really touch. The program has no cycle, and each thread starts at most once, at a location of its own, where it waits for a flag. So its states can be explored without trying all orders of
//! steps (`frontend::program::interpret::explore_apart`).
//!
//! *Creation.* The step that creates a thread and the thread's first step are one in an unwinding ([`crate::threads`]). Here the creator's step does all that the first step does to shared variables, puts the values of the new thread's locals into
//! variables that only this thread reads, and sets its flag; the thread then takes them over. What it takes over nobody changes any more, so it does not matter when it does. Where a mailbox may be emptied in several ways, there is
//! one edge for each, and one for none.
//!
//! *Values that are chosen* once and used later ([`chosen`], [`at_start`]) are variables of their own.
//!
//! *Beyond* is a location: where a step leaves what is unrolled. If no thread gets there, and creation is fused, the program has no other runs than this one.
//!
//! The way back ([`Apart::run`]): each step is the copy of an edge, followed by the first step of the thread that it starts.

use frontend::program::interpret::Waiting;
use frontend::program::{
    Broadcast, Choice, DataType, Edge, EdgeId, InitialValue, Input, Location, LocationId, Program, Property,
    PropertyKind, RaceAccess, Run, Scope, Target, Variable, VariableId, liveness,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term, Value};

use crate::unwind::{Start, Step, Unwinding, at_start, chosen};

/// An edge of the program, and the one that starts a thread with it, if it does, with the thread's number.
type Taken = (EdgeId, Option<(EdgeId, usize)>);

/// The program, and what its parts are copies of.
#[derive(Clone, Debug)]
pub struct Apart {
    /// The program.
    pub program: Program,
    /// All threads but the first.
    pub waiting: Vec<Waiting>,
    /// By edge: the edge that it is a copy of, and the thread that starts with it.
    steps: Vec<Option<Taken>>,
    /// By property: the one that it is a copy of; nothing for the end of what is unrolled.
    properties: Vec<Option<usize>>,
    /// Variables that hold the value that a variable has at the start.
    at_start: Vec<(VariableId, VariableId, Option<usize>)>,
}

impl Apart {
    /// Of an unwinding; nothing where steps change locals of other threads, where threads begin by themselves or choose values in their first step.
    pub fn of(program: &Program, unwinding: &Unwinding) -> Option<Apart> {
        let is_loud = program.edges.iter().any(|edge| !edge.broadcast.is_empty());
        if is_loud || !unwinding.fused {
            return None;
        }
        let mut builder = Builder::new(program, unwinding);
        for (thread, nodes) in unwinding.threads.iter().enumerate() {
            for (node, steps) in nodes.nodes.iter().enumerate() {
                for (number, step) in steps.steps.iter().enumerate() {
                    builder.step((thread, node, number), step)?;
                }
            }
        }
        builder.races(unwinding);
        Some(builder.finish())
    }

    /// The property of the original that one of these is a copy of; nothing for the end of what is unrolled.
    pub fn property(&self, name: &str) -> Option<usize> {
        let index = self.program.properties.iter().position(|property| property.name == name)?;
        self.properties[index]
    }

    /// A run of the original.
    pub fn run(&self, run: &Run) -> Run {
        let mut initial = Vec::new();
        for value in &run.initial {
            let kept = self.at_start.iter().find(|(kept, _, _)| *kept == value.variable);
            match kept {
                Some(&(_, variable, thread)) => {
                    initial.push(InitialValue { variable, thread, value: value.value.clone() });
                }
                None => initial.push(value.clone()),
            }
        }
        let mut steps = Vec::new();
        for choice in &run.steps {
            let Some((edge, start)) = self.steps[choice.edge.index()] else { continue };
            let (inputs, passive_inputs) = (choice.inputs.clone(), Vec::new());
            steps.push(Choice { thread: choice.thread, edge, inputs, passive_inputs });
            if let Some((edge, thread)) = start {
                steps.push(Choice { thread, edge, inputs: Vec::new(), passive_inputs: Vec::new() });
            }
        }
        Run { threads: run.threads, initial, steps }
    }
}

struct Builder<'a> {
    program: &'a Program,
    /// By thread, the location of its first node.
    first: Vec<u32>,
    beyond: LocationId,
    result: Apart,
    names: FxHashMap<Symbol, VariableId>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, unwinding: &Unwinding) -> Builder<'a> {
        let mut first = Vec::new();
        let mut locations: Vec<Location> = Vec::new();
        let mut properties = Vec::new();
        let mut copied = Vec::new();
        for thread in &unwinding.threads {
            first.push(locations.len() as u32);
            for node in &thread.nodes {
                for (number, property) in program.properties.iter().enumerate() {
                    if property.target == Target::Location(node.location) {
                        let name = format!("{}@{}", property.name, locations.len());
                        let target = Target::Location(LocationId(locations.len() as u32));
                        properties.push(Property { name, target, ..property.clone() });
                        copied.push(Some(number));
                    }
                }
                locations.push(Location { live: Vec::new(), ..program.location(node.location).clone() });
            }
        }
        let beyond = LocationId(locations.len() as u32);
        let nowhere = || Location { live: Vec::new(), ..program.location(program.main).clone() };
        locations.push(nowhere());
        let description = "the end of what is unrolled".to_owned();
        let (kind, position) = (PropertyKind::Limit, program.location(program.main).position);
        let target = Target::Location(beyond);
        properties.push(Property { name: "@beyond".to_owned(), kind, description, position, target });
        copied.push(None);
        let mut variables: Vec<Variable> = program.variables.clone();
        for (index, variable) in variables.iter_mut().enumerate() {
            variable.identity = false;
            // Its value at the start is a variable of its own wherever it is used.
            if unwinding.owned.contains(&VariableId(index as u32)) {
                variable.init.get_or_insert_with(|| Value::zero(variable.data_type.sort()));
            }
        }
        let names = crate::threads::names(program);
        let apart = Program {
            files: program.files.clone(),
            variables,
            locations,
            edges: Vec::new(),
            main: LocationId(0),
            pool: None,
            properties,
            notes: program.notes.clone(),
            addresses: Vec::new(),
            predicates: Vec::new(),
        };
        let result = Apart {
            program: apart,
            waiting: Vec::new(),
            steps: Vec::new(),
            properties: copied,
            at_start: Vec::new(),
        };
        let mut builder = Builder { program, first, beyond, result, names };
        for thread in 1..unwinding.threads.len() {
            let flag = builder.variable(&format!("started@{thread}"), None, Some(Value::Bool(false)));
            let location = LocationId(builder.result.program.locations.len() as u32);
            builder.result.program.locations.push(nowhere());
            builder.result.waiting.push(Waiting { location, flag });
        }
        builder
    }

    /// A new shared variable, of the type of another one or a flag.
    fn variable(&mut self, name: &str, like: Option<VariableId>, init: Option<Value>) -> VariableId {
        let data_type = like.map_or(DataType::Bool, |like| self.program.variable(like).data_type.clone());
        self.add(Symbol::new(name), data_type, init)
    }

    fn add(&mut self, name: Symbol, data_type: DataType, init: Option<Value>) -> VariableId {
        let position = self.program.location(self.program.main).position;
        let id = VariableId(self.result.program.variables.len() as u32);
        let variable = Variable { name, scope: Scope::Shared, data_type, init, identity: false, position };
        self.result.program.variables.push(variable);
        id
    }

    /// The edges for a step.
    fn step(&mut self, (thread, node, number): (usize, usize, usize), step: &Step) -> Option<()> {
        let original = self.program.edge(step.edge);
        let inputs = original.inputs.iter().map(|input| {
            let term = chosen(input, (thread, node, number));
            Input { name: term.as_constant().unwrap_or(input.name), sort: input.sort }
        });
        let edge = Edge {
            from: LocationId(self.first[thread] + node as u32),
            to: step.to.map_or(self.beyond, |to| LocationId(self.first[thread] + to as u32)),
            guard: step.guard,
            assign: step.assign.clone(),
            inputs: inputs.collect(),
            broadcast: Broadcast::default(),
            approximate: step.approximate,
            origin: original.origin.clone(),
        };
        let mut left = edge.guard;
        for start in &step.starts {
            let begins = self.begins(start, &step.assign)?;
            let Some(created) = start.thread else {
                // Too many threads: whoever starts one more is beyond.
                let guard = edge.guard.and(begins);
                self.push(Edge { guard, to: self.beyond, ..edge.clone() }, Some((step.edge, None)));
                left = left.and(begins.not());
                continue;
            };
            let assign = self.create(start, created, &edge)?;
            let guard = edge.guard.and(begins);
            self.push(Edge { guard, assign, ..edge.clone() }, Some((step.edge, Some((start.edge, created)))));
            left = left.and(begins.not());
        }
        self.push(Edge { guard: left, ..edge }, Some((step.edge, None)));
        Some(())
    }

    fn push(&mut self, edge: Edge, copied: Option<(EdgeId, Option<(EdgeId, usize)>)>) {
        if !edge.guard.is_false() {
            self.result.program.edges.push(edge);
            self.result.steps.push(copied);
        }
    }

    /// When a thread takes this first step, over the state before its creator's, which assigns this.
    fn begins(&self, start: &Start, assign: &[(VariableId, Term)]) -> Option<Term> {
        let edge = self.program.edge(start.edge);
        if !edge.inputs.is_empty() {
            return None;
        }
        let mut map = after(self.program, assign);
        // A thread that is beyond has the same values at the start as any other that waits: none of its own.
        for constant in edge.guard.constants() {
            let variable = constant.as_constant().and_then(|name| self.names.get(&name).copied());
            if let Some(variable) = variable
                && self.program.variable(variable).scope == Scope::Local
            {
                map.insert(constant, at_start(self.program, variable, Some(start.thread?)));
            }
        }
        Some(edge.guard.substitute(&map))
    }

    /// What a creator's edge assigns with the first step of the thread that it creates; that step's own edge is made, too.
    fn create(&mut self, start: &Start, created: usize, edge: &Edge) -> Option<Vec<(VariableId, Term)>> {
        let map = after(self.program, &edge.assign);
        let mut assign: Vec<(VariableId, Term)> = edge.assign.clone();
        let mut own = Vec::new();
        for &(variable, term) in &start.assign {
            let value = term.substitute(&map);
            if self.program.variable(variable).scope == Scope::Shared {
                assign.retain(|(assigned, _)| *assigned != variable);
                assign.push((variable, value));
            } else if value.constants().is_empty() {
                own.push((variable, value));
            } else {
                let name = format!("{}@{created}.given", self.program.variable(variable).name);
                let sort = self.program.variable(variable).data_type.sort();
                let kept = self.variable(&name, Some(variable), Some(Value::zero(sort)));
                assign.push((kept, value));
                own.push((variable, self.result.program.variable(kept).term()));
            }
        }
        let guards = edge.guard.conjuncts();
        // To reset the flag of a mailbox that was empty before is to do nothing.
        assign.retain(|(variable, value)| {
            let term = self.program.variables.get(variable.index()).map(Variable::term);
            term.is_none_or(|term| *value != term && !(value.is_false() && guards.contains(&term.not())))
        });
        let waiting = self.result.waiting[created - 1];
        assign.push((waiting.flag, Term::tru()));
        let original = self.program.edge(start.edge);
        let first = Edge {
            from: waiting.location,
            to: LocationId(self.first[created]),
            guard: self.result.program.variable(waiting.flag).term(),
            assign: own,
            inputs: Vec::new(),
            broadcast: Broadcast::default(),
            approximate: original.approximate,
            origin: original.origin.clone(),
        };
        self.push(first, None);
        Some(assign)
    }

    /// Races, for each pair of places of different threads.
    fn races(&mut self, unwinding: &Unwinding) {
        let mut accesses: Vec<(usize, usize, bool, LocationId, Option<Term>)> = Vec::new();
        for (thread, nodes) in unwinding.threads.iter().enumerate() {
            for (number, node) in nodes.nodes.iter().enumerate() {
                let here = LocationId(self.first[thread] + number as u32);
                let own = node.accesses.iter();
                accesses
                    .extend(own.map(|(property, second, index)| (*property, thread, *second, here, *index)));
            }
        }
        for first in accesses.iter().filter(|access| !access.2) {
            let others = accesses.iter().filter(|other| other.2 && other.0 == first.0 && other.1 != first.1);
            for second in others {
                let differ = match (first.4, second.4) {
                    (Some(one), Some(other)) => one.equals(other).is_false(),
                    _ => false,
                };
                let property = &self.program.properties[first.0];
                let Target::Race(one, other) = &property.target else { continue };
                if !differ {
                    let name = format!("{}@{}.{}", property.name, first.3.0, second.3.0);
                    let target = Target::Race(
                        RaceAccess { location: first.3, index: first.4, ..one.clone() },
                        RaceAccess { location: second.3, index: second.4, ..other.clone() },
                    );
                    self.result.program.properties.push(Property { name, target, ..property.clone() });
                    self.result.properties.push(Some(first.0));
                }
            }
        }
    }

    /// Makes variables of what was chosen earlier.
    fn finish(mut self) -> Apart {
        let known: FxHashMap<Symbol, VariableId> = crate::threads::names(&self.result.program);
        let mut starts: FxHashMap<Symbol, (VariableId, Option<usize>)> = FxHashMap::default();
        let open = self.program.variables.iter().enumerate().filter(|(_, variable)| variable.init.is_none());
        for (index, variable) in open {
            let id = VariableId(index as u32);
            let threads = (0..self.first.len()).map(Some);
            let owners = if variable.scope == Scope::Local { threads.collect() } else { vec![None] };
            for thread in owners {
                let name = at_start(self.program, id, thread).as_constant();
                starts.extend(name.map(|name| (name, (id, thread))));
            }
        }
        let mut kept: FxHashMap<Term, Term> = FxHashMap::default();
        let mut saved: Vec<(Symbol, VariableId, Term)> = Vec::new();
        let mut used: Vec<(Vec<Symbol>, Vec<Term>)> = Vec::new();
        for edge in &self.result.program.edges {
            let terms = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]);
            used.push((edge.inputs.iter().map(|input| input.name).collect(), terms.collect()));
        }
        used.push((Vec::new(), indices(&mut self.result.program).map(|index| *index).collect()));
        for (own, terms) in used {
            for constant in smt::traverse::constants(terms) {
                let Some(name) = constant.as_constant() else { continue };
                if own.contains(&name) || known.contains_key(&name) || kept.contains_key(&constant) {
                    continue;
                }
                let new = Symbol::new(&format!("{name}.kept"));
                let variable = match starts.get(&name) {
                    Some(&(variable, thread)) => {
                        let data_type = self.program.variable(variable).data_type.clone();
                        let kept = self.add(new, data_type, None);
                        self.result.at_start.push((kept, variable, thread));
                        kept
                    }
                    None => {
                        let zero = Value::zero(constant.sort());
                        let kept = self.add(new, data_type(constant.sort()), Some(zero));
                        saved.push((name, kept, constant));
                        kept
                    }
                };
                kept.insert(constant, self.result.program.variable(variable).term());
            }
        }
        for index in indices(&mut self.result.program) {
            *index = index.substitute(&kept);
        }
        for edge in &mut self.result.program.edges {
            let own: Vec<Symbol> = edge.inputs.iter().map(|input| input.name).collect();
            let terms: Vec<Term> = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]).collect();
            let used = smt::traverse::constants(terms).into_iter();
            let used =
                used.filter(|constant| constant.as_constant().is_some_and(|name| !own.contains(&name)));
            let map: FxHashMap<Term, Term> =
                used.filter_map(|constant| Some((constant, *kept.get(&constant)?))).collect();
            if !map.is_empty() {
                edge.guard = edge.guard.substitute(&map);
                for (_, term) in &mut edge.assign {
                    *term = term.substitute(&map);
                }
            }
            let saved = saved.iter().filter(|(name, _, _)| own.contains(name));
            edge.assign.extend(saved.map(|(_, variable, constant)| (*variable, *constant)));
        }
        shrink(&mut self.result.program);
        liveness::annotate(&mut self.result.program);
        self.result
    }
}

/// Drops assignments to variables that nobody reads any more, since their values are known; then they take next to no room in states, and nobody is disturbed.
fn shrink(program: &mut Program) {
    let indices: Vec<Term> = indices(program).map(|index| *index).collect();
    loop {
        let mut terms = indices.clone();
        for edge in &program.edges {
            terms.extend(edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]));
        }
        let read = smt::traverse::constants(terms).into_iter().filter_map(Term::as_constant);
        let read: FxHashSet<Symbol> = read.collect();
        let mut changed = false;
        for edge in &mut program.edges {
            let before = edge.assign.len();
            edge.assign.retain(|(variable, _)| read.contains(&program.variables[variable.index()].name));
            changed |= edge.assign.len() < before;
        }
        if !changed {
            for variable in program.variables.iter_mut().filter(|one| !read.contains(&one.name)) {
                variable.data_type = DataType::Bool;
                variable.init = Some(Value::Bool(false));
            }
            return;
        }
    }
}

/// The indices of races.
fn indices(program: &mut Program) -> impl Iterator<Item = &mut Term> {
    let targets = program.properties.iter_mut().map(|property| &mut property.target);
    let accesses = targets.filter_map(|target| match target {
        Target::Race(first, second) => Some([first, second]),
        Target::Location(_) => None,
    });
    accesses.flatten().filter_map(|access| access.index.as_mut())
}

fn data_type(sort: smt::Sort) -> DataType {
    match sort {
        smt::Sort::Bool => DataType::Bool,
        smt::Sort::BitVec(width) => DataType::Int { width, signed: false },
        smt::Sort::Array(array) => DataType::Array {
            index_width: array.index.width().unwrap_or(1),
            length: None,
            element: Box::new(data_type(array.element)),
        },
    }
}

/// The values of variables after an assignment, over those before it.
fn after(program: &Program, assign: &[(VariableId, Term)]) -> FxHashMap<Term, Term> {
    let shared = assign.iter().filter(|(variable, _)| program.variable(*variable).scope == Scope::Shared);
    shared.map(|(variable, term)| (program.variable(*variable).term(), *term)).collect()
}
