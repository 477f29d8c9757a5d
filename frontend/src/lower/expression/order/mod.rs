//! Where the order of evaluation shows (C11 6.5).
//!
//! C leaves open in which order operands and arguments are evaluated; we go from left to right. That is remarked where it may
//! matter: one operand calls a function that writes what another one reads or writes. Side effects of operators on the same
//! variable, with nothing that orders them, are undefined behaviour and a limit.
//!
//! The analysis knows variables by their names, and of functions which globals they and those that they call name; what they access
//! through pointers may be any memory. Functions without a definition change nothing, as everywhere else.

mod effects;
mod functions;
mod syntax;

pub(crate) use functions::Summaries;
pub(crate) use syntax::{has_effects, initializer_has_effects};

use super::Family;
use crate::lower::context::{Entity, Lowerer};
use crate::program::Assumption;
use crate::types::Type;
use effects::{Effects, Findings, Summary, Variable, overlap, unordered};
use functions::Finder;
use lang_c::ast::{self, BinaryOperator as B, Expression, Initializer, UnaryOperator as U};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use syntax::is_atomic_operation;

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
            Expression::UnaryOperator(unary) => self.unary_effects(unary, findings),
            Expression::BinaryOperator(binary) => self.binary_effects(binary, findings),
            Expression::Call(call) => self.call_effects(call, findings),
            Expression::Cast(cast) => self.effects(&cast.node.expression, findings),
            Expression::Conditional(conditional) => {
                let parts = &conditional.node;
                let mut effects = self.effects(&parts.condition, findings);
                effects.then(self.effects(&parts.then_expression, findings));
                effects.add(self.effects(&parts.else_expression, findings));
                effects
            }
            Expression::Comma(parts) => {
                let mut effects = Effects::default();
                parts.iter().for_each(|part| effects.then(self.effects(part, findings)));
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
            Expression::VaArg(argument) => {
                let list = &argument.node.va_list;
                let mut effects = self.effects(list, findings);
                self.written(list, &mut effects, span, findings);
                effects
            }
            Expression::Constant(_)
            | Expression::StringLiteral(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => Effects::default(),
        }
    }

    fn unary_effects(
        &mut self,
        unary: &'a Node<ast::UnaryOperatorExpression>,
        findings: &mut Findings,
    ) -> Effects {
        let operand = &unary.node.operand;
        match unary.node.operator.node {
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                let mut effects = self.effects(operand, findings);
                self.written(operand, &mut effects, unary.span, findings);
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
            // An array is an address here, unless it is a list of arguments.
            let ty = self.type_of(expression).unwrap_or_default();
            if matches!(ty.unatomic(), Type::Array(..)) && !self.is_list(&ty) {
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
        if overlap(&written, &effects.pending) {
            findings.undefined.get_or_insert(span);
        }
        effects.writes.extend(written.iter().cloned());
        effects.pending.extend(written);
    }

    fn binary_effects(
        &mut self,
        binary: &'a Node<ast::BinaryOperatorExpression>,
        findings: &mut Findings,
    ) -> Effects {
        let (left, right, span) = (&binary.node.lhs, &binary.node.rhs, binary.span);
        match Family::of(&binary.node.operator.node) {
            Family::Logical => {
                let mut effects = self.effects(left, findings);
                effects.then(self.effects(right, findings));
                effects
            }
            Family::Assignment => {
                // `=` does not read what it writes.
                let is_plain = binary.node.operator.node == B::Assign;
                let target = if is_plain {
                    self.address_effects(left, findings)
                } else {
                    self.effects(left, findings)
                };
                let value = self.effects(right, findings);
                let mut effects = unordered(vec![target, value], span, findings);
                self.written(left, &mut effects, span, findings);
                effects
            }
            Family::Index => {
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
            Family::Comparison
            | Family::Shift
            | Family::Additive
            | Family::Multiplicative
            | Family::Bitwise => {
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
        // Arguments are done with before the function begins.
        effects.pending.clear();
        let summary = self.with_calls(summary);
        effects.calls.add(&summary);
        effects
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
            "i = (i++, i + 1)",
            "i = pure(i++)",
            "i = (i++ && j++)",
            "i = i++ ? 1 : 2",
            "i += (j = 3, i)",
            "i = (i++, c) ? 1 : j++",
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
            "i = (j, i++)",
            "i = c && i++ ? i++ : 2",
            "i = c ? i++ : 2",
            "i + pure(i++)",
            "i = (i++, i) + i",
            "i = c + (c && (i = 2))",
        ] {
            assert!(of(expression).1, "{expression}");
        }
    }
}
