//! What holds at statements of the source, for witnesses of correctness: conditions of C about global variables, each at a line and a column.
//!
//! The formulas are those of [`crate::modular`], found anew for the program in which every access to memory is still a step of its own (`reduce::observable`): what holds at a location of the reduced program says
//! nothing about the moments that the reductions left out. They hold whenever *some* thread is at the location, whatever others do.
//!
//! When control is at the beginning of a statement, the thread is at a location with a step whose first origin is the statement, provided that the statement itself begins with a step:
//! - A statement that calls a function begins inside of the function. So all that counts is statements of variables, numbers and operators, and assertions about these ([`is_plain`]).
//! - A step may have several origins (an atomic section, several local steps). What comes second happens inside of the step, where nobody knows what holds; a statement that is such a part anywhere is left out.
//! - A statement of several accesses is several locations; one of their conditions holds, and this is what is said. So it does not matter which of them is the first.
//!
//! Names are those of global variables of integer type that no local of the same function hides.

use crate::modular::{self, InC};
use crate::options::Options;
use console::Console;
use console::input::{Loaded, Stage};
use frontend::program::{LocationId, Position, Program, Scope, VariableId};
use report::task::Job;
use report::witness::Claim;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::SolverError;
use std::collections::{BTreeMap, BTreeSet};

/// A condition that holds whenever control is at the beginning of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Where the statement begins.
    pub position: Position,
    /// The function.
    pub function: String,
    /// In C.
    pub condition: String,
}

/// More locations take too long.
const LOCATIONS: usize = 400;

/// What holds at statements of a program that is safe, as it was translated. Nothing where that takes too much.
pub fn observe(translated: Program, options: &Options) -> Result<Vec<Observation>, SolverError> {
    let names = Names::of(&translated);
    let program = frontend::reduce::observable(translated);
    if program.locations.len() > LOCATIONS {
        return Ok(Vec::new());
    }
    let statements = statements(&program, &names);
    let global = |id: VariableId| names.global(&program, id);
    let Some(known) = modular::in_c(&program, options, &global)? else { return Ok(Vec::new()) };
    let said = statements.into_iter().filter_map(|((position, function), locations)| {
        let at = locations.iter().filter_map(|location| match &known[location.index()] {
            InC::Never => None,
            InC::Known(conditions) => Some(conditions),
        });
        let ways: BTreeSet<String> = at.map(|conditions| names.condition(&function, conditions)).collect();
        (!ways.is_empty() && !ways.contains("")).then(|| Observation {
            position,
            condition: joined(ways.into_iter().collect(), " || "),
            function,
        })
    });
    Ok(said.collect())
}

/// The same for the witness of a job. A solver that fails leaves a witness that says less.
pub fn claims(job: &Job<'_>) -> console::Result<Vec<Claim>> {
    let translated = Loaded::load(&job.args.input, &Stage::Lowered, Console::plain(), |_| Ok(()))?.program;
    let files = translated.files.clone();
    let observed = observe(translated, &Options::default()).unwrap_or_default();
    let claim = |observation: Observation| {
        let Position { file, line, column } = observation.position;
        let file = files.get(file.index()).cloned().unwrap_or_default();
        Claim { file, line, column, function: observation.function, condition: observation.condition }
    };
    Ok(observed.into_iter().map(claim).collect())
}

/// Conditions as one.
fn joined(conditions: Vec<String>, operator: &str) -> String {
    match conditions.len() {
        1 => conditions.into_iter().next().unwrap_or_default(),
        _ => conditions.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(operator),
    }
}

/// The names of the source.
struct Names {
    /// All variables by their own names.
    all: FxHashSet<String>,
    /// Functions with the names of their locals.
    locals: FxHashSet<(String, String)>,
}

impl Names {
    fn of(program: &Program) -> Names {
        let split =
            |name: &str| name.rsplit_once("::").map(|(function, own)| (function.to_owned(), own.to_owned()));
        let names = || program.variables.iter().map(|variable| variable.name.as_str());
        Names {
            all: names().map(|name| split(name).map_or_else(|| name.to_owned(), |(_, own)| own)).collect(),
            locals: names().filter_map(split).collect(),
        }
    }

