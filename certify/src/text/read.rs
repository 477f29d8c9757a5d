//! Certificates in.

use super::HEAD;
use crate::abstraction::{Abstraction, Bits, COUNT_WIDTH, Count, Local, Predicate};
use crate::{Certificate, Document, OTHER_PROGRAM};
use breach::check::parse_proof;
use breach::diagnostics::Source;
use breach::system::Problem;
use frontend::program::{EdgeId, LocationId, Program, VariableId, passive};
use smt::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// The lines that are left.
struct Lines<'a> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
    number: usize,
}

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
        /// What it was made from, by file.
        sources: Vec<(String, String)>,
    },
}

/// Reads a file; the program says which variables there are.
pub fn read(text: &str, program: &Program) -> Result<Document, Unread> {
    let mut lines = Lines { lines: text.lines().enumerate().peekable(), number: 0 };
    if lines.next() != Some(HEAD) {
        let message = format!("line 1: this is no proof that monabs wrote: it begins with '{HEAD}'");
        return Err(Unread::Malformed(message));
    }
    let head = head(&mut lines);
    let head = head.map_err(|message| Unread::Malformed(format!("line {}: {message}", lines.number)))?;
    if head.program != crate::printed(program) {
        return Err(Unread::OtherProgram { sources: head.sources });
    }
    let certificate = certificate(&mut lines, program);
    let certificate =
        certificate.map_err(|message| Unread::Malformed(format!("line {}: {message}", lines.number)))?;
    let Head { program, sources, assumptions } = head;
    Ok(Document { program, sources, assumptions, certificate })
}

/// What stands before the certificate itself.
struct Head {
    program: String,
    sources: Vec<(String, String)>,
    assumptions: Vec<String>,
}

fn head(lines: &mut Lines<'_>) -> Read<Head> {
    let (mut sources, mut assumptions) = (Vec::new(), Vec::new());
    while let Some(line) = lines.take("source ") {
        let (hash, name) = line.split_once(' ').ok_or("a hash and a name are expected")?;
        sources.push((hash.to_owned(), name.to_owned()));
    }
    while let Some(line) = lines.take("assumption ") {
        assumptions.push(line.to_owned());
    }
    Ok(Head { program: lines.section("program")?, sources, assumptions })
}

fn certificate(lines: &mut Lines<'_>, program: &Program) -> Read<Certificate> {
    let kind = lines.take("kind ").ok_or("the kind of the proof is missing")?;
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
    if lines.next() != Some("end") || lines.next().is_some() {
        return Err("'end' is expected, and nothing after it".to_owned());
    }
    Ok(certificate)
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (number, line) = self.lines.next()?;
        self.number = number + 1;
        Some(line)
    }

    /// The rest of the next line, if it begins so.
    fn take(&mut self, start: &str) -> Option<&'a str> {
        let rest = self.lines.peek()?.1.strip_prefix(start)?;
        self.next();
        Some(rest)
    }

    /// The lines between `begin NAME` and `end NAME`.
    fn section(&mut self, name: &str) -> Read<String> {
        if self.next() != Some(&format!("begin {name}")) {
            return Err(format!("'begin {name}' is expected"));
        }
        let (mut text, end) = (String::new(), format!("end {name}"));
        loop {
            match self.next() {
                None => return Err(format!("'{end}' is missing")),
                Some(line) if line == end => return Ok(text),
                Some(line) => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
}

fn abstraction(lines: &mut Lines<'_>, program: &Program) -> Read<Abstraction> {
    let mut ends = Vec::new();
    while let Some(line) = lines.take("end-of-edge ") {
        ends.push(EdgeId(number(line)?));
    }
    let mut constants: Vec<Term> = Vec::new();
    for variable in &program.variables {
        let sort = variable.data_type.sort();
        constants.extend([variable.name, passive(variable.name)].map(|name| Term::constant(name, sort)));
    }
    let mut counts = Vec::new();
    while let Some(line) = lines.take("count ") {
        let (name, locations) = line.split_once(" at").ok_or("locations are expected")?;
        constants.push(Term::constant(Symbol::new(name), Sort::BitVec(COUNT_WIDTH)));
        counts.push(Count { name: name.to_owned(), locations: locations_of(locations)? });
    }
    let term = |text: &str| {
        smt::smtlib::parse_term(text, constants.iter().copied()).map_err(|error| error.to_string())
    };
    let bound =
        lines.take("bound ").map(|line| line.parse().map_err(|_| "a number is expected")).transpose()?;
    let (mut facts, mut carriers) = (Vec::new(), BTreeSet::new());
    while let Some(line) = lines.take("fact ") {
        facts.push(truth(term(line)?)?);
    }
    while let Some(line) = lines.take("carrier ") {
        let place = program.variables.iter().position(|variable| variable.name.as_str() == line);
        carriers.insert(VariableId(place.ok_or("there is no such variable")? as u32));
    }
    let (mut shared_predicates, mut thread_predicates) = (Vec::new(), Vec::new());
    while let Some(line) = lines.take("shared-predicate ") {
        let (scope, about) = (BTreeSet::new(), BTreeSet::new());
        shared_predicates.push(Predicate { term: truth(term(line)?)?, scope, about });
    }
    while let Some(line) = lines.take("thread-predicate ") {
        let (rest, about) = line.rsplit_once(" about").ok_or("'about' is expected")?;
        let (text, scope) = rest.rsplit_once(" at").ok_or("'at' is expected")?;
        let (scope, about) = (locations_of(scope)?, locations_of(about)?);
        thread_predicates.push(Predicate { term: truth(term(text)?)?, scope, about });
    }
    let (mut shared, mut locals, mut occurs) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(line) = lines.take("shared ") {
        let (own, digits) = line.split_once(' ').unwrap_or((line, ""));
        in_order(own, shared.len())?;
        shared.push(bits(digits, shared_predicates.len())?);
    }
    while let Some(line) = lines.take("local ") {
        let (own, rest) = line.split_once(" at ").ok_or("'at' is expected")?;
        in_order(own, locals.len())?;
        let (location, digits) = rest.split_once(' ').unwrap_or((rest, ""));
        let location = LocationId(number(location)?);
        locals.push(Local { location, bits: bits(digits, thread_predicates.len())? });
    }
    let error = number(lines.take("error ").ok_or("'error' is expected")?)?;
    while let Some(line) = lines.take("occurs ") {
        let (own, with) = line.split_once(" with").ok_or("'with' is expected")?;
        in_order(own, occurs.len())?;
        occurs.push(with.split_whitespace().map(number).collect::<Read<_>>()?);
    }
    let edges = lines.take("edges").ok_or("'edges' is expected")?.split_whitespace();
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
