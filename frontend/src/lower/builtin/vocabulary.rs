//! The vocabulary of verifiers (`__VERIFIER_assume`, `__CPROVER_assert`, ...) and that of our models (`__monabs_check`, ...).

use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Value};
use crate::lower::graph::{Argument, Callee, Op, Stop};
use crate::program::PropertyKind;
use crate::types::{INT, IntKind, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

impl<'a> Lowerer<'a> {
    pub(super) fn vocabulary(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let arguments = &call.node.arguments;
        let argument = |index: usize| match arguments.get(index) {
            Some(argument) => Ok(argument),
            None => wrong(span, format!("'{name}' needs more arguments")),
        };
        match name {
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "__goblint_assume"
            | "__builtin_assume" => self.assume(argument(0)?)?,
            _ if super::ASSERTIONS.contains(&name) => {
                let condition = argument(0)?;
                let written = arguments.get(1).and_then(|text| self.string_argument(text));
                let text = written.unwrap_or_else(|| self.source_text(condition.span));
                let text = crate::lower::shown::assertion(&text);
                self.assertion(condition, PropertyKind::Assertion, text, span)?;
            }
            "__CPROVER_atomic_begin"
            | "__VERIFIER_atomic_begin"
            | "__ESBMC_atomic_begin"
            | "__ESBMC_really_atomic_begin" => self.emit(Op::AtomicBegin),
            "__CPROVER_atomic_end"
            | "__VERIFIER_atomic_end"
            | "__ESBMC_atomic_end"
            | "__ESBMC_really_atomic_end" => self.emit(Op::AtomicEnd),
            crate::tokens::LABEL => {
                let label = crate::lower::statement::label_of(&call.node).unwrap_or_default();
                return Ok(Some(self.label_address(&label, span)));
            }
            crate::tokens::COMPUTED_GOTO => self.computed_goto(argument(0)?, span)?,
            "__CPROVER_passive" => return self.passive(argument(0)?).map(Some),
            "__CPROVER_predicate" => self.user_predicate(argument(0)?)?,
            // All that they say is how to analyse; a fence is nothing where memory is sequentially consistent.
            "__goblint_split_begin"
            | "__goblint_split_end"
            | "__goblint_globalize"
            | "__CPROVER_fence"
            | "__CPROVER_cover"
            | "__CPROVER_input"
            | "__CPROVER_output"
            | "__ESBMC_yield" => arguments.iter().try_for_each(|a| self.effect(a))?,
            "__goblint_assume_join" => {
                self.effect(argument(0)?)?;
                self.approximate("__goblint_assume_join, which is taken for nothing");
            }
            "__goblint_unknown" => self.unknown(argument(0)?)?,
            "__CPROVER_parameter_predicates" | "__CPROVER_return_predicates" => {}
            _ => return self.model_vocabulary(name, arguments, span),
        }
        Ok(Some(Operand::Void))
    }

    /// What only our own models say.
    fn model_vocabulary(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let argument = |index: usize| match arguments.get(index) {
            Some(argument) => Ok(argument),
            None => wrong(span, format!("'{name}' needs more arguments")),
        };
        match name {
            "__monabs_check" => {
                let kind = match self.string_argument(argument(0)?).as_deref() {
                    Some("mutex") => PropertyKind::Mutex,
                    Some("pointer") => PropertyKind::Pointer,
                    Some("deadlock") => PropertyKind::Deadlock,
                    _ => PropertyKind::Assertion,
                };
                let text = self.string_argument(argument(2)?).unwrap_or_default();
                if self.options.checks(kind) {
                    self.assertion(argument(1)?, kind, text, span)?;
                } else {
                    self.effect(argument(1)?)?;
                }
            }
            "__monabs_approximate" => {
                let text = self.string_argument(argument(0)?).unwrap_or_default();
                self.approximate(&text);
            }
            "__monabs_guess_int" | "__monabs_guess_long" => {
                let ty = if name == "__monabs_guess_int" { INT } else { Type::Int(IntKind::Long) };
                let text = self.string_argument(argument(0)?).unwrap_or_default();
                let term = self.guess(&ty, &text);
                return Ok(Some(Operand::Scalar(Value::new(term, ty))));
            }
            "__monabs_limit" => {
                let text = self.string_argument(argument(0)?).unwrap_or_default();
                self.emit(Op::Limit(text));
                let nowhere = self.node();
                self.continue_at(nowhere);
            }
            "__monabs_reads" => {
                let matter = if self.options.race_check || self.options.pointer_check {
                    Term::tru()
                } else {
                    Term::fls()
                };
                return Ok(Some(Operand::Scalar(self.flag(matter))));
            }
            "__monabs_races" => {
                let races = if self.options.race_check { Term::tru() } else { Term::fls() };
                return Ok(Some(Operand::Scalar(self.flag(races))));
            }
            "__monabs_deadlocks" => {
                let deadlocks = if self.options.deadlock_check { Term::tru() } else { Term::fls() };
                return Ok(Some(Operand::Scalar(self.flag(deadlocks))));
            }
            "__monabs_apart" => {
                let [target, written] = [argument(0)?, argument(1)?];
                self.apart_by([target, written, argument(2)?, argument(3)?])?;
            }
            "__monabs_wait" => self.wait(argument(0)?, span)?,
            "__monabs_spawn" => self.spawn(argument(0)?, argument(1)?, argument(2)?, span)?,
            _ => return Ok(None),
        }
        Ok(Some(Operand::Void))
    }

    /// Two objects, each an address and a size, must not overlap.
    fn apart_by(&mut self, ranges: [&'a Node<Expression>; 4]) -> Lowered<()> {
        let mut terms = [Term::bv(self.pointer_width(), 0); 4];
        for (term, range) in terms.iter_mut().zip(ranges) {
            *term = self.rvalue(range)?.term.resize_unsigned(self.pointer_width());
        }
        self.emit(Op::Apart(terms));
        Ok(())
    }

    fn string_argument(&self, argument: &Node<Expression>) -> Option<String> {
        match &argument.node {
            Expression::StringLiteral(literal) => Some(
                String::from_utf8_lossy(&crate::lower::expression::literal::string_bytes(&literal.node))
                    .into_owned(),
            ),
            _ => None,
        }
    }

    /// `__goblint_unknown(&x)`: from now on x has any value.
    fn unknown(&mut self, argument: &'a Node<Expression>) -> Lowered<()> {
        let pointer = self.rvalue(argument)?;
        match pointer.ty.pointee().cloned() {
            Some(ty) if ty.is_scalar() => {
                let place = self.pointed(&pointer);
                let value = self.any(ty.unatomic());
                self.write(&place, value);
                Ok(())
            }
            _ => unsupported(
                argument.span,
                "__goblint_unknown is modelled for pointers to scalars; name the members one by one",
            ),
        }
    }

    fn assume(&mut self, condition: &'a Node<Expression>) -> Lowered<()> {
        let (yes, no) = (self.node(), self.node());
        self.condition(condition, yes, no)?;
        // No run goes on there.
        self.continue_at(no);
        self.emit(Op::Assume(Term::fls()));
        self.continue_at(yes);
        Ok(())
    }

    fn assertion(
        &mut self,
        condition: &'a Node<Expression>,
        kind: PropertyKind,
        text: String,
        span: Span,
    ) -> Lowered<()> {
        let (yes, no) = (self.node(), self.node());
        self.condition(condition, yes, no)?;
        self.continue_at(no);
        self.violation(kind, text, span);
        self.continue_at(yes);
        Ok(())
    }

    /// Where deadlocks are looked for, a thread that has to wait may give up here: then it does nothing more, and when no other thread moves either, it
    /// says whether it still has to. See `deadlock.c`.
    fn wait(&mut self, blocked: &'a Node<Expression>, span: Span) -> Lowered<()> {
        if !self.options.deadlock_check {
            return Ok(());
        }
        let limit = "deadlocks of threads that wait inside an atomic section are not modelled";
        self.emit(Op::Outside(limit.to_owned()));
        let (gives_up, goes_on) = (self.node(), self.node());
        self.emit_branch(Op::Skip, gives_up);
        self.emit_branch(Op::Skip, goes_on);
        self.continue_at(gives_up);
        self.assume(blocked)?;
        self.call_model("__monabs_give_up", Vec::new(), span)?;
        self.emit(Op::AtomicEnd);
        self.emit(Op::AtomicBegin);
        self.assume(blocked)?;
        self.call_model("__monabs_waits_for_ever", Vec::new(), span)?;
        self.emit(Op::AtomicEnd);
        self.emit(Op::Stop(Stop::Stays));
        self.continue_at(goes_on);
        Ok(())
    }

    fn spawn(
        &mut self,
        function: &'a Node<Expression>,
        argument: &'a Node<Expression>,
        record: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<()> {
        let function = self.rvalue(function)?;
        let Some(ty @ Type::Function(_)) = function.ty.pointee().cloned() else {
            return wrong(span, "a thread needs a function to run");
        };
        let argument = self.rvalue(argument)?;
        let record = self.rvalue(record)?;
        let callee = Callee::Indirect(function.term, ty);
        self.emit(Op::Spawn(callee, vec![Argument::Scalar(argument.term, argument.ty)], record.term));
        Ok(())
    }
}
