//! Instructions of x86 about single bits, those that depend on a condition of the flags, and moves to a wider register.

use super::execution::{Execution, Home, Spot};
use super::machine::Flag;
use super::x86::suffix;
use crate::assembly::{Instruction, Operand};
use crate::lower::context::Lowered;
use crate::lower::expression::PlaceKind;
use crate::lower::graph::{MemoryOrder, Op};
use smt::Term;

impl Execution<'_, '_> {
    /// A bit of memory may be outside of the operand: the register says how far.
    pub(super) fn bit_test(
        &mut self,
        base: &str,
        from: &Operand,
        to: &Operand,
        width: u32,
        locked: bool,
    ) -> Lowered<()> {
        let is_number = matches!(from, Operand::Number(_))
            || matches!(from, Operand::Reference(index, _) if matches!(self.bindings.get(*index), Some(b) if matches!(b.home, Home::Number(_))));
        let offset = self.read_operand(from, width)?;
        let within = offset.bv_and(Term::bv(width, u128::from(width - 1)));
        let bit = Term::bv(width, 1).bv_shl(within);
        let change = |old: Term| match base {
            "bts" => old.bv_or(bit),
            "btr" => old.bv_and(bit.bv_not()),
            "btc" => old.bv_xor(bit),
            _ => old,
        };
        let carry = |old: Term| old.bv_and(bit).distinct(Term::bv(width, 0));
        let old = if self.is_memory(to)? && !is_number {
            self.bit_string(base, to, width, locked, offset, &change)?
        } else if base == "bt" {
            self.read_operand(to, width)?
        } else {
            self.modify(to, width, locked, |_, old| Ok(change(old)))?
        };
        self.machine.set_flag(self.lower, Flag::Carry, Some(carry(old)));
        self.machine.set_flag(self.lower, Flag::Sign, None);
        self.machine.set_flag(self.lower, Flag::Overflow, None);
        Ok(())
    }

    fn bit_string(
        &mut self,
        base: &str,
        to: &Operand,
        width: u32,
        locked: bool,
        offset: Term,
        change: &dyn Fn(Term) -> Term,
    ) -> Lowered<Term> {
        self.check_read(to)?;
        self.check_modified(to)?;
        if base != "bt" {
            self.check_write(to)?;
        }
        let Spot::Memory(place) = self.spot(to, width)? else {
            return self.unknown("a bit of a part of a variable");
        };
        let is_inside = offset.ult(Term::bv(width, u128::from(width)));
        let place = if is_inside.is_true() {
            place
        } else if matches!(place.kind, PlaceKind::Register(_)) {
            let message = "inline assembly accesses a bit outside of its operand";
            self.lower.limit_if(is_inside.not(), self.span, message);
            place
        } else {
            if !self.memory_clobber {
                let message =
                    "inline assembly accesses a bit outside of its operand, without a 'memory' clobber";
                self.lower.limit_if(is_inside.not(), self.span, message);
            }
            let words = offset.bv_ashr(Term::bv(width, u128::from(width.trailing_zeros())));
            let bytes =
                words.bv_mul(Term::bv(width, u128::from(width / 8))).resize_signed(self.machine.width);
            let start = self.address_term(&place)?;
            self.at(start.bv_add(bytes), width, Some(place.ty.clone()))?
        };
        let spot = Spot::Memory(place);
        let orders =
            if locked { [MemoryOrder::SeqCst; 2] } else { [MemoryOrder::Acquire, MemoryOrder::Release] };
        self.lower.emit_if(locked, Op::AtomicBegin);
        let old = self.read(&spot, orders[0])?;
        if base != "bt" {
            self.write(&spot, change(old), orders[1])?;
        }
        self.lower.emit_if(locked, Op::AtomicEnd);
        Ok(old)
    }

    /// The number of the lowest or highest bit that is set; of zero, what the register had before or anything.
    pub(super) fn bit_scan(&mut self, base: &str, from: &Operand, to: &Operand, width: u32) -> Lowered<()> {
        let value = self.read_operand(from, width)?;
        let whole = super::machine::integer(width).unwrap_or(crate::types::CHAR);
        let undefined = self.lower.guess(&whole, super::machine::UNDEFINED);
        let set = |place: u32| value.extract(place, place).equals(Term::bv(1, 1));
        let number = |rest: Term, place: u32| set(place).ite(Term::bv(width, u128::from(place)), rest);
        let found = match base {
            "bsf" => (0..width).rev().fold(undefined, number),
            _ => (0..width).fold(undefined, number),
        };
        self.assign(to, found, MemoryOrder::Release)?;
        for flag in [Flag::Carry, Flag::Sign, Flag::Overflow] {
            self.machine.set_flag(self.lower, flag, None);
        }
        self.machine.set_flag(self.lower, Flag::Zero, Some(value.equals(Term::bv(width, 0))));
        Ok(())
    }

    pub(super) fn set_on_condition(&mut self, instruction: &Instruction, condition: &str) -> Lowered<()> {
        let ([to], Some(truth)) =
            (instruction.operands.as_slice(), self.machine.condition(self.lower, condition))
        else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        self.assign(to, truth.ite(Term::bv(8, 1), Term::bv(8, 0)), MemoryOrder::Release)
    }

    pub(super) fn move_on_condition(&mut self, instruction: &Instruction, condition: &str) -> Lowered<()> {
        let [from, to] = instruction.operands.as_slice() else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        let shorter = condition.get(..condition.len().saturating_sub(1)).unwrap_or("");
        let known = self
            .machine
            .condition(self.lower, condition)
            .or_else(|| self.machine.condition(self.lower, shorter));
        let (Some(truth), Some(width)) = (known, self.register_width(to)) else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        // Memory is read in any case.
        let (new, old) = (self.read_operand(from, width)?, self.read_operand(to, width)?);
        self.assign(to, truth.ite(new, old), MemoryOrder::Release)
    }

    /// `movzbl`, `movslq`, `movzx`: narrower to wider.
    pub(super) fn extending_move(&mut self, instruction: &Instruction) -> Lowered<()> {
        let [from, to] = instruction.operands.as_slice() else { return Ok(()) };
        let letters = &instruction.name[4..];
        let (narrow, wide) = match letters {
            "x" | "" => (self.register_width(from), self.register_width(to)),
            _ if letters.len() == 1 => (suffix(letters), self.register_width(to)),
            _ => (suffix(&letters[..1]), letters.get(1..).and_then(suffix)),
        };
        match (narrow, wide) {
            (Some(narrow), Some(wide)) if narrow < wide => {
                let value = self.read_operand(from, narrow)?;
                let is_signed = instruction.name.starts_with("movs");
                let value = if is_signed { value.resize_signed(wide) } else { value.resize_unsigned(wide) };
                self.assign(to, value, MemoryOrder::Release)
            }
            _ => self.unknown(format!("'{}'", instruction.text)),
        }
    }
}
