//! What a step reads and writes of the memory that threads share, with values.
//!
//! A step is a guard and a parallel assignment; its accesses are found again by walking over these terms in the state before the step. The walk takes
//! only the branch of an `ite` that the state chooses, so that what is shown is what happened. An element of an array is an access of its own. A
//! value that is written over an equal one is an access, too: that is what a lost update looks like.

use super::{Choice, Run};
use crate::program::interpret::{Interpreter, State};
use crate::program::{DataType, Program, Scope, VariableId};
use rustc_hash::FxHashSet;
use smt::{Op, Symbol, Term, Value, eval};

/// A shared variable, or an element of one, that a step reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The variable.
    pub variable: VariableId,
    /// Which element, if it is an array.
    pub index: Option<Value>,
    /// Whether it is written; otherwise it is read.
    pub write: bool,
    /// The value that was read or written.
    pub value: Value,
    /// The value before the step.
    pub old: Value,
}

impl Access {
    /// The type of the value.
    pub fn data_type<'a>(&self, program: &'a Program) -> &'a DataType {
        match &program.variable(self.variable).data_type {
            DataType::Array { element, .. } if self.index.is_some() => element,
            data_type => data_type,
        }
    }
}

/// The accesses of a step: reads in the order of the terms, then writes. None of them occurs twice.
pub(super) fn accesses(
    interpreter: &Interpreter<'_>,
    choice: &Choice,
    before: &State,
    after: &State,
) -> Vec<Access> {
    let program = interpreter.program();
    let edge = program.edge(choice.edge);
    let mut walk = Walk::new(interpreter, choice, before, false);
    walk.reads(edge.guard);
    let mut writes = Vec::new();
    for &(variable, term) in &edge.assign {
        let elements = walk.stored(term);
        if program.variable(variable).scope != Scope::Shared {
            continue;
        }
        let value = interpreter.value(after, choice.thread, variable);
        let old = interpreter.value(before, choice.thread, variable);
        match (elements, &value) {
            (Some(indices), Value::Array(array)) => {
                writes.extend(indices.into_iter().filter_map(|index| {
                    let value = array.select(index.as_bits()?).clone();
                    let old = match &old {
                        Value::Array(old) => old.select(index.as_bits()?).clone(),
                        _ => old.clone(),
                    };
                    Some(Access { variable, index: Some(index), write: true, value, old })
                }));
            }
            _ => writes.push(Access { variable, index: None, write: true, value, old }),
        }
    }
    let mut found = walk.found;
    for write in writes {
        if !found.contains(&write) {
            found.push(write);
        }
    }
    found
}

/// What decides that a step is possible: the variables of its guard, shared or the active thread's, with their values. For a temporary of the
/// translation, those that it was computed from.
pub(super) fn condition(
    interpreter: &Interpreter<'_>,
    run: &Run,
    states: &[State],
    step: usize,
) -> Vec<Access> {
    let program = interpreter.program();
    let Some(choice) = run.steps.get(step) else { return Vec::new() };
    let mut open = vec![(step, program.edge(choice.edge).guard)];
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    while let Some((step, term)) = open.pop() {
        let mut walk = Walk::new(interpreter, &run.steps[step], &states[step], true);
        walk.reads(term);
        for access in walk.found {
            let is_temporary = program.variable(access.variable).name.as_str().contains('$');
            let sets = |earlier: &usize| {
                let earlier = &run.steps[*earlier];
                earlier.thread == choice.thread
                    && program.edge(earlier.edge).assigned(access.variable).is_some()
            };
            match (0..step).rev().find(sets).filter(|_| is_temporary) {
                Some(earlier) => {
                    let term = program.edge(run.steps[earlier].edge).assigned(access.variable);
                    let Some(term) = term.filter(|_| seen.insert((earlier, access.variable))) else {
                        continue;
                    };
                    match just_written(interpreter, &run.steps[earlier], &states[earlier], term) {
                        Some(written) => found.push(written),
                        None => open.push((earlier, term)),
                    }
                }
                None => found.push(access),
            }
        }
    }
    found
}

/// Steps that became one: what a temporary reads of a shared variable is what the same step writes to it.
fn just_written(
    interpreter: &Interpreter<'_>,
    choice: &Choice,
    before: &State,
    term: Term,
) -> Option<Access> {
    let program = interpreter.program();
    let mut assigned = program.edge(choice.edge).assign.iter();
    let is_shared = |id: VariableId| program.variable(id).scope == Scope::Shared;
    let (variable, _) = assigned.find(|(id, other)| *other == term && is_shared(*id))?;
    let value =
        Walk::new(interpreter, choice, before, true).value(term).filter(|_| term.as_constant().is_none())?;
    Some(Access { variable: *variable, index: None, write: false, value: value.clone(), old: value })
}

struct Walk<'a> {
    interpreter: &'a Interpreter<'a>,
    choice: &'a Choice,
    before: &'a State,
    /// Whether the active thread's own variables count, too.
    locals: bool,
    seen: FxHashSet<Term>,
    found: Vec<Access>,
}

