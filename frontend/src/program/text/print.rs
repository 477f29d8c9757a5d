//! From programs to text.

use super::is_bare;
use crate::program::{
    Assumption, Broadcast, DataType, Edge, Input, Location, Position, Program, Property, RaceAccess, Scope,
    Target, Variable, VariableId,
};
use smt::{Bits, Sort, Term, Value};
use std::fmt::{self, Display, Formatter};

/// The text of a valid program.
pub fn print(program: &Program) -> String {
    Text(program).to_string()
}

struct Text<'a>(&'a Program);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.0;
        writeln!(f, "program 1\n")?;
        for (number, file) in program.files.iter().enumerate() {
            writeln!(f, "file {number} {}", Quoted(file))?;
        }
        for (number, note) in program.notes.iter().enumerate() {
            write!(f, "note {number} {}", note.effect.word())?;
            if let Some(kind) = note.assumption.filter(|kind| *kind != Assumption::Other) {
                write!(f, " {}", kind.word())?;
            }
            writeln!(f, "{} {}", At(note.position), Quoted(&note.message))?;
        }
        section(f, &program.addresses, |f, address| {
            let name = Name(address.name.as_str());
            writeln!(f, "address {name} = {} size {}", address.address, address.size)
        })?;
        section(f, &program.variables, variable)?;
        writeln!(f)?;
        for (number, place) in program.locations.iter().enumerate() {
            location(f, program, number, place)?;
        }
        writeln!(f, "main {}", program.main.0)?;
        if let Some(pool) = program.pool {
            writeln!(f, "pool {}", pool.0)?;
        }
        for (number, step) in program.edges.iter().enumerate() {
            edge(f, program, number, step)?;
        }
        section(f, &program.properties, property)?;
        section(f, &program.predicates, |f, predicate| {
            writeln!(f, "predicate{} {}", At(predicate.position), predicate.term)
        })
    }
}

/// An empty line and all elements, if there are any.
fn section<T>(
    f: &mut Formatter<'_>,
    elements: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    if !elements.is_empty() {
        writeln!(f)?;
    }
    elements.iter().try_for_each(|element| write(f, element))
}

fn variable(f: &mut Formatter<'_>, variable: &Variable) -> fmt::Result {
    let scope = match variable.scope {
        Scope::Shared => "shared",
        Scope::Local => "local",
    };
    write!(f, "{scope} {}: {}", Name(variable.name.as_str()), variable.data_type)?;
    if let Some(init) = &variable.init {
        write!(f, " = ")?;
        value(f, &variable.data_type, init)?;
    }
    if variable.identity {
        write!(f, " identity")?;
    }
    writeln!(f, "{}", At(variable.position))
}

fn value(f: &mut Formatter<'_>, data_type: &DataType, init: &Value) -> fmt::Result {
    match (data_type, init) {
        (DataType::Int { signed, .. }, Value::Bits(bits)) => f.write_str(&number(bits, *signed)),
        (DataType::Array { element, .. }, Value::Array(array)) => {
            write!(f, "{{")?;
            for (index, entry) in array.entries() {
                write!(f, "{}: ", number(index, false))?;
                value(f, element, entry)?;
                write!(f, ", ")?;
            }
            write!(f, "else ")?;
            value(f, element, array.default())?;
            write!(f, "}}")
        }
        _ => write!(f, "{init}"),
    }
}

/// Decimal up to 128 bits.
fn number(bits: &Bits, signed: bool) -> String {
    let decimal = match bits.width() {
        0..=128 if signed => bits.to_i128().map(|number| number.to_string()),
        0..=128 => bits.to_u128().map(|number| number.to_string()),
        _ => None,
    };
    decimal.unwrap_or_else(|| bits.to_string())
}

fn location(f: &mut Formatter<'_>, program: &Program, number: usize, location: &Location) -> fmt::Result {
    write!(f, "location {number}{}{}", In(location.function.as_str()), At(location.position))?;
    if location.atomic {
        write!(f, " atomic")?;
    }
    if !location.may_end.is_false() {
        write!(f, " may_end")?;
    }
    for (index, &live) in location.live.iter().enumerate() {
        write!(f, "{} {}", if index == 0 { " live" } else { "," }, variable_name(program, live))?;
    }
    writeln!(f)
}

fn edge(f: &mut Formatter<'_>, program: &Program, number: usize, edge: &Edge) -> fmt::Result {
    writeln!(f, "\nedge {number}: {} -> {}", edge.from.0, edge.to.0)?;
    inputs(f, "input", &edge.inputs)?;
    if !edge.guard.is_true() {
        writeln!(f, "  guard {}", edge.guard)?;
    }
    assignments(f, program, "assign", &edge.assign)?;
    let Broadcast { assign, inputs: passive } = &edge.broadcast;
    inputs(f, "passive input", passive)?;
    assignments(f, program, "passive assign", assign)?;
    if let Some(note) = edge.approximate {
        writeln!(f, "  approximate {}", note.0)?;
    }
    for origin in &edge.origin {
        let (function, text) = (In(origin.function.as_str()), Quoted(origin.text.as_str()));
        writeln!(f, "  origin{}{function} {text}", At(origin.position))?;
    }
    Ok(())
}

fn inputs(f: &mut Formatter<'_>, word: &str, inputs: &[Input]) -> fmt::Result {
    let mut all = inputs.iter();
    all.try_for_each(|input| writeln!(f, "  {word} {}: {}", Name(input.name.as_str()), Typed(input.sort)))
}

fn assignments(
    f: &mut Formatter<'_>,
    program: &Program,
    word: &str,
    assign: &[(VariableId, Term)],
) -> fmt::Result {
    let mut all = assign.iter();
    all.try_for_each(|(id, term)| writeln!(f, "  {word} {} := {term}", variable_name(program, *id)))
}

fn variable_name(program: &Program, id: VariableId) -> Name<'_> {
    Name(program.variables.get(id.index()).map_or("", |variable| variable.name.as_str()))
}

fn property(f: &mut Formatter<'_>, property: &Property) -> fmt::Result {
    write!(f, "property {} {}", Name(&property.name), property.kind.word())?;
    write!(f, "{} {} ", At(property.position), Quoted(&property.description))?;
    match &property.target {
        Target::Location(location) => writeln!(f, "at {}", location.0),
        Target::Race(first, second) => writeln!(f, "race {} with {}", Access(first), Access(second)),
    }
}

struct Access<'a>(&'a RaceAccess);

impl Display for Access<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.location.0)?;
        self.0.index.map_or(Ok(()), |index| write!(f, " [{index}]"))?;
        if self.0.write { write!(f, " write") } else { Ok(()) }
    }
}

/// A position with a space before, or nothing.
struct At(Position);

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Position::NONE => Ok(()),
            Position { file, line, column } => write!(f, " @{}:{line}:{column}", file.0),
        }
    }
}

/// A function's name, or nothing.
struct In<'a>(&'a str);

impl Display for In<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " in {}", Name(self.0)) }
    }
}

/// A sort in the notation of types.
struct Typed(Sort);

impl Display for Typed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Sort::Bool => write!(f, "bool"),
            Sort::BitVec(width) => write!(f, "u{width}"),
            Sort::Array(array) => write!(f, "[{} by {}]", Typed(array.element), Typed(array.index)),
        }
    }
}

/// A word if possible, otherwise a string.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_bare(self.0) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// A string.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                other if other.is_control() => write!(f, "{}", other.escape_unicode())?,
                other => write!(f, "{other}")?,
            }
        }
        f.write_str("\"")
    }
}
