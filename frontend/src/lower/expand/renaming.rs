//! Consistent replacement of registers, objects and terms in operations.

use crate::lower::graph::{Address, Argument, CallResult, Callee, ObjectId, Op, RegisterId};
use rustc_hash::FxHashMap;
use smt::Term;

/// Consistent replacement of registers, objects and terms in operations.
pub(super) struct Renaming {
    pub(super) terms: smt::Substitution,
    pub(super) registers: FxHashMap<RegisterId, RegisterId>,
    pub(super) objects: FxHashMap<ObjectId, ObjectId>,
}

impl Renaming {
    pub(super) fn register(&self, register: &mut RegisterId) {
        *register = self.registers.get(register).copied().unwrap_or(*register);
    }

    pub(super) fn object(&self, object: &mut ObjectId) {
        *object = self.objects.get(object).copied().unwrap_or(*object);
    }

    pub(super) fn term(&mut self, term: &mut Term) {
        *term = self.terms.apply(*term);
    }

    fn address(&mut self, address: &mut Address) {
        match address {
            Address::Object { object, indices, .. } => {
                self.object(object);
                indices.iter_mut().for_each(|i| self.term(&mut i.term));
            }
            Address::Pointer { address, .. } => self.term(address),
        }
    }

    pub(super) fn result(&self, result: &mut CallResult) {
        match result {
            CallResult::None => {}
            CallResult::Scalar(register, _) => self.register(register),
            CallResult::Aggregate(object) => self.object(object),
        }
    }

    fn arguments(&mut self, arguments: &mut [Argument]) {
        for argument in arguments {
            match argument {
                Argument::Scalar(term, _) => self.term(term),
                Argument::Aggregate(address, _) => self.address(address),
            }
        }
    }

    pub(super) fn op(&mut self, op: &mut Op) {
        match op {
            Op::Skip
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Approximate(_)
            | Op::Fail(_)
            | Op::Limit(_)
            | Op::Outside(_)
            | Op::Stop(_)
            | Op::Exit => {}
            Op::Assume(term) | Op::Free(term) | Op::Valid(term) | Op::ForgetPointed(term) => self.term(term),
            Op::Apart(terms) => terms.iter_mut().for_each(|term| self.term(term)),
            Op::Let(register, term) | Op::ObjectSize(register, term) => {
                self.register(register);
                self.term(term);
            }
            Op::Havoc(register) => self.register(register),
            Op::Load(register, address, _) => {
                self.register(register);
                self.address(address);
            }
            Op::Store(address, _, term) | Op::Broadcast(address, _, term, _) => {
                self.address(address);
                self.term(term);
            }
            Op::Clear(object) | Op::Forget(object) | Op::Dead(object) => self.object(object),
            Op::Measure(object, term) => {
                self.object(object);
                self.term(term);
            }
            Op::Call(callee, arguments, result) => {
                if let Callee::Indirect(term, _) = callee {
                    self.term(term);
                }
                self.arguments(arguments);
                self.result(result);
            }
            Op::Spawn(callee, arguments, record) => {
                if let Callee::Indirect(term, _) = callee {
                    self.term(term);
                }
                self.arguments(arguments);
                self.term(record);
            }
            Op::Allocate { register, size, .. } => {
                self.register(register);
                self.term(size);
            }
        }
    }
}
