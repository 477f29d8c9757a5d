//! Sections that stay several steps: a shared token says that a thread is in one of them.
//!
//! Steps into a section require that nobody has the token and take it; steps out of it give it back. All other steps
//! outside require that nobody has it, unless they are invisible (see [`crate::reduce::visible`]).
//!
//! Why the same states can be reached. Every run of the program with atomic sections is one of the program with the
//! token. Conversely take a run of the latter. While a thread is in a section, others make invisible steps only. These
//! commute with all its steps, so they can be done before it entered; then nobody else moves while it is in the
//! section, as it should be. The order of steps changes, the state at the end does not, and that is what properties are
//! about.
//!
//! If the initial thread starts in a section there is no "before it entered". Then the token is taken at the start, and
//! all steps of others need it to be free.

use crate::program::{DataType, Position, Program, Scope, Variable, VariableId};
use crate::reduce::inputs::Names;
use crate::reduce::symbols::Symbols;
use crate::reduce::visible::{Side, Visibility};
use smt::{Symbol, Term, Value};

/// Lets threads hold a token in these locations, which are not marked as atomic any more.
pub(super) fn hold(program: &mut Program, held: &[bool]) {
    let symbols = Symbols::new(program);
    let visibility = Visibility::new(program, &symbols);
    let starts_inside = held[program.main.index()];
    let token = Variable {
        name: name(program, &symbols),
        scope: Scope::Shared,
        data_type: DataType::Bool,
        init: Some(Value::Bool(starts_inside)),
        identity: false,
        position: Position::NONE,
    };
    let id = VariableId(program.variables.len() as u32);
    let is_free = token.term().not();
    for edge in &mut program.edges {
        let (from, to) = (held[edge.from.index()], held[edge.to.index()]);
        if !from && (to || starts_inside || !visibility.access(&symbols, edge, Side::Neither).is_invisible())
        {
            edge.guard = is_free.and(edge.guard);
        }
        if from != to {
            edge.assign.push((id, Term::bool(to)));
        }
    }
    program.variables.push(token);
}

/// `atomic.token`, or something like it that is not in use.
fn name(program: &Program, symbols: &Symbols) -> Symbol {
    let mut names = Names::of_variables(program, symbols);
    for edge in &program.edges {
        for input in edge.inputs.iter().chain(&edge.broadcast.inputs) {
            names.fresh(input.name);
        }
    }
    names.fresh(Symbol::new("atomic.token"))
}
