//! Instructions of AArch64 (Arm's reference manual for the A profile).
//!
//! A load-exclusive and the store-exclusive behind it are one step if there is nothing but arithmetic between them: when the store
//! succeeds nobody has written in between, so the load might as well have been at the time of the store; when it fails nothing has
//! happened but the load. The store may fail for no reason. That is exact.
//!
//! If they are in different statements, the store compares the value with what was loaded. That allows more than the processor,
//! which notices that a value has been changed and changed back, so it is marked.

use super::execution::{Execution, Home, Spot};
use super::machine::{add, integer, subtract};
use crate::assembly::{Instruction, Operand};
use crate::lower::context::Lowered;
use crate::lower::expression::Place;
use crate::lower::graph::{MemoryOrder, Op, Storage};
use crate::types::{IntKind, Type};
use smt::Term;

/// Instructions without an effect that a program could see, when memory is sequentially consistent. Whoever waits for an event may go on for no reason.
const WITHOUT_EFFECT: &[&str] = &[
    "nop", "yield", "dmb", "dsb", "isb", "wfe", "wfi", "sev", "sevl", "prfm", "hint", "csdb", "clrex", "bti",
];

/// The type of what a thread remembers about its last load-exclusive.
const REMEMBERED: Type = Type::Int(IntKind::ULongLong);

/// An access of memory: how many bits if the name says so, and its order.
struct Access {
    base: &'static str,
    width: Option<u32>,
    order: MemoryOrder,
}

/// Recognises loads and stores, exclusive ones, and atomic instructions of the large system extensions.
fn access(name: &str) -> Option<Access> {
    let (rest, width) = match name {
        _ if name.ends_with("sub") => (name, None),
        _ => match (name.strip_suffix('b'), name.strip_suffix('h')) {
            (Some(rest), _) => (rest, Some(8)),
            (_, Some(rest)) => (rest, Some(16)),
            _ => (name, None),
        },
    };
    let fixed = [
        ("ldr", MemoryOrder::Relaxed),
        ("ldur", MemoryOrder::Relaxed),
        ("ldar", MemoryOrder::Acquire),
        ("ldapr", MemoryOrder::Acquire),
        ("ldxr", MemoryOrder::Relaxed),
        ("ldaxr", MemoryOrder::Acquire),
        ("str", MemoryOrder::Relaxed),
        ("stur", MemoryOrder::Relaxed),
        ("stlr", MemoryOrder::Release),
        ("stxr", MemoryOrder::Relaxed),
        ("stlxr", MemoryOrder::Release),
    ];
    if let Some((base, order)) = fixed.iter().find(|(base, _)| *base == rest) {
        return Some(Access { base, width, order: *order });
    }
    let atomic = ["cas", "swp", "ldadd", "ldclr", "ldset", "ldeor", "stadd", "stclr", "stset", "steor"];
    let base = atomic.iter().find(|base| rest.starts_with(**base))?;
    let order = match &rest[base.len()..] {
        "" => MemoryOrder::Relaxed,
        "a" => MemoryOrder::Acquire,
        "l" => MemoryOrder::Release,
        "al" => MemoryOrder::AcqRel,
        _ => return None,
    };
    Some(Access { base, width, order })
}

/// Whether the instruction loads and watches what it loaded.
pub(super) fn is_load_exclusive(instruction: &Instruction) -> bool {
    access(&instruction.name).is_some_and(|a| matches!(a.base, "ldxr" | "ldaxr"))
}

/// Whether the instruction stores if nobody has written since.
pub(super) fn is_store_exclusive(instruction: &Instruction) -> bool {
    access(&instruction.name).is_some_and(|a| matches!(a.base, "stxr" | "stlxr"))
}

/// Whether the instruction accesses memory.
pub(super) fn accesses_memory(instruction: &Instruction) -> bool {
    access(&instruction.name).is_some()
}

