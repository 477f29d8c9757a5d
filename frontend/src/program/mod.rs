//! The strictly asynchronous program that all engines share: sections 2, 3.4 and 5.1 of the thesis.
//!
//! One thread starts in `main`; any number of threads wait in `pool`. In each step one thread, the active one, takes an edge
//! from its location: the guard holds, then the shared variables and its own locals are assigned in parallel, and it is in the
//! edge's target. What a step reads is the state before it. An edge may also assign locals of all other, passive, threads
//! (a broadcast, section 3.4). Expressions are terms of `smt`; a variable is the constant of its name.
//!
//! Deviation: instead of a set of variables to forget ("havoc") an edge has *inputs*, values that the step may choose freely. They may
//! occur in guard and assignments, so that choosing a value and testing it can be one step.
//!
//! This module imports none of its siblings: an engine needs nothing of C to work with programs.

pub mod c;
pub mod dot;
pub mod expression;
pub mod infix;
pub mod interpret;
pub mod json;
pub mod liveness;
pub mod locks;
pub mod meaning;
mod note;
pub mod position;
pub mod random;
pub mod text;
pub mod trace;
pub mod trust;
pub mod validate;
mod variable;

pub use note::{Assumption, Effect, Note, NoteId};
pub use position::{FileId, Position};
use smt::{Sort, Symbol, Term};
pub use trace::{Choice, InitialValue, Run};
pub use variable::{DataType, Scope, Variable, VariableId, passive};

/// The number of a location in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(pub u32);

/// The number of an edge in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

impl LocationId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value that a step chooses freely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name of its constant; unique in the edge, different from all variables and their passive copies.
    pub name: Symbol,
    /// Its sort.
    pub sort: Sort,
}

impl Input {
    /// The input as a term.
    pub fn term(&self) -> Term {
        Term::constant(self.name, self.sort)
    }

    /// An input that is the result of a function of which nothing else is known: its name says so, and passes all reductions.
    pub fn result(function: Symbol, number: u32, signed: bool, sort: Sort) -> Input {
        let sign = if signed { "i" } else { "u" };
        Input { name: Symbol::new(&format!("{function}?{sign}{number}")), sort }
    }

    /// The function whose result the input is, and whether that is signed.
    pub fn result_of(&self) -> Option<(&'static str, bool)> {
        let (function, rest) = self.name.as_str().split_once('?')?;
        (!function.is_empty()).then_some((function, rest.starts_with('i')))
    }
}

/// A place in a thread's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The function that it belongs to, as the user wrote it; empty for places that the translation made.
    pub function: Symbol,
    /// Where that is.
    pub position: Position,
    /// Locals whose values can still matter here, sorted; all others have no value that an engine needs to track.
    pub live: Vec<VariableId>,
    /// Inside an atomic section: while some thread is here, no other thread moves. Only between passes of the translation: the
    /// program that engines get has no such location, and is strictly asynchronous.
    pub atomic: bool,
    /// When a thread here may have ended, over its locals: what it did next was left out, because nothing depends on it.
    pub may_end: Term,
}

/// What other threads' copies of local variables become in a broadcast.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Broadcast {
    /// Local variables and their new values, over shared variables, the active thread's locals (both as they were
    /// before the step), the passive thread's own locals (`x@P`), the edge's inputs and `inputs`.
    pub assign: Vec<(VariableId, Term)>,
    /// Values that each passive thread chooses for itself.
    pub inputs: Vec<Input>,
}

impl Broadcast {
    /// Whether nothing happens to passive threads.
    pub fn is_empty(&self) -> bool {
        self.assign.is_empty()
    }
}

/// One atomic step of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where the thread is before.
    pub from: LocationId,
    /// Where it is afterwards.
    pub to: LocationId,
    /// When the step is possible, over variables and inputs.
    pub guard: Term,
    /// Parallel assignment; no variable twice; terms over variables (before the step) and inputs.
    pub assign: Vec<(VariableId, Term)>,
    /// Freely chosen values.
    pub inputs: Vec<Input>,
    /// What happens to passive threads.
    pub broadcast: Broadcast,
    /// The note that says why this step does more than the real program can do, if so: a run through it is no real run.
    pub approximate: Option<NoteId>,
    /// The source places that were merged into this step, in order, with the text of the statements.
    pub origin: Vec<Origin>,
}

impl Edge {
    /// What the step assigns to a variable, if it does.
    pub fn assigned(&self, variable: VariableId) -> Option<Term> {
        self.assign.iter().find(|(id, _)| *id == variable).map(|(_, term)| *term)
    }
}

/// A piece of source in an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Where it stands.
    pub position: Position,
    /// The function it belongs to.
    pub function: Symbol,
    /// What it does, in short, as written.
    pub text: Symbol,
}

