//! What stands at the top of a file: enumerations, typedefs, structs, unions, globals.

use super::generator::{Generator, Object, Variable};
use super::scalar::{Int, Range};
use super::statement::local;
use super::tree::{Tree, item, tree};
use super::types::{Field, Record, Scalar, Type, declare};
use std::rc::Rc;

impl Generator {
    pub(super) fn type_definitions(&mut self) {
        if self.features.enums {
            for _ in 0..self.random.between(1, 2) {
                self.enumeration();
            }
        }
        if self.chance(1, 4) {
            let scalar = self.any_scalar();
            let name = format!("@{}", self.name("T"));
            self.file.push(item![format!("typedef {} {name};\n", scalar.name)]);
            self.scalars.push(Scalar { kind: scalar.kind, name: name.into() });
        }
        if self.features.unions {
            self.union_definition();
        }
        if self.features.records {
            for _ in 0..self.random.between(1, 2) {
                self.struct_definition();
            }
        }
    }

    fn enumeration(&mut self) {
        let name = format!("enum @{}", self.name("e"));
        let mut parts = vec![Tree::text(format!("{name} {{ "))];
        let (mut next, mut negative) = (0i128, false);
        let least = if self.chance(1, 2) { 0 } else { -20 };
        for _ in 0..self.random.between(1, 4) {
            let enumerator = format!("@{}", self.name("E"));
            if self.chance(1, 2) {
                let (value, number) = self.known_constant(Range { low: least, high: 100 });
                parts.push(tree![format!("{enumerator} = "), value.tree, ", "]);
                next = number;
            } else {
                parts.push(tree![format!("{enumerator}, ")]);
            }
            negative |= next < 0;
            self.enumerators.push((enumerator, next, Int::Int));
            next += 1;
        }
        parts.push(Tree::text("};\n"));
        self.file.push(Tree::new(super::tree::Kind::Item, parts.into_iter().map(Into::into).collect()));
        let kind = if negative { Int::Int } else { Int::UInt };
        self.scalars.push(Scalar { kind, name: name.into() });
    }

    /// A type for a member that no other member overlays.
    fn member_type(&mut self) -> Type {
        match self.random.below(6) {
            0 => self.any_record().map_or(Type::Int(Scalar::plain(Int::Char)), Type::Record),
            1 => {
                let element = Type::Int(self.any_scalar());
                let count = self.random.between(1, 3);
                Type::Array(Rc::new(element), count.into())
            }
            _ => Type::Int(self.any_scalar()),
        }
    }

    fn struct_definition(&mut self) {
        let name = format!("struct @{}", self.name("s"));
        let mut fields = Vec::new();
        for _ in 0..self.random.between(1, 5) {
            if self.features.bit_fields && self.chance(1, 2) {
                fields.push(self.bit_field());
                continue;
            }
            let ty = self.member_type();
            fields.push(Field { name: self.name("m"), ty, bits: None });
        }
        if self.features.unions && self.chance(1, 4) {
            let inner = self.anonymous();
            fields.push(Field { name: String::new(), ty: Type::Record(inner), bits: None });
        }
        if fields.iter().all(Field::is_padding) {
            fields.push(Field { name: self.name("m"), ty: Type::Int(Scalar::plain(Int::Int)), bits: None });
        }
        let text = self.members(&fields);
        self.file.push(item![format!("{name} {{\n"), text, "};\n"]);
        self.records.push(Record { name, union: false, fields });
    }

    fn bit_field(&mut self) -> Field {
        let kind = self.pick(&[
            Int::Int,
            Int::UInt,
            Int::Int,
            Int::UInt,
            Int::Bool,
            Int::UChar,
            Int::SChar,
            Int::Short,
            Int::UShort,
            Int::Long,
            Int::ULong,
            Int::LongLong,
            Int::ULongLong,
        ]);
        let most = kind.width(self.model);
        if self.chance(1, 10) {
            // Without a name; of no width it starts a new unit.
            let bits = if self.chance(1, 2) { 0 } else { self.random.between(1, most) };
            return Field { name: String::new(), ty: Type::Int(Scalar::plain(kind)), bits: Some(bits) };
        }
        let small = most.min(self.pick(&[4, 8, 20, 64]));
        let bits = self.random.between(1, small);
        Field { name: self.name("b"), ty: Type::Int(Scalar::plain(kind)), bits: Some(bits) }
    }

    fn members(&mut self, fields: &[Field]) -> Tree {
        let mut parts = Vec::new();
        for field in fields {
            let text = match (&field.ty, field.bits) {
                (Type::Record(id), None) if field.name.is_empty() => {
                    let inner = self.records[*id].clone();
                    let members = self.members(&inner.fields);
                    parts.push(item![if inner.union { "union {\n" } else { "struct {\n" }, members, "};\n"]);
                    continue;
                }
                (ty, None) => declare(&self.records, ty, &field.name),
                (ty, Some(bits)) => {
                    let declared = declare(&self.records, ty, &field.name);
                    let bits = i128::from(bits);
                    let width = if self.chance(1, 4) {
                        let (part, number) = self.known_constant(Range { low: 0, high: bits });
                        tree![part.tree, format!(" + {}", bits - number)]
                    } else {
                        tree![bits.to_string()]
                    };
                    parts.push(item![format!("{declared} : "), width, ";\n"]);
                    continue;
                }
            };
            parts.push(item![format!("{text};\n")]);
        }
        Tree::group(parts)
    }

