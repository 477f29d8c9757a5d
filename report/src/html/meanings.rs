//! What variables are that the user has given no name: values between two steps of a statement, and what the models of locks keep. Pages speak of what was
//! read where, and of locks that are held.

use frontend::program::{Program, Scope, Variable};
use smt::Term;
use std::collections::HashMap;

/// What a variable is that the user has given no name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// What was read from a variable, in a line.
    Read(String, u32),
    /// What a function has returned, in a line.
    Result(String, u32),
    /// Some value of a line.
    Value(u32),
    /// Whether a lock is taken.
    Taken(String),
    /// Whether a thread holds a lock.
    Held(String),
    /// Whether a thread for a function has been created that has not started yet.
    Created(String),
}

/// Finds out what they are.
pub(super) struct Meanings<'a> {
    program: &'a Program,
    /// By name: the terms that are assigned to it, if it has no name of the user's.
    values: HashMap<&'static str, Vec<(Term, Option<String>)>>,
    /// Whether the source has these words: then they are the user's.
    has_lock: bool,
}

impl<'a> Meanings<'a> {
    /// For the variables of a program.
    pub(super) fn new(program: &'a Program) -> Meanings<'a> {
        let mut values: HashMap<&'static str, Vec<(Term, Option<String>)>> = HashMap::new();
        for edge in &program.edges {
            for (id, term) in &edge.assign {
                let name = program.variable(*id).name.as_str();
                let input = edge.inputs.iter().find(|input| input.term() == *term);
                let function =
                    input.and_then(|input| input.result_of()).map(|(function, _)| function.to_owned());
                if is_unnamed(name) {
                    // Steps that became one: what was read is what was written just before.
                    let same = edge.assign.iter().find(|(other, value)| {
                        let other = program.variable(*other);
                        value == term && other.scope == Scope::Shared && !is_unnamed(other.name.as_str())
                    });
                    let read = same.filter(|_| term.as_constant().is_none());
                    let read = read.map_or(*term, |(other, _)| program.variable(*other).term());
                    values.entry(name).or_default().push((read, function));
                }
            }
        }
        let mut texts = program.edges.iter().flat_map(|edge| &edge.origin).filter(|origin| {
            program.files.get(origin.position.file.index()).is_none_or(|file| !file.starts_with('<'))
        });
        let has_lock = texts
            .any(|origin| origin.text.as_str().contains(".lock.") || origin.text.as_str().contains("locked"));
        Meanings { program, values, has_lock }
    }

    /// What a variable is; none if it has a name of the user's.
    pub(super) fn of(&self, variable: &Variable) -> Option<Meaning> {
        let name = variable.name.as_str();
        let line = variable.position.line;
        if is_unnamed(name) && variable.position.is_some() {
            let all = self.values.get(name).map_or(&[][..], Vec::as_slice);
            let first = all.first().filter(|first| all.iter().all(|other| other == *first));
            return Some(match first {
                Some((_, Some(function))) => Meaning::Result(function.clone(), line),
                Some((term, None)) => match self.users(*term) {
                    Some(read) => Meaning::Read(read, line),
                    None => Meaning::Value(line),
                },
                None => Meaning::Value(line),
            });
        }
        if let Some(function) = name.strip_prefix("spawn.").filter(|rest| !rest.contains('.')) {
            return Some(Meaning::Created(function.to_owned()));
        }
        let lock = |part: &str| {
            let base = name.strip_suffix(part).filter(|_| !self.has_lock)?;
            let base = base.strip_suffix(".mutex").unwrap_or(base);
            Some(base.rsplit("::").next().unwrap_or(base).to_owned())
        };
        lock(".lock.locked").map(Meaning::Taken).or_else(|| lock(".lock.mine").map(Meaning::Held))
    }

    /// The name of a variable, if the term is one that has a name.
    fn users(&self, term: Term) -> Option<String> {
        let name = term.as_constant()?;
        let name = self.program.variables.iter().find(|variable| variable.name == name)?.name.as_str();
        let brief = name.rsplit("::").next().unwrap_or(name);
        (!is_unnamed(name)).then(|| brief.to_owned())
    }
}

/// Whether the translation has made the name.
pub(super) fn is_unnamed(name: &str) -> bool {
    name.rsplit("::").next().is_some_and(|brief| brief.starts_with('$'))
}
