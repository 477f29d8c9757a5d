//! `switch`: the body is translated first, which collects the cases; then control is led to them.

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::Value;
use crate::lower::graph::Op;
use crate::lower::statement::blocks::Target;
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

/// A `switch` whose body is being translated.
pub(crate) struct Switch {
    pub ty: Type,
    /// Values from, to, and where control goes.
    pub cases: Vec<(i128, i128, Target)>,
    pub default: Option<Target>,
}
impl<'a> Lowerer<'a> {
    pub(super) fn case(&mut self, low: i128, high: i128, span: Span) -> Lowered<()> {
        let target = self.case_target();
        let ty = self.builder.as_ref().and_then(|b| b.switches.last()).map(|switch| switch.ty.clone());
        let (width, signed) = ty.map_or((64, true), |ty| (self.types.width(&ty), self.types.signed(&ty)));
        let number = |value: i128| as_number(value, width, signed);
        let (first, last) = (number(low), number(high));
        match self.builder.as_mut().and_then(|b| b.switches.last_mut()) {
            Some(switch)
                if switch.cases.iter().any(|(a, b, _)| first <= number(*b) && number(*a) <= last)
                    && first <= last =>
            {
                wrong(span, format!("two labels for case {first}"))
            }
            Some(switch) => {
                switch.cases.push((low, high, target));
                Ok(())
            }
            None => wrong(span, "'case' outside of a switch"),
        }
    }

    /// The place of a case, which is here.
    pub(super) fn case_target(&mut self) -> Target {
        let node = self.node();
        self.join(node);
        self.target_at(node)
    }

    pub(super) fn switch(&mut self, switch: &'a ast::SwitchStatement) -> Lowered<()> {
        let outer = self.set_span(switch.expression.span);
        let atomic = self.begin_statement(&switch.expression);
        let value = self.switch_value(&switch.expression);
        self.end_statement(atomic);
        self.set_span(outer);
        let value = value?;
        let register = self.temporary(&value.ty);
        self.set(register, value.term);
        let (dispatch, body, end) = (self.node(), self.node(), self.node());
        self.join(dispatch);
        let end = self.target_at(end);
        if let Some(builder) = &mut self.builder {
            builder.switches.push(Switch { ty: value.ty.clone(), cases: Vec::new(), default: None });
            builder.breaks.push(end);
        }
        self.continue_at(body);
        let result = self.statement(&switch.statement);
        self.emit_branch(Op::Skip, end.node);
        let Some(builder) = &mut self.builder else { return result };
        builder.breaks.pop();
        let Some(cases) = builder.switches.pop() else { return result };
        self.continue_at(dispatch);
        self.dispatch(&cases, self.register_term(register), end);
        self.continue_at(end.node);
        result
    }

    /// What a `switch` looks at. If it is not modelled, control does not get into the body, which is translated all the same.
    fn switch_value(&mut self, expression: &'a Node<Expression>) -> Lowered<Value> {
        let mark = self.mark();
        let value = self.rvalue(expression).and_then(|value| self.promoted(&value, expression.span));
        match value {
            Ok(value) if value.ty.is_integer() => Ok(value),
            Ok(_) => wrong(expression.span, "a switch needs an integer"),
            Err(refusal) if !refusal.error => {
                self.refused(mark, &refusal);
                let ty = crate::types::INT;
                Ok(Value::new(self.any(&ty), ty))
            }
            Err(refusal) => Err(refusal),
        }
    }

    fn dispatch(&mut self, switch: &Switch, value: Term, end: Target) {
        let (width, signed) = (value.width(), self.types.signed(&switch.ty));
        let mut none = Term::tru();
        for (low, high, target) in &switch.cases {
            let (low, high) = (Term::bv_signed(width, *low), Term::bv_signed(width, *high));
            let matches = match (low == high, signed) {
                (true, _) => value.equals(low),
                (false, true) => low.sle(value).and(value.sle(high)),
                (false, false) => low.ule(value).and(value.ule(high)),
            };
            self.branch_into(Op::Assume(matches), end.block, *target);
            none = none.and(matches.not());
        }
        self.branch_into(Op::Assume(none), end.block, switch.default.unwrap_or(end));
    }
}

/// A number as a type has it.
fn as_number(value: i128, width: u32, signed: bool) -> i128 {
    let shift = 128 - width.clamp(1, 127);
    if signed { value << shift >> shift } else { ((value as u128) << shift >> shift) as i128 }
}
