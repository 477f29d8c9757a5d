//! The document of `--json`. Its fields are described in `docs/formats.md`.
//!
//! States are texts in the user's notation and local states are texts, too, because some have names. Times are
//! seconds, memory is in bytes.

use super::report::{Answer, ProofSize, Report, RunSize};
use super::statistics::winner;
use breach::coverability::Statistics;
use breach::emdr::show_init;
use breach::limits::peak_memory;
use breach::proof::{Invariant, Proof};
use breach::system::System;
use breach::trace::{Move, Role, Step, Trace};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The whole document, with a line end.
pub(super) fn document(report: &Report) -> String {
    let (code, verdict) = report.verdict();
    let (answer, reason) = match &report.answer {
        Answer::Coverable(_) => ("coverable", None),
        Answer::Uncoverable(_) => ("uncoverable", None),
        Answer::Unknown(reason) => ("unknown", Some(reason)),
    };
    let document = json!({
        "tool": { "name": "breach", "version": env!("CARGO_PKG_VERSION") },
        "input": {
            "file": report.file,
            "format": report.format,
            "init": report.init,
            "targets": report.targets,
        },
        "answer": answer,
        "verdict": verdict,
        "exit_code": code,
        "reason": reason,
        "statistics": statistics(report),
        "trace": report.trace,
        "proof": report.proof,
    });
    format!("{document:#}\n")
}

fn statistics(report: &Report) -> Value {
    let s: &Statistics = &report.statistics;
    let size = |(shared, local, transitions): (u64, u64, u64)| json!({ "shared_states": shared, "local_states": local, "transitions": transitions });
    let proof_size = match &report.answer {
        Answer::Uncoverable(Some(ProofSize { elements, max_threads, invariants })) => {
            json!({ "elements": elements, "max_threads": max_threads, "invariants": invariants })
        }
        _ => Value::Null,
    };
    let trace_size = match &report.answer {
        Answer::Coverable(RunSize { steps, threads, .. }) => json!({ "steps": steps, "threads": threads }),
        _ => Value::Null,
    };
    json!({
        "size": size(s.size),
        "reduced_size": size(s.reduced_size),
        "iterations": s.iterations,
        "predecessors": s.predecessors,
        "peak_states": s.peak_states,
        "final_states": s.final_states,
        "candidates": s.candidates,
        "backtracked": s.backtracked,
        "forward_nodes": s.forward_nodes,
        "invariants": s.invariants,
        "linear_programs": s.linear_programs,
        "answered_by": s.winner.map(|_| winner(s)),
        "proof_size": proof_size,
        "trace_size": trace_size,
        "seconds": seconds(report),
        "peak_memory": peak_memory(),
    })
}

fn seconds(report: &Report) -> Value {
    let s = &report.statistics;
    let phases: [(&str, Duration); 7] = [
        ("reading", report.read_time),
        ("parsing", report.parse_time),
        ("reducing", s.reduce_time),
        ("searching", s.search_time),
        ("finishing", s.finish_time),
        ("checking", report.check_time),
        ("total", report.total_time),
    ];
    let pairs = phases.into_iter().map(|(name, time)| (name.to_owned(), json!(time.as_secs_f64())));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// A run.
pub(super) fn trace(system: &System, trace: &Trace) -> Value {
    let threads: Vec<_> = trace.threads.iter().map(|&local| system.show_local(local)).collect();
    let steps: Vec<_> = trace.steps.iter().map(|s| step(system, s)).collect();
    json!({
        "target": system.show(&trace.target).to_string(),
        "shared": trace.shared,
        "threads": threads,
        "steps": steps,
    })
}

fn step(system: &System, step: &Step) -> Value {
    let local = |local: Option<u32>| local.map(|local| system.show_local(local));
    let one = |&Move { thread, from, to, role }: &Move| {
        let role = if role == Role::Active { "active" } else { "passive" };
        json!({ "thread": thread, "role": role, "from": local(from), "to": local(to) })
    };
    let moves: Vec<_> = step.moves.iter().map(one).collect();
    json!({
        "transition": step.transition,
        "line": system.lines.get(step.transition).filter(|&&line| line > 0),
        "shared": system.transitions.get(step.transition).map(|t| t.to),
        "moves": moves,
    })
}

/// A proof.
pub(super) fn proof(system: &System, proof: &Proof) -> Value {
    let states = |states: &[breach::system::State]| -> Vec<String> {
        states.iter().map(|state| system.show(state).to_string()).collect()
    };
    let invariants: Vec<_> = proof.invariants.iter().map(|i| invariant(system, i)).collect();
    json!({
        "init": show_init(&proof.init, |local| system.show_local(local)),
        "targets": states(&proof.targets),
        "elements": states(&proof.elements),
        "invariants": invariants,
    })
}

fn invariant(system: &System, invariant: &Invariant) -> Value {
    let shared: Vec<_> =
        invariant.shared.iter().map(|(state, weight)| json!({ "state": state, "weight": weight })).collect();
    let local =
        |&(local, weight): &(u32, u32)| json!({ "state": system.show_local(local), "weight": weight });
    let locals: Vec<_> = invariant.locals.iter().map(local).collect();
    json!({ "bound": invariant.bound, "shared": shared, "locals": locals })
}
