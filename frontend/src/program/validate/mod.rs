//! What every program satisfies before an engine may trust it: everything named exists, sorts fit, and each term mentions
//! only what section 2 of the thesis lets it see (section 3.4 for broadcasts).
//!
//! All flaws are reported, not only the first; each says where it is. A program without flaws cannot make the printers, the
//! interpreter or an engine stumble.

mod flaw;

use super::{
    Broadcast, DataType, Edge, EdgeId, Input, LocationId, NoteId, Position, Program, Property, RaceAccess,
    Scope, Target, Variable, VariableId, passive,
};
pub use flaw::{Flaw, Invalid, InvalidProgram, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term};
use std::collections::hash_map::Entry;

/// What is demanded beyond well-formedness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// No atomic locations: what engines get.
    pub strictly_asynchronous: bool,
}

/// All flaws of the program, in the order of its parts; none if it is well-formed.
pub fn validate(program: &Program, rules: Rules) -> Vec<Invalid> {
    let mut checker = Checker {
        program,
        variables: FxHashMap::default(),
        with_passive: FxHashMap::default(),
        flaws: Vec::new(),
    };
    checker.variables();
    checker.locations(rules);
    for (index, edge) in program.edges.iter().enumerate() {
        checker.edge(Place::Edge(EdgeId(index as u32)), edge);
    }
    checker.start();
    checker.properties();
    checker.tables();
    checker.flaws
}

/// As [`validate`], as a result.
pub fn check(program: &Program, rules: Rules) -> Result<(), InvalidProgram> {
    let flaws = validate(program, rules);
    if flaws.is_empty() { Ok(()) } else { Err(InvalidProgram(flaws)) }
}

/// What terms may see, by name.
type Scopes = FxHashMap<Symbol, Sort>;

struct Checker<'a> {
    program: &'a Program,
    /// Shared variables and the thread's own locals.
    variables: Scopes,
    /// The same and passive copies.
    with_passive: Scopes,
    flaws: Vec<Invalid>,
}

impl<'a> Checker<'a> {
    fn report(&mut self, place: Place, flaw: Flaw) {
        self.flaws.push(Invalid { place, flaw });
    }

    fn position(&mut self, place: Place, position: Position) {
        if position.is_some() && position.file.index() >= self.program.files.len() {
            self.report(place, Flaw::NoSuchFile(position.file.0));
        }
    }

    fn location(&mut self, place: Place, id: LocationId) {
        if id.index() >= self.program.locations.len() {
            self.report(place, Flaw::NoSuchLocation(id));
        }
    }

