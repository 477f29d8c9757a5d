//! Operators on integer expressions. Where a result might be undefined, operands are converted or cut down first.

use super::generator::{Generator, Value};
use super::scalar::{Int, Operator, Range, results};

impl Generator {
    /// A number that fits `int` or `long long`, as short as possible.
    pub(super) fn number(&self, number: i128) -> Value {
        let int = Int::Int.range(self.model);
        let least = Int::LongLong.range(self.model).low;
        let (kind, text) = match number {
            n if n == int.low => (Int::Int, "(-2147483647 - 1)".to_owned()),
            n if n == least => (Int::LongLong, "(-9223372036854775807LL - 1)".to_owned()),
            n if int.has(n) && n < 0 => (Int::Int, format!("({n})")),
            n if int.has(n) => (Int::Int, n.to_string()),
            n if n < 0 => (Int::LongLong, format!("({n}LL)")),
            n if n <= i128::from(i64::MAX) => (Int::LongLong, format!("{n}LL")),
            n => (Int::ULongLong, format!("{n}ULL")),
        };
        Value::new(kind, Range::point(number), vec![text.into()])
    }

    /// `(T)e`.
    pub(super) fn cast(&mut self, value: Value, to: Int) -> Value {
        let range = value.range.converted(value.kind, to, self.model);
        Value::new(to, range, vec![format!("(({})", to.name()).into(), value.tree.into(), ")".into()])
    }

    /// The range of an operand after it is converted to a type.
    fn as_operand(&self, value: &Value, to: Int) -> Range {
        value.range.converted(value.kind, to, self.model)
    }

    /// An expression whose values are all in the range.
    pub(super) fn fit(&mut self, value: Value, range: Range) -> Value {
        if range.contains(value.range) && !(value.kind == Int::UInt128 && value.range.high == i128::MAX) {
            return value;
        }
        if let Some(number) = range.as_point() {
            return self.number(number);
        }
        let value = if value.kind.is_wide() { self.cast(value, Int::ULongLong) } else { value };
        if range.contains(value.range) {
            return value;
        }
        let Some(span) = range.high.checked_sub(range.low).and_then(|n| n.checked_add(1)) else {
            return value;
        };
        if span > i128::from(u64::MAX) {
            return self.number(range.low.max(0).min(range.high));
        }
        if range.low == 0 && span.count_ones() == 1 && self.chance(1, 2) {
            let mask = self.number(range.high);
            return self.combined(Operator::And, value, mask, range);
        }
        // An unsigned remainder.
        let small = span <= i128::from(i32::MAX)
            && range.low >= i128::from(i32::MIN)
            && range.high <= i128::from(i32::MAX);
        let unsigned = value.promoted().to_unsigned();
        let unsigned = if small { unsigned } else { Int::ULongLong };
        let cast = self.cast(value, unsigned);
        let modulus = Value::new(unsigned, Range::point(span), vec![format!("{span}u").into()]);
        let rest = self.combined(Operator::Remainder, cast, modulus, Range { low: 0, high: span - 1 });
        if range.low == 0 {
            return rest;
        }
        let rest = self.cast(rest, if small { Int::Int } else { Int::LongLong });
        let least = self.number(range.low);
        if results(Operator::Add, rest.kind, rest.range, least.range, self.model).is_none() {
            return least;
        }
        self.combined(Operator::Add, rest, least, range)
    }

    /// Two operands that need no care; the range is what it is at most.
    fn combined(&mut self, operator: Operator, left: Value, right: Value, most: Range) -> Value {
        let range = self.defined(operator, &left, &right).filter(|range| most.contains(*range));
        self.combine(operator, left, right, range.unwrap_or(most))
    }

    /// The operator's text around two operands that need no care.
    fn combine(&mut self, operator: Operator, left: Value, right: Value, range: Range) -> Value {
        let kind = if operator.is_shift() { left.promoted() } else { self.common(&left, &right) };
        let nonzero = operator == Operator::Or && (left.nonzero || right.nonzero);
        let pieces = vec![
            "(".into(),
            left.tree.into(),
            format!(" {} ", operator.text()).into(),
            right.tree.into(),
            ")".into(),
        ];
        let mut value = Value::new(kind, range, pieces);
        value.nonzero |= nonzero;
        value
    }

