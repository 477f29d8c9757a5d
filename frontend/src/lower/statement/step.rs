//! What is one step. Each access of its own, as a rule; with `--atomic-statements` a full expression, if it calls nothing.

use crate::lower::context::Lowerer;
use crate::lower::graph::Op;
use lang_c::ast::{self, Expression, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use smt::Symbol;

impl<'a> Lowerer<'a> {
    /// A full expression begins here. With `--atomic-statements` it is one step, if it has no calls.
    pub(super) fn begin_statement(&mut self, expression: &'a Node<Expression>) -> bool {
        self.check_order(expression);
        let mut finder = CallFinder { lowerer: self, found: false };
        finder.visit_expression(&expression.node, &expression.span);
        let found = finder.found;
        self.begin_step(found)
    }

    /// What a race is does not depend on what we call a step: with races to look for, each access is one.
    fn begin_step(&mut self, has_calls: bool) -> bool {
        let model = self.builder.as_ref().is_none_or(|b| b.model);
        if !self.options.atomic_statements || self.options.race_check || model || has_calls {
            return false;
        }
        self.emit(Op::AtomicBegin);
        true
    }

    /// Initial values are one step like other statements.
    pub(super) fn begin_initializer(&mut self, initializer: &'a Node<ast::Initializer>) -> bool {
        if let ast::Initializer::Expression(expression) = &initializer.node {
            return self.begin_statement(expression);
        }
        let mut finder = CallFinder { lowerer: self, found: false };
        finder.visit_initializer(&initializer.node, &initializer.span);
        let found = finder.found;
        self.begin_step(found)
    }

    /// Arguments are evaluated in one step, if they have no calls.
    pub(crate) fn begin_arguments(&mut self, arguments: &'a [Node<Expression>]) -> bool {
        let mut finder = CallFinder { lowerer: self, found: false };
        arguments.iter().for_each(|argument| finder.visit_expression(&argument.node, &argument.span));
        let found = finder.found;
        self.begin_step(found)
    }

    pub(crate) fn end_statement(&mut self, atomic: bool) {
        if atomic {
            self.emit(Op::AtomicEnd);
        }
    }
}

/// Functions of the verifiers' vocabulary, which are no calls.
const VOCABULARY: &[&str] = &[
    "assert",
    "__monabs_assert",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "__ESBMC_assert",
    "__ESBMC_assume",
    "__goblint_check",
    "__goblint_assert",
    "__goblint_assume",
    "__builtin_assume",
    crate::tokens::LABEL,
];

/// Whether an expression calls something or contains statements.
struct CallFinder<'l, 'a> {
    lowerer: &'l Lowerer<'a>,
    found: bool,
}

impl<'ast> Visit<'ast> for CallFinder<'_, '_> {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, _span: &'ast Span) {
        // Values of input functions are part of the statement, and so is what is asserted or assumed.
        let harmless = matches!(&call.callee.node, Expression::Identifier(name)
            if name.node.name.contains("nondet")
                || name.node.name.starts_with("__builtin_expect")
                || VOCABULARY.contains(&name.node.name.as_str())
                    && !self.lowerer.definitions.contains_key(&Symbol::new(&name.node.name)));
        self.found |= !harmless;
        call.arguments.iter().for_each(|argument| self.visit_expression(&argument.node, &argument.span));
    }

    fn visit_statement(&mut self, _statement: &'ast Statement, _span: &'ast Span) {
        self.found = true;
    }
}
