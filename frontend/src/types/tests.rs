//! Layouts by hand; `layout_against_gcc` asks a compiler.

use super::*;

#[test]
fn neighbours_share_a_memory_location() {
    let mut types = Types::new(DataModel::Lp64);
    let id = types.declare("s".to_owned(), false);
    let fields = vec![
        field("a", INT, Some(3)),
        field("b", INT, Some(5)),
        field("c", INT, Some(0)),
        field("d", INT, Some(4)),
        field("e", CHAR, None),
        field("f", INT, Some(2)),
        field("g", INT, Some(2)),
        field("h", INT, Some(2)),
    ];
    types.complete(id, fields, Shape::default());
    let names = |name: &str| -> Vec<u64> { types.neighbours(id, name).iter().map(|n| n.0).collect() };
    assert_eq!((names("a"), names("b")), (vec![3], vec![0]));
    assert!(names("d").is_empty() && names("e").is_empty());
    assert_eq!(names("g").len(), 2);
    assert_eq!((names("f").len(), names("h").len()), (2, 2));
}

fn field(name: &str, ty: Type, bits: Option<u32>) -> Field {
    Field { name: Some(name.to_owned()), ty, bits, ..Field::default() }
}

fn laid_out(model: DataModel, fields: Vec<Field>) -> Record {
    let mut types = Types::new(model);
    let id = types.declare("s".to_owned(), false);
    types.complete(id, fields, Shape::default());
    types.record(id).clone()
}

#[test]
fn layout_follows_the_abi() {
    let long_long = Type::Int(IntKind::LongLong);
    let record = laid_out(DataModel::Lp64, vec![field("c", CHAR, None), field("l", long_long.clone(), None)]);
    assert_eq!((record.size, record.align, record.fields[1].offset), (16, 8, 64));
    let record = laid_out(DataModel::Ilp32, vec![field("c", CHAR, None), field("l", long_long, None)]);
    assert_eq!((record.size, record.align, record.fields[1].offset), (12, 4, 32));
}

#[test]
fn bit_fields_share_units_and_do_not_straddle_them() {
    let bits = vec![field("a", INT, Some(20)), field("b", INT, Some(20)), field("c", CHAR, Some(4))];
    let record = laid_out(DataModel::Lp64, bits);
    let offsets: Vec<_> = record.fields.iter().map(|f| f.offset).collect();
    assert_eq!((offsets, record.size), (vec![0, 32, 52], 8));
}

#[test]
fn promotions_and_usual_conversions() {
    let types = Types::new(DataModel::Lp64);
    assert_eq!(types.promote(&Type::Int(IntKind::UShort), None), INT);
    assert_eq!(types.promote(&UNSIGNED, Some(31)), INT);
    assert_eq!(types.promote(&UNSIGNED, Some(32)), UNSIGNED);
    assert_eq!(types.usual(&Type::Int(IntKind::Long), &UNSIGNED), Type::Int(IntKind::Long));
    let types = Types::new(DataModel::Ilp32);
    assert_eq!(types.usual(&Type::Int(IntKind::Long), &UNSIGNED), Type::Int(IntKind::ULong));
}

#[test]
fn leaves_of_nested_arrays_and_structs() {
    let mut types = Types::new(DataModel::Lp64);
    let inner = types.declare("p".to_owned(), false);
    types.complete(inner, vec![field("x", INT, None), field("y", CHAR, None)], Shape::default());
    let array = Type::Array(Rc::new(Type::Array(Rc::new(Type::Record(inner)), Some(3))), Some(2));
    let leaves = types.leaves(&array);
    assert_eq!(leaves.len(), 2);
    assert_eq!(leaves[1].path, ".y");
    assert_eq!(leaves[1].dimensions, vec![(Some(2), 24), (Some(3), 8)]);
    assert_eq!(leaves[1].offset, 32);
}
