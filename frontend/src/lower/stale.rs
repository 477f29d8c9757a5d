//! Pointers to a variable of a block that was left and entered again.
//!
//! Each time that control enters a block, its variables are new objects (C11 6.2.4), though they have the address of the old ones here. Whether such a variable lives
//! ([`super::lifetime`]) says nothing then: `for (...) { int x; if (p) *p = 1; p = &x; }` uses one that is dead. So registers are followed along the
//! control flow: those that may point to the variable where its block is left are *stale*, until they get another value; what is computed from a stale register is stale. An access
//! through a stale pointer after the block was entered again is not modelled.
//!
//! Pointers in memory are not followed: one that is stored, survives its block and is used when the block has been entered again is taken for a pointer to the new variable.

use super::expand::Expanded;
use super::graph::{Address, NodeId, ObjectId, Op, Register};
use super::points_to::PointsTo;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// So many steps are looked at in all walks together; beyond, all pointers that outlive their block count as stale.
const MOST_VISITS: usize = 4_000_000;

/// Where control is, seen from a variable's block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Since {
    /// It was left.
    Left,
    /// It was left, and entered again.
    Entered,
}

/// What the walks need to know about the program.
pub(super) struct Walks<'e, 'a> {
    pub(super) expanded: &'e Expanded,
    pub(super) registers: &'e [Register],
    pub(super) points_to: &'e PointsTo<'a>,
    /// Steps by the node where they begin.
    pub(super) from: &'e [Vec<u32>],
}

impl Walks<'_, '_> {
    /// For each variable with the places where its block is left: the places where an access may use a stale pointer to it.
    pub(super) fn stale<'o>(
        &self,
        ended: impl Iterator<Item = (ObjectId, &'o [NodeId])>,
    ) -> FxHashMap<ObjectId, FxHashSet<NodeId>> {
        let mut visits = MOST_VISITS;
        let mut found = FxHashMap::default();
        for (object, ends) in ended {
            let pointers: FxHashSet<Term> =
                self.registers.iter().map(Register::term).filter(|term| self.points(*term, object)).collect();
            if pointers.is_empty() {
                continue;
            }
            let uses = self.walk(object, ends, &pointers, &mut visits);
            if !uses.is_empty() {
                found.insert(object, uses);
            }
        }
        found
    }

    fn points(&self, term: Term, object: ObjectId) -> bool {
        self.points_to.of_term(term).iter().any(|(target, _)| target == object)
    }

    /// The places where a stale pointer to the object may be used.
    fn walk(
        &self,
        object: ObjectId,
        ends: &[NodeId],
        pointers: &FxHashSet<Term>,
        visits: &mut usize,
    ) -> FxHashSet<NodeId> {
        let mut stale: FxHashMap<(NodeId, Since), FxHashSet<Term>> = FxHashMap::default();
        let mut open = Vec::new();
        for end in ends {
            stale.insert((*end, Since::Left), pointers.clone());
            open.push((*end, Since::Left));
        }
        let mut uses = FxHashSet::default();
        while let Some((node, since)) = open.pop() {
            let here = stale.get(&(node, since)).cloned().unwrap_or_default();
            for index in &self.from[node.index()] {
                let step = &self.expanded.steps[*index as usize];
                let is_known = visits.checked_sub(1).map(|left| *visits = left).is_some();
                if since == Since::Entered && self.uses(&step.op, object, &here) {
                    uses.insert(node);
                }
                let there = if is_known { after(&step.op, &here, self.registers) } else { here.clone() };
                let born = matches!(&step.op, Op::Forget(o) | Op::Clear(o) if *o == object);
                let then = match &step.op {
                    Op::Dead(o) if *o == object => Since::Left,
                    _ if born => Since::Entered,
                    _ => since,
                };
                if there.is_empty() || step.op.is_end() {
                    continue;
                }
                let known = stale.entry((step.to, then)).or_default();
                let before = known.len();
                known.extend(there);
                if known.len() > before {
                    open.push((step.to, then));
                }
            }
        }
        uses
    }

    /// Whether an operation goes through one of the stale pointers to the object.
    fn uses(&self, op: &Op, object: ObjectId, stale: &FxHashSet<Term>) -> bool {
        let (Op::Load(_, address, _) | Op::Store(address, ..)) = op else { return false };
        let Address::Pointer { address, .. } = address else { return false };
        mentions(*address, stale) && self.points(*address, object)
    }
}

/// What is stale after an operation.
fn after(op: &Op, stale: &FxHashSet<Term>, registers: &[Register]) -> FxHashSet<Term> {
    let mut stale = stale.clone();
    match op {
        Op::Let(register, term) => {
            let register = registers[register.index()].term();
            match mentions(*term, &stale) {
                true => stale.insert(register),
                false => stale.remove(&register),
            };
        }
        Op::Havoc(register) => {
            stale.remove(&registers[register.index()].term());
        }
        _ => {
            if let Some(register) = op.assigned() {
                stale.remove(&registers[register.index()].term());
            }
        }
    }
    stale
}

fn mentions(term: Term, stale: &FxHashSet<Term>) -> bool {
    smt::traverse::constants([term]).into_iter().any(|constant| stale.contains(&constant))
}