impl Execution<'_, '_> {
    /// Translates an instruction that does not jump; `paired` if it is one of an exclusive pair in one step.
    pub(super) fn arm(&mut self, instruction: &Instruction, paired: bool) -> Lowered<()> {
        let name = instruction.name.as_str();
        if name.is_empty() || WITHOUT_EFFECT.contains(&name) {
            return Ok(());
        }
        if let Some(access) = access(name) {
            return self.arm_access(instruction, &access, paired);
        }
        match (name, instruction.operands.as_slice()) {
            ("mrs", [to, Operand::Name(_)]) => {
                let value = self.lower.guess(&REMEMBERED, "a register of the current thread or processor");
                self.assign(to, value, MemoryOrder::Release)
            }
            ("cmp" | "cmn" | "tst", [a, b]) => {
                let width = self.arm_width(a, instruction)?;
                let (a, b) = (self.read_operand(a, width)?, self.read_operand(b, width)?);
                self.arm_flags(
                    if name == "tst" {
                        "ands"
                    } else if name == "cmp" {
                        "subs"
                    } else {
                        "adds"
                    },
                    a,
                    b,
                );
                Ok(())
            }
            ("cset" | "csetm" | "csel", [.., Operand::Name(condition)]) => {
                self.choose(instruction, condition)
            }
            ("mov" | "mvn" | "neg" | "uxtb" | "uxth" | "clz" | "rbit", [to, from]) => {
                let width = self.arm_width(to, instruction)?;
                let value = self.read_operand(from, width)?;
                self.assign(to, one_operand(name, value), MemoryOrder::Release)
            }
            (_, [to, a, b]) => {
                let width = self.arm_width(to, instruction)?;
                let (a, b) = (self.read_operand(a, width)?, self.read_operand(b, width)?);
                let Some(value) = two_operands(name, a, b) else {
                    return self.unknown(format!("'{}'", instruction.text));
                };
                self.assign(to, value, MemoryOrder::Release)?;
                if name.ends_with('s') {
                    self.arm_flags(name, a, b);
                }
                Ok(())
            }
            _ => self.unknown(format!("'{}'", instruction.text)),
        }
    }

    /// A value that depends on a condition.
    fn choose(&mut self, instruction: &Instruction, condition: &str) -> Lowered<()> {
        let Some(truth) = self.machine.condition(self.lower, condition) else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        let Some(to) = instruction.operands.first() else { return Ok(()) };
        let width = self.arm_width(to, instruction)?;
        let (yes, no) = match (instruction.name.as_str(), instruction.operands.as_slice()) {
            ("cset", [_, _]) => (Term::bv(width, 1), Term::bv(width, 0)),
            ("csetm", [_, _]) => (Term::bv_signed(width, -1), Term::bv(width, 0)),
            ("csel", [_, yes, no, _]) => (self.read_operand(yes, width)?, self.read_operand(no, width)?),
            _ => return self.unknown(format!("'{}'", instruction.text)),
        };
        self.assign(to, truth.ite(yes, no), MemoryOrder::Release)
    }

    pub(super) fn arm_width(&self, operand: &Operand, instruction: &Instruction) -> Lowered<u32> {
        match self.register_width(operand) {
            Some(width) => Ok(width),
            None => self.unknown(format!("'{}'", instruction.text)),
        }
    }

    /// Flags as x86 has them: what AArch64 calls carry is the opposite of a borrow.
    fn arm_flags(&mut self, name: &str, a: Term, b: Term) {
        let mut sum = match name {
            "adds" => add(a, b, Term::fls()),
            "subs" => subtract(a, b, Term::fls()),
            _ => super::machine::Sum { result: a.bv_and(b), carry: Term::fls(), overflow: Term::fls() },
        };
        if name != "subs" {
            sum.carry = sum.carry.not();
        }
        self.machine.set_sum_flags(self.lower, &sum);
    }

