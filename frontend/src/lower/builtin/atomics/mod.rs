//! Atomic operations: GCC's `__sync_*` and `__atomic_*`, and C11's generic functions. Sequentially consistent, whatever
//! order is asked for: that is an assumption where a weaker one is.

mod names;
mod structs;

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::{MemoryOrder, Op};
use crate::program::Assumption;
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use names::{Atomic, Change, classify, orders};
use smt::Term;

/// `memory_order_seq_cst`.
const STRONG: i128 = 5;
impl<'a> Lowerer<'a> {
    /// Says that the operation may be weaker than the model of it.
    fn assume_order(&mut self, name: &str, atomic: Atomic, call: &'a Node<ast::CallExpression>, span: Span) {
        let arguments = &call.node.arguments;
        let given = &arguments[arguments.len().saturating_sub(orders(name, atomic))..];
        // The only two of their family that are no full barriers.
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let is_half = matches!(plain, "__sync_lock_test_and_set" | "__sync_lock_release");
        if is_half || !given.iter().all(|order| self.constant(order).is_ok_and(|order| order == STRONG)) {
            self.assuming(Assumption::SequentialConsistency, span.start, "first weakly ordered atomic");
        }
    }

    /// An atomic function, if the name is one.
    pub(crate) fn atomic(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let Some(atomic) = classify(name) else { return Ok(None) };
        let arguments = &call.node.arguments;
        match atomic {
            Atomic::Fence => {
                arguments.iter().try_for_each(|a| self.effect(a))?;
                return Ok(Some(Operand::Void));
            }
            Atomic::LockFree => return self.is_lock_free(name, arguments, span).map(Some),
            Atomic::Load
            | Atomic::LoadThrough
            | Atomic::Init
            | Atomic::Store
            | Atomic::StoreThrough
            | Atomic::Exchange
            | Atomic::ExchangeThrough
            | Atomic::Compare(_)
            | Atomic::CompareThrough
            | Atomic::Swap(_)
            | Atomic::Update(..)
            | Atomic::TestAndSet
            | Atomic::Clear => {}
        }
        let Some(first) = arguments.first() else { return wrong(span, "an atomic function needs arguments") };
        self.assume_order(name, atomic, call, span);
        let pointee = self.type_of(first)?.pointee().cloned();
        if !matches!(atomic, Atomic::TestAndSet | Atomic::Clear)
            && matches!(pointee, Some(ty) if ty.is_aggregate())
        {
            let weak = self.is_weak(name, atomic, arguments);
            return self.atomic_struct(atomic, weak, arguments, span).map(Some);
        }
        let mut place = self.atomic_place(first)?;
        place.order = Some(self.memory_order(name, atomic, arguments)?);
        self.atomic_scalar(name, atomic, place, call, span).map(Some)
    }

