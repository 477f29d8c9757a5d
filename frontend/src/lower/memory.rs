//! Objects become variables, and accesses through pointers become case distinctions.
//!
//! Each object has an address of its own, a number; so pointers are numbers, too, and casts, comparisons and arithmetic on them mean
//! what they mean on the machine. Each scalar of an object is a variable; arrays of scalars are array variables,
//! arrays of structs one array for each member. An access through a pointer has one case for each scalar that it may touch, decided by the address.

use super::graph::{Access, Address, Index, Object, ObjectId, Storage};
use super::points_to::PointsTo;
use crate::program::{DataType, NamedAddress, Position, Scope, Variable, VariableId};
use crate::types::{Leaf, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{ArrayValue, Bits, Sort, Symbol, Term, Value};

/// The width of array indices.
const INDEX_WIDTH: u32 = 32;
/// Where the first object lies; what is below is never a valid address. Far from the numbers that programs compute with, so
/// that a number that is an address is mostly meant to be one.
const FIRST_ADDRESS: u64 = 0x1000_0000;
/// The distance between objects whose size is not known.
const UNKNOWN_SIZE: u64 = 1 << 20;

/// One way an access can go: the condition, the variable, its element and the bits of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub condition: Term,
    pub variable: VariableId,
    /// None for variables that are no arrays.
    pub index: Option<Term>,
    /// The first bit.
    pub low: u32,
}

/// Addresses and variables of all objects.
pub(crate) struct Memory<'a> {
    types: &'a Types,
    objects: &'a [Object],
    pub points_to: PointsTo<'a>,
    addresses: Vec<u64>,
    shared: Vec<bool>,
    variables: FxHashMap<(ObjectId, usize), VariableId>,
    by_address: FxHashMap<Symbol, ObjectId>,
    values: smt::Substitution,
    names: FxHashSet<Symbol>,
    width: u32,
}

