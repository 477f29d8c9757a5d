//! Runs as text.

use super::cursor::{File, Line};
use crate::diagnostics::{Diagnostic, Source};
use crate::system::{Multiset, State, System, Transition};
use crate::trace::{Move, Role, Step, Trace};
use std::fmt::Write as _;

/// The first word of a trace file.
const KIND: &str = "breach-trace";

/// States with more different local states than this are shortened in comments.
const SHOWN: usize = 40;

/// Writes a run; [`parse_trace`] reads it back.
///
/// Only runs that can be replayed have a notation: a transition that does not exist, a passive thread that
/// appears or a thread that appears and vanishes at once is written as something that cannot be read back.
pub fn write_trace(system: &System, trace: &Trace) -> String {
    let mut text = format!("{KIND} 1\nsystem {} {}\n", system.shared_states, system.local_states);
    let mut state = State::new(trace.shared, trace.threads.iter().copied());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "init {}\ntarget {}", system.show(&state), system.show(&trace.target));
    for (thread, &local) in trace.threads.iter().enumerate() {
        let _ = writeln!(text, "thread {thread} at {}", system.show_local(local));
    }
    for (number, step) in trace.steps.iter().enumerate() {
        write_step(&mut text, system, number, step);
        apply(&mut state, system, step);
        write_comment(&mut text, system, &state);
    }
    text.push_str("end\n");
    text
}

fn write_step(text: &mut String, system: &System, number: usize, step: &Step) {
    let _ = write!(text, "step {} transition {}", number + 1, step.transition);
    if let Some(&line) = system.lines.get(step.transition).filter(|&&line| line > 0) {
        let _ = write!(text, " line {line}");
    }
    let _ = match system.transitions.get(step.transition) {
        Some(t) => {
            let (from, to) = ends(t);
            writeln!(text, " : {} -> {}", system.show(&from), system.show(&to))
        }
        None => writeln!(text, " : unknown"),
    };
    for &Move { thread, from, to, role } in &step.moves {
        let role = if role == Role::Active { "active" } else { "passive" };
        let show = |local| system.show_local(local);
        let _ = match (from, to) {
            (Some(from), Some(to)) => {
                writeln!(text, "  thread {thread} {role} {} -> {}", show(from), show(to))
            }
            (Some(from), None) => writeln!(text, "  thread {thread} {role} {} vanishes", show(from)),
            (None, Some(to)) if role == "active" => {
                writeln!(text, "  thread {thread} appears in {}", show(to))
            }
            (None, Some(to)) => writeln!(text, "  thread {thread} {role} appears in {}", show(to)),
            (None, None) => writeln!(text, "  thread {thread} {role} nowhere"),
        };
    }
}

/// Shared states and active threads before and after a transition.
fn ends(t: &Transition) -> (State, State) {
    let state = |shared, threads: &Multiset| State { shared, threads: threads.clone() };
    (state(t.from, &t.consume), state(t.to, &t.produce))
}

/// Brings the state for the comments up to date.
fn apply(state: &mut State, system: &System, step: &Step) {
    if let Some(t) = system.transitions.get(step.transition) {
        state.shared = t.to;
    }
    for from in step.moves.iter().filter_map(|m| m.from) {
        state.threads.remove(from, 1);
    }
    for to in step.moves.iter().filter_map(|m| m.to) {
        state.threads.add(to, 1);
    }
}

fn write_comment(text: &mut String, system: &System, state: &State) {
    let pairs = state.threads.pairs();
    let _ = if pairs.len() <= SHOWN {
        writeln!(text, "  # now {}", system.show(state))
    } else {
        let shown = Multiset::from_sorted(pairs[..SHOWN].to_vec());
        let shown = State { shared: state.shared, threads: shown };
        writeln!(text, "  # now {},.. and {} more local states", system.show(&shown), pairs.len() - SHOWN)
    };
}

