//! Terms as straight-line code over registers, and the machine that runs it.
//!
//! Each distinct sub-term is computed once. Numbers of up to 128 bits are computed here; whatever involves arrays or wider
//! numbers is left to the operations of `smt` on values.

use super::compile::Code;
use super::general;
use super::layout::{Base, Cell, SHARED, Slot, State, read_small, small};
use super::mask::Masks;
use smt::{Bits, Op, Sort, Value};
use std::sync::Arc;

/// A register; numbers and large values have files of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Small(u32),
    Large(u32),
}

/// Whose variable, or whose input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Shared,
    Active,
    Passive,
}

/// Operations on two numbers of the same width (in bits; Booleans have one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    And,
    Or,
    Xor,
    Equal,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// The width is that of the second, less significant part.
    Concat,
}

/// One step of a computation.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Constant { target: u32, value: u128 },
    LargeConstant { target: u32, value: Arc<Value> },
    Load { target: Register, owner: Owner, slot: Slot, mask: Option<Slot> },
    Input { target: Register, owner: Owner, index: u32 },
    Not { target: u32, width: u32, operand: u32 },
    Negate { target: u32, width: u32, operand: u32 },
    Binary { target: u32, operation: Binary, width: u32, first: u32, second: u32 },
    Choose { target: u32, condition: u32, then: u32, otherwise: u32 },
    Extract { target: u32, operand: u32, low: u32, width: u32 },
    SignExtend { target: u32, operand: u32, from: u32, to: u32 },
    Select { target: u32, array: u32, index: u32, width: u32 },
    General { target: Register, operation: &'static Op, sort: Sort, operands: Box<[(Register, Sort)]> },
}

/// What code reads besides registers.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) state: &'a State,
    pub(super) active: Base,
    pub(super) passive: Base,
    pub(super) inputs: &'a [Cell],
    pub(super) passive_inputs: &'a [Cell],
}

impl Frame<'_> {
    /// Where the block of an owner starts.
    pub(super) fn base(&self, owner: Owner) -> Base {
        match owner {
            Owner::Shared => SHARED,
            Owner::Active => self.active,
            Owner::Passive => self.passive,
        }
    }
}

/// The registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    pub(super) numbers: Vec<u128>,
    pub(super) large: Vec<Option<Arc<Value>>>,
    pub(super) masks: Masks,
}

impl Machine {
    /// Makes sure that there are enough registers for the code.
    pub(super) fn reserve(&mut self, code: &Code) {
        self.numbers.resize(self.numbers.len().max(code.numbers as usize), 0);
        self.large.resize(self.large.len().max(code.large as usize), None);
        self.masks.reserve(self.numbers.len(), self.large.len());
    }

    /// The number in a register.
    pub(super) fn number(&self, register: u32) -> u128 {
        self.numbers[register as usize]
    }

    /// What is in a register.
    pub(super) fn cell(&self, register: Register) -> Cell {
        match register {
            Register::Small(at) => Cell::Small(self.numbers[at as usize]),
            Register::Large(at) => match &self.large[at as usize] {
                Some(value) => Cell::Large(Arc::clone(value)),
                None => Cell::Large(Arc::new(Value::Bool(false))),
            },
        }
    }

    pub(super) fn set(&mut self, register: Register, cell: Cell) {
        match (register, cell) {
            (Register::Small(at), Cell::Small(value)) => self.numbers[at as usize] = value,
            (Register::Large(at), Cell::Large(value)) => self.large[at as usize] = Some(value),
            _ => debug_assert!(false, "a value of the wrong sort"),
        }
    }

    /// Runs the code.
    pub(super) fn run(&mut self, code: &[Instruction], frame: Frame<'_>) {
        for instruction in code {
            self.step(instruction, frame);
        }
    }

    pub(super) fn step(&mut self, instruction: &Instruction, frame: Frame<'_>) {
        match *instruction {
            Instruction::Constant { target, value } => self.numbers[target as usize] = value,
            Instruction::LargeConstant { target, ref value } => {
                self.large[target as usize] = Some(Arc::clone(value));
            }
            Instruction::Load { target, owner, slot, .. } => self.load(target, owner, slot, frame),
            Instruction::Input { target, owner, index } => {
                let inputs = if owner == Owner::Passive { frame.passive_inputs } else { frame.inputs };
                if let Some(cell) = inputs.get(index as usize) {
                    self.set(target, cell.clone());
                }
            }
            Instruction::Not { target, width, operand } => {
                self.numbers[target as usize] = !self.number(operand) & mask(width);
            }
            Instruction::Negate { target, width, operand } => {
                self.numbers[target as usize] = self.number(operand).wrapping_neg() & mask(width);
            }
            Instruction::Binary { target, operation, width, first, second } => {
                let value = binary(operation, width, self.number(first), self.number(second));
                self.numbers[target as usize] = value;
            }
            Instruction::Choose { target, condition, then, otherwise } => {
                let chosen = if self.number(condition) != 0 { then } else { otherwise };
                self.numbers[target as usize] = self.number(chosen);
            }
            Instruction::Extract { target, operand, low, width } => {
                self.numbers[target as usize] = self.number(operand) >> low & mask(width);
            }
            Instruction::SignExtend { target, operand, from, to } => {
                self.numbers[target as usize] = signed(self.number(operand), from) as u128 & mask(to);
            }
            Instruction::Select { target, array, index, width } => self.select(target, array, index, width),
            Instruction::General { target, operation, sort, ref operands } => {
                let values: Vec<Value> =
                    operands.iter().map(|&(register, sort)| self.cell(register).value(sort)).collect();
                let value = general::apply(operation, sort, &values);
                self.set(target, Cell::new(&value));
            }
        }
    }

