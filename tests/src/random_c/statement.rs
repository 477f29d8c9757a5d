//! Statements and local declarations.

use super::generator::{Generator, Object, Variable};
use super::scalar::{Int, Range};
use super::tree::{Kind, Tree, item, tree};
use super::types::{Scalar, Type, declare};
use std::rc::Rc;

/// The number of the variable that collects values on the way: the first one.
pub(super) const TRACE: usize = 0;

impl Generator {
    /// So many statements in a scope of their own.
    pub(super) fn block(&mut self, count: u32, depth: u32) -> Tree {
        self.scoped(|s| s.statements(count, depth))
    }

    pub(super) fn statements(&mut self, count: u32, depth: u32) -> Tree {
        let statements = (0..count).filter_map(|_| self.statement(depth)).collect();
        Tree::block(statements)
    }

    /// A statement, if there is room for one.
    pub(super) fn statement(&mut self, depth: u32) -> Option<Tree> {
        if !self.has_room(12) {
            return None;
        }
        let outer = std::mem::take(&mut self.current);
        let statement = self.any_statement(depth);
        let own = std::mem::replace(&mut self.current, outer);
        self.current.add(&own);
        statement
    }

    fn any_statement(&mut self, depth: u32) -> Option<Tree> {
        let compound = match self.random.below(24) {
            0..=2 if depth > 0 => Some(self.branch(depth)),
            3..=6 if depth > 0 && self.features.loops => Some(self.repetition(depth)),
            7 | 8 if depth > 0 && self.features.switches => Some(self.switch(depth)),
            9 | 10 if depth > 0 && self.features.gotos => Some(self.jump(depth)),
            11 => self.leave(),
            12..=14 => Some(self.declaration()),
            15 if self.features.pointers => self.pointer_update(),
            16 | 17 if self.features.records => self.record_assignment(),
            18 => Some(self.trace()),
            19 if self.features.gadgets => self.gadget(depth),
            _ => None,
        };
        compound.or_else(|| self.expression_statement())
    }

    /// An expression for its side effects.
    pub(super) fn expression_statement(&mut self) -> Option<Tree> {
        match self.random.below(6) {
            0 => self.step(1).map(|value| item![value.tree, ";\n"]),
            1 => match self.call(2) {
                Some(value) => Some(item![value.tree, ";\n"]),
                None => Some(self.trace()),
            },
            _ => self.assignment_text(3).map(|(text, _)| item![text, ";\n"]),
        }
    }

    /// What a value is here is kept for the end.
    pub(super) fn trace(&mut self) -> Tree {
        if !self.may_write(TRACE) {
            return Tree::text("");
        }
        let value = self.value(3);
        self.read(TRACE);
        self.written(TRACE);
        self.spend(1);
        item!["@h = @h * 31 + (unsigned long long)", value.tree, ";\n"]
    }

    fn branch(&mut self, depth: u32) -> Tree {
        let condition = self.value(2);
        let (first, second) = (self.random.between(1, 2), self.random.between(1, 2));
        let then = self.block(first, depth - 1);
        if self.chance(1, 2) {
            return item!["if (", condition.tree, ") {\n", then, "}\n"];
        }
        let otherwise = self.block(second, depth - 1);
        item!["if (", condition.tree, ") {\n", then, "} else {\n", otherwise, "}\n"]
    }

    /// `break`, `continue` or `return`, under a condition.
    fn leave(&mut self) -> Option<Tree> {
        let condition = self.value(2);
        let mut ways = Vec::new();
        if self.breakable > 0 {
            ways.push("break");
        }
        if self.continuable > 0 {
            ways.push("continue");
        }
        if self.returns.is_some() {
            ways.push("return");
        }
        if ways.is_empty() {
            return None;
        }
        let way = self.pick(&ways);
        let what = if way == "return" { self.returned() } else { tree![way] };
        Some(item!["if (", condition.tree, ") ", what, ";\n"])
    }

    /// A `return` statement without its semicolon.
    pub(super) fn returned(&mut self) -> Tree {
        match self.returns.clone() {
            Some((Some(Type::Int(_)), range)) => {
                let value = self.value(2);
                let value = self.fit_result(value, range);
                tree!["return ", value.tree]
            }
            Some((Some(Type::Record(id)), _)) => match self.record_value(id) {
                Some(value) => tree!["return ", value],
                None => tree![format!("return ({}){{ 0 }}", self.records[id].name)],
            },
            _ => tree!["return"],
        }
    }

