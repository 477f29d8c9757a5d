//! What is known while a body is copied: registers that are assigned once, and objects that are never written.

use super::renaming::Renaming;
use crate::lower::code::Code;
use crate::lower::graph::{Access, Address, CallResult, InitialValue, ObjectId, Op, RegisterId, Storage};
use rustc_hash::FxHashMap;
use smt::{Symbol, Term};

/// Terms that are known for registers in one copy of a function.
pub(crate) type Known = FxHashMap<Term, Term>;

/// Replaces registers by what they are known to be, while a body is copied.
pub(super) struct Propagation<'i> {
    pub(super) terms: smt::Substitution,
    pub(super) once: &'i FxHashMap<RegisterId, Term>,
}

impl Propagation<'_> {
    pub(super) fn apply(&mut self, op: &Op, fixed: &FxHashMap<ObjectId, Vec<InitialValue>>) -> Op {
        let mut op = op.clone();
        if !self.terms.is_empty() {
            let mut renaming = Renaming {
                terms: std::mem::take(&mut self.terms),
                registers: FxHashMap::default(),
                objects: FxHashMap::default(),
            };
            renaming.op(&mut op);
            self.terms = renaming.terms;
        }
        if let Op::Load(register, address, access) = &op
            && let Some(value) = fixed_value(fixed, address, access)
        {
            op = Op::Let(*register, value);
        }
        if let Op::Let(register, value) = &op
            && let Some(name) = self.once.get(register)
            && is_closed(*value)
        {
            self.terms.insert(*name, *value);
        }
        op
    }
}

/// Literals and addresses only.
pub(crate) fn is_closed(term: Term) -> bool {
    term.as_value().is_some()
        || term.constants().iter().all(|c| c.as_constant().is_some_and(|s| s.as_str().starts_with('&')))
}

/// Static objects that nothing ever writes, with their values.
pub(super) fn fixed_objects(code: &Code<'_>) -> FxHashMap<ObjectId, Vec<InitialValue>> {
    let mut fixed: FxHashMap<ObjectId, Vec<InitialValue>> = FxHashMap::default();
    let mut names: FxHashMap<Symbol, ObjectId> = FxHashMap::default();
    for (index, object) in code.objects.iter().enumerate() {
        if let (Storage::Static | Storage::ThreadLocal, Some(values)) = (object.storage, &object.init)
            && object.everywhere.is_none()
            && object.name.as_str() != crate::lower::emit::SELF
        {
            let id = ObjectId(index as u32);
            fixed.insert(id, values.clone());
            names.insert(crate::lower::graph::address_name(object.name), id);
        }
    }
    let initial = fixed.values().flatten().map(|v| v.value).collect::<Vec<_>>();
    let mut visitor = Writes { fixed, names };
    initial.into_iter().for_each(|term| visitor.term(term));
    for body in code.functions.iter().filter_map(|f| f.body.as_ref()) {
        for edge in &body.graph.edges {
            visitor.op(&edge.op);
        }
    }
    visitor.fixed
}

/// Finds objects that are written, or whose address is used.
pub(super) struct Writes {
    fixed: FxHashMap<ObjectId, Vec<InitialValue>>,
    names: FxHashMap<Symbol, ObjectId>,
}

impl Writes {
    pub(super) fn term(&mut self, term: Term) {
        for name in term.constants().iter().filter_map(|c| c.as_constant()) {
            if let Some(object) = self.names.get(&name) {
                self.fixed.remove(object);
            }
        }
    }

    pub(super) fn op(&mut self, op: &Op) {
        op.for_each_term(&mut |term| self.term(term));
        let written = match op {
            Op::Store(Address::Object { object, .. }, ..)
            | Op::Broadcast(Address::Object { object, .. }, ..)
            | Op::Clear(object)
            | Op::Forget(object)
            | Op::Call(_, _, CallResult::Aggregate(object)) => object,
            // Through pointers: the address is in a term.
            Op::Store(Address::Pointer { .. }, ..)
            | Op::Broadcast(Address::Pointer { .. }, ..)
            | Op::ForgetPointed(_)
            | Op::Free(_) => return,
            Op::Skip
            | Op::Assume(_)
            | Op::Let(..)
            | Op::Havoc(_)
            | Op::Load(..)
            | Op::Measure(..)
            | Op::Dead(_)
            | Op::Call(_, _, CallResult::None | CallResult::Scalar(..))
            | Op::Spawn(..)
            | Op::Allocate { .. }
            | Op::Valid(_)
            | Op::Apart(_)
            | Op::ObjectSize(..)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop(_)
            | Op::Exit => return,
        };
        self.fixed.remove(written);
    }
}

/// What a load from an object that is never written reads.
fn fixed_value(
    fixed: &FxHashMap<ObjectId, Vec<InitialValue>>,
    address: &Address,
    access: &Access,
) -> Option<Term> {
    let Address::Object { object, offset, indices } = address else { return None };
    let values = fixed.get(object)?;
    let mut at = *offset;
    for index in indices {
        let number = u64::try_from(index.term.as_bits()?.to_u128()?).ok()?;
        at = at.checked_add(number.checked_mul(index.stride)?.checked_mul(8)?)?;
    }
    let sort = access.sort();
    let overlaps = |v: &&InitialValue| {
        let width = u64::from(v.value.width().max(1));
        v.offset < at + u64::from(access.width) && at < v.offset + width
    };
    let mut found = values.iter().filter(overlaps);
    match (found.next(), found.next()) {
        (None, _) => Some(Term::value(&smt::Value::zero(sort))),
        (Some(value), None) if value.offset == at && value.value.sort() == sort => Some(value.value),
        _ => None,
    }
}
