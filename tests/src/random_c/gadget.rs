//! Small pieces of C that random expressions do not hit on: the heap, arrays of variable length, lists, strings, a loop entered in its
//! middle, and others.

use super::generator::{Generator, Object, Pointer, Variable};
use super::scalar::{Int, Range};
use super::statement::local;
use super::tree::{Tree, item, tree};
use super::types::{Scalar, Type, leaves, type_name};
use std::rc::Rc;

impl Generator {
    pub(super) fn gadget(&mut self, depth: u32) -> Option<Tree> {
        if !self.has_room(60) {
            return None;
        }
        self.spend(20);
        match self.random.below(12) {
            0 => Some(self.heap_array()),
            1 => self.heap_record(),
            2 | 3 => Some(self.variable_length()),
            4 => Some(self.list()),
            5 => Some(self.string_walk()),
            6 if depth > 0 => Some(self.entered_loop()),
            7 => self.container(),
            8 => self.memory_function(),
            9 => self.checked_arithmetic(),
            10 => Some(self.nested_exit()),
            _ => self.swap(),
        }
    }

    fn heap_pointer(&mut self, name: &str, to: Type, count: u64) {
        let target = self.hidden(false);
        let pointer = Pointer { to, targets: vec![target], count, low: 0, high: 0, bases: Vec::new() };
        self.add(Variable {
            name: name.to_owned(),
            object: Object::Pointer(pointer),
            writable: false,
            ..local()
        });
    }

    fn heap_array(&mut self) -> Tree {
        let (name, index) = (self.name("m"), self.name("i"));
        let scalar = self.any_scalar();
        let count = u64::from(self.random.between(1, 4));
        let ty = scalar.name.to_string();
        let tree = if self.chance(1, 3) {
            item![format!("{ty} *{name} = ({ty} *)calloc({count}, sizeof({ty}));\n")]
        } else {
            let value = self.value(1);
            let cast = if self.chance(1, 2) { format!("({ty} *)") } else { String::new() };
            item![
                format!("{ty} *{name} = {cast}malloc({count} * sizeof *{name});\n"),
                format!("for (int {index} = 0; {index} < {count}; {index}++) {name}[{index}] = ({index} + "),
                self.cast(value, Int::UChar).tree,
                ");\n",
            ]
        };
        self.heap_pointer(&name, Type::Int(scalar), count);
        tree
    }

    fn heap_record(&mut self) -> Option<Tree> {
        let id = self.any_record()?;
        let name = self.name("m");
        let record = self.records[id].name.clone();
        let value = self.record_value(id)?;
        let tree = item![format!("{record} *{name} = malloc(sizeof({record}));\n*{name} = "), value, ";\n"];
        self.heap_pointer(&name, Type::Record(id), 1);
        Some(tree)
    }

    fn variable_length(&mut self) -> Tree {
        let (name, length, index) = (self.name("w"), self.name("n"), self.name("i"));
        let scalar = self.any_scalar();
        let least = u64::from(self.random.between(1, 3));
        let value = self.value(2);
        let range = Range { low: least.into(), high: i128::from(least) + 2 };
        let value = self.fit(value, range);
        let inner = if self.chance(1, 3) { "[2]" } else { "" };
        let mut ty = Type::Int(scalar.clone());
        let mut target = format!("{name}[{index}]");
        if !inner.is_empty() {
            ty = Type::Array(Rc::new(ty), 2);
            target = format!("{name}[{index}][0] = {name}[{index}][1]");
        }
        let tree = item![
            format!("int {length} = "),
            value.tree,
            format!(";\n{} {name}[{length}]{inner};\n", scalar.name),
            format!("for (int {index} = 0; {index} < {length}; {index}++) {target} = {index} * 7 - 3;\n"),
            format!("@h = @h * 31 + sizeof({name});\n"),
        ];
        self.read(super::statement::TRACE);
        self.written(super::statement::TRACE);
        let id = self.data(&length, Type::Int(Scalar::plain(Int::Int)), Some(range), false);
        self.variables[id].writable = false;
        let id = self.data(&name, Type::Array(Rc::new(ty), least), None, false);
        self.variables[id].variable_length = true;
        tree
    }

