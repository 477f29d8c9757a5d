//! Operations on the whole object that a pointer points to.

use super::Emitter;
use crate::lower::expand::Step;
use crate::lower::graph::{ObjectId, RegisterId, Storage};
use crate::lower::memory::INDEX_WIDTH;
use crate::program::{LocationId, Origin};
use smt::Term;
use std::collections::BTreeSet;

impl Emitter<'_, '_, '_> {
    /// Each object that the pointer may point to.
    fn pointed(&self, pointer: Term) -> BTreeSet<ObjectId> {
        let targets = self.memory.points_to.of_term(pointer);
        let objects = targets.iter().map(|(object, _)| object);
        objects.filter(|o| !matches!(self.code.objects[o.index()].storage, Storage::Code(_))).collect()
    }

    /// All scalars of the object get any value: in one step, which may be repeated.
    pub(super) fn forget_pointed(&mut self, pointer: Term, step: &Step, origin: Vec<Origin>) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let mut none = Term::tru();
        for object in self.pointed(pointer) {
            let (condition, _) = self.memory.points_into(pointer, object);
            let condition = self.term(condition);
            none = none.and(condition.not());
            let (mut assign, mut inputs) = (Vec::new(), Vec::new());
            for cell in 0..self.memory.layout(object).cells.len() {
                let variable = self.memory.variable(object, cell);
                let input = self.input(self.memory.variables.get(variable).data_type.sort());
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
        let width = self.code.pointer_width();
        let target = self.register(register);
        let value = self.term(pointer);
        let mut none = Term::tru();
        for object in self.pointed(pointer) {
            if !matches!(self.code.objects[object.index()].storage, Storage::Heap(_)) {
                continue;
            }
            for slot in 0..self.memory.layout(object).slots {
                let here = value.equals(self.memory.slot_address(object, slot));
                none = none.and(here.not());
                let size = match (self.memory.layout(object).size, self.memory.size(object)) {
                    (Some(size), _) => Term::bv(width, u128::from(size)),
                    (None, Some(variable)) => {
                        self.memory.of_slot(object, variable, Term::bv(INDEX_WIDTH, u128::from(slot)))
                    }
                    (None, None) => continue,
                };
                self.edge(from, to, here, vec![(target, size)], Vec::new(), origin.clone());
            }
        }
        self.free_violation(step, from, none, "realloc is given a pointer that no allocation returned");
    }
}
