//! What each step of the reduced run says about the steps of the translated program that it stands for.

use frontend::program::interpret::{Interpreter, State};
use frontend::program::trace::{Access, Trace};
use frontend::program::{Edge, FileId, InitialValue, Origin, Program, Run, Scope, VariableId};
use smt::{Bits, Sort, Symbol, Term, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Functions that give back what other threads may wait for.
const RELEASES: [&str; 8] =
    ["unlock", "release", "exit", "signal", "broadcast", "post", "thread_finish", "store"];

/// What a reduced step does to a variable that the translated program has, too.
pub(super) struct Needed {
    pub(super) variable: VariableId,
    index: Option<Bits>,
    pub(super) write: bool,
    value: Value,
}

impl Needed {
    /// Whether the variable has the value of the run.
    pub(super) fn agrees(&self, interpreter: &Interpreter<'_>, state: &State) -> bool {
        match (&self.index, interpreter.value(state, 0, self.variable)) {
            (Some(index), Value::Array(array)) => *array.select(index) == self.value,
            (None, value) => value == self.value,
            _ => false,
        }
    }
}

/// A step of the reduced run.
pub(super) struct Part {
    pub(super) thread: usize,
    pub(super) needed: Vec<Needed>,
    /// What it reads and writes.
    pub(super) about: Touched,
    pub(super) inputs: Vec<Value>,
    /// Where its thread may be meanwhile: in its own lines, and in those of its steps before and after.
    pub(super) lines: HashSet<Line>,
}

/// A line of the source, in a function.
pub(super) type Line = (FileId, u32, Symbol);

/// The line of a piece of source.
pub(super) fn line(origin: &Origin) -> Line {
    (origin.position.file, origin.position.line, origin.function)
}

impl Part {
    /// Inputs that are not taken yet.
    pub(super) fn left(&self, done: &[bool]) -> Vec<Value> {
        let inputs = self.inputs.iter().zip(done.iter().skip(self.needed.len()));
        inputs.filter(|(_, taken)| !**taken).map(|(value, _)| value.clone()).collect()
    }
}

/// What an edge of the translated program touches of shared memory.
#[derive(Default)]
pub(super) struct Touched {
    /// What it reads.
    pub(super) reads: BTreeSet<VariableId>,
    /// What it writes.
    pub(super) writes: BTreeSet<VariableId>,
    /// Whether others may wait for it.
    pub(super) releases: bool,
}

impl Touched {
    /// Whether no other thread notices it.
    pub(super) fn is_local(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }
}

fn by_name(program: &Program) -> HashMap<Symbol, VariableId> {
    let variables = program.variables.iter().enumerate();
    variables.map(|(index, variable)| (variable.name, VariableId(index as u32))).collect()
}

/// The first values of the reduced run that the translated program leaves open, too.
pub(super) fn initial(translated: &Program, reduced: &Program, given: &[InitialValue]) -> Vec<InitialValue> {
    let names = by_name(translated);
    let same = |value: &InitialValue| {
        let id = *names.get(&reduced.variable(value.variable).name)?;
        let variable = translated.variable(id);
        let fits = variable.init.is_none()
            && value.value.has_sort(variable.data_type.sort())
            && (variable.scope == Scope::Local) == value.thread.is_some();
        fits.then(|| InitialValue { variable: id, ..value.clone() })
    };
    given.iter().filter_map(same).collect()
}

/// The steps of the run; before them whatever the initial thread does alone, which reductions make part of the initial values, its inputs included.
pub(super) fn parts(translated: &Program, reduced: &Program, trace: &Trace<'_>, run: &Run) -> Vec<Part> {
    let names = by_name(translated);
    let needed = |access: &Access| needed(translated, reduced, &names, access);
    let first_values = run.initial.iter().filter(|initial| initial.thread.is_none_or(|thread| thread == 0));
    let inputs = first_values.map(|initial| initial.value.clone()).collect();
    let (about, lines) = (Touched::default(), HashSet::new());
    let first = Part { thread: 0, needed: Vec::new(), about, inputs, lines };
    let steps = trace.steps.iter().map(|step| {
        let all = step.accesses.iter().filter_map(|access| Some((access, needed(access)?)));
        let (mut about, mut required) = (Touched::default(), Vec::new());
        for (access, needed) in all {
            let kind = if access.write { &mut about.writes } else { &mut about.reads };
            kind.insert(needed.variable);
            if is_required(reduced, access) {
                required.push(needed);
            }
        }
        let (inputs, lines) = (step.inputs.clone(), step.edge.origin.iter().map(line).collect());
        Part { thread: step.thread, needed: required, about, inputs, lines }
    });
    let mut parts: Vec<Part> = std::iter::once(first).chain(steps).collect();
    let own: Vec<HashSet<Line>> = parts.iter().map(|part| part.lines.clone()).collect();
    for number in 0..parts.len() {
        let thread = parts[number].thread;
        let before = (0..number).rev().find(|other| parts[*other].thread == thread);
        let after = (number + 1..parts.len()).find(|other| parts[*other].thread == thread);
        parts[number].lines.extend(before.into_iter().chain(after).flat_map(|other| &own[other]));
    }
    parts
}

/// Of the records of threads, steps for several threads at once look at all and write back what those had that are not meant.
fn is_required(reduced: &Program, access: &Access) -> bool {
    let is_record = reduced.variable(access.variable).name.as_str().starts_with("thread:");
    !is_record || (access.write && access.value != access.old)
}

/// All lines that the reduced program still has: a thread is in another one only if reductions left it out.
pub(super) fn lines(reduced: &Program) -> HashSet<Line> {
    reduced.edges.iter().flat_map(|edge| &edge.origin).map(line).collect()
}

/// What an access of the reduced program is in the translated one, where the elements of an array are no variables of their own.
fn needed(
    translated: &Program,
    reduced: &Program,
    names: &HashMap<Symbol, VariableId>,
    access: &Access,
) -> Option<Needed> {
    let known = reduced.variable(access.variable);
    let index = match &access.index {
        Some(index) => Some(index.as_bits()?.clone()),
        None => None,
    };
    let whole = known.data_type.sort();
    let (variable, index, sort) = match names.get(&known.name) {
        Some(variable) => (*variable, index, whole),
        None => {
            let (array, element) = known.name.as_str().strip_suffix(']')?.rsplit_once('[')?;
            let variable = *names.get(&Symbol::new(array))?;
            let Sort::Array(sort) = translated.variable(variable).data_type.sort() else { return None };
            let Sort::BitVec(width) = sort.index else { return None };
            let element = Bits::new(width, element.parse().ok()?);
            (variable, Some(element), Sort::Array(sort))
        }
    };
    let declared = translated.variable(variable);
    let same = declared.scope == Scope::Shared && declared.data_type.sort() == sort;
    same.then(|| Needed { variable, index, write: access.write, value: access.value.clone() })
}

/// What each edge touches.
pub(super) fn touched(program: &Program) -> Vec<Touched> {
    let names = by_name(program);
    // Locals that others change by a broadcast are not only the thread's own.
    let broadcast: HashSet<VariableId> =
        program.edges.iter().flat_map(|edge| &edge.broadcast.assign).map(|(id, _)| *id).collect();
    let shared = |id: &VariableId| program.variable(*id).scope == Scope::Shared || broadcast.contains(id);
    let of_edge = |edge: &Edge| {
        let passive = edge.broadcast.assign.iter().map(|(_, term)| *term);
        let terms = edge.assign.iter().map(|(_, term)| *term).chain([edge.guard]).chain(passive);
        let constants = terms.flat_map(Term::constants).filter_map(Term::as_constant);
        let reads = constants.filter_map(|name| names.get(&name).copied()).filter(shared).collect();
        let writes = edge.assign.iter().map(|(id, _)| *id).filter(shared).collect();
        let text = edge.origin.last().map_or("", |origin| origin.text.as_str());
        let releases = RELEASES.iter().any(|release| text.contains(release));
        Touched { reads, writes, releases }
    };
    program.edges.iter().map(of_edge).collect()
}
