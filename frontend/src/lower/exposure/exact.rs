//! Which terms over addresses mean the same wherever objects lie.

use super::{HEAP_ALIGNMENT, MOST_PAIRS, NO_ADDRESS, Pass};
use crate::lower::graph::{Object, ObjectId, Storage, Writes, address_name};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};
use std::collections::BTreeSet;

impl Pass<'_> {
    /// Whether the root of the term means the same wherever objects lie.
    pub(super) fn is_exact(&mut self, term: Term) -> bool {
        use smt::Op as S;
        match term.op() {
            S::Eq => self.equality(term.args()[0], term.args()[1]),
            S::BvUlt | S::BvUle => self.order(term.args()[0], term.args()[1], true),
            S::BvSlt | S::BvSle => self.order(term.args()[0], term.args()[1], false),
            S::BvSub => {
                let (left, right) = (self.objects(term.args()[0]), self.objects(term.args()[1]));
                left.is_empty() && right.is_empty()
                    || right.is_empty()
                    || (!left.is_empty() && self.together(term.args()[0], &left, term.args()[1], &right))
            }
            S::BvAdd | S::Ite | S::ZeroExtend(_) | S::SignExtend(_) => true,
            S::Not | S::And | S::Or | S::Xor | S::Implies | S::True | S::False | S::Bits(_) | S::Const(_) => {
                true
            }
            S::BvAnd | S::BvOr | S::BvXor | S::BvUrem => self.tag(term),
            S::Extract { low: 0, high } => {
                let objects = self.objects(term.args()[0]);
                objects.is_empty() || self.fixed_bits(&objects) > *high
            }
            // What is computed from numbers that are no addresses is exact whatever the operator.
            S::BvNot
            | S::BvNeg
            | S::BvMul
            | S::BvUdiv
            | S::BvSdiv
            | S::BvSrem
            | S::BvShl
            | S::BvLshr
            | S::BvAshr
            | S::Extract { .. }
            | S::Concat
            | S::Select
            | S::Store
            | S::ConstArray(_) => term.args().iter().all(|argument| self.objects(*argument).is_empty()),
        }
    }

    /// Two addresses of one object.
    fn is_one(&self, left: &BTreeSet<ObjectId>, right: &BTreeSet<ObjectId>) -> bool {
        let mut all = left.union(right);
        let (Some(object), None) = (all.next(), all.next()) else { return false };
        let is_single =
            !matches!(self.facts.objects[object.index()].storage, Storage::Heap(slots) if slots > 1);
        is_single && !self.facts.conflicts.contains(object)
    }

    /// Whether two addresses are of one object; where that is not known, others are a limit. None if it cannot be said.
    fn together(&mut self, left: Term, a: &BTreeSet<ObjectId>, right: Term, b: &BTreeSet<ObjectId>) -> bool {
        if self.is_one(a, b) {
            return true;
        }
        let width = self.facts.types.model.pointer_width();
        if left.width() != width || a.union(b).any(|object| self.facts.conflicts.contains(object)) {
            return false;
        }
        if a.len() * b.len() > MOST_PAIRS {
            return false;
        }
        let mut same = Term::fls();
        for object in a.intersection(b) {
            let Some(size) = self.room(*object) else { return false };
            let size = Term::bv(width, u128::from(size));
            let inside = |term: Term| term.bv_sub(self.symbol(*object)).ule(size);
            same = same.or(inside(left).and(inside(right)));
        }
        self.refuse(same.not(), "addresses in different objects are subtracted, or compared by order");
        true
    }

    /// Bytes of an object of which there is one, also if that is known only at run time.
    fn room(&self, object: ObjectId) -> Option<u64> {
        match self.facts.objects[object.index()].storage {
            Storage::Heap(1) => Some(self.size(object).unwrap_or(crate::lower::layout::UNKNOWN_SIZE)),
            _ => self.size(object),
        }
    }

    /// Null and small numbers are below all addresses, unless a sign is seen in them.
    fn order(&mut self, left: Term, right: Term, unsigned: bool) -> bool {
        let (a, b) = (self.objects(left), self.objects(right));
        match (a.is_empty(), b.is_empty()) {
            (true, true) => true,
            (false, false) => self.together(left, &a, right, &b),
            (true, false) => unsigned && is_no_address(left),
            (false, true) => unsigned && is_no_address(right),
        }
    }

    fn equality(&mut self, left: Term, right: Term) -> bool {
        let (a, b) = (self.objects(left), self.objects(right));
        let is_part = left.width() < self.facts.types.model.pointer_width();
        match (a.is_empty(), b.is_empty()) {
            (true, true) => true,
            // A part of an address.
            _ if is_part => false,
            (true, false) => left.as_bits().is_none() || is_no_address(left),
            (false, true) => right.as_bits().is_none() || is_no_address(right),
            (false, false) if a.len() * b.len() > MOST_PAIRS => false,
            (false, false) => {
                let all: FxHashSet<ObjectId> = a.union(&b).copied().collect();
                if all.iter().any(|object| {
                    a.contains(object) && b.contains(object) && self.facts.conflicts.contains(object)
                }) {
                    return false;
                }
                self.neighbours(left, &a, right, &b);
                self.neighbours(right, &b, left, &a);
                let is_heap =
                    |o: &&ObjectId| matches!(self.facts.objects[o.index()].storage, Storage::Heap(_));
                let is_reused = all.iter().filter(is_heap).count() > 1
                    && all.iter().any(|o| self.facts.freed.contains(o));
                if is_reused || all.iter().any(|o| self.facts.renewed.contains(o)) {
                    let pointers = [(left, a), (right, b)];
                    let ends = |o: &ObjectId| {
                        is_reused && self.facts.freed.contains(o) || self.facts.renewed.contains(o)
                    };
                    let dangling = |set: &BTreeSet<ObjectId>| set.iter().any(ends);
                    let found = pointers.iter().filter(|(_, set)| dangling(set)).map(|(term, _)| *term);
                    self.valid.extend(found.collect::<Vec<_>>());
                }
                true
            }
        }
    }

    /// Addresses in different objects are different, but for the end of one, where another may begin, and literals, which may share
    /// their memory.
    fn neighbours(&mut self, left: Term, a: &BTreeSet<ObjectId>, right: Term, b: &BTreeSet<ObjectId>) {
        for first in a {
            for second in b.iter().filter(|second| *second != first) {
                if let Some(size) = self.size(*first)
                    && self.reaches_end(left, *first)
                    && !matches!(self.facts.objects[second.index()].storage, Storage::Code(_))
                {
                    let end = self.symbol(*first).bv_add(Term::bv(left.width(), u128::from(size)));
                    let meet = left.equals(end).and(right.equals(self.symbol(*second)));
                    self.refuse(meet, "the end of an object is compared with another object: C leaves open whether they meet");
                }
                if first < second && self.share(*first, *second) {
                    let here = |s: &Self, term: Term, object: ObjectId| {
                        let size = Term::bv(term.width(), u128::from(s.size(object).unwrap_or(1)));
                        term.bv_sub(s.symbol(object)).ult(size)
                    };
                    let both = here(self, left, *first).and(here(self, right, *second));
                    self.refuse(both, "addresses of two string literals are compared: C leaves open whether these are one object");
                }
            }
        }
    }

    fn refuse(&mut self, condition: Term, reason: &'static str) {
        if !condition.is_false() {
            self.limits.push((condition, reason));
        }
    }

    /// Whether an address may be the one behind the last byte of an object.
    fn reaches_end(&self, term: Term, object: ObjectId) -> bool {
        self.facts.points_to.of_term(term).contains(&(object, None))
    }

    /// The size of an object of which there is one.
    fn size(&self, object: ObjectId) -> Option<u64> {
        let about = &self.facts.objects[object.index()];
        match about.storage {
            Storage::Heap(slots) if slots > 1 => None,
            Storage::Code(_) => None,
            _ => self.facts.types.size(&about.ty),
        }
    }

    fn symbol(&self, object: ObjectId) -> Term {
        let width = self.facts.types.model.pointer_width();
        Term::constant(address_name(self.facts.objects[object.index()].name), Sort::BitVec(width))
    }

    /// Whether one literal is the tail of the other.
    fn share(&self, first: ObjectId, second: ObjectId) -> bool {
        let (first, second) = (&self.facts.objects[first.index()], &self.facts.objects[second.index()]);
        if first.writes != Writes::Violation || second.writes != Writes::Violation {
            return false;
        }
        let content = |object: &Object| {
            let end = self.facts.types.size(&object.ty).unwrap_or(0) * 8;
            let values = object.init.iter().flatten().map(|v| (end - v.offset.min(end), v.value));
            values.collect::<FxHashMap<u64, Term>>()
        };
        let (a, b) = (content(first), content(second));
        let is_tail = |short: &FxHashMap<u64, Term>, long: &FxHashMap<u64, Term>| {
            short.iter().all(|(from_end, value)| long.get(from_end) == Some(value))
        };
        is_tail(&a, &b) || is_tail(&b, &a)
    }

    /// How many low bits of addresses in these objects' first bytes are zero in reality.
    fn fixed_bits(&self, objects: &BTreeSet<ObjectId>) -> u32 {
        let alignment = |object: &ObjectId| {
            let about = &self.facts.objects[object.index()];
            match about.storage {
                Storage::Heap(_) => HEAP_ALIGNMENT,
                Storage::Code(_) => 1,
                _ => self.facts.types.align(&about.ty),
            }
        };
        objects.iter().map(alignment).min().unwrap_or(1).trailing_zeros()
    }

    /// An operation with a literal that concerns only bits that alignment fixes, or keeps all others.
    fn tag(&mut self, term: Term) -> bool {
        let mut objects = BTreeSet::new();
        for argument in term.args() {
            objects.extend(self.objects(*argument).iter());
        }
        if objects.is_empty() {
            return true;
        }
        let [left, right] = term.args() else { return false };
        let Some(mask) = right.as_bits().or(left.as_bits()).and_then(|bits| bits.to_u128()) else {
            return false;
        };
        let fixed = 1u128 << self.fixed_bits(&objects);
        let all = if term.width() >= 128 { u128::MAX } else { (1u128 << term.width()) - 1 };
        match term.op() {
            smt::Op::BvUrem => mask.is_power_of_two() && mask <= fixed,
            smt::Op::BvAnd => mask < fixed || (all & !mask) < fixed,
            _ => mask < fixed,
        }
    }

    /// An address whose low bits, those that alignment fixes, are replaced.
    pub(super) fn cleared(&mut self, term: Term) -> bool {
        let [high, low] = term.args() else { return false };
        let objects = self.objects(*high);
        if objects.is_empty() && self.objects(*low).is_empty() {
            return true;
        }
        let smt::Op::Extract { high: top, low: first } = high.op() else { return false };
        let whole = high.args()[0];
        *top + 1 == whole.width() && *first == low.width() && self.fixed_bits(&objects) >= *first
    }
}

/// Null, and other numbers that no object has as its address.
fn is_no_address(term: Term) -> bool {
    term.as_bits().and_then(|bits| bits.to_i128()).is_some_and(|number| number.abs() < NO_ADDRESS)
}
