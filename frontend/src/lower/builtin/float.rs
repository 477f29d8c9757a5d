//! Functions of `math.h` and what compilers build in for them, where they are exact: classes of numbers, comparisons without exceptions, signs, extremes,
//! rounding to integers, square roots. Where C leaves the result open (which zero `fmax` returns, which number other than zero says "negative"), it is
//! any that C allows. `long double` and code for 32 bits stay with those that are any value.

use crate::lower::context::{Entity, Lowered, Lowerer};
use crate::lower::expression::float::{Class, Comparison, Format, Rounding};
use crate::lower::expression::{Operand, Value};
use crate::lower::graph::Op;
use crate::types::{INT, Type};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};
use smt::Term;

/// What a name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Is(Class),
    Finite,
    /// 1 or -1.
    InfiniteSign,
    Negative,
    Classify,
}

/// What a function computes with numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Absolute,
    CopySign,
    Extreme { largest: bool },
    Whole(Rounding),
    Root,
    Infinity,
    NotANumber,
}

/// glibc's numbers of classes: FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL.
const CLASSES: [(Class, u128); 5] =
    [(Class::Nan, 0), (Class::Infinite, 1), (Class::Zero, 2), (Class::Subnormal, 3), (Class::Normal, 4)];

/// EDOM
const DOMAIN_ERROR: u128 = 33;

/// Questions of the compiler about a number of any type.
fn question(plain: &str) -> Option<Question> {
    Some(match plain {
        "isnan" => Question::Is(Class::Nan),
        "isinf" => Question::Is(Class::Infinite),
        "isnormal" => Question::Is(Class::Normal),
        "isfinite" | "finite" => Question::Finite,
        "isinf_sign" => Question::InfiniteSign,
        "signbit" => Question::Negative,
        _ => return None,
    })
}

/// Questions of the library, with two underscores, about a number of the type that the suffix says.
fn library_question(name: &str) -> Option<(Question, u32)> {
    let name = name.strip_prefix("__")?;
    let found = |root: &str| match root {
        "isinf" => Some(Question::InfiniteSign),
        "fpclassify" => Some(Question::Classify),
        "isnan" | "finite" | "signbit" => question(root),
        _ => None,
    };
    match (found(name), name.strip_suffix('f').and_then(found)) {
        (Some(question), _) => Some((question, 8)),
        (None, Some(question)) => Some((question, 4)),
        (None, None) => None,
    }
}

/// A function with the size of its numbers.
fn function(plain: &str) -> Option<(Function, u32)> {
    let found = |root: &str| {
        Some(match root {
            "fabs" => Function::Absolute,
            "copysign" => Function::CopySign,
            "fmax" => Function::Extreme { largest: true },
            "fmin" => Function::Extreme { largest: false },
            "floor" => Function::Whole(Rounding::Down),
            "ceil" => Function::Whole(Rounding::Up),
            "trunc" => Function::Whole(Rounding::TowardsZero),
            "round" => Function::Whole(Rounding::HalfAway),
            // In the mode in which programs begin; other modes are not modelled anywhere.
            "rint" | "nearbyint" | "roundeven" => Function::Whole(Rounding::HalfEven),
            "sqrt" => Function::Root,
            "huge_val" | "inf" => Function::Infinity,
            "nan" => Function::NotANumber,
            _ => return None,
        })
    };
    found(plain).map(|f| (f, 8)).or_else(|| found(plain.strip_suffix('f')?).map(|f| (f, 4)))
}

fn comparison(plain: &str) -> Option<fn(Format, Term, Term) -> Term> {
    Some(match plain {
        "isgreater" => |f, a, b| f.compare(Comparison::Less, b, a),
        "isgreaterequal" => |f, a, b| f.compare(Comparison::LessOrEqual, b, a),
        "isless" => |f, a, b| f.compare(Comparison::Less, a, b),
        "islessequal" => |f, a, b| f.compare(Comparison::LessOrEqual, a, b),
        "islessgreater" => |f, a, b| f.compare(Comparison::Less, a, b).or(f.compare(Comparison::Less, b, a)),
        "isunordered" => |f, a, b| f.is(Class::Nan, a).or(f.is(Class::Nan, b)),
        _ => return None,
    })
}

