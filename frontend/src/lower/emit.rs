//! From expanded graphs to the program: each operation becomes an edge, or one for each case.

mod pointed;

use super::context::Lowerer;
use super::expand::{Expanded, Source, Step};
use super::graph::{
    Access, Address, Argument, Callee, FunctionId, NodeId, ObjectId, Op, Parameter, RegisterId, Storage,
};
use super::memory::{Case, Memory, insert};
use super::sites::Site;
use crate::program::{
    Broadcast, DataType, Edge, Effect, Input, Location, LocationId, Note, NoteId, Origin, Position, Program,
    Property, PropertyKind, Scope, Target, UserPredicate, Variable, VariableId, passive,
};
use rustc_hash::FxHashMap;
use smt::{Sort, Symbol, Term, Value};
use std::collections::BTreeMap;

/// The models' thread-local pointer to a thread's own record.
pub(crate) const SELF: &str = "__monabs_self";

/// Shared variables through which a new thread gets what it starts with.
struct Mailbox {
    full: VariableId,
    arguments: Vec<VariableId>,
    record: VariableId,
}

pub(crate) struct Emitter<'l, 'a, 'm> {
    lowerer: &'l Lowerer<'a>,
    expanded: &'l Expanded,
    memory: Memory<'m>,
    program: Program,
    registers: FxHashMap<RegisterId, VariableId>,
    register_names: FxHashMap<Symbol, RegisterId>,
    mailboxes: BTreeMap<FunctionId, Mailbox>,
    sites: FxHashMap<usize, Site>,
    used: FxHashMap<ObjectId, VariableId>,
    /// Error locations by the check and the place.
    targets: FxHashMap<(Option<u32>, u32, String), LocationId>,
    notes: FxHashMap<String, NoteId>,
    origins: FxHashMap<Source, Origin>,
    pub races: Vec<super::races::RaceSite>,
    inputs: u32,
}

/// Makes the program.
pub(crate) fn emit<'m>(
    lowerer: &Lowerer<'_>,
    expanded: &Expanded,
    memory: Memory<'m>,
    sites: &[Site],
    atomic: &[bool],
) -> Program {
    let files = lowerer.unit.map.file_names().map(str::to_owned).collect();
    let register_names =
        lowerer.registers.iter().enumerate().map(|(i, r)| (r.name, RegisterId(i as u32))).collect();
    let mut emitter = Emitter {
        lowerer,
        expanded,
        memory,
        program: Program {
            files,
            variables: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            main: LocationId(0),
            pool: None,
            properties: Vec::new(),
            notes: Vec::new(),
            addresses: Vec::new(),
            predicates: Vec::new(),
        },
        registers: FxHashMap::default(),
        register_names,
        mailboxes: BTreeMap::new(),
        sites: sites.iter().map(|s| (s.step, *s)).collect(),
        used: FxHashMap::default(),
        targets: FxHashMap::default(),
        notes: FxHashMap::default(),
        origins: FxHashMap::default(),
        races: Vec::new(),
        inputs: 0,
    };
    emitter.locations(atomic);
    emitter.remarks();
    emitter.threads();
    for (index, step) in expanded.steps.iter().enumerate() {
        emitter.step(index, step, atomic);
    }
    emitter.predicates();
    emitter.program.addresses = emitter.memory.named_addresses(&lowerer.address_taken);
    name_properties(&mut emitter.program.properties);
    super::races::properties(&mut emitter.program, &emitter.races);
    emitter.program
}

/// Names by function, kind and number, in the order of the source: they do not depend on how the translation goes.
fn name_properties(properties: &mut [Property]) {
    properties.sort_by(|a, b| {
        let place = |p: &Property| (p.position.file, p.position.line, p.position.column, p.kind);
        place(a).cmp(&place(b)).then_with(|| a.description.cmp(&b.description))
    });
    let mut counts: BTreeMap<(String, PropertyKind), u32> = BTreeMap::new();
    for property in properties {
        let count = counts.entry((property.name.clone(), property.kind)).or_insert(0);
        *count += 1;
        property.name = format!("{}.{}.{count}", property.name, kind_name(property.kind));
    }
}

