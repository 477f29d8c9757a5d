//! Types of generated programs: integers under various names, arrays, structs and unions.

use super::scalar::{Int, Range, bits_range};
use frontend::types::DataModel;
use std::rc::Rc;

/// An integer type as it is written in a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) kind: Int,
    /// The name: one of the type's own, a typedef, an enumeration.
    pub(super) name: Rc<str>,
}

impl Scalar {
    pub(super) fn plain(kind: Int) -> Scalar {
        Scalar { kind, name: kind.name().into() }
    }
}

/// A type of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int(Scalar),
    Array(Rc<Type>, u64),
    /// The number of a struct or union.
    Record(usize),
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Empty for members without a name: padding bit-fields, and structs and unions whose members belong to the outer one.
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) bits: Option<u32>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// As it is written: `struct @s1`.
    pub(super) name: String,
    pub(super) union: bool,
    pub(super) fields: Vec<Field>,
}

impl Field {
    /// The numbers that a scalar member can hold.
    pub(super) fn range(&self, model: DataModel) -> Option<Range> {
        match (&self.ty, self.bits) {
            (Type::Int(scalar), None) => Some(scalar.kind.range(model)),
            (Type::Int(scalar), Some(bits)) => Some(bits_range(bits, scalar.kind.signed())),
            _ => None,
        }
    }

    /// Whether it only makes room.
    pub(super) fn is_padding(&self) -> bool {
        self.name.is_empty() && self.bits.is_some()
    }
}

/// A declaration of a name with a type.
pub(super) fn declare(records: &[Record], ty: &Type, name: &str) -> String {
    match ty {
        Type::Int(scalar) => format!("{} {name}", scalar.name),
        Type::Array(element, count) => declare(records, element, &format!("{name}[{count}]")),
        Type::Record(id) => format!("{} {name}", records[*id].name),
    }
}

/// The name of a type.
pub(super) fn type_name(records: &[Record], ty: &Type) -> String {
    declare(records, ty, "").replace(" [", "[").trim_end().to_owned()
}

/// One scalar inside of an object.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// What to write behind the object's name.
    pub(super) path: String,
    pub(super) kind: Int,
    pub(super) bits: Option<u32>,
}

/// All scalars of an object; of unions the first member only, which covers all of it.
pub(super) fn leaves(records: &[Record], ty: &Type, path: &str, all: &mut Vec<Leaf>) {
    match ty {
        Type::Int(scalar) => all.push(Leaf { path: path.to_owned(), kind: scalar.kind, bits: None }),
        Type::Array(element, count) => {
            (0..*count).for_each(|index| leaves(records, element, &format!("{path}[{index}]"), all));
        }
        Type::Record(id) => {
            let record = &records[*id];
            let fields = record.fields.iter().filter(|field| !field.is_padding());
            for field in fields.take(if record.union { 1 } else { usize::MAX }) {
                let inner =
                    if field.name.is_empty() { path.to_owned() } else { format!("{path}.{}", field.name) };
                match (&field.ty, field.bits) {
                    (Type::Int(scalar), Some(bits)) => {
                        all.push(Leaf { path: inner, kind: scalar.kind, bits: Some(bits) });
                    }
                    (ty, _) => leaves(records, ty, &inner, all),
                }
            }
        }
    }
}

/// Other ways to write an integer type.
pub(super) fn spellings(kind: Int) -> &'static [&'static str] {
    match kind {
        Int::Short => &["short", "short int", "signed short"],
        Int::UShort => &["unsigned short", "short unsigned int"],
        Int::Int => &["int", "signed", "signed int"],
        Int::UInt => &["unsigned", "unsigned int", "int unsigned"],
        Int::Long => &["long", "long int", "signed long"],
        Int::ULong => &["unsigned long", "long unsigned int"],
        Int::LongLong => &["long long", "long long int", "long int long"],
        Int::ULongLong => &["unsigned long long", "long long unsigned", "unsigned long long int"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_and_scalars() {
        let int = Type::Int(Scalar::plain(Int::Int));
        let records = vec![Record {
            name: "struct @s".to_owned(),
            union: false,
            fields: vec![
                Field { name: "a".to_owned(), ty: Type::Array(Rc::new(int.clone()), 2), bits: None },
                Field { name: String::new(), ty: int.clone(), bits: Some(3) },
                Field { name: "b".to_owned(), ty: int, bits: Some(5) },
            ],
        }];
        let ty = Type::Array(Rc::new(Type::Record(0)), 2);
        assert_eq!(declare(&records, &ty, "x"), "struct @s x[2]");
        assert_eq!(type_name(&records, &ty), "struct @s[2]");
        let mut all = Vec::new();
        leaves(&records, &ty, "x", &mut all);
        let paths: Vec<_> = all.iter().map(|leaf| leaf.path.as_str()).collect();
        assert_eq!(paths, ["x[0].a[0]", "x[0].a[1]", "x[0].b", "x[1].a[0]", "x[1].a[1]", "x[1].b"]);
    }
}
