//! The user's predicates, over variables.

use super::Emitter;
use crate::lower::graph::ObjectId;
use crate::program::UserPredicate;
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};

impl Emitter<'_, '_, '_> {
    /// Replaces the symbols of memory (`%object:offset`) by variables.
    pub(super) fn symbolic(&mut self, term: Term) -> Term {
        let mut map = FxHashMap::default();
        for constant in term.constants() {
            let Some(name) = constant.as_constant() else { continue };
            let text = name.as_str();
            let (plain, is_passive) = match text.strip_suffix("@P") {
                Some(plain) => (plain, true),
                None => (text, false),
            };
            let variable =
                if let Some((object, offset)) = plain.strip_prefix('%').and_then(|p| p.split_once(':')) {
                    let (Ok(object), Ok(offset)) = (object.parse::<u32>(), offset.parse::<u64>()) else {
                        continue;
                    };
                    let object = ObjectId(object);
                    let cells = &self.memory.layout(object).cells;
                    let Some(cell) = cells.iter().position(|l| l.offset == offset) else {
                        continue;
                    };
                    self.memory.variable(object, cell)
                } else if let Some(register) = self.register_names.get(&Symbol::new(plain)) {
                    self.register(*register)
                } else {
                    continue;
                };
            let about = self.memory.variables.get(variable);
            let new = if is_passive { about.passive_term() } else { about.term() };
            if new.sort() == constant.sort() {
                map.insert(constant, new);
            }
        }
        term.substitute(&map)
    }

    pub(super) fn predicates(&mut self) {
        for (term, offset) in &self.code.predicates {
            let term = self.term(*term);
            let term = self.symbolic(term);
            let position = self.position(*offset);
            self.program.predicates.push(UserPredicate { term, position });
        }
    }
}
