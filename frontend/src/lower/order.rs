//! Where the order of evaluation shows (C11 6.5).
//!
//! C leaves open in which order operands and arguments are evaluated; we go from left to right. That is remarked where it may
//! matter: one operand calls a function that writes what another one reads or writes. Side effects of operators on the same
//! variable, with nothing that orders them, are undefined behaviour and a limit.
//!
//! The analysis knows variables by their names, and of functions which globals they and those that they call name; what they access
//! through pointers may be any memory. Functions without a definition change nothing, as everywhere else.

use super::context::{Entity, Lowerer};
use super::graph::{ObjectId, RegisterId};
use crate::program::Assumption;
use crate::types::Type;
use lang_c::ast::{self, BinaryOperator as B, Expression, Initializer, UnaryOperator as U};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A variable or a member of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Variable {
    Register(RegisterId),
    /// With the names of members.
    Object(ObjectId, Vec<String>),
}

/// What a function may do to memory that others name, directly or by calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    reads: FxHashSet<ObjectId>,
    writes: FxHashSet<ObjectId>,
    reads_any: bool,
    writes_any: bool,
    /// Its own static variables: two calls are not independent.
    writes_statics: bool,
    calls: FxHashSet<String>,
}

impl Summary {
    fn add(&mut self, other: &Summary) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_any |= other.reads_any;
        self.writes_any |= other.writes_any;
        self.writes_statics |= other.writes_statics;
    }

    fn writes(&self) -> bool {
        self.writes_any || self.writes_statics || !self.writes.is_empty()
    }
}

/// What evaluating an expression does.
#[derive(Clone, Debug, Default)]
struct Effects {
    reads: FxHashSet<Variable>,
    writes: FxHashSet<Variable>,
    /// Reads through pointers.
    reads_any: bool,
    calls: Summary,
}

impl Effects {
    fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.reads_any |= other.reads_any;
        self.calls.add(&other.calls);
    }

    fn is_pure(&self) -> bool {
        self.writes.is_empty() && !self.calls.writes()
    }

    fn objects(variables: &FxHashSet<Variable>) -> impl Iterator<Item = ObjectId> + '_ {
        variables.iter().filter_map(|variable| match variable {
            Variable::Object(object, _) => Some(*object),
            Variable::Register(_) => None,
        })
    }

    /// Whether it touches memory that the functions called elsewhere write.
    fn is_changed_by(&self, calls: &Summary) -> bool {
        let named = || Self::objects(&self.reads).chain(Self::objects(&self.writes));
        let called = || self.calls.reads.iter().chain(&self.calls.writes).copied();
        let any = self.reads_any || self.calls.reads_any || self.calls.writes_any;
        (calls.writes_any && (any || named().next().is_some() || called().next().is_some()))
            || (any && !calls.writes.is_empty())
            || named().chain(called()).any(|object| calls.writes.contains(&object))
            || (calls.writes_statics && self.calls.writes_statics)
    }

    /// Whether one of the others' functions reads or writes what operators here write.
    fn changes(&self, calls: &Summary) -> bool {
        Self::objects(&self.writes).any(|object| {
            calls.reads_any
                || calls.writes_any
                || calls.reads.contains(&object)
                || calls.writes.contains(&object)
        })
    }
}

/// Whether one of the sets has a variable that the other has, as a whole or in part.
fn overlap(left: &FxHashSet<Variable>, right: &FxHashSet<Variable>) -> bool {
    left.iter().any(|a| {
        right.iter().any(|b| match (a, b) {
            (Variable::Register(a), Variable::Register(b)) => a == b,
            (Variable::Object(a, first), Variable::Object(b, second)) => {
                a == b && (first.starts_with(second) || second.starts_with(first))
            }
            _ => false,
        })
    })
}

/// What is wrong with an expression, and where.
#[derive(Default)]
struct Findings {
    undefined: Option<Span>,
    open: Vec<Span>,
}

