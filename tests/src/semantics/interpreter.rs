//! Our word on what a program computes: translated, then run step by step by the reference interpreter.
//!
//! A program with one thread that reads nothing from outside has one run. So in every state exactly one edge must be possible, no
//! property may be violated, and nothing may be approximated. What the program leaves open (variables without a value) is given
//! conspicuous values: they must not matter.

use super::{Failure, Kind};
use frontend::lower::Options;
use frontend::program::interpret::{Interpreter, State, StepError};
use frontend::program::{Choice, Effect, Program, PropertyKind, Target, VariableId};
use frontend::translate::translate_text;
use smt::{ArrayValue, Bits, Sort, Value};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many steps a program may take.
const MAX_STEPS: usize = 1_000_000;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// There is no way on.
    Done,
    /// The property of this kind and name is violated.
    Violated(PropertyKind, String),
}

/// Translates a program; a panic is a failure like others.
pub fn translate(text: &str, options: &Options) -> Result<Program, Failure> {
    let translation = guarded(|| translate_text("case.c", text, options, &[]))?;
    let program = match translation {
        Ok(translation) => translation.program,
        Err(diagnostics) => return Err(Failure::new(Kind::Refused, diagnostics.to_string())),
    };
    let inexact = program.notes.iter().find(|note| note.effect != Effect::Assumption);
    match inexact {
        Some(note) => {
            Err(Failure::new(Kind::Inexact, format!("line {}: {}", note.position.line, note.message)))
        }
        None => Ok(program),
    }
}

/// Runs something that must not panic.
pub fn guarded<T>(piece: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(piece)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
        Failure::new(Kind::Panic, text.unwrap_or_default())
    })
}

/// The values that the results have in the end.
pub fn results(program: &Program, count: usize) -> Result<Vec<u64>, Failure> {
    let (interpreter, state) = match guarded(|| run(program, true))?? {
        (interpreter, state, End::Done) => (interpreter, state),
        (_, _, End::Violated(kind, name)) => return Err(Failure::new(Kind::Violated(kind), name)),
    };
    let names: BTreeMap<&str, usize> = program
        .variables
        .iter()
        .enumerate()
        .map(|(index, variable)| (variable.name.as_str(), index))
        .collect();
    let mut results = Vec::new();
    for number in 0..count {
        // A variable that nothing uses is left out, and is zero.
        let value = names.get(format!("o{number}").as_str()).map(|&index| {
            let value = interpreter.value(&state, 0, VariableId(index as u32));
            value.as_bits().and_then(Bits::to_u128).unwrap_or_default() as u64
        });
        results.push(value.unwrap_or(0));
    }
    Ok(results)
}

/// Runs a program to its end. With `only`, it is a failure if there are several ways to go on.
pub fn run(program: &Program, only: bool) -> Result<(Interpreter<'_>, State, End), Failure> {
    let interpreter =
        Interpreter::new(program, 1).map_err(|error| Failure::new(Kind::Malformed, error.to_string()))?;
    let edges = program.edges_from();
    let targets: BTreeMap<_, _> = program
        .properties
        .iter()
        .filter_map(|property| match &property.target {
            Target::Location(location) => Some((*location, property)),
            Target::Race(..) => None,
        })
        .collect();
    let mut state =
        interpreter.initial_state(|variable, _| rubbish(program.variable(variable).data_type.sort()));
    for _ in 0..MAX_STEPS {
        let at = interpreter.location(&state, 0);
        if let Some(property) = targets.get(&at) {
            let end = End::Violated(property.kind, format!("{}: {}", property.name, property.description));
            return Ok((interpreter, state, end));
        }
        let place = || {
            let location = program.location(at);
            format!("in '{}', line {}", location.function, location.position.line)
        };
        let mut next = None;
        for &edge in &edges[at.index()] {
            let inputs = program.edge(edge).inputs.iter().map(|input| rubbish(input.sort)).collect();
            let choice = Choice { thread: 0, edge, inputs, passive_inputs: Vec::new() };
            match interpreter.step(&state, &choice) {
                Ok(_) if next.is_some() && only => return Err(Failure::new(Kind::Ambiguous, place())),
                Ok(after) => next = next.or(Some(after)),
                Err(StepError::Guard(_)) => {}
                Err(error) => return Err(Failure::new(Kind::Malformed, error.to_string())),
            }
        }
        match next {
            Some(after) => state = after,
            None if edges[at.index()].is_empty() => return Ok((interpreter, state, End::Done)),
            None => return Err(Failure::new(Kind::Blocked, place())),
        }
    }
    Err(Failure::new(Kind::Endless, format!("{MAX_STEPS} steps")))
}

/// A value that no program expects.
fn rubbish(sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(true),
        Sort::BitVec(width) => {
            let pattern = 0xa5b6_c7d8_e9fa_1b2c_3d4e_5f60_7182_93a5_u128;
            let mut bits = Bits::new(width.min(128), pattern);
            while bits.width() < width {
                bits = bits.concat(&Bits::new((width - bits.width()).min(128), pattern));
            }
            Value::Bits(bits)
        }
        Sort::Array(array) => Value::Array(ArrayValue::constant(array.index, rubbish(array.element))),
    }
}
