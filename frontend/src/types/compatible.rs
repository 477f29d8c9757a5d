//! Compatible types of different files (C11 6.2.7): the same numbers and pointers, and structs and unions with the same tag and the same members.
//!
//! Structs refer to each other in circles; two that are being compared count as compatible meanwhile, which finds the largest relation. Qualifiers
//! are not kept in types and therefore not compared.

use super::{FunctionType, RecordId, Type, Types};

impl Types {
    /// Whether declarations with these types, in different files, can be about the same thing.
    pub fn compatible(&self, one: &Type, other: &Type) -> bool {
        self.compatible_given(one, other, &mut Vec::new())
    }

    fn compatible_given(&self, one: &Type, other: &Type, assumed: &mut Vec<(RecordId, RecordId)>) -> bool {
        match (one, other) {
            (Type::Pointer(one), Type::Pointer(other)) | (Type::Atomic(one), Type::Atomic(other)) => {
                self.compatible_given(one, other, assumed)
            }
            (Type::Array(one, a), Type::Array(other, b)) => {
                (a == b || a.is_none() || b.is_none()) && self.compatible_given(one, other, assumed)
            }
            (Type::Function(one), Type::Function(other)) => self.same_call(one, other, assumed),
            (Type::Record(one), Type::Record(other)) => self.same_members(*one, *other, assumed),
            (one, other) => one == other,
        }
    }

    fn same_call(
        &self,
        one: &FunctionType,
        other: &FunctionType,
        assumed: &mut Vec<(RecordId, RecordId)>,
    ) -> bool {
        // A declaration without parameters, or a definition in the old style, says less.
        let says_nothing = |f: &FunctionType| f.variadic && f.parameters.is_empty();
        self.compatible_given(&one.result, &other.result, assumed)
            && (says_nothing(one)
                || says_nothing(other)
                || one.parameters.len() == other.parameters.len()
                    && one
                        .parameters
                        .iter()
                        .zip(&other.parameters)
                        .all(|(x, y)| self.compatible_given(x.unatomic(), y.unatomic(), assumed)))
    }

    fn same_members(&self, one: RecordId, other: RecordId, assumed: &mut Vec<(RecordId, RecordId)>) -> bool {
        if one == other || assumed.contains(&(one, other)) {
            return true;
        }
        let (a, b) = (self.record(one), self.record(other));
        let same_tag = a.name == b.name || a.is_anonymous() && b.is_anonymous();
        if a.union != b.union || !same_tag {
            return false;
        }
        if !a.complete || !b.complete {
            return true;
        }
        assumed.push((one, other));
        (a.size, a.align, a.fields.len()) == (b.size, b.align, b.fields.len())
            && a.fields.iter().zip(&b.fields).all(|(x, y)| {
                (&x.name, x.offset, x.bits) == (&y.name, y.offset, y.bits)
                    && self.compatible_given(&x.ty, &y.ty, assumed)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DataModel, Field, INT, IntKind, Shape};
    use super::*;

    fn node(types: &mut Types, tag: &str, number: Type) -> Type {
        let id = types.declare(tag.to_owned(), false);
        let field = |name: &str, ty: Type| Field { name: Some(name.to_owned()), ty, ..Field::default() };
        let next = Type::Record(id).pointer();
        types.complete(id, vec![field("n", number), field("next", next)], Shape::default());
        Type::Record(id)
    }

    #[test]
    fn circles_of_structs() {
        let mut types = Types::new(DataModel::Lp64);
        let (a, b) = (node(&mut types, "s", INT), node(&mut types, "s", INT));
        let (c, d) = (node(&mut types, "t", INT), node(&mut types, "s", Type::Int(IntKind::Long)));
        assert!(types.compatible(&a.clone().pointer(), &b.pointer()));
        assert!(!types.compatible(&a, &c) && !types.compatible(&a, &d));
        let opaque = Type::Record(types.declare("s".to_owned(), false));
        assert!(types.compatible(&a.pointer(), &opaque.pointer()));
    }

    #[test]
    fn functions_by_result_and_parameters() {
        let types = Types::new(DataModel::Lp64);
        let function = |parameters: &[Type], variadic| {
            let parameters = parameters.to_vec();
            Type::Function(std::rc::Rc::new(FunctionType { result: INT, parameters, variadic }))
        };
        assert!(types.compatible(&function(&[INT], false), &function(&[], true)));
        assert!(!types.compatible(&function(&[INT], false), &function(&[], false)));
        assert!(!types.compatible(&function(&[INT], false), &function(&[Type::Int(IntKind::Long)], false)));
    }
}
