//! Bits that nobody has chosen yet, and what depends on them.
//!
//! A mask has the sort of the value that it belongs to; its ones are the bits that may be anything. Values have zeros there, so that states
//! with the same masks are equal if they are equal in all that is known. Each instruction computes the mask of its result: a bit is
//! known if it is the same whatever the unknown bits of the operands are. More unknown bits than necessary are allowed, fewer are not. In debug builds
//! every step is checked with values for the unknown bits ([`super::crosscheck`]).

use super::layout::{CLEAN, Cell, read_small};
use super::machine::{Binary, Frame, Instruction, Machine, Owner, Register, binary, mask as ones, signed};
use super::{general, layout};
use smt::{ArrayValue, Bits, Op, Sort, Value};
use std::sync::Arc;

/// The masks of a machine's registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Masks {
    numbers: Vec<u128>,
    /// None if all bits are known.
    large: Vec<Option<Arc<Value>>>,
}

impl Masks {
    pub(super) fn reserve(&mut self, numbers: usize, large: usize) {
        self.numbers.resize(numbers, 0);
        self.large.resize(large, None);
    }

    /// The mask of a number.
    pub(super) fn number(&self, register: u32) -> u128 {
        self.numbers[register as usize]
    }

    /// What a mask's slot in a state has for this register.
    pub(super) fn cell(&self, register: Register) -> Cell {
        match register {
            Register::Small(at) => Cell::Small(self.numbers[at as usize]),
            Register::Large(at) => match &self.large[at as usize] {
                Some(mask) => Cell::Large(Arc::clone(mask)),
                None => Cell::Large(Arc::new(CLEAN)),
            },
        }
    }

    pub(super) fn is_clean(&self, register: Register) -> bool {
        match register {
            Register::Small(at) => self.numbers[at as usize] == 0,
            Register::Large(at) => self.large[at as usize].is_none(),
        }
    }

    fn set(&mut self, register: Register, mask: Option<&Cell>) {
        match (register, mask) {
            (Register::Small(at), Some(Cell::Small(mask))) => self.numbers[at as usize] = *mask,
            (Register::Small(at), _) => self.numbers[at as usize] = 0,
            (Register::Large(at), Some(Cell::Large(mask))) => {
                self.large[at as usize] = (!is_zero(mask)).then(|| Arc::clone(mask));
            }
            (Register::Large(at), _) => self.large[at as usize] = None,
        }
    }

    /// The mask in a register as a value of the sort.
    fn value(&self, register: Register, sort: Sort) -> Value {
        match register {
            Register::Small(at) => layout::large(self.numbers[at as usize], sort),
            Register::Large(at) => {
                self.large[at as usize].as_ref().map_or_else(|| Value::zero(sort), |mask| Value::clone(mask))
            }
        }
    }
}

impl Machine {
    /// Runs the code and keeps track of what is known. `inputs` has the masks of the active thread's inputs.
    pub(super) fn run_masked(&mut self, code: &[Instruction], frame: Frame<'_>, inputs: &[Option<Cell>]) {
        for instruction in code {
            self.step(instruction, frame);
            self.mask(instruction, frame, inputs);
        }
    }

    fn mask(&mut self, instruction: &Instruction, frame: Frame<'_>, inputs: &[Option<Cell>]) {
        let masks = &self.masks;
        let (target, mask) = match *instruction {
            Instruction::LargeConstant { target, .. } => {
                return self.masks.set(Register::Large(target), None);
            }
            Instruction::Load { target, owner, mask, .. } => {
                let mask = mask.map(|slot| layout::read(frame.state, frame.base(owner), slot));
                return self.masks.set(target, mask.as_ref());
            }
            Instruction::Input { target, owner, index } => {
                let mask = inputs.get(index as usize).filter(|_| owner != Owner::Passive);
                return self.masks.set(target, mask.and_then(Option::as_ref));
            }
            Instruction::General { target, operation, sort, ref operands } => {
                return self.mask_general(target, operation, sort, operands);
            }
            Instruction::Constant { target, .. } => (target, 0),
            Instruction::Not { target, operand, .. } => (target, masks.number(operand)),
            Instruction::Negate { target, width, operand } => (target, upward(masks.number(operand), width)),
            Instruction::Binary { target, operation, width, first, second } => {
                let operand =
                    |register| Masked { value: self.number(register), mask: masks.number(register) };
                (target, mask_binary(operation, width, operand(first), operand(second)))
            }
            Instruction::Choose { target, condition, then, otherwise } => {
                let (a, b) = (masks.number(then), masks.number(otherwise));
                let mask = match (masks.number(condition), self.number(condition)) {
                    (0, 0) => b,
                    (0, _) => a,
                    _ => a | b | self.number(then) ^ self.number(otherwise),
                };
                (target, mask)
            }
            Instruction::Extract { target, operand, low, width } => {
                (target, masks.number(operand) >> low & ones(width))
            }
            Instruction::SignExtend { target, operand, from, to } => {
                (target, signed(masks.number(operand), from) as u128 & ones(to))
            }
            Instruction::Select { target, array, index, width } => {
                (target, self.mask_select(array, index, width))
            }
        };
        self.masks.numbers[target as usize] = mask;
        self.numbers[target as usize] &= !mask;
    }

