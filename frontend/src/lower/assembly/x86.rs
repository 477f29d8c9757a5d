//! Instructions of x86 and x86-64, in AT&T's syntax (Intel's manual, volume 2). Suffixes give the width; without one, registers do.
//!
//! An instruction with `lock`, and `xchg` with memory in any case, is one atomic step. Others access memory one by one. The processor's order is stronger
//! than acquire and release, and weaker than sequential consistency: that is an assumption for all but locked instructions.

use super::execution::{Execution, Home, Spot};
use super::machine::{Flag, Sum, add, subtract};
use crate::assembly::{Instruction, Operand};
use crate::lower::context::Lowered;
use crate::lower::expression::PlaceKind;
use crate::lower::graph::{MemoryOrder, Op};
use smt::Term;

/// Instructions that take the suffixes `b`, `w`, `l` and `q`.
const SIZED: &[&str] = &[
    "mov", "add", "sub", "and", "or", "xor", "adc", "sbb", "inc", "dec", "neg", "not", "cmp", "test", "xchg",
    "xadd", "cmpxchg", "bt", "bts", "btr", "btc", "lea", "shl", "sal", "shr", "sar", "bsf", "bsr", "bswap",
];
/// Instructions without an effect that a program could see, when memory is sequentially consistent.
const WITHOUT_EFFECT: &[&str] = &[
    "nop",
    "pause",
    "mfence",
    "lfence",
    "sfence",
    "endbr64",
    "endbr32",
    "prefetch",
    "prefetchw",
    "prefetcht0",
    "prefetcht1",
    "prefetcht2",
    "prefetchnta",
];
/// Numbers that Linux has for `futex`, and operations on it that change no memory: FUTEX_WAIT and FUTEX_WAKE.
const FUTEX: u128 = 202;

/// The width that a suffix stands for.
fn suffix(letter: &str) -> Option<u32> {
    Some(match letter {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    })
}

