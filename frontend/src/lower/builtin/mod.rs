//! Functions with a meaning of their own. A definition in the user's text wins, except for error functions.
//!
//! | file | what |
//! |---|---|
//! | `vocabulary` | of verifiers and of our models |
//! | `allocation` | `malloc` and its family |
//! | `memory` | `memcpy`, `memset` and relatives on typed data; bytes are copied by models |
//! | `print`, `scan` | what the formats of `sprintf` and `scanf` say about memory |
//! | `entry` | arguments of entry points |
//! | `float` | functions of `math.h` that are exact |
//! | `variable` | variable arguments of the program's own functions |
//! | `compiler`, `overflow` | what compilers build in |
//!
//! Everything else that a library defines is C text in `models`, or stands in the table `models::library`. Each argument is
//! evaluated once, from left to right, also where its value is not needed.

mod allocation;
mod atomics;
mod compiler;
mod entry;
mod float;
mod format;
mod memory;
mod overflow;
mod padding;
mod print;
mod scan;
pub(in crate::lower) mod variable;
mod vocabulary;

use super::context::{Entity, Lowered, Lowerer, wrong};
use super::expression::{Operand, Value};
use super::graph::{Argument, CallResult, Callee, FunctionId, Op, Stop};
use crate::models::library::plain_name;
use crate::program::PropertyKind;
use crate::types::Type;
pub(crate) use entry::{ARGUMENT, SharedArguments};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

/// Calls of these are violations, whatever their definition says.
pub(crate) const ERROR_FUNCTIONS: &[&str] = &["__VERIFIER_error", "reach_error"];
/// What `assert` expands to in system headers.
pub(super) const ASSERT_FAILURES: &[&str] =
    &["__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail", "_assert", "__assert_func"];
/// The condition must hold.
pub(super) const ASSERTIONS: &[&str] = &[
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "__ESBMC_assert",
    "__goblint_check",
    "__goblint_assert",
    "__monabs_assert",
    "assert",
];
/// The run ends.
const EXITS: &[&str] =
    &["exit", "_exit", "_Exit", "abort", "quick_exit", "__builtin_trap", "__monabs_stop", "panic"];

impl<'a> Lowerer<'a> {
    /// A call with a built-in meaning; none if it is an ordinary function.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        if ERROR_FUNCTIONS.contains(&name) {
            self.violation(PropertyKind::ErrorFunction, format!("{name}() is called"), span);
            return Ok(Some(Operand::Void));
        }
        if self.has_own_definition(name) {
            return Ok(None);
        }
        let arguments = &call.node.arguments;
        if ASSERT_FAILURES.contains(&name) {
            let text = arguments.first().map_or("", |a| self.text(a.span)).trim_matches('"').to_owned();
            self.violation(PropertyKind::Assertion, super::shown::assertion(&text), span);
            return Ok(Some(Operand::Void));
        }
        if EXITS.contains(&name)
            || EXITS.contains(&plain_name(name)) && !self.has_own_definition(plain_name(name))
        {
            arguments.iter().try_for_each(|a| self.effect(a))?;
            let is_orderly = matches!(plain_name(name), "exit" | "_exit" | "_Exit" | "quick_exit");
            let stop = if name == "__monabs_stop" { Stop::Ends } else { Stop::Stays };
            self.emit(if is_orderly { Op::Exit } else { Op::Stop(stop) });
            let nowhere = self.node();
            self.continue_at(nowhere);
            return Ok(Some(Operand::Void));
        }
        type Attempt<'a> =
            fn(&mut Lowerer<'a>, &str, &'a Node<ast::CallExpression>, Span) -> Lowered<Option<Operand>>;
        let attempts: [Attempt<'a>; 9] = [
            Lowerer::vocabulary,
            Lowerer::entry_argument,
            |s, _, call, span| s.allocation(call, None, span),
            Lowerer::memory_function,
            Lowerer::print_function,
            Lowerer::scan_function,
            Lowerer::overflow_builtin,
            |s, name, call, span| s.float_function(name, &call.node.arguments, span),
            Lowerer::compiler_builtin,
        ];
        for attempt in attempts {
            if let Some(result) = attempt(self, name, call, span)? {
                return Ok(Some(result));
            }
        }
        self.atomic(name, call, span)
    }

    /// Whether the program defines a function of this name itself.
    fn has_own_definition(&self, name: &str) -> bool {
        match self.lookup(name) {
            Some(Entity::Function(id)) => self.is_defined(*id),
            _ => false,
        }
    }

    /// The function that a call of this name means: itself, or what the compiler's name for it stands for.
    pub(crate) fn meant(&self, name: &str) -> Option<FunctionId> {
        let defined = |name: &str| match self.lookup(name) {
            Some(Entity::Function(id)) if self.is_defined(*id) => Some(*id),
            _ => None,
        };
        defined(name).or_else(|| defined(plain_name(name)))
    }

    /// A string literal without the conversions around it.
    fn literal_argument(&self, argument: &Node<Expression>) -> Option<Vec<u8>> {
        match &argument.node {
            Expression::StringLiteral(literal) => {
                Some(super::expression::literal::string_bytes(&literal.node))
            }
            Expression::Cast(cast) => self.literal_argument(&cast.node.expression),
            _ => None,
        }
    }

    /// Calls a function of our models.
    pub(in crate::lower) fn call_model(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        span: Span,
    ) -> Lowered<Option<Value>> {
        let Some(Entity::Function(id)) = self.lookup(name).cloned() else {
            return wrong(span, "a model is missing; this is a bug");
        };
        self.require(id);
        let Type::Function(function) = self.functions[id.index()].ty.clone() else { return Ok(None) };
        let mut passed = Vec::new();
        for (value, ty) in arguments.iter().zip(&function.parameters) {
            passed.push(Argument::Scalar(self.convert(value, ty, span)?.term, ty.clone()));
        }
        let outer = self.set_span(span);
        let result = if function.result == Type::Void {
            self.emit(Op::Call(Callee::Direct(id), passed, CallResult::None));
            None
        } else {
            let register = self.temporary(&function.result);
            let result = CallResult::Scalar(register, function.result.clone());
            self.emit(Op::Call(Callee::Direct(id), passed, result));
            Some(Value::new(self.register_term(register), function.result.clone()))
        };
        self.set_span(outer);
        Ok(result)
    }

    /// Control must not get here.
    pub(crate) fn violation(&mut self, kind: PropertyKind, description: String, span: Span) {
        let outer = self.set_span(span);
        self.check(kind, Term::fls(), description);
        self.set_span(outer);
        let nowhere = self.node();
        self.continue_at(nowhere);
    }
}
