//! What compilers build in (`__builtin_*`): each is modelled, or a limit where control gets to it. There is no default meaning.

use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Value};
use crate::lower::graph::Op;
use crate::types::{INT, IntKind, Type};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span};
use smt::Term;

/// Built-ins that yield a floating-point number: any, and marked.
const FLOATS: &[&str] = &[
    "huge_val",
    "inf",
    "nan",
    "nans",
    "fabs",
    "sqrt",
    "copysign",
    "fmax",
    "fmin",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "fmod",
    "pow",
    "exp",
    "exp2",
    "log",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "fma",
    "powi",
    "ldexp",
    "logb",
    "cbrt",
    "hypot",
    "atan",
    "atan2",
];
/// Built-ins that ask about floating-point numbers: any answer, and marked.
const FLOAT_QUESTIONS: &[&str] = &[
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "isnormal",
    "signbit",
    "signbitf",
    "signbitl",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
    "fpclassify",
];

/// Counts of bits and the like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bits {
    Popcount,
    Parity,
    LeadingZeros,
    TrailingZeros,
    FirstSet,
    LeadingSigns,
}

impl Bits {
    /// What the name asks for, and of which type.
    fn of(name: &str) -> Option<(Bits, IntKind)> {
        let (rest, kind) = match name.strip_suffix("ll") {
            Some(rest) => (rest, IntKind::ULongLong),
            None => match name.strip_suffix('l') {
                Some(rest) => (rest, IntKind::ULong),
                None => (name, IntKind::UInt),
            },
        };
        let question = match rest {
            "popcount" => Bits::Popcount,
            "parity" => Bits::Parity,
            "clz" => Bits::LeadingZeros,
            "ctz" => Bits::TrailingZeros,
            "ffs" => Bits::FirstSet,
            "clrsb" => Bits::LeadingSigns,
            _ => return None,
        };
        Some((question, kind))
    }
}

/// The number of the first bit that is set, counted by `place`, or `none`.
fn first_set(
    bits: Term,
    none: u32,
    places: impl DoubleEndedIterator<Item = u32>,
    number: impl Fn(u32) -> u32,
) -> Term {
    places.rev().fold(Term::bv(32, u128::from(none)), |rest, place| {
        let is_set = bits.extract(place, place).equals(Term::bv(1, 1));
        is_set.ite(Term::bv(32, u128::from(number(place))), rest)
    })
}

fn count(bits: Term) -> Term {
    (0..bits.width())
        .fold(Term::bv(32, 0), |sum, place| sum.bv_add(bits.extract(place, place).resize_unsigned(32)))
}

impl<'a> Lowerer<'a> {
    /// A compiler's built-in function.
    pub(super) fn compiler_builtin(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let arguments = call.node.arguments.as_slice();
        let plain = match name.strip_prefix("__builtin_") {
            Some(plain) => plain,
            None if matches!(name, "va_start" | "va_end" | "va_copy") => name,
            // The library has some of them, too.
            None if matches!(name, "ffs" | "ffsl" | "ffsll") => name,
            None => return Ok(None),
        };
        if let (Some((question, kind)), [argument]) = (Bits::of(plain), arguments) {
            return self.bits_builtin(question, kind, argument, span).map(Some);
        }
        if let Some(result) = self.value_builtin(plain, arguments, span)? {
            return Ok(Some(result));
        }
        let root = plain.strip_suffix(['f', 'l']).unwrap_or(plain);
        if FLOATS.contains(&plain) || FLOATS.contains(&root) {
            arguments.iter().try_for_each(|argument| self.effect(argument))?;
            let size = match plain {
                _ if FLOATS.contains(&plain) => 8,
                _ if plain.ends_with('f') => 4,
                _ => 16,
            };
            return Ok(Some(Operand::Scalar(self.unknown_float(Type::Float(size), span))));
        }
        if FLOAT_QUESTIONS.contains(&plain) {
            arguments.iter().try_for_each(|argument| self.effect(argument))?;
            let term = self.guess(&INT, "floating point");
            return Ok(Some(Operand::Scalar(Value::new(term, INT))));
        }
        // Others are the compiler's names for library functions, or not known here.
        if self.meant(name).is_some() || self.lookup(name).is_some_and(is_function) {
            return Ok(None);
        }
        if crate::models::library::treatment(name).is_some() {
            return Ok(None);
        }
        unsupported(span, format!("'{name}' is not modelled"))
    }

