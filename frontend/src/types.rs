//! C's types on ILP32 and LP64: sizes, layout (System V), promotions and the usual conversions (C11 6.2.5, 6.3.1).

mod compatible;
mod layout;

pub use layout::Shape;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How wide `int`, `long` and pointers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers.
    #[default]
    Lp64,
}

impl DataModel {
    /// Bits of a pointer.
    pub fn pointer_width(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// The integer types other than `_Bool`, by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names of C")]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Number of bits.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => model.pointer_width(),
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
        }
    }

    /// Whether it has a sign; plain `char` has one, as on x86.
    pub fn signed(self) -> bool {
        !matches!(
            self,
            IntKind::UChar
                | IntKind::UShort
                | IntKind::UInt
                | IntKind::ULong
                | IntKind::ULongLong
                | IntKind::UInt128
        )
    }

    /// Conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            unsigned => unsigned,
        }
    }
}

/// The number of a struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// A type. Qualifiers other than `_Atomic` are not kept: they change nothing for verification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    #[default]
    Void,
    /// `_Bool`.
    Bool,
    /// An integer, also of an enumeration.
    Int(IntKind),
    /// A floating-point number of this many bytes; `long double` has 16 here, of which there are 12 in memory on ILP32.
    Float(u32),
    /// A pointer.
    Pointer(Rc<Type>),
    /// An array; without a number of elements while incomplete, or where the number is not constant.
    Array(Rc<Type>, Option<u64>),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(Rc<FunctionType>),
    /// `_Atomic`.
    Atomic(Rc<Type>),
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: Type,
    /// Parameters after array and function types became pointers.
    pub parameters: Vec<Type>,
    /// Whether more arguments may follow, or nothing is known about parameters.
    pub variadic: bool,
}

/// `int`.
pub const INT: Type = Type::Int(IntKind::Int);
/// `unsigned int`.
pub const UNSIGNED: Type = Type::Int(IntKind::UInt);
/// `char`.
pub const CHAR: Type = Type::Int(IntKind::Char);

impl Type {
    /// A pointer to this type.
    pub fn pointer(self) -> Type {
        Type::Pointer(Rc::new(self))
    }

    /// Without `_Atomic`.
    pub fn unatomic(&self) -> &Type {
        match self {
            Type::Atomic(inner) => inner.unatomic(),
            other => other,
        }
    }

    /// What a pointer points to, or an array's element.
    pub fn pointee(&self) -> Option<&Type> {
        match self.unatomic() {
            Type::Pointer(inner) | Type::Array(inner, _) => Some(inner),
            _ => None,
        }
    }

    /// Integers, `_Bool` and enumerations.
    pub fn is_integer(&self) -> bool {
        matches!(self.unatomic(), Type::Bool | Type::Int(_))
    }

    /// Integers and floating point.
    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || self.is_float()
    }

    /// Floating point.
    pub fn is_float(&self) -> bool {
        matches!(self.unatomic(), Type::Float(_))
    }

    /// Pointers.
    pub fn is_pointer(&self) -> bool {
        matches!(self.unatomic(), Type::Pointer(_))
    }

    /// What fits one variable: numbers and pointers.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_pointer()
    }

    /// Structs, unions and arrays.
    pub fn is_aggregate(&self) -> bool {
        matches!(self.unatomic(), Type::Record(_) | Type::Array(..))
    }

    /// Arrays and functions become pointers in expressions and as parameters (C11 6.3.2.1).
    pub fn decay(&self) -> Type {
        match self.unatomic() {
            Type::Array(element, _) => Type::Pointer(element.clone()),
            Type::Function(_) => self.unatomic().clone().pointer(),
            other => other.clone(),
        }
    }
}

