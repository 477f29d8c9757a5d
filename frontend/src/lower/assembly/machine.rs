//! The registers and flags of the processor while a template is translated.
//!
//! A register is a term as wide as the machine's registers. Where control only goes forward nothing is emitted for them: an instruction
//! makes new terms from old ones. A template with jumps has a register of the graph for each, since terms differ from path to path; what
//! is read is then copied, so that later changes do not show in it.
//!
//! Bits that nobody has defined (the upper half of a register with an `int` in it, flags that an instruction leaves undefined) are any value, marked.

use crate::assembly::Syntax;
use crate::lower::context::Lowerer;
use crate::lower::graph::RegisterId;
use crate::types::{IntKind, Type};
use smt::Term;
use std::collections::BTreeMap;

/// A flag of the processor; AArch64's `C` after a subtraction is the opposite of x86's and is kept as x86 has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flag {
    Zero,
    Carry,
    Sign,
    Overflow,
}

pub(super) const FLAGS: [Flag; 4] = [Flag::Zero, Flag::Carry, Flag::Sign, Flag::Overflow];

/// Where a value is.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Term(Term),
    Register(RegisterId),
}

/// What the processor knows.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub syntax: Syntax,
    /// Bits of a register.
    pub width: u32,
    /// Whether control can come to an instruction on several ways.
    jumps: bool,
    /// How many bits of a register the template uses at most, for those of the graph.
    used: BTreeMap<String, u32>,
    registers: BTreeMap<String, Cell>,
    flags: BTreeMap<Flag, Cell>,
}

/// The unsigned integer type of a width.
pub(super) fn integer(width: u32) -> Option<Type> {
    Some(Type::Int(match width {
        8 => IntKind::UChar,
        16 => IntKind::UShort,
        32 => IntKind::UInt,
        64 => IntKind::ULongLong,
        128 => IntKind::UInt128,
        _ => return None,
    }))
}

impl Machine {
    pub(super) fn new(syntax: Syntax, width: u32, jumps: bool) -> Machine {
        let used = BTreeMap::new();
        Machine { syntax, width, jumps, used, registers: BTreeMap::new(), flags: BTreeMap::new() }
    }

    fn cell(&self, lower: &mut Lowerer<'_>, ty: &Type, value: Term) -> Cell {
        if !self.jumps {
            return Cell::Term(value);
        }
        let register = lower.temporary(ty);
        lower.set(register, value);
        Cell::Register(register)
    }

    fn whole(&self) -> Type {
        integer(self.width).unwrap_or(Type::Int(IntKind::ULongLong))
    }

    /// The type of a register of the graph.
    fn held(&self, name: &str) -> Type {
        self.used.get(name).and_then(|width| integer(*width)).unwrap_or_else(|| self.whole())
    }

    /// Gives a register its value at the start, of at most the machine's width; the rest is any value.
    pub(super) fn start(&mut self, lower: &mut Lowerer<'_>, name: &str, value: Term) {
        let ty = self.held(name);
        let width = if self.jumps { lower.types.width(&ty) } else { self.width };
        let mut value = if value.width() > width { value.extract(width - 1, 0) } else { value };
        if self.jumps && value.width() < width {
            value = self.widened(lower, value).extract(width - 1, 0);
        }
        let cell = self.cell(lower, &ty, value);
        self.registers.insert(name.to_owned(), cell);
    }

    /// With jumps, all registers that have none yet and the flags have any value at the start; without, they get one when they are read.
    pub(super) fn start_rest(&mut self, lower: &mut Lowerer<'_>) {
        if !self.jumps {
            return;
        }
        for name in self.used.keys().cloned().collect::<Vec<_>>() {
            if !self.registers.contains_key(&name) {
                let ty = self.held(&name);
                let value = lower.guess(&ty, UNDEFINED);
                let cell = self.cell(lower, &ty, value);
                self.registers.insert(name, cell);
            }
        }
        for flag in FLAGS {
            let value = lower.guess(&Type::Bool, UNDEFINED);
            let cell = self.cell(lower, &Type::Bool, value);
            self.flags.insert(flag, cell);
        }
    }

    /// Notes that so many bits of a register are used.
    pub(super) fn uses(&mut self, name: &str, width: u32) {
        let known = self.used.entry(name.to_owned()).or_insert(8);
        *known = width.min(self.width).max(*known);
    }

    /// A register with this value in its lower bits, and anything above.
    fn widened(&self, lower: &mut Lowerer<'_>, value: Term) -> Term {
        if value.width() >= self.width {
            return value;
        }
        let rest = lower.guess(&self.whole(), UNDEFINED);
        rest.extract(self.width - 1, value.width()).concat(value)
    }

