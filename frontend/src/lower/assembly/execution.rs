//! Operands of instructions: registers, numbers and memory, read and written. What the constraints allow is for `permission` to say.

use super::machine::{Machine, integer};
use crate::assembly::{Memory, Operand, Syntax};
use crate::lower::context::{Lowered, Lowerer, unsupported};
use crate::lower::expression::bits_of;
use crate::lower::expression::{Place, PlaceKind, Value};
use crate::lower::graph::{Address, MemoryOrder, Op};
use crate::program::Assumption;
use crate::types::Type;
use lang_c::span::Span;
use smt::Term;
use std::collections::BTreeSet;

/// Where an operand of the statement is.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// In the machine's register of this name.
    Register(String),
    /// In two of them, the lower half first.
    Pair(String, String),
    Memory(Place),
    Number(Term),
    /// The condition of the flags at the end.
    Flag(String),
}

/// An operand of the statement.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub home: Home,
    pub ty: Type,
    /// What gets the value at the end.
    pub output: Option<Place>,
    /// Whether it has a value at the start.
    pub input: bool,
    pub early: bool,
    /// Whether the compiler wants it in that register and no other.
    pub fixed: bool,
    /// The value at the start.
    pub value: Option<Term>,
}

/// A template that is being translated.
pub(super) struct Execution<'l, 'a> {
    pub lower: &'l mut Lowerer<'a>,
    pub machine: Machine,
    pub bindings: Vec<Binding>,
    /// Whether memory that no operand names may be accessed.
    pub memory_clobber: bool,
    /// Registers that the statement says are changed.
    pub clobbers: BTreeSet<String>,
    /// Outputs without `&` that have been written.
    pub written: BTreeSet<usize>,
    pub span: Span,
}

/// An operand as a place of the machine.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    Register {
        name: String,
        width: u32,
        high: bool,
    },
    Memory(Place),
    /// The lower bits of a variable that nobody points to.
    Part(Place, u32),
    Number(Term),
}