/// A member of a struct or union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its name; none for anonymous members and padding bit-fields.
    pub name: Option<String>,
    /// Its type.
    pub ty: Type,
    /// Offset in bits.
    pub offset: u64,
    /// Number of bits of a bit-field.
    pub bits: Option<u32>,
    /// The alignment that the member asks for, in bytes; 0 for none.
    pub align: u64,
    /// The alignment of its type in bytes, if the name of the type says so (`typedef int t __attribute__((aligned(2)))`).
    pub type_align: Option<u64>,
    /// Whether it has the attribute `packed`.
    pub packed: bool,
    /// Whether a bit-field of width 0 stands before it, which ends a memory location.
    pub after_zero: bool,
    /// One copy for each thread (models only; figure 14 of the thesis).
    pub thread_local: bool,
}

/// A struct or union.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Its tag, or a made-up name.
    pub name: String,
    /// Union rather than struct.
    pub union: bool,
    /// Members in order.
    pub fields: Vec<Field>,
    /// Bytes.
    pub size: u64,
    /// Bytes.
    pub align: u64,
    /// Whether an attribute asks for an alignment, its own or that of a member.
    pub is_aligned: bool,
    /// Whether its members are known.
    pub complete: bool,
}

impl Record {
    /// Whether it has no tag.
    pub fn is_anonymous(&self) -> bool {
        self.name.starts_with('<')
    }
}

/// All structs and unions, and what depends on the data model.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Widths.
    pub model: DataModel,
    records: Vec<Record>,
    walks: Walks,
}

/// Which structs are seen as a sequence of something else, because their address became a pointer to it: such a pointer is not bound to the array that happens to stand first in the struct.
#[derive(Clone, Debug, Default)]
struct Walks {
    /// By elements of this many bytes.
    elements: BTreeSet<(RecordId, u64)>,
    /// Their address became a `void *`.
    untyped: BTreeSet<RecordId>,
    /// Whether a `void *` is used to get at bytes.
    of_bytes: bool,
}

/// One scalar inside an object: what becomes a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// `.a.b`, with `[]` for arrays left out.
    pub path: String,
    /// Offset in bits of the first one.
    pub offset: u64,
    /// Number of bits that are stored.
    pub width: u32,
    /// Its scalar type, or the union it stands for.
    pub ty: Type,
    /// Arrays around it, outermost first: number of elements (none: not known) and distance in bytes.
    pub dimensions: Vec<(Option<u64>, u64)>,
    /// One copy for each thread.
    pub thread_local: bool,
    /// Whether it is a bit-field.
    pub bit_field: bool,
}

impl Types {
    /// No structs yet.
    pub fn new(model: DataModel) -> Types {
        Types { model, records: Vec::new(), walks: Walks::default() }
    }

    /// A pointer of one type becomes one of another type.
    pub fn note_conversion(&mut self, from: &Type, to: &Type) {
        let (Some(from), Some(to)) = (from.pointee(), to.pointee()) else { return };
        let size = match to.unatomic() {
            Type::Void | Type::Record(_) | Type::Function(_) | Type::Array(..) => None,
            _ => self.size(to),
        };
        match (from.unatomic(), to.unatomic()) {
            (Type::Record(id), Type::Void) => {
                self.walks.untyped.insert(*id);
            }
            (Type::Record(id), _) => self.walks.elements.extend(size.map(|size| (*id, size))),
            (Type::Void, _) => self.walks.of_bytes |= size == Some(1),
            _ => {}
        }
    }

    /// Bytes of something of this type are looked at one by one.
    pub fn note_bytes(&mut self, ty: &Type) {
        self.walks.of_bytes = true;
        if let Type::Record(id) = ty.unatomic() {
            self.walks.elements.insert((*id, 1));
        }
    }

    /// In steps of how many bytes somebody may go through something of this type, whatever its members are.
    pub fn walked(&self, ty: &Type) -> Vec<u64> {
        let mut sizes = Vec::new();
        if !self.walks.elements.is_empty() || (self.walks.of_bytes && !self.walks.untyped.is_empty()) {
            self.add_walked(ty, &mut sizes);
            sizes.sort_unstable();
            sizes.dedup();
        }
        sizes
    }