/// Reads what [`write_trace`] writes. All states and transitions of the result exist in the system; whether
/// it is a run is for [`replay`](crate::check::replay()) to say.
pub fn parse_trace(source: Source<'_>, system: &System) -> Result<Trace, Diagnostic> {
    let file = File::new(source, system);
    let mut statements = file.open(KIND)?;
    let mut line = statements.next()?;
    line.word("init")?;
    let init_line = line;
    let init = line.state()?;
    line.end()?;
    let mut line = statements.next()?;
    line.word("target")?;
    let target = line.state()?;
    line.end()?;
    let mut trace = Trace { shared: init.shared, threads: vec![], steps: vec![], target };
    loop {
        let mut line = statements.next()?;
        let before = line;
        match line.keyword() {
            "thread" => match trace.steps.last_mut() {
                None => initial_thread(&mut line, &mut trace)?,
                Some(step) => step.moves.push(thread_move(&mut line)?),
            },
            "step" => {
                let step = step(&mut line, system, trace.steps.len() + 1)?;
                trace.steps.push(step);
            }
            "end" => {
                line.end()?;
                statements.finish()?;
                break;
            }
            _ => return Err(before.expected("'thread', 'step' or 'end'")),
        }
        line.end()?;
    }
    if init.threads != trace.threads.iter().copied().collect() {
        return Err(
            init_line.error("the initial state does not have the threads of the lines 'thread .. at ..'")
        );
    }
    Ok(trace)
}

/// Reads `N at L`.
fn initial_thread(line: &mut Line<'_>, trace: &mut Trace) -> Result<(), Diagnostic> {
    let before = *line;
    let number: usize = line.number("the number of a thread")?;
    if number != trace.threads.len() {
        let message = format!("expected thread {}: threads are numbered in order", trace.threads.len());
        return Err(before.error(message));
    }
    line.word("at")?;
    trace.threads.push(line.local()?);
    Ok(())
}

/// Reads `N transition T line L : s|l -> s|l`.
fn step(line: &mut Line<'_>, system: &System, expected: usize) -> Result<Step, Diagnostic> {
    let before = *line;
    let number: usize = line.number("the number of a step")?;
    if number != expected {
        return Err(before.error(format!("expected step {expected}: steps are numbered in order")));
    }
    line.word("transition")?;
    let before = *line;
    let transition: usize = line.number("the number of a transition")?;
    let Some(t) = system.transitions.get(transition) else {
        let number = system.transitions.len();
        return Err(
            before.error(format!("there is no such transition: the system has {number}, counted from 0"))
        );
    };
    if line.accept_word("line") {
        line.number::<u32>("the line of the transition")?;
    }
    line.symbol(":")?;
    let before = *line;
    let from = line.state()?;
    line.symbol("->")?;
    let to = line.state()?;
    let (needed_from, needed_to) = ends(t);
    if (&from, &to) != (&needed_from, &needed_to) {
        let (from, to) = (system.show(&needed_from), system.show(&needed_to));
        let message = format!("transition {transition} of the system is {from} -> {to}; is this its trace?");
        return Err(before.error(message));
    }
    Ok(Step { transition, moves: Vec::new() })
}

/// Reads `N active l -> l`, `N active l vanishes`, `N appears in l`, and the same for passive threads.
fn thread_move(line: &mut Line<'_>) -> Result<Move, Diagnostic> {
    let thread = line.number("the number of a thread")?;
    let before = *line;
    let role = match line.keyword() {
        "appears" => {
            line.word("in")?;
            return Ok(Move { thread, from: None, to: Some(line.local()?), role: Role::Active });
        }
        "active" => Role::Active,
        "passive" => Role::Passive,
        _ => return Err(before.expected("'active', 'passive' or 'appears'")),
    };
    let from = Some(line.local()?);
    if line.accept_word("vanishes") {
        return Ok(Move { thread, from, to: None, role });
    }
    if !line.accept("->") {
        return Err(line.expected("'->' or 'vanishes'"));
    }
    Ok(Move { thread, from, to: Some(line.local()?), role })
}
