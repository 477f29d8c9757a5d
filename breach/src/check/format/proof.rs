//! Proofs as text.

use super::cursor::{File, Line};
use crate::diagnostics::{Diagnostic, Source};
use crate::emdr::show_init;
use crate::proof::{Invariant, Proof};
use crate::system::System;
use std::fmt::Write as _;

/// The first word of a proof file.
const KIND: &str = "breach-proof";

/// Writes a proof; [`parse_proof`] reads it back.
pub fn write_proof(system: &System, proof: &Proof) -> String {
    let mut text = format!("{KIND} 1\nsystem {} {}\n", system.shared_states, system.local_states);
    let init = show_init(&proof.init, |local| system.show_local(local));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "init {init}");
    for target in &proof.targets {
        let _ = writeln!(text, "target {}", system.show(target));
    }
    for element in &proof.elements {
        let _ = writeln!(text, "element {}", system.show(element));
    }
    for Invariant { shared, locals, bound } in &proof.invariants {
        let _ = write!(text, "invariant {bound} :");
        for (state, weight) in shared {
            let _ = write!(text, " {state}:{weight}");
        }
        text.push_str(" |");
        for &(local, weight) in locals {
            let _ = write!(text, " {}:{weight}", system.show_local(local));
        }
        text.push('\n');
    }
    text.push_str("end\n");
    text
}

/// Reads what [`write_proof`] writes. All states of the result exist in the system.
pub fn parse_proof(source: Source<'_>, system: &System) -> Result<Proof, Diagnostic> {
    let file = File::new(source, system);
    let mut statements = file.open(KIND)?;
    let mut line = statements.next()?;
    line.word("init")?;
    let mut proof = Proof { init: line.init()?, targets: vec![], elements: vec![], invariants: vec![] };
    line.end()?;
    loop {
        let mut line = statements.next()?;
        let before = line;
        match line.keyword() {
            "target" => proof.targets.push(line.state()?),
            "element" => proof.elements.push(line.state()?),
            "invariant" => proof.invariants.push(invariant(&mut line)?),
            "end" => {
                line.end()?;
                statements.finish()?;
                return Ok(proof);
            }
            _ => return Err(before.expected("'target', 'element', 'invariant' or 'end'")),
        }
        line.end()?;
    }
}

/// Reads `BOUND : s:w .. | l:w ..`.
fn invariant(line: &mut Line<'_>) -> Result<Invariant, Diagnostic> {
    let bound = line.number("the bound of the invariant")?;
    line.symbol(":")?;
    let shared = weights(line, Line::shared, |line| line.accept("|"))?;
    let locals = weights(line, Line::local, |line| line.end().is_ok())?;
    Ok(Invariant { shared, locals, bound })
}

/// Reads `state:weight` until `ends` says so.
fn weights<'f, W: std::str::FromStr>(
    line: &mut Line<'f>,
    state: impl Fn(&mut Line<'f>) -> Result<u32, Diagnostic>,
    ends: impl Fn(&mut Line<'f>) -> bool,
) -> Result<Vec<(u32, W)>, Diagnostic> {
    let mut list: Vec<(u32, W)> = Vec::new();
    while !ends(line) {
        let before = *line;
        let state = state(line)?;
        if list.last().is_some_and(|last| last.0 >= state) {
            return Err(before.error("the states of an invariant must be in ascending order, each once"));
        }
        line.symbol(":")?;
        list.push((state, line.number("a weight")?));
    }
    Ok(list)
}