    /// The name of a global variable of the user's that is a number.
    fn global(&self, program: &Program, id: VariableId) -> Option<String> {
        let variable = program.variable(id);
        let name = variable.name.as_str();
        let file = program.files.get(variable.position.file.index())?;
        let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let is_the_users = variable.position.is_some() && !file.starts_with('<');
        (variable.scope == Scope::Shared && is_name && is_the_users).then(|| name.to_owned())
    }

    /// What can be said in a function: a local hides the global variable of its name.
    fn condition(&self, function: &str, conditions: &[String]) -> String {
        let is_seen = |condition: &&String| {
            let name = condition.split(' ').next().unwrap_or_default();
            !self.locals.contains(&(function.to_owned(), name.to_owned()))
        };
        conditions.iter().filter(is_seen).cloned().collect::<Vec<_>>().join(" && ")
    }
}

/// Words that a plain statement may have beside variables.
const WORDS: [&str; 12] = [
    "int", "unsigned", "signed", "char", "short", "long", "_Bool", "bool", "true", "false", "assert",
    "return",
];

/// Whether a statement has variables, numbers and operators only, so that its first step is its own.
fn is_plain(text: &str, names: &Names) -> bool {
    let Some(text) = text.strip_suffix(';') else { return false };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let operators = |letter: char| " \t+-*/%=<>!&|^~?:,()".contains(letter);
    if !text.chars().all(|letter| is_letter(letter) || operators(letter)) {
        return false;
    }
    let mut rest = text;
    while let Some(start) = rest.find(is_letter) {
        let word = &rest[start..];
        let end = word.find(|letter| !is_letter(letter)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
        let is_call = after.trim_start().starts_with('(') && word != "assert" && word != "return";
        if is_call || !(is_number || WORDS.contains(&word) || names.all.contains(word)) {
            return false;
        }
        rest = after;
    }
    true
}

/// Statements with the locations where they begin, or go on.
fn statements(program: &Program, names: &Names) -> BTreeMap<(Position, String), Vec<LocationId>> {
    let mut inside: FxHashSet<Position> = FxHashSet::default();
    let mut functions: FxHashMap<Position, FxHashSet<String>> = FxHashMap::default();
    let mut found: BTreeMap<(Position, String), Vec<LocationId>> = BTreeMap::new();
    for edge in &program.edges {
        let mut places = edge.origin.iter();
        let Some(first) = places.next() else { continue };
        inside.extend(places.map(|origin| origin.position).filter(|position| *position != first.position));
        functions.entry(first.position).or_default().insert(first.function.to_string());
        let file = program.files.get(first.position.file.index()).map_or("<", String::as_str);
        if first.position.is_some() && !file.starts_with('<') && is_plain(first.text.as_str(), names) {
            let locations = found.entry((first.position, first.function.to_string())).or_default();
            if !locations.contains(&edge.from) {
                locations.push(edge.from);
            }
        }
    }
    // A place in a macro may be several statements, or in several functions.
    found.retain(|(position, _), _| !inside.contains(position) && functions[position].len() == 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let all = ["x", "y", "flag"].map(str::to_owned).into_iter().collect();
        Names { all, locals: [("f".to_owned(), "y".to_owned())].into_iter().collect() }
    }

    #[test]
    fn statements_that_begin_elsewhere_are_not_plain() {
        for text in ["x = y + 1;", "x++;", "assert(x == 1);", "int y = x;", "x = (y & 3) ? 1 : 0x10;"] {
            assert!(is_plain(text, &names()), "{text}");
        }
        for text in [
            "x = f();",
            "x = y(1);",
            "SWAP;",
            "x = f(y);",
            "while (x)",
            "x = a[1];",
            "static int y = 1;",
            "lock(&x);",
        ] {
            assert!(!is_plain(text, &names()), "{text}");
        }
    }

    #[test]
    fn locals_hide_globals() {
        let conditions = ["x == 1".to_owned(), "y <= 2".to_owned()];
        assert_eq!(names().condition("f", &conditions), "x == 1");
        assert_eq!(names().condition("g", &conditions), "x == 1 && y <= 2");
    }
}