impl<'a> Lowerer<'a> {
    /// A function of numbers that is exact; none if it is not one.
    pub(super) fn float_function(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let built_in = name.strip_prefix("__builtin_");
        if let Some(plain) = built_in {
            if let (Some(question), [argument]) = (question(plain), arguments) {
                return self.float_question(question, argument, None);
            }
            if let (Some(compare), [a, b]) = (comparison(plain), arguments) {
                return self.float_comparison(compare, a, b, span);
            }
            if let ("fpclassify", [nan, infinite, normal, subnormal, zero, number]) = (plain, arguments) {
                return self.classified([nan, infinite, zero, subnormal, normal], number, span);
            }
        }
        if let (Some((question, bytes)), [argument]) = (library_question(name), arguments) {
            return self.float_question(question, argument, Some(bytes));
        }
        let Some((function, bytes)) = function(built_in.unwrap_or(name)) else { return Ok(None) };
        let ty = Type::Float(bytes);
        let Some(format) = self.float_format(&ty) else { return Ok(None) };
        if built_in.is_none() && !self.is_float_function(name, &ty) {
            return Ok(None);
        }
        let term = match (function, arguments) {
            (Function::Infinity, []) => format.positive_infinity(),
            (Function::NotANumber, [text]) if self.literal_argument(text).is_some_and(|t| t.is_empty()) => {
                format.not_a_number()
            }
            (Function::Infinity | Function::NotANumber, _) => return Ok(None),
            (function, _) => {
                let mut numbers = Vec::new();
                for argument in arguments {
                    let value = self.rvalue(argument)?;
                    numbers.push(self.convert(&value, &ty, argument.span)?.term);
                }
                match self.float_result(function, format, &numbers, span)? {
                    Some(term) => term,
                    None => {
                        return crate::lower::context::wrong(span, format!("wrong arguments of '{name}'"));
                    }
                }
            }
        };
        Ok(Some(Operand::Scalar(Value::new(term, ty))))
    }

    /// Whether a name is declared as the function of the library.
    fn is_float_function(&self, name: &str, result: &Type) -> bool {
        match self.lookup(name) {
            Some(Entity::Function(id)) => {
                matches!(&self.functions[id.index()].ty, Type::Function(f) if f.result == *result && f.parameters.iter().all(|p| p == result))
            }
            _ => false,
        }
    }

    fn float_result(
        &mut self,
        function: Function,
        format: Format,
        numbers: &[Term],
        span: Span,
    ) -> Lowered<Option<Term>> {
        Ok(match (function, numbers) {
            (Function::Absolute, [a]) => Some(format.absolute(*a)),
            (Function::CopySign, [a, b]) => Some(format.with_sign_of(*a, *b)),
            (Function::Whole(rounding), [a]) => Some(format.to_whole(rounding, *a)),
            (Function::Extreme { largest }, [a, b]) => {
                let decided =
                    [Term::tru(), Term::fls()].map(|choice| format.extreme(largest, *a, *b, choice));
                if decided[0] == decided[1] {
                    return Ok(Some(decided[0]));
                }
                let choice = self.any(&Type::Bool);
                Some(format.extreme(largest, *a, *b, choice))
            }
            (Function::Root, [a]) => {
                let zero = format.is(Class::Zero, *a).or(format.is(Class::Nan, *a));
                let is_wrong = format.is_negative(*a).and(zero.not());
                // Programs that look at the number of the error say so.
                if !is_wrong.is_false() && self.unit.text().contains("__errno_location ()") {
                    let (wrong, end) = (self.node(), self.node());
                    self.emit_branch(Op::Assume(is_wrong), wrong);
                    self.emit_branch(Op::Assume(is_wrong.not()), end);
                    self.continue_at(wrong);
                    let error = Value::new(Term::bv(32, DOMAIN_ERROR), INT);
                    self.call_model("__monabs_set_errno", vec![error], span)?;
                    self.join(end);
                }
                Some(format.square_root(*a))
            }
            _ => None,
        })
    }

