//! Sets of variables that grow, in blocks of 64 consecutive numbers.
//!
//! Variables of one function have neighbouring numbers and are live together, so sets have few blocks, and a block
//! takes one operation. Each set remembers which of its members are new.

use crate::program::VariableId;

/// 64 variables with consecutive numbers.
#[derive(Clone, Copy, Debug)]
struct Block {
    number: u32,
    members: u64,
    /// Members that [`Set::take_new`] has not returned yet.
    new: u64,
}

/// A growing set of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    /// Sorted by number.
    blocks: Vec<Block>,
}

/// The number of the variable's block, and its place there.
pub(super) fn place(variable: VariableId) -> (u32, u64) {
    (variable.0 / 64, 1 << (variable.0 % 64))
}

impl Set {
    /// Adds variables of one block; true if some were not in it.
    pub(super) fn add(&mut self, number: u32, members: u64) -> bool {
        let at = match self.blocks.binary_search_by_key(&number, |block| block.number) {
            Ok(at) => at,
            Err(at) => {
                self.blocks.insert(at, Block { number, members: 0, new: 0 });
                at
            }
        };
        let block = &mut self.blocks[at];
        let new = members & !block.members;
        block.members |= new;
        block.new |= new;
        new != 0
    }

    /// The blocks with new members, and these members, which are then no longer new.
    pub(super) fn take_new(&mut self) -> Vec<(u32, u64)> {
        let blocks = self.blocks.iter_mut().filter(|block| block.new != 0);
        blocks.map(|block| (block.number, std::mem::take(&mut block.new))).collect()
    }

    /// Whether the variable is in it.
    pub(super) fn contains(&self, variable: VariableId) -> bool {
        let (number, bit) = place(variable);
        let at = self.blocks.binary_search_by_key(&number, |block| block.number);
        at.is_ok_and(|at| self.blocks[at].members & bit != 0)
    }

    /// All members, sorted.
    pub(super) fn iter(&self) -> impl Iterator<Item = VariableId> {
        self.blocks.iter().flat_map(|block| variables(block.number, block.members))
    }
}

/// The variables of a block, sorted.
pub(super) fn variables(number: u32, mut members: u64) -> impl Iterator<Item = VariableId> {
    std::iter::from_fn(move || {
        let place = (members != 0).then(|| members.trailing_zeros())?;
        members &= members - 1;
        Some(VariableId(number * 64 + place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_new_once() {
        let mut set = Set::default();
        let add = |set: &mut Set, id: u32| {
            let (number, bit) = place(VariableId(id));
            set.add(number, bit)
        };
        assert!(add(&mut set, 70));
        assert!(add(&mut set, 71));
        assert!(add(&mut set, 3));
        assert!(!add(&mut set, 70));
        assert_eq!(set.iter().map(|id| id.0).collect::<Vec<_>>(), [3, 70, 71]);
        assert_eq!(set.take_new(), [(0, 1 << 3), (1, 3 << 6)]);
        assert_eq!(set.take_new(), []);
        assert!(!add(&mut set, 70), "not new any more");
        assert!(add(&mut set, 127));
        assert_eq!(set.take_new(), [(1, 1 << 63)]);
        assert!(set.contains(VariableId(127)) && !set.contains(VariableId(128)));
    }
}
