//! Certificates in.

use crate::abstraction::{Abstraction, Bits, COUNT_WIDTH, Count, Local, Predicate};
use crate::{Certificate, Document, OTHER_PROGRAM};
use breach::check::parse_proof;
use breach::diagnostics::Source;
use breach::system::Problem;
use engine::document::{Head, Lines};
use frontend::program::{EdgeId, LocationId, Program, VariableId, passive};
use smt::{Sort, Symbol, Term};
use std::collections::BTreeSet;

type Read<T> = Result<T, String>;

/// Why there is no certificate in a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// It is no proof, or damaged: where, and how.
    #[error("{0}")]
    Malformed(String),
    /// Its program is not the one that it is read for, so that its terms may have no meaning.
    #[error("{OTHER_PROGRAM}")]
    OtherProgram {
        /// What it was made from.
        head: Box<Head>,
    },
}

/// Reads a file; the program says which variables there are.
pub fn read(text: &str, program: &Program) -> Result<Document, Unread> {
    if text.starts_with("impara-proof ") {
        return bare_tree(text, program);
    }
    let mut lines = Lines::new(text);
    let head = Head::read(&mut lines).map_err(|message| Unread::Malformed(lines.here(message)))?;
    if head.program != crate::printed(program) {
        return Err(Unread::OtherProgram { head: Box::new(head) });
    }
    let certificate = certificate(&mut lines, program);
    let certificate = certificate.map_err(|message| Unread::Malformed(lines.here(message)))?;
    Ok(Document { head, certificate })
}

/// A tree without the rest, as `impara` wrote it once: it is judged for the program that there is.
fn bare_tree(text: &str, program: &Program) -> Result<Document, Unread> {
    let proof = impara::proof::Proof::read(text, program).map_err(Unread::Malformed)?;
    Ok(Document::new(program, Vec::new(), Vec::new(), Certificate::Tree(proof)))
}

fn certificate(lines: &mut Lines<'_>, program: &Program) -> Read<Certificate> {
    let kind = lines.rest("kind ").ok_or("the kind of the proof is missing")?;
    let (kind, rest) = kind.split_once(' ').unwrap_or((kind, ""));
    let certificate = match (kind, &numbers(rest)?[..]) {
        ("abstraction", []) => Certificate::Abstraction(Box::new(abstraction(lines, program)?)),
        ("tree", []) => Certificate::Tree(impara::proof::Proof::read(&lines.section("tree")?, program)?),
        ("bounds", &[unwind, rounds, threads]) => {
            let unwind = u32::try_from(unwind).map_err(|_| "the number is too large")?;
            Certificate::Bounds { unwind, rounds, threads }
        }
        ("orders", &[unwind, threads, states]) => {
            let unwind = u32::try_from(unwind).map_err(|_| "the number is too large")?;
            Certificate::Orders { unwind, threads, states }
        }
        ("states", &[threads, states]) => Certificate::States { threads, states },
        _ => return Err("this kind of proof is not known".to_owned()),
    };
    lines.end()?;
    Ok(certificate)
}