impl<'a> Memory<'a> {
    /// Lays out all objects. `shared` says which of them all threads see.
    pub(crate) fn new(
        types: &'a Types,
        objects: &'a [Object],
        points_to: PointsTo<'a>,
        shared: Vec<bool>,
        names: FxHashSet<Symbol>,
    ) -> Memory<'a> {
        let width = types.model.pointer_width();
        let mut addresses = Vec::with_capacity(objects.len());
        let (mut next, mut map, mut by_address) = (FIRST_ADDRESS, FxHashMap::default(), FxHashMap::default());
        for (index, object) in objects.iter().enumerate() {
            addresses.push(next);
            let name = super::graph::address_name(object.name);
            map.insert(Term::constant(name, Sort::BitVec(width)), Term::bv(width, u128::from(next)));
            by_address.insert(name, ObjectId(index as u32));
            let slots = if let Storage::Heap(slots) = object.storage { slots } else { 1 };
            let size = types.size(&object.ty).unwrap_or(UNKNOWN_SIZE);
            next += size.max(1).saturating_mul(slots.max(1)).saturating_add(16).next_multiple_of(16);
        }
        let values = smt::Substitution::new(map);
        Memory {
            types,
            objects,
            points_to,
            addresses,
            shared,
            variables: FxHashMap::default(),
            by_address,
            values,
            names,
            width,
        }
    }

    /// A name that no other variable has.
    pub(crate) fn unique(&mut self, name: &str) -> Symbol {
        let mut symbol = Symbol::new(name);
        let mut count = 1;
        while !self.names.insert(symbol) {
            count += 1;
            symbol = Symbol::new(&format!("{name}#{count}"));
        }
        symbol
    }

    /// The term with addresses as numbers.
    pub(crate) fn value(&mut self, term: Term) -> Term {
        self.values.apply(term)
    }

    /// Names of addresses, in order: of objects that the program uses, and of functions that pointers may point to.
    pub(crate) fn named_addresses(&self, taken: &FxHashSet<super::graph::FunctionId>) -> Vec<NamedAddress> {
        let used: FxHashSet<ObjectId> = self.variables.keys().map(|(object, _)| *object).collect();
        let all = self.objects.iter().zip(&self.addresses).enumerate();
        let shown = all.filter(|(index, (object, _))| match object.storage {
            Storage::Code(function) => taken.contains(&function),
            _ => used.contains(&ObjectId(*index as u32)),
        });
        let named = shown.map(|(_, (object, address))| NamedAddress {
            name: super::graph::address_name(object.name),
            address: *address,
            size: self.types.size(&object.ty).unwrap_or(UNKNOWN_SIZE).max(1),
        });
        named.collect()
    }

    /// Bytes of one object of a site.
    pub(crate) fn slot_size(&self, object: ObjectId) -> u64 {
        self.types.size(&self.objects[object.index()].ty).unwrap_or(UNKNOWN_SIZE).max(1)
    }

    /// The address of an object as a number.
    pub(crate) fn address(&self, object: ObjectId) -> Term {
        Term::bv(self.width, u128::from(self.addresses[object.index()]))
    }

    /// Whether all threads see the object.
    pub(crate) fn is_shared(&self, object: ObjectId) -> bool {
        self.shared[object.index()]
    }

    /// The scalars of an object.
    pub(crate) fn leaves(&self, object: ObjectId) -> Vec<Leaf> {
        self.points_to.leaves(object).to_vec()
    }

    /// Arrays around a scalar: those of its type, and the objects of an allocation site.
    fn dimensions(&self, object: ObjectId, leaf: &Leaf) -> Vec<(Option<u64>, u64)> {
        let mut dimensions = leaf.dimensions.clone();
        if let Some((count @ None, stride)) = dimensions.first_mut() {
            // Addresses tell objects apart, so there must be an end.
            *count = Some(UNKNOWN_SIZE / (*stride).max(1));
        }
        if let Storage::Heap(slots) = self.objects[object.index()].storage
            && slots > 1
        {
            dimensions.insert(0, (Some(slots), self.slot_size(object)));
        }
        dimensions
    }

    /// The variable of a scalar; made when it is first needed.
    pub(crate) fn variable(
        &mut self,
        object: ObjectId,
        leaf: usize,
        variables: &mut Vec<Variable>,
        position: impl Fn(usize) -> Position,
    ) -> VariableId {
        if let Some(known) = self.variables.get(&(object, leaf)) {
            return *known;
        }
        let id = VariableId(variables.len() as u32);
        let found = self.points_to.leaves(object)[leaf].clone();
        let about = &self.objects[object.index()];
        let element = self.data_type(&found);
        let dimensions = self.dimensions(object, &found);
        let data_type = if dimensions.is_empty() {
            element
        } else {
            let known = found.dimensions.iter().all(|(count, _)| count.is_some());
            let length =
                dimensions.iter().try_fold(1u64, |n, (count, _)| n.checked_mul((*count)?)).filter(|_| known);
            DataType::Array { index_width: INDEX_WIDTH, length, element: Box::new(element) }
        };
        let local = !self.shared[object.index()] || found.thread_local;
        let init = self.initial(object, &found, &data_type);
        let mut name = format!("{}{}", about.name, found.path);
        if found.thread_local {
            name.push_str("@self");
        }
        let scope = if local { Scope::Local } else { Scope::Shared };
        let name = self.unique(&name);
        variables.push(Variable { name, scope, data_type, init, position: position(about.offset) });
        self.variables.insert((object, leaf), id);
        id
    }

    fn data_type(&self, leaf: &Leaf) -> DataType {
        match leaf.ty.unatomic() {
            Type::Bool if leaf.width == 1 => DataType::Bool,
            ty => DataType::Int { width: leaf.width, signed: self.types.signed(ty) },
        }
    }

    /// The value at the start; zero unless given, any where nothing is known.
    fn initial(&mut self, object: ObjectId, leaf: &Leaf, data_type: &DataType) -> Option<Value> {
        let about = &self.objects[object.index()];
        let given = match (&about.init, about.storage) {
            (Some(values), _) => values.clone(),
            // Locals and heap objects get their values when they come to life.
            (None, Storage::Automatic | Storage::Heap(_)) => Vec::new(),
            (None, _) => return None,
        };
        let sort = data_type.sort();
        let everywhere = about.everywhere.and_then(|term| self.values.apply(term).as_value());
        let mut value = match (everywhere, sort.index()) {
            (Some(value), Some(index)) => Value::Array(ArrayValue::constant(index, value)),
            (Some(value), None) => value,
            (None, _) => Value::zero(sort),
        };
        for item in given {
            let Some((index, low)) = self.element_of(leaf, item.offset) else { continue };
            let new = self.values.apply(item.value);
            let new = new.as_value()?;
            value = store(value, index, low, leaf.width, new)?;
        }
        Some(value)
    }

    /// The element of a leaf that an absolute offset in bits falls into, and the bit of it.
    fn element_of(&self, leaf: &Leaf, offset: u64) -> Option<(Option<u64>, u32)> {
        let mut rest = offset.checked_sub(leaf.offset)?;
        let mut index = 0u64;
        for (count, stride) in &leaf.dimensions {
            let position = rest / (stride * 8).max(1);
            if count.is_some_and(|c| position >= c) {
                return None;
            }
            rest %= (stride * 8).max(1);
            index = index * count.unwrap_or(1) + position;
        }
        (rest < u64::from(leaf.width)).then(|| ((!leaf.dimensions.is_empty()).then_some(index), rest as u32))
    }

    /// All ways that an access can go, with conditions that exclude each other.
    pub(crate) fn cases(
        &mut self,
        address: &Address,
        access: &Access,
        variables: &mut Vec<Variable>,
        position: impl Fn(usize) -> Position + Copy,
    ) -> Vec<Case> {
        let direct = match address {
            Address::Object { .. } => Some(address.clone()),
            Address::Pointer { address, bit } => self.decompose(*address, *bit),
        };
        if let Some(Address::Object { object, offset, indices }) = &direct
            && let Some(mut case) = self.direct(*object, *offset, indices, access, variables, position)
        {
            if matches!(address, Address::Pointer { .. }) {
                // Nobody has compared this index with the bounds of the array.
                for index in indices {
                    if let Some(count) = index.count {
                        let term = self.values.apply(index.term);
                        case.condition =
                            case.condition.and(term.ult(Term::bv(self.width, u128::from(count))));
                    }
                }
            }
            return vec![case];
        }
        let (pointer, bit) = match address {
            Address::Pointer { address, bit } => (*address, *bit),
            Address::Object { object, offset, indices } => {
                let mut term = self.address(*object).bv_add(Term::bv(self.width, u128::from(offset / 8)));
                for index in indices {
                    term = term.bv_add(index.term.bv_mul(Term::bv(self.width, u128::from(index.stride))));
                }
                (term, (offset % 8) as u32)
            }
        };
        let mut cases = Vec::new();
        let value = self.value(pointer);
        for (object, leaf) in self.points_to.cells(address) {
            self.pointer_cases(value, bit, object, leaf, access, &mut cases, variables, position);
        }
        cases.retain(|c: &Case| !c.condition.is_false());
        cases
    }

    /// A known object with known indices.
    fn direct(
        &mut self,
        object: ObjectId,
        offset: u64,
        indices: &[Index],
        access: &Access,
        variables: &mut Vec<Variable>,
        position: impl Fn(usize) -> Position,
    ) -> Option<Case> {
        let leaves = self.points_to.leaves(object);
        let fits = |l: &Leaf| {
            l.offset <= offset && offset + u64::from(access.width) <= l.offset + u64::from(l.width)
        };
        let leaf = leaves.iter().position(fits)?;
        let found = leaves[leaf].clone();
        if found.dimensions.len() != indices.len() || !bool_fits(&found, access) {
            return None;
        }
        if found.dimensions.iter().zip(indices).any(|((_, stride), index)| *stride != index.stride) {
            return None;
        }
        let mut index: Option<Term> = None;
        for ((count, _), i) in found.dimensions.iter().zip(indices) {
            let term = self.values.apply(i.term).resize_unsigned(INDEX_WIDTH);
            index = Some(match index {
                None => term,
                Some(outer) => {
                    outer.bv_mul(Term::bv(INDEX_WIDTH, u128::from(count.unwrap_or(1)))).bv_add(term)
                }
            });
        }
        if let Storage::Heap(slots) = self.objects[object.index()].storage
            && slots > 1
        {
            return None;
        }
        let variable = self.variable(object, leaf, variables, position);
        Some(Case { condition: Term::tru(), variable, index, low: (offset - found.offset) as u32 })
    }

    /// Reads an address as a known object with an offset and indices, if it is a sum of that form.
    fn decompose(&self, address: Term, bit: u32) -> Option<Address> {
        let mut parts = Vec::new();
        flatten(address, &mut parts);
        let (mut object, mut constant, mut indices) = (None, 0u64, Vec::new());
        for part in parts {
            if let Some(name) = part.as_constant()
                && let Some(found) = self.by_address.get(&name)
            {
                if object.replace(*found).is_some() {
                    return None;
                }
            } else if let Some(bits) = part.as_bits() {
                constant = constant.checked_add(u64::try_from(bits.to_i128()?).ok()?)?;
            } else if *part.op() == smt::Op::BvMul && part.args().len() == 2 {
                let factor = part.args().iter().position(|a| a.as_bits().is_some())?;
                let stride = u64::try_from(part.args()[factor].as_bits()?.to_u128()?).ok()?;
                indices.push((part.args()[1 - factor], stride));
            } else {
                indices.push((part, 1));
            }
        }
        let object = object?;
        if matches!(self.objects[object.index()].storage, Storage::Heap(slots) if slots > 1) {
            return None;
        }
        self.walk(object, constant * 8 + u64::from(bit), indices)
    }

    /// Assigns strided indices to the arrays of the object's type; constants fill the rest.
    fn walk(&self, object: ObjectId, constant: u64, mut indices: Vec<(Term, u64)>) -> Option<Address> {
        let mut ty = self.objects[object.index()].ty.clone();
        let (mut rest, mut offset, mut found) = (constant, 0u64, Vec::new());
        loop {
            match ty.unatomic().clone() {
                Type::Array(element, count) => {
                    let stride = self.types.size(&element).filter(|s| *s > 0)?;
                    let fixed = rest / (stride * 8);
                    rest %= stride * 8;
                    let mut term = Term::bv(self.width, u128::from(fixed));
                    let position = indices.iter().position(|(_, s)| *s == stride);
                    if let Some(position) = position {
                        term = term.bv_add(indices.remove(position).0);
                    } else if count.is_some_and(|c| fixed >= c) {
                        return None;
                    }
                    found.push(Index { term, stride, count });
                    ty = (*element).clone();
                }
                Type::Record(id) if !self.types.record(id).union => {
                    let fields = &self.types.record(id).fields;
                    let field = fields.iter().rev().find(|f| f.offset <= rest)?;
                    offset += field.offset;
                    rest -= field.offset;
                    if field.bits.is_some() {
                        break;
                    }
                    ty = field.ty.clone();
                }
                _ => break,
            }
        }
        // An index that may leave its array is decided by the address, unless the index alone says that it stays inside.
        (indices.is_empty()).then_some(Address::Object { object, offset: offset + rest, indices: found })
    }

    /// The cases of one scalar for a pointer of any value.
    #[allow(clippy::too_many_arguments, reason = "an access and where variables go")]
    fn pointer_cases(
        &mut self,
        pointer: Term,
        bit: u32,
        object: ObjectId,
        leaf: usize,
        access: &Access,
        cases: &mut Vec<Case>,
        variables: &mut Vec<Variable>,
        position: impl Fn(usize) -> Position + Copy,
    ) {
        let found = self.points_to.leaves(object)[leaf].clone();
        if access.width > found.width || !bool_fits(&found, access) {
            return;
        }
        let step = access.width.max(8) as usize;
        let lows: Vec<u32> = if found.width == access.width {
            vec![0]
        } else {
            (0..=found.width - access.width).step_by(step).collect()
        };
        for low in lows {
            let start = found.offset + u64::from(low);
            if start % 8 != u64::from(bit) {
                continue;
            }
            let relative =
                pointer.bv_sub(self.address(object)).bv_sub(Term::bv(self.width, u128::from(start / 8)));
            let dimensions = self.dimensions(object, &found);
            let (condition, index) = split(relative, &dimensions, self.width);
            let variable = self.variable(object, leaf, variables, position);
            cases.push(Case { condition, variable, index, low });
        }
    }
}

