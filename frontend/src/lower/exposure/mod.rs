//! Addresses are not magic numbers: what a program does must not be proved, nor refuted, by where `layout` puts its objects.
//!
//! Each address is a number in our program, but C promises little about it: it is aligned, living objects have different ones, and
//! inside of one object they are in order. Anything else that a program computes from the number (a hash, an order between
//! objects, a part of its bits, a comparison with a literal) becomes any value here, marked as more than reality. What stays exact:
//! sums, differences and order within one object, equality, and the low bits that alignment fixes (tags in pointers).
//!
//! Two further facts are about equality. A pointer to memory that was freed may equal that of a later allocation at another
//! place, and one to a variable of a block that was left that of any later variable; such a comparison must not meet a dangling pointer (`Op::Valid`, a limit). A local of which each thread has one has one
//! number in all threads, so whether two such addresses are equal is any.

mod exact;
#[cfg(test)]
mod tests;

use crate::lower::expand::{Expanded, Step, Trust};
use crate::lower::graph::{Address, Argument, NodeId, Object, ObjectId, Op, Register, RegisterId};
use crate::lower::points_to::{PointsTo, Targets};
use crate::types::Types;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Numbers below this, and negative ones above minus this, are no addresses anywhere: null, error codes, sentinels.
const NO_ADDRESS: i128 = 4096;

/// The alignment of what `malloc` returns.
const HEAP_ALIGNMENT: u64 = 16;

/// Comparisons that would need more cases than these, one for each pair of objects, are any value.
const MOST_PAIRS: usize = 4096;

/// For the note.
const REASON: &str = "the result depends on the number of an address, which C leaves open";

/// What is known about pointers.
pub(crate) struct Facts<'a> {
    pub types: &'a Types,
    pub objects: &'a [Object],
    pub points_to: &'a PointsTo<'a>,
    /// Heap objects that may be freed.
    pub freed: &'a FxHashSet<ObjectId>,
    /// Locals of which a pointer may be older than the object.
    pub renewed: &'a FxHashSet<ObjectId>,
    /// Objects that other threads reach, of which each thread has one.
    pub conflicts: &'a [ObjectId],
}