    /// A struct or union as a value.
    pub(super) fn record_value(&mut self, id: usize) -> Option<Tree> {
        let is_union = self.records[id].union;
        match self.random.below(6) {
            0 if !is_union => {
                let text = self.purely(|s| s.initializer(&Type::Record(id), false));
                return Some(tree![format!("(({})", self.records[id].name), text, ")"]);
            }
            1 => {
                let condition = self.value(1);
                let first = self.record_place(id, false)?;
                let second = self.record_place(id, false)?;
                return Some(tree!["(", condition.tree, " ? ", first.tree, " : ", second.tree, ")"]);
            }
            2 => {
                if let Some(call) = self.record_call(id) {
                    return Some(call);
                }
            }
            _ => {}
        }
        Some(self.record_place(id, false)?.tree)
    }

    fn record_assignment(&mut self) -> Option<Tree> {
        let id = self.any_record()?;
        let place = self.operand(|s| s.record_place(id, true));
        let value = match &place {
            Some(place) => {
                if let Some(effects) = self.forbidden.last_mut() {
                    effects.reads.extend(&place.roots);
                }
                self.record_value(id)
            }
            None => None,
        };
        self.end_operands(1);
        let (place, value) = (place?, value?);
        place.roots.iter().for_each(|&root| self.written(root));
        self.spend(6);
        Some(item![place.tree, " = ", value, ";\n"])
    }

    /// A pointer moves, within its bounds.
    fn pointer_update(&mut self) -> Option<Tree> {
        let mut pointers = Vec::new();
        for &id in &self.visible {
            if let Object::Pointer(pointer) = &self.variables[id].object
                && !pointer.bases.is_empty()
                && self.may_write(id)
                && self.may_read(id)
            {
                pointers.push((id, pointer.clone()));
            }
        }
        if pointers.is_empty() {
            return None;
        }
        let (id, pointer) = self.pick(&pointers);
        let name = self.variables[id].name.clone();
        let through = self
            .visible
            .iter()
            .copied()
            .find(|&other| matches!(self.variables[other].object, Object::Double(p) if p == id));
        let text = match through {
            Some(other) if self.chance(1, 2) => format!("*{}", self.variables[other].name),
            _ => name,
        };
        let statement = if pointer.bases.len() == 1 && pointer.high > pointer.low && self.chance(1, 2) {
            let base = &pointer.bases[0];
            if self.chance(1, 2) {
                item![format!("if ({text} < ({base}) + {}) ({text})++;\n", pointer.high)]
            } else {
                item![format!("if ({text} > ({base}) + {}) {text} -= 1;\n", pointer.low)]
            }
        } else if self.chance(1, 3) {
            let condition = self.value(1);
            let (first, second) = (self.address(&pointer, false), self.address(&pointer, false));
            item![text, " = ", condition.tree, " ? ", first, " : ", second, ";\n"]
        } else {
            let address = self.address(&pointer, false);
            item![text, " = ", address, ";\n"]
        };
        self.read(id);
        self.written(id);
        self.spend(3);
        Some(statement)
    }

    /// A new variable.
    pub(super) fn declaration(&mut self) -> Tree {
        let name = self.name("v");
        match self.random.below(10) {
            0 | 1 if self.features.arrays => {
                let ty = self.array_type();
                self.aggregate_declaration(&name, ty)
            }
            2 | 3 if !self.records.is_empty() => {
                let Some(id) = self.any_record() else { return self.scalar_declaration(&name) };
                let ty = if self.chance(1, 4) {
                    Type::Array(Rc::new(Type::Record(id)), 2)
                } else {
                    Type::Record(id)
                };
                self.aggregate_declaration(&name, ty)
            }
            4 | 5 if self.features.pointers => self.pointer_variable(&name),
            6 => self.bounded_declaration(&name),
            7 => self.static_declaration(&name),
            _ => self.scalar_declaration(&name),
        }
    }

    fn scalar_declaration(&mut self, name: &str) -> Tree {
        let scalar = self.any_scalar();
        let value = self.value(2);
        let constant = self.chance(1, 10);
        let mut text = format!("{} {name}", scalar.name);
        let places: Vec<usize> = self.visible.clone();
        if self.chance(1, 10)
            && let Some(&id) = places.last()
            && matches!(&self.variables[id].object, Object::Data(Type::Int(other)) if other.kind == scalar.kind)
        {
            let word = self.pick(&["typeof", "__typeof__"]);
            text = format!("{word}({}) {name}", self.variables[id].name);
        }
        let id = self.data(name, Type::Int(scalar), None, false);
        self.variables[id].writable = !constant;
        self.spend(1);
        if constant {
            item![format!("const {text} = "), value.tree, ";\n"]
        } else if self.chance(1, 8) {
            item![format!("{text};\n{name} = "), value.tree, ";\n"]
        } else {
            let qualifier = self.pick(&["", "", "", "", "volatile ", "register ", "auto "]);
            // The address of a register variable cannot be taken.
            let qualifier = if qualifier == "register " && self.features.pointers { "" } else { qualifier };
            item![format!("{qualifier}{text} = "), value.tree, ";\n"]
        }
    }