impl<'a> Lowerer<'a> {
    /// Looks at a full expression before it is evaluated.
    pub(crate) fn check_order(&mut self, expression: &'a Node<Expression>) {
        let in_model = self.builder.as_ref().is_none_or(|b| b.model || b.symbolic || b.passive.is_some());
        if in_model || !has_effects(expression) {
            return;
        }
        let mut findings = Findings::default();
        self.effects(expression, &mut findings);
        for span in findings.open {
            let message = "operands are evaluated from left to right here; C leaves the order open";
            self.assuming(Assumption::EvaluationOrder, span.start, message);
        }
        if let Some(span) = findings.undefined {
            let message =
                "the order of side effects on one variable is not defined here; write several statements";
            self.limit(span.start, message);
        }
    }

    fn effects(&mut self, expression: &'a Node<Expression>, findings: &mut Findings) -> Effects {
        let span = expression.span;
        match &expression.node {
            Expression::Identifier(_) | Expression::Member(_) => self.variable_effects(expression, findings),
            Expression::UnaryOperator(unary) => {
                let operand = &unary.node.operand;
                match unary.node.operator.node {
                    U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                        let mut effects = self.effects(operand, findings);
                        self.written(operand, &mut effects, span, findings);
                        effects
                    }
                    U::Address => self.address_effects(operand, findings),
                    U::Indirection => {
                        let mut effects = self.effects(operand, findings);
                        effects.reads_any = true;
                        effects
                    }
                    U::Plus | U::Minus | U::Complement | U::Negate => self.effects(operand, findings),
                }
            }
            Expression::BinaryOperator(binary) => self.binary_effects(binary, findings),
            Expression::Call(call) => self.call_effects(call, findings),
            Expression::Cast(cast) => self.effects(&cast.node.expression, findings),
            Expression::Conditional(conditional) => {
                let parts = &conditional.node;
                let mut effects = self.effects(&parts.condition, findings);
                effects.add(self.effects(&parts.then_expression, findings));
                effects.add(self.effects(&parts.else_expression, findings));
                effects
            }
            Expression::Comma(parts) => {
                let mut effects = Effects::default();
                parts.iter().for_each(|part| effects.add(self.effects(part, findings)));
                effects
            }
            Expression::GenericSelection(selection) => match self.generic_choice(selection) {
                Ok(chosen) => self.effects(chosen, findings),
                Err(_) => Effects::default(),
            },
            Expression::CompoundLiteral(literal) => {
                let mut all = Vec::new();
                for item in &literal.node.initializer_list {
                    self.initializer_effects(&item.node.initializer, findings, &mut all);
                }
                unordered(all, span, findings)
            }
            Expression::Statement(statement) => {
                let mut finder = Finder::new(self);
                finder.visit_statement(&statement.node, &statement.span);
                let summary = finder.summary;
                Effects { calls: self.with_calls(summary), ..Effects::default() }
            }
            Expression::VaArg(argument) => self.effects(&argument.node.va_list, findings),
            Expression::Constant(_)
            | Expression::StringLiteral(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => Effects::default(),
        }
    }

    fn initializer_effects(
        &mut self,
        initializer: &'a Node<Initializer>,
        findings: &mut Findings,
        all: &mut Vec<Effects>,
    ) {
        match &initializer.node {
            Initializer::Expression(expression) => all.push(self.effects(expression, findings)),
            Initializer::List(list) => {
                list.iter().for_each(|item| self.initializer_effects(&item.node.initializer, findings, all));
            }
        }
    }