    fn load(&mut self, target: Register, owner: Owner, slot: Slot, frame: Frame<'_>) {
        let base = frame.base(owner);
        match (target, slot) {
            (Register::Large(at), Slot::Large { index }) => {
                let value = Arc::clone(&frame.state.large[base.large + index as usize]);
                self.large[at as usize] = Some(value);
            }
            (Register::Small(at), _) => {
                self.numbers[at as usize] = read_small(&frame.state.words, base, slot);
            }
            _ => debug_assert!(false, "a variable of the wrong sort"),
        }
    }

    fn select(&mut self, target: u32, array: u32, index: u32, width: u32) {
        if let Some(array) = &self.large[array as usize]
            && let Value::Array(array) = &**array
        {
            let element = array.select(&Bits::new(width, self.number(index)));
            self.numbers[target as usize] = small(element).unwrap_or(0);
        }
    }
}

/// The ones of a width.
pub(super) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The number as a signed one of this width.
pub(super) fn signed(value: u128, width: u32) -> i128 {
    let unused = 128_u32.saturating_sub(width.max(1));
    ((value << unused) as i128) >> unused
}

/// SMT-LIB's meaning, also of division by zero and of shifts by too much.
pub(super) fn binary(operation: Binary, width: u32, a: u128, b: u128) -> u128 {
    let ones = mask(width);
    match operation {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Equal => u128::from(a == b),
        Binary::Add => a.wrapping_add(b) & ones,
        Binary::Sub => a.wrapping_sub(b) & ones,
        Binary::Mul => a.wrapping_mul(b) & ones,
        Binary::Udiv => a.checked_div(b).unwrap_or(ones),
        Binary::Urem => a.checked_rem(b).unwrap_or(a),
        Binary::Sdiv if b == 0 => {
            if signed(a, width) < 0 {
                1
            } else {
                ones
            }
        }
        Binary::Sdiv => signed(a, width).wrapping_div(signed(b, width)) as u128 & ones,
        Binary::Srem if b == 0 => a,
        Binary::Srem => signed(a, width).wrapping_rem(signed(b, width)) as u128 & ones,
        Binary::Shl => {
            if b < u128::from(width) {
                a << b & ones
            } else {
                0
            }
        }
        Binary::Lshr => {
            if b < u128::from(width) {
                a >> b
            } else {
                0
            }
        }
        Binary::Ashr => (signed(a, width) >> b.min(127)) as u128 & ones,
        Binary::Ult => u128::from(a < b),
        Binary::Ule => u128::from(a <= b),
        Binary::Slt => u128::from(signed(a, width) < signed(b, width)),
        Binary::Sle => u128::from(signed(a, width) <= signed(b, width)),
        Binary::Concat => a << width.min(127) | b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::random::Random;

    type Reference = fn(&Bits, &Bits) -> Bits;
    type Comparison = fn(&Bits, &Bits) -> bool;

    #[test]
    fn operations_are_those_of_bits() {
        let operations: [(Binary, Reference); 13] = [
            (Binary::And, Bits::and),
            (Binary::Or, Bits::or),
            (Binary::Xor, Bits::xor),
            (Binary::Add, Bits::add),
            (Binary::Sub, Bits::sub),
            (Binary::Mul, Bits::mul),
            (Binary::Udiv, Bits::udiv),
            (Binary::Urem, Bits::urem),
            (Binary::Sdiv, Bits::sdiv),
            (Binary::Srem, Bits::srem),
            (Binary::Shl, Bits::shl),
            (Binary::Lshr, Bits::lshr),
            (Binary::Ashr, Bits::ashr),
        ];
        let comparisons: [(Binary, Comparison); 5] = [
            (Binary::Ult, Bits::ult),
            (Binary::Ule, Bits::ule),
            (Binary::Slt, Bits::slt),
            (Binary::Sle, Bits::sle),
            (Binary::Equal, |a, b| a == b),
        ];
        let mut random = Random::new(1);
        for width in [1, 2, 7, 8, 31, 64, 65, 127, 128] {
            for _ in 0..300 {
                let mut any = || match random.below(3) {
                    0 => Bits::from_i128(width, random.below(9) as i128 - 4),
                    1 => Bits::signed_min(width),
                    _ => Bits::new(
                        width,
                        u128::from(random.next()) << random.below(65) | u128::from(random.next()),
                    ),
                };
                let (a, b) = (any(), any());
                let run = |operation| binary(operation, width, a.to_u128().unwrap(), b.to_u128().unwrap());
                for (operation, reference) in operations {
                    assert_eq!(run(operation), reference(&a, &b).to_u128().unwrap(), "{operation:?} {a} {b}");
                }
                for (operation, reference) in comparisons {
                    assert_eq!(run(operation) == 1, reference(&a, &b), "{operation:?} {a} {b}");
                }
            }
        }
    }
}
