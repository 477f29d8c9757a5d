//! Variable arguments of the program's own functions (C11 7.16).
//!
//! A function with `va_start` has an object for them, which calls fill as they fill parameters: a slot for each argument, with its kind beside its
//! value, and one that says that there are no more. A `va_list` holds the address of the next slot; `va_arg` looks at the kind there, so that a wrong
//! type and an argument too many are limits (both are undefined behaviour), and moves on. Pointers of different types pass for each other, and
//! so do integers of the same width where both have the value, as on every machine that gcc knows.
//!
//! Who passes a `va_list` on to a function must not read from it afterwards, if that function does (7.16p3): the function gets a copy, and if it
//! is not what it was afterwards, the caller's is spent. What a function of the library gets is spent in any case.

use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::{Address, Argument, ObjectId, Storage};
use crate::types::{Field, IntKind, RecordId, Shape, Type, Types};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;
use std::rc::Rc;

/// The types that variable arguments need, once somebody does.
#[derive(Default)]
pub(crate) struct VariableTypes {
    list: Option<RecordId>,
    slot: Option<RecordId>,
}

/// No more arguments.
pub(in crate::lower) const END: u64 = 0;
/// Numbers of kinds from here on are those of structs.
const FIRST_RECORD: u64 = 16;

/// What kind of argument a type is, as a number; 0 for what is none.
pub(in crate::lower) fn kind(types: &Types, ty: &Type) -> u64 {
    match ty.unatomic() {
        Type::Int(kind) => match (kind.width(types.model), kind.signed()) {
            (32, true) => 1,
            (32, false) => 2,
            (64, true) => 3,
            (64, false) => 4,
            (128, true) => 5,
            (128, false) => 6,
            _ => END,
        },
        Type::Float(8) => 7,
        Type::Float(16) => 8,
        Type::Pointer(_) => 9,
        Type::Record(id) => FIRST_RECORD + u64::from(id.0),
        _ => END,
    }
}

/// The same width with the other sign, or the same.
fn other_sign(kind: u64) -> u64 {
    if (1..=6).contains(&kind) { ((kind - 1) ^ 1) + 1 } else { kind }
}

/// The members of a slot: kind, bits of a number, pointer.
#[derive(Clone, Copy)]
pub(in crate::lower) enum Member {
    Kind,
    Bits,
    Pointer,
}

impl Member {
    pub(in crate::lower) fn ty(self) -> Type {
        match self {
            Member::Kind | Member::Bits => Type::Int(IntKind::ULongLong),
            Member::Pointer => Type::Void.pointer(),
        }
    }

    /// Bytes from the start of the slot.
    pub(in crate::lower) fn offset(self) -> u64 {
        match self {
            Member::Kind => 0,
            Member::Bits => 8,
            Member::Pointer => 16,
        }
    }
}

/// Bytes of a slot.
pub(in crate::lower) fn slot_size(types: &Types) -> u64 {
    Member::Pointer.offset() + u64::from(types.model.pointer_width() / 8)
}

fn member(name: &str, ty: Type) -> Field {
    Field { name: Some(name.to_owned()), ty, ..Field::default() }
}

/// A `va_list` that a call lends: where it is, what it was, and the copy.
pub(crate) struct Lent {
    original: Term,
    before: Term,
    copy: ObjectId,
}

impl<'a> Lowerer<'a> {
    /// `va_list`: an array of one struct, as large as gcc's.
    pub(crate) fn va_list_type(&mut self) -> Type {
        let id = match self.variable_types.list {
            Some(id) => id,
            None => {
                let id = self.types.declare("__va_list_tag".to_owned(), false);
                let mut fields = vec![member("next", Type::Void.pointer())];
                if self.pointer_width() == 64 {
                    let rest = Type::Array(Rc::new(Type::Int(IntKind::ULong)), Some(2));
                    fields.push(member("rest", rest));
                }
                self.types.complete(id, fields, Shape::default());
                self.variable_types.list = Some(id);
                id
            }
        };
        Type::Array(Rc::new(Type::Record(id)), Some(1))
    }

    fn slot_type(&mut self) -> Type {
        let id = match self.variable_types.slot {
            Some(id) => id,
            None => {
                let id = self.types.declare("__va_slot".to_owned(), false);
                let members = [("kind", Member::Kind), ("bits", Member::Bits), ("pointer", Member::Pointer)];
                let fields = members.map(|(name, part)| member(name, part.ty())).to_vec();
                self.types.complete(id, fields, Shape::default());
                self.variable_types.slot = Some(id);
                id
            }
        };
        Type::Record(id)
    }

    /// The object for the variable arguments of the function that is being translated; calls make it as large as it must be.
    pub(crate) fn variable_arguments(&mut self, span: Span) -> ObjectId {
        let ty = Type::Array(Rc::new(self.slot_type()), Some(1));
        let name = format!("{}::$arguments", self.function_name());
        self.new_object(&name, ty, Storage::Automatic, span.start)
    }

    /// Whether the type is what a `va_list` is as an argument.
    pub(crate) fn is_list(&self, ty: &Type) -> bool {
        matches!(ty.pointee().map(Type::unatomic), Some(Type::Record(id)) if self.variable_types.list == Some(*id))
    }

    /// The address of a `va_list` that an expression names.
    fn list(&mut self, expression: &'a Node<Expression>) -> Lowered<Term> {
        let value = self.rvalue(expression)?;
        if !self.is_list(&value.ty) {
            return wrong(expression.span, "a 'va_list' is needed here");
        }
        Ok(value.term)
    }