    fn value(&self, lower: &mut Lowerer<'_>, cell: Cell, ty: &Type) -> Term {
        match cell {
            Cell::Term(term) => term,
            Cell::Register(register) => {
                let copy = lower.temporary(ty);
                let now = lower.register_term(register);
                lower.set(copy, now);
                lower.register_term(copy)
            }
        }
    }

    /// All bits of a register.
    pub(super) fn read_whole(&mut self, lower: &mut Lowerer<'_>, name: &str) -> Term {
        self.read(lower, name, self.width, false)
    }

    /// The lower bits of a register, or its second byte.
    pub(super) fn read(&mut self, lower: &mut Lowerer<'_>, name: &str, width: u32, high: bool) -> Term {
        let low = if high { 8 } else { 0 };
        let now = match self.registers.get(name) {
            Some(cell) => self.value(lower, *cell, &self.held(name)),
            None => lower.guess(&self.whole(), UNDEFINED),
        };
        let known = if now.width() < low + width { self.widened(lower, now) } else { now };
        if !self.jumps {
            self.registers.insert(name.to_owned(), Cell::Term(known));
        }
        known.extract(low + width - 1, low)
    }

    /// Writes some bits of a register. A half of 32 bits clears the upper one, smaller parts keep the rest.
    pub(super) fn write(&mut self, lower: &mut Lowerer<'_>, name: &str, value: Term, high: bool) {
        let width = value.width();
        let whole = if width >= 32 {
            value.resize_unsigned(self.width)
        } else {
            let (low, size) = (if high { 8 } else { 0 }, self.known_width(name).max(low_end(width, high)));
            let old = self.read(lower, name, size, false);
            let mut parts = value;
            if low + width < size {
                parts = old.extract(size - 1, low + width).concat(parts);
            }
            if high { parts.concat(old.extract(low - 1, 0)) } else { parts }
        };
        self.replace(lower, name, whole);
    }

    /// How many bits of a register are known to be something.
    fn known_width(&self, name: &str) -> u32 {
        match self.registers.get(name) {
            Some(Cell::Term(term)) => term.width(),
            Some(Cell::Register(_)) => self.used.get(name).copied().unwrap_or(self.width),
            None => 0,
        }
    }

    /// The register gets these bits; what is above them is as unknown as it was, or not used.
    pub(super) fn replace(&mut self, lower: &mut Lowerer<'_>, name: &str, value: Term) {
        match self.registers.get(name) {
            Some(Cell::Register(register)) => {
                let (register, width) = (*register, self.known_width(name));
                lower.set(register, value.extract(width.min(value.width()) - 1, 0).resize_unsigned(width));
            }
            _ => {
                self.registers.insert(name.to_owned(), Cell::Term(value));
            }
        }
    }

    /// A comparison with a part of a register: if it fails, the part gets what was found, and a half clears the upper one.
    pub(super) fn found(&mut self, lower: &mut Lowerer<'_>, name: &str, found: Term, equal: Term) {
        let (width, known) = (found.width(), self.known_width(name));
        if known <= width {
            // If they were equal, it has the value already.
            self.replace(lower, name, found);
            return;
        }
        let before = self.read(lower, name, known, false);
        let above = before.extract(known - 1, width);
        let cleared = if width >= 32 { Term::bv(known - width, 0) } else { above };
        self.replace(lower, name, equal.ite(above, cleared).concat(found));
    }

    pub(super) fn flag(&mut self, lower: &mut Lowerer<'_>, flag: Flag) -> Term {
        match self.flags.get(&flag) {
            Some(cell) => self.value(lower, *cell, &Type::Bool),
            None => {
                let value = lower.guess(&Type::Bool, UNDEFINED);
                self.flags.insert(flag, Cell::Term(value));
                value
            }
        }
    }

    /// Sets a flag; none: the processor's manual leaves it undefined.
    pub(super) fn set_flag(&mut self, lower: &mut Lowerer<'_>, flag: Flag, value: Option<Term>) {
        match (self.flags.get(&flag), value) {
            (Some(Cell::Register(register)), value) => {
                let register = *register;
                let value = value.unwrap_or_else(|| lower.guess(&Type::Bool, UNDEFINED));
                lower.set(register, value);
            }
            (_, Some(value)) => {
                self.flags.insert(flag, Cell::Term(value));
            }
            (_, None) => {
                self.flags.remove(&flag);
            }
        }
    }

    /// Zero and sign of a result.
    pub(super) fn set_result_flags(&mut self, lower: &mut Lowerer<'_>, result: Term) {
        self.set_flag(lower, Flag::Zero, Some(result.equals(Term::bv(result.width(), 0))));
        self.set_flag(lower, Flag::Sign, Some(sign(result)));
    }