    /// The operand of a question, and the format of its type.
    fn float_operand(
        &mut self,
        argument: &'a Node<Expression>,
        bytes: Option<u32>,
    ) -> Lowered<Option<(Format, Term)>> {
        let ty = match bytes {
            Some(bytes) => Type::Float(bytes),
            None => self.type_of(argument)?.unatomic().clone(),
        };
        let Some(format) = self.float_format(&ty) else { return Ok(None) };
        let value = self.rvalue(argument)?;
        Ok(Some((format, self.convert(&value, &ty, argument.span)?.term)))
    }

    fn float_question(
        &mut self,
        question: Question,
        argument: &'a Node<Expression>,
        bytes: Option<u32>,
    ) -> Lowered<Option<Operand>> {
        let Some((format, bits)) = self.float_operand(argument, bytes)? else { return Ok(None) };
        let number = |n: i128| Term::bv_signed(32, n);
        let yes = |holds: Term| holds.ite(number(1), number(0));
        let term = match question {
            Question::Is(class) => yes(format.is(class, bits)),
            Question::Finite => yes(format.is_finite(bits)),
            Question::InfiniteSign => {
                let sign = format.is_negative(bits).ite(number(-1), number(1));
                format.is(Class::Infinite, bits).ite(sign, number(0))
            }
            Question::Negative => {
                let negative = format.is_negative(bits);
                if negative.is_false() {
                    return Ok(Some(Operand::Scalar(Value::new(number(0), INT))));
                }
                let some = self.any(&INT);
                self.emit(Op::Assume(some.distinct(number(0))));
                negative.ite(some, number(0))
            }
            Question::Classify => self.class_number(format, bits, CLASSES.map(|(_, n)| Term::bv(32, n))),
        };
        Ok(Some(Operand::Scalar(Value::new(term, INT))))
    }

    /// The number for the class, in the order of [`CLASSES`].
    fn class_number(&self, format: Format, bits: Term, numbers: [Term; 5]) -> Term {
        let [.., normal] = numbers;
        CLASSES
            .iter()
            .zip(numbers)
            .rev()
            .fold(normal, |rest, ((class, _), number)| format.is(*class, bits).ite(number, rest))
    }

    fn classified(
        &mut self,
        numbers: [&'a Node<Expression>; 5],
        argument: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let ty = self.type_of(argument)?.unatomic().clone();
        if self.float_format(&ty).is_none() {
            return Ok(None);
        }
        let mut terms = Vec::new();
        for number in numbers {
            let value = self.rvalue(number)?;
            terms.push(self.convert(&value, &INT, span)?.term);
        }
        let Some((format, bits)) = self.float_operand(argument, None)? else { return Ok(None) };
        let [a, b, c, d, e] = terms[..] else { return Ok(None) };
        let term = self.class_number(format, bits, [a, b, c, d, e]);
        Ok(Some(Operand::Scalar(Value::new(term, INT))))
    }

    fn float_comparison(
        &mut self,
        compare: fn(Format, Term, Term) -> Term,
        a: &'a Node<Expression>,
        b: &'a Node<Expression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let (left, right) = (self.type_of(a)?, self.type_of(b)?);
        let common = self.types.usual(left.unatomic(), right.unatomic());
        let Some(format) = self.float_format(&common) else { return Ok(None) };
        let mut numbers = Vec::new();
        for operand in [a, b] {
            let value = self.rvalue(operand)?;
            numbers.push(self.convert(&value, &common, span)?.term);
        }
        let holds = compare(format, numbers[0], numbers[1]);
        Ok(Some(Operand::Scalar(self.flag(holds))))
    }
}