/// What a property is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyKind {
    /// `assert` and its relatives.
    Assertion,
    /// A call of an error function.
    ErrorFunction,
    /// A label declared to be an error.
    ErrorLabel,
    /// An index outside its array.
    Bounds,
    /// A division by zero.
    DivisionByZero,
    /// Misuse of a mutex.
    Mutex,
    /// A signed result that does not fit.
    SignedOverflow,
    /// A shift by a negative or too large amount.
    Shift,
    /// A pointer that points to nothing.
    Pointer,
    /// A `free` of what was not allocated, or was freed before.
    Free,
    /// Memory that is not freed when the program ends.
    Leak,
    /// Two conflicting accesses at once.
    DataRace,
    /// No thread can move, and one of them waits.
    Deadlock,
    /// Not an error of the program but the end of what is modelled (recursion, objects of an allocation site):
    /// a program is safe only if this is not reachable either, and reaching it means "unknown".
    Limit,
}

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Stable name for `--property`, such as `main.assertion.1`.
    pub name: String,
    /// What it is about.
    pub kind: PropertyKind,
    /// In words.
    pub description: String,
    /// Where in the source.
    pub position: Position,
    /// What must not be reachable.
    pub target: Target,
}

/// What a property forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Some thread at the location.
    Location(LocationId),
    /// Two different threads, one about to do the first access, the other the second, to the same element.
    Race(RaceAccess, RaceAccess),
}

/// A thread about to access a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceAccess {
    /// Where the thread is just before.
    pub location: LocationId,
    /// Which element of an array, over variables as the thread sees them.
    pub index: Option<Term>,
    /// Whether it writes.
    pub write: bool,
}

/// A number that the user knows by a name: the address of an object or function, an enumerator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAddress {
    /// `&x`, `f`.
    pub name: Symbol,
    /// The first byte's number.
    pub address: u64,
    /// How many bytes.
    pub size: u64,
}

/// A predicate that the user gave in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPredicate {
    /// Over variables and passive copies.
    pub term: Term,
    /// Where it was given.
    pub position: Position,
}

/// A program for any number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Names of source files; a `FileId` is an index.
    pub files: Vec<String>,
    /// All variables; a `VariableId` is an index.
    pub variables: Vec<Variable>,
    /// All locations; a `LocationId` is an index.
    pub locations: Vec<Location>,
    /// All edges; an `EdgeId` is an index.
    pub edges: Vec<Edge>,
    /// Where the one initial thread starts.
    pub main: LocationId,
    /// Where any number of other threads wait, if threads are ever created.
    pub pool: Option<LocationId>,
    /// What must not happen.
    pub properties: Vec<Property>,
    /// What is not exact.
    pub notes: Vec<Note>,
    /// Addresses, for printing values of pointers; sorted by address.
    pub addresses: Vec<NamedAddress>,
    /// Predicates for engines that want them.
    pub predicates: Vec<UserPredicate>,
}

impl Program {
    /// A program without anything in it yet. Its first location is to be the initial one.
    pub fn empty() -> Program {
        Program {
            files: Vec::new(),
            variables: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            main: LocationId(0),
            pool: None,
            properties: Vec::new(),
            notes: Vec::new(),
            addresses: Vec::new(),
            predicates: Vec::new(),
        }
    }

    /// The variable with this number.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The location with this number.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// The edge with this number.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// What goes wrong if the property is violated. A race names both places, and the threads if they are given.
    pub fn describe(&self, property: &Property, threads: Option<(usize, usize)>) -> String {
        let description = &property.description;
        let Target::Race(first, second) = &property.target else { return description.clone() };
        let place = |access: &RaceAccess| {
            let place = trace::text::place(self, self.location(access.location).position);
            place.map_or_else(String::new, |place| format!(" at {place}"))
        };
        match threads {
            Some((one, other)) => {
                let does = |access: &RaceAccess| if access.write { "writes" } else { "reads" };
                let (first_does, second_does) = (does(first), does(second));
                let (here, there) = (place(first), place(second));
                format!(
                    "{description}: thread {one} {first_does} it{here}, thread {other} {second_does} it{there}"
                )
            }
            None if first == second => format!("{description}: written by two threads{}", place(first)),
            None => {
                let done = |access: &RaceAccess| if access.write { "written" } else { "read" };
                let (here, there) = (place(first), place(second));
                format!("{description}: {}{here}, {}{there}", done(first), done(second))
            }
        }
    }

    /// By location: does a property ask about it?
    pub fn targets(&self) -> Vec<bool> {
        let mut targets = self.errors();
        for property in &self.properties {
            if let Target::Race(first, second) = &property.target {
                targets[first.location.index()] = true;
                targets[second.location.index()] = true;
            }
        }
        targets
    }

    /// By location: is a property violated as soon as a thread is there?
    pub fn errors(&self) -> Vec<bool> {
        let mut errors = vec![false; self.locations.len()];
        for property in &self.properties {
            if let Target::Location(location) = property.target {
                errors[location.index()] = true;
            }
        }
        errors
    }

    /// By location: whether control can get there from one of the others, whatever guards say.
    pub fn reachable(&self, starts: impl IntoIterator<Item = LocationId>) -> Vec<bool> {
        let edges_from = self.edges_from();
        let mut reached = vec![false; self.locations.len()];
        let mut open: Vec<LocationId> = starts.into_iter().collect();
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut reached[location.index()], true) {
                open.extend(edges_from[location.index()].iter().map(|&edge| self.edge(edge).to));
            }
        }
        reached
    }

    /// All edges by the location that they leave.
    pub fn edges_from(&self) -> Vec<Vec<EdgeId>> {
        let mut from = vec![Vec::new(); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            from[edge.from.index()].push(EdgeId(index as u32));
        }
        from
    }
}
