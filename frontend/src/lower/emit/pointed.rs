//! Operations on the whole object that a pointer points to.

use super::{Emitter, PropertyKind};
use crate::lower::expand::Step;
use crate::lower::graph::{ObjectId, RegisterId, Storage};
use crate::program::{LocationId, Origin};
use smt::Term;
use std::collections::BTreeSet;

impl Emitter<'_, '_, '_> {
    /// Each object that the pointer may point to, with the condition that it points into it, and its address and size.
    fn pointed(&mut self, pointer: Term) -> Vec<(ObjectId, Term, u64)> {
        let value = self.term(pointer);
        let width = self.lowerer.pointer_width();
        let objects: BTreeSet<ObjectId> =
            self.memory.points_to.of_term(pointer).into_iter().map(|(object, _)| object).collect();
        let mut found = Vec::new();
        for object in objects {
            let slots = match self.lowerer.objects[object.index()].storage {
                Storage::Code(_) => continue,
                Storage::Heap(slots) => slots.max(1),
                _ => 1,
            };
            let size = self.memory.slot_size(object).saturating_mul(slots);
            let offset = value.bv_sub(self.memory.address(object));
            found.push((object, offset.ult(Term::bv(width, u128::from(size))), size));
        }
        found
    }

    /// All scalars of the object get any value: in one step, which may be repeated.
    pub(super) fn forget_pointed(&mut self, pointer: Term, step: &Step, origin: Vec<Origin>) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let mut none = Term::tru();
        for (object, condition, _) in self.pointed(pointer) {
            none = none.and(condition.not());
            let (mut assign, mut inputs) = (Vec::new(), Vec::new());
            for leaf in 0..self.memory.leaves(object).len() {
                let variable = self.leaf(object, leaf);
                let input = self.input(self.program.variables[variable.index()].data_type.sort());
                assign.push((variable, input.term()));
                inputs.push(input);
            }
            self.edge(from, to, condition, assign, inputs, origin.clone());
        }
        // A pointer to nothing that is known: nothing that is known changes.
        self.edge(from, to, none, Vec::new(), Vec::new(), origin);
    }

    /// The size of the heap object that starts where the pointer points to.
    pub(super) fn object_size(
        &mut self,
        register: RegisterId,
        pointer: Term,
        step: &Step,
        origin: Vec<Origin>,
    ) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let width = self.lowerer.pointer_width();
        let target = self.register(register);
        let value = self.term(pointer);
        let mut none = Term::tru();
        for (object, _, _) in self.pointed(pointer) {
            let about = &self.lowerer.objects[object.index()];
            let Storage::Heap(slots) = about.storage else { continue };
            let Some(size) = self.lowerer.types.size(&about.ty) else { continue };
            let stride = self.memory.slot_size(object);
            for slot in 0..slots.max(1) {
                let address = self.memory.address(object).bv_add(Term::bv(width, u128::from(slot * stride)));
                let here = value.equals(address);
                none = none.and(here.not());
                let assign = vec![(target, Term::bv(width, u128::from(size)))];
                self.edge(from, to, here, assign, Vec::new(), origin.clone());
            }
        }
        let message = "the size of the object that realloc is given is not known";
        let (function, place) = (step.source.function, step.source.span.0);
        let limit = self.target(PropertyKind::Limit, message, function, place, step.source);
        self.edge(from, limit, none, Vec::new(), Vec::new(), origin);
    }
}
