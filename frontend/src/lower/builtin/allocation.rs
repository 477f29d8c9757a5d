//! `malloc` and its family. Allocation never fails, except where the size overflows: an assumption, which is said.

use crate::lower::context::{Entity, Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Value};
use crate::lower::graph::{Op, Origin, Storage};
use crate::models::library::plain_name;
use crate::program::Assumption;
use crate::types::Type;
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

/// How a function allocates.
struct Family {
    /// Which arguments are multiplied to make the size.
    sizes: &'static [usize],
    zeroed: bool,
}

const fn family(sizes: &'static [usize], zeroed: bool) -> Family {
    Family { sizes, zeroed }
}

fn classify(name: &str) -> Option<Family> {
    Some(match name {
        "malloc"
        | "alloca"
        | "alloca_with_align"
        | "alloca_with_align_and_max"
        | "valloc"
        | "pvalloc"
        | "kmalloc"
        | "vmalloc"
        | "__monabs_alloc" => family(&[0], false),
        "kzalloc" | "vzalloc" | "__monabs_try_alloc" => family(&[0], true),
        "calloc" | "kcalloc" => family(&[0, 1], true),
        "aligned_alloc" | "memalign" => family(&[1], false),
        _ => return None,
    })
}

impl<'a> Lowerer<'a> {
    /// `malloc` and relatives; `hint` is what the result will point to.
    pub(crate) fn allocation(
        &mut self,
        call: &'a Node<ast::CallExpression>,
        hint: Option<&Type>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let Expression::Identifier(written) = &call.node.callee.node else { return Ok(None) };
        let written = written.node.name.as_str();
        let name = plain_name(written);
        let is_own = self.has_own_definition(written) || self.has_own_definition(name);
        if is_own || !matches!(self.lookup(written), None | Some(Entity::Function(_))) {
            return Ok(None);
        }
        match name {
            "free" | "cfree" | "kfree" | "vfree" | "kvfree" => {
                return self.release(call, span).map(|()| Some(Operand::Void));
            }
            "realloc" => return self.reallocation(call, hint, span).map(Some),
            _ => {}
        }
        let Some(family) = classify(name) else { return Ok(None) };
        let mut values = Vec::new();
        for argument in &call.node.arguments {
            values.push(self.rvalue(argument)?);
        }
        let mut sizes = Vec::new();
        for index in family.sizes {
            match values.get(*index) {
                Some(value) => sizes.push(self.byte_count(value)),
                None => return wrong(span, format!("'{name}' needs a size")),
            }
        }
        if name.starts_with("alloca")
            && let [size] = sizes.as_slice()
            && let Some(address) = self.local_allocation(*size, hint, span)
        {
            return Ok(Some(Operand::Scalar(Value::new(address, Type::Void.pointer()))));
        }
        self.note_allocation(name, span);
        let origin = match name {
            "__monabs_try_alloc" => Origin::Record,
            _ if name.starts_with("alloca") => Origin::Stack,
            _ => Origin::Heap,
        };
        let term = self.allocate(&sizes, hint, family.zeroed, origin, span);
        Ok(Some(Operand::Scalar(Value::new(term, Type::Void.pointer()))))
    }

    /// What is assumed about allocations, once.
    fn note_allocation(&mut self, name: &str, span: Span) {
        if name.starts_with("__monabs_") {
            return;
        }
        self.assuming(Assumption::AllocationSucceeds, span.start, "allocation is assumed never to fail");
        if name.starts_with("alloca") {
            self.assuming(
                Assumption::Other,
                span.start,
                "memory of alloca is assumed not to be used after its function has returned",
            );
        }
    }

    /// `alloca` where control comes once in each call of the function: one more variable of the function, which lives until it returns.
    fn local_allocation(&mut self, size: Term, hint: Option<&Type>, span: Span) -> Option<Term> {
        let bytes = size.as_bits().and_then(|bits| bits.to_u128()).and_then(|n| u64::try_from(n).ok());
        if bytes == Some(0) || self.builder.as_ref().is_none_or(|b| !b.repeated.is_once(span.start)) {
            return None;
        }
        let unit = hint.filter(|ty| self.is_complete(ty)).cloned().unwrap_or(crate::types::CHAR);
        let ty = self.code.sized(&unit, bytes);
        let name = format!("{}::$alloca", self.function_name());
        let object = self.new_object(&name, ty, Storage::Automatic, span.start);
        if let Some(builder) = &mut self.builder {
            builder.blocks.outlive_all(object);
        }
        let outer = self.set_span(span);
        if bytes.is_none() {
            self.emit(Op::Measure(object, size));
        }
        self.emit(Op::Forget(object));
        self.set_span(outer);
        Some(self.object_address(object))
    }

