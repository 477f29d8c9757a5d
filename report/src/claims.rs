//! What holds at places of the source, as C expressions, for correctness witnesses.
//!
//! An engine says what holds for a thread at each location of a program whose steps are the accesses of the source: nothing was merged, so every place where a thread can stand while others work is a location, and
//! no state is left out. A claim about a statement has to hold whenever a thread is about to execute it, in every copy of its function. So
//! - the locations with the position of the statement must all be there: as many as the translation made (atomic sections lose theirs), and what is claimed holds at each of them;
//! - the position begins a statement, as far as the text tells: after `;`, `{` or `}`, outside of parentheses;
//! - every assignment of the source to a shared variable that is mentioned is still there: one that nobody reads may have been dropped. Locals are mentioned where they are live only, which is for the engine to see to;
//! - it is about variables that the source has under this name there: declared with a plain type of integers, of the function or shared, not hidden by another of that name.
//!
//! What is not certain to be a claim about the source is not claimed.

mod expression;
mod source;

use crate::claims::expression::{Names, expression};
use crate::claims::source::Source;
use frontend::program::{FileId, LocationId, Position, Program};
use smt::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Something that holds before a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where the statement begins.
    pub line: u32,
    /// The same.
    pub column: u32,
    /// The function that it belongs to.
    pub function: String,
    /// A C expression over variables that are visible there.
    pub value: String,
}

/// What holds, place by place: `holds` by location of `program`, which has the steps of `translated` without its atomic sections. `file` is the name of the text.
pub fn claims(
    (translated, program): (&Program, &Program),
    holds: &[Vec<Term>],
    (file, text): (&str, &str),
) -> Vec<Claim> {
    let is_file = |id: FileId| program.files.get(id.0 as usize).is_some_and(|name| name == file);
    let source = Source::new(text);
    let made = by_position(translated);
    let kept = kept(translated, program);
    let mut claims = Vec::new();
    for ((position, function), locations) in by_position(program) {
        let here = (position.line, position.column);
        let all = made.get(&(position, function.clone())).map_or(0, Vec::len);
        if !is_file(position.file) || all != locations.len() || !source.begins_statement(here) {
            continue;
        }
        let names = Names::new(program, &kept, &source, position, &function);
        let parts = common(holds, &locations).into_iter();
        let mut values: Vec<String> = parts.filter_map(|part| expression(part, &names)).collect();
        values.sort();
        values.dedup();
        if !values.is_empty() {
            let (line, column) = here;
            claims.push(Claim { line, column, function, value: values.join(" && ") });
        }
    }
    claims
}

/// The names of variables all of whose assignments are still there.
fn kept(translated: &Program, program: &Program) -> BTreeSet<Symbol> {
    let assigned = |program: &Program| {
        let mut found: BTreeMap<String, BTreeSet<(Position, String)>> = BTreeMap::new();
        for edge in &program.edges {
            let places = edge.origin.iter().map(|origin| (origin.position, origin.text.to_string()));
            let places: Vec<(Position, String)> = places.collect();
            for (id, _) in &edge.assign {
                let name = program.variable(*id).name.to_string();
                let known = found.entry(name).or_default();
                // A place that nobody can name is one that nobody finds again.
                known.extend(if places.is_empty() {
                    vec![(Position::NONE, String::new())]
                } else {
                    places.clone()
                });
            }
        }
        found
    };
    let (before, after) = (assigned(translated), assigned(program));
    let is_kept = |name: &str| match (before.get(name), after.get(name)) {
        (None, None) => true,
        (Some(before), Some(after)) => {
            before.is_subset(after) && !before.contains(&(Position::NONE, String::new()))
        }
        _ => false,
    };
    program.variables.iter().map(|variable| variable.name).filter(|name| is_kept(name.as_str())).collect()
}

/// Locations of the source by position and function.
fn by_position(program: &Program) -> BTreeMap<(Position, String), Vec<LocationId>> {
    let mut found: BTreeMap<(Position, String), Vec<LocationId>> = BTreeMap::new();
    for (index, location) in program.locations.iter().enumerate() {
        if location.position.is_some()
            && location.position.column > 0
            && !location.function.as_str().is_empty()
        {
            let key = (location.position, location.function.as_str().to_owned());
            found.entry(key).or_default().push(LocationId(index as u32));
        }
    }
    found
}

/// What is said at each of these locations; a location that nobody gets to says everything.
fn common(holds: &[Vec<Term>], locations: &[LocationId]) -> Vec<Term> {
    let parts = |location: &LocationId| -> Vec<Term> {
        holds[location.index()].iter().flat_map(|part| part.conjuncts()).collect()
    };
    let mut reached = locations.iter().map(parts).filter(|parts| !parts.iter().any(|part| part.is_false()));
    let Some(first) = reached.next() else { return Vec::new() };
    let others: Vec<BTreeSet<String>> =
        reached.map(|parts| parts.iter().map(ToString::to_string).collect()).collect();
    let is_common = |part: &Term| others.iter().all(|other| other.contains(&part.to_string()));
    first.into_iter().filter(is_common).collect()
}