    fn add_walked(&self, ty: &Type, sizes: &mut Vec<u64>) {
        match ty.unatomic() {
            Type::Array(element, _) => self.add_walked(element, sizes),
            Type::Record(id) => {
                let own = self.walks.elements.range((*id, 0)..=(*id, u64::MAX));
                sizes.extend(own.map(|(_, size)| *size));
                sizes.extend((self.walks.of_bytes && self.walks.untyped.contains(id)).then_some(1));
                self.record(*id).fields.iter().for_each(|field| self.add_walked(&field.ty, sizes));
            }
            _ => {}
        }
    }

    /// A new struct or union without members.
    pub fn declare(&mut self, name: String, union: bool) -> RecordId {
        self.records.push(Record { name, union, align: 1, ..Record::default() });
        RecordId((self.records.len() - 1) as u32)
    }

    /// The struct or union with this number.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// Number of bits of a scalar's value as stored in a variable; `_Bool` has one bit.
    pub fn width(&self, ty: &Type) -> u32 {
        match ty.unatomic() {
            Type::Bool => 1,
            Type::Int(kind) => kind.width(self.model),
            Type::Float(bytes) => self.float_bytes(*bytes) * 8,
            _ => self.model.pointer_width(),
        }
    }

    /// Whether a scalar's value has a sign.
    pub fn signed(&self, ty: &Type) -> bool {
        matches!(ty.unatomic(), Type::Int(kind) if kind.signed())
    }

    /// Integer promotion (C11 6.3.1.1); `bits` for a bit-field.
    pub fn promote(&self, ty: &Type, bits: Option<u32>) -> Type {
        match ty.unatomic() {
            Type::Bool => INT,
            Type::Int(kind) => {
                let width = bits.unwrap_or(kind.width(self.model));
                if width < 32 || (width == 32 && kind.signed() && kind.rank() <= IntKind::Int.rank()) {
                    INT
                } else if width == 32 && kind.rank() <= IntKind::Int.rank() {
                    UNSIGNED
                } else {
                    ty.unatomic().clone()
                }
            }
            other => other.clone(),
        }
    }

    /// What an argument becomes for which there is no parameter (C11 6.5.2.2).
    pub fn promote_argument(&self, ty: &Type, bits: Option<u32>) -> Type {
        match self.promote(ty, bits) {
            Type::Float(4) => Type::Float(8),
            other => other,
        }
    }

    /// The common type of two arithmetic operands after promotion (C11 6.3.1.8).
    pub fn usual(&self, left: &Type, right: &Type) -> Type {
        match (left, right) {
            (Type::Float(a), Type::Float(b)) => Type::Float(*a.max(b)),
            (Type::Float(a), _) | (_, Type::Float(a)) => Type::Float(*a),
            (Type::Int(a), Type::Int(b)) => Type::Int(self.usual_int(*a, *b)),
            _ => INT,
        }
    }