    /// The mask of a small element.
    fn mask_select(&self, array: u32, index: u32, width: u32) -> u128 {
        if self.masks.number(index) != 0 {
            let array = self.large[array as usize].as_deref().and_then(Value::as_array);
            return ones(array.and_then(|array| array.default().sort().width()).unwrap_or(1));
        }
        let mask = self.masks.large[array as usize].as_deref().and_then(Value::as_array);
        mask.map_or(0, |mask| {
            layout::small(mask.select(&Bits::new(width, self.number(index)))).unwrap_or(u128::MAX)
        })
    }

    /// The mask of an operation with arrays or wide numbers.
    fn mask_general(&mut self, target: Register, operation: &Op, sort: Sort, operands: &[(Register, Sort)]) {
        let masks = &self.masks;
        if operands.iter().all(|&(register, _)| masks.is_clean(register)) {
            return self.masks.set(target, None);
        }
        let mask_of = |&(register, sort): &(Register, Sort)| masks.value(register, sort);
        let value_of = |&(register, sort): &(Register, Sort)| self.cell(register).value(sort);
        let known = |operand: &(Register, Sort)| masks.is_clean(operand.0);
        // The same operation on the masks; what chooses must be known.
        let arguments = match (operation, operands) {
            (Op::Select, [array, index]) if known(index) => Some(vec![mask_of(array), value_of(index)]),
            (Op::Store, [array, index, element]) if known(index) => {
                Some(vec![mask_of(array), value_of(index), mask_of(element)])
            }
            (Op::Ite, [condition, then, otherwise]) if known(condition) => {
                Some(vec![value_of(condition), mask_of(then), mask_of(otherwise)])
            }
            (Op::ConstArray(_), [element]) => Some(vec![mask_of(element)]),
            _ => None,
        };
        match arguments {
            // The operands have zeros where they are unknown, and so has the result.
            Some(arguments) => {
                let mask = general::apply(operation, sort, &arguments);
                self.masks.set(target, Some(&Cell::new(&mask)));
            }
            None => {
                self.set(target, Cell::new(&Value::zero(sort)));
                self.masks.set(target, Some(&Cell::new(&all(sort))));
            }
        }
    }
}

/// A number and its mask.
#[derive(Clone, Copy)]
struct Masked {
    value: u128,
    mask: u128,
}

fn mask_binary(operation: Binary, width: u32, a: Masked, b: Masked) -> u128 {
    let either = a.mask | b.mask;
    if either == 0 {
        return 0;
    }
    match operation {
        Binary::And => either & (a.mask | a.value) & (b.mask | b.value),
        Binary::Or => either & (a.mask | !a.value) & (b.mask | !b.value),
        Binary::Xor => either,
        // Known bits that differ decide.
        Binary::Equal => u128::from((a.value ^ b.value) & !either == 0),
        Binary::Add | Binary::Sub | Binary::Mul => upward(either, width),
        Binary::Shl | Binary::Lshr | Binary::Ashr if b.mask == 0 => binary(operation, width, a.mask, b.value),
        Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem => ones(width),
        Binary::Shl | Binary::Lshr | Binary::Ashr => ones(width),
        Binary::Ult | Binary::Ule | Binary::Slt | Binary::Sle => 1,
        Binary::Concat => binary(Binary::Concat, width, a.mask, b.mask),
    }
}

/// The lowest unknown bit and all above it: no lower bit of a sum, difference or product depends on it.
fn upward(mask: u128, width: u32) -> u128 {
    mask.wrapping_neg() & ones(width) | mask
}

/// The mask of a value of which nothing is known.
pub(super) fn all(sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(true),
        Sort::BitVec(width) => Value::Bits(Bits::ones(width)),
        Sort::Array(array) => Value::Array(ArrayValue::constant(array.index, all(array.element))),
    }
}

