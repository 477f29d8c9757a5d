//! A run as C where the user's source cannot be driven: the steps of the reduced program, each in the function of its thread.
//!
//! Threads are told apart first: each has variables of its own for its locals, inputs are the values of the run, and a broadcast assigns the
//! locals of the others. What is left are guards and assignments, which the front end prints as C. The program checks each guard, and each new value
//! against the run; it says itself that it is made from the model.

use frontend::program::c::{self, CError};
use frontend::program::interpret::{self, Interpreter, State};
use frontend::program::trace::{Trace, TraceStep};
use frontend::program::{
    Broadcast, Edge, Location, LocationId, Position, Program, Property, Run, Scope, Variable, VariableId,
};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};
use std::fmt::Write as _;

const HEAD: &str = include_str!("model.c");

/// The C text, with the reason why it is not about the source.
pub(super) fn program(
    program: &Program,
    trace: &Trace<'_>,
    run: &Run,
    property: &Property,
    reason: &str,
) -> Result<String, CError> {
    let instance = Instance::new(program, trace, run);
    let blocks = c::blocks(&instance.program)?;
    let mut text = format!("/* Why this is not the source itself: {}. */\n", reason.replace("*/", "* /"));
    text.push_str(HEAD);
    text.push_str(&blocks.head);
    for thread in 0..trace.threads {
        let _ = writeln!(text, "\nstatic void *thread_{thread}(void *unused) {{");
        for (number, step) in trace.steps.iter().enumerate().filter(|(_, step)| step.thread == thread) {
            let _ = writeln!(
                text,
                "  begin({number}, {thread}, {});\n  {{",
                super::files::quoted(&shown(program, step))
            );
            for line in blocks.edges[2 * number].iter().chain(&blocks.edges[2 * number + 1]) {
                let _ = writeln!(text, "    {line}");
            }
            text.push_str("  }\n  end();\n");
        }
        text.push_str("  return 0;\n}\n");
    }
    let functions: Vec<String> = (0..trace.threads).map(|thread| format!("thread_{thread}")).collect();
    let _ = writeln!(
        text,
        "\nint main(void) {{\n  void *(*const functions[])(void *) = {{{}}};\n  return run(functions, {}, {}, {});\n}}",
        functions.join(", "),
        trace.threads,
        trace.steps.len(),
        super::files::quoted(&format!("{}: {}", property.name, program.describe(property, None))),
    );
    Ok(text)
}

fn shown(program: &Program, step: &TraceStep<'_>) -> String {
    let origins = step.edge.origin.iter().map(|origin| {
        let file = program.files.get(origin.position.file.index()).map_or("", String::as_str);
        let name = file.rsplit('/').next().unwrap_or(file);
        format!("{name}:{}: {}", origin.position.line, origin.text)
    });
    origins.collect::<Vec<_>>().join(" ")
}

/// The run as a program without locals, inputs and broadcasts: for each step an edge that does it, and one that checks what it did.
struct Instance {
    program: Program,
}

impl Instance {
    fn new(program: &Program, trace: &Trace<'_>, run: &Run) -> Instance {
        let (variables, copies) = variables(program, run);
        let mut edges = Vec::new();
        for (step, choice) in trace.steps.iter().zip(&run.steps) {
            let mut own = substitution(program, &copies, step.thread, None);
            for (input, value) in step.edge.inputs.iter().zip(&step.inputs) {
                own.insert(input.term(), Term::value(value));
            }
            let mut assign: Vec<(VariableId, Term)> = step
                .edge
                .assign
                .iter()
                .map(|(id, term)| (copies[&(*id, owner(program, *id, step.thread))], term.substitute(&own)))
                .collect();
            for other in (0..trace.threads).filter(|other| *other != step.thread) {
                let mut theirs = own.clone();
                theirs.extend(substitution(program, &copies, step.thread, Some(other)));
                let given = choice.passive_inputs.get(other).map_or(&[][..], Vec::as_slice);
                for (input, value) in step.edge.broadcast.inputs.iter().zip(given) {
                    theirs.insert(input.term(), Term::value(value));
                }
                let passive = step.edge.broadcast.assign.iter();
                assign.extend(
                    passive.map(|(id, term)| (copies[&(*id, Some(other))], term.substitute(&theirs))),
                );
            }
            edges.push(edge(step.edge.guard.substitute(&own), assign));
            edges.push(edge(check(program, &variables, &copies, step), Vec::new()));
        }
        let nowhere = Location {
            function: Symbol::new(""),
            position: Position::NONE,
            live: Vec::new(),
            atomic: false,
            may_end: Term::fls(),
        };
        let program = Program { variables, locations: vec![nowhere], edges, ..Program::empty() };
        Instance { program }
    }
}

