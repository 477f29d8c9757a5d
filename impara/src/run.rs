//! From a model of a path's formula to a run, which is replayed before anyone believes it.

use crate::explain::chosen;
use crate::system::{System, input, open_value, slot};
use crate::tree::{NodeId, Tree};
use frontend::program::interpret::replay;
use frontend::program::{Choice, InitialValue, Program, Run, Scope, VariableId};
use smt::{Model, SolverError, Term, Value};

/// The run along the path to a node.
pub(crate) fn of_model(system: &System<'_>, tree: &Tree, node: NodeId, model: &Model) -> Run {
    let program = system.program;
    // What the formula does not mention may have any value.
    let value = |term: Term| model.eval(term).unwrap_or_else(|_| Value::zero(term.sort()));
    let threads = tree.nodes[node].locations.len();
    let open = |variable: VariableId| program.variable(variable).init.is_none();
    let variables = (0..program.variables.len()).map(|index| VariableId(index as u32)).filter(|id| open(*id));
    let mut initial = Vec::new();
    for variable in variables.clone() {
        let thread = (program.variable(variable).scope == Scope::Local).then_some(0);
        initial.push(InitialValue { variable, thread, value: value(slot(program, variable, 0)) });
    }
    let mut steps = Vec::new();
    for (depth, id) in tree.path(0, node).into_iter().enumerate() {
        let here = &tree.nodes[id];
        let Some(step) = &here.step else { continue };
        let before = here.locations.len() - step.what.starts.len();
        let edges = std::iter::once(&step.what.edge).chain(&step.what.starts);
        for (number, &edge) in edges.enumerate() {
            let thread = if number == 0 { step.thread } else { before + number - 1 };
            let details = program.edge(edge);
            let inputs =
                details.inputs.iter().map(|choice| value(chosen(input(number, choice, None), depth)));
            let mut passive_inputs = Vec::new();
            if !details.broadcast.inputs.is_empty() {
                for other in 0..threads {
                    let own = details.broadcast.inputs.iter().filter(|_| other != thread);
                    passive_inputs.push(
                        own.map(|choice| value(chosen(input(number, choice, Some(other)), depth))).collect(),
                    );
                }
            }
            steps.push(Choice { thread, edge, inputs: inputs.collect(), passive_inputs });
            if number > 0 {
                for variable in variables.clone().filter(|id| program.variable(*id).scope == Scope::Local) {
                    let value = value(chosen(open_value(program, variable, thread), depth));
                    initial.push(InitialValue { variable, thread: Some(thread), value });
                }
            }
        }
    }
    Run { threads: if program.pool.is_some() { threads } else { 1 }, initial, steps }
}

/// A run that is not believed must be one nevertheless.
pub(crate) fn must_replay(program: &Program, name: &str, run: &Run) -> Result<(), SolverError> {
    let message = match replay(program, run) {
        Ok(outcome) if outcome.violated.contains_key(name) => return Ok(()),
        Ok(_) => format!("a run of the formula does not violate {name}"),
        Err(error) => format!("a run of the formula cannot be replayed: {error}"),
    };
    Err(SolverError::Protocol { solver: "impara".to_owned(), message })
}
