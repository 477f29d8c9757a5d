//! What the text of functions does to memory that others name.

use super::effects::Summary;
use super::syntax::{is_assignment, is_atomic_operation};
use crate::lower::context::{Entity, Lowerer};
use crate::lower::graph::ObjectId;
use crate::types::Type;
use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What functions do to memory, as far as it has been asked for.
#[derive(Default)]
pub(crate) struct Summaries(FxHashMap<String, Rc<Summary>>);

impl<'a> Lowerer<'a> {
    /// A summary with what the functions do that it calls.
    pub(super) fn with_calls(&mut self, mut summary: Summary) -> Summary {
        let mut open: Vec<String> = summary.calls.iter().cloned().collect();
        let mut seen: FxHashSet<String> = FxHashSet::default();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            if let Some(own) = self.own_summary(&name) {
                summary.add(&own);
                open.extend(own.calls.iter().cloned());
            }
        }
        summary
    }

    /// What the text of a function does, without the functions that it calls.
    fn own_summary(&mut self, name: &str) -> Option<Rc<Summary>> {
        if let Some(known) = self.summaries.0.get(name) {
            return Some(known.clone());
        }
        let definition = *self.definitions.get(&smt::Symbol::new(name))?;
        let mut finder = Finder::new(self);
        finder.visit_function_definition(&definition.node, &definition.span);
        let summary = Rc::new(finder.summary);
        self.summaries.0.insert(name.to_owned(), summary.clone());
        Some(summary)
    }
}

/// Finds what the text of a function touches. Names are looked up among the globals: a local of the same name counts as the global.
pub(super) struct Finder<'l, 'a> {
    pub(super) lowerer: &'l Lowerer<'a>,
    pub(super) summary: Summary,
    pub(super) arrays: FxHashSet<String>,
    pub(super) statics: FxHashSet<String>,
}

impl<'l, 'a> Finder<'l, 'a> {
    pub(super) fn new(lowerer: &'l Lowerer<'a>) -> Finder<'l, 'a> {
        let (arrays, statics) = (FxHashSet::default(), FxHashSet::default());
        Finder { lowerer, summary: Summary::default(), arrays, statics }
    }

    fn global(&self, name: &str) -> Option<ObjectId> {
        match self.lowerer.scopes.first()?.names.get(name) {
            Some(Entity::Object(object)) => Some(*object),
            _ => None,
        }
    }

    /// The place that an operator writes.
    fn write(&mut self, target: &Expression) {
        match target {
            Expression::Identifier(name) => {
                let name = name.node.name.as_str();
                self.summary.writes_statics |= self.statics.contains(name);
                let global = self.global(name);
                self.summary.writes.extend(global);
            }
            Expression::Member(member) if member.node.operator.node == ast::MemberOperator::Direct => {
                self.write(&member.node.expression.node);
            }
            Expression::BinaryOperator(binary) if binary.node.operator.node == B::Index => {
                if self.is_array(&binary.node.lhs.node) {
                    self.write(&binary.node.lhs.node);
                } else {
                    self.summary.writes_any = true;
                }
            }
            _ => self.summary.writes_any = true,
        }
    }

    /// Whether the expression names an array rather than a pointer.
    pub(super) fn is_array(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Identifier(name) => {
                let name = name.node.name.as_str();
                self.arrays.contains(name)
                    || self.global(name).is_some_and(|object| {
                        matches!(self.lowerer.objects[object.index()].ty.unatomic(), Type::Array(..))
                    })
            }
            Expression::BinaryOperator(binary) if binary.node.operator.node == B::Index => {
                self.is_array(&binary.node.lhs.node)
            }
            _ => false,
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_, '_> {
    fn visit_declaration(&mut self, declaration: &'ast ast::Declaration, span: &'ast Span) {
        let is_static = declaration.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
                if class.node == ast::StorageClassSpecifier::Static)
        });
        for declared in &declaration.declarators {
            let declarator = &declared.node.declarator.node;
            if let ast::DeclaratorKind::Identifier(name) = &declarator.kind.node {
                let is_array =
                    |d: &Node<ast::DerivedDeclarator>| matches!(d.node, ast::DerivedDeclarator::Array(_));
                if declarator.derived.iter().all(is_array) && !declarator.derived.is_empty() {
                    self.arrays.insert(name.node.name.clone());
                }
                if is_static {
                    self.statics.insert(name.node.name.clone());
                }
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    /// What cleans up is called.
    fn visit_attribute(&mut self, attribute: &'ast ast::Attribute, span: &'ast Span) {
        if crate::tokens::attributes::plain(&attribute.name.node) == "cleanup"
            && let Some(Expression::Identifier(name)) = attribute.arguments.first().map(|a| &a.node)
        {
            self.summary.calls.insert(name.node.name.clone());
        }
        visit::visit_attribute(self, attribute, span);
    }

    fn visit_gnu_extended_asm_statement(
        &mut self,
        asm: &'ast ast::GnuExtendedAsmStatement,
        span: &'ast Span,
    ) {
        asm.outputs.iter().for_each(|output| self.write(&output.node.variable_name.node));
        let is_memory = |clobber: &Node<ast::StringLiteral>| {
            crate::lower::expression::literal::string_bytes(&clobber.node).starts_with(b"memory")
        };
        let has_operands = !asm.outputs.is_empty() || !asm.inputs.is_empty();
        if has_operands && asm.clobbers.iter().any(is_memory) {
            self.summary.reads_any = true;
            self.summary.writes_any = true;
        }
        visit::visit_gnu_extended_asm_statement(self, asm, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::Identifier(name) => {
                let global = self.global(&name.node.name);
                self.summary.reads.extend(global);
            }
            Expression::Member(member) if member.node.operator.node == ast::MemberOperator::Indirect => {
                self.summary.reads_any = true;
            }
            Expression::SizeOfVal(_) => return,
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                U::Indirection => self.summary.reads_any = true,
                U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                    self.write(&unary.node.operand.node);
                }
                _ => {}
            },
            Expression::BinaryOperator(binary) => match &binary.node.operator.node {
                B::Index if !self.is_array(&binary.node.lhs.node) => self.summary.reads_any = true,
                operator if is_assignment(operator) => self.write(&binary.node.lhs.node),
                _ => {}
            },
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) if is_atomic_operation(&name.node.name) => {
                    self.summary.reads_any = true;
                    self.summary.writes_any = true;
                }
                Expression::Identifier(name) => {
                    self.summary.calls.insert(name.node.name.clone());
                }
                _ => (self.summary.reads_any, self.summary.writes_any) = (true, true),
            },
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }
}
