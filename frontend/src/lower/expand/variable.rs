//! Variable arguments of a call: slots of the callee's object for them (see `builtin::variable`).

use super::Expander;
use crate::lower::builtin::variable::{END, Member, kind, slot_size};
use crate::lower::graph::{Access, Address, Argument, Index, MemoryOrder, ObjectId, Op, Storage};
use crate::types::{RecordId, Type};
use rustc_hash::FxHashMap;
use smt::Term;

/// The kind of an argument that no `va_arg` of ours reads.
const OTHER: u64 = 15;

/// Structs that are passed as variable arguments: for each object of slots, by place and type.
pub(super) type Parts = FxHashMap<(ObjectId, usize, RecordId), ObjectId>;

impl Expander<'_, '_> {
    /// What fills the slots of a call, which begin to live with it.
    pub(super) fn variable_arguments(&mut self, slots: ObjectId, arguments: &[Argument]) -> Vec<Op> {
        self.make_room(slots, arguments.len() as u64 + 1);
        let mut ops = vec![Op::Forget(slots)];
        for (index, argument) in arguments.iter().enumerate() {
            let ty = match argument {
                Argument::Scalar(_, ty) | Argument::Aggregate(_, ty) => ty.clone(),
            };
            let number = match kind(&self.code.types, &ty) {
                END => OTHER,
                number => number,
            };
            ops.push(self.fill(slots, index, Member::Kind, Term::bv(64, u128::from(number))));
            match argument {
                Argument::Scalar(term, Type::Pointer(_)) => {
                    ops.push(self.fill(slots, index, Member::Pointer, *term));
                }
                Argument::Scalar(term, _) if number != OTHER && term.width() <= 64 => {
                    ops.push(self.fill(slots, index, Member::Bits, term.resize_unsigned(64)));
                }
                Argument::Scalar(..) => {}
                Argument::Aggregate(address, ty) => {
                    let part = self.part(slots, index, ty);
                    ops.push(Op::Forget(part));
                    ops.extend(self.copy_object(address.clone(), Address::object(part), ty));
                    let pointer = self.code.object_address(part);
                    ops.push(self.fill(slots, index, Member::Pointer, pointer));
                }
            }
        }
        ops.push(self.fill(slots, arguments.len(), Member::Kind, Term::bv(64, u128::from(END))));
        ops
    }

    fn make_room(&mut self, slots: ObjectId, needed: u64) {
        let object = &mut self.code.objects[slots.index()];
        if let Type::Array(_, Some(count)) = &mut object.ty {
            *count = needed.max(*count);
        }
    }

    fn fill(&self, slots: ObjectId, index: usize, member: Member, value: Term) -> Op {
        let (types, ty) = (&self.code.types, member.ty());
        let stride = slot_size(types);
        let term = Term::bv(types.model.pointer_width(), index as u128);
        let indices = vec![Index { term, stride, count: None }];
        let address = Address::Object { object: slots, offset: 8 * member.offset(), indices };
        Op::Store(address, Access::of(types.width(&ty), ty, Some(MemoryOrder::SeqCst)), value)
    }

    /// The copy of a struct that is passed.
    fn part(&mut self, slots: ObjectId, index: usize, ty: &Type) -> ObjectId {
        let Type::Record(id) = *ty.unatomic() else { return slots };
        if let Some(known) = self.parts.get(&(slots, index, id)) {
            return *known;
        }
        let object = &self.code.objects[slots.index()];
        let (name, offset) = (format!("{}.{index}", object.name), object.offset);
        let part = self.code.new_object(&name, ty.clone(), Storage::Automatic, offset);
        self.parts.insert((slots, index, id), part);
        part
    }
}
