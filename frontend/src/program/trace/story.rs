//! A run as its user wants to read it: lines of the source with what they read and write, without the library's own work.
//!
//! Steps become lines, one for each piece of source, with the facts that belong to it. Then lines are folded:
//!
//! - that a thread starts is said where it goes on at once; otherwise its creator's line says enough;
//! - a line without facts goes if the thread's next or last line is the same, or if it is a statement around another line of the step;
//! - lines of one piece of source with no other thread in between become one row.
//!
//! What a step does to variables that are not the user's is no fact, but that a thread is created, starts or ends is one.

use super::names::{self, Names};
use super::{Access, Change, Trace, TraceStep};
use crate::program::{Edge, Origin, Program, Scope};
use rustc_hash::FxHashSet;
use smt::Value;
use std::ops::RangeInclusive;

/// The rows to show.
#[derive(Clone, Debug)]
pub(super) struct Story {
    pub(super) rows: Vec<Row>,
    /// How many steps are not among those of a row.
    pub(super) left_out: usize,
}

/// A piece of source that a thread ran without interruption.
#[derive(Clone, Debug)]
pub struct Row {
    /// The thread.
    pub thread: usize,
    /// The steps, by index.
    pub steps: Vec<usize>,
    /// The piece; none if the program does not say.
    pub origin: Option<Origin>,
    /// As written, or what happens.
    pub text: String,
    /// What it read, wrote and did.
    pub facts: Vec<String>,
}

impl Trace<'_> {
    /// The run as its user wants to read it.
    pub fn rows(&self) -> Vec<Row> {
        Story::new(self).rows
    }
}

impl Row {
    /// From its first step to its last; steps in between that have nothing to show are part of it.
    fn range(&self) -> RangeInclusive<usize> {
        self.steps.first().copied().unwrap_or(0)..=self.steps.last().copied().unwrap_or(0)
    }

    /// Whether both are the same piece of source.
    fn repeats(&self, other: &Row) -> bool {
        let place = |row: &Row| row.origin.map(|origin| (origin.position, origin.function));
        place(self) == place(other) && self.text.trim_end_matches(';') == other.text.trim_end_matches(';')
    }
}

impl Story {
    pub(super) fn new(trace: &Trace<'_>) -> Story {
        let teller = Teller::new(trace);
        let lines: Vec<Vec<Row>> =
            trace.steps.iter().enumerate().map(|(index, step)| teller.lines(index, step)).collect();
        let rows = fold(trace, lines);
        let shown: FxHashSet<usize> = rows.iter().flat_map(Row::range).collect();
        Story { rows, left_out: trace.steps.len() - shown.len() }
    }

    /// For each row the numbers of its steps, from 1: `7`, `7-8`; nothing where a row goes on with the step of the row above.
    pub(super) fn numbers(&self) -> Vec<String> {
        let mut above = None;
        let number = |row: &Row| {
            let range = row.range();
            let is_known = Some(*range.end()) == above && range.start() == range.end();
            above = Some(*range.end());
            match (range.start() + 1, range.end() + 1) {
                _ if is_known => String::new(),
                (first, last) if first >= last => first.to_string(),
                (first, last) => format!("{first}-{last}"),
            }
        };
        self.rows.iter().map(number).collect()
    }
}

struct Teller<'a> {
    trace: &'a Trace<'a>,
    program: &'a Program,
    names: Names<'a>,
}