    /// A chain of structs.
    fn list(&mut self) -> Tree {
        let (node, first, second) = (self.name("node"), self.name("n"), self.name("n"));
        let (at, sum) = (self.name("at"), self.name("sum"));
        let kind = self.any_int();
        let (a, b) = (self.value(1), self.value(1));
        let name = kind.name();
        let body =
            self.pick(&["$S += $A->value;", "$S = $S * 3 + (*$A).value;", "$S ^= $A->value; $A->value = 1;"]);
        let body = body.replace("$S", &sum).replace("$A", &at);
        let tree = item![
            format!("struct {node} {{ {name} value; struct {node} *next; }};\nstruct {node} {second} = {{ "),
            a.tree,
            format!(", 0 }}, {first} = {{ .next = &{second}, .value = "),
            b.tree,
            format!(" }};\nunsigned long long {sum} = 1;\n"),
            format!("for (struct {node} *{at} = &{first}; {at}; {at} = {at}->next) {{ {body} }}\n"),
        ];
        self.data(&sum, Type::Int(Scalar::plain(Int::ULongLong)), None, false);
        tree
    }

    fn string_walk(&mut self) -> Tree {
        let (text, count, sum) = (self.name("s"), self.name("n"), self.name("sum"));
        let literal =
            self.pick(&["\"hello\"", "\"\"", "\"a\\n\\tb\"", "\"x\" \"yz\"", "\"\\x80\\377 \\0 q\""]);
        let pointer = self.pick(&["const char *", "char *", "const unsigned char *", "signed char *"]);
        let step = self.pick(&[
            "$S += *$T++;",
            "$S = $S * 2 + $T[0]; ++$T;",
            "$S ^= (unsigned char)*$T; $T = $T + 1;",
        ]);
        let step = step.replace("$S", &sum).replace("$T", &text);
        let tree = item![
            format!("{pointer}{text} = (void *){literal};\nint {count} = 0;\nint {sum} = 0;\n"),
            format!("while (*{text}) {{ {step} {count}++; }}\n"),
        ];
        self.data(&count, Type::Int(Scalar::plain(Int::Int)), Some(Range { low: 0, high: 9 }), false);
        // It stays as it is: a later overflow would be undefined.
        let id = self.data(&sum, Type::Int(Scalar::plain(Int::Int)), None, false);
        self.variables[id].writable = false;
        tree
    }

    /// A `switch` into the middle of a loop.
    fn entered_loop(&mut self) -> Tree {
        let (name, left) = (self.name("x"), self.name("k"));
        let value = self.value(2);
        let value = self.fit(value, Range { low: 0, high: 3 });
        let start = self.value(1);
        let tree = item![
            format!("unsigned int {name} = (unsigned int)"),
            start.tree,
            format!(";\n{{ int {left} = 3;\nswitch ("),
            value.tree,
            ") {\ncase 0:\ndo {\n",
            format!("{name} = {name} * 5 + 1;\ncase 1: {name} ^= 77u;\ncase 2: {name} += {left};\n"),
            format!("}} while (--{left} > 0);\ndefault: {name}++;\n}}\n}}\n"),
        ];
        self.data(&name, Type::Int(Scalar::plain(Int::UInt)), None, false);
        tree
    }

