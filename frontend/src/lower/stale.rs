//! Pointers to a variable from before its block was left and entered again.
//!
//! Each time that control enters a block, its variables are new objects (C11 6.2.4). Whether such a variable lives ([`super::lifetime`]) says nothing about a pointer that is older
//! than the variable: `for (...) { int x; if (p) *p = 1; p = &x; }` uses one that is dead. The cells of all these objects can be the same variables of the program, since only one of
//! them lives at a time; what must differ is the address. So where an old pointer may be used, the address of the variable is a value that changes when control leaves the block (*renewed*,
//! `Memory::renew`): an access through a pointer asks whether that is the address of now, and otherwise the object is used after its lifetime. That is exact, whatever
//! the pointer went through: memory, other threads, arguments. Where the variable is named, it costs nothing.
//!
//! Addresses are used once for the first [`FIRST`] lifetimes. Later ones choose among [`LATER`] others, never the one before. So there is a run in which a given old pointer is seen
//! to be one: its next address may differ from it, and so may each one after that. In other runs it may equal the address of a later object, as it may on the machine.
//!
//! Which variables need this is found along the control flow, for one lifetime at a time: registers and memory cells that may hold a pointer to the variable are followed from its beginning,
//! through the end of its block, to accesses after the next beginning. A register, or a cell that is a scalar, that is assigned something else, and an object whose own lifetime
//! begins, hold it no more. Cells that other threads may assign such a pointer to are not followed: then the address is renewed.

use super::expand::Expanded;
use super::graph::{
    Access, Address, NodeId, Object, ObjectId, Op, Parameter, Register, RegisterId, Storage, address_name,
};
use super::points_to::{PointsTo, Target};
use crate::types::Leaf;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};

/// Lifetimes with addresses of their own.
pub(crate) const FIRST: u64 = 13;
/// Addresses that later lifetimes choose from.
pub(crate) const LATER: u64 = 3;

/// So many steps are looked at in all walks together; beyond, all pointers that outlive their block count as stale.
const MOST_VISITS: usize = 4_000_000;

/// Where control is, seen from one lifetime of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Since {
    /// In it.
    Begun,
    /// The block was left.
    Left,
    /// The block was left, and entered again.
    Entered,
}

/// What may hold a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Register(Term),
    /// A scalar at an offset in bytes; none: any of the object.
    Cell(ObjectId, Option<u64>),
}

type Holders = FxHashSet<Holder>;

/// What the walks need to know about the program.
pub(super) struct Walks<'e, 'a> {
    pub(super) expanded: &'e Expanded,
    pub(super) objects: &'e [Object],
    pub(super) width: u32,
    pub(super) registers: &'e [Register],
    pub(super) points_to: &'e PointsTo<'a>,
    /// Objects that other threads reach, of which each thread has one: they are not used by pointers.
    pub(super) conflicts: &'e [ObjectId],
}

impl Walks<'_, '_> {
    /// The variables whose address has to be renewed.
    pub(super) fn renewed(&self) -> FxHashSet<ObjectId> {
        let mut ended: Vec<(ObjectId, u32)> = Vec::new();
        for step in &self.expanded.steps {
            if let Op::Dead(object) = &step.op {
                ended.push((*object, self.expanded.root_of[step.from.index()]));
            }
        }
        ended.sort_unstable();
        ended.dedup_by_key(|(object, _)| *object);
        ended.retain(|(object, _)| !self.conflicts.contains(object));
        if ended.is_empty() {
            return FxHashSet::default();
        }
        let (from, pointed) = (self.steps_from(), self.roots_with_pointers(&ended));
        let mut visits = MOST_VISITS;
        let mut found = FxHashSet::default();
        for (object, root) in ended {
            let Some(roots) = pointed.get(&object) else { continue };
            let is_foreign = roots.iter().any(|holder| *holder != root);
            let address = address_name(self.objects[object.index()].name);
            let address = Term::constant(address, Sort::BitVec(self.width));
            let mut walk = Walk { walks: self, object, address, is_foreign, visits: &mut visits };
            if walk.meets_old_pointer(&from) {
                found.insert(object);
            }
        }
        found
    }

    fn steps_from(&self) -> Vec<Vec<u32>> {
        let mut from = vec![Vec::new(); self.expanded.nodes.len()];
        for (index, step) in self.expanded.steps.iter().enumerate() {
            from[step.from.index()].push(index as u32);
        }
        from
    }

    /// For each of the objects the roots that have a register that may point to it.
    fn roots_with_pointers(&self, objects: &[(ObjectId, u32)]) -> FxHashMap<ObjectId, FxHashSet<u32>> {
        let asked: FxHashSet<ObjectId> = objects.iter().map(|(object, _)| *object).collect();
        let mut held: FxHashSet<(u32, Term)> = FxHashSet::default();
        for step in &self.expanded.steps {
            if let Some(register) = step.op.assigned() {
                let root = self.expanded.root_of[step.from.index()];
                held.insert((root, self.registers[register.index()].term()));
            }
        }
        for (index, root) in self.expanded.roots.iter().enumerate() {
            for (parameter, _) in &root.parameters {
                if let Parameter::Register(register) = parameter {
                    held.insert((index as u32, self.registers[register.index()].term()));
                }
            }
        }
        let mut found: FxHashMap<ObjectId, FxHashSet<u32>> = FxHashMap::default();
        for (root, register) in held {
            for (object, _) in self.points_to.of_term(register).iter() {
                if asked.contains(&object) {
                    found.entry(object).or_default().insert(root);
                }
            }
        }
        found
    }
}

