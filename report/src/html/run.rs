//! A run for people: steps with the user's lines, what they read and write, and which write each read sees. No layout.
//!
//! Steps that lie in models of the library only are folded: neighbours of one thread become one row.

use super::source::Sources;
use frontend::program::infix::Infix;
use frontend::program::meaning::{Meaning, Meanings};
use frontend::program::trace::{Access, Change, Names, Trace, TraceStep};
use frontend::program::{Origin, Position, Program, VariableId};
use smt::Symbol;
use std::collections::HashMap;
use std::ops::Range;

/// A place in the user's files, and what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The anchor of the line.
    pub(super) anchor: String,
    pub(super) line: u32,
    pub(super) function: String,
    pub(super) text: String,
}

/// A read or a write of shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// The variable, by number.
    pub(super) variable: u32,
    /// The element, if it is one of an array.
    pub(super) index: Option<String>,
    /// As it is shown.
    pub(super) name: String,
    pub(super) value: String,
    pub(super) write: bool,
    /// Whether the source has the variable.
    pub(super) is_users: bool,
}

/// A value after a step, of a variable of the source.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) thread: Option<usize>,
    pub(super) value: String,
}

/// A step.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) thread: usize,
    pub(super) spots: Vec<Spot>,
    pub(super) events: Vec<Event>,
    /// Values that were chosen freely.
    pub(super) inputs: Vec<(String, String)>,
    pub(super) changes: Vec<Value>,
    /// What to say if the step has no place of the user's.
    pub(super) otherwise: String,
}

/// From a write to a read that sees it: step and event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
}

/// The whole run.
pub(super) struct View {
    /// What each thread runs.
    pub(super) threads: Vec<String>,
    pub(super) steps: Vec<Step>,
    pub(super) arrows: Vec<Arrow>,
    /// Values before the first step of what changes or is open.
    pub(super) initial: Vec<Value>,
}

impl View {
    /// A replayed run.
    pub(super) fn new(program: &Program, trace: &Trace<'_>, sources: &Sources) -> View {
        let infix = Infix::new(program);
        let starts = program.edges.iter().filter(|edge| Some(edge.from) == program.pool);
        let starts = starts
            .filter_map(|edge| edge.origin.first())
            .map(|origin| (origin.position, origin.text))
            .collect();
        let (names, meanings) = (Names::new(program), Meanings::new(program));
        let writer = Writer { program, infix: &infix, sources, names, meanings, starts };
        let steps: Vec<Step> = trace.steps.iter().map(|step| writer.step(step)).collect();
        let events: Vec<&[Event]> = steps.iter().map(|step| step.events.as_slice()).collect();
        let arrows = arrows(&events);
        let function = |thread: usize| {
            let start = trace.steps.iter().find(|step| step.thread == thread).map(|step| step.edge.to);
            let location = if thread == 0 { Some(program.main) } else { start };
            location.map_or_else(String::new, |location| program.location(location).function.to_string())
        };
        let threads = (0..trace.threads).map(function).collect();
        let initial = writer.initial(trace);
        View { threads, steps, arrows, initial }
    }

    /// The rows: each step with a place of its own is one, neighbours without are one together.
    pub(super) fn rows(&self) -> Vec<Range<usize>> {
        let is_folded = |step: &Step| step.spots.is_empty();
        // Without any place of the user's there is nothing to fold them under.
        let all = self.steps.iter().all(is_folded);
        let mut rows: Vec<Range<usize>> = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            match rows.last_mut() {
                Some(row)
                    if !all
                        && is_folded(step)
                        && is_folded(&self.steps[row.start])
                        && self.steps[row.start].thread == step.thread =>
                {
                    row.end = index + 1;
                }
                _ => rows.push(index..index + 1),
            }
        }
        rows
    }

    /// Whether an arrow leads from one thread to another.
    pub(super) fn is_across(&self, arrow: &Arrow) -> bool {
        self.steps[arrow.from.0].thread != self.steps[arrow.to.0].thread
    }
}

/// Which write each read sees: the last one before its step.
pub(super) fn arrows(steps: &[&[Event]]) -> Vec<Arrow> {
    /// The writes of a variable that can be seen: which element, where.
    type Writes<'e> = Vec<(Option<&'e str>, (usize, usize))>;
    let mut last: HashMap<u32, Writes<'_>> = HashMap::new();
    let mut arrows = Vec::new();
    for (number, events) in steps.iter().enumerate() {
        // A step reads the state before it.
        for (position, event) in events.iter().enumerate().filter(|(_, event)| !event.write) {
            let touches = |index: Option<&str>| {
                index.is_none() || event.index.is_none() || index == event.index.as_deref()
            };
            let writes = last.get(&event.variable).into_iter().flatten();
            let seen = writes.filter(|(index, _)| touches(*index)).map(|(_, from)| *from).max();
            arrows.extend(seen.map(|from| Arrow { from, to: (number, position) }));
        }
        for (position, event) in events.iter().enumerate().filter(|(_, event)| event.write) {
            let writes = last.entry(event.variable).or_default();
            let index = event.index.as_deref();
            writes.retain(|(other, _)| index.is_some() && *other != index);
            writes.push((index, (number, position)));
        }
    }
    arrows
}