    fn value_builtin(
        &mut self,
        plain: &str,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let value = match (plain, arguments) {
            ("expect" | "expect_with_probability", [value, rest @ ..]) => {
                let value = self.rvalue(value)?;
                rest.iter().try_for_each(|argument| self.effect(argument))?;
                self.convert(&value, &Type::Int(IntKind::Long), span)?
            }
            ("assume_aligned", [value, rest @ ..]) => {
                let value = self.rvalue(value)?;
                rest.iter().try_for_each(|argument| self.effect(argument))?;
                self.convert(&value, &Type::Void.pointer(), span)?
            }
            // Nothing is evaluated; the compiler may say no to all but literals.
            ("constant_p", [value]) => {
                let is_constant = self.constant(value).is_ok() || self.literal_argument(value).is_some();
                let known = match is_constant {
                    true => Term::tru(),
                    false => self.guess(&Type::Bool, "whether the compiler knows a value"),
                };
                self.flag(known)
            }
            ("object_size" | "dynamic_object_size", [_, kind]) => {
                // Headers compare it with the number that stands for "unknown", which compilers may always say.
                let is_least = self.constant(kind).is_ok_and(|kind| kind & 2 != 0);
                let unknown = Term::bv_signed(self.pointer_width(), if is_least { 0 } else { -1 });
                let ty = self.size_value(0).ty;
                let size = self.guess(&ty, "how much the compiler knows about the size of an object");
                let known =
                    self.guess(&Type::Bool, "how much the compiler knows about the size of an object");
                Value::new(known.ite(size, unknown), ty)
            }
            ("choose_expr", [condition, yes, no]) => {
                let chosen = if self.constant(condition)? != 0 { yes } else { no };
                return self.operand(chosen).map(Some);
            }
            ("types_compatible_p", [first, second]) => {
                return self.compatible_types(first, second, span).map(Some);
            }
            ("bswap16" | "bswap32" | "bswap64" | "bswap128", [value]) => {
                self.reversed_bytes(plain, value, span)?
            }
            ("va_start" | "va_end" | "va_copy", _) => return self.variable_builtin(plain, arguments, span),
            ("prefetch", _) => {
                arguments.iter().try_for_each(|argument| self.effect(argument))?;
                return Ok(Some(Operand::Void));
            }
            ("unreachable", []) => {
                return unsupported(span, "undefined behaviour: __builtin_unreachable() is reached");
            }
            ("frame_address" | "return_address" | "extract_return_addr" | "frob_return_addr", _) => {
                arguments.iter().try_for_each(|argument| self.effect(argument))?;
                let ty = Type::Void.pointer();
                Value::new(self.guess(&ty, "an address of the stack or of the code"), ty)
            }
            _ => return Ok(None),
        };
        Ok(Some(Operand::Scalar(value)))
    }

    fn bits_builtin(
        &mut self,
        question: Bits,
        kind: IntKind,
        argument: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let value = self.rvalue(argument)?;
        let bits = self.convert(&value, &Type::Int(kind), span)?.term;
        let width = bits.width();
        if matches!(question, Bits::LeadingZeros | Bits::TrailingZeros) {
            let is_zero = bits.equals(Term::bv(width, 0));
            self.limit_if(is_zero, span, "undefined behaviour: the bits of zero are counted");
        }
        let term = match question {
            Bits::Popcount => count(bits),
            Bits::Parity => count(bits).bv_and(Term::bv(32, 1)),
            Bits::LeadingZeros => first_set(bits, width, (0..width).rev(), |place| width - 1 - place),
            Bits::TrailingZeros => first_set(bits, width, 0..width, |place| place),
            Bits::FirstSet => first_set(bits, 0, 0..width, |place| place + 1),
            Bits::LeadingSigns => {
                let changes = bits.bv_xor(bits.bv_ashr(Term::bv(width, 1)));
                first_set(changes, width - 1, (0..width - 1).rev(), |place| width - 2 - place)
            }
        };
        Ok(Operand::Scalar(Value::new(term, INT)))
    }

