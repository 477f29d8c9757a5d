//! The vocabulary of predicates and of passive threads (section 3.4): `__CPROVER_predicate`, `__CPROVER_passive`, `__CPROVER_passive_broadcast`.

use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, PlaceKind, Value};
use crate::lower::graph::{Access, Address, MemoryOrder, Op};
use lang_c::ast::{self, Expression, Statement};
use lang_c::span::Node;
use smt::{Symbol, Term};

impl<'a> Lowerer<'a> {
    // Predicates and passive copies

    /// `__CPROVER_predicate(e)`: for engines that want it; no operation.
    pub(crate) fn user_predicate(&mut self, expression: &'a Node<Expression>) -> Lowered<()> {
        if let Some(builder) = &mut self.builder {
            builder.symbolic = true;
        }
        let value = self.dry(|s| s.rvalue(expression));
        if let Some(builder) = &mut self.builder {
            builder.symbolic = false;
        }
        let value = value?;
        let truth = self.truth(&value);
        self.predicates.push((truth, expression.span.start));
        Ok(())
    }

    /// `__CPROVER_passive(x)`: a passive thread's copy.
    pub(crate) fn passive(&mut self, expression: &'a Node<Expression>) -> Lowered<Operand> {
        let place = self.place(expression)?;
        let ty = place.ty.unatomic().clone();
        let name = match &place.kind {
            PlaceKind::Register(register) => self.registers[register.index()].name.to_string(),
            PlaceKind::Memory(address)
                if self.builder.as_ref().is_some_and(|b| b.broadcast.as_ref() == Some(address)) =>
            {
                let own = Term::constant(Symbol::new(crate::lower::graph::OWN), self.sort(&ty));
                return Ok(Operand::Scalar(Value::new(own, ty)));
            }
            PlaceKind::Memory(address) => match self.symbolic_name(address) {
                Some(name) => name,
                None => {
                    return unsupported(
                        expression.span,
                        "only variables and members have passive copies here",
                    );
                }
            },
        };
        let term = Term::constant(Symbol::new(&format!("{name}@P")), self.sort(&ty));
        Ok(Operand::Scalar(Value::new(term, ty)))
    }

    /// A name for the scalar at a fixed address, until it is known which variable it is.
    pub(crate) fn symbolic_name(&self, address: &Address) -> Option<String> {
        match address {
            Address::Object { object, offset, indices } if indices.is_empty() => {
                Some(format!("%{}:{offset}", object.0))
            }
            _ => None,
        }
    }

    /// `__CPROVER_passive_broadcast: x = e`: all other threads' x (section 3.4).
    pub(super) fn broadcast(&mut self, statement: &'a Node<Statement>) -> Lowered<()> {
        let message =
            "an assignment to a thread-local variable must follow the label __CPROVER_passive_broadcast";
        let Statement::Expression(Some(expression)) = &statement.node else {
            return wrong(statement.span, message);
        };
        let Expression::BinaryOperator(binary) = &expression.node else {
            return wrong(statement.span, message);
        };
        if binary.node.operator.node != ast::BinaryOperator::Assign {
            return wrong(statement.span, message);
        }
        let place = self.place(&binary.node.lhs)?;
        let PlaceKind::Memory(address) = place.kind.clone() else { return wrong(statement.span, message) };
        if let Some(builder) = &mut self.builder {
            builder.passive = Some(Vec::new());
            builder.broadcast = Some(address.clone());
        }
        let value = self.rvalue(&binary.node.rhs).and_then(|v| self.convert(&v, &place.ty, expression.span));
        let choices = self.builder.as_mut().and_then(|b| b.passive.take()).unwrap_or_default();
        if let Some(builder) = &mut self.builder {
            builder.broadcast = None;
        }
        let value = value?;
        let ty = place.ty.unatomic().clone();
        let access = Access::of(place.bits.unwrap_or(self.types.width(&ty)), ty, Some(MemoryOrder::SeqCst))
            .of_own(place.own);
        let term = if value.term.sort() == access.sort() {
            value.term
        } else {
            value.term.resize_unsigned(access.width)
        };
        self.emit(Op::Broadcast(address, access, term, choices));
        Ok(())
    }
}