    /// Whether operations on an object need no lock: those on machine words; of others it is not known.
    fn is_lock_free(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Operand> {
        let Some(first) = arguments.first() else { return wrong(span, "an atomic function needs arguments") };
        arguments.iter().try_for_each(|argument| self.effect(argument))?;
        let size = if name.starts_with("__") {
            self.constant(first).ok().and_then(|size| u64::try_from(size).ok())
        } else {
            self.type_of(first)?.pointee().and_then(|ty| self.types.size(ty))
        };
        let largest = u64::from(self.pointer_width() / 8);
        let is_word = size.is_some_and(|size| size.is_power_of_two() && size <= largest);
        let answer = if is_word { Term::tru() } else { self.any(&Type::Bool) };
        Ok(Operand::Scalar(Value::new(answer, Type::Bool)))
    }

    /// An atomic function on a scalar.
    fn atomic_scalar(
        &mut self,
        name: &str,
        atomic: Atomic,
        place: Place,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let arguments = &call.node.arguments;
        let ty = place.ty.unatomic().clone();
        let operand = |index: usize| match arguments.get(index) {
            Some(argument) => Ok(argument),
            None => wrong(span, format!("'{name}' needs more arguments")),
        };
        Ok(match atomic {
            Atomic::Load => Operand::Scalar(self.read(&place)),
            Atomic::LoadThrough => {
                let to = self.target(operand(1)?)?;
                let value = self.read(&place);
                self.write(&to, value.term);
                Operand::Void
            }
            Atomic::Store => {
                let value = self.converted(operand(1)?, &ty)?;
                self.write(&place, value);
                Operand::Void
            }
            Atomic::Init => {
                let value = self.converted(operand(1)?, &ty)?;
                self.write(&Place { ty, order: None, ..place }, value);
                Operand::Void
            }
            Atomic::StoreThrough => {
                let from = self.target(operand(1)?)?;
                let value = self.read(&from);
                self.write(&place, value.term);
                Operand::Void
            }
            Atomic::Exchange
            | Atomic::ExchangeThrough
            | Atomic::Compare(_)
            | Atomic::CompareThrough
            | Atomic::Swap(_)
            | Atomic::Update(..) => self.read_modify_write(name, atomic, &place, &ty, arguments)?,
            Atomic::TestAndSet => {
                let one = self.converted_term(Term::tru(), &ty);
                let old = self.exchange(&place, one);
                let truth = self.truth(&old);
                Operand::Scalar(Value::new(truth, Type::Bool))
            }
            Atomic::Clear => {
                let zero = self.converted_term(Term::fls(), &ty);
                self.write(&place, zero);
                Operand::Void
            }
            Atomic::Fence | Atomic::LockFree => Operand::Void,
        })
    }

    /// An atomic function that reads and writes in one step.
    fn read_modify_write(
        &mut self,
        name: &str,
        atomic: Atomic,
        place: &Place,
        ty: &Type,
        arguments: &'a [Node<Expression>],
    ) -> Lowered<Operand> {
        let operand = |index: usize| match arguments.get(index) {
            Some(argument) => Ok(argument),
            None => wrong(arguments[0].span, format!("'{name}' needs more arguments")),
        };
        Ok(match atomic {
            Atomic::Exchange => {
                let value = self.converted(operand(1)?, ty)?;
                Operand::Scalar(self.exchange(place, value))
            }
            Atomic::ExchangeThrough => {
                let (from, to) = (self.target(operand(1)?)?, self.target(operand(2)?)?);
                let value = self.read(&from);
                let old = self.exchange(place, value.term);
                self.write(&to, old.term);
                Operand::Void
            }
            Atomic::Compare(_) => {
                let weak = self.is_weak(name, atomic, arguments);
                let expected = self.target(operand(1)?)?;
                let desired = self.converted(operand(2)?, ty)?;
                Operand::Scalar(self.compare_exchange(place, &expected, desired, weak))
            }
            Atomic::CompareThrough => {
                let expected = self.target(operand(1)?)?;
                let desired = self.target(operand(2)?)?;
                let desired = self.read(&desired);
                let weak = self.is_weak(name, atomic, arguments);
                Operand::Scalar(self.compare_exchange(place, &expected, desired.term, weak))
            }
            Atomic::Swap(flag) => {
                let expected = self.converted(operand(1)?, ty)?;
                let desired = self.converted(operand(2)?, ty)?;
                let (old, equal) = self.swap(place, expected, desired);
                Operand::Scalar(if flag { Value::new(equal, Type::Bool) } else { old })
            }
            Atomic::Update(change, old) => {
                let value = self.converted(operand(1)?, ty)?;
                Operand::Scalar(self.update(place, change, value, old))
            }
            // These only read or only write.
            Atomic::Load
            | Atomic::LoadThrough
            | Atomic::Init
            | Atomic::Store
            | Atomic::StoreThrough
            | Atomic::TestAndSet
            | Atomic::Clear
            | Atomic::Fence
            | Atomic::LockFree => Operand::Void,
        })
    }

    /// The order that an atomic function asks for, on success if it may fail.
    fn memory_order(
        &mut self,
        name: &str,
        atomic: Atomic,
        arguments: &'a [Node<Expression>],
    ) -> Lowered<MemoryOrder> {
        match name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_') {
            "__sync_lock_test_and_set" => return Ok(MemoryOrder::Acquire),
            "__sync_lock_release" => return Ok(MemoryOrder::Release),
            _ => {}
        }
        let builtin = name.starts_with("__atomic_");
        if !builtin && !name.ends_with("_explicit") && !name.starts_with("__c11_") {
            return Ok(MemoryOrder::SeqCst);
        }
        let index = match atomic {
            Atomic::Load | Atomic::TestAndSet | Atomic::Clear => 1,
            Atomic::LoadThrough | Atomic::Store | Atomic::StoreThrough => 2,
            Atomic::Init => return Ok(MemoryOrder::SeqCst),
            Atomic::Exchange | Atomic::Update(..) => 2,
            Atomic::ExchangeThrough => 3,
            Atomic::Compare(_) | Atomic::CompareThrough if builtin => 4,
            Atomic::Compare(_) | Atomic::CompareThrough => 3,
            Atomic::Swap(_) | Atomic::Fence | Atomic::LockFree => return Ok(MemoryOrder::SeqCst),
        };
        let Some(order) = arguments.get(index) else { return Ok(MemoryOrder::SeqCst) };
        match self.constant(order) {
            Ok(number) => Ok(MemoryOrder::of_constant(number)),
            Err(_) => {
                self.effect(order)?;
                Ok(MemoryOrder::SeqCst)
            }
        }
    }

    /// The scalar that the first argument points to, as an atomic one; the flag inside of `atomic_flag`.
    fn atomic_place(&mut self, pointer: &'a Node<Expression>) -> Lowered<Place> {
        let place = self.target(pointer)?;
        let mut ty = place.ty.unatomic().clone();
        let place = if let Type::Record(id) = ty {
            let Some(first) = self.types.record(id).fields.first().and_then(|f| f.name.clone()) else {
                return wrong(pointer.span, "an atomic operation needs a pointer to a number");
            };
            self.field(place, &first, pointer.span)?
        } else {
            place
        };
        ty = place.ty.unatomic().clone();
        if ty == Type::Void {
            ty = crate::types::CHAR;
        }
        if !ty.is_scalar() {
            return wrong(pointer.span, "an atomic operation needs a pointer to a number");
        }
        Ok(Place { ty: Type::Atomic(ty.into()), ..place })
    }

