//! Locals whose address changes when their block is left ([`crate::lower::stale`]).

use super::Memory;
use crate::lower::graph::{Address, ObjectId};
use crate::lower::stale::FIRST;
use crate::program::{DataType, VariableId};
use rustc_hash::FxHashMap;
use smt::{Bits, Term, Value};

impl Memory<'_> {
    /// Makes the addresses of these objects variables, which stand for them in terms.
    pub(super) fn vary_addresses(&mut self, map: &mut FxHashMap<Term, Term>) {
        for (index, about) in self.objects.iter().enumerate() {
            let object = ObjectId(index as u32);
            if !self.lifetimes.is_renewed(object) {
                continue;
            }
            let (name, position) =
                (format!("{}@address", about.name), self.variables.map.position(about.offset));
            let first = Value::Bits(Bits::new(self.width, u128::from(self.layout(object).address)));
            let data_type = DataType::Int { width: self.width, signed: false };
            let id = self.variables.add(&name, self.scope(object), data_type, Some(first), position);
            self.addresses.insert(object, id);
            map.insert(self.symbol(object), self.variables.term(id));
        }
    }

    /// The address variable of the object with its next value: the next one in a row, then any of the last ones that is not this one.
    pub(crate) fn renew(&self, object: ObjectId, choice: Term) -> (VariableId, Term) {
        let id = self.addresses[&object];
        let (now, layout) = (self.variables.term(id), self.layout(object));
        let at = |number: u64| Term::bv(self.width, u128::from(layout.address + number * layout.pitch));
        let (first, middle, last) = (at(FIRST), at(FIRST + 1), at(FIRST + 2));
        let up = now.equals(first).ite(middle, now.equals(middle).ite(last, first));
        let down = now.equals(first).ite(last, now.equals(middle).ite(first, middle));
        let pitch = Term::bv(self.width, u128::from(layout.pitch));
        (id, now.ult(first).ite(now.bv_add(pitch), choice.ite(up, down)))
    }

    /// Whether the pointer has another value than the object's address when its block has been left: it was computed before.
    pub(super) fn is_told_by_address(&self, pointer: Term, object: ObjectId) -> bool {
        self.lifetimes.is_renewed(object) && !pointer.constants().contains(&self.symbol(object))
    }

    /// When the pointer is one to an earlier lifetime of the object.
    pub(super) fn is_old(&mut self, pointer: Term, object: ObjectId) -> Term {
        let layout = self.layout(object);
        let (first, all) = (layout.address, layout.pitch.saturating_mul(layout.addresses));
        let literal = |number: u64| Term::bv(self.width, u128::from(number));
        let room = literal(layout.reserved());
        let somewhere = self.values.apply(pointer).bv_sub(literal(first)).ult(literal(all));
        // The end of an object is an address of it, too.
        let now = self.values.apply(pointer.bv_sub(self.symbol(object)));
        somewhere.and(room.ult(now))
    }

    /// When an access goes through a pointer to an earlier lifetime.
    pub(crate) fn old_addresses(&mut self, address: &Address) -> Term {
        let Address::Pointer { address, bit } = address else { return Term::fls() };
        if self.addresses.is_empty() || self.decompose(*address, *bit).is_some() {
            return Term::fls();
        }
        let targets = self.points_to.of_term(*address);
        let mut objects: Vec<ObjectId> = targets.iter().map(|(object, _)| object).collect();
        objects.dedup();
        objects.retain(|object| self.lifetimes.is_renewed(*object));
        objects.into_iter().fold(Term::fls(), |any, object| any.or(self.is_old(*address, object)))
    }
}