    /// The variable that an expression names, with members, but not elements.
    fn variable(&self, expression: &Node<Expression>) -> Option<Variable> {
        match &expression.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name)? {
                Entity::Register(register, _) => Some(Variable::Register(*register)),
                Entity::Object(object) => Some(Variable::Object(*object, Vec::new())),
                _ => None,
            },
            Expression::Member(member) if member.node.operator.node == ast::MemberOperator::Direct => {
                match self.variable(&member.node.expression)? {
                    Variable::Object(object, mut path) => {
                        path.push(member.node.identifier.node.name.clone());
                        Some(Variable::Object(object, path))
                    }
                    Variable::Register(_) => None,
                }
            }
            _ => None,
        }
    }

    fn variable_effects(&mut self, expression: &'a Node<Expression>, findings: &mut Findings) -> Effects {
        if let Some(variable) = self.variable(expression) {
            // An array is an address here.
            if matches!(self.type_of(expression), Ok(ty) if matches!(ty.unatomic(), Type::Array(..))) {
                return Effects::default();
            }
            return Effects { reads: [variable].into_iter().collect(), ..Effects::default() };
        }
        let Expression::Member(member) = &expression.node else { return Effects::default() };
        let mut effects = self.effects(&member.node.expression, findings);
        effects.reads_any |= member.node.operator.node == ast::MemberOperator::Indirect;
        effects
    }

    /// `&e` evaluates what leads to the place, but does not read it.
    fn address_effects(&mut self, operand: &'a Node<Expression>, findings: &mut Findings) -> Effects {
        if self.variable(operand).is_some() {
            return Effects::default();
        }
        match &operand.node {
            Expression::Member(member) if member.node.operator.node == ast::MemberOperator::Direct => {
                self.address_effects(&member.node.expression, findings)
            }
            Expression::Member(member) => self.effects(&member.node.expression, findings),
            Expression::UnaryOperator(unary) if unary.node.operator.node == U::Indirection => {
                self.effects(&unary.node.operand, findings)
            }
            _ => self.effects(operand, findings),
        }
    }

    /// A side effect of an operator on its operand, whose other effects are known.
    fn written(
        &mut self,
        operand: &'a Node<Expression>,
        effects: &mut Effects,
        span: Span,
        findings: &mut Findings,
    ) {
        // Whether an element, or what a pointer points to, is what another operand names is not known here.
        let Some(variable) = self.variable(operand) else { return };
        let written = [variable].into_iter().collect();
        if overlap(&written, &effects.writes) {
            findings.undefined.get_or_insert(span);
        }
        effects.writes.extend(written);
    }

    fn binary_effects(
        &mut self,
        binary: &'a Node<ast::BinaryOperatorExpression>,
        findings: &mut Findings,
    ) -> Effects {
        let (left, right, span) = (&binary.node.lhs, &binary.node.rhs, binary.span);
        match binary.node.operator.node {
            B::LogicalAnd | B::LogicalOr => {
                let mut effects = self.effects(left, findings);
                effects.add(self.effects(right, findings));
                effects
            }
            B::Assign => {
                let target = self.address_effects(left, findings);
                let value = self.effects(right, findings);
                let mut effects = unordered(vec![target, value], span, findings);
                self.written(left, &mut effects, span, findings);
                effects
            }
            B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr => {
                let both = vec![self.effects(left, findings), self.effects(right, findings)];
                let mut effects = unordered(both, span, findings);
                self.written(left, &mut effects, span, findings);
                effects
            }
            B::Index => {
                let both = vec![self.effects(left, findings), self.effects(right, findings)];
                let mut effects = unordered(both, span, findings);
                match self.variable(left) {
                    Some(array @ Variable::Object(..)) if self.is_array(left) => {
                        effects.reads.insert(array);
                    }
                    _ => effects.reads_any = true,
                }
                effects
            }
            _ => {
                let both = vec![self.effects(left, findings), self.effects(right, findings)];
                unordered(both, span, findings)
            }
        }
    }

    fn is_array(&mut self, expression: &'a Node<Expression>) -> bool {
        matches!(self.type_of(expression), Ok(ty) if matches!(ty.unatomic(), Type::Array(..)))
    }

    fn call_effects(&mut self, call: &'a Node<ast::CallExpression>, findings: &mut Findings) -> Effects {
        let arguments = call.node.arguments.iter();
        let mut parts: Vec<Effects> = arguments.map(|argument| self.effects(argument, findings)).collect();
        let named = match &call.node.callee.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                None | Some(Entity::Function(_)) => Some(name.node.name.clone()),
                Some(_) => None,
            },
            _ => None,
        };
        let mut summary = Summary::default();
        match &named {
            Some(name) if is_atomic_operation(name) => {
                let target = call.node.arguments.first().map(|first| &first.node);
                match target {
                    Some(Expression::UnaryOperator(unary)) if unary.node.operator.node == U::Address => {
                        match self.variable(&unary.node.operand) {
                            Some(Variable::Object(object, _)) => {
                                summary.reads.insert(object);
                                if !name.contains("load") {
                                    summary.writes.insert(object);
                                }
                            }
                            _ => summary.writes_any |= !name.contains("load"),
                        }
                    }
                    _ => {
                        summary.reads_any = true;
                        summary.writes_any |= !name.contains("load");
                    }
                }
            }
            Some(name) => {
                summary.calls.insert(name.clone());
            }
            None => {
                parts.push(self.effects(&call.node.callee, findings));
                summary = Summary { reads_any: true, writes_any: true, ..Summary::default() };
            }
        }
        let mut effects = unordered(parts, call.span, findings);
        let summary = self.with_calls(summary);
        effects.calls.add(&summary);
        effects
    }

    /// A summary with what the functions do that it calls.
    fn with_calls(&mut self, mut summary: Summary) -> Summary {
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
        if let Some(known) = self.summaries.get(name) {
            return Some(known.clone());
        }
        let definition = *self.definitions.get(&smt::Symbol::new(name))?;
        let mut finder = Finder::new(self);
        finder.visit_function_definition(&definition.node, &definition.span);
        let summary = Rc::new(finder.summary);
        self.summaries.insert(name.to_owned(), summary.clone());
        Some(summary)
    }
}

