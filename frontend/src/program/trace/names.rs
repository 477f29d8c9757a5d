//! Variables as the user knows them, and which of them are not the user's at all.

use super::Access;
use crate::program::infix::Infix;
use crate::program::meaning::{Meaning, Meanings};
use crate::program::{DataType, Input, Position, Program, VariableId};
use rustc_hash::FxHashSet;
use smt::{Sort, Symbol, Value};

/// Which variables are the translation's or the library's own.
pub struct Names<'a> {
    program: &'a Program,
    pub(super) infix: Infix<'a>,
    /// Shared variables through which new threads get what they start with.
    mailboxes: FxHashSet<Symbol>,
    /// Words of the source that an index follows.
    indexed: FxHashSet<&'static str>,
    meanings: Meanings<'a>,
}

impl<'a> Names<'a> {
    /// Of a program.
    pub fn new(program: &'a Program) -> Names<'a> {
        let starts = program.edges.iter().filter(|edge| Some(edge.from) == program.pool);
        let constants = starts.flat_map(|edge| {
            let given = edge.assign.iter().flat_map(|(_, term)| term.constants());
            edge.guard.constants().into_iter().chain(given).collect::<Vec<_>>()
        });
        let names = constants.filter_map(|term| term.as_constant());
        let mailboxes = names.filter(|name| name.as_str().starts_with("spawn.")).collect();
        let texts = program.edges.iter().flat_map(|edge| &edge.origin).map(|origin| origin.text);
        let indexed = texts.collect::<FxHashSet<Symbol>>().into_iter().flat_map(indexed).collect();
        Names {
            program,
            infix: Infix::for_people(program),
            mailboxes,
            indexed,
            meanings: Meanings::new(program),
        }
    }

    /// The function that a thread is created for by a write to this variable.
    pub(super) fn created_function(&self, variable: VariableId) -> Option<&'static str> {
        let name = self.program.variable(variable).name;
        let function = name.as_str().strip_prefix("spawn.").filter(|_| self.mailboxes.contains(&name))?;
        (!function.contains('.')).then_some(function)
    }

    /// Whether a variable is none of the user's: a temporary, a mailbox, the record of a thread, a variable of the models.
    pub fn is_internal(&self, variable: VariableId) -> bool {
        let variable = self.program.variable(variable);
        let name = variable.name.as_str();
        let is_record = name.starts_with("thread:");
        let is_slot_in_use = name.starts_with("heap:") && name.ends_with(".used");
        is_record
            || is_slot_in_use
            || name.contains(['$', '@'])
            || self.mailboxes.contains(&variable.name)
            || !is_users(self.program, variable.position)
    }

    /// What a variable is that the user has given no name.
    pub(super) fn meaning(&self, variable: VariableId) -> Option<Meaning> {
        self.meanings.of(self.program.variable(variable))
    }

    /// The name of any variable, whoever has named it.
    pub(super) fn spelled(&self, variable: VariableId) -> String {
        let full = self.program.variable(variable).name;
        self.meaning(variable).map_or_else(|| full.to_string(), |meaning| meaning.brief())
    }

    /// The lock that an access is about, if it is to the part of a lock that says whether it is taken.
    pub(super) fn lock(&self, access: &Access) -> Option<String> {
        let Some(Meaning::Taken(lock)) = self.meaning(access.variable) else { return None };
        let index = access.index.as_ref().map(|index| format!("[{}]", self.infix.chosen(index)));
        Some(lock + &index.unwrap_or_default())
    }

    /// The name inside of a function.
    pub fn shown(&self, variable: VariableId, function: Option<Symbol>) -> &'static str {
        let full = self.program.variable(variable).name.as_str();
        let own = full.split_once("::").filter(|(of, _)| function.is_none_or(|name| name.as_str() == *of));
        let name = own.map_or(full, |(_, name)| name);
        // A second variable of the same name has a number.
        name.split_once('#').map_or(name, |(name, _)| name)
    }

    /// What a step has chosen: `f() returns 3`, where it is the result of a function.
    pub(super) fn input(&self, input: &Input, value: &Value) -> String {
        match (input.result_of(), input.sort) {
            (Some((function, signed)), Sort::BitVec(width)) => {
                format!("{function}() returns {}", self.infix.value(&DataType::Int { width, signed }, value))
            }
            (Some((function, _)), _) => format!("{function}() returns {}", self.infix.chosen(value)),
            (None, _) => format!("{} is {}", input.name, self.infix.chosen(value)),
        }
    }

    /// The name, with the index of an element.
    pub fn accessed(&self, access: &Access, function: Option<Symbol>) -> String {
        let name = self.shown(access.variable, function);
        let index = access.index.as_ref().map(|index| format!("[{}]", self.infix.chosen(index)));
        let index = index.unwrap_or_default();
        match self.member(name) {
            Some((array, member)) => format!("{array}{index}.{member}"),
            None => format!("{name}{index}"),
        }
    }

    /// The array of structures and the member of its elements, if the source says that it is the array that has an index: the scalars of all elements are
    /// one variable, `a.x` for `a[0].x` and `a[1].x`.
    fn member(&self, name: &'static str) -> Option<(&'static str, &'static str)> {
        let (array, member) = name.split_once('.')?;
        let is_array = self.indexed.contains(array.rsplit("::").next().unwrap_or(array));
        let mut parts = member.split('.');
        (is_array && !parts.any(|part| self.indexed.contains(part))).then_some((array, member))
    }
}

/// The words in a piece of source that an index follows.
fn indexed(text: Symbol) -> impl Iterator<Item = &'static str> {
    let text: &'static str = text.as_str();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices('[').map(move |(at, _)| {
        let before = text[..at].trim_end();
        &before[before.trim_end_matches(is_part).len()..]
    })
}

/// Whether a value that a step chooses has no name that the user knows.
pub(super) fn is_internal_input(input: &Input) -> bool {
    let name = input.name.as_str();
    name.starts_with('?') || name.contains(['$', '@']) || name.starts_with("atomic.choice")
}

/// Whether a place is in a file of the user's, not in a model or a generated part.
pub(super) fn is_users(program: &Program, position: Position) -> bool {
    match program.files.get(position.file.index()) {
        // Programs need not say where things are.
        None => true,
        Some(file) => !position.is_some() || !file.starts_with('<') || file == "<stdin>",
    }
}

/// Whether a text has a name as it is, with its members.
pub(super) fn has_whole(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = text.match_indices(name).filter(|_| !name.is_empty());
    places.any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

/// Whether a text has a name as a word of its own.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    has_whole(text, name.split(['.', '[', '>']).next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_an_index() {
        let words = |text| indexed(Symbol::new(text)).collect::<Vec<_>>();
        assert_eq!(words("a[i].b = c [b[0]].d;"), ["a", "c", "b"]);
        assert_eq!(words("[0] = f()[1]"), ["", ""]);
    }

    #[test]
    fn words() {
        assert!(mentions("a[i] = 1;", "i") && mentions("m.lock", "m.lock.locked"));
        assert!(has_whole("b.a++;", "b.a") && !has_whole("lock(&b.lock)", "b.a"));
        assert!(!mentions("int j = iii;", "i") && !mentions("", "x"));
    }
}