/// Whether a truth value is read as one, or a number as a number.
fn bool_fits(leaf: &Leaf, access: &Access) -> bool {
    let leaf_is_bool = leaf.width == 1 && *leaf.ty.unatomic() == Type::Bool;
    leaf_is_bool == (access.sort() == Sort::Bool)
        || (!leaf_is_bool && access.sort() == Sort::Bool && leaf.width >= 8)
}

/// From an offset in bytes to the condition that it falls on an element, and the number of the element.
fn split(relative: Term, dimensions: &[(Option<u64>, u64)], width: u32) -> (Term, Option<Term>) {
    let literal = |n: u64| Term::bv(width, u128::from(n));
    if dimensions.is_empty() {
        return (relative.equals(literal(0)), None);
    }
    let (mut rest, mut index, mut condition) = (relative, literal(0), Term::tru());
    for (count, stride) in dimensions {
        let stride = (*stride).max(1);
        if let Some(bytes) = count.and_then(|c| c.checked_mul(stride)) {
            condition = condition.and(rest.ult(literal(bytes)));
        }
        let (position, remainder) = if stride.is_power_of_two() {
            (rest.bv_lshr(literal(u64::from(stride.trailing_zeros()))), rest.bv_and(literal(stride - 1)))
        } else {
            (rest.bv_udiv(literal(stride)), rest.bv_urem(literal(stride)))
        };
        index = index.bv_mul(literal(count.unwrap_or(1))).bv_add(position);
        rest = remainder;
    }
    (condition.and(rest.equals(literal(0))), Some(index.resize_unsigned(INDEX_WIDTH)))
}