    fn usual_int(&self, a: IntKind, b: IntKind) -> IntKind {
        if a.signed() == b.signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width(self.model) > unsigned.width(self.model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// Finds a member, also inside anonymous members: offset in bits and the field.
    pub fn field(&self, id: RecordId, name: &str) -> Option<(u64, &Field)> {
        for field in &self.record(id).fields {
            if field.name.as_deref() == Some(name) {
                return Some((field.offset, field));
            }
            if field.name.is_none()
                && let Type::Record(inner) = field.ty.unatomic()
                && let Some((offset, found)) = self.field(*inner, name)
            {
                return Some((field.offset + offset, found));
            }
        }
        None
    }

    /// The other bit-fields in the memory location of a bit-field: offset in bits, type and width. A member that is none, or a
    /// bit-field of width 0, separates locations; padding between them does not (C11 3.14, note 2).
    pub fn neighbours(&self, id: RecordId, name: &str) -> Vec<(u64, Type, u32)> {
        let record = self.record(id);
        let Some(at) = record.fields.iter().position(|field| field.name.as_deref() == Some(name)) else {
            let inner = record.fields.iter().filter(|field| field.name.is_none());
            let mut found = inner.filter_map(|field| match field.ty.unatomic() {
                Type::Record(inner) if self.field(*inner, name).is_some() => Some((field.offset, *inner)),
                _ => None,
            });
            let Some((base, inner)) = found.next() else { return Vec::new() };
            let shifted = |(offset, ty, width)| (base + offset, ty, width);
            return self.neighbours(inner, name).into_iter().map(shifted).collect();
        };
        if record.union || record.fields[at].bits.is_none() {
            return Vec::new();
        }
        let is_next =
            |pair: &[Field]| pair[0].bits.is_some() && pair[1].bits.is_some() && !pair[1].after_zero;
        let fields = &record.fields;
        let start =
            (0..at).rev().take_while(|&index| is_next(&fields[index..index + 2])).last().unwrap_or(at);
        let end = (at..fields.len() - 1).take_while(|&index| is_next(&fields[index..index + 2])).last();
        let end = end.map_or(at, |index| index + 1);
        let others = (start..=end).filter(|&index| index != at && fields[index].name.is_some());
        others.map(|index| &fields[index]).map(|f| (f.offset, f.ty.clone(), f.bits.unwrap_or(0))).collect()
    }

    /// The scalars of an object of this type, in order of their offsets.
    pub fn leaves(&self, ty: &Type) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let root = Leaf {
            path: String::new(),
            offset: 0,
            width: 0,
            ty: Type::Void,
            dimensions: Vec::new(),
            thread_local: false,
            bit_field: false,
        };
        self.collect(ty, root, &mut leaves);
        leaves
    }

    fn collect(&self, ty: &Type, mut at: Leaf, leaves: &mut Vec<Leaf>) {
        match ty.unatomic() {
            Type::Array(element, count) => {
                at.dimensions.push((*count, self.size(element).unwrap_or(1)));
                self.collect(element, at, leaves);
            }
            Type::Record(id) if !self.record(*id).union => {
                for field in &self.record(*id).fields {
                    let mut inner = at.clone();
                    inner.offset += field.offset;
                    inner.thread_local |= field.thread_local;
                    if let Some(name) = &field.name {
                        inner.path.push('.');
                        inner.path.push_str(name);
                    }
                    match field.bits {
                        Some(bits) => {
                            let (width, ty) = (bits, field.ty.clone());
                            leaves.push(Leaf { width, ty, bit_field: true, ..inner });
                        }
                        None => self.collect(&field.ty, inner, leaves),
                    }
                }
            }
            Type::Record(id) => {
                let width = (self.record(*id).size * 8) as u32;
                if width > 0 {
                    leaves.push(Leaf { width, ty: ty.unatomic().clone(), ..at });
                }
            }
            Type::Void | Type::Function(_) => {}
            scalar => leaves.push(Leaf { width: self.width(scalar), ty: scalar.clone(), ..at }),
        }
    }

    /// As C writes it, for messages.
    pub fn show(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Int(kind) => show_int(*kind).to_owned(),
            Type::Float(4) => "float".to_owned(),
            Type::Float(8) => "double".to_owned(),
            Type::Float(_) => "long double".to_owned(),
            Type::Pointer(inner) => format!("{} *", self.show(inner)),
            Type::Array(inner, Some(count)) => format!("{} [{count}]", self.show(inner)),
            Type::Array(inner, None) => format!("{} []", self.show(inner)),
            Type::Record(id) => {
                let record = self.record(*id);
                format!(
                    "{} {}",
                    if record.union { "union" } else { "struct" },
                    record.name.trim_start_matches("__monabs_")
                )
            }
            Type::Function(function) => {
                let parameters: Vec<_> = function.parameters.iter().map(|p| self.show(p)).collect();
                format!("{} ({})", self.show(&function.result), parameters.join(", "))
            }
            Type::Atomic(inner) => format!("_Atomic({})", self.show(inner)),
        }
    }
}

fn show_int(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

#[cfg(test)]
mod tests;
