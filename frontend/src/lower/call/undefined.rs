//! Calls of functions that nobody defines.
//!
//! Functions of a library are in a table ([`crate::models::library`]). What is left is the user's: its text is elsewhere. It returns
//! any value of its type, but nothing says that reality has each of them, so that a run that depends on the value is not shown as
//! real; names with "nondet" and without arguments are the exception, since that is what they say. What else the function does is an assumption
//! that the verdict names, or a choice of the user (`--undefined`):
//!
//! | choice | the function changes |
//! |---|---|
//! | `pure` | nothing |
//! | `arguments` | the objects that its arguments point to, as a whole: any values, any number of times |
//! | `all` | these, and the global variables; it runs functions that it is given in threads, any number of times |
//! | `refuse` | the call is a limit |
//!
//! A function that is *given a function* may call it, at once or later, in a thread of its own; with callbacks that never run
//! nearly nothing of a driver would be looked at. So this is a limit, unless `all` is chosen. It counts as given if the address of
//! a function is an argument, or if an argument is the address of a static object that holds addresses of functions from the
//! start: a table of operations, which has no other purpose. A pointer to an object whose type merely has room for such an address is
//! no limit: in kernels nearly every object is of that kind. There the assumption says that nothing is called.

use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::{Argument, Callee, FunctionId, ObjectId, Op, Storage};
use crate::lower::options::Undefined;
use crate::models::library::{Treatment, treatment};
use crate::program::Assumption;
use crate::types::{INT, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};
use smt::Term;

impl<'a> Lowerer<'a> {
    pub(crate) fn call_undefined(
        &mut self,
        id: FunctionId,
        ty: &Type,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Operand> {
        let arguments = self.arguments(ty, &call.node.arguments, call.span)?;
        for argument in &arguments {
            if let Argument::Scalar(term, ty) = argument {
                self.spend_list(*term, ty);
            }
        }
        let name = self.functions[id.index()].name.as_str();
        let Type::Function(function) = ty else { return wrong(span, "this is not a function") };
        if name.contains("nondet") && arguments.is_empty() {
            return self.any_result(name, &function.result, None, span);
        }
        match treatment(name) {
            Some(Treatment::Any) => return self.any_result(name, &function.result, None, span),
            Some(Treatment::Guess) => {
                let reason = format!("the value of '{name}'");
                let error = self.guess(&INT, "whether a library function sets errno");
                self.call_model("__monabs_set_errno", vec![Value::new(error, INT)], span)?;
                return self.any_result(name, &function.result, Some(&reason), span);
            }
            Some(Treatment::Limit(reason)) => {
                return unsupported(span, format!("'{name}' is not modelled: {reason}"));
            }
            None => {}
        }
        let choice = self.options.undefined;
        if choice == Undefined::Refuse {
            return unsupported(span, format!("'{name}' is not defined"));
        }
        self.callbacks(name, &arguments, span)?;
        let changes = match choice {
            Undefined::Pure | Undefined::Refuse => "to change nothing else",
            Undefined::Arguments => "to change only what its arguments point to",
            Undefined::All => "to change only what its arguments point to and global variables",
        };
        let assumption = format!("'{name}' is not defined: it is assumed to return any value and {changes}");
        self.assuming(Assumption::UndefinedFunction, span.start, assumption);
        if choice != Undefined::Pure {
            self.changes(choice, &arguments, span);
        }
        let reason = format!("'{name}' is not defined, so that its value is any");
        self.any_result(name, &function.result, Some(&reason), span)
    }

    /// Any value of the type; with a reason, reality may not have each of them.
    fn any_result(&mut self, name: &str, ty: &Type, doubt: Option<&str>, span: Span) -> Lowered<Operand> {
        match ty.unatomic() {
            Type::Void => Ok(Operand::Void),
            Type::Record(_) => {
                let object = self.temporary_object(ty, span);
                if let Some(reason) = doubt {
                    self.approximate(reason);
                }
                self.emit(Op::Forget(object));
                Ok(Operand::Aggregate(Place::object(object, ty.clone())))
            }
            scalar => {
                let scalar = scalar.clone();
                let term = match doubt {
                    Some(reason) => self.guess(&scalar, reason),
                    // Functions of our own are no names for the user.
                    None if name.starts_with("__monabs_") || name.starts_with(crate::entry::CHOICE) => {
                        self.any(&scalar)
                    }
                    None => self.result_of(name, &scalar),
                };
                Ok(Operand::Scalar(Value::new(term, scalar)))
            }
        }
    }

    // Callbacks

    /// What happens with functions that are given to the function.
    fn callbacks(&mut self, name: &str, arguments: &[Argument], span: Span) -> Lowered<()> {
        for argument in arguments {
            let (given, pointer) = match argument {
                Argument::Aggregate(_, ty) => (self.has_function_pointer(ty), None),
                Argument::Scalar(term, ty) if self.is_null_term(*term) => {
                    let _ = ty;
                    (false, None)
                }
                Argument::Scalar(term, ty) => match ty.pointee() {
                    Some(function @ Type::Function(_)) => (true, Some((*term, function.clone()))),
                    _ => (self.gives_function(*term), self.function_of(*term)),
                },
            };
            if !given {
                continue;
            }
            match pointer {
                Some((term, ty)) if self.options.undefined == Undefined::All => {
                    self.run_callback(term, &ty, span)?;
                }
                _ => {
                    return unsupported(
                        span,
                        format!(
                            "'{name}' is not defined and is given a function, which it may call at any time; define it, or choose --undefined all for functions that are given directly"
                        ),
                    );
                }
            }
        }
        Ok(())
    }

    fn is_null_term(&self, term: Term) -> bool {
        term.as_bits().is_some_and(|bits| bits.is_zero())
    }

    /// Whether a value is made of the address of a function, or of that of a static object which holds one from the start.
    fn gives_function(&self, term: Term) -> bool {
        let is_code = |object: ObjectId| matches!(self.objects[object.index()].storage, Storage::Code(_));
        let mentioned = self.objects_in(term);
        mentioned.into_iter().any(|object| {
            let about = &self.objects[object.index()];
            let held = about.init.iter().flatten().map(|value| value.value).chain(about.everywhere);
            is_code(object) || held.into_iter().any(|held| self.objects_in(held).into_iter().any(is_code))
        })
    }

    /// The function whose address the value is.
    fn function_of(&self, term: Term) -> Option<(Term, Type)> {
        self.objects_in(term).into_iter().find_map(|object| {
            let about = &self.objects[object.index()];
            let is_code = matches!(about.storage, Storage::Code(_));
            (is_code && self.object_address(object) == term).then(|| (term, about.ty.clone()))
        })
    }

    /// The objects whose addresses occur in a term.
    fn objects_in(&self, term: Term) -> Vec<ObjectId> {
        let constants = term.constants();
        let names: Vec<_> = constants.iter().filter_map(|constant| constant.as_constant()).collect();
        if !names.iter().any(|name| name.as_str().starts_with('&')) {
            return Vec::new();
        }
        let all = (0..self.objects.len() as u32).map(ObjectId);
        all.filter(|id| names.contains(&crate::lower::graph::address_name(self.objects[id.index()].name)))
            .collect()
    }

    fn has_function_pointer(&self, ty: &Type) -> bool {
        let is_function = |ty: &Type| matches!(ty.pointee(), Some(Type::Function(_)));
        self.types.leaves(ty).iter().any(|leaf| is_function(&leaf.ty))
    }

    /// Any number of threads run the function, with any arguments.
    fn run_callback(&mut self, term: Term, ty: &Type, span: Span) -> Lowered<()> {
        let Type::Function(function) = ty else { return Ok(()) };
        let (start, again, end) = (self.node(), self.node(), self.node());
        let outer = self.set_span(span);
        self.join(start);
        self.emit_branch(Op::Skip, end);
        self.emit_branch(Op::Skip, again);
        self.continue_at(again);
        self.approximate("a function that another one was given runs with any arguments");
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            let value = self.any(parameter);
            arguments.push(Argument::Scalar(value, parameter.clone()));
        }
        let identity = self.identity_of_new_thread(span)?;
        self.emit(Op::Spawn(Callee::Indirect(term, ty.clone()), arguments, identity));
        self.emit_jump(Op::Skip, start);
        self.set_span(outer);
        self.continue_at(end);
        Ok(())
    }

