//! Atomic operations on structs and unions: all members in one step. What they read and write beside is not part of the step.
//!
//! A comparison is one of bytes (C11 7.17.7.4), so there is none for types with padding, whose value nobody knows.

use super::Atomic;
use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::{Index, Op};
use crate::types::{Leaf, Type};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use smt::Term;

/// The argument with a number.
fn argument(arguments: &[Node<Expression>], index: usize, span: Span) -> Lowered<&Node<Expression>> {
    match arguments.get(index) {
        Some(argument) => Ok(argument),
        None => wrong(span, "this atomic function needs more arguments"),
    }
}

type Scalars = Vec<(u64, Vec<Index>, Leaf)>;

impl<'a> Lowerer<'a> {
    /// An atomic function on a struct. `weak` asks for a comparison that may fail for no reason.
    pub(super) fn atomic_struct(
        &mut self,
        atomic: Atomic,
        weak: bool,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Operand> {
        let place = self.target(&arguments[0])?;
        let ty = place.ty.unatomic().clone();
        let is_init = atomic == Atomic::Init;
        let whole_type = if is_init { ty.clone() } else { Type::Atomic(ty.clone().into()) };
        let whole = Place { ty: whole_type, ..place };
        match atomic {
            Atomic::Load => {
                let old = self.temporary_struct(&ty, span);
                self.copy(&old, &whole, span)?;
                Ok(Operand::Aggregate(old))
            }
            Atomic::LoadThrough => {
                let to = self.target(argument(arguments, 1, span)?)?;
                self.copy(&to, &whole, span)?;
                Ok(Operand::Void)
            }
            Atomic::Init | Atomic::Store => {
                let source = self.struct_operand(argument(arguments, 1, span)?, &ty)?;
                self.copy(&whole, &source, span)?;
                Ok(Operand::Void)
            }
            Atomic::StoreThrough => {
                let source = self.target(argument(arguments, 1, span)?)?;
                self.copy(&whole, &source, span)?;
                Ok(Operand::Void)
            }
            Atomic::Exchange | Atomic::ExchangeThrough | Atomic::Compare(_) | Atomic::CompareThrough => {
                self.change_struct(atomic, weak, &whole, arguments, span)
            }
            Atomic::Swap(_)
            | Atomic::Update(..)
            | Atomic::TestAndSet
            | Atomic::Clear
            | Atomic::Fence
            | Atomic::LockFree => unsupported(span, "this atomic operation on a struct is not modelled"),
        }
    }

    /// An atomic function that reads and writes a struct in one step.
    fn change_struct(
        &mut self,
        atomic: Atomic,
        weak: bool,
        whole: &Place,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Operand> {
        let ty = whole.ty.unatomic().clone();
        let through = matches!(atomic, Atomic::ExchangeThrough | Atomic::CompareThrough);
        let compares = matches!(atomic, Atomic::Compare(_) | Atomic::CompareThrough);
        // What is compared comes before the new value, and where the old one goes behind it.
        let expected = if compares { Some(self.target(argument(arguments, 1, span)?)?) } else { None };
        let new = argument(arguments, 1 + usize::from(compares), span)?;
        let source = if through { self.target(new)? } else { self.struct_operand(new, &ty)? };
        if let Some(expected) = expected {
            return self.compare_struct(whole, &expected, &source, weak, span);
        }
        let to = if through { Some(self.target(argument(arguments, 2, span)?)?) } else { None };
        let old = self.exchange_struct(whole, &source, span)?;
        let Some(to) = to else { return Ok(Operand::Aggregate(old)) };
        self.copy(&to, &old, span)?;
        Ok(Operand::Void)
    }

    fn struct_operand(&mut self, value: &'a Node<Expression>, ty: &Type) -> Lowered<Place> {
        match self.operand(value)? {
            Operand::Aggregate(source) if source.ty.unatomic() == ty => Ok(source),
            _ => wrong(value.span, "a struct of the same type is needed here"),
        }
    }

    fn temporary_struct(&mut self, ty: &Type, span: Span) -> Place {
        Place::object(self.temporary_object(ty, span), ty.clone())
    }

    /// The old value. The new one is read before: others may come between.
    fn exchange_struct(&mut self, whole: &Place, source: &Place, span: Span) -> Lowered<Place> {
        let ty = whole.ty.unatomic().clone();
        let (new, old) = (self.temporary_struct(&ty, span), self.temporary_struct(&ty, span));
        self.copy(&new, source, span)?;
        self.emit(Op::AtomicBegin);
        self.copy(&old, whole, span)?;
        self.copy(whole, &new, span)?;
        self.emit(Op::AtomicEnd);
        Ok(old)
    }

    /// Whether the value was the expected one and has been replaced; else the expected one is set to it.
    fn compare_struct(
        &mut self,
        whole: &Place,
        expected: &Place,
        desired: &Place,
        weak: bool,
        span: Span,
    ) -> Lowered<Operand> {
        let ty = whole.ty.unatomic().clone();
        let scalars: Scalars = self.scalars(&ty, span)?;
        if !self.padding(&ty, span)?.is_empty() || scalars.iter().any(|(_, _, leaf)| leaf.bit_field) {
            return unsupported(span, "comparing a struct with padding is not modelled");
        }
        let (wanted, new) = (self.temporary_struct(&ty, span), self.temporary_struct(&ty, span));
        self.copy(&wanted, expected, span)?;
        self.copy(&new, desired, span)?;
        let old = self.temporary_struct(&ty, span);
        let may_fail = if weak { self.any(&Type::Bool) } else { Term::fls() };
        self.emit(Op::AtomicBegin);
        self.copy(&old, whole, span)?;
        let mut equal = may_fail.not();
        for (offset, indices, leaf) in &scalars {
            let (left, right) =
                (self.part(&old, *offset, indices, leaf), self.part(&wanted, *offset, indices, leaf));
            equal = equal.and(self.read(&left).term.equals(self.read(&right).term));
        }
        // The result must outlive a change of what is compared.
        let register = self.temporary(&Type::Bool);
        self.set(register, equal);
        let success = self.register_term(register);
        self.copy_if(success, whole, &new, span)?;
        self.emit(Op::AtomicEnd);
        self.copy_if(success.not(), expected, &old, span)?;
        Ok(Operand::Scalar(Value::new(success, Type::Bool)))
    }

    /// A copy on one branch only.
    fn copy_if(&mut self, condition: Term, to: &Place, from: &Place, span: Span) -> Lowered<()> {
        let (yes, end) = (self.node(), self.node());
        self.emit_branch(Op::Assume(condition), yes);
        self.emit_branch(Op::Assume(condition.not()), end);
        self.continue_at(yes);
        self.copy(to, from, span)?;
        self.join(end);
        Ok(())
    }
}
