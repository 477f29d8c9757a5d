//! Whether the source, driven along a schedule, does what the run does.
//!
//! Two things could keep it from that, and both are looked for. What a run chooses and nobody supplies when the program runs (what `scanf` reads, the time,
//! memory that nobody has set) is chosen in other ways, and the run has to stay the same. And what threads do to memory that nobody watches, locals that others
//! reach, happens right after the thread's turn before it: these accesses have to come in the order of the run all the same, and none of them after the run's last. In doubt
//! there is a reason.

use super::Reason;
use super::names::Names;
use super::parts::{self, Touched};
use super::schedule::{Schedule, Unseen};
use frontend::lower::AFTER_LIFETIME;
use frontend::program::interpret;
use frontend::program::trace::Trace;
use frontend::program::{Program, Property, Run, Scope, VariableId};
use smt::{ArrayValue, Bits, Sort, Value};
use std::collections::BTreeSet;

/// What numbers are tried.
const TRIED: [u128; 4] = [0, 1, u128::MAX, 0x5a5a_5a5a];

/// Why the source may do something else than the run.
pub(super) fn reason(
    program: &Program,
    run: &Run,
    trace: &Trace<'_>,
    schedule: &Schedule,
    property: &Property,
) -> Option<Reason> {
    undefined(program, schedule)
        .or_else(|| unseen(schedule, property))
        .or_else(|| unwatched(program, schedule))
        .or_else(|| beyond(program, trace, schedule))
        .or_else(|| chance(program, run, trace, schedule, &property.name))
}

/// What is gone and was not given back is a local variable: nobody sees when its block is left.
fn unseen(schedule: &Schedule, property: &Property) -> Option<Reason> {
    let is_block = property.description == AFTER_LIFETIME && !schedule.gives_back();
    is_block.then(|| "a local variable is used after its block, which cannot be seen from outside".to_owned())
}

/// A variable whose first value is any.
fn undefined(program: &Program, schedule: &Schedule) -> Option<Reason> {
    let names = Names { program };
    let shared = program.variables.iter().filter(|variable| variable.scope == Scope::Shared);
    let mut open = shared.filter(|variable| variable.init.is_none());
    let name = open.find_map(|variable| {
        names.object(variable.name.as_str()).filter(|name| schedule.objects.contains(name))
    })?;
    Some(format!("the first value of {name} is not in the source"))
}

/// Memory that threads share, that nobody watches, and on which the order of accesses may be another one.
fn unwatched(program: &Program, schedule: &Schedule) -> Option<Reason> {
    let name = |one: &Unseen| program.variable(one.access.variable).name.as_str();
    // Each thread has one, and others reach it: that is how threads wait for each other.
    if let Some(line) = schedule.unseen.iter().find_map(|one| name(one).strip_prefix("stack:")) {
        let line: String = line.chars().take_while(char::is_ascii_digit).collect();
        return Some(format!(
            "threads reach local variables of each other (line {line}), and accesses to these cannot be scheduled"
        ));
    }
    let before = |one: &Unseen| {
        let mut turns = schedule.turns.iter();
        turns.rposition(|turn| turn.thread == one.thread && turn.step <= one.step)
    };
    for (number, later) in schedule.unseen.iter().enumerate() {
        for earlier in &schedule.unseen[..number] {
            let (earlier, later) =
                if earlier.step < later.step { (earlier, later) } else { (later, earlier) };
            let index = |one: &Unseen| one.access.index.clone();
            let is_apart =
                index(earlier).is_some() && index(later).is_some() && index(earlier) != index(later);
            let conflict = earlier.thread != later.thread
                && earlier.access.variable == later.access.variable
                && (earlier.access.write || later.access.write)
                && !is_apart;
            if conflict && before(later) <= before(earlier) {
                return Some(shared_in_words(program, later.access.variable));
            }
        }
    }
    None
}

/// Memory that nobody watches and that a thread touches after its last turn, beyond the run: it goes on to where it would need a turn.
fn beyond(program: &Program, trace: &Trace<'_>, schedule: &Schedule) -> Option<Reason> {
    let names = Names { program };
    let edges_from = program.edges_from();
    let touched = parts::touched(program);
    let is_watched = |id: &VariableId| {
        let variable = program.variable(*id);
        names.is_model(variable.position) || names.object(variable.name.as_str()).is_some()
    };
    let violating = trace.steps.last().map(|step| step.thread);
    for thread in (0..trace.threads).filter(|thread| Some(*thread) != violating) {
        let Some(last) = trace.steps.iter().rposition(|step| step.thread == thread) else { continue };
        let is_others = |one: &&Unseen| one.thread != thread;
        let others: BTreeSet<VariableId> =
            schedule.unseen.iter().filter(is_others).map(|one| one.access.variable).collect();
        // Whoever reads may wait for what others write later.
        let awaited: BTreeSet<VariableId> = schedule
            .unseen
            .iter()
            .filter(is_others)
            .filter(|one| one.step > last && one.access.write)
            .map(|one| one.access.variable)
            .collect();
        let (mut seen, mut open) = (BTreeSet::new(), vec![trace.steps[last].edge.to]);
        while let Some(location) = open.pop() {
            if !seen.insert(location.index()) {
                continue;
            }
            for edge in &edges_from[location.index()] {
                let Touched { reads, writes, .. } = &touched[edge.index()];
                if reads.iter().chain(writes).any(is_watched) {
                    continue;
                }
                let written = writes.iter().find(|id| others.contains(id));
                if let Some(id) = written.or_else(|| reads.iter().find(|id| awaited.contains(id))) {
                    return Some(shared_in_words(program, *id));
                }
                open.push(program.edge(*edge).to);
            }
        }
    }
    None
}

fn shared_in_words(program: &Program, id: VariableId) -> Reason {
    let name = program.variable(id).name.as_str();
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    format!("threads share {name}, and accesses to it cannot be scheduled")
}

/// Something that the run depends on and that nobody supplies.
fn chance(
    program: &Program,
    run: &Run,
    trace: &Trace<'_>,
    schedule: &Schedule,
    goal: &str,
) -> Option<Reason> {
    let stays = |open: &[(usize, usize)], number: u128| {
        let mut other = run.clone();
        for &(step, input) in open {
            if let Some(value) = other.steps[step].inputs.get_mut(input) {
                *value = some(trace.steps[step].edge.inputs[input].sort, number);
            }
        }
        interpret::replay(program, &other).is_ok_and(|outcome| outcome.violated.contains_key(goal))
    };
    let number = TRIED.into_iter().find(|number| !stays(&schedule.open, *number))?;
    // One alone, or else all of them.
    let alone = schedule.open.iter().find(|open| !stays(&[**open], number));
    let places: BTreeSet<(u32, &str)> = alone
        .map_or(&schedule.open[..], std::slice::from_ref)
        .iter()
        .filter_map(|(step, _)| trace.steps[*step].edge.origin.last())
        .map(|origin| (origin.position.line, origin.text.as_str().trim_end_matches(';')))
        .collect();
    let places: Vec<String> =
        places.iter().take(3).map(|(line, text)| format!("{text} (line {line})")).collect();
    Some(format!(
        "it depends on a value that the run chooses and the program gets from outside: {}",
        places.join(", ")
    ))
}

/// A value with this number in it, as far as it fits.
fn some(sort: Sort, number: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number & 1 == 1),
        Sort::BitVec(width) => Value::Bits(Bits::new(width, number)),
        Sort::Array(array) => Value::Array(ArrayValue::constant(array.index, some(array.element, number))),
    }
}