    /// A struct or union that is a member without a name.
    fn anonymous(&mut self) -> usize {
        if self.chance(1, 2) {
            let fields = self.union_fields();
            self.records.push(Record { name: "union".to_owned(), union: true, fields });
        } else {
            let mut fields = Vec::new();
            for _ in 0..2 {
                let ty = Type::Int(self.any_scalar());
                fields.push(Field { name: self.name("m"), ty, bits: None });
            }
            self.records.push(Record { name: "struct".to_owned(), union: false, fields });
        }
        // It is known by number only: nothing else has its type.
        self.records.len() - 1
    }

    fn union_definition(&mut self) {
        let name = format!("union @{}", self.name("u"));
        let fields = self.union_fields();
        let text = self.members(&fields);
        self.file.push(item![format!("{name} {{\n"), text, "};\n"]);
        self.records.push(Record { name, union: true, fields });
    }

    /// Members without padding and without truth values, so that all can be read whatever was written; the first covers
    /// all of them.
    fn union_fields(&mut self) -> Vec<Field> {
        let kinds = [Int::UChar, Int::UShort, Int::UInt, Int::ULongLong, Int::UInt, Int::LongLong];
        let first = self.pick(&kinds);
        let size = first.size(self.model);
        let mut fields =
            vec![Field { name: self.name("m"), ty: Type::Int(Scalar::plain(first)), bits: None }];
        for _ in 0..self.random.between(1, 3) {
            let parts: Vec<Int> = Int::USUAL
                .into_iter()
                .filter(|kind| *kind != Int::Bool && kind.size(self.model) <= size)
                .collect();
            let part = self.pick(&parts);
            let count = size / part.size(self.model);
            let ty = match self.random.below(4) {
                0 if count > 1 => {
                    let same = (0..count).map(|_| Field {
                        name: self.name("m"),
                        ty: Type::Int(Scalar::plain(part)),
                        bits: None,
                    });
                    let inner = same.collect();
                    self.inner_struct(inner)
                }
                1 if self.features.bit_fields => {
                    let inner = self.full_bit_fields(part);
                    self.inner_struct(inner)
                }
                2 if count > 1 => Type::Array(Rc::new(Type::Int(Scalar::plain(part))), count),
                _ => Type::Int(Scalar::plain(part)),
            };
            fields.push(Field { name: self.name("m"), ty, bits: None });
        }
        fields
    }

    /// Bit-fields that fill a number.
    fn full_bit_fields(&mut self, kind: Int) -> Vec<Field> {
        let mut left = kind.width(self.model);
        let mut fields = Vec::new();
        while left > 0 {
            let bits = self.random.between(1, left.min(20));
            let kind = if self.chance(1, 2) { kind } else { kind.to_unsigned() };
            fields.push(Field { name: self.name("b"), ty: Type::Int(Scalar::plain(kind)), bits: Some(bits) });
            left -= bits;
        }
        fields
    }

    fn inner_struct(&mut self, fields: Vec<Field>) -> Type {
        let name = format!("struct @{}", self.name("s"));
        let text = self.members(&fields);
        self.file.push(item![format!("{name} {{\n"), text, "};\n"]);
        self.records.push(Record { name, union: false, fields });
        Type::Record(self.records.len() - 1)
    }

    pub(super) fn globals(&mut self) {
        for _ in 0..self.random.between(1, 4) {
            let name = format!("@{}", self.name("g"));
            let ty = match self.random.below(6) {
                0 | 1 if self.features.arrays => self.array_type(),
                2 | 3 => self.any_record().map_or(Type::Int(Scalar::plain(Int::Int)), Type::Record),
                _ => Type::Int(self.any_scalar()),
            };
            let text = declare(&self.records, &ty, &name);
            let class = self.pick(&["", "", "static ", "volatile "]);
            if self.chance(1, 4) {
                self.file.push(item![format!("{class}{text};\n")]);
            } else {
                let initializer = self.initializer(&ty, true);
                self.file.push(item![format!("{class}{text} = "), initializer, ";\n"]);
            }
            self.data(&name, ty, None, true);
        }
        if self.features.pointers && self.chance(1, 2) {
            self.global_pointer();
        }
    }

    /// A struct or union that has a name.
    pub(super) fn any_record(&mut self) -> Option<usize> {
        let named: Vec<usize> =
            (0..self.records.len()).filter(|&id| self.records[id].name.contains('@')).collect();
        if named.is_empty() { None } else { Some(self.pick(&named)) }
    }

    fn global_pointer(&mut self) {
        let candidates = self.targets();
        if candidates.is_empty() {
            return;
        }
        let Some(pointer) = self.pointer_into(&candidates) else { return };
        let name = format!("@{}", self.name("q"));
        let address = self.address(&pointer, true);
        let text = self.pointer_declaration(&pointer.to, &name, "*");
        self.file.push(item![format!("{text} = "), address, ";\n"]);
        self.add(Variable { name, object: Object::Pointer(pointer), permanent: true, ..local() });
    }
}