/// An instruction without its suffix, and the width that it says.
fn split(name: &str) -> Option<(&str, Option<u32>)> {
    if SIZED.contains(&name) {
        return Some((name, None));
    }
    let (base, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
    (SIZED.contains(&base)).then_some((base, Some(suffix(letter)?)))
}

impl Execution<'_, '_> {
    /// Translates an instruction that does not jump.
    pub(super) fn x86(&mut self, instruction: &Instruction) -> Lowered<()> {
        let name = instruction.name.as_str();
        if name.is_empty() || WITHOUT_EFFECT.contains(&name) {
            return Ok(());
        }
        if let Some(condition) = name.strip_prefix("set") {
            return self.set_on_condition(instruction, condition);
        }
        if let Some(condition) = name.strip_prefix("cmov") {
            return self.move_on_condition(instruction, condition);
        }
        if (name.starts_with("movz") || name.starts_with("movs")) && instruction.operands.len() == 2 {
            return self.extending_move(instruction);
        }
        match name {
            "cmpxchg8b" => return self.compare_exchange_pair(instruction, 64),
            "cmpxchg16b" => return self.compare_exchange_pair(instruction, 128),
            "cltq" | "cdqe" => return self.unknown("sign extension of a fixed register"),
            "syscall" => return self.system_call(),
            "ud2" => {
                self.lower.emit(Op::Stop);
                let nowhere = self.lower.node();
                self.lower.continue_at(nowhere);
                return Ok(());
            }
            // The end of a program, or a kernel that waits for an interrupt.
            "hlt" => {
                self.lower.approximate("a processor that halts may go on");
                return Ok(());
            }
            _ => {}
        }
        let Some((base, width)) = split(name) else { return self.unknown(format!("'{}'", instruction.text)) };
        // The count of a shift is a byte, whatever is shifted.
        let speaking = if base.starts_with('s') && base != "sub" && base != "sbb" { 1 } else { 2 };
        let of_registers =
            || instruction.operands.iter().rev().take(speaking).find_map(|o| self.register_width(o));
        let Some(width) = width.or_else(of_registers) else {
            return self.unknown(format!("'{}' does not say how wide its operands are", instruction.text));
        };
        if instruction.locked && !is_lockable(base) {
            return self.unknown(format!("'lock' in front of '{}'", instruction.text));
        }
        if self.is_fence(instruction, base) {
            for flag in super::machine::FLAGS {
                self.machine.set_flag(self.lower, flag, None);
            }
            return Ok(());
        }
        match instruction.operands.as_slice() {
            [one] => self.unary(base, one, width, instruction),
            [from, to] => self.binary(base, from, to, width, instruction),
            _ => self.unknown(format!("'{}'", instruction.text)),
        }
    }

    /// `lock; addl $0, (%rsp)` and its like: nothing changes, and the stack is nobody else's.
    fn is_fence(&self, instruction: &Instruction, base: &str) -> bool {
        let [Operand::Number(0), Operand::Memory(memory)] = instruction.operands.as_slice() else {
            return false;
        };
        let on_stack = matches!(memory.base.as_deref(), Some(Operand::Register("sp", ..)));
        on_stack
            && memory.index.is_none()
            && memory.segment.is_none()
            && matches!(base, "add" | "or" | "sub" | "xor")
    }

    fn unary(&mut self, base: &str, operand: &Operand, width: u32, instruction: &Instruction) -> Lowered<()> {
        let (zero, one) = (Term::bv(width, 0), Term::bv(width, 1));
        let least = Term::bv(width, 1 << (width - 1));
        let locked = instruction.locked;
        let result = |s: &mut Self, old: Term| {
            Ok(match base {
                "inc" => old.bv_add(one),
                "dec" => old.bv_sub(one),
                "neg" => old.bv_neg(),
                "not" => old.bv_not(),
                "bswap" if width >= 32 => {
                    let bytes = (0..width / 8).map(|byte| old.extract(8 * byte + 7, 8 * byte));
                    bytes.reduce(|high, low| high.concat(low)).unwrap_or(old)
                }
                "shl" | "sal" | "shr" | "sar" => return s.shift(base, old, one),
                _ => return s.unknown(format!("'{}'", instruction.text)),
            })
        };
        let mut new = zero;
        let old = self.modify(operand, width, locked, |s, old| {
            new = result(s, old)?;
            Ok(new)
        })?;
        match base {
            "inc" => self.machine.set_flag(self.lower, Flag::Overflow, Some(new.equals(least))),
            "dec" => self.machine.set_flag(self.lower, Flag::Overflow, Some(old.equals(least))),
            "neg" => {
                self.machine.set_flag(self.lower, Flag::Carry, Some(old.distinct(zero)));
                self.machine.set_flag(self.lower, Flag::Overflow, Some(old.equals(least)));
            }
            _ => return Ok(()),
        }
        self.machine.set_result_flags(self.lower, new);
        Ok(())
    }

    fn binary(
        &mut self,
        base: &str,
        from: &Operand,
        to: &Operand,
        width: u32,
        instruction: &Instruction,
    ) -> Lowered<()> {
        let locked = instruction.locked;
        match base {
            "mov" => {
                if let Operand::Memory(memory) = from
                    && memory.segment.is_some()
                {
                    let whole = super::machine::integer(width).unwrap_or(crate::types::CHAR);
                    let value =
                        self.lower.guess(&whole, "what the current thread or processor has at its segment");
                    return self.assign(to, value, MemoryOrder::Release);
                }
                let value = self.read_operand(from, width)?;
                self.assign(to, value, MemoryOrder::Release)
            }
            "lea" => self.load_address(from, to, width),
            "cmp" | "test" => {
                let (b, a) = (self.read_operand(from, width)?, self.read_operand(to, width)?);
                if base == "cmp" {
                    let sum = subtract(a, b, Term::fls());
                    self.machine.set_sum_flags(self.lower, &sum);
                } else {
                    self.logic_flags(a.bv_and(b));
                }
                Ok(())
            }
            "add" | "sub" | "adc" | "sbb" | "and" | "or" | "xor" => {
                self.arithmetic(base, from, to, width, locked)
            }
            "shl" | "sal" | "shr" | "sar" => {
                let count = match from {
                    Operand::Number(count) => Term::bv_signed(8, *count),
                    _ => self.read_operand(from, 8)?,
                };
                self.modify(to, width, false, |s, old| s.shift(base, old, count.resize_unsigned(width)))
                    .map(|_| ())
            }
            "xchg" => {
                // Always locked if one of them is in memory.
                let (memory, register) = if self.is_memory(from)? { (from, to) } else { (to, from) };
                if self.is_memory(register)? {
                    return self.unknown("'xchg' with two operands in memory");
                }
                let value = self.read_operand(register, width)?;
                let old = self.modify(memory, width, true, |_, _| Ok(value))?;
                self.assign(register, old, MemoryOrder::Release)
            }
            "xadd" if from == to => self.unknown("'xadd' of a register to itself"),
            "xadd" => {
                let value = self.read_operand(from, width)?;
                let old = self.modify(to, width, locked, |_, old| Ok(old.bv_add(value)))?;
                self.assign(from, old, MemoryOrder::Release)?;
                let sum = add(old, value, Term::fls());
                self.machine.set_sum_flags(self.lower, &sum);
                Ok(())
            }
            "cmpxchg" => self.compare_exchange(from, to, width, locked),
            "bt" | "bts" | "btr" | "btc" => self.bit_test(base, from, to, width, locked),
            "bsf" | "bsr" => self.bit_scan(base, from, to, width),
            _ => self.unknown(format!("'{}'", instruction.text)),
        }
    }

    fn logic_flags(&mut self, result: Term) {
        self.machine.set_result_flags(self.lower, result);
        self.machine.set_flag(self.lower, Flag::Carry, Some(Term::fls()));
        self.machine.set_flag(self.lower, Flag::Overflow, Some(Term::fls()));
    }

    fn arithmetic(
        &mut self,
        base: &str,
        from: &Operand,
        to: &Operand,
        width: u32,
        locked: bool,
    ) -> Lowered<()> {
        let b = self.read_operand(from, width)?;
        let carry = match base {
            "adc" | "sbb" => self.machine.flag(self.lower, Flag::Carry),
            _ => Term::fls(),
        };
        let compute = |a: Term| match base {
            "add" | "adc" => add(a, b, carry),
            "sub" | "sbb" => subtract(a, b, carry),
            "and" => logic(a.bv_and(b)),
            "or" => logic(a.bv_or(b)),
            _ => logic(a.bv_xor(b)),
        };
        let old = self.modify(to, width, locked, |_, a| Ok(compute(a).result))?;
        self.machine.set_sum_flags(self.lower, &compute(old));
        Ok(())
    }

    /// The result of a shift; what it does to the flags depends on the count, and is left open.
    fn shift(&mut self, base: &str, old: Term, count: Term) -> Lowered<Term> {
        let width = old.width();
        let mask = if width == 64 { 63 } else { 31 };
        let count = count.bv_and(Term::bv(width, mask));
        for flag in super::machine::FLAGS {
            self.machine.set_flag(self.lower, flag, None);
        }
        Ok(match base {
            "shl" | "sal" => old.bv_shl(count),
            "shr" => old.bv_lshr(count),
            _ => old.bv_ashr(count),
        })
    }

    fn is_memory(&mut self, operand: &Operand) -> Lowered<bool> {
        Ok(match operand {
            Operand::Memory(_) => true,
            Operand::Reference(index, modifier) => match self.bindings.get(*index) {
                Some(binding) => matches!(binding.home, Home::Memory(_)) || *modifier == Some('a'),
                None => return self.unknown("a label as an operand"),
            },
            _ => false,
        })
    }

    fn load_address(&mut self, from: &Operand, to: &Operand, width: u32) -> Lowered<()> {
        if width != self.machine.width {
            return self.unknown("a part of an address");
        }
        let outer = std::mem::replace(&mut self.memory_clobber, true);
        let place = match self.spot(from, 8) {
            Ok(Spot::Memory(place)) => Ok(place),
            Ok(_) => self.unknown("the address of a register"),
            Err(error) => Err(error),
        };
        self.memory_clobber = outer;
        let address = self.address_term(&place?)?;
        self.assign(to, address, MemoryOrder::Release)
    }

    fn compare_exchange(&mut self, from: &Operand, to: &Operand, width: u32, locked: bool) -> Lowered<()> {
        if !self.is_memory(to)? {
            return self.unknown("'cmpxchg' of two registers");
        }
        let accumulator = Operand::Register("a", width, false);
        let desired = self.read_operand(from, width)?;
        let expected = self.machine.read(self.lower, "a", width, false);
        let (old, equal) = self.swap(to, width, locked, expected, desired)?;
        self.check_write(&accumulator)?;
        self.machine.found(self.lower, "a", old, equal);
        self.machine.set_sum_flags(self.lower, &subtract(expected, old, Term::fls()));
        Ok(())
    }

    /// Memory gets a value if it has another: what it had, and whether that was the one.
    pub(super) fn swap(
        &mut self,
        memory: &Operand,
        width: u32,
        locked: bool,
        expected: Term,
        desired: Term,
    ) -> Lowered<(Term, Term)> {
        self.check_read(memory)?;
        self.check_modified(memory)?;
        self.check_write(memory)?;
        let spot = self.spot(memory, width)?;
        let orders =
            if locked { [MemoryOrder::SeqCst; 2] } else { [MemoryOrder::Acquire, MemoryOrder::Release] };
        self.lower.emit_if(locked, Op::AtomicBegin);
        let old = self.read(&spot, orders[0])?;
        let equal = old.equals(expected);
        let (yes, end) = (self.lower.node(), self.lower.node());
        self.lower.emit_branch(Op::Assume(equal), yes);
        self.lower.emit_branch(Op::Assume(equal.not()), end);
        self.lower.continue_at(yes);
        self.write(&spot, desired, orders[1])?;
        self.lower.join(end);
        self.lower.emit_if(locked, Op::AtomicEnd);
        Ok((old, equal))
    }

    /// Two registers are compared with memory, and two others replace it.
    fn compare_exchange_pair(&mut self, instruction: &Instruction, width: u32) -> Lowered<()> {
        let [memory] = instruction.operands.as_slice() else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        if !self.is_memory(memory)? || width / 2 > self.machine.width {
            return self.unknown(format!("'{}'", instruction.text));
        }
        let half = width / 2;
        let [a, d, b, c] = ["a", "d", "b", "c"].map(|name| self.machine.read(self.lower, name, half, false));
        let (old, equal) = self.swap(memory, width, instruction.locked, d.concat(a), c.concat(b))?;
        for (name, found) in [("a", old.extract(half - 1, 0)), ("d", old.extract(width - 1, half))] {
            self.check_write(&Operand::Register(name, half, false))?;
            self.machine.found(self.lower, name, found, equal);
        }
        self.machine.set_flag(self.lower, Flag::Zero, Some(equal));
        Ok(())
    }

    /// A bit of memory may be outside of the operand: the register says how far.
    fn bit_test(
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
    fn bit_scan(&mut self, base: &str, from: &Operand, to: &Operand, width: u32) -> Lowered<()> {
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

    fn set_on_condition(&mut self, instruction: &Instruction, condition: &str) -> Lowered<()> {
        let ([to], Some(truth)) =
            (instruction.operands.as_slice(), self.machine.condition(self.lower, condition))
        else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        self.assign(to, truth.ite(Term::bv(8, 1), Term::bv(8, 0)), MemoryOrder::Release)
    }

    fn move_on_condition(&mut self, instruction: &Instruction, condition: &str) -> Lowered<()> {
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
    fn extending_move(&mut self, instruction: &Instruction) -> Lowered<()> {
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

    /// Of Linux' system calls on x86-64, waiting on a futex and waking: whoever waits may wake up for no reason.
    fn system_call(&mut self) -> Lowered<()> {
        if self.machine.width != 64 || !self.memory_clobber {
            return self.unknown("'syscall'");
        }
        let number = self.machine.read_whole(self.lower, "a");
        let operation = self.machine.read_whole(self.lower, "si").bv_and(Term::bv(64, !128 & 0xffff_ffff));
        let is_known = number.equals(Term::bv(64, FUTEX)).and(operation.ult(Term::bv(64, 2)));
        let message = "a system call by inline assembly is not modelled; give the function around it another definition";
        self.lower.limit_if(is_known.not(), self.span, message);
        for name in ["c", "r11"] {
            self.check_write(&Operand::Register(name, 64, false))?;
        }
        let whole = super::machine::integer(64).unwrap_or(crate::types::CHAR);
        let result = self.lower.guess(&whole, "the result of a system call");
        self.check_write(&Operand::Register("a", 64, false))?;
        self.machine.write(self.lower, "a", result, false);
        Ok(())
    }
}

/// Instructions that may have `lock` in front of them.
fn is_lockable(base: &str) -> bool {
    let names =
        ["add", "adc", "and", "btc", "btr", "bts", "cmpxchg", "dec", "inc", "neg", "not", "or", "sbb", "sub"];
    names.contains(&base) || matches!(base, "xor" | "xadd" | "xchg")
}

fn logic(result: Term) -> Sum {
    Sum { result, carry: Term::fls(), overflow: Term::fls() }
}