    fn variable(&mut self, place: Place, id: VariableId) -> Option<&'a Variable> {
        let program: &'a Program = self.program;
        let variable = program.variables.get(id.index());
        if variable.is_none() {
            self.report(place, Flaw::NoSuchVariable(id));
        }
        variable
    }

    fn variables(&mut self) {
        for (index, variable) in self.program.variables.iter().enumerate() {
            let place = Place::Variable(VariableId(index as u32));
            self.position(place, variable.position);
            self.data_type(place, &variable.data_type);
            self.name(place, variable.name);
            let sort = variable.data_type.sort();
            if let Some(init) = &variable.init {
                self.sort(place, "the initial value", sort, init.sort());
            }
            match self.variables.entry(variable.name) {
                Entry::Vacant(entry) => {
                    entry.insert(sort);
                }
                Entry::Occupied(_) => self.report(place, Flaw::NameTaken(variable.name.to_string())),
            }
        }
        self.with_passive = self.variables.clone();
        for (index, variable) in self.program.variables.iter().enumerate() {
            let copy = passive(variable.name);
            if variable.scope == Scope::Local
                && self.with_passive.insert(copy, variable.data_type.sort()).is_some()
                && self.variables.contains_key(&copy)
            {
                self.report(Place::Variable(VariableId(index as u32)), Flaw::NameTaken(copy.to_string()));
            }
        }
    }

    fn name(&mut self, place: Place, name: Symbol) {
        if name.as_str().is_empty() {
            self.report(place, Flaw::EmptyName);
        }
    }

    fn data_type(&mut self, place: Place, data_type: &DataType) {
        let scalar = |data_type: &DataType| match data_type {
            DataType::Bool => true,
            DataType::Int { width, .. } => *width > 0,
            DataType::Array { .. } => false,
        };
        match data_type {
            DataType::Array { index_width, length, element } => {
                if *index_width == 0 || !scalar(element) {
                    self.report(place, Flaw::BadType(data_type.clone()));
                } else if let Some(length) = *length
                    && *index_width < 64
                    && length > 1 << index_width
                {
                    self.report(place, Flaw::ArrayTooLong { index_width: *index_width, length });
                }
            }
            _ if scalar(data_type) => {}
            _ => self.report(place, Flaw::BadType(data_type.clone())),
        }
    }

    fn sort(&mut self, place: Place, what: &'static str, expected: Sort, found: Sort) {
        if expected != found {
            self.report(place, Flaw::WrongSort { what, expected, found });
        }
    }

    fn locations(&mut self, rules: Rules) {
        for (index, location) in self.program.locations.iter().enumerate() {
            let place = Place::Location(LocationId(index as u32));
            self.position(place, location.position);
            for &id in &location.live {
                self.local(place, id);
            }
            if !location.live.is_sorted_by(|a, b| a < b) {
                self.report(place, Flaw::LiveNotSorted);
            }
            if location.atomic && rules.strictly_asynchronous {
                self.report(place, Flaw::Atomic);
            }
        }
    }

    fn local(&mut self, place: Place, id: VariableId) {
        if let Some(variable) = self.variable(place, id)
            && variable.scope != Scope::Local
        {
            self.report(place, Flaw::NotLocal(variable.name));
        }
    }

    fn start(&mut self) {
        self.location(Place::Start, self.program.main);
        if let Some(pool) = self.program.pool {
            self.location(Place::Start, pool);
            if self.program.locations.get(pool.index()).is_some_and(|pool| pool.atomic) {
                self.report(Place::Start, Flaw::AtomicPool);
            }
        }
    }

    fn edge(&mut self, place: Place, edge: &Edge) {
        self.location(place, edge.from);
        self.location(place, edge.to);
        let inputs = self.inputs(place, &edge.inputs, &FxHashMap::default());
        self.sort(place, "the guard", Sort::Bool, edge.guard.sort());
        self.term(place, "the guard", edge.guard, false, &inputs);
        self.assignments(place, &edge.assign, false, &inputs);
        self.broadcast(place, &edge.broadcast, &inputs);
        if let Some(note) = edge.approximate
            && note.0 as usize >= self.program.notes.len()
        {
            self.report(place, Flaw::NoSuchNote(note));
        }
        for origin in &edge.origin {
            self.position(place, origin.position);
        }
    }

    /// The inputs by name, together with those given.
    fn inputs(&mut self, place: Place, inputs: &[Input], outer: &Scopes) -> Scopes {
        let mut all = outer.clone();
        for input in inputs {
            self.name(place, input.name);
            if !is_value_sort(input.sort) {
                self.report(place, Flaw::BadInputSort(input.sort));
            }
            let taken = all.insert(input.name, input.sort).is_some();
            if taken || self.with_passive.contains_key(&input.name) {
                self.report(place, Flaw::NameTaken(input.name.to_string()));
            }
        }
        all
    }

    fn term(&mut self, place: Place, what: &'static str, term: Term, with_passive: bool, inputs: &Scopes) {
        for constant in term.constants() {
            let Some(name) = constant.as_constant() else { continue };
            let scope = if with_passive { &self.with_passive } else { &self.variables };
            let seen = inputs.get(&name).or_else(|| scope.get(&name));
            if seen != Some(&constant.sort()) {
                self.report(place, Flaw::Unseen { what, name, sort: constant.sort() });
            }
        }
    }

    fn assignments(
        &mut self,
        place: Place,
        assign: &[(VariableId, Term)],
        with_passive: bool,
        inputs: &Scopes,
    ) {
        let what = if with_passive { "a broadcast value" } else { "an assigned value" };
        let mut assigned = FxHashSet::default();
        for &(id, term) in assign {
            if let Some(variable) = self.variable(place, id) {
                self.sort(place, what, variable.data_type.sort(), term.sort());
                if !assigned.insert(id) {
                    self.report(place, Flaw::AssignedTwice(variable.name));
                }
            }
            self.term(place, what, term, with_passive, inputs);
        }
    }

    fn broadcast(&mut self, place: Place, broadcast: &Broadcast, inputs: &Scopes) {
        let inputs = self.inputs(place, &broadcast.inputs, inputs);
        self.assignments(place, &broadcast.assign, true, &inputs);
        for &(id, _) in &broadcast.assign {
            if id.index() < self.program.variables.len() {
                self.local(place, id);
            }
        }
    }

    fn properties(&mut self) {
        let mut names = FxHashSet::default();
        for (index, property) in self.program.properties.iter().enumerate() {
            let place = Place::Property(index);
            if !names.insert(&property.name) {
                self.report(place, Flaw::NameTaken(property.name.clone()));
            }
            self.position(place, property.position);
            self.target(place, property);
        }
    }

    fn target(&mut self, place: Place, property: &Property) {
        match &property.target {
            Target::Location(location) => self.location(place, *location),
            Target::Race(first, second) => {
                self.access(place, first);
                self.access(place, second);
                if let (Some(first), Some(second)) = (first.index, second.index) {
                    self.sort(place, "the second index", first.sort(), second.sort());
                }
            }
        }
    }

    fn access(&mut self, place: Place, access: &RaceAccess) {
        self.location(place, access.location);
        if let Some(index) = access.index {
            if index.sort().width().is_none() {
                self.report(place, Flaw::BadIndex(index.sort()));
            }
            self.term(place, "an index", index, false, &FxHashMap::default());
        }
    }

    fn tables(&mut self) {
        for (index, note) in self.program.notes.iter().enumerate() {
            self.position(Place::Note(NoteId(index as u32)), note.position);
        }
        for (index, pair) in self.program.addresses.windows(2).enumerate() {
            if pair[0].address > pair[1].address {
                self.report(Place::Address(index + 1), Flaw::AddressesNotSorted);
            }
        }
        for (index, predicate) in self.program.predicates.iter().enumerate() {
            let place = Place::Predicate(index);
            self.position(place, predicate.position);
            self.sort(place, "the predicate", Sort::Bool, predicate.term.sort());
            self.term(place, "the predicate", predicate.term, true, &FxHashMap::default());
        }
    }
}

/// Whether variables and inputs can have this sort.
fn is_value_sort(sort: Sort) -> bool {
    let scalar = |sort: Sort| sort.is_bool() || sort.width().is_some_and(|width| width > 0);
    match (sort.index(), sort.element()) {
        (Some(index), Some(element)) => index.width().is_some_and(|width| width > 0) && scalar(element),
        _ => scalar(sort),
    }
}

#[cfg(test)]
mod tests;
