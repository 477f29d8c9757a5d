//! Operations on values of any sort: what the machine does not do itself.

use smt::{ArrayValue, Bits, Op, Sort, Value};

/// The value of an operation on values. Ill-sorted operations, which no term has, yield zero.
pub(super) fn apply(op: &Op, sort: Sort, arguments: &[Value]) -> Value {
    let result = match op {
        Op::Eq => equal(arguments),
        Op::Ite => choose(arguments),
        Op::Select | Op::Store | Op::ConstArray(_) => array(op, sort, arguments),
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::True | Op::False => logic(op, arguments),
        _ => bits(op, arguments),
    };
    result.unwrap_or_else(|| Value::zero(sort))
}

fn equal(arguments: &[Value]) -> Option<Value> {
    let (first, rest) = arguments.split_first()?;
    Some(Value::Bool(rest.iter().all(|other| other == first)))
}

fn choose(arguments: &[Value]) -> Option<Value> {
    let [condition, then, otherwise] = arguments else { return None };
    Some(if condition.as_bool()? { then.clone() } else { otherwise.clone() })
}

fn logic(op: &Op, arguments: &[Value]) -> Option<Value> {
    let values: Vec<bool> = arguments.iter().map(Value::as_bool).collect::<Option<_>>()?;
    Some(Value::Bool(match (op, values.as_slice()) {
        (Op::True, []) => true,
        (Op::False, []) => false,
        (Op::Not, &[value]) => !value,
        (Op::And, values) => values.iter().all(|&value| value),
        (Op::Or, values) => values.iter().any(|&value| value),
        (Op::Xor, values) => values.iter().fold(false, |sum, value| sum ^ value),
        (Op::Implies, &[premise, conclusion]) => !premise || conclusion,
        _ => return None,
    }))
}

fn array(op: &Op, sort: Sort, arguments: &[Value]) -> Option<Value> {
    match (op, arguments) {
        (Op::Select, [Value::Array(array), index]) => Some(array.select(index.as_bits()?).clone()),
        (Op::Store, [Value::Array(array), index, value]) => {
            Some(Value::Array(array.store(index.as_bits()?.clone(), value.clone())))
        }
        (Op::ConstArray(_), [default]) => {
            Some(Value::Array(ArrayValue::constant(sort.index()?, default.clone())))
        }
        _ => None,
    }
}

fn bits(op: &Op, arguments: &[Value]) -> Option<Value> {
    let operands: Vec<&Bits> = arguments.iter().map(Value::as_bits).collect::<Option<_>>()?;
    let (&first, rest) = operands.split_first()?;
    let comparison = |result: bool| Some(Value::Bool(result));
    match (op, rest) {
        (Op::Bits(bits), _) => return Some(Value::Bits(bits.clone())),
        (Op::BvUlt, [second]) => return comparison(first.ult(second)),
        (Op::BvUle, [second]) => return comparison(first.ule(second)),
        (Op::BvSlt, [second]) => return comparison(first.slt(second)),
        (Op::BvSle, [second]) => return comparison(first.sle(second)),
        _ => {}
    }
    let result = match (op, rest) {
        (Op::BvNot, []) => first.not(),
        (Op::BvNeg, []) => first.neg(),
        (&Op::Extract { high, low }, []) => first.extract(high, low),
        (&Op::ZeroExtend(by), []) => first.zero_extend(by),
        (&Op::SignExtend(by), []) => first.sign_extend(by),
        _ => {
            let operation = binary(op)?;
            rest.iter().fold(first.clone(), |sum, next| operation(&sum, next))
        }
    };
    Some(Value::Bits(result))
}

fn binary(op: &Op) -> Option<fn(&Bits, &Bits) -> Bits> {
    Some(match op {
        Op::BvAnd => Bits::and,
        Op::BvOr => Bits::or,
        Op::BvXor => Bits::xor,
        Op::BvAdd => Bits::add,
        Op::BvSub => Bits::sub,
        Op::BvMul => Bits::mul,
        Op::BvUdiv => Bits::udiv,
        Op::BvUrem => Bits::urem,
        Op::BvSdiv => Bits::sdiv,
        Op::BvSrem => Bits::srem,
        Op::BvShl => Bits::shl,
        Op::BvLshr => Bits::lshr,
        Op::BvAshr => Bits::ashr,
        Op::Concat => Bits::concat,
        _ => return None,
    })
}