impl<'a> Teller<'a> {
    fn new(trace: &'a Trace<'a>) -> Teller<'a> {
        let program = trace.program;
        Teller { trace, program, names: Names::new(program) }
    }

    /// The lines of a step with their facts; none for a step that only chooses what to call.
    fn lines(&self, index: usize, step: &TraceStep<'_>) -> Vec<Row> {
        let row = |origin: Option<Origin>, text: String| Row {
            thread: step.thread,
            steps: vec![index],
            origin,
            text,
            facts: Vec::new(),
        };
        let mut lines: Vec<Row> = Vec::new();
        for origin in step.edge.origin.iter().filter(|origin| !origin.text.as_str().is_empty()) {
            let line = row(Some(*origin), self.text(step, origin));
            // Back at the same piece, or at the expression of a statement: nothing new.
            if !lines.iter().any(|known| known.repeats(&line)) {
                lines.push(line);
            }
        }
        let facts = self.facts(index, step);
        if lines.is_empty() && (step.edge.origin.is_empty() || !facts.is_empty()) {
            let (from, to) = (step.edge.from.0, step.edge.to.0);
            lines.push(row(step.edge.origin.first().copied(), format!("(location {from} to {to})")));
        }
        for (about, fact) in facts {
            let is_about = |line: &Row| about.as_ref().is_some_and(|name| names::mentions(&line.text, name));
            let is_whole = |line: &Row| about.as_ref().is_some_and(|name| names::has_whole(&line.text, name));
            // Without a hint it is the first piece that does something.
            let plain = lines.iter().position(|line| line.text != STARTS).unwrap_or(0);
            let line =
                lines.iter().position(is_whole).or_else(|| lines.iter().position(is_about)).unwrap_or(plain);
            lines[line].facts.push(fact);
        }
        lines
    }

    fn text(&self, step: &TraceStep<'_>, origin: &Origin) -> String {
        let text = origin.text.as_str();
        // The end of a thread's function is its head once more.
        let is_head = |edge: &Edge| {
            Some(edge.from) == self.program.pool
                && edge
                    .origin
                    .first()
                    .is_some_and(|start| start.text.as_str() == STARTS && start.position == origin.position)
        };
        if text != STARTS && step.thread > 0 && self.program.edges.iter().any(is_head) {
            return "thread ends".to_owned();
        }
        text.to_owned()
    }

    /// What a step did, each with the name that it is about.
    fn facts(&self, index: usize, step: &TraceStep<'_>) -> Vec<(Option<String>, String)> {
        let function = step.edge.origin.last().map(|origin| origin.function);
        let mut facts = Vec::new();
        for (input, value) in step.edge.inputs.iter().zip(&step.inputs) {
            if !names::is_internal_input(input) {
                let function = input.result_of().map(|(function, _)| function.to_owned());
                facts.push((function, self.names.input(input, value)));
            }
        }
        let accesses: Vec<&Access> =
            step.accesses.iter().filter(|access| !self.names.is_internal(access.variable)).collect();
        let same =
            |one: &Access, other: &Access| (one.variable, &one.index) == (other.variable, &other.index);
        for access in &accesses {
            let name = self.names.accessed(access, function);
            let shown = |value| self.names.infix.value(access.data_type(self.program), value);
            let is_both = accesses.iter().any(|other| other.write != access.write && same(access, other));
            if let Some(lock) = self.names.lock(access) {
                if access.write || !is_both {
                    facts.push((Some(lock.clone()), lock_in_words(access, &lock)));
                }
                continue;
            }
            let fact = match (access.write, is_both) {
                (false, true) => continue,
                (false, false) => format!("reads {name}: {}", shown(&access.value)),
                (true, true) => format!("changes {name}: {} to {}", shown(&access.old), shown(&access.value)),
                (true, false) => {
                    format!("writes {name}: {} (was {})", shown(&access.value), shown(&access.old))
                }
            };
            facts.push((Some(name), fact));
        }
        for change in &step.changes {
            facts.extend(self.local_change(step, change));
        }
        facts.extend(self.created(index, step));
        facts
    }

    fn local_change(&self, step: &TraceStep<'_>, change: &Change) -> Option<(Option<String>, String)> {
        let variable = self.program.variable(change.variable);
        if variable.scope == Scope::Shared || self.names.is_internal(change.variable) {
            return None;
        }
        let function = step.edge.origin.last().map(|origin| origin.function);
        let name = self.names.shown(change.variable, function).to_owned();
        let value = self.names.infix.value(&variable.data_type, &change.value);
        let whose = match change.thread {
            Some(thread) if thread != step.thread => format!(" in thread {thread}"),
            _ => String::new(),
        };
        let fact = format!("{name} = {value}{whose}");
        Some((Some(name), fact))
    }

    /// That a thread is created: which one, if it starts.
    fn created(&self, index: usize, step: &TraceStep<'_>) -> Option<(Option<String>, String)> {
        if Some(step.edge.from) == self.program.pool {
            return None;
        }
        let mut functions = step.accesses.iter().filter(|access| access.write).map(|access| access.variable);
        let mailbox = functions.find(|variable| self.names.created_function(*variable).is_some())?;
        let function = self.names.created_function(mailbox)?;
        let takes = |later: &&TraceStep<'_>| {
            Some(later.edge.from) == self.program.pool
                && later.edge.assign.iter().any(|(variable, _)| *variable == mailbox)
        };
        let fact = match self.trace.steps[index + 1..].iter().find(takes) {
            Some(later) => format!("creates thread {}", later.thread),
            None => format!("creates a thread for {function}, which does not start"),
        };
        Some((Some(function.to_owned()), fact))
    }
}

