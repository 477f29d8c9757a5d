//! Literals and constant expressions.

use super::generator::{Generator, Value};
use super::scalar::{Int, Operator, Range};
use super::types::{Type, type_name};
use frontend::types::DataModel;

impl Generator {
    /// A number that is likely to matter: near zero, near a power of two, or anything.
    pub(super) fn interesting(&mut self) -> i128 {
        let near = i128::from(self.random.below(5)) - 2;
        match self.random.below(10) {
            0..=4 => i128::from(self.random.below(12)),
            5 => (1 << self.random.below(64)) + near,
            6 => -(1 << self.random.below(63)) + near.max(0),
            7 => i128::from(self.random.any() as u32),
            8 => i128::from(self.random.any() as i64),
            _ => near,
        }
    }

    /// A literal, as C11 6.4.4.1 types it, or something like one.
    pub(super) fn literal(&mut self) -> Value {
        match self.random.below(16) {
            0 => return self.character(),
            1 => return self.size(),
            2 if !self.enumerators.is_empty() => {
                let enumerators = self.enumerators.clone();
                let (name, number, kind) = self.pick(&enumerators);
                return Value::new(kind, Range::point(number), vec![name.into()]);
            }
            _ => {}
        }
        let number = self.interesting().clamp(-i128::from(i64::MAX), i128::from(u64::MAX));
        let magnitude = number.unsigned_abs();
        let (decimal, digits) = match self.random.below(8) {
            0 => (false, format!("0x{magnitude:x}")),
            1 => (false, format!("0{magnitude:o}")),
            2 => (false, format!("0X{magnitude:X}")),
            3 => (false, format!("0b{magnitude:b}")),
            _ => (true, magnitude.to_string()),
        };
        let (length, suffix) = match self.random.below(8) {
            0 => (Int::Long, self.pick(&["l", "L"])),
            1 => (Int::LongLong, self.pick(&["ll", "LL"])),
            _ => (Int::Int, ""),
        };
        let unsigned = self.chance(1, 5);
        let Some(kind) = self.literal_type(magnitude as i128, decimal, unsigned, length) else {
            let digit = i128::from(self.random.below(9));
            return self.number(digit);
        };
        let mark = if unsigned { self.pick(&["u", "U"]) } else { "" };
        let text = if self.chance(1, 2) {
            format!("{digits}{mark}{suffix}")
        } else {
            format!("{digits}{suffix}{mark}")
        };
        let value = Value::new(kind, Range::point(magnitude as i128), vec![text.into()]);
        if number < 0 { self.unary('-', value) } else { value }
    }

    /// The type of a literal; none if there is no type for it.
    fn literal_type(&self, number: i128, decimal: bool, unsigned: bool, least: Int) -> Option<Int> {
        let all = [Int::Int, Int::Long, Int::LongLong];
        for kind in all.into_iter().filter(|kind| *kind >= least) {
            if !unsigned && kind.range(self.model).has(number) {
                return Some(kind);
            }
            if (unsigned || !decimal) && kind.to_unsigned().range(self.model).has(number) {
                return Some(kind.to_unsigned());
            }
        }
        None
    }

    fn character(&mut self) -> Value {
        let known = [
            ("'a'", 97),
            ("'Z'", 90),
            ("' '", 32),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\\\'", 92),
            ("'\\''", 39),
            ("'\"'", 34),
            ("'\\x7f'", 127),
            ("'\\x80'", -128),
            ("'\\377'", -1),
            ("'\\101'", 65),
            ("'\\t'", 9),
            ("'ab'", 97 * 256 + 98),
        ];
        let (text, number) = self.pick(&known);
        Value::new(Int::Int, Range::point(number), vec![text.into()])
    }

    /// The type of `sizeof`.
    pub(super) fn size_type(&self) -> Int {
        match self.model {
            DataModel::Ilp32 => Int::UInt,
            DataModel::Lp64 => Int::ULong,
        }
    }

    /// `sizeof` a type, or the offset of a member.
    fn size(&mut self) -> Value {
        let kind = self.size_type();
        if self.chance(1, 2)
            && let Some(id) = self.any_record()
        {
            let record = self.records[id].clone();
            let unknown = Range { low: 0, high: 4096 };
            let fields: Vec<_> = record
                .fields
                .iter()
                .filter(|f| !f.name.is_empty() && f.bits.is_none())
                .map(|f| f.name.clone())
                .collect();
            if !fields.is_empty() && self.chance(1, 2) {
                let text = format!("__builtin_offsetof({}, {})", record.name, self.pick(&fields));
                return Value::new(kind, unknown, vec![text.into()]);
            }
            let word = self.pick(&["sizeof", "sizeof", "_Alignof"]);
            return Value::new(kind, unknown, vec![format!("{word}({})", record.name).into()]);
        }
        let scalar = self.any_scalar();
        let mut size = i128::from(scalar.kind.size(self.model));
        let mut ty = Type::Int(scalar);
        if self.chance(1, 3) {
            let count = u64::from(self.random.between(1, 5));
            ty = Type::Array(std::rc::Rc::new(ty), count);
            size *= i128::from(count);
        }
        let text = format!("sizeof({})", type_name(&self.records, &ty));
        Value::new(kind, Range::point(size), vec![text.into()])
    }

    /// An expression of literals.
    pub(super) fn constant(&mut self, depth: u32) -> Value {
        if depth == 0 || self.chance(1, 4) {
            return self.literal();
        }
        match self.random.below(12) {
            0..=5 => {
                let operator = self.pick(&Operator::ALL);
                let (left, right) = (self.constant(depth - 1), self.constant(depth - 1));
                self.binary(operator, left, right)
            }
            6 => {
                let operator = self.pick(&['-', '~', '+', '!']);
                let value = self.constant(depth - 1);
                self.unary(operator, value)
            }
            7 => {
                let (left, right) = (self.constant(depth - 1), self.constant(depth - 1));
                self.comparison(left, right)
            }
            8 => {
                let (left, right) = (self.constant(depth - 1), self.constant(depth - 1));
                self.logical(left, right)
            }
            9 => {
                let (condition, left) = (self.constant(depth - 1), self.constant(depth - 1));
                let right = self.constant(depth - 1);
                self.choice(condition, Some(left), right)
            }
            _ => {
                let (value, kind) = (self.constant(depth - 1), self.any_int());
                self.cast(value, kind)
            }
        }
    }

    /// A constant expression with a known value in a range.
    pub(super) fn known_constant(&mut self, range: Range) -> (Value, i128) {
        for _ in 0..4 {
            let value = self.constant(2);
            let value = self.fit(value, range);
            if let Some(number) = value.range.as_point()
                && range.has(number)
            {
                return (value, number);
            }
        }
        let number = range.low + i128::from(self.random.below((range.high - range.low + 1).min(1000) as u32));
        (self.number(number), number)
    }
}
