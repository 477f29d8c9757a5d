//! Calls: arguments are converted, then the function, a built-in meaning, or "any value" for what nobody defines.

use super::context::{Entity, Lowered, Lowerer, wrong};
use super::expression::{Operand, Place, PlaceKind, Value};
use super::graph::{Argument, CallResult, Callee, FunctionId, Op, Storage};
use crate::program::Effect;
use crate::types::{FunctionType, INT, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// Functions without a definition that change nothing the program can see: no remark is due.
const HARMLESS: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "putchar",
    "putc",
    "fputs",
    "fputc",
    "fflush",
    "perror",
    "sleep",
    "usleep",
    "__builtin_printf",
    "__builtin_puts",
    "__builtin_putchar",
    "fclose",
    "fopen",
    "close",
    "open",
    "write",
    "fwrite",
    "syslog",
    "snprintf",
    "sprintf",
    "vsnprintf",
    "__sprintf_chk",
    "__snprintf_chk",
    "__printf_chk",
    "__fprintf_chk",
    "getenv",
    "time",
    "clock",
    "printk",
];

impl<'a> Lowerer<'a> {
    pub(crate) fn call(&mut self, call: &'a Node<ast::CallExpression>, span: Span) -> Lowered<Operand> {
        if let Some(name) = self.called_name(call) {
            if let Some(result) = self.builtin(name, call, span)? {
                return Ok(result);
            }
            if let Some(Entity::Function(id)) = self.lookup(name).cloned() {
                return self.call_function(id, call, span);
            }
            if self.lookup(name).is_none() {
                let ty = Type::Function(Rc::new(FunctionType {
                    result: INT,
                    parameters: Vec::new(),
                    variadic: true,
                }));
                let id = self.declare_function(name, ty, span)?;
                return self.call_function(id, call, span);
            }
        }
        let callee = self.rvalue(&call.node.callee)?;
        let ty = match callee.ty.pointee() {
            Some(Type::Function(_)) => callee.ty.pointee().cloned().unwrap_or(Type::Void),
            _ => return wrong(span, "this is not a function"),
        };
        self.finish_call(Callee::Indirect(callee.term, ty.clone()), &ty, call, span)
    }