    /// The type in which two operands meet.
    pub(super) fn common(&self, left: &Value, right: &Value) -> Int {
        left.promoted().common(right.promoted(), self.model)
    }

    /// `left operator right`, defined for all values of the operands.
    pub(super) fn binary(&mut self, operator: Operator, left: Value, right: Value) -> Value {
        let (mut left, mut right) = (left, right);
        if operator.is_shift() {
            let width = i128::from(left.promoted().width(self.model));
            let most = if self.chance(1, 2) { width - 1 } else { 7.min(width - 1) };
            right = self.fit(right, Range { low: 0, high: most });
        }
        if operator.is_division() && right.range.has(0) && !right.nonzero {
            right = self.not_zero(right);
        }
        // Each round brings the operands closer to something defined.
        for round in 0..4 {
            if let Some(range) = self.defined(operator, &left, &right) {
                return self.combine(operator, left, right, range);
            }
            (left, right) = self.tamed(operator, left, right, round);
        }
        let range = left.range;
        Value::new(left.kind, range, vec![left.tree.into()])
    }

    /// What an operator yields, if that is defined for all values of the operands.
    pub(super) fn defined(&self, operator: Operator, left: &Value, right: &Value) -> Option<Range> {
        if operator.is_shift() {
            let kind = left.promoted();
            return results(operator, kind, self.as_operand(left, kind), right.range, self.model);
        }
        let kind = self.common(left, right);
        let (a, b) = (self.as_operand(left, kind), self.as_operand(right, kind));
        if operator.is_division() && right.nonzero && b.has(0) {
            // The two sides of zero.
            let above = Range { low: 1, high: b.high };
            let below = Range { low: b.low, high: -1 };
            let side = |range: Range| {
                if range.low > range.high {
                    None
                } else {
                    Some(results(operator, kind, a, range, self.model))
                }
            };
            return match (side(above), side(below)) {
                (Some(above), Some(below)) => Some(above?.union(below?)),
                (one, other) => one.or(other)?,
            };
        }
        results(operator, kind, a, b, self.model)
    }

    fn not_zero(&mut self, value: Value) -> Value {
        let value = if value.kind.is_wide() { self.cast(value, Int::LongLong) } else { value };
        if self.chance(1, 2) {
            let kind = value.promoted();
            let one = self.number(1);
            let range = results(Operator::Or, kind, self.as_operand(&value, kind), one.range, self.model);
            let mut odd =
                self.combine(Operator::Or, value, one, range.unwrap_or_else(|| kind.range(self.model)));
            odd.nonzero = true;
            return odd;
        }
        let high = self.pick(&[1, 2, 7, 10, 100, 1000]);
        self.fit(value, Range { low: 1, high: high + 1 })
    }

    /// Operands for which an operator is more likely to be defined.
    fn tamed(&mut self, operator: Operator, left: Value, right: Value, round: u32) -> (Value, Value) {
        let kind = if operator.is_shift() { left.promoted() } else { self.common(&left, &right) };
        let width = kind.width(self.model);
        if operator.is_division() {
            let high = if round < 2 { 1000 } else { 1 };
            return (left, self.fit(right, Range { low: 1, high }));
        }
        let method = self.random.below(3);
        match method {
            0 if width < 64 && round == 0 && !operator.is_shift() => (self.cast(left, Int::LongLong), right),
            1 if round < 2 && !kind.is_wide() => {
                // Numbers small enough for the result to fit.
                let bits = match operator {
                    Operator::Multiply => width / 2 - 1,
                    Operator::ShiftLeft => {
                        let amount = right.range.high.clamp(0, 127) as u32;
                        (width - 1).saturating_sub(amount)
                    }
                    _ => width - 2,
                };
                let bits = if self.chance(1, 2) { bits } else { bits.min(10) };
                let high = (1i128 << bits) - 1;
                let low = if operator == Operator::ShiftLeft || self.chance(1, 2) { 0 } else { -high };
                let left = self.fit(left, Range { low, high });
                let right = if operator.is_shift() { right } else { self.fit(right, Range { low, high }) };
                (left, right)
            }
            _ => {
                let left = self.cast(left, kind.to_unsigned());
                let right = if operator.is_shift() || self.chance(1, 2) {
                    right
                } else {
                    self.cast(right, kind.to_unsigned())
                };
                (left, right)
            }
        }
    }