impl<'a> Execution<'_, 'a> {
    /// The template, or this part of it, is not known.
    pub(super) fn unknown<T>(&self, what: impl std::fmt::Display) -> Lowered<T> {
        unsupported(self.span, format!("inline assembly that is not modelled: {what}"))
    }

    /// Bits of a value of the type.
    pub(super) fn type_width(&self, ty: &Type) -> u32 {
        let width = self.lower.types.width(ty);
        if *ty.unatomic() == Type::Bool { 8 } else { width }
    }

    /// How many bits an operand has by itself: a register, by its name or its letter; on x86 also by its type.
    pub(super) fn register_width(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Register(_, width, _) => Some(*width),
            Operand::Reference(index, modifier) => {
                let binding = self.bindings.get(*index)?;
                if !matches!(binding.home, Home::Register(_)) {
                    return None;
                }
                Some(match (self.machine.syntax, modifier) {
                    (Syntax::X86, Some('b' | 'h')) => 8,
                    (Syntax::X86, Some('w')) => 16,
                    (Syntax::X86, Some('k')) => 32,
                    (Syntax::X86, Some('q')) => 64,
                    (Syntax::X86, None) => self.type_width(&binding.ty).min(self.machine.width),
                    (Syntax::Aarch64, Some('w')) => 32,
                    (Syntax::Aarch64, None | Some('x')) => 64,
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// Where an operand is, for an access of so many bits.
    pub(super) fn spot(&mut self, operand: &Operand, width: u32) -> Lowered<Spot> {
        match operand {
            Operand::Number(number) => Ok(Spot::Number(Term::bv_signed(width, *number))),
            Operand::Register("zr", ..) => Ok(Spot::Number(Term::bv(width, 0))),
            Operand::Register(name, own, high) => {
                if *own != width || *own > self.machine.width {
                    return self.unknown("registers of different widths");
                }
                Ok(Spot::Register { name: (*name).to_owned(), width, high: *high })
            }
            Operand::Memory(memory) => self.address(memory, width).map(Spot::Memory),
            Operand::Name(name) => self.unknown(format!("'{name}'")),
            Operand::Reference(index, modifier) => self.reference(*index, *modifier, width),
        }
    }

    fn reference(&mut self, index: usize, modifier: Option<char>, width: u32) -> Lowered<Spot> {
        let operand = Operand::Reference(index, modifier);
        let Some(binding) = self.bindings.get(index).cloned() else {
            return self.unknown("a label as an operand");
        };
        match binding.home {
            Home::Number(number) => Ok(Spot::Number(number.resize_signed(width))),
            Home::Register(name) => {
                if modifier == Some('a') {
                    let base = Some(Box::new(Operand::Reference(index, None)));
                    return self.address(&Memory { base, ..Memory::default() }, width).map(Spot::Memory);
                }
                if self.register_width(&operand) != Some(width) || width > self.machine.width {
                    return self.unknown("registers of different widths");
                }
                Ok(Spot::Register { name, width, high: modifier == Some('h') })
            }
            Home::Memory(place) => match modifier {
                None if self.is_wider_variable(&place, width) => Ok(Spot::Part(place, width)),
                None => self.retyped(place, width).map(Spot::Memory),
                Some(letter) => self.unknown(format!("'%{letter}' of an operand in memory")),
            },
            Home::Pair(..) | Home::Flag(_) => self.unknown("an operand in two registers or in the flags"),
        }
    }

    fn is_wider_variable(&self, place: &Place, width: u32) -> bool {
        let is_variable = matches!(place.kind, PlaceKind::Register(_)) && place.ty.is_scalar();
        is_variable && *place.ty.unatomic() != Type::Bool && width < self.type_width(&place.ty)
    }

    /// A place as one of so many bits: with its own type if that fits.
    pub(super) fn retyped(&self, place: Place, width: u32) -> Lowered<Place> {
        let ty = place.ty.unatomic().clone();
        if ty.is_scalar() && place.bits.is_none() && self.type_width(&ty) == width {
            return Ok(place);
        }
        match (integer(width), &place.kind) {
            (Some(integer), PlaceKind::Memory(_)) if place.bits.is_none() => {
                Ok(Place { ty: integer, ..place })
            }
            _ => self.unknown("an access of another width than its operand"),
        }
    }

    /// What an address of the template points to.
    fn address(&mut self, memory: &Memory, width: u32) -> Lowered<Place> {
        if memory.segment.is_some() {
            return self.unknown("memory of the current thread or processor");
        }
        let Some(base) = &memory.base else { return self.unknown("an absolute address") };
        let size = self.machine.width;
        if let Operand::Reference(index, _) = **base
            && let Some(Binding { home: Home::Memory(place), .. }) = self.bindings.get(index).cloned()
        {
            let start = self.address_term(&place)?;
            return self.at(start.bv_add(Term::bv_signed(size, memory.displacement)), width, None);
        }
        if matches!(**base, Operand::Register("sp" | "bp", ..)) {
            return self.unknown("memory of the stack");
        }
        let mut pointee = None;
        if let Operand::Reference(index, _) = **base {
            pointee = self.bindings.get(index).and_then(|b| b.ty.pointee().cloned());
        }
        let start = self.read_operand(base, size)?;
        let mut term = start.bv_add(Term::bv_signed(size, memory.displacement));
        if let Some((index, scale)) = &memory.index {
            let index = self.read_operand(index, size)?;
            term = term.bv_add(index.bv_mul(Term::bv(size, u128::from(*scale))));
            pointee = None;
        }
        let is_named = self.memory_clobber || self.names(term);
        if !is_named {
            return self.broken("it accesses memory that is neither an operand nor a clobber");
        }
        self.at(term, width, pointee.filter(|_| memory.displacement == 0))
    }

    /// The address of a place; a variable that nobody points to has none here.
    pub(super) fn address_term(&mut self, place: &Place) -> Lowered<Term> {
        match place.kind {
            PlaceKind::Register(_) => self.unknown("the address of a variable that nothing else points to"),
            PlaceKind::Memory(_) => self.lower.address_term(place, self.span),
        }
    }

    /// Whether an operand of the statement is the memory at this address.
    fn names(&mut self, address: Term) -> bool {
        let places: Vec<Place> = self
            .bindings
            .iter()
            .filter_map(|b| if let Home::Memory(place) = &b.home { Some(place.clone()) } else { None })
            .collect();
        places.iter().any(|place| self.address_term(place).is_ok_and(|term| term == address))
    }

    pub(super) fn at(&mut self, address: Term, width: u32, pointee: Option<Type>) -> Lowered<Place> {
        let fits = |ty: &Type| ty.is_scalar() && self.type_width(ty) == width;
        let ty = match pointee.map(|ty| ty.unatomic().clone()).filter(fits).or_else(|| integer(width)) {
            Some(ty) => ty,
            None => return self.unknown("an access of this width"),
        };
        Ok(Place::memory(Address::pointer(address), ty))
    }

    /// Reads an operand, as an access of its own if it is in memory.
    pub(super) fn read_operand(&mut self, operand: &Operand, width: u32) -> Lowered<Term> {
        self.check_read(operand)?;
        let spot = self.spot(operand, width)?;
        self.read(&spot, MemoryOrder::Acquire)
    }

    /// Reads from a place of the machine.
    pub(super) fn read(&mut self, spot: &Spot, order: MemoryOrder) -> Lowered<Term> {
        match spot {
            Spot::Number(term) => Ok(*term),
            Spot::Register { name, width, high } => Ok(self.machine.read(self.lower, name, *width, *high)),
            Spot::Memory(place) => Ok(self.load(place, order)),
            Spot::Part(place, width) => Ok(self.load(place, order).extract(width - 1, 0)),
        }
    }

    /// Reads memory. A variable that nobody points to is copied, so that later changes do not show.
    fn load(&mut self, place: &Place, order: MemoryOrder) -> Term {
        let place = self.ordered(place, order);
        let width = self.type_width(&place.ty);
        let value = self.lower.read(&place);
        let bits = bits_of(value.term, width);
        if matches!(place.kind, PlaceKind::Memory(_)) {
            return bits;
        }
        self.snapshot(bits)
    }

    /// A copy of the value as it is now.
    pub(super) fn snapshot(&mut self, value: Term) -> Term {
        let Some(ty) = integer(value.width()) else { return value };
        if value.as_value().is_some() {
            return value;
        }
        let copy = self.lower.temporary(&ty);
        self.lower.set(copy, value);
        self.lower.register_term(copy)
    }

    /// The place for an access with an order. What is weaker than the strongest order is an assumption.
    fn ordered(&mut self, place: &Place, order: MemoryOrder) -> Place {
        if matches!(place.kind, PlaceKind::Register(_)) {
            return place.clone();
        }
        if order != MemoryOrder::SeqCst {
            let (start, message) = (self.span.start, "first weakly ordered atomic");
            self.lower.assuming(Assumption::SequentialConsistency, start, message);
        }
        let ty = Type::Atomic(place.ty.unatomic().clone().into());
        Place { ty, order: Some(order), ..place.clone() }
    }

    /// Writes to a place of the machine.
    pub(super) fn write(&mut self, spot: &Spot, value: Term, order: MemoryOrder) -> Lowered<()> {
        match spot {
            Spot::Number(_) => Ok(()),
            Spot::Register { name, high, .. } => {
                self.machine.write(self.lower, name, value, *high);
                Ok(())
            }
            Spot::Memory(place) => {
                let place = self.ordered(place, order);
                let value = self.stored(&place.ty, value);
                self.lower.write(&place, value);
                Ok(())
            }
            Spot::Part(place, width) => {
                let rest = self.load(place, order);
                let value = rest.extract(rest.width() - 1, *width).concat(value);
                self.lower.write(place, value);
                Ok(())
            }
        }
    }

    /// Bits as a value of the type: a byte becomes a truth value.
    pub(super) fn stored(&mut self, ty: &Type, bits: Term) -> Term {
        if *ty.unatomic() != Type::Bool {
            return bits;
        }
        let is_strange = Term::bv(bits.width(), 1).ult(bits);
        let is_bit = bits.upper_bound().is_some_and(|bound| bound <= 1);
        if !is_bit {
            self.lower.limit_if(
                is_strange,
                self.span,
                "inline assembly gives a '_Bool' another value than 0 and 1",
            );
        }
        bits.distinct(Term::bv(bits.width(), 0))
    }

    /// Reads an operand and writes it, in one step or in two.
    pub(super) fn modify(
        &mut self,
        operand: &Operand,
        width: u32,
        atomic: bool,
        change: impl FnOnce(&mut Self, Term) -> Lowered<Term>,
    ) -> Lowered<Term> {
        self.check_read(operand)?;
        self.check_modified(operand)?;
        let spot = self.spot(operand, width)?;
        if matches!(spot, Spot::Number(_)) {
            return self.unknown("a number is written");
        }
        let atomic = atomic && matches!(spot, Spot::Memory(_));
        let orders =
            if atomic { [MemoryOrder::SeqCst; 2] } else { [MemoryOrder::Acquire, MemoryOrder::Release] };
        self.lower.emit_if(atomic, Op::AtomicBegin);
        let old = self.read(&spot, orders[0])?;
        let new = change(self, old)?;
        self.check_write(operand)?;
        self.write(&spot, new, orders[1])?;
        self.lower.emit_if(atomic, Op::AtomicEnd);
        Ok(old)
    }

    /// Gives the operand a value.
    pub(super) fn assign(&mut self, operand: &Operand, value: Term, order: MemoryOrder) -> Lowered<()> {
        let spot = self.spot(operand, value.width())?;
        if matches!((&spot, operand), (Spot::Number(_), Operand::Number(_) | Operand::Reference(..))) {
            return self.unknown("a number is written");
        }
        if matches!(spot, Spot::Memory(_)) {
            self.check_read(operand)?;
        }
        self.check_write(operand)?;
        self.write(&spot, value, order)
    }

    /// A value as bits.
    pub(super) fn bits(&self, value: &Value) -> Term {
        bits_of(value.term, self.type_width(&value.ty))
    }
}