    /// From the address of a member to the struct around it.
    fn container(&mut self) -> Option<Tree> {
        let mut found = Vec::new();
        for id in self.targets() {
            if let Object::Data(Type::Record(record)) = &self.variables[id].object {
                for field in
                    self.records[*record].fields.iter().filter(|f| f.bits.is_none() && !f.name.is_empty())
                {
                    found.push((id, *record, field.name.clone()));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        let (id, record, field) = self.pick(&found);
        let name = self.name("c");
        let of = self.variables[id].name.clone();
        let ty = self.records[record].name.clone();
        let tree = item![format!(
            "{ty} *{name} = ({ty} *)((char *)&{of}.{field} - __builtin_offsetof({ty}, {field}));\n"
        )];
        let pointer = Pointer {
            to: Type::Record(record),
            targets: vec![id],
            count: 1,
            low: 0,
            high: 0,
            bases: Vec::new(),
        };
        self.add(Variable { name, object: Object::Pointer(pointer), writable: false, ..local() });
        Some(tree)
    }

    /// `memset` and `memcpy`.
    fn memory_function(&mut self) -> Option<Tree> {
        let candidates: Vec<usize> = self.targets().into_iter().filter(|&id| self.may_write(id)).collect();
        if candidates.is_empty() {
            return None;
        }
        let id = self.pick(&candidates);
        let Object::Data(ty) = self.variables[id].object.clone() else { return None };
        if let Type::Int(scalar) = &ty
            && self.variables[id].range != scalar.kind.range(self.model)
        {
            return None;
        }
        let name = self.variables[id].name.clone();
        let mut all = Vec::new();
        leaves(&self.records, &ty, "", &mut all);
        let pointer = if matches!(ty, Type::Array(..)) { name.clone() } else { format!("&{name}") };
        if self.chance(1, 2) {
            let same: Vec<usize> = candidates
                .iter()
                .copied()
                .filter(|&other| {
                    other != id && matches!(&self.variables[other].object, Object::Data(t) if *t == ty)
                })
                .collect();
            if same.is_empty() {
                return None;
            }
            let other = self.pick(&same);
            let from = self.variables[other].name.clone();
            self.read(other);
            self.written(id);
            let ampersand = if matches!(ty, Type::Array(..)) { "" } else { "&" };
            return Some(item![format!(
                "memcpy({pointer}, {ampersand}{from}, sizeof({}));\n",
                type_name(&self.records, &ty)
            )]);
        }
        // All bits of a truth value but the last are zero.
        let fill =
            if all.iter().any(|leaf| leaf.kind == Int::Bool) { 0 } else { self.pick(&[0, 0, 255, 1, 0x80]) };
        self.written(id);
        Some(item![format!("memset({pointer}, {fill}, sizeof {name});\n")])
    }

    /// `__builtin_add_overflow` and its relatives.
    fn checked_arithmetic(&mut self) -> Option<Tree> {
        let place = self.target(1)?;
        let kind = place.kind()?;
        if place.bits.is_some()
            || kind == Int::Bool
            || kind.is_wide()
            || place.range != kind.range(self.model)
        {
            self.end_operands(1);
            return None;
        }
        let (left, right) = self.pair(1);
        let (left, right) = (self.plain(left), self.plain(right));
        self.finish_target(&place, false);
        let name = self.name("o");
        let function =
            self.pick(&["__builtin_add_overflow", "__builtin_sub_overflow", "__builtin_mul_overflow"]);
        let tree = item![
            format!("int {name} = {function}("),
            left.tree,
            ", ",
            right.tree,
            ", &",
            place.tree,
            ");\n",
        ];
        self.data(&name, Type::Int(Scalar::plain(Int::Int)), Some(Range { low: 0, high: 1 }), false);
        Some(tree)
    }

    /// Neither a truth value nor a bit-field nor very wide.
    fn plain(&mut self, value: super::generator::Value) -> super::generator::Value {
        if value.kind.is_wide() || value.kind == Int::Bool || value.bits.is_some() {
            return self.cast(value, Int::Int);
        }
        value
    }

    /// Out of two loops at once.
    fn nested_exit(&mut self) -> Tree {
        let (i, j, count, label) = (self.name("i"), self.name("j"), self.name("n"), self.name("l"));
        let value = self.value(1);
        let value = self.fit(value, Range { low: 0, high: 3 });
        let tree = item![
            format!(
                "int {count} = 0;\nfor (int {i} = 0; {i} < 3; {i}++)\nfor (int {j} = 0; {j} < 2; ++{j}) {{\n"
            ),
            format!("{count} += {i} + 2 * {j};\nif ({i} * {j} == "),
            value.tree,
            format!(") goto {label};\n}}\n{label}: ;\n"),
        ];
        self.data(&count, Type::Int(Scalar::plain(Int::Int)), Some(Range { low: 0, high: 15 }), false);
        tree
    }

    /// Two places of one type change their values, by way of pointers.
    fn swap(&mut self) -> Option<Tree> {
        let candidates: Vec<usize> =
            self.targets().into_iter().filter(|&id| self.may_write(id) && self.may_read(id)).collect();
        if candidates.len() < 2 {
            return None;
        }
        let (first, second) = (self.pick(&candidates), self.pick(&candidates));
        let (base, ty, _) = self.subobject(first)?;
        let (other, other_type, _) = self.subobject(second)?;
        if ty != other_type || !matches!(ty, Type::Int(_)) {
            return None;
        }
        for id in [first, second] {
            self.read(id);
            self.written(id);
        }
        let (a, b, t) = (self.name("a"), self.name("b"), self.name("t"));
        let name = type_name(&self.records, &ty);
        Some(item![
            format!(
                "{{ {name} *{a} = {base}, *{b} = {other};\n{name} {t} = *{a};\n*{a} = *{b};\n*{b} = {t};\n"
            ),
            tree!["}\n"],
        ])
    }
}