/// One variable's lifetimes.
struct Walk<'w, 'e, 'a> {
    walks: &'w Walks<'e, 'a>,
    object: ObjectId,
    address: Term,
    /// Whether other threads have pointers to it.
    is_foreign: bool,
    visits: &'w mut usize,
}

impl Walk<'_, '_, '_> {
    /// Whether a pointer from an earlier lifetime may be looked at in a later one.
    fn meets_old_pointer(&mut self, from: &[Vec<u32>]) -> bool {
        let mut known: FxHashMap<(NodeId, Since), Holders> = FxHashMap::default();
        let mut open = Vec::new();
        for step in self.walks.expanded.steps.iter().filter(|step| self.begins(&step.op)) {
            known.insert((step.to, Since::Begun), Holders::default());
            open.push((step.to, Since::Begun));
        }
        while let Some((node, since)) = open.pop() {
            let here = known.get(&(node, since)).cloned().unwrap_or_default();
            for index in &from[node.index()] {
                let Some(left) = self.visits.checked_sub(1) else { return true };
                *self.visits = left;
                let step = &self.walks.expanded.steps[*index as usize];
                let then = self.since(&step.op, since);
                // Other threads may look at their pointers at any time.
                let is_late = since == Since::Entered || self.is_foreign && then == Since::Entered;
                if is_late && (self.is_foreign || self.looks_at(&step.op, &here, since)) {
                    return true;
                }
                let there = self.after(&step.op, &here, since);
                let is_over = there.is_empty() && then != Since::Begun && !self.is_foreign;
                if step.op.is_end() || is_over {
                    continue;
                }
                let is_first = !known.contains_key(&(step.to, then));
                let all = known.entry((step.to, then)).or_default();
                let before = all.len();
                all.extend(there);
                if is_first || all.len() > before {
                    open.push((step.to, then));
                }
            }
        }
        false
    }

    fn begins(&self, op: &Op) -> bool {
        matches!(op, Op::Forget(object) | Op::Clear(object) if *object == self.object)
    }

    fn since(&self, op: &Op, since: Since) -> Since {
        match op {
            Op::Dead(object) if *object == self.object => Since::Left,
            op if since == Since::Left && self.begins(op) => Since::Entered,
            _ => since,
        }
    }

    fn points(&self, term: Term) -> bool {
        self.walks.points_to.of_term(term).iter().any(|(target, _)| target == self.object)
    }

    /// Whether a term may be made of a pointer to the lifetime that is followed.
    fn is_held(&self, term: Term, holders: &Holders, since: Since) -> bool {
        let is_own = |constant: Term| since == Since::Begun && constant == self.address;
        let mut constants = term.constants().into_iter();
        constants.any(|constant| holders.contains(&Holder::Register(constant)) || is_own(constant))
    }

    /// Whether an operation depends on where a pointer that is followed points to.
    fn looks_at(&self, op: &Op, holders: &Holders, since: Since) -> bool {
        let goes_through = |address: &Address| match address {
            Address::Pointer { address, .. } => {
                self.is_held(*address, holders, since) && self.points(*address)
            }
            Address::Object { .. } => false,
        };
        let is_used = match op {
            Op::Load(_, address, _) | Op::Store(address, ..) | Op::Broadcast(address, ..) => {
                goes_through(address)
            }
            Op::Free(term)
            | Op::Valid(term)
            | Op::ForgetPointed(term)
            | Op::Measure(_, term)
            | Op::ObjectSize(_, term) => self.is_held(*term, holders, since),
            _ => false,
        };
        let mut is_compared = false;
        op.for_each_term(&mut |term| is_compared |= self.compares(term, holders, since));
        is_used || is_compared
    }

    /// Whether some part of the term compares a pointer that is followed with more than a number.
    fn compares(&self, term: Term, holders: &Holders, since: Since) -> bool {
        if !self.is_held(term, holders, since) {
            return false;
        }
        let relates = matches!(term.op(), smt::Op::Eq | smt::Op::BvUlt | smt::Op::BvUle | smt::Op::BvSub);
        let is_number = |part: &Term| part.as_value().is_some();
        relates && !term.args().iter().any(is_number)
            || term.args().iter().any(|part| self.compares(*part, holders, since))
    }

    /// What holds a pointer after an operation.
    fn after(&self, op: &Op, holders: &Holders, since: Since) -> Holders {
        let mut after = holders.clone();
        match op {
            Op::Let(register, term) => {
                let is_held = self.is_held(*term, holders, since);
                self.assign(*register, is_held, &mut after);
            }
            Op::Load(register, address, access) => {
                let is_held = self.is_loaded(address, access, holders);
                self.assign(*register, is_held, &mut after);
            }
            Op::Havoc(register) => self.assign(*register, false, &mut after),
            Op::Store(address, access, term) | Op::Broadcast(address, access, term, _) => {
                if self.is_held(*term, holders, since) && self.points(*term) {
                    after.extend(
                        self.walks.points_to.targets(address).iter().map(|target| self.cell(target, access)),
                    );
                } else if let (Address::Object { object, offset, indices }, Op::Store(..)) = (address, op)
                    && indices.is_empty()
                    && let cell @ Holder::Cell(_, Some(_)) = self.cell((*object, Some(offset / 8)), access)
                {
                    after.remove(&cell);
                }
            }
            // An object of another thread, or of the heap, is another one.
            Op::Forget(object) | Op::Clear(object) => {
                after.retain(|holder| !matches!(holder, Holder::Cell(of, _) if of == object));
            }
            _ => {
                if let Some(register) = op.assigned() {
                    self.assign(register, false, &mut after);
                }
            }
        }
        after
    }

    fn assign(&self, register: RegisterId, is_held: bool, holders: &mut Holders) {
        let term = self.walks.registers[register.index()].term();
        if is_held && self.points(term) {
            holders.insert(Holder::Register(term));
        } else {
            holders.remove(&Holder::Register(term));
        }
    }

    fn is_loaded(&self, address: &Address, access: &Access, holders: &Holders) -> bool {
        let is_cell = |holder: &Holder| matches!(holder, Holder::Cell(..));
        holders.iter().any(is_cell)
            && self.walks.points_to.targets(address).iter().any(|target| {
                let cell = self.cell(target, access);
                let of_same =
                    |holder: &Holder| matches!(holder, Holder::Cell(object, _) if *object == target.0);
                match cell {
                    Holder::Cell(object, Some(_)) => {
                        holders.contains(&cell) || holders.contains(&Holder::Cell(object, None))
                    }
                    _ => holders.iter().any(of_same),
                }
            })
    }

    /// What an access touches: a scalar alone, if it is one of which there is one, or any part of the object.
    fn cell(&self, (object, offset): Target, access: &Access) -> Holder {
        let is_scalar = |at: &u64| {
            let mut there = self.walks.points_to.leaves(object).iter().filter(|leaf| {
                leaf.offset < at * 8 + u64::from(access.width) && at * 8 < leaf.offset + u64::from(leaf.width)
            });
            let is_whole = |leaf: &Leaf| {
                leaf.offset == at * 8
                    && leaf.width == access.width
                    && leaf.dimensions.is_empty()
                    && !leaf.thread_local
            };
            there.next().is_some_and(is_whole) && there.next().is_none()
        };
        let is_one =
            !matches!(self.walks.objects[object.index()].storage, Storage::Heap(_) | Storage::ThreadLocal);
        Holder::Cell(object, offset.filter(|at| is_one && is_scalar(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::Walks;
    use crate::lower::points_to::analyse;
    use crate::lower::testing::expanded;

    /// The names of variables whose address is renewed.
    fn renewed(text: &str) -> Vec<String> {
        expanded(text, |code, expanded| {
            let points_to = analyse(expanded, &code.types, &code.objects, &code.registers, &[]);
            let walks = Walks {
                expanded,
                objects: &code.objects,
                width: code.pointer_width(),
                registers: &code.registers,
                points_to: &points_to,
                conflicts: &[],
            };
            let mut found: Vec<_> = walks.renewed().into_iter().collect();
            found.sort_unstable();
            found.into_iter().map(|object| code.objects[object.index()].name.to_string()).collect()
        })
    }

    #[test]
    fn a_pointer_from_the_round_before() {
        let round = |body: &str| {
            format!(
                "int main(void) {{ int *p = 0, s = 0; for (int i = 0; i < 2; i++) {{ int x = i; {body} }} return s; }}"
            )
        };
        assert_eq!(renewed(&round("if (i) s = *p; p = &x;")), ["main::x"]);
        assert_eq!(renewed(&round("if (i) s = p[0]; int *q = &x; p = q + 0;")), ["main::x"]);
        assert!(renewed(&round("p = &x; if (i) s = *p;")).is_empty());
        assert!(renewed(&round("p = &x; s = *p; p = 0;")).is_empty());
    }

    #[test]
    fn a_pointer_that_memory_keeps() {
        let twice = |body: &str| {
            format!(
                "int *g; struct s {{ int *p; }}; void f(void) {{ int x = 0; {body} }} int main(void) {{ f(); f(); return 0; }}"
            )
        };
        assert_eq!(renewed(&twice("if (g) *g = 1; g = &x;")), ["f::x"]);
        assert_eq!(renewed(&twice("if (g == &x) x = 1; g = &x;")), ["f::x"]);
        assert!(renewed(&twice("if (g) *g = 1; g = &x; g = 0;")).is_empty());
        assert!(renewed(&twice("g = &x; *g = 1;")).is_empty());
        assert!(renewed(&twice("struct s s = { &x }, *p = &s; *p->p = 1;")).is_empty());
    }
}