/// An operation that looks at the number of an address.
struct Exposed {
    step: usize,
    op: Op,
    /// Names of values that may be anything, which the new operation uses.
    unknown: Vec<(Symbol, Sort)>,
    /// Pointers that must not dangle.
    valid: Vec<Term>,
    /// What must not be, and why.
    limits: Vec<(Term, &'static str)>,
}

/// Finds and replaces what depends on numbers of addresses.
pub(crate) fn hide(registers: &mut Vec<Register>, expanded: &mut Expanded, facts: &Facts<'_>) {
    let mut pass = Pass {
        facts,
        objects_of: FxHashMap::default(),
        objects_in: FxHashMap::default(),
        unknown: Vec::new(),
        valid: Vec::new(),
        limits: Vec::new(),
        count: 0,
    };
    let mut found = Vec::new();
    for (index, step) in expanded.steps.iter().enumerate() {
        if step.trust >= Trust::Numbers {
            continue;
        }
        let op = pass.op(&step.op);
        let (unknown, valid) = (std::mem::take(&mut pass.unknown), std::mem::take(&mut pass.valid));
        let limits = std::mem::take(&mut pass.limits);
        if !unknown.is_empty() || !valid.is_empty() || !limits.is_empty() {
            found.push(Exposed { step: index, op, unknown, valid, limits });
        }
    }
    for exposed in found {
        replace(registers, expanded, exposed);
    }
}

/// Puts the choice of unknown values, and the checks, in front of the operation.
fn replace(registers: &mut Vec<Register>, expanded: &mut Expanded, exposed: Exposed) {
    let old = expanded.steps[exposed.step].clone();
    let mut before: Vec<Op> = exposed.valid.into_iter().map(Op::Valid).collect();
    let guess = Some(Symbol::new(REASON));
    for (name, sort) in exposed.unknown {
        let register = RegisterId(registers.len() as u32);
        let offset = old.source.span.0 as usize;
        registers.push(Register { name, sort, signed: false, offset, guess, result_of: None });
        before.push(Op::Havoc(register));
    }
    let root = expanded.root_of[old.from.index()];
    let mut at = old.from;
    let place = |expanded: &mut Expanded| {
        expanded.nodes.push(old.source);
        expanded.root_of.push(root);
        NodeId((expanded.nodes.len() - 1) as u32)
    };
    for (condition, reason) in exposed.limits {
        let (met, nowhere, next) = (place(expanded), place(expanded), place(expanded));
        let mut step = |from, to, op| expanded.steps.push(Step { from, to, op, ..old.clone() });
        step(at, met, Op::Assume(condition));
        step(met, nowhere, Op::Limit(reason.to_owned()));
        step(at, next, Op::Assume(condition.not()));
        at = next;
    }
    for op in before {
        let next = place(expanded);
        expanded.steps.push(Step { from: at, to: next, op, ..old.clone() });
        at = next;
    }
    expanded.steps[exposed.step] = Step { from: at, op: exposed.op, ..old };
}

struct Pass<'f> {
    facts: &'f Facts<'f>,
    /// Objects that a term may be an address in.
    objects_of: FxHashMap<Term, Rc<BTreeSet<ObjectId>>>,
    /// The same for sets of targets, of which there are fewer.
    objects_in: FxHashMap<Targets, Rc<BTreeSet<ObjectId>>>,
    unknown: Vec<(Symbol, Sort)>,
    valid: Vec<Term>,
    limits: Vec<(Term, &'static str)>,
    count: u32,
}
impl Pass<'_> {
    fn op(&mut self, op: &Op) -> Op {
        match op {
            Op::Assume(term) => Op::Assume(self.term(*term)),
            Op::Let(register, term) => Op::Let(*register, self.term(*term)),
            Op::Load(register, address, access) => Op::Load(*register, self.address(address), access.clone()),
            Op::Store(address, access, term) => {
                Op::Store(self.address(address), access.clone(), self.term(*term))
            }
            Op::Spawn(callee, arguments, record) => {
                let argument = |s: &mut Self, argument: &Argument| match argument {
                    Argument::Scalar(term, ty) => Argument::Scalar(s.term(*term), ty.clone()),
                    Argument::Aggregate(address, ty) => Argument::Aggregate(s.address(address), ty.clone()),
                };
                let arguments = arguments.iter().map(|a| argument(self, a)).collect();
                Op::Spawn(callee.clone(), arguments, *record)
            }
            Op::Broadcast(address, access, term, choices) => {
                Op::Broadcast(self.address(address), access.clone(), self.term(*term), choices.clone())
            }
            Op::Allocate { register, size, zeroed, ty, origin } => Op::Allocate {
                register: *register,
                size: self.term(*size),
                zeroed: *zeroed,
                ty: ty.clone(),
                origin: *origin,
            },
            Op::Free(pointer) => Op::Free(self.term(*pointer)),
            Op::Valid(pointer) => Op::Valid(self.term(*pointer)),
            Op::ForgetPointed(pointer) => Op::ForgetPointed(self.term(*pointer)),
            Op::ObjectSize(register, pointer) => Op::ObjectSize(*register, self.term(*pointer)),
            Op::Measure(object, size) => Op::Measure(*object, self.term(*size)),
            // It looks at distances inside of one object only.
            Op::Apart(_) => op.clone(),
            // No values in them. Calls are expanded.
            Op::Skip
            | Op::Havoc(_)
            | Op::Clear(_)
            | Op::Forget(_)
            | Op::Dead(_)
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Call(..)
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop(_)
            | Op::Exit => op.clone(),
        }
    }

    fn address(&mut self, address: &Address) -> Address {
        match address {
            Address::Pointer { address, bit } => Address::Pointer { address: self.term(*address), bit: *bit },
            Address::Object { object, offset, indices } => {
                let mut indices = indices.clone();
                indices.iter_mut().for_each(|index| index.term = self.term(index.term));
                Address::Object { object: *object, offset: *offset, indices }
            }
        }
    }

    /// The objects whose addresses a value may be made of.
    fn objects(&mut self, term: Term) -> Rc<BTreeSet<ObjectId>> {
        if term.sort().is_bool() || term.as_bits().is_some() {
            return Rc::default();
        }
        if let Some(known) = self.objects_of.get(&term) {
            return known.clone();
        }
        let targets = self.facts.points_to.of_term(term);
        let found = self.objects_in.entry(targets);
        let found =
            found.or_insert_with_key(|targets| Rc::new(targets.iter().map(|(object, _)| object).collect()));
        self.objects_of.insert(term, found.clone());
        found.clone()
    }

    fn any(&mut self, sort: Sort) -> Term {
        self.count += 1;
        let name = Symbol::new(&format!("address${}", self.count));
        self.unknown.push((name, sort));
        Term::constant(name, sort)
    }

    /// The term with what depends on numbers of addresses replaced.
    fn term(&mut self, term: Term) -> Term {
        if term.args().is_empty() || !self.mentions(term) {
            return term;
        }
        if *term.op() == smt::Op::Concat && self.cleared(term) {
            return term;
        }
        let arguments: Vec<Term> = term.args().iter().map(|argument| self.term(*argument)).collect();
        if self.is_exact(term) { term.rebuild(&arguments) } else { self.any(term.sort()) }
    }

    /// Whether some part of the term may be an address.
    fn mentions(&mut self, term: Term) -> bool {
        term.constants().into_iter().any(|constant| !self.objects(constant).is_empty())
    }
}
