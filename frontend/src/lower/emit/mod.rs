//! From expanded graphs to the program: each operation becomes an edge, or one for each case.

mod access;
mod conflicts;
mod heap;
mod names;
mod pointed;
mod predicates;
mod step;
mod threads;

pub(crate) use threads::{SELF, atomic_depths};

use super::code::Code;
use super::expand::{Expanded, Source, Step};
use super::graph::{FunctionId, ObjectId, RegisterId};
use super::memory::Memory;
use super::races::RaceSite;
use super::sites::{Site, born_once};
use crate::program::{
    Broadcast, DataType, Edge, Effect, Input, Location, LocationId, Note, NoteId, Origin, Position, Program,
    Property, PropertyKind, Scope, Target, VariableId,
};
use lang_c::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term, Value};
use std::collections::BTreeMap;

/// Makes edges.
pub(crate) struct Emitter<'l, 'a, 'm> {
    code: &'l Code<'a>,
    expanded: &'l Expanded,
    memory: Memory<'m>,
    program: Program,
    registers: FxHashMap<RegisterId, VariableId>,
    register_names: FxHashMap<Symbol, RegisterId>,
    mailboxes: BTreeMap<FunctionId, threads::Mailbox>,
    sites: BTreeMap<usize, Site>,
    /// Locals that come to life at most once.
    born_once: FxHashSet<ObjectId>,
    /// Objects that other threads reach, of which each thread has one.
    conflicts: Vec<ObjectId>,
    /// Error locations by the check and the place.
    targets: FxHashMap<(PropertyKind, u32, String), LocationId>,
    notes: FxHashMap<String, NoteId>,
    origins: FxHashMap<Source, Origin>,
    races: Vec<RaceSite>,
    surroundings: conflicts::Surroundings,
    inputs: u32,
}

/// Makes the program.
pub(crate) fn emit<'m>(
    code: &Code<'_>,
    expanded: &Expanded,
    memory: Memory<'m>,
    sites: Vec<Site>,
    conflicts: Vec<ObjectId>,
) -> Program {
    let files = code.unit.map.file_names().map(str::to_owned).collect();
    let register_names =
        code.registers.iter().enumerate().map(|(i, r)| (r.name, RegisterId(i as u32))).collect();
    let mut emitter = Emitter {
        code,
        expanded,
        memory,
        program: Program { files, ..Program::empty() },
        registers: FxHashMap::default(),
        register_names,
        mailboxes: BTreeMap::new(),
        sites: sites.into_iter().map(|s| (s.step, s)).collect(),
        born_once: born_once(expanded),
        conflicts,
        targets: FxHashMap::default(),
        notes: FxHashMap::default(),
        origins: FxHashMap::default(),
        races: Vec::new(),
        surroundings: conflicts::Surroundings::new(expanded),
        inputs: 0,
    };
    let depths = atomic_depths(expanded);
    emitter.locations(&depths);
    emitter.remarks();
    emitter.threads();
    for (index, step) in expanded.steps.iter().enumerate() {
        emitter.step(index, step, &depths);
    }
    emitter.predicates();
    emitter.program.addresses = emitter.memory.named_addresses(&code.address_taken);
    emitter.program.variables = std::mem::take(&mut emitter.memory.variables.list);
    super::trivial::properties(code, expanded, &mut emitter.program);
    names::name_properties(&mut emitter.program.properties);
    if code.options.race_check {
        super::races::properties(&mut emitter.program, &emitter.races);
    }
    super::assumptions::add(code, &emitter.races, &mut emitter.program);
    super::inexact::mark(&mut emitter.program);
    emitter.program
}