/// Whose copy of a variable is meant.
fn owner(program: &Program, id: VariableId, thread: usize) -> Option<usize> {
    (program.variable(id).scope == Scope::Local).then_some(thread)
}

fn edge(guard: Term, assign: Vec<(VariableId, Term)>) -> Edge {
    Edge {
        from: LocationId(0),
        to: LocationId(0),
        guard,
        assign,
        inputs: Vec::new(),
        broadcast: Broadcast::default(),
        approximate: None,
        origin: Vec::new(),
    }
}

type Copies = FxHashMap<(VariableId, Option<usize>), VariableId>;

/// A variable for each shared one and for each thread's copy of a local, with the values at the start of the run.
fn variables(program: &Program, run: &Run) -> (Vec<Variable>, Copies) {
    let start: Option<(Interpreter<'_>, State)> = Interpreter::new(program, run.threads)
        .ok()
        .zip(interpret::replay(program, run).ok().and_then(|outcome| outcome.states.into_iter().next()));
    let (mut variables, mut copies) = (Vec::new(), Copies::default());
    for (index, variable) in program.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        let owners: Vec<Option<usize>> = match variable.scope {
            Scope::Shared => vec![None],
            Scope::Local => (0..run.threads).map(Some).collect(),
        };
        for owner in owners {
            let name = owner.map_or(variable.name, |thread| {
                Symbol::new(&format!("{} of thread {thread}", variable.name))
            });
            let init =
                start.as_ref().map(|(interpreter, state)| interpreter.value(state, owner.unwrap_or(0), id));
            copies.insert((id, owner), VariableId(variables.len() as u32));
            let init = init.or_else(|| variable.init.clone());
            variables.push(Variable {
                name,
                scope: Scope::Shared,
                init,
                identity: false,
                ..variable.clone()
            });
        }
    }
    (variables, copies)
}

/// What the terms of an edge mean: the active thread's own copies, or, with a passive thread, also that one's.
fn substitution(
    program: &Program,
    copies: &Copies,
    active: usize,
    passive: Option<usize>,
) -> FxHashMap<Term, Term> {
    let mut map = FxHashMap::default();
    for (index, variable) in
        program.variables.iter().enumerate().filter(|(_, variable)| variable.scope == Scope::Local)
    {
        let id = VariableId(index as u32);
        let name = |thread: usize| Symbol::new(&format!("{} of thread {thread}", variable.name));
        let sort = variable.data_type.sort();
        if copies.contains_key(&(id, Some(active))) {
            map.insert(variable.term(), Term::constant(name(active), sort));
        }
        if let Some(other) = passive {
            map.insert(variable.passive_term(), Term::constant(name(other), sort));
        }
    }
    map
}

/// That the step has written and changed what it does in the run; arrays are left out.
fn check(program: &Program, variables: &[Variable], copies: &Copies, step: &TraceStep<'_>) -> Term {
    let is_scalar = |id: VariableId| program.variable(id).data_type.sort().index().is_none();
    let written = step.accesses.iter().filter(|access| access.write);
    let written = written.map(|access| (access.variable, None, &access.value));
    let changed = step.changes.iter().map(|change| (change.variable, change.thread, &change.value));
    Term::and_all(written.chain(changed).filter(|(id, ..)| is_scalar(*id)).map(|(id, thread, value)| {
        let copy = copies[&(id, thread)];
        variables[copy.index()].term().equals(Term::value(value))
    }))
}