    fn arm_access(&mut self, instruction: &Instruction, access: &Access, paired: bool) -> Lowered<()> {
        let Some((memory, registers)) = instruction.operands.split_last() else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        let is_memory = match memory {
            Operand::Memory(_) => true,
            Operand::Reference(index, _) => {
                matches!(self.bindings.get(*index), Some(b) if matches!(b.home, Home::Memory(_)))
            }
            _ => false,
        };
        let data = if matches!(access.base, "stxr" | "stlxr") { registers.get(1) } else { registers.first() };
        let (true, Some(data)) = (is_memory, data) else {
            return self.unknown(format!("'{}'", instruction.text));
        };
        let own = self.arm_width(data, instruction)?;
        let width = access.width.unwrap_or(own);
        match (access.base, registers) {
            ("ldr" | "ldur" | "ldar" | "ldapr", [to]) => {
                let value = self.arm_load(memory, width, access.order)?;
                self.assign(to, value.resize_unsigned(own), MemoryOrder::Release)
            }
            ("ldxr" | "ldaxr", [to]) => {
                self.lower.emit_if(paired, Op::AtomicBegin);
                let value = self.arm_load(memory, width, access.order)?;
                if !paired {
                    self.remember(memory, width, value)?;
                }
                self.assign(to, value.resize_unsigned(own), MemoryOrder::Release)
            }
            ("str" | "stur" | "stlr", [from]) => {
                let value = self.read_operand(from, own)?.extract(width - 1, 0);
                self.assign(memory, value, access.order)
            }
            ("stxr" | "stlxr", [status, from]) => {
                let value = self.read_operand(from, own)?.extract(width - 1, 0);
                self.store_exclusive(status, memory, value, access.order, paired)
            }
            ("cas", [expected, desired]) => {
                let wanted = self.read_operand(expected, own)?.extract(width - 1, 0);
                let value = self.read_operand(desired, own)?.extract(width - 1, 0);
                let (old, _) = self.swap(memory, width, true, wanted, value)?;
                self.assign(expected, old.resize_unsigned(own), MemoryOrder::Release)
            }
            (base, [from]) if base.starts_with("st") => {
                let value = self.read_operand(from, own)?.extract(width - 1, 0);
                self.modify(memory, width, true, |_, old| Ok(atomic_result(base, old, value))).map(|_| ())
            }
            (base, [from, to]) => {
                let value = self.read_operand(from, own)?.extract(width - 1, 0);
                let old = self.modify(memory, width, true, |_, old| Ok(atomic_result(base, old, value)))?;
                self.assign(to, old.resize_unsigned(own), MemoryOrder::Release)
            }
            _ => self.unknown(format!("'{}'", instruction.text)),
        }
    }

    fn arm_load(&mut self, memory: &Operand, width: u32, order: MemoryOrder) -> Lowered<Term> {
        self.check_read(memory)?;
        self.check_modified(memory)?;
        let spot = self.spot(memory, width)?;
        self.read(&spot, order)
    }

    /// Where a thread remembers what it loaded, and from where.
    fn monitor(&mut self) -> [Place; 2] {
        let names = ["exclusive address", "exclusive value"];
        let known = self.lower.monitor;
        let objects = known.unwrap_or_else(|| {
            names.map(|name| self.lower.new_object(name, REMEMBERED, Storage::ThreadLocal, self.span.start))
        });
        self.lower.monitor = Some(objects);
        objects.map(|object| Place::object(object, REMEMBERED))
    }

    fn address_of(&mut self, memory: &Operand, width: u32) -> Lowered<Term> {
        match self.spot(memory, width)? {
            Spot::Memory(place) => self.address_term(&place),
            _ => self.unknown("an exclusive access of a register"),
        }
    }

    fn remember(&mut self, memory: &Operand, width: u32, value: Term) -> Lowered<()> {
        let address = self.address_of(memory, width)?.resize_unsigned(64);
        let [at, content] = self.monitor();
        self.lower.write(&at, address);
        self.lower.write(&content, value.resize_unsigned(64));
        Ok(())
    }

