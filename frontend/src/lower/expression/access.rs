//! Reads and writes of places.

use super::{Operand, Place, PlaceKind, Value};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::graph::{Access, Address, Op};
use crate::types::Type;
use lang_c::span::Span;
use smt::{Symbol, Term};

impl<'a> Lowerer<'a> {
    /// The value at a place; arrays become pointers, structs stay places.
    pub(crate) fn read_operand(&mut self, place: Place, span: Span) -> Lowered<Operand> {
        match place.ty.unatomic() {
            Type::Array(element, _) => {
                let ty = Type::Pointer(element.clone());
                let term = self.address_term(&place, span)?;
                Ok(Operand::Scalar(Value::new(term, ty)))
            }
            Type::Function(_) => {
                let ty = place.ty.decay();
                let term = self.address_term(&place, span)?;
                Ok(Operand::Scalar(Value::new(term, ty)))
            }
            Type::Record(_) => Ok(Operand::Aggregate(place)),
            Type::Void => Ok(Operand::Void),
            _ => Ok(Operand::Scalar(self.read(&place))),
        }
    }

    /// Reads a scalar.
    pub(crate) fn read(&mut self, place: &Place) -> Value {
        let ty = place.ty.unatomic().clone();
        let term = match &place.kind {
            PlaceKind::Register(register) => self.register_term(*register),
            PlaceKind::Memory(address) => {
                let symbolic = self.builder.as_ref().is_some_and(|b| b.symbolic);
                if symbolic && let Some(name) = self.symbolic_name(address) {
                    return Value::new(Term::constant(Symbol::new(&name), self.sort(&ty)), ty);
                }
                if let Some(term) = self.initial_constant(address) {
                    return Value::new(term, ty);
                }
                let width = place.bits.unwrap_or(self.types.width(&ty));
                let access = Access::of(width, ty.clone(), place.memory_order()).of_own(place.own);
                if self.is_foreign(address) {
                    self.any(&ty)
                } else {
                    self.load_in_pieces(
                        address.clone(),
                        access.of_bit_field(place.bits.is_some()),
                        place.unaligned,
                    )
                }
            }
        };
        Value { term, ty, bits: place.bits }
    }

    /// The value of a constant variable in the initial value of another one, as GNU C has it: what the compiler accepts there is `const`, and does not change.
    fn initial_constant(&self, address: &Address) -> Option<Term> {
        let Address::Object { object, offset: 0, indices } = address else { return None };
        let object = &self.objects[object.index()];
        if self.builder.is_some() || !indices.is_empty() || !object.ty.is_scalar() {
            return None;
        }
        object.init.as_ref()?.iter().find(|initial| initial.offset == 0).map(|initial| initial.value)
    }

    /// Whether others than the program write the object: a register of a device, or a variable of a signal handler, say.
    fn is_foreign(&self, address: &Address) -> bool {
        matches!(address, Address::Object { object, .. }
            if self.marks.is_volatile(*object) && self.objects[object.index()].init.is_none())
    }

    /// Writes a scalar; the value has the place's type already.
    pub(crate) fn write(&mut self, place: &Place, value: Term) {
        match &place.kind {
            PlaceKind::Register(register) => self.set(*register, value),
            PlaceKind::Memory(address) => {
                let ty = place.ty.unatomic().clone();
                let width = place.bits.unwrap_or(self.types.width(&ty));
                let access = Access::of(width, ty, place.memory_order())
                    .of_bit_field(place.bits.is_some())
                    .of_own(place.own);
                let value = if value.sort() == access.sort() { value } else { value.resize_unsigned(width) };
                if place.neighbours.is_empty() {
                    self.store_in_pieces(address.clone(), access, value, place.unaligned);
                } else {
                    self.write_bit_field(address, access, value, &place.neighbours);
                }
            }
        }
    }

    /// A machine reads the memory location of a bit-field, and writes it back with the bits changed. What others write to the
    /// neighbours in between is lost.
    fn write_bit_field(
        &mut self,
        address: &Address,
        access: Access,
        value: Term,
        neighbours: &[(Address, Access)],
    ) {
        // With races to look for, each part is an access of its own: who comes between is in one.
        let atomic = !self.options.race_check;
        self.emit_if(atomic, Op::AtomicBegin);
        let read =
            |s: &mut Self, (address, access): &(Address, Access)| s.load(address.clone(), access.clone());
        let before: Vec<Term> = neighbours.iter().map(|neighbour| read(self, neighbour)).collect();
        self.emit_if(atomic, Op::AtomicEnd);
        self.emit_if(atomic, Op::AtomicBegin);
        self.emit(Op::Store(address.clone(), access, value));
        for ((address, access), before) in neighbours.iter().zip(before) {
            let same = before.sort() == access.sort();
            let before = if same { before } else { before.resize_unsigned(access.width) };
            self.emit(Op::Store(address.clone(), access.clone(), before));
        }
        self.emit_if(atomic, Op::AtomicEnd);
    }
}