/// Nothing orders the parts: what one writes and another touches shows the order.
fn unordered(parts: Vec<Effects>, span: Span, findings: &mut Findings) -> Effects {
    for (index, a) in parts.iter().enumerate() {
        for b in &parts[index + 1..] {
            if a.is_pure() && b.is_pure() {
                continue;
            }
            let undefined =
                overlap(&a.writes, &b.reads) || overlap(&a.writes, &b.writes) || overlap(&b.writes, &a.reads);
            if undefined {
                findings.undefined.get_or_insert(span);
            } else if a.is_changed_by(&b.calls)
                || b.is_changed_by(&a.calls)
                || a.changes(&b.calls)
                || b.changes(&a.calls)
            {
                findings.open.push(span);
            }
        }
    }
    let mut all = Effects::default();
    parts.into_iter().for_each(|part| all.add(part));
    all
}

fn is_atomic_operation(name: &str) -> bool {
    ["__sync_", "__atomic_", "__c11_atomic_", "atomic_"].iter().any(|prefix| name.starts_with(prefix))
        && !name.contains("fence")
        && !name.contains("synchronize")
}

/// Looks for anything that is not just a value: assignments, `++`, `--`, calls, statements.
struct EffectFinder(bool);

impl<'ast> Visit<'ast> for EffectFinder {
    fn visit_call_expression(&mut self, _: &'ast ast::CallExpression, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_statement(&mut self, _: &'ast ast::Statement, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast ast::UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        self.0 |= matches!(
            unary.operator.node,
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement
        );
        visit::visit_unary_operator_expression(self, unary, span);
    }

    fn visit_binary_operator_expression(
        &mut self,
        binary: &'ast ast::BinaryOperatorExpression,
        span: &'ast Span,
    ) {
        self.0 |= is_assignment(&binary.operator.node);
        visit::visit_binary_operator_expression(self, binary, span);
    }
}

fn is_assignment(operator: &B) -> bool {
    matches!(
        operator,
        B::Assign
            | B::AssignMultiply
            | B::AssignDivide
            | B::AssignModulo
            | B::AssignPlus
            | B::AssignMinus
            | B::AssignShiftLeft
            | B::AssignShiftRight
            | B::AssignBitwiseAnd
            | B::AssignBitwiseXor
            | B::AssignBitwiseOr
    )
}

