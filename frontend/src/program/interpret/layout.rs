//! How a state is packed: one block of words for the shared variables, then one for each thread, all of the same shape.
//!
//! Values of up to 128 bits lie in the words, several in a word where they fit; arrays and wider integers are shared
//! values beside them. Two states are equal if and only if their words and values are.

use crate::program::{LocationId, Program, Scope, VariableId};
use smt::{Bits, Sort, Value};
use std::sync::Arc;

/// A state of all threads. Only the interpreter that made it can read it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub(super) words: Vec<u64>,
    pub(super) large: Vec<Arc<Value>>,
}

impl State {
    /// Becomes the other, in the same memory.
    pub(super) fn copy_from(&mut self, other: &State) {
        self.words.clone_from(&other.words);
        self.large.clone_from(&other.large);
    }
}

/// A value outside a state: small ones in place, others shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A truth value (0 or 1) or a bit-vector of at most 128 bits.
    Small(u128),
    /// Anything else.
    Large(Arc<Value>),
}

impl Cell {
    pub(super) fn new(value: &Value) -> Cell {
        match small(value) {
            Some(value) => Cell::Small(value),
            None => Cell::Large(Arc::new(value.clone())),
        }
    }

    pub(super) fn value(&self, sort: Sort) -> Value {
        match self {
            Cell::Small(value) => large(*value, sort),
            Cell::Large(value) => Value::clone(value),
        }
    }
}

/// The number that stands for a value, if it is small.
pub(super) fn small(value: &Value) -> Option<u128> {
    match value {
        Value::Bool(value) => Some(u128::from(*value)),
        Value::Bits(bits) if bits.width() <= 128 => bits.to_u128(),
        _ => None,
    }
}

/// The value of a sort that a number stands for.
pub(super) fn large(value: u128, sort: Sort) -> Value {
    match sort.width() {
        Some(width) => Value::Bits(Bits::new(width, value)),
        None => Value::Bool(value != 0),
    }
}

/// Whether values of the sort are [`Cell::Small`].
pub(super) fn is_small(sort: Sort) -> bool {
    sort.is_bool() || sort.width().is_some_and(|width| width <= 128)
}

/// Where a value lies, relative to the start of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A part of a word.
    Word { word: u32, shift: u32, width: u32 },
    /// Two words, the less significant first.
    Double { word: u32 },
    /// One of the values beside the words.
    Large { index: u32 },
}

/// The start of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Base {
    pub(super) word: usize,
    pub(super) large: usize,
}

/// The mask of a large value whose bits were all chosen, whatever its sort.
pub(super) const CLEAN: Value = Value::Bool(false);

/// The shared block starts where the state does.
pub(super) const SHARED: Base = Base { word: 0, large: 0 };

/// The shape of a block while it grows.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    words: u32,
    /// Bits of the last word that are in use.
    used: u32,
    large: u32,
}

impl Shape {
    fn place(&mut self, sort: Sort) -> Slot {
        let width = if sort.is_bool() { 1 } else { sort.width().unwrap_or(u32::MAX) };
        match width {
            0..=64 => {
                if self.words == 0 || self.used + width > 64 {
                    self.words += 1;
                    self.used = 0;
                }
                self.used += width;
                Slot::Word { word: self.words - 1, shift: self.used - width, width }
            }
            65..=128 => {
                self.words += 2;
                self.used = 64;
                Slot::Double { word: self.words - 2 }
            }
            _ => {
                self.large += 1;
                Slot::Large { index: self.large - 1 }
            }
        }
    }
}

/// Where everything lies.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// By variable, relative to the shared block or to a thread's.
    slots: Vec<Slot>,
    /// By variable, where its mask lies, if it has one: which of its bits nobody has chosen yet.
    masks: Vec<Option<Slot>>,
    location: Slot,
    shared: Shape,
    thread: Shape,
    threads: usize,
}

impl Layout {
    /// `masked` says for each variable whether it has a mask.
    pub(super) fn new(program: &Program, threads: usize, masked: impl Fn(VariableId) -> bool) -> Layout {
        let mut shared = Shape::default();
        let mut thread = Shape::default();
        let location_width = u32::BITS - (program.locations.len() as u32).leading_zeros();
        let location = thread.place(Sort::BitVec(location_width));
        let (mut slots, mut masks) = (Vec::new(), Vec::new());
        for (index, variable) in program.variables.iter().enumerate() {
            let shape = if variable.scope == Scope::Shared { &mut shared } else { &mut thread };
            let sort = variable.data_type.sort();
            slots.push(shape.place(sort));
            masks.push(masked(VariableId(index as u32)).then(|| shape.place(sort)));
        }
        Layout { slots, masks, location, shared, thread, threads }
    }

    pub(super) fn slot(&self, variable: VariableId) -> Slot {
        self.slots[variable.index()]
    }

    /// Where a variable's mask lies, if it has one.
    pub(super) fn mask(&self, variable: VariableId) -> Option<Slot> {
        self.masks[variable.index()]
    }