struct Writer<'w, 'a> {
    program: &'a Program,
    infix: &'w Infix<'a>,
    sources: &'w Sources,
    names: Names<'a>,
    meanings: Meanings<'a>,
    /// Where threads start, with the words for that.
    starts: HashMap<Position, Symbol>,
}

impl Writer<'_, '_> {
    fn step(&self, step: &TraceStep<'_>) -> Step {
        let chosen = step.edge.inputs.iter().zip(&step.inputs);
        let first = step.edge.origin.first();
        Step {
            thread: step.thread,
            spots: self.spots(&step.edge.origin),
            events: self.events(step),
            inputs: chosen
                .filter_map(|(input, value)| {
                    Some((format!("{}()", input.result_of()?.0), self.infix.chosen(value)))
                })
                .collect(),
            changes: step.changes.iter().filter_map(|change| self.value(change)).collect(),
            otherwise: first.map_or_else(
                || format!("from location {} to {}", step.edge.from.0, step.edge.to.0),
                |origin| origin.text.to_string(),
            ),
        }
    }

    /// The user's lines of a step, each once in a row.
    fn spots(&self, origins: &[Origin]) -> Vec<Spot> {
        let mut spots: Vec<Spot> = Vec::new();
        for origin in origins {
            let Some(anchor) = self.sources.anchor(origin.position) else { continue };
            if spots.last().is_none_or(|last| last.anchor != anchor) {
                spots.push(Spot {
                    anchor,
                    line: origin.position.line,
                    function: origin.function.to_string(),
                    text: self.text(origin),
                });
            }
        }
        spots
    }

    /// What stands at a place. A thread ends where it starts: at its function's name.
    fn text(&self, origin: &Origin) -> String {
        match self.starts.get(&origin.position) {
            Some(start) if *start == origin.text => origin.text.to_string(),
            Some(_) => format!("end of {}", origin.function),
            None => self.sources.text(origin.position, origin.text.as_str()),
        }
    }

    fn events(&self, step: &TraceStep<'_>) -> Vec<Event> {
        let function = step.edge.origin.last().map(|origin| origin.function);
        let event = |access: &Access| {
            let index = access.index.as_ref().map(|index| self.infix.chosen(index));
            let name = match self.lock(access.variable) {
                Some(lock) => lock + &index.as_ref().map(|index| format!("[{index}]")).unwrap_or_default(),
                None => self.names.accessed(access, function),
            };
            Event {
                variable: access.variable.0,
                index,
                name,
                value: self.infix.value(access.data_type(self.program), &access.value),
                write: access.write,
                is_users: self.is_users(access.variable),
            }
        };
        step.accesses.iter().map(event).collect()
    }

    fn is_users(&self, variable: VariableId) -> bool {
        self.sources.is_written(self.program.variable(variable)) && !self.names.is_internal(variable)
    }

    /// A lock has no members that the user knows.
    fn lock(&self, variable: VariableId) -> Option<String> {
        let meaning = self.meanings.of(self.program.variable(variable))?;
        matches!(meaning, Meaning::Taken(_) | Meaning::Held(_)).then(|| meaning.brief())
    }

    /// A value of one of the user's variables.
    fn value(&self, change: &Change) -> Option<Value> {
        if !self.is_users(change.variable) {
            return None;
        }
        let variable = self.program.variable(change.variable);
        Some(Value {
            name: self.lock(change.variable).unwrap_or_else(|| self.brief(change.variable)),
            thread: change.thread,
            value: self.infix.value(&variable.data_type, &change.value),
        })
    }

    /// The name inside of its function; with the function if another one has a variable of the same name.
    fn brief(&self, variable: VariableId) -> String {
        let brief = self.names.shown(variable, None);
        let ids = (0..self.program.variables.len() as u32).map(VariableId);
        let mut others = ids.filter(|other| *other != variable && self.names.shown(*other, None) == brief);
        let full = self.program.variable(variable).name.as_str();
        match full.split_once("::") {
            Some((function, _)) if others.any(|_| true) => format!("{brief} in {function}"),
            _ => brief.to_owned(),
        }
    }