impl Emitter<'_, '_, '_> {
    fn locations(&mut self, atomic: &[bool]) {
        for (index, source) in self.expanded.nodes.iter().enumerate() {
            let position = self.position(source.span.0 as usize);
            let function = source.function;
            self.program.locations.push(Location {
                function,
                position,
                live: Vec::new(),
                atomic: atomic[index],
            });
        }
        if let Some(main) = self.expanded.roots.first() {
            self.program.main = LocationId(main.entry.0);
        }
    }

    fn position(&self, offset: usize) -> Position {
        self.lowerer.unit.map.position(offset)
    }

    fn remarks(&mut self) {
        for remark in &self.lowerer.remarks {
            let position = self.position(remark.offset);
            let note = Note { effect: remark.effect, position, message: remark.message.clone() };
            if !self.program.notes.contains(&note) {
                self.program.notes.push(note);
            }
        }
    }

    // Threads

    /// Pool threads take what creators put into the mailboxes.
    fn threads(&mut self) {
        if self.expanded.roots.len() < 2 {
            return;
        }
        let pool = self.new_location(self.expanded.nodes[0]);
        self.program.locations[pool.index()].function = Symbol::new("");
        self.program.pool = Some(pool);
        let own = self.self_variable();
        for root in self.expanded.roots.iter().skip(1) {
            let Some(function) = root.function else { continue };
            let name = self.lowerer.functions[function.index()].name;
            let position = self.position(self.expanded.nodes[root.entry.index()].span.0 as usize);
            let full = self.new_variable(&format!("spawn.{name}"), Scope::Shared, DataType::Bool, position);
            let width = self.lowerer.pointer_width();
            let pointer = DataType::Int { width, signed: false };
            let record = self.new_variable(&format!("spawn.{name}.self"), Scope::Shared, pointer, position);
            let mut assign = vec![(full, Term::fls())];
            let mut arguments = Vec::new();
            for (index, (parameter, _)) in root.parameters.iter().enumerate() {
                let target = match parameter {
                    Parameter::Register(register) => self.register(*register),
                    Parameter::Object(object) => self.leaf(*object, 0),
                };
                let data_type = self.program.variables[target.index()].data_type.clone();
                let variable =
                    self.new_variable(&format!("spawn.{name}.{index}"), Scope::Shared, data_type, position);
                assign.push((target, self.program.variables[variable.index()].term()));
                arguments.push(variable);
            }
            if let Some(own) = own {
                assign.push((own, self.program.variables[record.index()].term()));
            }
            let guard = self.program.variables[full.index()].term();
            let source = self.expanded.nodes[root.entry.index()];
            let origin = self.named_origin(source, "thread starts");
            self.edge(pool, LocationId(root.entry.0), guard, assign, Vec::new(), origin);
            self.mailboxes.insert(function, Mailbox { full, arguments, record });
        }
    }

    fn self_variable(&mut self) -> Option<VariableId> {
        let object = self
            .lowerer
            .objects
            .iter()
            .position(|o| o.name.as_str() == SELF && o.storage == Storage::ThreadLocal)?;
        Some(self.leaf(ObjectId(object as u32), 0))
    }

    // Variables

    fn new_variable(
        &mut self,
        name: &str,
        scope: Scope,
        data_type: DataType,
        position: Position,
    ) -> VariableId {
        let name = self.memory.unique(name);
        self.add_variable(name, scope, data_type, position)
    }

    fn add_variable(
        &mut self,
        name: Symbol,
        scope: Scope,
        data_type: DataType,
        position: Position,
    ) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        let init = Some(Value::zero(data_type.sort()));
        self.program.variables.push(Variable { name, scope, data_type, init, position });
        id
    }

    fn register(&mut self, register: RegisterId) -> VariableId {
        if let Some(known) = self.registers.get(&register) {
            return *known;
        }
        let about = &self.lowerer.registers[register.index()];
        let data_type = match about.sort {
            Sort::BitVec(width) => DataType::Int { width, signed: about.signed },
            _ => DataType::Bool,
        };
        let (name, position) = (about.name, self.position(about.offset));
        let id = self.add_variable(name, Scope::Local, data_type, position);
        self.registers.insert(register, id);
        id
    }

    fn leaf(&mut self, object: ObjectId, leaf: usize) -> VariableId {
        let map = &self.lowerer.unit.map;
        self.memory.variable(object, leaf, &mut self.program.variables, |offset| map.position(offset))
    }

    /// Which objects of an allocation site are in use.
    fn used(&mut self, object: ObjectId) -> VariableId {
        if let Some(known) = self.used.get(&object) {
            return *known;
        }
        let about = &self.lowerer.objects[object.index()];
        let slots = if let Storage::Heap(slots) = about.storage { slots } else { 1 };
        let data_type = match slots {
            1 => DataType::Bool,
            _ => DataType::Array { index_width: 32, length: Some(slots), element: Box::new(DataType::Bool) },
        };
        let scope = if self.memory.is_shared(object) { Scope::Shared } else { Scope::Local };
        let position = self.position(about.offset);
        let id = self.new_variable(&format!("{}.used", about.name), scope, data_type, position);
        self.used.insert(object, id);
        id
    }

    fn term_of(&self, variable: VariableId) -> Term {
        self.program.variables[variable.index()].term()
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

    // Edges

    fn new_location(&mut self, source: Source) -> LocationId {
        let position = self.position(source.span.0 as usize);
        let function = source.function;
        self.program.locations.push(Location { function, position, live: Vec::new(), atomic: false });
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
        if guard.is_false() {
            return;
        }
        let broadcast = Broadcast::default();
        self.program.edges.push(Edge {
            from,
            to,
            guard,
            assign,
            inputs,
            broadcast,
            approximate: None,
            origin,
        });
    }

    fn origin(&mut self, source: Source) -> Vec<Origin> {
        if let Some(known) = self.origins.get(&source) {
            return vec![*known];
        }
        let position = self.position(source.span.0 as usize);
        let text = self.lowerer.unit.text.get(source.span.0 as usize..source.span.1 as usize).unwrap_or("");
        let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
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

    fn step(&mut self, index: usize, step: &Step, atomic: &[bool]) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let origin = self.origin(step.source);
        match &step.op {
            Op::Skip | Op::AtomicBegin | Op::AtomicEnd | Op::Dead(_) => {
                self.edge(from, to, Term::tru(), Vec::new(), Vec::new(), origin)
            }
            Op::Assume(guard) => {
                let guard = self.term(*guard);
                self.edge(from, to, guard, Vec::new(), Vec::new(), origin);
            }
            Op::Let(register, value) => {
                let value = self.term(*value);
                let variable = self.register(*register);
                self.edge(from, to, Term::tru(), vec![(variable, value)], Vec::new(), origin);
            }
            Op::Havoc(register) => {
                let variable = self.register(*register);
                let input = self.input(self.lowerer.registers[register.index()].sort);
                let assign = vec![(variable, input.term())];
                self.edge(from, to, Term::tru(), assign, vec![input], origin);
                if let Some(reason) = self.lowerer.registers[register.index()].guess {
                    let note = self.note(Effect::Over, step.source, reason.as_str());
                    if let Some(edge) = self.program.edges.last_mut() {
                        edge.approximate = Some(note);
                    }
                }
            }
            Op::Load(register, address, access) => {
                let variable = self.register(*register);
                let inside = atomic[step.from.index()];
                for (start, case) in self.access(step, address, access, false, inside) {
                    let value = self.read(&case, access);
                    self.edge(start, to, Term::tru(), vec![(variable, value)], Vec::new(), origin.clone());
                }
            }
            Op::Store(address, access, value) => {
                let value = self.term(*value);
                let inside = atomic[step.from.index()];
                for (start, case) in self.access(step, address, access, true, inside) {
                    let new = self.written(&case, access, value);
                    self.edge(start, to, Term::tru(), vec![(case.variable, new)], Vec::new(), origin.clone());
                }
            }
            Op::Broadcast(address, access, value, choices) => {
                self.broadcast(step, address, access, *value, choices, origin)
            }
            Op::Clear(object) => self.reset(*object, from, to, true, origin),
            Op::Forget(object) => self.reset(*object, from, to, false, origin),
            Op::Allocate { register, zeroed, fallible, .. } => {
                if let Some(site) = self.sites.get(&index).copied() {
                    self.allocate(&site, *register, *zeroed, *fallible, step, origin);
                }
            }
            Op::Free(pointer) => self.free(*pointer, step, origin),
            Op::ForgetPointed(pointer) => self.forget_pointed(*pointer, step, origin),
            Op::ObjectSize(register, pointer) => self.object_size(*register, *pointer, step, origin),
            Op::Spawn(Callee::Direct(function), arguments, record) => {
                self.spawn(*function, arguments, *record, step, origin)
            }
            Op::Approximate(reason) => {
                let note = self.note(Effect::Over, step.source, reason);
                self.edge(from, to, Term::tru(), Vec::new(), Vec::new(), origin);
                if let Some(edge) = self.program.edges.last_mut() {
                    edge.approximate = Some(note);
                }
            }
            Op::Fail(check) => {
                let check = &self.lowerer.checks[check.index()];
                let place = if check.model { step.source.span.0 } else { check.offset as u32 };
                let function = if check.model { step.source.function } else { check.function };
                let target = self.target(check.kind, &check.description, function, place, step.source);
                self.edge(from, target, Term::tru(), Vec::new(), Vec::new(), origin);
            }
            Op::Limit(message) => {
                let target = self.target(
                    PropertyKind::Limit,
                    message,
                    step.source.function,
                    step.source.span.0,
                    step.source,
                );
                self.edge(from, target, Term::tru(), Vec::new(), Vec::new(), origin);
            }
            // Calls are expanded, and spawns through pointers are dispatched before.
            Op::Stop | Op::Call(..) | Op::Spawn(..) => {}
        }
    }

    fn note(&mut self, effect: Effect, source: Source, reason: &str) -> NoteId {
        let position = self.position(source.span.0 as usize);
        let key = format!("{}:{reason}", source.span.0);
        if let Some(known) = self.notes.get(&key) {
            return *known;
        }
        let id = NoteId(self.program.notes.len() as u32);
        let message = format!("more happens here than in reality: {reason}");
        self.program.notes.push(Note { effect, position, message });
        self.notes.insert(key, id);
        id
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
        let key = (Some(kind as u32), place, description.to_owned());
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

    /// The cases of an access, each with the location from which it is unconditional; what is no valid address goes nowhere, or is a
    /// violation if pointers are checked.
    fn access(
        &mut self,
        step: &Step,
        address: &Address,
        access: &Access,
        write: bool,
        inside: bool,
    ) -> Vec<(LocationId, Case)> {
        let map = &self.lowerer.unit.map;
        let cases =
            self.memory.cases(address, access, &mut self.program.variables, |offset| map.position(offset));
        let from = LocationId(step.from.0);
        let mut result = Vec::new();
        let mut none = Term::tru();
        let races = self.lowerer.options.race_check && !step.model && !access.atomic() && !inside;
        for case in cases {
            let condition = self.term(case.condition);
            if let Some(index) = case.index {
                self.term(index);
            }
            none = none.and(condition.not());
            let is_shared = self.program.variables[case.variable.index()].scope == Scope::Shared;
            let start = if condition.is_true() && !(races && is_shared) {
                from
            } else {
                let start = self.new_location(step.source);
                self.program.locations[start.index()].atomic = self.program.locations[from.index()].atomic;
                let origin = self.origin(step.source);
                self.edge(from, start, condition, Vec::new(), Vec::new(), origin);
                start
            };
            if races && is_shared {
                let position = self.position(step.source.span.0 as usize);
                let root = self.expanded.root_of[step.from.index()];
                self.races.push(super::races::RaceSite {
                    location: start,
                    variable: case.variable,
                    index: case.index,
                    write,
                    position,
                    root,
                });
            }
            result.push((start, case));
        }
        self.invalid(none, result.is_empty(), step);
        result
    }

    /// A dereference of something that is none of the known objects.
    fn invalid(&mut self, none: Term, no_case: bool, step: &Step) {
        if none.is_false() {
            return;
        }
        let origin = self.origin(step.source);
        if self.lowerer.options.pointer_check {
            let target = self.target(
                PropertyKind::Pointer,
                "the pointer is valid",
                step.source.function,
                step.source.span.0,
                step.source,
            );
            self.edge(LocationId(step.from.0), target, none, Vec::new(), Vec::new(), origin);
        } else if no_case {
            let message = "this pointer points to nothing that is known here";
            let target = self.target(
                PropertyKind::Limit,
                message,
                step.source.function,
                step.source.span.0,
                step.source,
            );
            self.edge(LocationId(step.from.0), target, none, Vec::new(), Vec::new(), origin);
        }
    }

    /// The value that an access reads.
    fn read(&mut self, case: &Case, access: &Access) -> Term {
        let mut value = self.term_of(case.variable);
        if let Some(index) = case.index {
            value = value.select(index);
        }
        match (value.sort(), access.sort()) {
            (Sort::Bool, _) => value,
            (_, Sort::Bool) => {
                let bits = value.extract((case.low + 7).min(value.width() - 1), case.low);
                bits.distinct(Term::bv(bits.width(), 0))
            }
            _ if value.width() == access.width => value,
            _ => value.extract(case.low + access.width - 1, case.low),
        }
    }

    /// The whole variable after an access has written.
    fn written(&mut self, case: &Case, access: &Access, value: Term) -> Term {
        let whole = self.term_of(case.variable);
        let old = case.index.map_or(whole, |index| whole.select(index));
        let new = match (old.sort(), access.sort()) {
            (Sort::Bool, _) => value,
            (_, Sort::Bool) => insert(old, super::operators::bits_of(value, 8), case.low),
            _ => insert(old, value, case.low),
        };
        match case.index {
            Some(index) => whole.store(index, new),
            None => new,
        }
    }

    fn broadcast(
        &mut self,
        step: &Step,
        address: &Address,
        access: &Access,
        value: Term,
        choices: &[Term],
        origin: Vec<Origin>,
    ) {
        let value = self.term(value);
        let value = self.symbolic(value);
        let map = &self.lowerer.unit.map;
        let cases =
            self.memory.cases(address, access, &mut self.program.variables, |offset| map.position(offset));
        let mut inputs = Vec::new();
        for choice in choices {
            if let Some(name) = choice.as_constant() {
                inputs.push(Input { name, sort: choice.sort() });
            }
        }
        for case in cases {
            let condition = self.term(case.condition);
            let variable = &self.program.variables[case.variable.index()];
            if variable.scope == Scope::Shared {
                let message = "a broadcast needs a thread-local variable";
                let target = self.target(
                    PropertyKind::Limit,
                    message,
                    step.source.function,
                    step.source.span.0,
                    step.source,
                );
                self.edge(LocationId(step.from.0), target, condition, Vec::new(), Vec::new(), origin.clone());
                continue;
            }
            let own = Term::constant(passive(variable.name), variable.data_type.sort());
            let old = case.index.map_or(own, |index| own.select(index));
            let mut before = FxHashMap::default();
            before.insert(Term::constant(Symbol::new(super::graph::OWN), old.sort()), old);
            let value = value.substitute(&before);
            let new = match case.index {
                Some(index) => own.store(index, value),
                None => value,
            };
            self.edge(
                LocationId(step.from.0),
                LocationId(step.to.0),
                condition,
                Vec::new(),
                Vec::new(),
                origin.clone(),
            );
            if let Some(edge) = self.program.edges.last_mut() {
                edge.broadcast = Broadcast { assign: vec![(case.variable, new)], inputs: inputs.clone() };
            }
        }
    }

    /// A local comes to life: all its scalars at once, since nobody can have its address yet.
    fn reset(&mut self, object: ObjectId, from: LocationId, to: LocationId, zero: bool, origin: Vec<Origin>) {
        let (mut assign, mut inputs, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (leaf, about) in self.memory.leaves(object).into_iter().enumerate() {
            let variable = self.leaf(object, leaf);
            let sort = self.program.variables[variable.index()].data_type.sort();
            if about.thread_local && self.memory.is_shared(object) {
                others.push((variable, Term::value(&Value::zero(sort))));
            }
            // What each thread has of its own starts with zero (figure 14).
            if zero || about.thread_local {
                assign.push((variable, Term::value(&Value::zero(sort))));
            } else {
                let input = self.input(sort);
                assign.push((variable, input.term()));
                inputs.push(input);
            }
        }
        self.edge(from, to, Term::tru(), assign, inputs, origin);
        if let Some(edge) = self.program.edges.last_mut() {
            edge.broadcast.assign = others;
        }
    }

    fn allocate(
        &mut self,
        site: &Site,
        register: RegisterId,
        zeroed: bool,
        fallible: bool,
        step: &Step,
        origin: Vec<Origin>,
    ) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let target = self.register(register);
        let slots = if let Storage::Heap(slots) = self.lowerer.objects[site.object.index()].storage {
            slots
        } else {
            1
        };
        let width = self.lowerer.pointer_width();
        let size = self.memory.slot_size(site.object);
        let mut all_used = Term::tru();
        for slot in 0..slots.max(1) {
            let address = self.memory.address(site.object).bv_add(Term::bv(width, u128::from(slot * size)));
            let mut assign = vec![(target, address)];
            let mut guard = Term::tru();
            if !site.once {
                let used = self.used(site.object);
                let whole = self.term_of(used);
                let at = Term::bv(32, u128::from(slot));
                let flag = if slots == 1 { whole } else { whole.select(at) };
                // Records of threads are taken in order; which address an allocation gets is any.
                guard = if fallible { all_used.and(flag.not()) } else { flag.not() };
                all_used = all_used.and(flag);
                assign.push((used, if slots == 1 { Term::tru() } else { whole.store(at, Term::tru()) }));
            } else {
                all_used = Term::fls();
            }
            let mut inputs = Vec::new();
            let others = self.fresh_contents(site.object, slot, slots, zeroed, &mut assign, &mut inputs);
            self.edge(from, to, guard, assign, inputs, origin.clone());
            if let Some(edge) = self.program.edges.last_mut() {
                edge.broadcast.assign = others;
            }
        }
        if all_used.is_false() {
            return;
        }
        if fallible {
            self.edge(from, to, all_used, vec![(target, Term::bv(width, 0))], Vec::new(), origin);
        } else {
            let message = format!(
                "more than {slots} objects of this allocation are in use at once; raise --objects-per-site"
            );
            let limit = self.target(
                PropertyKind::Limit,
                &message,
                step.source.function,
                step.source.span.0,
                step.source,
            );
            self.edge(from, limit, all_used, Vec::new(), Vec::new(), origin);
        }
    }

    /// What a new heap object holds.
    fn fresh_contents(
        &mut self,
        object: ObjectId,
        slot: u64,
        slots: u64,
        zeroed: bool,
        assign: &mut Vec<(VariableId, Term)>,
        inputs: &mut Vec<Input>,
    ) -> Vec<(VariableId, Term)> {
        let mut others = Vec::new();
        for (number, leaf) in self.memory.leaves(object).into_iter().enumerate() {
            let variable = self.leaf(object, number);
            let sort = self.program.variables[variable.index()].data_type.sort();
            let inner =
                leaf.dimensions.iter().try_fold(1u64, |n, (count, _)| n.checked_mul((*count)?)).unwrap_or(1);
            // What each thread has of its own starts with zero (figure 14).
            let zeroed = zeroed || leaf.thread_local;
            let everywhere = leaf.thread_local && self.memory.is_shared(object);
            if slots <= 1 {
                let new = self.fresh(sort, zeroed, inputs);
                assign.push((variable, new));
                if everywhere {
                    others.push((variable, new));
                }
                continue;
            }
            let mut whole = self.term_of(variable);
            let mut passive_whole = self.program.variables[variable.index()].passive_term();
            let Some(element) = sort.element() else { continue };
            for position in 0..inner.min(256) {
                let new = self.fresh(element, zeroed, inputs);
                let at = Term::bv(32, u128::from(slot * inner + position));
                whole = whole.store(at, new);
                passive_whole = passive_whole.store(at, new);
            }
            assign.push((variable, whole));
            if everywhere {
                others.push((variable, passive_whole));
            }
        }
        others
    }

    fn fresh(&mut self, sort: Sort, zeroed: bool, inputs: &mut Vec<Input>) -> Term {
        if zeroed {
            return Term::value(&Value::zero(sort));
        }
        let input = self.input(sort);
        inputs.push(input.clone());
        input.term()
    }

    fn free(&mut self, pointer: Term, step: &Step, origin: Vec<Origin>) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let width = self.lowerer.pointer_width();
        let value = self.term(pointer);
        let null = value.equals(Term::bv(width, 0));
        self.edge(from, to, null, Vec::new(), Vec::new(), origin.clone());
        let mut none = null.not();
        let targets: std::collections::BTreeSet<ObjectId> =
            self.memory.points_to.of_term(pointer).into_iter().map(|(object, _)| object).collect();
        for object in targets {
            let Storage::Heap(slots) = self.lowerer.objects[object.index()].storage else { continue };
            let once = self.sites.values().any(|s| s.object == object && s.once);
            for slot in 0..slots.max(1) {
                let size = self.memory.slot_size(object);
                let address = self.memory.address(object).bv_add(Term::bv(width, u128::from(slot * size)));
                let here = value.equals(address);
                none = none.and(here.not());
                let mut assign = Vec::new();
                if !once {
                    let used = self.used(object);
                    let whole = self.term_of(used);
                    let new = if slots == 1 {
                        Term::fls()
                    } else {
                        whole.store(Term::bv(32, u128::from(slot)), Term::fls())
                    };
                    assign.push((used, new));
                }
                self.edge(from, to, here, assign, Vec::new(), origin.clone());
            }
        }
        self.invalid(none, false, step);
    }

    /// Puts the arguments into the mailbox, once it is empty.
    fn spawn(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        record: Term,
        step: &Step,
        origin: Vec<Origin>,
    ) {
        let record = self.term(record);
        let mut terms = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Scalar(term, _) => terms.push(self.term(*term)),
                Argument::Aggregate(..) => {
                    let message = "a struct cannot be given to a new thread by value; give a pointer";
                    let limit = self.target(
                        PropertyKind::Limit,
                        message,
                        step.source.function,
                        step.source.span.0,
                        step.source,
                    );
                    self.edge(LocationId(step.from.0), limit, Term::tru(), Vec::new(), Vec::new(), origin);
                    return;
                }
            }
        }
        let Some(mailbox) = self.mailboxes.get(&function) else { return };
        let full = self.program.variables[mailbox.full.index()].term();
        let mut assign = vec![(mailbox.full, Term::tru()), (mailbox.record, record)];
        for (variable, term) in mailbox.arguments.iter().zip(terms) {
            let sort = self.program.variables[variable.index()].data_type.sort();
            let fitted = match (sort.width(), term.sort().width()) {
                (Some(width), Some(_)) => term.resize_unsigned(width),
                (Some(width), None) => super::operators::bits_of(term, width),
                (None, Some(width)) => term.distinct(Term::bv(width, 0)),
                (None, None) => term,
            };
            assign.push((*variable, fitted));
        }
        self.edge(LocationId(step.from.0), LocationId(step.to.0), full.not(), assign, Vec::new(), origin);
    }

    // Predicates

    /// Replaces the symbols of memory (`%object:offset`) by variables.
    fn symbolic(&mut self, term: Term) -> Term {
        let mut map = FxHashMap::default();
        for constant in term.constants() {
            let Some(name) = constant.as_constant() else { continue };
            let text = name.as_str();
            let (plain, is_passive) = match text.strip_suffix("@P") {
                Some(plain) => (plain, true),
                None => (text, false),
            };
            let variable = if let Some((object, offset)) =
                plain.strip_prefix('%').and_then(|p| p.split_once(':'))
            {
                let (Ok(object), Ok(offset)) = (object.parse::<u32>(), offset.parse::<u64>()) else {
                    continue;
                };
                let object = ObjectId(object);
                let Some(leaf) = self.memory.leaves(object).iter().position(|l| l.offset == offset) else {
                    continue;
                };
                self.leaf(object, leaf)
            } else if let Some(register) = self.register_names.get(&Symbol::new(plain)) {
                self.register(*register)
            } else {
                continue;
            };
            let about = &self.program.variables[variable.index()];
            let new = if is_passive { about.passive_term() } else { about.term() };
            if new.sort() == constant.sort() {
                map.insert(constant, new);
            }
        }
        term.substitute(&map)
    }

    fn predicates(&mut self) {
        for (term, offset) in &self.lowerer.predicates {
            let term = self.term(*term);
            let term = self.symbolic(term);
            let position = self.position(*offset);
            self.program.predicates.push(UserPredicate { term, position });
        }
    }
}