fn flatten(term: Term, parts: &mut Vec<Term>) {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if *term.op() == smt::Op::BvAdd { stack.extend(term.args()) } else { parts.push(term) }
    }
}

/// A literal value put into another, for initial values.
fn store(whole: Value, index: Option<u64>, low: u32, width: u32, new: Value) -> Option<Value> {
    match (whole, index) {
        (Value::Array(array), Some(index)) => {
            let at = Bits::new(INDEX_WIDTH, u128::from(index));
            let old = array.select(&at).clone();
            Some(Value::Array(array.store(at, store(old, None, low, width, new)?)))
        }
        (Value::Bool(_), _) => match new {
            Value::Bool(_) => Some(new),
            Value::Bits(bits) => Some(Value::Bool(!bits.is_zero())),
            Value::Array(_) => None,
        },
        (Value::Bits(old), _) => {
            let new = match new {
                Value::Bool(truth) => Bits::new(8.min(width), u128::from(truth)),
                Value::Bits(bits) => bits,
                Value::Array(_) => return None,
            };
            let term = insert(Term::bits(old), Term::bits(new), low);
            term.as_value()
        }
        (Value::Array(array), None) => {
            let _: &ArrayValue = &array;
            None
        }
    }
}

/// Bits `low..` of a number replaced.
pub(crate) fn insert(old: Term, new: Term, low: u32) -> Term {
    let (width, size) = (old.width(), new.width());
    if size >= width {
        return new.resize_unsigned(width);
    }
    let mut term = new;
    if low > 0 {
        term = term.concat(old.extract(low - 1, 0));
    }
    if low + size < width {
        term = old.extract(width - 1, low + size).concat(term);
    }
    term
}