impl Emitter<'_, '_, '_> {
    fn locations(&mut self, depths: &[u32]) {
        for (index, source) in self.expanded.nodes.iter().enumerate() {
            let position = self.position(source.span.0 as usize);
            let function = source.function;
            self.program.locations.push(Location {
                function,
                position,
                live: Vec::new(),
                atomic: depths[index] > 0,
                may_end: Term::fls(),
            });
        }
        if let Some(main) = self.expanded.roots.first() {
            self.program.main = LocationId(main.entry.0);
        }
    }

    fn position(&self, offset: usize) -> Position {
        self.code.unit.map.position(offset)
    }

    fn remarks(&mut self) {
        let used = super::assumptions::Used::new(self.code, self.expanded);
        for remark in &self.code.remarks {
            let is_model = self.code.is_model(remark.offset);
            let position = if is_model { Position::NONE } else { self.position(remark.offset) };
            let note =
                Note { assumption: remark.kind, ..Note::new(remark.effect, position, &remark.message) };
            if used.is_used(remark) && !self.program.notes.contains(&note) {
                self.program.notes.push(note);
            }
        }
    }

    fn register(&mut self, register: RegisterId) -> VariableId {
        if let Some(known) = self.registers.get(&register) {
            return *known;
        }
        let about = &self.code.registers[register.index()];
        let data_type = match about.sort {
            Sort::BitVec(width) => DataType::Int { width, signed: about.signed },
            _ => DataType::Bool,
        };
        let (name, position) = (about.name, self.position(about.offset));
        let init = Some(Value::zero(data_type.sort()));
        let id = self.memory.variables.add_named(name, Scope::Local, data_type, init, position);
        self.registers.insert(register, id);
        id
    }

    /// A term with addresses as numbers; registers in it become variables.
    fn term(&mut self, term: Term) -> Term {
        let value = self.memory.value(term);
        for constant in value.constants() {
            if let Some(register) = constant.as_constant().and_then(|n| self.register_names.get(&n)) {
                self.register(*register);
            }
        }
        value
    }

    fn input(&mut self, sort: Sort) -> Input {
        self.inputs += 1;
        Input { name: Symbol::new(&format!("?{}", self.inputs)), sort }
    }

    /// Any value of a register, with the function in its name that returns it.
    fn value_of(&mut self, register: RegisterId) -> Input {
        let about = &self.code.registers[register.index()];
        let Some(function) = about.result_of else { return self.input(about.sort) };
        self.inputs += 1;
        Input::result(function, self.inputs, about.signed, about.sort)
    }

    // Edges

    fn new_location(&mut self, source: Source) -> LocationId {
        let position = self.position(source.span.0 as usize);
        let function = source.function;
        self.program.locations.push(Location {
            function,
            position,
            live: Vec::new(),
            atomic: false,
            may_end: Term::fls(),
        });
        LocationId((self.program.locations.len() - 1) as u32)
    }

    fn edge(
        &mut self,
        from: LocationId,
        to: LocationId,
        guard: Term,
        assign: Vec<(VariableId, Term)>,
        inputs: Vec<Input>,
        origin: Vec<Origin>,
    ) {
        if !guard.is_false() {
            self.push(from, to, guard, assign, inputs, origin);
        }
    }

    /// A new edge, to be completed.
    fn push(
        &mut self,
        from: LocationId,
        to: LocationId,
        guard: Term,
        assign: Vec<(VariableId, Term)>,
        inputs: Vec<Input>,
        origin: Vec<Origin>,
    ) -> &mut Edge {
        let at = self.program.edges.len();
        let (broadcast, approximate) = (Broadcast::default(), None);
        self.program.edges.push(Edge { from, to, guard, assign, inputs, broadcast, approximate, origin });
        &mut self.program.edges[at]
    }

    fn origin(&mut self, source: Source) -> Vec<Origin> {
        if let Some(known) = self.origins.get(&source) {
            return vec![*known];
        }
        let position = self.position(source.span.0 as usize);
        let span = Span::span(source.span.0 as usize, source.span.1 as usize);
        let mut line = super::shown::text(&self.code.unit.as_written(span));
        if self.code.unit.map.file_name(position.file) == crate::entry::FILE {
            line = super::shown::entry(&line);
        }
        if line.chars().count() > 100 {
            line = line.chars().take(97).collect::<String>() + "...";
        }
        let origin = Origin { position, function: source.function, text: Symbol::new(&line) };
        self.origins.insert(source, origin);
        vec![origin]
    }

    fn named_origin(&self, source: Source, text: &str) -> Vec<Origin> {
        let position = self.position(source.span.0 as usize);
        vec![Origin { position, function: source.function, text: Symbol::new(text) }]
    }

    fn note(&mut self, effect: Effect, source: Source, reason: &str) -> NoteId {
        let position = self.position(source.span.0 as usize);
        let key = format!("{}:{reason}", source.span.0);
        if let Some(known) = self.notes.get(&key) {
            return *known;
        }
        let id = NoteId(self.program.notes.len() as u32);
        let message = format!("more happens here than in reality: {reason}");
        self.program.notes.push(Note::new(effect, position, message));
        self.notes.insert(key, id);
        id
    }

    /// Control that gets here under the condition cannot go on: the reason is part of the answer.
    fn limit(&mut self, step: &Step, condition: Term, reason: &str) {
        self.violation(step, condition, PropertyKind::Limit, reason);
    }

    /// Control that gets here under the condition violates a property.
    fn violation(&mut self, step: &Step, condition: Term, kind: PropertyKind, what: &str) {
        self.violation_from(LocationId(step.from.0), step, condition, kind, what);
    }

    fn violation_from(
        &mut self,
        from: LocationId,
        step: &Step,
        condition: Term,
        kind: PropertyKind,
        what: &str,
    ) {
        if condition.is_false() {
            return;
        }
        let origin = self.origin(step.source);
        let target = self.target(kind, what, step.source.function, step.source.span.0, step.source);
        self.edge(from, target, condition, Vec::new(), Vec::new(), origin);
    }

    /// The location that stands for a violation.
    fn target(
        &mut self,
        kind: PropertyKind,
        description: &str,
        function: Symbol,
        place: u32,
        source: Source,
    ) -> LocationId {
        let key = (kind, place, description.to_owned());
        if let Some(known) = self.targets.get(&key) {
            return *known;
        }
        let shown = Source { span: (place, place), function: source.function };
        let location = self.new_location(shown);
        self.targets.insert(key, location);
        // Numbered when all are known, in the order of the source.
        let name = function.to_string();
        let position = self.position(place as usize);
        let description = description.to_owned();
        self.program.properties.push(Property {
            name,
            kind,
            description,
            position,
            target: Target::Location(location),
        });
        location
    }
}