fn kind_name(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Assertion => "assertion",
        PropertyKind::ErrorFunction => "error",
        PropertyKind::ErrorLabel => "label",
        PropertyKind::Bounds => "bounds",
        PropertyKind::DivisionByZero => "division",
        PropertyKind::Mutex => "mutex",
        PropertyKind::SignedOverflow => "overflow",
        PropertyKind::Shift => "shift",
        PropertyKind::Pointer => "pointer",
        PropertyKind::DataRace => "race",
        PropertyKind::Limit => "limit",
    }
}

/// Which nodes are inside of an atomic section. Sections nest; control that comes with different depths counts as inside.
pub(crate) fn atomic_nodes(expanded: &Expanded) -> Vec<bool> {
    let mut depth: Vec<Option<u32>> = vec![None; expanded.nodes.len()];
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); expanded.nodes.len()];
    for (index, step) in expanded.steps.iter().enumerate() {
        from[step.from.index()].push(index);
    }
    let mut open: Vec<NodeId> = Vec::new();
    for root in &expanded.roots {
        depth[root.entry.index()] = Some(0);
        open.push(root.entry);
    }
    while let Some(node) = open.pop() {
        let here = depth[node.index()].unwrap_or(0);
        for &index in &from[node.index()] {
            let step = &expanded.steps[index];
            let next = match step.op {
                Op::AtomicBegin => here + 1,
                Op::AtomicEnd => here.saturating_sub(1),
                _ => here,
            };
            if depth[step.to.index()].is_none() {
                depth[step.to.index()] = Some(next);
                open.push(step.to);
            }
        }
    }
    depth.into_iter().map(|d| d.is_some_and(|d| d > 0)).collect()
}