/// Whether a mask says that everything is known.
fn is_zero(mask: &Value) -> bool {
    match mask {
        Value::Bool(unknown) => !unknown,
        Value::Bits(bits) => *bits == Bits::zero(bits.width()),
        Value::Array(array) => is_zero(array.default()) && array.entries().next().is_none(),
    }
}

/// The value with the bits of another one where they are unknown.
pub(super) fn fill(value: &Value, mask: &Value, other: &Value) -> Value {
    match (value, mask, other) {
        (Value::Bool(_), Value::Bool(true), _) => other.clone(),
        (Value::Bits(value), Value::Bits(mask), Value::Bits(other)) => {
            Value::Bits(value.and(&mask.not()).or(&other.and(mask)))
        }
        (Value::Array(value), Value::Array(mask), Value::Array(other)) => {
            let default = fill(value.default(), mask.default(), other.default());
            let indices =
                value.entries().chain(mask.entries()).chain(other.entries()).map(|(index, _)| index);
            let filled = indices.fold(ArrayValue::constant(value.index(), default), |filled, index| {
                let element = fill(value.select(index), mask.select(index), other.select(index));
                filled.into_stored(index.clone(), element)
            });
            Value::Array(filled)
        }
        _ => value.clone(),
    }
}

/// The mask of a variable in a state as a value of its sort.
pub(super) fn in_state(state: &layout::State, base: layout::Base, slot: layout::Slot, sort: Sort) -> Value {
    match layout::read(state, base, slot) {
        Cell::Large(mask) if *mask == CLEAN => Value::zero(sort),
        Cell::Large(mask) => Value::clone(&mask),
        Cell::Small(_) => layout::large(read_small(&state.words, base, slot), sort),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All fillings of a masked number.
    fn fillings(number: Masked, width: u32) -> impl Iterator<Item = u128> {
        (0..1 << width).filter(move |filling| filling & !number.mask == number.value)
    }

    /// All masked numbers of a width.
    fn numbers(width: u32) -> Vec<Masked> {
        let pairs = (0..1 << width).flat_map(|mask| (0..1 << width).map(move |value| Masked { value, mask }));
        pairs.filter(|number| number.value & number.mask == 0).collect()
    }

    #[test]
    fn known_bits_do_not_depend_on_unknown_ones() {
        const WIDTH: u32 = 3;
        let operations = [
            [Binary::And, Binary::Or, Binary::Xor, Binary::Equal, Binary::Add, Binary::Sub],
            [Binary::Mul, Binary::Udiv, Binary::Urem, Binary::Sdiv, Binary::Srem, Binary::Shl],
            [Binary::Lshr, Binary::Ashr, Binary::Ult, Binary::Ule, Binary::Slt, Binary::Sle],
            [Binary::Concat; 6],
        ];
        for operation in operations.into_iter().flatten() {
            let mut known = 0_u32;
            for (a, b) in
                numbers(WIDTH).into_iter().flat_map(|a| numbers(WIDTH).into_iter().map(move |b| (a, b)))
            {
                let mask = mask_binary(operation, WIDTH, a, b);
                let expected = binary(operation, WIDTH, a.value, b.value) & !mask;
                known += (mask == 0) as u32;
                for (x, y) in fillings(a, WIDTH).flat_map(|x| fillings(b, WIDTH).map(move |y| (x, y))) {
                    assert_eq!(
                        binary(operation, WIDTH, x, y) & !mask,
                        expected,
                        "{operation:?} {x} {y} {mask}"
                    );
                }
            }
            assert!(known >= 64, "{operation:?}");
        }
    }

    #[test]
    fn carries_go_upward() {
        assert_eq!(upward(0b0100, 4), 0b1100);
        assert_eq!(upward(0, 4), 0);
        assert_eq!(upward(1 << 127, 128), 1 << 127);
    }

    #[test]
    fn arrays_are_filled_by_element() {
        let byte = |value| Value::bits(8, value);
        let array = |default, index, value| {
            Value::Array(
                ArrayValue::constant(Sort::BitVec(4), byte(default)).store(Bits::new(4, index), byte(value)),
            )
        };
        let (value, mask, other) = (array(0, 1, 3), array(0xff, 1, 0x0f), array(9, 2, 8));
        let filled = fill(&array(0, 1, 0), &mask, &other);
        let expected = array(9, 2, 8);
        assert_eq!(filled, expected);
        assert_eq!(fill(&value, &Value::zero(value.sort()), &other), value);
        assert!(!is_zero(&mask) && is_zero(&Value::zero(value.sort())));
    }
}