    /// A variable that stays in a small range: good as an index.
    fn bounded_declaration(&mut self, name: &str) -> Tree {
        let kind = self.pick(&[Int::Int, Int::UInt, Int::UChar, Int::SChar, Int::Long, Int::Short]);
        let high = self.pick(&[1, 2, 3, 7, 15]);
        let range = Range { low: 0, high };
        let value = self.value(2);
        let value = self.fit(value, range);
        self.data(name, Type::Int(Scalar::plain(kind)), Some(range), false);
        item![format!("{} {name} = ", kind.name()), value.tree, ";\n"]
    }

    fn static_declaration(&mut self, name: &str) -> Tree {
        // In a loop or a function that is called again it keeps its value.
        let scalar = self.any_scalar();
        let value = self.constant(2);
        let text = format!("static {} {name} = ", scalar.name);
        let id = self.data(name, Type::Int(scalar), None, false);
        self.variables[id].permanent = true;
        item![text, value.tree, ";\n"]
    }

    fn aggregate_declaration(&mut self, name: &str, ty: Type) -> Tree {
        if let Type::Record(record) = ty
            && self.chance(1, 4)
            && let Some(value) = self.record_value(record)
        {
            let text = declare(&self.records, &ty, name);
            self.data(name, ty, None, false);
            return item![format!("{text} = "), value, ";\n"];
        }
        let is_static = self.chance(1, 8);
        let initializer = self.initializer(&ty, is_static);
        let class = if is_static { "static " } else { "" };
        let text = declare(&self.records, &ty, name);
        let id = self.data(name, ty, None, false);
        self.variables[id].permanent = is_static;
        item![format!("{class}{text} = "), initializer, ";\n"]
    }

    /// An array of one to three dimensions.
    pub(super) fn array_type(&mut self) -> Type {
        let mut ty = Type::Int(self.any_scalar());
        for _ in 0..self.pick(&[1, 1, 1, 2, 2, 3]) {
            let count = self.random.between(1, if matches!(ty, Type::Int(_)) { 5 } else { 3 });
            ty = Type::Array(Rc::new(ty), u64::from(count));
        }
        ty
    }

    /// A pointer into one of the variables in scope, or to such a pointer.
    fn pointer_variable(&mut self, name: &str) -> Tree {
        let single: Vec<usize> = self
            .visible
            .iter()
            .copied()
            .filter(|&id| matches!(&self.variables[id].object, Object::Pointer(p) if !p.bases.is_empty()))
            .filter(|&id| self.variables[id].writable)
            .collect();
        if !single.is_empty() && self.chance(1, 4) {
            let inner = self.pick(&single);
            let Object::Pointer(pointer) = self.variables[inner].object.clone() else {
                return Tree::text("");
            };
            let text = self.pointer_declaration(&pointer.to, name, "**");
            let of = self.variables[inner].name.clone();
            self.add(Variable { name: name.to_owned(), object: Object::Double(inner), ..local() });
            return item![format!("{text} = &{of};\n")];
        }
        let candidates = self.targets();
        if candidates.is_empty() {
            return self.scalar_declaration(name);
        }
        let Some(pointer) = self.pointer_into(&candidates) else { return self.scalar_declaration(name) };
        let address = self.address(&pointer, false);
        let text = self.pointer_declaration(&pointer.to, name, "*");
        self.add(Variable { name: name.to_owned(), object: Object::Pointer(pointer), ..local() });
        self.spend(2);
        Tree::new(Kind::Item, vec![format!("{text} = ").into(), address.into(), ";\n".into()])
    }

    /// Variables that pointers can point to.
    pub(super) fn targets(&self) -> Vec<usize> {
        let is_data = |id: &usize| matches!(self.variables[*id].object, Object::Data(_));
        let writable = |id: &usize| self.variables[*id].writable && !self.variables[*id].variable_length;
        self.visible.iter().copied().filter(is_data).filter(writable).collect()
    }
}

/// What local pointers have in common.
pub(super) fn local() -> Variable {
    Variable {
        name: String::new(),
        object: Object::Hidden,
        range: Range::point(0),
        writable: true,
        aliased: false,
        permanent: false,
        variable_length: false,
    }
}
