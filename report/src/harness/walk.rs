//! The steps of one thread as turns: which belong to a call of the library, and when it takes effect.

use super::library;
use super::names::Names;
use super::schedule::{FREE, Given, Kind, Schedule, Turn, Unseen};
use frontend::program::trace::{Trace, TraceStep};
use frontend::program::{Origin, Program, VariableId};
use smt::Value;
use std::collections::BTreeMap;

/// How a thread is created without a function of the library.
const ASYNC: &str = "__CPROVER_ASYNC";
/// What a thread that waits for ever changes; see the model of deadlocks.
const STUCK: &str = "library.stuck";

/// How the steps of a thread end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It does no more in this run; a call that it is in has not come to its end.
    Rests,
    /// A call that it is in has taken effect.
    IsOver,
    /// It does what must not happen, in a call that takes effect or instead of it.
    Fails {
        /// The call takes effect.
        in_call: bool,
    },
    /// It has ended, or waits for ever.
    Waits,
}

/// A call while its steps are looked at.
struct Call {
    function: String,
    parameter: VariableId,
    origin: Option<Origin>,
    /// Steps that touch what others can see.
    touching: Vec<usize>,
    first: usize,
    result: i64,
    child: Option<usize>,
    is_done: bool,
    /// It waits for ever.
    is_stuck: bool,
}

/// The steps of one thread, one after the other.
pub(super) struct Walk<'a, 'b> {
    names: &'a Names<'a>,
    trace: &'a Trace<'b>,
    thread: usize,
    /// Whether it takes a turn to give memory back.
    frees: bool,
    /// What was found.
    pub(super) turns: Vec<Turn>,
    /// Calls in which the library calls the user's function: what comes behind it still belongs to the call.
    outer: Vec<(Option<Origin>, String)>,
    /// What functions of the library have returned last.
    results: BTreeMap<VariableId, i64>,
    schedule: &'a mut Schedule,
}

impl<'a, 'b> Walk<'a, 'b> {
    /// At the begin of a thread.
    pub(super) fn new(
        names: &'a Names<'a>,
        trace: &'a Trace<'b>,
        thread: usize,
        frees: bool,
        schedule: &'a mut Schedule,
    ) -> Walk<'a, 'b> {
        let (turns, outer, results) = (Vec::new(), Vec::new(), BTreeMap::new());
        Walk { names, trace, thread, frees, turns, outer, results, schedule }
    }