    /// What the values that change are before the first step, and those that the program leaves open.
    fn initial(&self, trace: &Trace<'_>) -> Vec<Value> {
        let mut values: Vec<Value> = trace.initial.iter().filter_map(|change| self.value(change)).collect();
        for change in trace.steps.iter().flat_map(|step| &step.changes) {
            let Some(known) = self.value(change) else { continue };
            let is_new = |value: &Value| value.name != known.name || value.thread != known.thread;
            let variable = self.program.variable(change.variable);
            if let Some(init) = &variable.init
                && values.iter().all(is_new)
            {
                values.push(Value { value: self.infix.value(&variable.data_type, init), ..known });
            }
        }
        values.sort_by_key(|value| value.thread);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> Event {
        let (kind, name) = text.split_at(1);
        let (variable, index) =
            name.split_once('[').map_or((name, None), |(name, index)| (name, Some(index)));
        Event {
            variable: u32::from(variable.as_bytes()[0]),
            index: index.map(str::to_owned),
            name: name.to_owned(),
            value: String::new(),
            write: kind == "W",
            is_users: true,
        }
    }

    /// Steps as `Wx`, `Ra[1`; arrows as pairs of step numbers.
    fn pairs(steps: &[&[&str]]) -> Vec<(usize, usize)> {
        let events: Vec<Vec<Event>> =
            steps.iter().map(|step| step.iter().map(|text| event(text)).collect()).collect();
        let slices: Vec<&[Event]> = events.iter().map(Vec::as_slice).collect();
        arrows(&slices).iter().map(|arrow| (arrow.from.0, arrow.to.0)).collect()
    }

    /// Two steps of the user with three of the library between them, two of one thread.
    const PROGRAM: &str = r#"program 1
file 0 "a.c"
file 1 "<models/lock.c>"
shared x: i32 = 0 @0:1:5
shared lock: bool = false @1:1:1
location 0 in main @0:2:1
location 1
location 2
location 3
location 4
main 0
pool 0
edge 0: 0 -> 1
  assign x := (bvadd x #x00000001)
  origin @0:2:1 in main "x++;"
edge 1: 1 -> 2
  assign lock := true
  origin @1:3:1 in lock "locked = 1;"
edge 2: 2 -> 3
  origin @1:4:1 in lock "return;"
edge 3: 3 -> 4
  origin @0:3:1 in main "INCREMENT(x)"
"#;

    #[test]
    fn steps_in_the_library_are_folded() {
        let program = frontend::program::text::read(PROGRAM).unwrap();
        let choice = |thread, edge| frontend::program::Choice {
            thread,
            edge: frontend::program::EdgeId(edge),
            inputs: Vec::new(),
            passive_inputs: Vec::new(),
        };
        let steps = vec![choice(0, 0), choice(1, 0), choice(0, 1), choice(0, 2), choice(1, 1), choice(0, 3)];
        let run = frontend::program::Run { threads: 2, initial: Vec::new(), steps };
        let trace = Trace::new(&program, &run).unwrap();
        let sources = Sources::of(0, "a.c", "int x;\nx++;\nx = x + 1; // expanded");
        let view = View::new(&program, &trace, &sources);
        assert_eq!(view.rows(), [0..1, 1..2, 2..4, 4..5, 5..6]);
        assert_eq!(view.steps[0].spots[0].text, "x++;");
        assert_eq!(view.steps[5].spots[0].text, "x = x + 1; // expanded", "the line says what a macro hides");
        let [read, write] = view.steps[1].events.as_slice() else { panic!("{:?}", view.steps[1].events) };
        assert_eq!((read.value.as_str(), write.value.as_str(), write.is_users), ("1", "2", true));
        assert!(!view.steps[2].events[0].is_users, "the lock is the library's");
        assert_eq!(view.arrows, [Arrow { from: (0, 1), to: (1, 0) }]);
    }

    #[test]
    fn a_read_sees_the_last_write() {
        assert_eq!(pairs(&[&["Rx"], &["Wx"], &["Wx"], &["Ry"], &["Rx"]]), [(2, 4)]);
        // Both threads read before either writes: no arrow between them.
        assert_eq!(pairs(&[&["Rx"], &["Rx"], &["Wx"], &["Wx"]]), []);
    }

    #[test]
    fn a_step_does_not_see_its_own_write() {
        assert_eq!(pairs(&[&["Wx"], &["Rx", "Wx"], &["Rx"]]), [(0, 1), (1, 2)]);
    }

    #[test]
    fn elements_of_arrays() {
        assert_eq!(pairs(&[&["Wa[0"], &["Wa[1"], &["Ra[0"], &["Ra[2"]]), [(0, 2)]);
        // A write of the whole array is one of each element, and hides older ones.
        assert_eq!(pairs(&[&["Wa[0"], &["Wa"], &["Wa[1"], &["Ra[0"], &["Ra"]]), [(1, 3), (2, 4)]);
    }
}
