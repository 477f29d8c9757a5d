//! Integer expressions of all kinds.

use super::generator::{Generator, Object, Value};
use super::place::Place;
use super::scalar::{Int, Operator, Range};
use super::tree::{Tree, tree};
use super::types::{Type, declare, type_name};

impl Generator {
    /// Any integer expression.
    pub(super) fn value(&mut self, depth: u32) -> Value {
        self.spend(1);
        if depth == 0 || !self.has_room(8) {
            return self.simple();
        }
        let choice = self.random.below(40);
        let special = match choice {
            0..=2 if self.may_have_effects() => self.assignment(depth - 1),
            3 | 4 if self.may_have_effects() => self.step(depth - 1),
            5 | 6 if self.pure == 0 => self.call(depth - 1),
            7 if self.features.statement_expressions && self.pure == 0 => self.statement_expression(),
            8 if self.features.literals => self.compound_literal(depth - 1),
            9 if self.features.literals => Some(self.special(depth - 1)),
            10 if self.features.pointers => self.pointer_value(depth - 1),
            _ => None,
        };
        if let Some(value) = special {
            return value;
        }
        match choice {
            0..=9 => self.simple(),
            10..=24 => {
                let operator = self.pick(&Operator::ALL);
                let (left, right) = self.pair(depth - 1);
                self.binary(operator, left, right)
            }
            25..=28 => {
                let (left, right) = self.pair(depth - 1);
                self.comparison(left, right)
            }
            29 | 30 => {
                let operator = self.pick(&['-', '~', '!', '+']);
                let value = self.value(depth - 1);
                self.unary(operator, value)
            }
            31 | 32 => {
                let left = self.value(depth - 1);
                let right = self.value(depth - 1);
                self.logical(left, right)
            }
            33 | 34 => {
                let condition = self.value(depth - 1);
                let left = (!self.chance(1, 3)).then(|| self.value(depth - 1));
                let right = self.value(depth - 1);
                self.choice(condition, left, right)
            }
            35 => {
                let (first, second) = (self.value(depth - 1), self.value(depth - 1));
                let Value { kind, range, bits, .. } = second;
                let pieces = vec!["(".into(), first.tree.into(), ", ".into(), second.tree.into(), ")".into()];
                Value { bits, ..Value::new(kind, range, pieces) }
            }
            _ => {
                let (value, kind) = (self.value(depth - 1), self.any_int());
                self.cast(value, kind)
            }
        }
    }

    /// Two operands that do not disturb each other.
    pub(super) fn pair(&mut self, depth: u32) -> (Value, Value) {
        let left = self.operand(|s| s.value(depth));
        let right = self.operand(|s| s.value(depth));
        self.end_operands(2);
        (left, right)
    }

    /// A variable or a literal.
    fn simple(&mut self) -> Value {
        if self.chance(2, 3)
            && let Some(place) = self.place(false, 1)
        {
            return self.load(place);
        }
        self.literal()
    }

    /// A place to be written, with what its evaluation reads kept from being changed; ends with `end_operands(1)`.
    pub(super) fn target(&mut self, depth: u32) -> Option<Place> {
        let place = self.operand(|s| s.place(true, depth));
        let Some(place) = place else {
            self.end_operands(1);
            return None;
        };
        // What is assigned may use the place but not change it.
        if let Some(effects) = self.forbidden.last_mut() {
            effects.reads.extend(&place.roots);
        }
        Some(place)
    }

    /// The place gets its value now.
    pub(super) fn finish_target(&mut self, place: &Place, reads: bool) {
        self.end_operands(1);
        for &root in &place.roots {
            self.written(root);
            if reads {
                self.read(root);
            }
        }
        self.spend(1);
    }

    /// A value that a place can take without leaving its range.
    pub(super) fn suited(&mut self, value: Value, place: &Place) -> Value {
        let Some(kind) = place.kind() else { return value };
        let whole = match place.bits {
            Some(_) => return value,
            None => kind.range(self.model),
        };
        if place.range == whole || place.range.contains(value.range.converted(value.kind, kind, self.model)) {
            return value;
        }
        self.fit(value, place.range)
    }

    /// `place = value` or `place op= value`, as text without parentheses.
    pub(super) fn assignment_text(&mut self, depth: u32) -> Option<(Tree, Place)> {
        let place = self.target(depth)?;
        let value = self.value(depth);
        if self.chance(1, 2) {
            let value = self.suited(value, &place);
            self.finish_target(&place, false);
            return Some((tree![place.tree.clone(), " = ", value.tree], place));
        }
        let operator = self.pick(&Operator::ALL);
        let old = self.load_quietly(&place);
        let result = self.compound_operand(operator, old, value, &place);
        self.finish_target(&place, true);
        let text = match result {
            Some(value) => tree![place.tree.clone(), format!(" {}= ", operator.text()), value.tree],
            None => {
                let number = self.number(place.range.low);
                tree![place.tree.clone(), " = ", number.tree]
            }
        };
        Some((text, place))
    }