impl<'a> Walk<'a> {
    fn new(
        interpreter: &'a Interpreter<'a>,
        choice: &'a Choice,
        before: &'a State,
        locals: bool,
    ) -> Walk<'a> {
        Walk { interpreter, choice, before, locals, seen: FxHashSet::default(), found: Vec::new() }
    }

    /// The value of a term before the step. None if the term has constants that the active thread does not have.
    fn value(&self, term: Term) -> Option<Value> {
        let edge = self.interpreter.program().edge(self.choice.edge);
        let value_of = |name: Symbol, _| match self.interpreter.named(name) {
            Some((variable, false)) => {
                Some(self.interpreter.value(self.before, self.choice.thread, variable))
            }
            Some((_, true)) => None,
            None => {
                let input = edge.inputs.iter().position(|input| input.name == name)?;
                self.choice.inputs.get(input).cloned()
            }
        };
        eval(term, &value_of).ok()
    }

    fn counted(&self, term: Term) -> Option<VariableId> {
        let (variable, _) = self.interpreter.named(term.as_constant()?)?;
        let is_shared = self.interpreter.program().variable(variable).scope == Scope::Shared;
        (self.locals || is_shared).then_some(variable)
    }

    /// Finds everything that the value of a term depends on.
    fn reads(&mut self, term: Term) {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            match (term.op(), term.args()) {
                (Op::Ite, &[condition, yes, no]) => {
                    let holds = self.value(condition).and_then(|value| value.as_bool()).unwrap_or(true);
                    open.extend([if holds { yes } else { no }, condition]);
                }
                (Op::And | Op::Or, parts) => open.extend(self.decisive(term, parts).iter().rev()),
                (Op::Select, &[array, index]) => {
                    open.push(index);
                    if let Some(at) = self.value(index) {
                        self.element(array, &at, &mut open);
                    }
                }
                (Op::Const(_), _) => self.whole(term),
                (_, arguments) => open.extend(arguments.iter().rev()),
            }
        }
    }

    /// As C evaluates: what stands behind the part that decides is not looked at.
    fn decisive(&self, term: Term, parts: &'static [Term]) -> &'static [Term] {
        let decides = matches!(term.op(), Op::Or);
        let first = parts
            .iter()
            .position(|part| self.value(*part).and_then(|value| value.as_bool()) == Some(decides));
        &parts[..first.map_or(parts.len(), |first| first + 1)]
    }

    /// Reads one element of an array: what the step itself has stored there, or the variable's.
    fn element(&mut self, mut array: Term, at: &Value, open: &mut Vec<Term>) {
        loop {
            match (array.op(), array.args()) {
                (Op::Store, &[inner, index, value]) => {
                    open.push(index);
                    if self.value(index).as_ref() == Some(at) {
                        open.push(value);
                        return;
                    }
                    array = inner;
                }
                (Op::Ite, &[condition, yes, no]) => {
                    open.push(condition);
                    let holds = self.value(condition).and_then(|value| value.as_bool()).unwrap_or(true);
                    array = if holds { yes } else { no };
                }
                (Op::Const(_), _) => {
                    if let (Some(variable), Some(Value::Array(values)), Some(bits)) =
                        (self.counted(array), self.value(array), at.as_bits())
                    {
                        let value = values.select(bits).clone();
                        self.add(variable, Some(at.clone()), value);
                    }
                    return;
                }
                (_, arguments) => {
                    open.extend(arguments);
                    return;
                }
            }
        }
    }

    fn whole(&mut self, term: Term) {
        if let (Some(variable), Some(value)) = (self.counted(term), self.value(term)) {
            self.add(variable, None, value);
        }
    }

    fn add(&mut self, variable: VariableId, index: Option<Value>, value: Value) {
        let old = value.clone();
        let access = Access { variable, index, write: false, value, old };
        if !self.found.contains(&access) {
            self.found.push(access);
        }
    }

    /// The elements that an assigned array stores, oldest first, while what they are computed from is read; none if it is no array with some
    /// elements stored.
    fn stored(&mut self, mut term: Term) -> Option<Vec<Value>> {
        let mut indices = Vec::new();
        let mut chain = false;
        loop {
            match (term.op(), term.args()) {
                (Op::Store, &[inner, index, value]) => {
                    chain = true;
                    self.reads(index);
                    self.reads(value);
                    indices.extend(self.value(index).filter(|index| !indices.contains(index)));
                    term = inner;
                }
                (Op::Ite, &[condition, yes, no]) if term.sort().index().is_some() => {
                    chain = true;
                    self.reads(condition);
                    let holds = self.value(condition).and_then(|value| value.as_bool()).unwrap_or(true);
                    term = if holds { yes } else { no };
                }
                (Op::Const(_), _) if chain => {
                    indices.reverse();
                    return Some(indices);
                }
                _ => {
                    self.reads(term);
                    return None;
                }
            }
        }
    }
}
