//! Certificates out.

use crate::abstraction::{Abstraction, Bits, Predicate};
use crate::{Certificate, Document};
use breach::check::write_proof;
use breach::input::Input;
use engine::document::section;
use frontend::program::{LocationId, Program};
use std::fmt::Write as _;

/// The whole file. Fails if the system cannot be written.
pub fn write(document: &Document, program: &Program) -> Result<String, String> {
    let mut text = String::new();
    // Writing to a string cannot fail, here and below.
    match &document.certificate {
        Certificate::Abstraction(abstraction) => self::abstraction(&mut text, abstraction, program)?,
        Certificate::Tree(proof) => text.push_str(&proof.section()),
        &Certificate::Bounds { unwind, rounds, threads } => {
            text.push_str(&cseq::Explored { unwind, rounds, threads }.certificate());
        }
        Certificate::Orders { unwind, threads, states } => {
            let _ = writeln!(text, "kind orders {unwind} {threads} {states}");
        }
        Certificate::States { threads, states } => {
            let _ = writeln!(text, "kind states {threads} {states}");
        }
    }
    Ok(document.head.write(&text))
}

fn abstraction(text: &mut String, abstraction: &Abstraction, program: &Program) -> Result<(), String> {
    let Abstraction { problem, proof, .. } = abstraction;
    text.push_str("kind abstraction\n");
    for edge in &abstraction.ends {
        let _ = writeln!(text, "end-of-edge {}", edge.0);
    }
    for count in &abstraction.counts {
        let _ = writeln!(text, "count {} at{}", count.name, numbers(&count.locations));
    }
    if let Some(bound) = abstraction.bound {
        let _ = writeln!(text, "bound {bound}");
    }
    for fact in &abstraction.facts {
        let _ = writeln!(text, "fact {fact}");
    }
    for carrier in &abstraction.carriers {
        // The carriers are variables of the program: counts come after these.
        let _ = writeln!(text, "carrier {}", program.variable(*carrier).name);
    }
    for Predicate { term, .. } in &abstraction.shared_predicates {
        let _ = writeln!(text, "shared-predicate {term}");
    }
    for Predicate { term, scope, about } in &abstraction.thread_predicates {
        let _ = writeln!(text, "thread-predicate {term} at{} about{}", numbers(scope), numbers(about));
    }
    for (number, bits) in abstraction.shared.iter().enumerate() {
        let _ = writeln!(text, "shared {number}{}", digits(*bits, abstraction.shared_predicates.len()));
    }
    for (number, local) in abstraction.locals.iter().enumerate() {
        let bits = digits(local.bits, abstraction.thread_predicates.len());
        let _ = writeln!(text, "local {number} at {}{bits}", local.location.0);
    }
    let _ = writeln!(text, "error {}", abstraction.error);
    for (shared, with) in abstraction.occurs.iter().enumerate() {
        let with: String = with.iter().map(|local| format!(" {local}")).collect();
        let _ = writeln!(text, "occurs {shared} with{with}");
    }
    text.push_str("edges");
    for edge in &abstraction.edges {
        let _ = match edge {
            Some(edge) => write!(text, " {}", edge.0),
            None => write!(text, " -"),
        };
    }
    text.push('\n');
    let input = Input {
        system: problem.system.clone(),
        init: Some(problem.init.clone()),
        targets: problem.targets.clone(),
    };
    section(text, "emdr", &breach::emdr::print(&input).map_err(|error| error.to_string())?);
    section(text, "proof", &write_proof(&problem.system, proof));
    Ok(())
}

fn numbers<'a>(locations: impl IntoIterator<Item = &'a LocationId>) -> String {
    locations.into_iter().map(|location| format!(" {}", location.0)).collect()
}

fn digits(bits: Bits, number: usize) -> String {
    let digits: String = (0..number).map(|place| if bits >> place & 1 == 1 { '1' } else { '0' }).collect();
    if digits.is_empty() { digits } else { format!(" {digits}") }
}