/// Whether evaluating the expression does more than yield a value.
pub(crate) fn has_effects(expression: &Node<Expression>) -> bool {
    let mut finder = EffectFinder(false);
    finder.visit_expression(&expression.node, &expression.span);
    finder.0
}

/// The same for an initialiser.
pub(crate) fn initializer_has_effects(initializer: &Node<Initializer>) -> bool {
    let mut finder = EffectFinder(false);
    finder.visit_initializer(&initializer.node, &initializer.span);
    finder.0
}

/// Finds what the text of a function touches. Names are looked up among the globals: a local of the same name counts as the global.
struct Finder<'l, 'a> {
    lowerer: &'l Lowerer<'a>,
    summary: Summary,
    arrays: FxHashSet<String>,
    statics: FxHashSet<String>,
}

impl<'l, 'a> Finder<'l, 'a> {
    fn new(lowerer: &'l Lowerer<'a>) -> Finder<'l, 'a> {
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
    fn is_array(&self, expression: &Expression) -> bool {
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

    fn visit_gnu_extended_asm_statement(
        &mut self,
        asm: &'ast ast::GnuExtendedAsmStatement,
        span: &'ast Span,
    ) {
        asm.outputs.iter().for_each(|output| self.write(&output.node.variable_name.node));
        let is_memory = |clobber: &Node<ast::StringLiteral>| {
            super::literal::string_bytes(&clobber.node).starts_with(b"memory")
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

#[cfg(test)]
mod tests {
    use crate::lower::testing::outcome;
    use crate::program::PropertyKind::Limit;

    const FUNCTIONS: &str = "int g, h, a[4]; struct { int x, y; } s; int *p = &g; \
        int pure(int n) { return n + 1; } int reads(void) { return g; } int writes(void) { return ++g; } \
        int counts(void) { static int n; return ++n; } int through(int *q) { return (*q)++; } \
        int calls(void) { return writes(); } int own(void) { int b[2]; b[0] = 1; return b[0]; } extern int undefined(int);";

    fn of(expression: &str) -> (bool, bool) {
        let text = format!(
            "{FUNCTIONS} int main(void) {{ int i = 0, j = 0, c = 0; {expression}; return i + j + c; }}"
        );
        let outcome = outcome(&text);
        (outcome.notes_with("from left to right") > 0, outcome.has(Limit))
    }

    #[test]
    fn order_that_may_show_is_remarked() {
        for expression in [
            "g + writes()",
            "writes() + g",
            "writes() + writes()",
            "i = reads() - calls()",
            "counts() - counts()",
            "undefined(writes()) + h * reads()",
            "through(&i) + through(&j)",
            "a[g] = writes()",
            "undefined(g) + *p + through(&h)",
            "i = (g++) + reads()",
            "__sync_fetch_and_add(&g, 1) + g",
        ] {
            assert_eq!(of(expression), (true, false), "{expression}");
        }
    }

    #[test]
    fn order_that_cannot_show_is_not() {
        for expression in [
            "g + h",
            "i = pure(g) + pure(h)",
            "writes() && reads()",
            "i = writes()",
            "g = writes()",
            "h + writes()",
            "i = own() + own() + g",
            "i = undefined(g) + g",
            "i = j++ + c++",
            "a[i++] = j++",
            "i = (j = 1, j + 1)",
            "i = i + 1",
            "i += i",
            "j = i++ ? i : 0",
            "s.x = s.y++",
            "g = g + reads()",
            "i = c ? writes() : reads()",
        ] {
            assert_eq!(of(expression), (false, false), "{expression}");
        }
    }

    #[test]
    fn unordered_effects_on_one_variable_are_refused() {
        for expression in [
            "i = i++",
            "i = ++i + 1",
            "i++ + i++",
            "i + i++",
            "a[i] = i++",
            "j = (i = 1) + (i = 2)",
            "undefined(i) + pure(i++) * i",
            "s.x = s.x++",
            "g = g++ + 1",
        ] {
            assert!(of(expression).1, "{expression}");
        }
    }
}