    /// The flags of an addition or subtraction.
    pub(super) fn set_sum_flags(&mut self, lower: &mut Lowerer<'_>, sum: &Sum) {
        self.set_result_flags(lower, sum.result);
        self.set_flag(lower, Flag::Carry, Some(sum.carry));
        self.set_flag(lower, Flag::Overflow, Some(sum.overflow));
    }

    /// Whether a condition of x86 or AArch64 holds; none if the condition is not known.
    pub(super) fn condition(&mut self, lower: &mut Lowerer<'_>, name: &str) -> Option<Term> {
        let (name, is_negated) = plain_condition(self.syntax, name)?;
        let zero = |s: &mut Self, lower: &mut Lowerer<'_>| s.flag(lower, Flag::Zero);
        let truth = match name {
            "e" => zero(self, lower),
            "b" => self.flag(lower, Flag::Carry),
            "be" => self.flag(lower, Flag::Carry).or(zero(self, lower)),
            "s" => self.flag(lower, Flag::Sign),
            "o" => self.flag(lower, Flag::Overflow),
            "l" => self.flag(lower, Flag::Sign).xor(self.flag(lower, Flag::Overflow)),
            _ => {
                let less = self.flag(lower, Flag::Sign).xor(self.flag(lower, Flag::Overflow));
                less.or(zero(self, lower))
            }
        };
        Some(if is_negated { truth.not() } else { truth })
    }
}

/// A condition as one of `e`, `b`, `be`, `s`, `o`, `l`, `le` of x86, or the opposite of it.
fn plain_condition(syntax: Syntax, name: &str) -> Option<(&'static str, bool)> {
    Some(match (syntax, name) {
        (Syntax::X86, "e" | "z") | (Syntax::Aarch64, "eq") => ("e", false),
        (Syntax::X86, "ne" | "nz") | (Syntax::Aarch64, "ne") => ("e", true),
        (Syntax::X86, "c" | "b" | "nae") | (Syntax::Aarch64, "cc" | "lo") => ("b", false),
        (Syntax::X86, "nc" | "ae" | "nb") | (Syntax::Aarch64, "cs" | "hs") => ("b", true),
        (Syntax::X86, "be" | "na") | (Syntax::Aarch64, "ls") => ("be", false),
        (Syntax::X86, "a" | "nbe") | (Syntax::Aarch64, "hi") => ("be", true),
        (Syntax::X86, "s") | (Syntax::Aarch64, "mi") => ("s", false),
        (Syntax::X86, "ns") | (Syntax::Aarch64, "pl") => ("s", true),
        (Syntax::X86, "o") | (Syntax::Aarch64, "vs") => ("o", false),
        (Syntax::X86, "no") | (Syntax::Aarch64, "vc") => ("o", true),
        (Syntax::X86, "l" | "nge") | (Syntax::Aarch64, "lt") => ("l", false),
        (Syntax::X86, "ge" | "nl") | (Syntax::Aarch64, "ge") => ("l", true),
        (Syntax::X86, "le" | "ng") | (Syntax::Aarch64, "le") => ("le", false),
        (Syntax::X86, "g" | "nle") | (Syntax::Aarch64, "gt") => ("le", true),
        _ => return None,
    })
}

/// Why a value is any.
pub(super) const UNDEFINED: &str = "a register or flag that the assembly does not set";

fn low_end(width: u32, high: bool) -> u32 {
    if high { 8 + width } else { width }
}

/// The most significant bit.
pub(super) fn sign(term: Term) -> Term {
    let top = term.width() - 1;
    term.extract(top, top).equals(Term::bv(1, 1))
}

/// A sum or difference with what the processor says about it.
pub(super) struct Sum {
    pub result: Term,
    pub carry: Term,
    pub overflow: Term,
}

/// `a + b`, and one more if there is a carry.
pub(super) fn add(a: Term, b: Term, carry: Term) -> Sum {
    let width = a.width();
    let one = carry.ite(Term::bv(width, 1), Term::bv(width, 0));
    let result = a.bv_add(b).bv_add(one);
    let out = result.ult(a).or(result.equals(a).and(carry));
    Sum { result, carry: out, overflow: sign(a.bv_xor(result).bv_and(b.bv_xor(result))) }
}

/// `a - b`, and one less if there is a borrow.
pub(super) fn subtract(a: Term, b: Term, borrow: Term) -> Sum {
    let width = a.width();
    let one = borrow.ite(Term::bv(width, 1), Term::bv(width, 0));
    let result = a.bv_sub(b).bv_sub(one);
    let out = a.ult(b).or(a.equals(b).and(borrow));
    Sum { result, carry: out, overflow: sign(a.bv_xor(b).bv_and(a.bv_xor(result))) }
}