    // Changes

    /// Any number of times, what the choice says gets any value.
    fn changes(&mut self, choice: Undefined, arguments: &[Argument], span: Span) {
        let mut pointers = Vec::new();
        for argument in arguments {
            if let Argument::Scalar(term, ty) = argument
                && !self.is_null_term(*term)
                && let Some(pointee) = ty.pointee()
                && !matches!(pointee, Type::Function(_))
            {
                pointers.push(*term);
            }
        }
        let objects = if choice == Undefined::All { self.globals() } else { Vec::new() };
        if pointers.is_empty() && objects.is_empty() {
            return;
        }
        let (start, again, end) = (self.node(), self.node(), self.node());
        let outer = self.set_span(span);
        self.join(start);
        self.emit_branch(Op::Skip, end);
        self.emit_branch(Op::Skip, again);
        self.continue_at(again);
        self.approximate("an undefined function may change this");
        for pointer in pointers {
            self.either(|s| s.emit(Op::ForgetPointed(pointer)));
        }
        for object in objects {
            self.either(|s| s.emit(Op::Forget(object)));
        }
        self.emit_jump(Op::Skip, start);
        self.set_span(outer);
        self.continue_at(end);
    }

    /// Does something, or not.
    fn either(&mut self, job: impl FnOnce(&mut Self)) {
        let end = self.node();
        self.emit_branch(Op::Skip, end);
        job(self);
        self.join(end);
    }

    /// The user's variables at file scope, but for those of types that the models define.
    fn globals(&self) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = self.scopes[0]
            .names
            .values()
            .filter_map(|entity| if let Entity::Object(object) = entity { Some(*object) } else { None })
            .collect();
        objects.sort_unstable();
        objects.retain(|object| {
            let about = &self.objects[object.index()];
            let is_model = matches!(about.ty, Type::Record(id) if self.models.own(id));
            about.storage == Storage::Static && !is_model && !self.is_model(about.offset)
        });
        objects
    }
}

#[cfg(test)]
mod tests;