    fn next_of(&self, list: Term) -> Place {
        Place::memory(Address::pointer(list), Type::Void.pointer())
    }

    fn spent(&self) -> Term {
        Term::bv(self.pointer_width(), 0)
    }

    /// `va_start`, `va_copy` and `va_end`.
    pub(super) fn variable_builtin(
        &mut self,
        plain: &str,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Option<Operand>> {
        match (plain, arguments) {
            ("va_start", [list, ..]) => {
                let Some(object) = self.builder.as_ref().and_then(|b| b.variable) else {
                    return wrong(span, "'va_start' in a function without variable arguments");
                };
                let list = self.list(list)?;
                let place = self.next_of(list);
                let first = self.object_address(object);
                self.write(&place, first);
            }
            ("va_copy", [to, from]) => {
                let (to, from) = (self.list(to)?, self.list(from)?);
                let next = self.read(&self.next_of(from));
                let place = self.next_of(to);
                self.write(&place, next.term);
            }
            ("va_end", [list]) => {
                let list = self.list(list)?;
                let (place, spent) = (self.next_of(list), self.spent());
                self.write(&place, spent);
            }
            _ => return Ok(None),
        }
        Ok(Some(Operand::Void))
    }

    /// `va_arg`.
    pub(crate) fn variable_argument(
        &mut self,
        argument: &'a ast::VaArgExpression,
        span: Span,
    ) -> Lowered<Operand> {
        let ty = self.type_name(&argument.type_name)?.unatomic().clone();
        let list = self.list(&argument.va_list)?;
        let expected = kind(&self.types, &ty);
        if expected == END {
            let message = format!(
                "undefined behaviour: no variable argument has the type '{}', since arguments are promoted",
                self.types.show(&ty)
            );
            return unsupported(span, message);
        }
        let place = self.next_of(list);
        let slot = self.read(&place).term;
        let is_spent = slot.equals(self.spent());
        self.limit_if(
            is_spent,
            span,
            "undefined behaviour: this 'va_list' has ended, or was given to a function that read from it",
        );
        let given = self.slot_member(slot, Member::Kind);
        let kind_is = |number: u64| given.equals(Term::bv(64, u128::from(number)));
        self.limit_if(kind_is(END), span, "undefined behaviour: there is no further variable argument");
        let message = "undefined behaviour: the variable argument has another type";
        self.limit_if(kind_is(expected).or(kind_is(other_sign(expected))).not(), span, message);
        let result = self.argument_value(slot, &ty, span)?;
        if let (Operand::Scalar(value), false) = (&result, other_sign(expected) == expected) {
            let width = value.term.width();
            let is_large = value.term.extract(width - 1, width - 1).equals(Term::bv(1, 1));
            let message = "undefined behaviour: the variable argument has a value that this type has not";
            self.limit_if(is_large.and(kind_is(expected).not()), span, message);
        }
        let size = Term::bv(self.pointer_width(), u128::from(slot_size(&self.types)));
        self.write(&place, slot.bv_add(size));
        Ok(result)
    }

    fn slot_member(&mut self, slot: Term, part: Member) -> Term {
        let offset = Term::bv(self.pointer_width(), u128::from(part.offset()));
        self.read(&Place::memory(Address::pointer(slot.bv_add(offset)), part.ty())).term
    }

    fn argument_value(&mut self, slot: Term, ty: &Type, span: Span) -> Lowered<Operand> {
        Ok(match ty {
            Type::Record(_) => {
                let address = self.slot_member(slot, Member::Pointer);
                Operand::Aggregate(Place::memory(Address::pointer(address), ty.clone()))
            }
            Type::Pointer(_) => {
                let pointer = Value::new(self.slot_member(slot, Member::Pointer), Type::Void.pointer());
                Operand::Scalar(self.convert(&pointer, ty, span)?)
            }
            Type::Float(16) => Operand::Scalar(self.unknown_float(ty.clone(), span)),
            _ if self.types.width(ty) > 64 => {
                return unsupported(span, "variable arguments of 128 bits are not modelled");
            }
            _ => {
                let bits = self.slot_member(slot, Member::Bits);
                Operand::Scalar(Value::new(bits.resize_unsigned(self.types.width(ty)), ty.clone()))
            }
        })
    }

    /// Functions get copies of each `va_list` among their arguments.
    pub(crate) fn lend_lists(&mut self, arguments: &mut [Argument], span: Span) -> Vec<Lent> {
        let mut lent = Vec::new();
        for argument in arguments {
            if let Argument::Scalar(term, ty) = argument
                && self.is_list(ty)
            {
                let list = self.va_list_type();
                let copy = self.temporary_object(&list, span);
                let before = self.read(&self.next_of(*term)).term;
                self.write(&Place::object(copy, Type::Void.pointer()), before);
                lent.push(Lent { original: *term, before, copy });
                *term = self.object_address(copy);
            }
        }
        lent
    }

    /// The call is over: what was read from is spent.
    pub(crate) fn take_back_lists(&mut self, lent: Vec<Lent>) {
        for Lent { original, before, copy } in lent {
            let after = self.read(&Place::object(copy, Type::Void.pointer())).term;
            let next = after.equals(before).ite(before, self.spent());
            let place = self.next_of(original);
            self.write(&place, next);
        }
    }

    /// A function of the library was called, or one that nobody defines: it has read from what it was given.
    pub(crate) fn spend_list(&mut self, given: Term, ty: &Type) {
        if self.is_list(ty) {
            let (place, spent) = (self.next_of(given), self.spent());
            self.write(&place, spent);
        }
    }
}