    /// What a place holds, without it being an access.
    fn load_quietly(&self, place: &Place) -> Value {
        let mut value = Value::new(place.kind().unwrap_or(Int::Int), place.range, vec!["".into()]);
        value.bits = place.bits;
        value
    }

    /// The right operand of a compound assignment, such that all is defined.
    fn compound_operand(
        &mut self,
        operator: Operator,
        old: Value,
        value: Value,
        place: &Place,
    ) -> Option<Value> {
        let kind = place.kind()?;
        if place.bits.is_some_and(|bits| bits > 31) {
            return None;
        }
        let small = self.pick(&[1, 3, 7, 100]);
        let candidates = [
            value.clone(),
            if operator.is_division() || operator.is_shift() {
                self.fit(value.clone(), Range { low: 1, high: small })
            } else {
                self.cast(value.clone(), Int::UInt)
            },
            self.cast(value.clone(), kind.to_unsigned()),
            self.cast(value.clone(), Int::ULongLong),
        ];
        for candidate in candidates {
            let probe = Value { tree: Tree::text(""), ..candidate.clone() };
            let Some(result) = self.defined(operator, &old, &probe) else { continue };
            let meets = if operator.is_shift() { old.promoted() } else { self.common(&old, &probe) };
            let stored = match place.bits {
                Some(bits) => result.cut(meets, bits, kind.signed()),
                None => result.converted(meets, kind, self.model),
            };
            if place.range.contains(stored) {
                return Some(candidate);
            }
        }
        None
    }

    /// `(place = value)` as a value.
    fn assignment(&mut self, depth: u32) -> Option<Value> {
        let (text, place) = self.assignment_text(depth)?;
        let kind = place.kind()?;
        let mut value = Value::new(kind, place.range, vec!["(".into(), text.into(), ")".into()]);
        value.bits = place.bits;
        Some(self.narrowed(value))
    }

    /// `place++` and its relatives.
    pub(super) fn step(&mut self, depth: u32) -> Option<Value> {
        let place = self.target(depth)?;
        self.finish_target(&place, true);
        let kind = place.kind()?;
        // The arithmetic is done in the promoted type, where it must not overflow; a wrap-around on the way back is fine.
        let full = kind.promoted(place.bits).range(self.model);
        let whole = place.bits.is_some() || place.range == kind.range(self.model);
        let strange = place.bits.is_some_and(|bits| bits > 31);
        let safe = !strange
            && (!kind.promoted(place.bits).signed()
                || (place.range.low > full.low && place.range.high < full.high));
        if !whole || !safe {
            let tree = place.tree.clone();
            let number = self.number(place.range.high);
            let pieces = vec!["(".into(), tree.into(), " = ".into(), number.tree.into(), ")".into()];
            let mut value = Value::new(kind, place.range, pieces);
            value.bits = place.bits;
            return Some(self.narrowed(value));
        }
        let pieces = match self.random.below(4) {
            0 => vec!["(++".into(), place.tree.into(), ")".into()],
            1 => vec!["(--".into(), place.tree.into(), ")".into()],
            2 => vec!["(".into(), place.tree.into(), "++)".into()],
            _ => vec!["(".into(), place.tree.into(), "--)".into()],
        };
        let mut value = Value::new(kind, place.range, pieces);
        value.bits = place.bits;
        Some(self.narrowed(value))
    }

    /// `({ ... })`.
    fn statement_expression(&mut self) -> Option<Value> {
        if !self.has_room(30) {
            return None;
        }
        let returns = self.returns.take();
        let loops = (std::mem::take(&mut self.breakable), std::mem::take(&mut self.continuable));
        let value = self.scoped(|s| {
            let kind = s.any_int();
            let name = s.name("t");
            let start = s.value(1);
            let id = s.data(&name, Type::Int(super::types::Scalar::plain(kind)), None, false);
            s.written(id);
            let mut pieces =
                vec![format!("({{ {} {name} = ", kind.name()).into(), start.tree.into(), "; ".into()];
            // These statements are one operand of a larger expression: what they do must suit the others.
            for _ in 0..s.random.below(3) {
                if let Some(statement) = s.statement(1) {
                    pieces.push(statement.into());
                }
            }
            pieces.push(format!("{name}; }})").into());
            s.read(id);
            Value::new(kind, kind.range(s.model), pieces)
        });
        self.returns = returns;
        (self.breakable, self.continuable) = loops;
        Some(value)
    }

