//! What variables are that the user has given no name: values between two steps of a statement, and what the models of locks keep. People are told of the value
//! that a line works with, and of locks that are held; files that programs read have the exact names.

use super::{Position, Program, Scope, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Symbol, Term};
use std::collections::HashMap;

/// What a variable is that the user has given no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A value of a variable that a line works with: it was read there, or before and kept.
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
    /// What a new thread for a function is given.
    Given(String),
}

impl Meaning {
    /// A short name for it, as far as possible in C: `counter@16` is the value of `counter` that line 16 works with.
    pub fn brief(&self) -> String {
        match self {
            Meaning::Read(read, line) => format!("{read}@{line}"),
            Meaning::Result(function, line) => format!("{function}()@{line}"),
            Meaning::Value(line) => format!("value@{line}"),
            Meaning::Taken(lock) => format!("{lock}.locked"),
            Meaning::Held(lock) => format!("{lock}.mine"),
            Meaning::Created(function) => format!("created({function})"),
            Meaning::Given(function) => format!("argument({function})"),
        }
    }

    /// What the short name stands for.
    pub fn explained(&self) -> String {
        match self {
            Meaning::Read(read, line) => format!("the value of {read} that line {line} works with"),
            Meaning::Result(function, line) => format!("what {function}() returned in line {line}"),
            Meaning::Value(line) => format!("a value that line {line} computes"),
            Meaning::Taken(lock) => format!("{lock} is locked"),
            Meaning::Held(lock) => format!("the thread itself holds {lock}"),
            Meaning::Created(function) => {
                format!("a thread for {function} has been created that has not started yet")
            }
            Meaning::Given(function) => format!("what the next thread for {function} is given"),
        }
    }
}

/// Finds out what they are.
#[derive(Clone, Debug)]
pub struct Meanings<'a> {
    program: &'a Program,
    declared: FxHashSet<Symbol>,
    /// By name: the terms that are assigned to it, if it has no name of the user's.
    values: HashMap<&'static str, Vec<(Term, Option<String>)>>,
    /// Whether the source has members of these names: then they are the user's.
    has_lock: bool,
    has_mutex: bool,
    has_writer: bool,
}

