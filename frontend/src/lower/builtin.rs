//! Functions with a meaning of their own: the verifiers' vocabulary, the models' vocabulary, allocation, memory
//! functions and compiler built-ins. A definition in the user's text wins, except for error functions.

use super::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use super::expression::{Operand, Place, PlaceKind, Value};
use super::graph::{Address, Argument, Callee, Op};
use crate::program::{Effect, PropertyKind};
use crate::types::{INT, IntKind, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

/// Calls of these are violations, whatever their definition says.
const ERROR_FUNCTIONS: &[&str] = &["__VERIFIER_error", "reach_error"];
/// What `assert` expands to in system headers.
const ASSERT_FAILURES: &[&str] =
    &["__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail", "_assert", "__assert_func"];
/// The run ends.
const EXITS: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "quick_exit",
    "__builtin_trap",
    "__builtin_unreachable",
    "__builtin_abort",
    "__builtin_exit",
    "__monabs_stop",
    "panic",
];
const INPUTS: &[&str] =
    &["scanf", "fscanf", "sscanf", "__isoc99_scanf", "__isoc99_fscanf", "__isoc99_sscanf"];

impl<'a> Lowerer<'a> {
    /// A call with a built-in meaning; none if it is an ordinary function.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        if ERROR_FUNCTIONS.contains(&name) {
            self.violation(PropertyKind::ErrorFunction, format!("{name}() is not called"), span);
            return Ok(Some(Operand::Void));
        }
        if self.has_own_definition(name) {
            return Ok(None);
        }
        let arguments = &call.node.arguments;
        if ASSERT_FAILURES.contains(&name) {
            let text = arguments.first().map_or("", |a| self.text(a.span)).trim_matches('"').to_owned();
            self.violation(PropertyKind::Assertion, format!("assertion {text}"), span);
            return Ok(Some(Operand::Void));
        }
        if EXITS.contains(&name) {
            arguments.iter().try_for_each(|a| self.effect(a))?;
            self.emit(Op::Stop);
            let nowhere = self.node();
            self.continue_at(nowhere);
            return Ok(Some(Operand::Void));
        }
        if let Some(result) = self.vocabulary(name, call, span)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.allocation(call, None, span)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.memory_function(name, call, span)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.compiler_builtin(name, call, span)? {
            return Ok(Some(result));
        }
        if INPUTS.contains(&name) {
            let skip = if name.ends_with("_scanf") || name == "scanf" { 1 } else { 2 };
            arguments.iter().take(skip).try_for_each(|a| self.effect(a))?;
            arguments.iter().skip(skip).try_for_each(|a| self.forget_target(a))?;
            return Ok(Some(Operand::Scalar(Value::new(self.any(&INT), INT))));
        }
        self.atomic(name, call, span)
    }

    /// Whether the program defines a function of this name itself.
    fn has_own_definition(&self, name: &str) -> bool {
        match self.lookup(name) {
            Some(Entity::Function(id)) => self.is_defined(*id),
            _ => false,
        }
    }

    /// Control must not get here.
    pub(crate) fn violation(&mut self, kind: PropertyKind, description: String, span: Span) {
        let outer = self.set_span(span);
        self.check(kind, Term::fls(), description);
        self.set_span(outer);
        let nowhere = self.node();
        self.continue_at(nowhere);
    }

    fn vocabulary(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let arguments = &call.node.arguments;
        let argument = |index: usize| match arguments.get(index) {
            Some(argument) => Ok(argument),
            None => wrong(span, format!("'{name}' needs more arguments")),
        };
        match name {
            "__VERIFIER_assume" | "__CPROVER_assume" | "__builtin_assume" => self.assume(argument(0)?)?,
            "__VERIFIER_assert" | "__CPROVER_assert" | "__monabs_assert" | "assert" => {
                let condition = argument(0)?;
                let text = match arguments.get(1).map(|a| &a.node) {
                    Some(Expression::StringLiteral(literal)) => {
                        String::from_utf8_lossy(&super::literal::string_bytes(&literal.node)).into_owned()
                    }
                    _ => self.source_text(condition.span),
                };
                self.assertion(condition, PropertyKind::Assertion, format!("assertion {text}"), span)?;
            }
            "__monabs_check" => {
                let kind = match self.string_argument(argument(0)?).as_deref() {
                    Some("mutex") => PropertyKind::Mutex,
                    Some("pointer") => PropertyKind::Pointer,
                    _ => PropertyKind::Assertion,
                };
                let text = self.string_argument(argument(2)?).unwrap_or_default();
                if self.options.checks(kind) {
                    self.assertion(argument(1)?, kind, text, span)?;
                } else {
                    self.effect(argument(1)?)?;
                }
            }
            "__CPROVER_atomic_begin" | "__VERIFIER_atomic_begin" => self.emit(Op::AtomicBegin),
            "__CPROVER_atomic_end" | "__VERIFIER_atomic_end" => self.emit(Op::AtomicEnd),
            "__monabs_approximate" => {
                let text = self.string_argument(argument(0)?).unwrap_or_default();
                self.approximate(&text);
            }
            "__monabs_limit" => {
                let text = self.string_argument(argument(0)?).unwrap_or_default();
                self.emit(Op::Limit(text));
                let nowhere = self.node();
                self.continue_at(nowhere);
            }
            "__monabs_spawn" => self.spawn(argument(0)?, argument(1)?, argument(2)?, span)?,
            "__CPROVER_passive" => return self.passive(argument(0)?).map(Some),
            "__CPROVER_predicate" => self.user_predicate(argument(0)?)?,
            "__CPROVER_parameter_predicates" | "__CPROVER_return_predicates" => {}
            _ => return Ok(None),
        }
        Ok(Some(Operand::Void))
    }

    /// The source as written, in one line.
    pub(crate) fn source_text(&self, span: Span) -> String {
        self.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn string_argument(&self, argument: &Node<Expression>) -> Option<String> {
        match &argument.node {
            Expression::StringLiteral(literal) => {
                Some(String::from_utf8_lossy(&super::literal::string_bytes(&literal.node)).into_owned())
            }
            _ => None,
        }
    }

    fn assume(&mut self, condition: &'a Node<Expression>) -> Lowered<()> {
        let (yes, no) = (self.node(), self.node());
        self.condition(condition, yes, no)?;
        self.continue_at(yes);
        Ok(())
    }

    fn assertion(
        &mut self,
        condition: &'a Node<Expression>,
        kind: PropertyKind,
        text: String,
        span: Span,
    ) -> Lowered<()> {
        let (yes, no) = (self.node(), self.node());
        self.condition(condition, yes, no)?;
        self.continue_at(no);
        self.violation(kind, text, span);
        self.continue_at(yes);
        Ok(())
    }

    fn spawn(
        &mut self,
        function: &'a Node<Expression>,
        argument: &'a Node<Expression>,
        record: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<()> {
        let function = self.rvalue(function)?;
        let Some(ty @ Type::Function(_)) = function.ty.pointee().cloned() else {
            return wrong(span, "a thread needs a function to run");
        };
        let argument = self.rvalue(argument)?;
        let record = self.rvalue(record)?;
        let callee = Callee::Indirect(function.term, ty);
        self.emit(Op::Spawn(callee, vec![Argument::Scalar(argument.term, argument.ty)], record.term));
        Ok(())
    }

    /// `malloc` and relatives; `hint` is what the result will point to.
    pub(crate) fn allocation(
        &mut self,
        call: &'a Node<ast::CallExpression>,
        hint: Option<&Type>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let Expression::Identifier(name) = &call.node.callee.node else { return Ok(None) };
        let name = name.node.name.as_str();
        let arguments = &call.node.arguments;
        let (sizes, zeroed): (&[usize], bool) = match name {
            "malloc" | "__builtin_malloc" | "alloca" | "__builtin_alloca" | "valloc"
            | "__monabs_try_alloc" => (&[0], name == "__monabs_try_alloc"),
            "kmalloc" | "vmalloc" => (&[0], false),
            "kzalloc" => (&[0], true),
            "calloc" | "__builtin_calloc" | "kcalloc" => (&[0, 1], true),
            "aligned_alloc" | "memalign" => (&[1], false),
            "free" | "__builtin_free" | "kfree" | "cfree" => {
                if self.has_own_definition(name) {
                    return Ok(None);
                }
                if let Some(pointer) = arguments.first() {
                    let pointer = self.rvalue(pointer)?;
                    self.emit(Op::Free(pointer.term));
                }
                return Ok(Some(Operand::Void));
            }
            "realloc" if !self.has_own_definition(name) => {
                return unsupported(span, "realloc is not modelled; allocate anew and copy");
            }
            "strdup" | "strndup" if !self.has_own_definition(name) => {
                return unsupported(span, "strdup is not modelled; allocate and copy in a loop");
            }
            _ => return Ok(None),
        };
        if self.has_own_definition(name) || !matches!(self.lookup(name), None | Some(Entity::Function(_))) {
            return Ok(None);
        }
        let width = self.pointer_width();
        let mut size = Term::bv(width, 1);
        for index in sizes {
            let Some(argument) = arguments.get(*index) else {
                return wrong(span, format!("'{name}' needs a size"));
            };
            let value = self.rvalue(argument)?;
            let bits = self.as_bits(&value);
            let bits = if self.types.signed(&value.ty) {
                bits.resize_signed(width)
            } else {
                bits.resize_unsigned(width)
            };
            size = size.bv_mul(bits);
        }
        let ty = Type::Void.pointer();
        let register = self.temporary(&ty);
        let fallible = name == "__monabs_try_alloc";
        let hint = hint.filter(|t| self.is_complete(t)).cloned();
        let outer = self.set_span(span);
        self.emit(Op::Allocate { register, ty: hint, size, zeroed, fallible });
        self.set_span(outer);
        Ok(Some(Operand::Scalar(Value::new(self.register_term(register), ty))))
    }

    /// `memset`, `memcpy` and relatives on typed data.
    fn memory_function(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let plain = name.trim_start_matches("__builtin_").trim_start_matches("__").trim_end_matches("_chk");
        let arguments = &call.node.arguments;
        let (pointer, second, size) = match (plain, arguments.as_slice()) {
            ("memset" | "memcpy" | "memmove", [pointer, second, size, ..]) => (pointer, second, size),
            ("bzero", [pointer, size]) => (pointer, pointer, size),
            _ => return Ok(None),
        };
        let to = self.untyped_target(pointer)?;
        let Ok(bytes) = self.constant(size) else {
            return unsupported(
                span,
                format!("'{plain}' with a size that is not constant is not modelled; use a loop"),
            );
        };
        let Some(unit) = self.types.size(&to.ty).filter(|s| *s > 0) else {
            return unsupported(
                span,
                format!(
                    "'{plain}' through a pointer to void is not modelled; cast it to the type of the data"
                ),
            );
        };
        let bytes = u64::try_from(bytes).unwrap_or(0);
        if !bytes.is_multiple_of(unit) || bytes / unit > 4096 {
            return unsupported(
                span,
                format!("'{plain}' of a part of the data, or of very much, is not modelled"),
            );
        }
        let source = if plain.starts_with("memset") || plain == "bzero" {
            None
        } else {
            Some(self.untyped_target(second)?)
        };
        let fill = match plain {
            "memset" => self.rvalue(second)?.term.resize_unsigned(8),
            _ => Term::bv(8, 0),
        };
        if let Some(source) = &source
            && self.types.size(&source.ty) != Some(unit)
        {
            return unsupported(span, format!("'{plain}' between different types is not modelled"));
        }
        for element in 0..bytes / unit {
            let to = self.moved(&to, element, unit);
            match &source {
                Some(source) => {
                    let from = self.moved(source, element, unit);
                    if to.ty.is_aggregate() {
                        self.copy(&to, &from, span)?;
                    } else {
                        let value = self.read(&from);
                        self.write(&to, value.term);
                    }
                }
                None => self.fill(&to, fill, span)?,
            }
        }
        let result = self.rvalue(pointer)?;
        Ok(Some(Operand::Scalar(Value::new(result.term, Type::Void.pointer()))))
    }

    /// What a `void *` argument points to, by the type it had before it was converted.
    fn untyped_target(&mut self, pointer: &'a Node<Expression>) -> Lowered<Place> {
        let mut expression = pointer;
        while let Expression::Cast(cast) = &expression.node {
            let ty = self.type_name(&cast.node.type_name)?;
            if ty.pointee().is_some_and(|t| *t != Type::Void) {
                break;
            }
            expression = &cast.node.expression;
        }
        let place = self.target(expression);
        match place {
            Ok(place) if matches!(place.ty, Type::Array(..)) => Ok(place),
            Ok(place) => Ok(place),
            Err(_) => self.place(expression),
        }
    }

    fn moved(&self, place: &Place, elements: u64, unit: u64) -> Place {
        if elements == 0 {
            return place.clone();
        }
        let width = self.pointer_width();
        let kind = match &place.kind {
            PlaceKind::Memory(Address::Pointer { address, bit }) => {
                let address = address.bv_add(Term::bv(width, u128::from(elements * unit)));
                PlaceKind::Memory(Address::Pointer { address, bit: *bit })
            }
            PlaceKind::Memory(Address::Object { object, offset, indices }) => {
                let mut address = self
                    .object_address(*object)
                    .bv_add(Term::bv(width, u128::from(offset / 8 + elements * unit)));
                for index in indices {
                    address = address.bv_add(index.term.bv_mul(Term::bv(width, u128::from(index.stride))));
                }
                PlaceKind::Memory(Address::pointer(address))
            }
            register => register.clone(),
        };
        Place { kind, ..place.clone() }
    }

    /// Every byte of the place becomes the given one.
    fn fill(&mut self, to: &Place, byte: Term, span: Span) -> Lowered<()> {
        for (offset, indices, leaf) in self.scalars(&to.ty.clone(), span)? {
            let part = self.part(to, offset, &indices, &leaf);
            let mut value = byte;
            while value.width() < leaf.width {
                value = value.concat(byte);
            }
            let value = value.resize_unsigned(leaf.width);
            let value = if *leaf.ty.unatomic() == Type::Bool {
                value.distinct(Term::bv(value.width(), 0))
            } else {
                value
            };
            self.write(&part, value);
        }
        Ok(())
    }

    fn compiler_builtin(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let arguments = &call.node.arguments;
        let scalar = |term, ty| Ok(Some(Operand::Scalar(Value::new(term, ty))));
        match (name, arguments.as_slice()) {
            ("__builtin_expect" | "__builtin_expect_with_probability", [value, rest @ ..]) => {
                let long = Type::Int(IntKind::Long);
                let value = self.rvalue(value)?;
                let value = self.convert(&value, &long, span)?;
                rest.iter().try_for_each(|a| self.effect(a))?;
                Ok(Some(Operand::Scalar(value)))
            }
            ("__builtin_constant_p", [_]) => scalar(Term::bv(32, 0), INT),
            ("__builtin_object_size", [..]) => {
                scalar(Term::bv_signed(self.pointer_width(), -1), self.size_value(0).ty)
            }
            (
                "__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy" | "__builtin_prefetch"
                | "va_start" | "va_end",
                _,
            ) => Ok(Some(Operand::Void)),
            ("__builtin_add_overflow" | "__builtin_sub_overflow" | "__builtin_mul_overflow", [a, b, to]) => {
                self.overflow_builtin(name, a, b, to, span).map(Some)
            }
            ("__builtin_popcount" | "__builtin_popcountl" | "__builtin_popcountll", [value]) => {
                let value = self.rvalue(value)?;
                let bits = self.as_bits(&value);
                let mut sum = Term::bv(32, 0);
                for bit in 0..bits.width() {
                    sum = sum.bv_add(bits.extract(bit, bit).resize_unsigned(32));
                }
                scalar(sum, INT)
            }
            ("__builtin_types_compatible_p", _) => {
                unsupported(span, "__builtin_types_compatible_p is not modelled")
            }
            _ if name.starts_with("__builtin_")
                && !matches!(self.lookup(name), Some(Entity::Function(_))) =>
            {
                let plain = name.trim_start_matches("__builtin_");
                let message = format!(
                    "'{name}' is not modelled: it is assumed to return any value, and to change nothing"
                );
                arguments.iter().try_for_each(|a| self.effect(a))?;
                self.remark(Effect::Over, span.start, message);
                self.approximate(plain);
                scalar(self.any(&INT), INT)
            }
            _ => Ok(None),
        }
    }

    fn overflow_builtin(
        &mut self,
        name: &str,
        a: &'a Node<Expression>,
        b: &'a Node<Expression>,
        to: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let place = self.target(to)?;
        if !a.ty.is_integer() || !b.ty.is_integer() || !place.ty.is_integer() {
            return wrong(span, "integers are needed here");
        }
        let width = self.types.width(&place.ty);
        let wide = 2 * width.max(self.types.width(&a.ty)).max(self.types.width(&b.ty)) + 2;
        let extend = |v: &Value| {
            let bits = self.as_bits(v);
            if self.types.signed(&v.ty) { bits.resize_signed(wide) } else { bits.resize_unsigned(wide) }
        };
        let (x, y) = (extend(&a), extend(&b));
        let exact = match name {
            "__builtin_add_overflow" => x.bv_add(y),
            "__builtin_sub_overflow" => x.bv_sub(y),
            _ => x.bv_mul(y),
        };
        let cut = exact.resize_unsigned(width);
        let back =
            if self.types.signed(&place.ty) { cut.resize_signed(wide) } else { cut.resize_unsigned(wide) };
        let register = self.temporary(&Type::Bool);
        self.set(register, exact.distinct(back));
        self.write(&place, cut);
        Ok(Operand::Scalar(Value::new(self.register_term(register), Type::Bool)))
    }
}