    pub(super) fn thread(&self, thread: usize) -> Base {
        Base {
            word: self.shared.words as usize + thread * self.thread.words as usize,
            large: self.shared.large as usize + thread * self.thread.large as usize,
        }
    }

    /// How many words and large values a thread's block has.
    pub(super) fn thread_size(&self) -> (usize, usize) {
        (self.thread.words as usize, self.thread.large as usize)
    }

    /// How many words and large values a state has.
    pub(super) fn size(&self) -> (usize, usize) {
        let end = self.thread(self.threads);
        (end.word, end.large)
    }

    /// A state of zeros.
    pub(super) fn blank(&self) -> State {
        let (words, large) = self.size();
        let nothing = Arc::new(CLEAN);
        State { words: vec![0; words], large: vec![nothing; large] }
    }

    pub(super) fn location(&self, state: &State, thread: usize) -> LocationId {
        LocationId(read_small(&state.words, self.thread(thread), self.location) as u32)
    }

    pub(super) fn set_location(&self, state: &mut State, thread: usize, location: LocationId) {
        write_small(&mut state.words, self.thread(thread), self.location, u128::from(location.0));
    }
}

/// The number in a slot that is not large.
pub(super) fn read_small(words: &[u64], base: Base, slot: Slot) -> u128 {
    match slot {
        Slot::Word { word, shift, width } => {
            u128::from(words[base.word + word as usize] >> shift & mask(width))
        }
        Slot::Double { word } => {
            let at = base.word + word as usize;
            u128::from(words[at]) | u128::from(words[at + 1]) << 64
        }
        Slot::Large { .. } => 0,
    }
}

/// Puts a number into a slot that is not large.
pub(super) fn write_small(words: &mut [u64], base: Base, slot: Slot, value: u128) {
    match slot {
        Slot::Word { word, shift, width } => {
            let word = &mut words[base.word + word as usize];
            *word = *word & !(mask(width) << shift) | (value as u64 & mask(width)) << shift;
        }
        Slot::Double { word } => {
            let at = base.word + word as usize;
            words[at] = value as u64;
            words[at + 1] = (value >> 64) as u64;
        }
        Slot::Large { .. } => {}
    }
}

/// What is in a slot.
pub(super) fn read(state: &State, base: Base, slot: Slot) -> Cell {
    match slot {
        Slot::Large { index } => Cell::Large(Arc::clone(&state.large[base.large + index as usize])),
        _ => Cell::Small(read_small(&state.words, base, slot)),
    }
}

/// Puts a value into a slot of its sort.
pub(super) fn write(state: &mut State, base: Base, slot: Slot, value: Cell) {
    match (slot, value) {
        (Slot::Large { index }, Cell::Large(value)) => state.large[base.large + index as usize] = value,
        (_, Cell::Small(value)) => write_small(&mut state.words, base, slot, value),
        _ => debug_assert!(false, "a value of the wrong sort"),
    }
}

/// Whether the mask in a slot is empty.
pub(super) fn is_clean(state: &State, base: Base, slot: Slot) -> bool {
    match slot {
        Slot::Large { index } => *state.large[base.large + index as usize] == CLEAN,
        _ => read_small(&state.words, base, slot) == 0,
    }
}

/// Empties the mask in a slot.
pub(super) fn clean(state: &mut State, base: Base, slot: Slot) {
    match slot {
        Slot::Large { index } => {
            let mask = &mut state.large[base.large + index as usize];
            if **mask != CLEAN {
                *mask = Arc::new(CLEAN);
            }
        }
        _ => write_small(&mut state.words, base, slot, 0),
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_share_words_and_do_not_disturb_each_other() {
        let mut shape = Shape::default();
        let sorts = [Sort::Bool, Sort::BitVec(62), Sort::BitVec(2), Sort::BitVec(100), Sort::BitVec(1)];
        let slots: Vec<Slot> = sorts.into_iter().map(|sort| shape.place(sort)).collect();
        assert_eq!(slots[1], Slot::Word { word: 0, shift: 1, width: 62 });
        assert_eq!(slots[2], Slot::Word { word: 1, shift: 0, width: 2 });
        assert_eq!(slots[3], Slot::Double { word: 2 });
        assert_eq!((shape.words, shape.large), (5, 0));
        let mut words = vec![u64::MAX; 5];
        let values = [1, 5, 2, 1 << 99 | 7, 0];
        for (&slot, value) in slots.iter().zip(values) {
            write_small(&mut words, SHARED, slot, value);
        }
        for (&slot, value) in slots.iter().zip(values) {
            assert_eq!(read_small(&words, SHARED, slot), value);
        }
    }

    #[test]
    fn wide_values_and_arrays_lie_beside_the_words() {
        let mut shape = Shape::default();
        let array = Sort::array(Sort::BitVec(8), Sort::Bool);
        assert_eq!(shape.place(Sort::BitVec(129)), Slot::Large { index: 0 });
        assert_eq!(shape.place(array), Slot::Large { index: 1 });
        assert_eq!(shape.words, 0);
    }
}
