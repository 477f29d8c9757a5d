//! Exchanges of x86: `xchg`, `xadd`, `cmpxchg`, and the pair of `cmpxchg8b` and `cmpxchg16b`.

use super::execution::Execution;
use super::machine::{Flag, add, subtract};
use crate::assembly::{Instruction, Operand};
use crate::lower::context::Lowered;
use crate::lower::graph::{MemoryOrder, Op};
use smt::Term;

impl Execution<'_, '_> {
    /// The operands change places, or one gets what the other had and the other the sum.
    pub(super) fn exchange(
        &mut self,
        base: &str,
        from: &Operand,
        to: &Operand,
        width: u32,
        locked: bool,
    ) -> Lowered<()> {
        if base == "xchg" {
            // Always locked if one of them is in memory.
            let (memory, register) = if self.is_memory(from)? { (from, to) } else { (to, from) };
            if self.is_memory(register)? {
                return self.unknown("'xchg' with two operands in memory");
            }
            let value = self.read_operand(register, width)?;
            let old = self.modify(memory, width, true, |_, _| Ok(value))?;
            return self.assign(register, old, MemoryOrder::Release);
        }
        if from == to {
            return self.unknown("'xadd' of a register to itself");
        }
        let value = self.read_operand(from, width)?;
        let old = self.modify(to, width, locked, |_, old| Ok(old.bv_add(value)))?;
        self.assign(from, old, MemoryOrder::Release)?;
        let sum = add(old, value, Term::fls());
        self.machine.set_sum_flags(self.lower, &sum);
        Ok(())
    }

    pub(super) fn compare_exchange(
        &mut self,
        from: &Operand,
        to: &Operand,
        width: u32,
        locked: bool,
    ) -> Lowered<()> {
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
    pub(super) fn compare_exchange_pair(&mut self, instruction: &Instruction, width: u32) -> Lowered<()> {
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
}