    /// A number of bytes, as wide as an address.
    pub(super) fn byte_count(&self, value: &Value) -> Term {
        let (bits, width) = (self.as_bits(value), self.pointer_width());
        if self.types.signed(&value.ty) { bits.resize_signed(width) } else { bits.resize_unsigned(width) }
    }

    /// The address of a new object of the product of the sizes; null if the product is no size.
    fn allocate(
        &mut self,
        sizes: &[Term],
        hint: Option<&Type>,
        zeroed: bool,
        origin: Origin,
        span: Span,
    ) -> Term {
        let width = self.pointer_width();
        let wide = sizes
            .iter()
            .fold(Term::bv(2 * width, 1), |product, size| product.bv_mul(size.resize_unsigned(2 * width)));
        let size = wide.extract(width - 1, 0);
        let overflow = wide.extract(2 * width - 1, width).distinct(Term::bv(width, 0));
        let register = self.temporary(&Type::Void.pointer());
        let hint = hint.filter(|ty| self.is_complete(ty)).cloned();
        let outer = self.set_span(span);
        let (fits, end) = (self.node(), self.node());
        if sizes.len() > 1 && !overflow.is_false() {
            let fails = self.node();
            self.emit_branch(Op::Assume(overflow), fails);
            self.emit_branch(Op::Assume(overflow.not()), fits);
            self.continue_at(fails);
            self.set(register, Term::bv(width, 0));
            self.emit_branch(Op::Skip, end);
        } else {
            self.emit_branch(Op::Skip, fits);
        }
        self.continue_at(fits);
        self.emit(Op::Allocate { register, ty: hint, size, zeroed, origin });
        self.join(end);
        self.set_span(outer);
        self.register_term(register)
    }

    fn release(&mut self, call: &'a Node<ast::CallExpression>, span: Span) -> Lowered<()> {
        let Some((pointer, rest)) = call.node.arguments.split_first() else {
            return wrong(span, "a pointer is needed here");
        };
        let pointer = self.rvalue(pointer)?;
        let pointer = self.convert(&pointer, &Type::Void.pointer(), span)?;
        rest.iter().try_for_each(|argument| self.effect(argument))?;
        let outer = self.set_span(span);
        self.emit(Op::Free(pointer.term));
        self.set_span(outer);
        Ok(())
    }

    /// `realloc`: a new object, with as many bytes of the old one as both have; the old one is freed. That it may stay where it is
    /// makes no difference to programs that do not look at addresses that are gone.
    fn reallocation(
        &mut self,
        call: &'a Node<ast::CallExpression>,
        hint: Option<&Type>,
        span: Span,
    ) -> Lowered<Operand> {
        let [pointer, size] = call.node.arguments.as_slice() else {
            return wrong(span, "'realloc' needs a pointer and a size");
        };
        let pointer = self.rvalue(pointer)?;
        let pointer = self.convert(&pointer, &Type::Void.pointer(), span)?;
        let size = self.rvalue(size)?;
        let (size, zero) = (self.byte_count(&size), Term::bv(self.pointer_width(), 0));
        self.note_allocation("realloc", span);
        let null = pointer.term.equals(zero);
        self.limit_if(null.not().and(size.equals(zero)), span, "realloc to no bytes is not modelled");
        let new = self.allocate(&[size], hint, false, Origin::Heap, span);
        let (end, moved) = (self.node(), self.node());
        self.emit_branch(Op::Assume(null), end);
        self.emit_branch(Op::Assume(null.not()), moved);
        self.continue_at(moved);
        if !null.is_true() {
            let outer = self.set_span(span);
            let ty = self.size_value(0).ty;
            let old = self.temporary(&ty);
            self.emit(Op::ObjectSize(old, pointer.term));
            let old = self.register_term(old);
            let count = Value::new(old.ult(size).ite(old, size), ty);
            self.copy_old(new, &pointer, &count, size, hint, span)?;
            self.emit(Op::Free(pointer.term));
            self.set_span(outer);
        }
        self.join(end);
        Ok(Operand::Scalar(Value::new(new, Type::Void.pointer())))
    }

    /// Copies what the old object and the new one both have.
    fn copy_old(
        &mut self,
        new: Term,
        old: &Value,
        count: &Value,
        size: Term,
        hint: Option<&Type>,
        span: Span,
    ) -> Lowered<()> {
        let element =
            hint.filter(|ty| self.is_complete(ty)).or(old.ty.pointee()).cloned().unwrap_or(Type::Void);
        let place = |s: &Self, term: Term| s.pointed(&Value::new(term, element.clone().pointer()));
        let (to, from) = (place(self, new), place(self, old.term));
        if self.has_elements(&to, Some(&from), size) {
            let byte = self.size_value(0);
            return self.element_loop(&to, Some(&from), &byte, count.term, false, span);
        }
        let target = Value::new(new, Type::Void.pointer());
        self.call_model("__monabs_copy_bytes", vec![target, old.clone(), count.clone()], span)?;
        Ok(())
    }
}