impl<'a> Meanings<'a> {
    /// For the variables of a program.
    pub fn new(program: &'a Program) -> Meanings<'a> {
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
        let texts = program.edges.iter().flat_map(|edge| &edge.origin).filter(|origin| {
            program.files.get(origin.position.file.index()).is_none_or(|file| !file.starts_with('<'))
        });
        let texts: FxHashSet<Symbol> = texts.map(|origin| origin.text).collect();
        let has = |member: &str| texts.iter().any(|text| is_member(text.as_str(), member));
        let (has_lock, has_mutex, has_writer) = (has("locked") || has("mine"), has("mutex"), has("writer"));
        let declared = program.variables.iter().map(|variable| variable.name).collect();
        Meanings { program, declared, values, has_lock, has_mutex, has_writer }
    }

    /// What a variable is; none if it has a name of the user's.
    pub fn of(&self, variable: &Variable) -> Option<Meaning> {
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
        if let Some(function) = name.strip_prefix("spawn.") {
            return Some(match function.split_once('.') {
                Some((function, _)) => Meaning::Given(function.to_owned()),
                None => Meaning::Created(function.to_owned()),
            });
        }
        let writer = || self.lock(name, ".writer").filter(|_| !self.has_writer);
        self.lock(name, ".lock.locked")
            .or_else(writer)
            .map(Meaning::Taken)
            .or_else(|| self.lock(name, ".lock.mine").map(Meaning::Held))
    }

    /// The lock that a variable is a part of, with the index if it is one of several: `locks[0]` for `locks.lock.mine@self[0]`.
    fn lock(&self, name: &str, part: &str) -> Option<String> {
        let (base, rest) = name.split_once(part).filter(|_| !self.has_lock)?;
        let index = rest.strip_prefix("@self").unwrap_or(rest);
        if !index.is_empty() && !index.starts_with('[') {
            return None;
        }
        // A lock of a kernel or of C11 is a mutex in a struct of its own.
        let base = if self.has_mutex { base } else { base.strip_suffix(".mutex").unwrap_or(base) };
        let brief = base.rsplit("::").next().unwrap_or(base);
        let brief = brief.split_once('#').map_or(brief, |(brief, _)| brief);
        Some(format!("{brief}{index}"))
    }

    /// Names for people of all variables that the user has given none, and what they stand for. Different values have different names; copies of one,
    /// in a function that is called from several places, have the same.
    pub fn names(&self) -> FxHashMap<Symbol, (String, Meaning)> {
        let of = |variable: &'a Variable| Some((variable, self.of(variable)?));
        let known: Vec<(&Variable, Meaning)> = self.program.variables.iter().filter_map(of).collect();
        // The variables of each short name, without copies.
        let mut same: HashMap<String, Vec<(Position, &str)>> = HashMap::new();
        for (variable, meaning) in &known {
            let key = (variable.position, original(variable.name));
            let all = same.entry(meaning.brief()).or_default();
            if !all.contains(&key) {
                all.push(key);
            }
        }
        let named = known.into_iter().map(|(variable, meaning)| {
            let brief = meaning.brief();
            let all = same.get(&brief).map_or(&[][..], Vec::as_slice);
            let key = (variable.position, original(variable.name));
            let number = all.iter().position(|other| *other == key).unwrap_or(0);
            let is_told = is_unnamed(variable.name.as_str()) && all.len() > 1;
            let suffix = if is_told { format!("#{}", number + 1) } else { String::new() };
            (variable.name, (brief + &suffix, meaning))
        });
        named.collect()
    }

    /// The name of a variable, if the term is one that has a name.
    fn users(&self, term: Term) -> Option<String> {
        let name = term.as_constant().filter(|name| self.declared.contains(name))?.as_str();
        let brief = name.rsplit("::").next().unwrap_or(name);
        (!is_unnamed(name)).then(|| brief.to_owned())
    }
}

/// Whether the translation has made the name.
pub fn is_unnamed(name: &str) -> bool {
    name.rsplit("::").next().is_some_and(|brief| brief.starts_with('$'))
}

/// The name without the number of a copy.
fn original(name: Symbol) -> &'static str {
    let name = name.as_str();
    name.split_once('#').map_or(name, |(name, _)| name)
}

/// Whether a piece of source has a member of this name.
fn is_member(text: &str, member: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut places = text.match_indices(member);
    places.any(|(at, _)| {
        (text[..at].ends_with('.') || text[..at].ends_with("->")) && ends(&text[at + member.len()..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = r#"program 1
file 0 "a.c"
shared next: u32 = 0 @0:1:1
shared locks.lock.locked: bool = false @0:2:1
local "work::$1": u32 = 0 @0:8:1
local "work::$2": u32 = 0 @0:8:9
local "work::$2#2": u32 = 0 @0:8:9
local "work::$3": i32 = 0 @0:7:1
local "locks.lock.mine@self[1]": bool = false
shared spawn.work: bool = false
location 0
main 0
edge 0: 0 -> 0
  assign work::$1 := next
edge 1: 0 -> 0
  assign work::$2 := next
edge 2: 0 -> 0
  assign "work::$2#2" := next
"#;

    #[test]
    fn values_without_a_name() {
        let program = crate::program::text::read(PROGRAM).unwrap();
        let names = Meanings::new(&program).names();
        let name = |full: &str| names[&Symbol::new(full)].0.as_str();
        // Two values of a line are told apart, copies are not.
        assert_eq!(
            [name("work::$1"), name("work::$2"), name("work::$2#2")],
            ["next@8#1", "next@8#2", "next@8#2"]
        );
        assert_eq!(name("work::$3"), "value@7");
        assert_eq!(name("locks.lock.locked"), "locks.locked");
        assert_eq!(name("locks.lock.mine@self[1]"), "locks[1].mine");
        assert_eq!(name("spawn.work"), "created(work)");
        assert!(!names.contains_key(&Symbol::new("next")));
    }

    #[test]
    fn members() {
        assert!(is_member("a.lock = 1", "lock") && is_member("p->lock", "lock"));
        assert!(!is_member("lock(a.locks)", "lock") && !is_member("a.lock_count", "lock"));
    }
}