/// The text of the step with which a thread starts.
pub(super) const STARTS: &str = "thread starts";

impl Program {
    /// Whether an edge does nothing but to start a thread: it takes up what its creator has left for it.
    pub fn only_starts(&self, edge: &Edge) -> bool {
        let mut texts = edge.origin.iter().map(|origin| origin.text.as_str());
        Some(edge.from) == self.pool && !edge.origin.is_empty() && texts.all(|text| text == STARTS)
    }

    /// How often another thread goes on, where `threads` gives for each step who does it and the edge. A start is no turn of its own: a thread starts when it is
    /// created, and only the model of creation has a step for it.
    pub fn switches<'e>(&self, steps: impl IntoIterator<Item = (usize, &'e Edge)>) -> usize {
        let turns = steps.into_iter().filter(|(_, edge)| !self.only_starts(edge));
        let mut threads: Vec<usize> = turns.map(|(thread, _)| thread).collect();
        threads.dedup();
        threads.len().saturating_sub(1)
    }
}

/// What a step does to a lock, or sees of it.
pub(super) fn lock_in_words(access: &Access, lock: &str) -> String {
    let is_taken = access.value != Value::Bool(false);
    match (access.write, is_taken) {
        (true, true) => format!("takes {lock}"),
        (true, false) => format!("gives {lock} back"),
        (false, true) => format!("{lock} is taken"),
        (false, false) => format!("{lock} is free"),
    }
}

fn fold(trace: &Trace<'_>, mut lines: Vec<Vec<Row>>) -> Vec<Row> {
    let last_step = trace.steps.len().saturating_sub(1);
    for (index, pair) in trace.steps.windows(2).enumerate() {
        let (start, next) = (&pair[0], &pair[1]);
        let goes_on = || trace.steps[index + 1..].iter().any(|step| step.thread == start.thread);
        if trace.program.only_starts(start.edge) && next.thread != start.thread && goes_on() {
            lines[index].clear();
        }
    }
    for index in 0..lines.len() {
        let thread = trace.steps[index].thread;
        let next = trace.steps[index + 1..].iter().position(|step| step.thread == thread);
        let next = next.map(|next| index + 1 + next);
        drop_surroundings(&mut lines[index]);
        let (own, later) = lines.split_at_mut(index + 1);
        let Some(next) = next.and_then(|next| later[next - index - 1].first_mut()) else { continue };
        while let Some(line) = own[index].pop_if(|line| line.facts.is_empty() && line.repeats(next)) {
            // With nobody in between, both are one row.
            if next.steps.first() == Some(&(index + 1)) {
                next.steps.splice(0..0, line.steps);
            }
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for line in lines.into_iter().flatten() {
        let is_last = line.steps.last() == Some(&last_step);
        let own = rows.iter().rposition(|row| row.thread == line.thread && row.repeats(&line));
        let previous = rows.iter().rposition(|row| row.thread == line.thread);
        if own.is_some() && own == previous && own == rows.len().checked_sub(1) {
            if let Some(row) = rows.last_mut() {
                row.steps.extend(line.steps);
                // To look again and see the same is nothing new.
                let is_look = |fact: &str| fact.starts_with("reads ") || fact.ends_with(" is taken");
                let is_new = |fact: &String| !(is_look(fact) && row.facts.last() == Some(fact));
                let facts: Vec<String> = line.facts.into_iter().filter(is_new).collect();
                row.facts.extend(facts);
            }
        } else if line.facts.is_empty() && own.is_some() && own == previous && !is_last {
            // Nothing new.
        } else {
            rows.push(line);
        }
    }
    rows
}

/// Statements around other pieces of the same step say nothing new.
fn drop_surroundings(lines: &mut Vec<Row>) {
    let texts: Vec<String> = lines.iter().map(|line| line.text.trim_end_matches(';').to_owned()).collect();
    let mut number = 0;
    lines.retain(|line| {
        let own = &texts[number];
        let around = |(other, text): (usize, &String)| {
            other != number && text.len() < own.len() && own.contains(text.as_str())
        };
        let is_around = line.facts.is_empty() && texts.iter().enumerate().any(around);
        number += 1;
        !is_around
    });
}