    /// Control must not go on under the condition.
    pub(crate) fn limit_if(&mut self, condition: Term, span: Span, message: &str) {
        if condition.is_false() {
            return;
        }
        let (bad, good) = (self.node(), self.node());
        self.emit_branch(Op::Assume(condition), bad);
        self.emit_branch(Op::Assume(condition.not()), good);
        self.continue_at(bad);
        let outer = self.set_span(span);
        self.emit(Op::Limit(message.to_owned()));
        self.set_span(outer);
        self.continue_at(good);
    }

    fn reversed_bytes(&mut self, plain: &str, value: &'a Node<Expression>, span: Span) -> Lowered<Value> {
        let kind = match plain {
            "bswap16" => IntKind::UShort,
            "bswap32" => IntKind::UInt,
            "bswap64" => IntKind::ULongLong,
            _ => IntKind::UInt128,
        };
        let value = self.rvalue(value)?;
        let value = self.convert(&value, &Type::Int(kind), span)?;
        let bytes = (0..value.term.width() / 8).map(|byte| value.term.extract(8 * byte + 7, 8 * byte));
        let term = bytes.reduce(|high, low| high.concat(low)).unwrap_or(value.term);
        Ok(Value::new(term, value.ty))
    }

    /// Whether two types that are equal but for qualifiers have the same ones, as far as their text tells: it is the same, or nothing in the file has qualifiers
    /// that could differ.
    fn have_same_qualifiers(&self, first: &Node<Expression>, second: &Node<Expression>) -> bool {
        let texts =
            [first, second].map(|argument| self.text(argument.span).split_whitespace().collect::<String>());
        let is_spelled = |text: &String| {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            let plain = [
                "sizeof", "char", "short", "int", "long", "signed", "unsigned", "void", "float", "double",
                "_Bool",
            ];
            words
                .filter(|word| !word.is_empty())
                .all(|word| plain.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit()))
        };
        texts[0] == texts[1] || texts.iter().all(is_spelled)
    }

    /// The parser was given `sizeof(T)` for each type.
    fn compatible_types(
        &mut self,
        first: &'a Node<Expression>,
        second: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Operand> {
        let mut types = Vec::new();
        for argument in [first, second] {
            types.push(match &argument.node {
                Expression::SizeOfTy(size) => self.type_name(&size.node.0)?,
                Expression::SizeOfVal(size) => self.type_of(&size.node.0)?,
                _ => return wrong(span, "types are needed here"),
            });
        }
        let are_same = types[0].unatomic() == types[1].unatomic();
        // An array without a length is compatible with one that has one.
        let are_arrays = matches!((&types[0], &types[1]), (Type::Array(a, m), Type::Array(b, n)) if a == b && (m.is_none() || n.is_none()));
        // Types here know no `const`, which counts behind pointers.
        if (are_same || are_arrays) && has_pointer(&types[0]) && !self.have_same_qualifiers(first, second) {
            return unsupported(
                span,
                "whether these types are compatible may depend on qualifiers of what pointers point to, which is not modelled",
            );
        }
        Ok(Operand::Scalar(self.flag(if are_same || are_arrays { Term::tru() } else { Term::fls() })))
    }
}

/// Whether a type says what something else points to.
fn has_pointer(ty: &Type) -> bool {
    match ty.unatomic() {
        Type::Pointer(_) | Type::Function(_) => true,
        Type::Array(element, _) => has_pointer(element),
        _ => false,
    }
}

fn is_function(entity: &Entity) -> bool {
    matches!(entity, Entity::Function(_))
}
