//! How predicates are shown to people: in C, and what the user has given no name is called by where it comes from, with a line that says so.
//!
//! Where predicates speak of two threads, *my* and *its* tell their variables apart. Files that programs read (`--json`, `--proof`, `--dump`) have the exact names.

use super::details;
use frontend::program::infix::Infix;
use frontend::program::meaning::{Meaning, Meanings};
use frontend::program::{Program, Scope, passive};
use monabs::Outcome;
use monabs::predicate::Class;
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};
use std::collections::BTreeSet;

/// Shows predicates of a program.
pub(super) struct Spelling<'a> {
    program: &'a Program,
    of_one: Infix<'a>,
    of_two: Infix<'a>,
    /// What the user has not named.
    meanings: FxHashMap<Symbol, (String, Meaning)>,
}

impl<'a> Spelling<'a> {
    /// For a program.
    pub(super) fn new(program: &'a Program) -> Spelling<'a> {
        let meanings = Meanings::new(program).names();
        let original = |name: &str| name.split_once('#').map_or(name, |(name, _)| name).to_owned();
        let short = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        let locals = || program.variables.iter().filter(|variable| variable.scope == Scope::Local);
        let mut uses: FxHashMap<String, BTreeSet<String>> = FxHashMap::default();
        for variable in &program.variables {
            let full = original(variable.name.as_str());
            uses.entry(short(&full)).or_default().insert(full);
        }
        let mut names: FxHashMap<Symbol, String> = FxHashMap::default();
        for variable in locals() {
            let full = original(variable.name.as_str());
            let brief = short(&full);
            let is_unique = uses.get(&brief).is_some_and(|all| all.len() == 1);
            let name = match meanings.get(&variable.name) {
                Some((brief, _)) => brief.clone(),
                None if is_unique => brief,
                None => full,
            };
            names.insert(passive(variable.name), format!("its {name}"));
            names.insert(variable.name, format!("my {name}"));
        }
        for variable in program.variables.iter().filter(|variable| variable.scope == Scope::Shared) {
            names.extend(meanings.get(&variable.name).map(|(brief, _)| (variable.name, brief.clone())));
        }
        let of_two = Infix::new(program).with_names(names);
        Spelling { program, of_one: Infix::for_people(program), of_two, meanings }
    }

    /// A predicate.
    pub(super) fn text(&self, class: Class, term: Term) -> String {
        match class {
            Class::InterThread => self.of_two.term(term),
            Class::Shared | Class::Local | Class::SingleThread => self.of_one.term(term),
        }
    }

    /// What names stand for that are in these predicates and not in the source, a line each.
    pub(super) fn legend(&self, outcome: &Outcome, terms: &[Term]) -> Vec<String> {
        let constants: BTreeSet<Symbol> =
            terms.iter().flat_map(|term| term.constants()).filter_map(Term::as_constant).collect();
        let is_used = |name: Symbol| constants.contains(&name) || constants.contains(&passive(name));
        let used = self.program.variables.iter().filter(|variable| is_used(variable.name));
        let mut lines: BTreeSet<String> = BTreeSet::new();
        for (brief, meaning) in used.filter_map(|variable| self.meanings.get(&variable.name)) {
            let explained = meaning.explained();
            match meaning {
                // It says so itself.
                Meaning::Taken(_) => false,
                Meaning::Held(_) | Meaning::Created(_) => {
                    lines.insert(format!("{brief} says whether {explained}"))
                }
                _ => lines.insert(format!("{brief} is {explained}")),
            };
        }
        for (name, counted) in details::glossary(self.program, outcome) {
            lines.insert(format!("{name} is {counted}"));
        }
        lines.into_iter().collect()
    }
}