fn abstraction(lines: &mut Lines<'_>, program: &Program) -> Read<Abstraction> {
    let mut ends = Vec::new();
    while let Some(line) = lines.rest("end-of-edge ") {
        ends.push(EdgeId(number(line)?));
    }
    let mut constants: Vec<Term> = Vec::new();
    for variable in &program.variables {
        let sort = variable.data_type.sort();
        constants.extend([variable.name, passive(variable.name)].map(|name| Term::constant(name, sort)));
    }
    let mut counts = Vec::new();
    while let Some(line) = lines.rest("count ") {
        let (name, locations) = line.split_once(" at").ok_or("locations are expected")?;
        constants.push(Term::constant(Symbol::new(name), Sort::BitVec(COUNT_WIDTH)));
        counts.push(Count { name: name.to_owned(), locations: locations_of(locations)? });
    }
    let term = |text: &str| {
        smt::smtlib::parse_term(text, constants.iter().copied()).map_err(|error| error.to_string())
    };
    let bound =
        lines.rest("bound ").map(|line| line.parse().map_err(|_| "a number is expected")).transpose()?;
    let (mut facts, mut carriers) = (Vec::new(), BTreeSet::new());
    while let Some(line) = lines.rest("fact ") {
        facts.push(truth(term(line)?)?);
    }
    while let Some(line) = lines.rest("carrier ") {
        let place = program.variables.iter().position(|variable| variable.name.as_str() == line);
        carriers.insert(VariableId(place.ok_or("there is no such variable")? as u32));
    }
    let (mut shared_predicates, mut thread_predicates) = (Vec::new(), Vec::new());
    while let Some(line) = lines.rest("shared-predicate ") {
        let (scope, about) = (BTreeSet::new(), BTreeSet::new());
        shared_predicates.push(Predicate { term: truth(term(line)?)?, scope, about });
    }
    while let Some(line) = lines.rest("thread-predicate ") {
        let (rest, about) = line.rsplit_once(" about").ok_or("'about' is expected")?;
        let (text, scope) = rest.rsplit_once(" at").ok_or("'at' is expected")?;
        let (scope, about) = (locations_of(scope)?, locations_of(about)?);
        thread_predicates.push(Predicate { term: truth(term(text)?)?, scope, about });
    }
    let (mut shared, mut locals, mut occurs) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(line) = lines.rest("shared ") {
        let (own, digits) = line.split_once(' ').unwrap_or((line, ""));
        in_order(own, shared.len())?;
        shared.push(bits(digits, shared_predicates.len())?);
    }
    while let Some(line) = lines.rest("local ") {
        let (own, rest) = line.split_once(" at ").ok_or("'at' is expected")?;
        in_order(own, locals.len())?;
        let (location, digits) = rest.split_once(' ').unwrap_or((rest, ""));
        let location = LocationId(number(location)?);
        locals.push(Local { location, bits: bits(digits, thread_predicates.len())? });
    }
    let error = number(lines.rest("error ").ok_or("'error' is expected")?)?;
    while let Some(line) = lines.rest("occurs ") {
        let (own, with) = line.split_once(" with").ok_or("'with' is expected")?;
        in_order(own, occurs.len())?;
        occurs.push(with.split_whitespace().map(number).collect::<Read<_>>()?);
    }
    let edges = lines.rest("edges").ok_or("'edges' is expected")?.split_whitespace();
    let edges = edges.map(|word| if word == "-" { Ok(None) } else { Ok(Some(EdgeId(number(word)?))) });
    let edges = edges.collect::<Read<_>>()?;
    let emdr = lines.section("emdr")?;
    let input =
        breach::emdr::parse(Source { name: "emdr", text: &emdr }).map_err(|error| error.to_string())?;
    let init = input.init.ok_or("the system has no initial states")?;
    let problem = Problem { system: input.system, init, targets: input.targets };
    let proof = lines.section("proof")?;
    let proof = parse_proof(Source { name: "proof", text: &proof }, &problem.system)
        .map_err(|error| error.to_string())?;
    Ok(Abstraction {
        ends,
        counts,
        bound,
        facts,
        carriers,
        shared_predicates,
        thread_predicates,
        shared,
        locals,
        error,
        occurs,
        edges,
        problem,
        proof,
    })
}

fn truth(term: Term) -> Read<Term> {
    if term.sort() == Sort::Bool { Ok(term) } else { Err("a truth value is expected".to_owned()) }
}

fn number(word: &str) -> Read<u32> {
    word.parse().map_err(|_| format!("'{word}' is no number"))
}

fn numbers(text: &str) -> Read<Vec<usize>> {
    text.split_whitespace().map(|word| word.parse().map_err(|_| format!("'{word}' is no number"))).collect()
}

fn in_order(word: &str, expected: usize) -> Read<()> {
    if number(word)? as usize == expected { Ok(()) } else { Err(format!("number {expected} is expected")) }
}

fn locations_of(text: &str) -> Read<BTreeSet<LocationId>> {
    text.split_whitespace().map(|word| Ok(LocationId(number(word)?))).collect()
}

fn bits(digits: &str, expected: usize) -> Read<Bits> {
    let mut bits = 0;
    if digits.len() != expected || expected > Bits::BITS as usize {
        return Err(format!("{expected} digits are expected"));
    }
    for (place, digit) in digits.chars().enumerate() {
        match digit {
            '1' => bits |= 1 << place,
            '0' => {}
            _ => return Err("a digit is expected".to_owned()),
        }
    }
    Ok(bits)
}
