//! Calls: arguments are converted; then the function, or a built-in meaning. What nobody defines is in `undefined`.

mod undefined;

use crate::lower::context::{Entity, Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Place, PlaceKind, Value};
use crate::lower::graph::{Argument, CallResult, Callee, FunctionId, Op, Stop, Storage};
use crate::program::Assumption;
use crate::types::{FunctionType, INT, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// Functions with models that never fail.
const NEVER_FAIL: [&str; 16] = [
    "pthread_create",
    "thrd_create",
    "pthread_mutex_init",
    "mtx_init",
    "pthread_cond_init",
    "cnd_init",
    "pthread_rwlock_init",
    "pthread_spin_init",
    "pthread_barrier_init",
    "sem_init",
    "pthread_key_create",
    "tss_create",
    "pthread_attr_init",
    "pthread_mutexattr_init",
    "pthread_condattr_init",
    "pthread_rwlockattr_init",
];

impl<'a> Lowerer<'a> {
    pub(crate) fn call(&mut self, call: &'a Node<ast::CallExpression>, span: Span) -> Lowered<Operand> {
        if let Some(name) = self.called_name(call) {
            if let Some(result) = self.builtin(name, call, span)? {
                return Ok(result);
            }
            if let Some(Entity::Function(id)) = self.lookup(name).cloned() {
                return self.call_function(self.meant(name).unwrap_or(id), call, span);
            }
            if let Some(id) = self.meant(name) {
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
            if self.marks.is_noreturn(id) {
                self.emit(Op::Stop(Stop::Stays));
            }
            return Ok(result);
        }
        if self.functions[id.index()].model {
            self.note_success(id, span);
        }
        let result = self.finish_call(Callee::Direct(id), &ty, call, span)?;
        if self.marks.is_noreturn(id) && !self.functions[id.index()].model {
            let name = self.shown_name(id);
            self.emit(Op::Limit(format!("'{name}' is declared not to return, and returns")));
        }
        Ok(result)
    }

    /// What is assumed about a library function that may fail in reality, for want of something, and does not here: where the program looks at the result.
    fn note_success(&mut self, id: FunctionId, span: Span) {
        let name = self.functions[id.index()].name;
        if NEVER_FAIL.contains(&name.as_str())
            && self.unused_result != Some(span)
            && !self.is_model(span.start)
        {
            let message = format!("{name} is assumed never to fail");
            self.assuming(Assumption::Other, span.start, message);
        }
    }

    /// Whether the function has a text.
    pub(crate) fn is_defined(&self, id: FunctionId) -> bool {
        self.definitions.contains_key(&self.functions[id.index()].name)
    }

    pub(crate) fn temporary_object(&mut self, ty: &Type, span: Span) -> crate::lower::graph::ObjectId {
        let name = format!("{}::$struct", self.function_name());
        let object = self.new_object(&name, ty.clone(), Storage::Automatic, span.start);
        self.emit(Op::Forget(object));
        self.is_temporary(object);
        object
    }

    fn finish_call(
        &mut self,
        callee: Callee,
        ty: &Type,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let Type::Function(function) = ty else { return wrong(span, "this is not a function") };
        let mut given = call.node.arguments.as_slice();
        let mut checked: &[Node<Expression>] = &[];
        // The compiler's checked versions have the size of the target behind the arguments.
        if self.called_name(call).is_some_and(|name| name.ends_with("_chk")) && !function.variadic {
            (given, checked) = given.split_at(function.parameters.len().min(given.len()));
        }
        let mut arguments = self.arguments(ty, given, call.span)?;
        checked.iter().try_for_each(|argument| self.effect(argument))?;
        let outer = self.set_span(span);
        let lent = self.lend_lists(&mut arguments, span);
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
        self.take_back_lists(lent);
        self.set_span(outer);
        Ok(result)
    }

    /// A new union whose member of the value's type, or else the first that can take it, has the value.
    pub(crate) fn as_union(&mut self, value: &Value, ty: &Type, span: Span) -> Lowered<Operand> {
        let Type::Record(id) = *ty.unatomic() else { return wrong(span, "this is not a union") };
        let record = self.types.record(id);
        let members: Vec<Type> = record.fields.iter().map(|field| field.ty.clone()).collect();
        let fits = |member: &&Type| {
            member.is_pointer() && !value.ty.is_float() || member.is_arithmetic() && value.ty.is_arithmetic()
        };
        let member = members.iter().find(|member| **member == value.ty).or_else(|| members.iter().find(fits));
        let Some(member) = member.filter(|_| record.union).cloned() else {
            return crate::lower::context::unsupported(
                span,
                "this conversion to a struct or union is not modelled; assign its members",
            );
        };
        let object = self.temporary_object(ty, span);
        let value = self.convert(value, &member, span)?;
        self.write(&Place::object(object, member), value.term);
        Ok(Operand::Aggregate(Place::object(object, ty.clone())))
    }

    /// Evaluates and converts arguments; too many are evaluated and dropped where the function takes any number.
    pub(crate) fn arguments(
        &mut self,
        ty: &Type,
        given: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Vec<Argument>> {
        let Type::Function(function) = ty else { return Ok(Vec::new()) };
        // Without a prototype, C leaves open what happens.
        if given.len() < function.parameters.len() && function.variadic {
            return crate::lower::context::unsupported(span, "a call with too few arguments is not modelled");
        }
        if given.len() < function.parameters.len() {
            return wrong(span, format!("{} arguments are needed here", function.parameters.len()));
        }
        if given.len() > function.parameters.len() && !function.variadic {
            return wrong(span, format!("only {} arguments are possible here", function.parameters.len()));
        }
        let atomic = self.begin_arguments(given);
        let mut arguments = Vec::new();
        for (index, expression) in given.iter().enumerate() {
            let parameter = function.parameters.get(index);
            let operand = match parameter {
                Some(ty) => self.hinted(expression, ty)?,
                None => self.operand(expression)?,
            };
            let operand = match (operand, parameter) {
                (Operand::Scalar(value), Some(ty @ Type::Record(id))) if self.records.is_transparent(*id) => {
                    self.as_union(&value, ty, expression.span)?
                }
                (operand, _) => operand,
            };
            arguments.push(match operand {
                Operand::Scalar(value) => {
                    let ty = match parameter {
                        Some(ty) => ty.unatomic().clone(),
                        None => self.types.promote_argument(&value.ty, value.bits),
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
        self.end_statement(atomic);
        Ok(arguments)
    }
}
