//! Sizes, alignments and the layout of structs and unions, as gcc has them on x86 (System V ABI, with GNU C's attributes).
//!
//! A member starts at the next place that fits its alignment. A bit-field starts at the next bit, unless it would then span more units of its
//! type's alignment than its type has; unnamed bit-fields do not align the struct, and those of width zero only move what
//! follows. `packed` takes the alignment of types away, but not one that a member asks for; `#pragma pack` bounds both.

use super::{DataModel, Field, RecordId, Type, Types};

/// What shapes a struct or union besides its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// It has the attribute `packed`.
    pub packed: bool,
    /// The alignment that it asks for, in bytes; 0 for none.
    pub align: u64,
    /// The largest alignment of members in bytes, by `#pragma pack`.
    pub pack: Option<u64>,
}

/// Where a member may be, in bits.
struct Rules {
    /// Its first bit is at a multiple of this.
    start: u64,
    /// The unit of its type, which a bit-field must not span too many of.
    unit: Option<u64>,
    /// What it demands of the struct.
    record: u64,
}

impl Types {
    /// A struct that ends in an array without a length, with as many elements as so many bytes have room for; none for other types.
    pub fn with_room(&mut self, ty: &Type, bytes: Option<u64>) -> Option<Type> {
        let Type::Record(id) = ty.unatomic() else { return None };
        let record = self.record(*id).clone();
        let last = record.fields.last().filter(|_| !record.union)?;
        let Type::Array(element, None) = &last.ty else { return None };
        let size = self.size(element).filter(|size| *size > 0)?;
        let count = bytes.map(|bytes| bytes.saturating_sub(last.offset / 8) / size);
        let mut longer = record.clone();
        let ty = Type::Array(element.clone(), count);
        if let Some(field) = longer.fields.last_mut() {
            field.ty = ty;
        }
        longer.size = bytes.unwrap_or(record.size).max(record.size);
        self.records.push(longer);
        Some(Type::Record(RecordId((self.records.len() - 1) as u32)))
    }

    /// Lays out members (offsets given here are ignored) and completes the type.
    pub fn complete(&mut self, id: RecordId, mut fields: Vec<Field>, shape: Shape) {
        let union = self.record(id).union;
        let (mut end, mut align) = (0u64, 8u64); // In bits; end: the first free one.
        for field in &mut fields {
            let rules = self.rules(field, shape);
            let size = self.size(&field.ty).unwrap_or(0).saturating_mul(8);
            let mut start = if union { 0 } else { end.next_multiple_of(rules.start) };
            if let (Some(bits), Some(unit)) = (field.bits, rules.unit)
                && (start % unit + u64::from(bits)).div_ceil(unit) > size / unit
            {
                start = start.next_multiple_of(unit);
            }
            field.offset = start;
            end = end.max(start.saturating_add(field.bits.map_or(size, u64::from)));
            align = align.max(rules.record);
        }
        for index in 1..fields.len() {
            fields[index].after_zero = fields[index - 1].bits == Some(0);
        }
        fields.retain(|field| field.bits != Some(0));
        // GNU C's older spelling of an array without a length.
        if let Some(Field { ty, .. }) = fields.last_mut()
            && let Type::Array(element, Some(0)) = ty
        {
            *ty = Type::Array(element.clone(), None);
        }
        let is_aligned = shape.align > 0 || fields.iter().any(|field| self.asks_for_alignment(field));
        let record = &mut self.records[id.0 as usize];
        record.align = (align / 8).max(shape.align);
        record.size = end.div_ceil(8).checked_next_multiple_of(record.align).unwrap_or(u64::MAX / 8);
        record.is_aligned = is_aligned;
        record.fields = fields;
        record.complete = true;
    }

    fn asks_for_alignment(&self, field: &Field) -> bool {
        let mut ty = field.ty.unatomic();
        while let Type::Array(element, _) = ty {
            ty = element.unatomic();
        }
        field.align > 0
            || field.type_align.is_some()
            || matches!(ty, Type::Record(id) if self.record(*id).is_aligned)
    }

    fn rules(&self, field: &Field, shape: Shape) -> Rules {
        let natural = field.type_align.unwrap_or_else(|| self.align(&field.ty)) * 8;
        let packed = field.packed || shape.packed;
        let asked = field.align * 8;
        let bound = shape.pack.map_or(u64::MAX, |bytes| bytes * 8);
        match field.bits {
            Some(0) => Rules { start: natural.max(asked), unit: None, record: 0 },
            Some(_) => {
                let start = asked.clamp(1, bound);
                let unit = (!packed && shape.pack.is_none()).then_some(natural);
                let own = if shape.pack.is_some() || !packed { natural.min(bound) } else { 8 };
                Rules { start, unit, record: if field.name.is_some() { own.max(start) } else { 0 } }
            }
            None => {
                let own = match (packed, asked) {
                    (true, 0) => 8,
                    (true, asked) => asked,
                    (false, asked) => natural.max(asked),
                };
                let start = own.min(bound);
                Rules { start, unit: None, record: start }
            }
        }
    }

    /// Bytes; none for incomplete types. `void` and functions count as 1, as GNU C has it.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Void | Type::Bool | Type::Function(_) => Some(1),
            Type::Int(kind) => Some(u64::from(kind.width(self.model) / 8)),
            Type::Float(bytes) => Some(u64::from(self.float_bytes(*bytes))),
            Type::Pointer(_) => Some(u64::from(self.model.pointer_width() / 8)),
            Type::Array(element, Some(count)) => self.size(element)?.checked_mul(*count),
            Type::Array(_, None) => None,
            Type::Record(id) => self.record(*id).complete.then(|| self.record(*id).size),
            Type::Atomic(inner) => self.size(inner),
        }
    }

    /// `long double` has the bytes of ten, and padding.
    pub(super) fn float_bytes(&self, bytes: u32) -> u32 {
        if bytes == 16 && self.model == DataModel::Ilp32 { 12 } else { bytes }
    }

    /// Bytes; on ILP32 eight-byte types are aligned to four in memory, as the System V ABI has it.
    pub fn align(&self, ty: &Type) -> u64 {
        let natural = match ty {
            // gcc looks through `_Atomic` at structs in arrays.
            Type::Array(element, _) => {
                let element = if element.unatomic().is_aggregate() { element.unatomic() } else { element };
                return self.align(element);
            }
            Type::Record(id) => {
                // gcc on ILP32 takes a struct around one atomic number of eight bytes for such a number that is not atomic.
                let record = self.record(*id);
                let is_number = record.size == 8 && record.align == 8 && !record.is_aligned;
                return if self.model == DataModel::Ilp32 && is_number { 4 } else { record.align };
            }
            // In one piece where the processor can do that; other sizes stay as they are.
            Type::Atomic(inner) => {
                let (size, align) = (self.size(inner).unwrap_or(1), self.align(inner));
                return if size.is_power_of_two() && size <= 16 { align.max(size) } else { align };
            }
            Type::Void | Type::Function(_) => 1,
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Pointer(_) => self.size(ty).unwrap_or(1),
        };
        match self.model {
            DataModel::Ilp32 => natural.min(4),
            DataModel::Lp64 => natural.min(16),
        }
    }

    /// What `__alignof__` says, which is not about members: eight-byte types are aligned to eight on ILP32, too.
    pub fn preferred_align(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(element, _) => self.preferred_align(element),
            Type::Record(id) => self.record(*id).align,
            Type::Int(_) | Type::Float(8) => self.align(ty).max(self.size(ty).unwrap_or(1).min(16)),
            _ => self.align(ty),
        }
    }
}