    /// What an argument points to; `&x` gives `x` itself.
    pub(crate) fn target(&mut self, pointer: &'a Node<Expression>) -> Lowered<Place> {
        if let Expression::UnaryOperator(unary) = &pointer.node
            && unary.node.operator.node == ast::UnaryOperator::Address
        {
            return self.place(&unary.node.operand);
        }
        let value = self.rvalue(pointer)?;
        if !value.ty.is_pointer() {
            return wrong(pointer.span, "a pointer is needed here");
        }
        Ok(self.pointed(&value))
    }

    fn converted(&mut self, expression: &'a Node<Expression>, ty: &Type) -> Lowered<Term> {
        let value = self.rvalue(expression)?;
        Ok(self.convert(&value, ty, expression.span)?.term)
    }

    fn converted_term(&self, truth: Term, ty: &Type) -> Term {
        if *ty == Type::Bool { truth } else { crate::lower::expression::bits_of(truth, self.types.width(ty)) }
    }

    /// Whether a comparison may fail for no reason.
    fn is_weak(&mut self, name: &str, atomic: Atomic, arguments: &'a [Node<Expression>]) -> bool {
        let asks = name == "__atomic_compare_exchange_n" || atomic == Atomic::CompareThrough;
        atomic == Atomic::Compare(true) || asks && arguments.get(3).is_some_and(|weak| self.is_nonzero(weak))
    }

    fn is_nonzero(&mut self, expression: &'a Node<Expression>) -> bool {
        self.constant(expression).map_or(true, |n| n != 0)
    }

    fn exchange(&mut self, place: &Place, value: Term) -> Value {
        self.emit(Op::AtomicBegin);
        let old = self.read(place);
        self.write(place, value);
        self.emit(Op::AtomicEnd);
        old
    }

    /// The old value, and whether it was the expected one and has been replaced.
    fn swap(&mut self, place: &Place, expected: Term, desired: Term) -> (Value, Term) {
        self.emit(Op::AtomicBegin);
        let old = self.read(place);
        let equal = old.term.equals(expected);
        self.write_if(place, equal, desired);
        self.emit(Op::AtomicEnd);
        (old, equal)
    }

    /// A store on one branch only: a failed comparison writes nothing.
    fn write_if(&mut self, place: &Place, condition: Term, value: Term) {
        let (yes, end) = (self.node(), self.node());
        self.emit_branch(Op::Assume(condition), yes);
        self.emit_branch(Op::Assume(condition.not()), end);
        self.continue_at(yes);
        self.write(place, value);
        self.join(end);
    }

    fn compare_exchange(&mut self, place: &Place, expected: &Place, desired: Term, weak: bool) -> Value {
        let wanted = self.read(expected);
        let may_fail = if weak { self.any(&Type::Bool) } else { Term::fls() };
        self.emit(Op::AtomicBegin);
        let old = self.read(place);
        let success = old.term.equals(wanted.term).and(may_fail.not());
        self.write_if(place, success, desired);
        self.emit(Op::AtomicEnd);
        // The result must outlive a change of `expected`, which may be a register in it.
        let register = self.temporary(&Type::Bool);
        self.set(register, success);
        let success = self.register_term(register);
        self.write_if(expected, success.not(), old.term);
        Value::new(success, Type::Bool)
    }

    fn update(&mut self, place: &Place, change: Change, value: Term, old: bool) -> Value {
        self.emit(Op::AtomicBegin);
        let before = self.read(place);
        let bits = Value::new(before.term, before.ty.clone());
        let (a, b) =
            (self.as_bits(&bits), crate::lower::expression::bits_of(value, self.types.width(&before.ty)));
        let result = match change {
            Change::Add => a.bv_add(b),
            Change::Sub => a.bv_sub(b),
            Change::And => a.bv_and(b),
            Change::Or => a.bv_or(b),
            Change::Xor => a.bv_xor(b),
            Change::Nand => a.bv_and(b).bv_not(),
        };
        let result =
            if before.ty == Type::Bool { result.distinct(Term::bv(result.width(), 0)) } else { result };
        self.write(place, result);
        self.emit(Op::AtomicEnd);
        if old { before } else { Value::new(result, before.ty) }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::graph::MemoryOrder;

    #[test]
    fn orders_have_the_numbers_of_the_compiler() {
        let orders: Vec<_> = (0..7).map(MemoryOrder::of_constant).collect();
        assert_eq!(orders[..3], [MemoryOrder::Relaxed, MemoryOrder::Consume, MemoryOrder::Acquire]);
        assert_eq!(orders[3..6], [MemoryOrder::Release, MemoryOrder::AcqRel, MemoryOrder::SeqCst]);
        assert_eq!(orders[6], MemoryOrder::SeqCst);
    }
}