    /// `-`, `~`, `+` or `!`.
    pub(super) fn unary(&mut self, operator: char, value: Value) -> Value {
        if operator == '!' {
            let range = match (value.range.as_point(), value.nonzero) {
                (Some(0), _) => Range::point(1),
                (_, true) => Range::point(0),
                _ => Range { low: 0, high: 1 },
            };
            return Value::new(Int::Int, range, vec!["(!".into(), value.tree.into(), ")".into()]);
        }
        let zero = Range::point(0);
        let mut value = value;
        let kind = value.promoted();
        let range = self.as_operand(&value, kind);
        let range = match operator {
            '+' => Some(range),
            '~' => {
                let all = kind.range(self.model);
                let exact = range.as_point().filter(|_| !kind.is_wide());
                let flipped = exact.map(|n| Range::point(if kind.signed() { !n } else { all.high - n }));
                flipped.or(Some(all))
            }
            _ => results(Operator::Subtract, kind, zero, range, self.model),
        };
        let range = match range {
            Some(range) => range,
            None => {
                value = self.cast(value, kind.to_unsigned());
                value.kind.range(self.model)
            }
        };
        let kind = value.promoted();
        Value::new(kind, range, vec![format!("({operator}").into(), value.tree.into(), ")".into()])
    }

    /// `left < right` and its relatives.
    pub(super) fn comparison(&mut self, left: Value, right: Value) -> Value {
        let operator = self.pick(&["<", ">", "<=", ">=", "==", "!="]);
        let kind = self.common(&left, &right);
        let (a, b) = (self.as_operand(&left, kind), self.as_operand(&right, kind));
        let range = match (a.as_point(), b.as_point()) {
            (Some(a), Some(b)) if !kind.is_wide() => Range::point(i128::from(match operator {
                "<" => a < b,
                ">" => a > b,
                "<=" => a <= b,
                ">=" => a >= b,
                "==" => a == b,
                _ => a != b,
            })),
            _ => Range { low: 0, high: 1 },
        };
        let pieces =
            vec!["(".into(), left.tree.into(), format!(" {operator} ").into(), right.tree.into(), ")".into()];
        Value::new(Int::Int, range, pieces)
    }

    /// `left && right` or `left || right`; an order of evaluation, so nothing is said about effects here.
    pub(super) fn logical(&mut self, left: Value, right: Value) -> Value {
        let is_and = self.chance(1, 2);
        let truth = |value: &Value| match (value.range.as_point(), value.nonzero) {
            (Some(0), _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        };
        let range = match (is_and, truth(&left), truth(&right)) {
            (true, Some(false), _) | (true, _, Some(false)) | (false, Some(false), Some(false)) => {
                Range::point(0)
            }
            (false, Some(true), _) | (false, _, Some(true)) | (true, Some(true), Some(true)) => {
                Range::point(1)
            }
            _ => Range { low: 0, high: 1 },
        };
        let operator = if is_and { " && " } else { " || " };
        Value::new(
            Int::Int,
            range,
            vec!["(".into(), left.tree.into(), operator.into(), right.tree.into(), ")".into()],
        )
    }

    /// `condition ? left : right`; without `left` it is the condition.
    pub(super) fn choice(&mut self, condition: Value, left: Option<Value>, right: Value) -> Value {
        let first = left.as_ref().unwrap_or(&condition);
        let kind = self.common(first, &right);
        let (a, b) = (self.as_operand(first, kind), self.as_operand(&right, kind));
        let range = match (condition.range.as_point(), condition.nonzero) {
            (Some(0), _) => b,
            (_, true) => a,
            _ => a.union(b),
        };
        let mut pieces = vec!["(".into(), condition.tree.into()];
        match left {
            Some(left) => pieces.extend([" ? ".into(), left.tree.into(), " : ".into()]),
            None => pieces.push(" ?: ".into()),
        }
        pieces.extend([right.tree.into(), ")".into()]);
        Value::new(kind, range, pieces)
    }
}