    fn store_exclusive(
        &mut self,
        status: &Operand,
        memory: &Operand,
        value: Term,
        order: MemoryOrder,
        paired: bool,
    ) -> Lowered<()> {
        let width = value.width();
        let flag = integer(32).map(|ty| self.lower.temporary(&ty));
        let Some(flag) = flag else { return Ok(()) };
        let (fails, succeeds, end) = (self.lower.node(), self.lower.node(), self.lower.node());
        let is_lucky = self.lower.any(&Type::Bool);
        self.lower.emit_branch(Op::Assume(is_lucky), succeeds);
        self.lower.emit_branch(Op::Assume(is_lucky.not()), fails);
        self.lower.continue_at(succeeds);
        if !paired {
            let address = self.address_of(memory, width)?.resize_unsigned(64);
            let [at, content] = self.monitor();
            let (watched, loaded) = (self.lower.read(&at).term, self.lower.read(&content).term);
            self.lower.emit(Op::AtomicBegin);
            let spot = self.spot(memory, width)?;
            let now = self.read(&spot, order)?;
            let same = watched.equals(address).and(loaded.equals(now.resize_unsigned(64)));
            self.lower.emit(Op::Assume(same));
            self.lower.approximate("a store-exclusive compares values");
        }
        self.assign(memory, value, order)?;
        self.lower.emit(Op::AtomicEnd);
        self.lower.set(flag, Term::bv(32, 0));
        self.lower.emit_branch(Op::Skip, end);
        self.lower.continue_at(fails);
        self.lower.emit_if(paired, Op::AtomicEnd);
        self.lower.set(flag, Term::bv(32, 1));
        self.lower.join(end);
        if !paired {
            let [at, _] = self.monitor();
            self.lower.write(&at, Term::bv(64, 0));
        }
        let result = self.lower.register_term(flag);
        self.assign(status, result, MemoryOrder::Release)
    }
}

fn one_operand(name: &str, value: Term) -> Term {
    let width = value.width();
    match name {
        "mvn" => value.bv_not(),
        "neg" => value.bv_neg(),
        "uxtb" => value.extract(7, 0).resize_unsigned(width),
        "uxth" => value.extract(15, 0).resize_unsigned(width),
        "rbit" => {
            let bits = (0..width).map(|place| value.extract(place, place));
            bits.reduce(|high, low| high.concat(low)).unwrap_or(value)
        }
        "clz" => (0..width).fold(Term::bv(width, u128::from(width)), |rest, place| {
            let is_set = value.extract(place, place).equals(Term::bv(1, 1));
            is_set.ite(Term::bv(width, u128::from(width - 1 - place)), rest)
        }),
        _ => value,
    }
}

fn two_operands(name: &str, a: Term, b: Term) -> Option<Term> {
    let count = b.bv_and(Term::bv(b.width(), u128::from(b.width() - 1)));
    Some(match name {
        "add" | "adds" => a.bv_add(b),
        "sub" | "subs" => a.bv_sub(b),
        "and" | "ands" => a.bv_and(b),
        "orr" => a.bv_or(b),
        "eor" => a.bv_xor(b),
        "bic" => a.bv_and(b.bv_not()),
        "orn" => a.bv_or(b.bv_not()),
        "lsl" => a.bv_shl(count),
        "lsr" => a.bv_lshr(count),
        "asr" => a.bv_ashr(count),
        _ => return None,
    })
}

/// What an atomic instruction stores.
fn atomic_result(base: &str, old: Term, value: Term) -> Term {
    match base {
        "ldadd" | "stadd" => old.bv_add(value),
        "ldclr" | "stclr" => old.bv_and(value.bv_not()),
        "ldset" | "stset" => old.bv_or(value),
        "ldeor" | "steor" => old.bv_xor(value),
        _ => value,
    }
}