    /// A member or element of an object that has no name.
    fn compound_literal(&mut self, depth: u32) -> Option<Value> {
        let record = self.any_record().filter(|_| self.random.chance(1, 2));
        let ty = match record {
            Some(id) => Type::Record(id),
            None => {
                let element = Type::Int(self.any_scalar());
                let count = u64::from(self.random.between(1, 4));
                if self.chance(1, 4) { element } else { Type::Array(std::rc::Rc::new(element), count) }
            }
        };
        let text = self.purely(|s| s.initializer(&ty, false));
        let name = type_name(&self.records, &ty);
        let tree = tree![format!("(({name})"), text, ")"];
        let range = match &ty {
            Type::Int(scalar) => scalar.kind.range(self.model),
            _ => Range::point(0),
        };
        let mut place = Place { tree, ty, bits: None, range, roots: Vec::new() };
        let is_union = |s: &Self, ty: &Type| matches!(ty, Type::Record(id) if s.records[*id].union);
        while place.kind().is_none() {
            // Of a union only what was given has a value.
            if is_union(self, &place.ty) {
                return None;
            }
            place = self.inner(place, depth.min(1))?;
        }
        Some(self.load(place))
    }

    /// `_Generic`, `sizeof` an expression, `__builtin_expect` and others that look at types.
    fn special(&mut self, depth: u32) -> Value {
        match self.random.below(4) {
            0 => {
                let value = self.purely(|s| s.value(depth));
                let value = if value.bits.is_some() { self.unary('+', value) } else { value };
                let kind = self.size_type();
                let size = i128::from(value.kind.size(self.model));
                Value::new(kind, Range::point(size), vec!["sizeof(".into(), value.tree.into(), ")".into()])
            }
            1 => self.generic_selection(depth),
            2 => {
                let value = self.value(depth);
                let value = self.cast(value, Int::Long);
                let range = value.range;
                Value::new(
                    Int::Long,
                    range,
                    vec!["__builtin_expect(".into(), value.tree.into(), ", 1)".into()],
                )
            }
            _ => {
                let value = self.value(depth);
                let value = self.cast(value, Int::UInt);
                let pieces = vec!["__builtin_popcount(".into(), value.tree.into(), ")".into()];
                Value::new(Int::Int, Range { low: 0, high: 32 }, pieces)
            }
        }
    }

    fn generic_selection(&mut self, depth: u32) -> Value {
        let value = self.purely(|s| s.value(depth));
        // What is promoted is no bit-field, and of a type that is known here.
        let value = self.unary('+', value);
        let kinds = [Int::Int, Int::UInt, Int::Long, Int::ULong, Int::LongLong, Int::ULongLong];
        let mut pieces = vec!["_Generic(".into(), value.tree.into()];
        let mut result = None;
        for kind in kinds {
            if self.chance(1, 2) {
                let number = self.interesting().clamp(0, 1 << 40);
                let number = self.number(number);
                if kind == value.kind {
                    result = Some(number.clone());
                }
                pieces.extend([format!(", {}: ", kind.name()).into(), number.tree.into()]);
            }
        }
        let default = self.number(77);
        pieces.extend([", default: ".into(), default.tree.clone().into(), ")".into()]);
        let chosen = result.unwrap_or(default);
        Value::new(chosen.kind, chosen.range, pieces)
    }

    /// Differences and comparisons of pointers.
    fn pointer_value(&mut self, depth: u32) -> Option<Value> {
        let mut pointers = Vec::new();
        for &id in &self.visible {
            if let Object::Pointer(pointer) = &self.variables[id].object
                && !pointer.bases.is_empty()
                && self.may_read(id)
            {
                pointers.push((id, pointer.clone()));
            }
        }
        if pointers.is_empty() {
            return None;
        }
        let (id, pointer) = self.pick(&pointers);
        self.read(id);
        let name = self.variables[id].name.clone();
        if pointer.bases.len() > 1 || self.chance(1, 3) {
            let address = self.address(&pointer, false);
            let operator = self.pick(&["==", "!="]);
            let pieces = vec![format!("({name} {operator} ").into(), address.into(), ")".into()];
            return Some(Value::new(Int::Int, Range { low: 0, high: 1 }, pieces));
        }
        let base = pointer.bases[0].clone();
        if self.chance(1, 2) {
            let kind = if self.size_type() == Int::ULong { Int::Long } else { Int::Int };
            let range = Range { low: pointer.low.into(), high: pointer.high.into() };
            return Some(Value::new(kind, range, vec![format!("({name} - ({base}))").into()]));
        }
        let index = self.index(Range { low: 0, high: pointer.count.into() }, depth);
        let operator = self.pick(&["<", "<=", ">", ">="]);
        let pieces = vec![format!("({name} {operator} ({base}) + ").into(), index.tree.into(), ")".into()];
        Some(Value::new(Int::Int, Range { low: 0, high: 1 }, pieces))
    }

    /// A declaration with an initialiser, as one statement.
    pub(super) fn declared(&mut self, ty: &Type, name: &str, initializer: Tree) -> Tree {
        let text = declare(&self.records, ty, name);
        tree![format!("{text} = "), initializer, ";\n"]
    }
}