    /// The name that is called, if it is one that no variable hides.
    fn called_name(&self, call: &'a Node<ast::CallExpression>) -> Option<&'a str> {
        match &call.node.callee.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                None | Some(Entity::Function(_)) => Some(&name.node.name),
                Some(_) => None,
            },
            _ => None,
        }
    }

    fn call_function(
        &mut self,
        id: FunctionId,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let ty = self.functions[id.index()].ty.clone();
        self.used(self.functions[id.index()].object, span)?;
        self.require(id);
        if !self.is_defined(id) {
            let result = self.call_undefined(id, &ty, call, span)?;
            if self.noreturn.contains(&id) {
                self.emit(Op::Stop);
            }
            return Ok(result);
        }
        let atomic = self.functions[id.index()].atomic;
        if atomic {
            self.emit(Op::AtomicBegin);
        }
        let result = self.finish_call(Callee::Direct(id), &ty, call, span)?;
        if atomic {
            self.emit(Op::AtomicEnd);
        }
        if self.noreturn.contains(&id) && !self.functions[id.index()].model {
            let name = self.functions[id.index()].name;
            self.emit(Op::Limit(format!("'{name}' is declared not to return, and returns")));
        }
        Ok(result)
    }

    /// Whether the function has a text.
    pub(crate) fn is_defined(&self, id: FunctionId) -> bool {
        self.definitions.contains_key(&self.functions[id.index()].name)
    }

    fn call_undefined(
        &mut self,
        id: FunctionId,
        ty: &Type,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let arguments = self.arguments(ty, call)?;
        let name = self.functions[id.index()].name.as_str();
        let nondeterministic = name.contains("nondet") || HARMLESS.contains(&name);
        if !nondeterministic && arguments.iter().any(|a| matches!(a, Argument::Scalar(_, Type::Pointer(_)))) {
            let message = format!(
                "'{name}' is not defined: it is assumed to return any value and to change nothing else"
            );
            self.remark(Effect::Assumption, span.start, message);
        }
        let Type::Function(function) = ty else { return wrong(span, "this is not a function") };
        match &function.result {
            Type::Void => Ok(Operand::Void),
            Type::Record(_) => {
                let object = self.temporary_object(&function.result, span);
                self.emit(Op::Forget(object));
                Ok(Operand::Aggregate(Place::object(object, function.result.clone())))
            }
            result => {
                if result.is_pointer() && !nondeterministic {
                    let message = format!(
                        "'{name}' is not defined and returns a pointer: it can only point to what is known here"
                    );
                    self.remark(Effect::Assumption, span.start, message);
                }
                let term = self.any(result);
                Ok(Operand::Scalar(Value::new(term, result.unatomic().clone())))
            }
        }
    }

    pub(crate) fn temporary_object(&mut self, ty: &Type, span: Span) -> super::graph::ObjectId {
        let name = format!("{}::$struct", self.function_name());
        self.new_object(&name, ty.clone(), Storage::Automatic, span.start)
    }

    fn finish_call(
        &mut self,
        callee: Callee,
        ty: &Type,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let arguments = self.arguments(ty, call)?;
        let Type::Function(function) = ty else { return wrong(span, "this is not a function") };
        let outer = self.set_span(span);
        let result = match function.result.unatomic() {
            Type::Void => {
                self.emit(Op::Call(callee, arguments, CallResult::None));
                Operand::Void
            }
            Type::Record(_) => {
                let object = self.temporary_object(&function.result, span);
                self.emit(Op::Call(callee, arguments, CallResult::Aggregate(object)));
                Operand::Aggregate(Place::object(object, function.result.clone()))
            }
            scalar => {
                let register = self.temporary(scalar);
                self.emit(Op::Call(callee, arguments, CallResult::Scalar(register, scalar.clone())));
                Operand::Scalar(Value::new(self.register_term(register), scalar.clone()))
            }
        };
        self.set_span(outer);
        Ok(result)
    }

    /// Evaluates and converts arguments; too many are evaluated and dropped where the function takes any number.
    pub(crate) fn arguments(
        &mut self,
        ty: &Type,
        call: &'a Node<ast::CallExpression>,
    ) -> Lowered<Vec<Argument>> {
        let Type::Function(function) = ty else { return Ok(Vec::new()) };
        let given = &call.node.arguments;
        // Without a prototype, C leaves open what happens.
        if given.len() < function.parameters.len() && function.variadic {
            return super::context::unsupported(call.span, "a call with too few arguments is not modelled");
        }
        if given.len() < function.parameters.len() {
            return wrong(call.span, format!("{} arguments are needed here", function.parameters.len()));
        }
        if given.len() > function.parameters.len() && !function.variadic {
            return wrong(
                call.span,
                format!("only {} arguments are possible here", function.parameters.len()),
            );
        }
        let mut arguments = Vec::new();
        for (index, expression) in given.iter().enumerate() {
            let parameter = function.parameters.get(index);
            let operand = match parameter {
                Some(ty) => self.hinted(expression, ty)?,
                None => self.operand(expression)?,
            };
            arguments.push(match operand {
                Operand::Scalar(value) => {
                    let ty = match parameter {
                        Some(ty) => ty.unatomic().clone(),
                        None => self.types.promote(&value.ty, value.bits),
                    };
                    let value = self.convert(&value, &ty, expression.span)?;
                    Argument::Scalar(value.term, ty)
                }
                Operand::Aggregate(Place { kind: PlaceKind::Memory(address), ty, .. }) => {
                    Argument::Aggregate(address, ty)
                }
                _ => return wrong(expression.span, "a value is needed here, and this has none"),
            });
        }
        Ok(arguments)
    }
}
