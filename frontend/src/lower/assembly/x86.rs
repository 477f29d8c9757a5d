//! Instructions of x86 and x86-64, in AT&T's syntax (Intel's manual, volume 2). Suffixes give the width; without one, registers do.
//!
//! An instruction with `lock`, and `xchg` with memory in any case, is one atomic step. Others access memory one by one. The processor's order is stronger
//! than acquire and release, and weaker than sequential consistency: that is an assumption for all but locked instructions.

use super::execution::{Execution, Home, Spot};
use super::machine::{Flag, Sum, add, subtract};
use crate::assembly::{Instruction, Operand};
use crate::lower::context::Lowered;
use crate::lower::graph::{MemoryOrder, Op, Stop};
use smt::Term;

/// Instructions that take the suffixes `b`, `w`, `l` and `q`.
const SIZED: &[&str] = &[
    "mov", "add", "sub", "and", "or", "xor", "adc", "sbb", "inc", "dec", "neg", "not", "cmp", "test", "xchg",
    "xadd", "cmpxchg", "bt", "bts", "btr", "btc", "lea", "shl", "sal", "shr", "sar", "bsf", "bsr", "bswap",
];

/// Instructions without an effect that a program could see, when memory is sequentially consistent.
pub(super) const WITHOUT_EFFECT: &[&str] = &[
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
pub(super) fn suffix(letter: &str) -> Option<u32> {
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
                self.lower.emit(Op::Stop(Stop::Stays));
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
            "xchg" | "xadd" => self.exchange(base, from, to, width, locked),
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

    pub(super) fn is_memory(&mut self, operand: &Operand) -> Lowered<bool> {
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