    /// All its steps.
    pub(super) fn thread(&mut self, own: &[(usize, &TraceStep<'_>)], ending: Ending) {
        if let Some((index, step)) = own.first() {
            let function = step.edge.origin.first().map_or("", |origin| origin.function.as_str());
            self.push(
                if self.thread == 0 { 0 } else { *index },
                Kind::Start,
                vec![function.to_owned()],
                step,
            );
        }
        let mut call: Option<Call> = None;
        let mut position = if self.thread == 0 { 0 } else { 1 };
        while let Some((index, step)) = own.get(position) {
            if let Some((function, parameter)) = self.names.called(step) {
                let origin = step.edge.origin.last().copied();
                let is_new = call.as_ref().is_none_or(|call| {
                    call.is_done
                        || call.origin.map(|origin| origin.position) != origin.map(|origin| origin.position)
                        || call.parameter == parameter
                });
                if is_new && !self.is_inside(step, &function) {
                    self.end(call.take(), true);
                    let (touching, result, child) = (Vec::new(), 0, None);
                    call = Some(Call {
                        function,
                        parameter,
                        origin,
                        touching,
                        first: *index,
                        result,
                        child,
                        is_done: false,
                        is_stuck: false,
                    });
                }
            }
            let length = section(self.names.program, &own[position..]);
            let group = &own[position..position + length];
            let in_call = |step: &TraceStep<'_>| {
                call.as_ref()
                    .is_some_and(|call| !call.is_done && call.origin == step.edge.origin.last().copied())
            };
            let is_library = |step: &TraceStep<'_>| self.names.in_library(step) || self.is_inside(step, "");
            if group.iter().any(|(_, step)| in_call(step) || is_library(step)) {
                match &mut call {
                    Some(call) => self.library(call, group),
                    None => self.outside(group),
                }
            } else {
                self.end(call.take(), true);
                self.user(group);
            }
            position += length;
        }
        self.last(call, own, ending);
    }

    /// What a thread is in at its end.
    fn last(&mut self, call: Option<Call>, own: &[(usize, &TraceStep<'_>)], ending: Ending) {
        match ending {
            Ending::IsOver | Ending::Fails { in_call: true } => self.end(call, true),
            Ending::Rests | Ending::Waits | Ending::Fails { .. } => {
                let is_done = call.as_ref().is_some_and(|call| call.is_done);
                self.end(call, is_done);
            }
        }
        if let (Ending::Fails { .. }, Some((index, step))) = (ending, own.last()) {
            self.push(*index, Kind::Fail, Vec::new(), step);
        }
    }

    /// Whether the step is part of a call in which the library has called the user's function, and no new call of it.
    fn is_inside(&self, step: &TraceStep<'_>, function: &str) -> bool {
        let origin = step.edge.origin.last().copied();
        self.outer.iter().any(|(outer, caller)| *outer == origin && caller != function)
    }

    fn push(&mut self, index: usize, kind: Kind, names: Vec<String>, step: &TraceStep<'_>) {
        let origin = step.edge.origin.last().copied();
        let (thread, child, result) = (self.thread, None, 0);
        self.turns.push(Turn { step: index, thread, kind, names, child, result, origin });
    }

    /// Steps of a model.
    fn library(&mut self, call: &mut Call, group: &[(usize, &TraceStep<'_>)]) {
        for (index, step) in group {
            self.chosen(*index, step, Some(call));
            if !step.accesses.is_empty() {
                call.touching.push(*index);
            }
            for (id, _) in &step.edge.assign {
                let name = self.names.variable(*id);
                call.is_stuck |= name == STUCK;
                if name.strip_suffix("::return") == Some(&call.function) {
                    call.is_done = true;
                    call.result = self.returned(*id, step);
                }
                if let Some(function) = name.strip_prefix("spawn.")
                    && !function.contains('.')
                {
                    call.child = self.child(*index, *id);
                    if !library::creates(&call.function) {
                        self.schedule.foreign.insert(ASYNC.to_owned());
                    }
                }
            }
        }
    }

    /// The value that a step returns; it may be the same as the last time.
    fn returned(&mut self, id: VariableId, step: &TraceStep<'_>) -> i64 {
        let last = self
            .results
            .entry(id)
            .or_insert_with(|| self.names.program.variable(id).init.as_ref().map_or(0, number));
        if let Some(change) = step.changes.iter().find(|change| change.variable == id) {
            *last = number(&change.value);
        }
        *last
    }

    /// Steps of a model that no function was called for.
    fn outside(&mut self, group: &[(usize, &TraceStep<'_>)]) {
        for (index, step) in group {
            self.chosen(*index, step, None);
            let mut assigned = step.edge.assign.iter().map(|(id, _)| self.names.variable(*id));
            if assigned.any(|name| name.starts_with("spawn.")) {
                self.schedule.foreign.insert(ASYNC.to_owned());
            }
        }
    }

    /// The thread that takes up what the step created.
    fn child(&self, created: usize, flag: VariableId) -> Option<usize> {
        let takes = |step: &&TraceStep<'_>| step.edge.assign.iter().any(|(id, _)| *id == flag);
        self.trace.steps[created + 1..].iter().find(takes).map(|step| step.thread)
    }

    fn end(&mut self, call: Option<Call>, is_over: bool) {
        let Some(call) = call else { return };
        let Some(role) = library::role(&call.function) else {
            self.schedule.foreign.insert(call.function);
            return;
        };
        if library::calls_back(&call.function) {
            self.outer.push((call.origin, call.function.clone()));
        }
        let turn = |step, kind| Turn {
            step,
            thread: self.thread,
            kind,
            names: vec![call.function.clone()],
            child: call.child,
            result: call.result,
            origin: call.origin,
        };
        let first = call.touching.first().copied().unwrap_or(call.first);
        let last = call.touching.last().copied().unwrap_or(call.first);
        if call.is_stuck {
            if role == library::Role::Waits {
                self.turns.push(turn(first, Kind::Call));
            }
            return self.turns.push(turn(last, Kind::Stuck));
        }
        match role {
            // What a function returns that is an input is given where it is chosen.
            library::Role::Passes | library::Role::Input => {}
            library::Role::First if is_over => self.turns.push(turn(first, Kind::Call)),
            library::Role::Once if is_over => self.turns.push(turn(last, Kind::Call)),
            library::Role::First | library::Role::Once => {}
            library::Role::Waits => {
                self.turns.push(turn(first, Kind::Call));
                if is_over {
                    self.turns.push(turn(last, Kind::Awake));
                }
            }
        }
    }

    /// Steps of the user's own code, one or an atomic section.
    fn user(&mut self, group: &[(usize, &TraceStep<'_>)]) {
        let mut touched = group.iter().flat_map(|(_, step)| &step.accesses).map(|access| access.variable);
        if touched.any(|id| self.names.is_use(id)) {
            // Memory is allocated or given back, which nobody else notices; what is in it at first is not known.
            for (index, step) in group {
                self.schedule.open.extend((0..step.inputs.len()).map(|input| (*index, input)));
                let mut accesses = step.accesses.iter();
                if self.frees && accesses.any(|access| self.names.is_given_back(access)) {
                    self.push(*index, Kind::Call, vec![FREE.to_owned()], step);
                }
            }
            return;
        }
        let mut names: Vec<String> = Vec::new();
        let (mut reads, mut writes, mut first) = (false, false, None);
        for (index, step) in group {
            self.inputs(*index, step);
            for access in &step.accesses {
                if let Some(object) = self.names.object(self.names.variable(access.variable)) {
                    first = first.or(Some((*index, *step)));
                    (reads, writes) = (reads || !access.write, writes || access.write);
                    if !names.contains(&object) {
                        names.push(object);
                    }
                } else {
                    let access = access.clone();
                    self.schedule.unseen.push(Unseen { step: *index, thread: self.thread, access });
                }
            }
        }
        let kind = match (reads, writes) {
            _ if group.len() > 1 => Kind::Both,
            (true, true) => Kind::Both,
            (_, true) => Kind::Write,
            _ => Kind::Read,
        };
        if let Some((index, step)) = first {
            self.push(index, kind, names, step);
            if let Some(turn) = self.turns.last_mut() {
                turn.result = i64::from(writes);
            }
        }
    }

    /// Results of functions that return any value are given to the program; what else is chosen in a step, nobody chooses when it runs.
    fn inputs(&mut self, index: usize, step: &TraceStep<'_>) {
        if step.edge.origin.last().is_some_and(|origin| library::may_fail(origin.text.as_str())) {
            return;
        }
        for (number, (input, value)) in step.edge.inputs.iter().zip(&step.inputs).enumerate() {
            match input.result_of() {
                Some((function, _)) if library::supplies(function) => self.give(value),
                Some((function, _)) if library::is_verifiers(function) => {
                    self.schedule.foreign.insert(function.to_owned());
                }
                _ => self.schedule.open.push((index, number)),
            }
        }
    }

    /// Inputs in a step of the library: those of calls that take turns are the harness's business.
    fn chosen(&mut self, index: usize, step: &TraceStep<'_>, call: Option<&Call>) {
        let call = call.filter(|call| !call.is_done).map(|call| call.function.as_str());
        for (number, (input, value)) in step.edge.inputs.iter().zip(&step.inputs).enumerate() {
            let assigned = step.edge.assign.iter().find(|(_, term)| term.constants().contains(&input.term()));
            let name = assigned.map_or("", |(id, _)| self.names.variable(*id));
            let function = name.split_once("::").map_or("", |(function, _)| function);
            if library::role(function) == Some(library::Role::Input) {
                self.give(value);
            } else if call.is_none_or(|call| call != function && !function.starts_with("library.")) {
                self.schedule.open.push((index, number));
            }
        }
    }

    fn give(&mut self, value: &Value) {
        let value = match value {
            Value::Bool(value) => u128::from(*value),
            value => value.as_bits().and_then(|bits| bits.to_u128()).unwrap_or(0),
        };
        self.schedule.inputs.push(Given { thread: self.thread, value });
    }
}

/// How many of the steps are one: more than one in an atomic section.
fn section(program: &Program, steps: &[(usize, &TraceStep<'_>)]) -> usize {
    let open = steps.iter().take_while(|(_, step)| program.location(step.edge.to).atomic).count();
    (open + 1).min(steps.len())
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(value) => i64::from(*value),
        value => value
            .as_bits()
            .and_then(|bits| bits.to_i128())
            .and_then(|value| i64::try_from(value).ok())
            .unwrap_or(0),
    }
}
