//! Objects become variables, and accesses through pointers become case distinctions.
//!
//! Each object has an address of its own, a number (`layout`); so pointers are numbers, too, and casts, comparisons and arithmetic on
//! them mean what they mean on the machine. Each cell of an object is a variable, made when it is first needed. An access through a
//! pointer has one case for each cell that it may touch, decided by the address (`cases`). Besides its contents an object has, where
//! that matters, a variable that says whether it lives, one for its size, and one for its address (`renewed`).

mod cases;
mod decompose;
mod initial;
mod renewed;
#[cfg(test)]
mod tests;

pub(crate) use cases::{Case, insert};

use super::graph::{FunctionId, Object, ObjectId, Storage, address_name};
use super::layout::Layout;
use super::lifetime::Lifetimes;
use super::points_to::PointsTo;
use crate::program::{DataType, NamedAddress, Position, Scope, Variable, VariableId};
use crate::source::SourceMap;
use crate::types::{Leaf, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Symbol, Term, Value};

/// The width of array indices.
pub(crate) const INDEX_WIDTH: u32 = 32;

/// All variables of the program, with names that nobody else has.
pub(crate) struct Variables<'a> {
    pub list: Vec<Variable>,
    names: FxHashSet<Symbol>,
    map: &'a SourceMap,
}

impl<'a> Variables<'a> {
    /// None yet; `names` are taken.
    pub(crate) fn new(names: FxHashSet<Symbol>, map: &'a SourceMap) -> Variables<'a> {
        Variables { list: Vec::new(), names, map }
    }

    /// A variable with this name, or one like it.
    pub(crate) fn add(
        &mut self,
        name: &str,
        scope: Scope,
        data_type: DataType,
        init: Option<Value>,
        position: Position,
    ) -> VariableId {
        let mut symbol = Symbol::new(name);
        let mut count = 1;
        while !self.names.insert(symbol) {
            count += 1;
            symbol = Symbol::new(&format!("{name}#{count}"));
        }
        self.add_named(symbol, scope, data_type, init, position)
    }

    /// A variable whose name is taken for it.
    pub(crate) fn add_named(
        &mut self,
        name: Symbol,
        scope: Scope,
        data_type: DataType,
        init: Option<Value>,
        position: Position,
    ) -> VariableId {
        let id = VariableId(self.list.len() as u32);
        self.list.push(Variable { name, scope, data_type, init, identity: false, position });
        id
    }

    pub(crate) fn get(&self, id: VariableId) -> &Variable {
        &self.list[id.index()]
    }

    pub(crate) fn term(&self, id: VariableId) -> Term {
        self.get(id).term()
    }
}

/// Addresses and variables of all objects.
pub(crate) struct Memory<'a> {
    types: &'a Types,
    objects: &'a [Object],
    pub points_to: PointsTo<'a>,
    layouts: Vec<Layout>,
    shared: Vec<bool>,
    pub lifetimes: Lifetimes,
    pub variables: Variables<'a>,
    cells: FxHashMap<(ObjectId, usize), VariableId>,
    alive: FxHashMap<ObjectId, VariableId>,
    sizes: FxHashMap<ObjectId, VariableId>,
    /// Addresses that change.
    addresses: FxHashMap<ObjectId, VariableId>,
    by_address: FxHashMap<Symbol, ObjectId>,
    values: smt::Substitution,
    width: u32,
    /// Whether indices of declared arrays were compared with their bounds before.
    bounds_checked: bool,
}

/// What is known about objects before they become variables.
pub(crate) struct Known<'a> {
    pub types: &'a Types,
    pub objects: &'a [Object],
    pub points_to: PointsTo<'a>,
    pub layouts: Vec<Layout>,
    /// Which objects all threads see.
    pub shared: Vec<bool>,
    pub lifetimes: Lifetimes,
    pub bounds_checked: bool,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(known: Known<'a>, variables: Variables<'a>) -> Memory<'a> {
        let Known { types, objects, points_to, layouts, shared, lifetimes, bounds_checked } = known;
        let width = types.model.pointer_width();
        let (mut map, mut by_address) = (FxHashMap::default(), FxHashMap::default());
        for (index, (object, layout)) in objects.iter().zip(&layouts).enumerate() {
            let name = address_name(object.name);
            map.insert(
                Term::constant(name, Sort::BitVec(width)),
                Term::bv(width, u128::from(layout.address)),
            );
            by_address.insert(name, ObjectId(index as u32));
        }
        let mut memory = Memory {
            types,
            objects,
            points_to,
            layouts,
            shared,
            lifetimes,
            variables,
            cells: FxHashMap::default(),
            alive: FxHashMap::default(),
            sizes: FxHashMap::default(),
            addresses: FxHashMap::default(),
            by_address,
            values: smt::Substitution::default(),
            width,
            bounds_checked,
        };
        memory.vary_addresses(&mut map);
        memory.values = smt::Substitution::new(map);
        memory
    }

    /// The term with addresses as numbers.
    pub(crate) fn value(&mut self, term: Term) -> Term {
        self.values.apply(term)
    }

    /// Names of addresses, in order: of objects that the program uses, and of functions that pointers may point to.
    pub(crate) fn named_addresses(&self, taken: &FxHashSet<FunctionId>) -> Vec<NamedAddress> {
        let used: FxHashSet<ObjectId> = self.cells.keys().map(|(object, _)| *object).collect();
        let all = self.objects.iter().zip(&self.layouts).enumerate();
        let shown = all.filter(|(index, (object, _))| match object.storage {
            Storage::Code(function) => taken.contains(&function),
            _ => used.contains(&ObjectId(*index as u32)),
        });
        let named = shown.flat_map(|(index, (object, layout))| {
            let is_renewed = self.addresses.contains_key(&ObjectId(index as u32));
            (0..if is_renewed { layout.addresses } else { 1 }).map(|number| NamedAddress {
                name: address_name(object.name),
                address: layout.address + number * layout.pitch,
                size: layout.reserved(),
            })
        });
        named.collect()
    }

    pub(crate) fn layout(&self, object: ObjectId) -> &Layout {
        &self.layouts[object.index()]
    }

    /// The address of an object of a site as a number.
    pub(crate) fn slot_address(&self, object: ObjectId, slot: u64) -> Term {
        let layout = self.layout(object);
        Term::bv(self.width, u128::from(layout.address + slot * layout.pitch))
    }

    /// Whether all threads see the object.
    pub(crate) fn is_shared(&self, object: ObjectId) -> bool {
        self.shared[object.index()]
    }

    fn scope(&self, object: ObjectId) -> Scope {
        if self.shared[object.index()] { Scope::Shared } else { Scope::Local }
    }

    /// One value for each object of a site.
    fn per_slot(&self, object: ObjectId, element: DataType) -> DataType {
        match self.layout(object).slots {
            1 => element,
            slots => {
                DataType::Array { index_width: INDEX_WIDTH, length: Some(slots), element: Box::new(element) }
            }
        }
    }

    /// The variable of a cell; made when it is first needed.
    pub(crate) fn variable(&mut self, object: ObjectId, cell: usize) -> VariableId {
        if let Some(known) = self.cells.get(&(object, cell)) {
            return *known;
        }
        let layout = self.layout(object);
        let found = layout.cells[cell].clone();
        let element = self.data_type(&found);
        let data_type = if layout.dimensions(&found).is_empty() {
            element
        } else {
            let is_open = layout.size.is_none() && found.dimensions.iter().any(|(count, _)| count.is_none());
            let length = (!is_open).then(|| layout.length(&found));
            DataType::Array { index_width: INDEX_WIDTH, length, element: Box::new(element) }
        };
        let scope = if found.thread_local { Scope::Local } else { self.scope(object) };
        let init = self.initial(object, &found, &data_type);
        let about = &self.objects[object.index()];
        let mut name = format!("{}{}", about.name, found.path);
        if found.thread_local {
            name.push_str("@self");
        }
        let position = self.variables.map.position(about.offset);
        let id = self.variables.add(&name, scope, data_type, init, position);
        self.cells.insert((object, cell), id);
        id
    }

    fn data_type(&self, cell: &Leaf) -> DataType {
        match cell.ty.unatomic() {
            Type::Bool if cell.width == 1 => DataType::Bool,
            ty => DataType::Int { width: cell.width, signed: self.types.signed(ty) },
        }
    }

    /// A variable about an object, or one value for each object of a site.
    fn ghost(&mut self, object: ObjectId, suffix: &str, element: DataType) -> VariableId {
        let data_type = self.per_slot(object, element);
        let about = &self.objects[object.index()];
        let (name, offset) = (format!("{}.{suffix}", about.name), about.offset);
        let init = Some(Value::zero(data_type.sort()));
        let position = self.variables.map.position(offset);
        self.variables.add(&name, self.scope(object), data_type, init, position)
    }

    /// Which objects of an allocation site are in use, or whether a local lives.
    pub(crate) fn alive(&mut self, object: ObjectId) -> VariableId {
        if let Some(known) = self.alive.get(&object) {
            return *known;
        }
        let suffix =
            if matches!(self.objects[object.index()].storage, Storage::Heap(_)) { "used" } else { "alive" };
        let id = self.ghost(object, suffix, DataType::Bool);
        self.alive.insert(object, id);
        id
    }

    /// The size in bytes of objects whose size is known only when they are allocated, or declared.
    pub(crate) fn size(&mut self, object: ObjectId) -> Option<VariableId> {
        let is_measured = match self.objects[object.index()].storage {
            Storage::Heap(_) | Storage::Automatic => self.layout(object).size.is_none(),
            Storage::Static | Storage::ThreadLocal | Storage::Code(_) => false,
        };
        if !is_measured {
            return None;
        }
        if let Some(known) = self.sizes.get(&object) {
            return Some(*known);
        }
        let id = self.ghost(object, "size", DataType::Int { width: self.width, signed: false });
        self.sizes.insert(object, id);
        Some(id)
    }

    /// What a variable says about the object of a site with this number.
    pub(crate) fn of_slot(&self, object: ObjectId, variable: VariableId, slot: Term) -> Term {
        let whole = self.variables.term(variable);
        if self.layout(object).slots == 1 { whole } else { whole.select(slot) }
    }

    /// The variable with another value for the object of a site.
    pub(crate) fn with_slot(&self, object: ObjectId, variable: VariableId, slot: Term, value: Term) -> Term {
        let whole = self.variables.term(variable);
        if self.layout(object).slots == 1 { value } else { whole.store(slot, value) }
    }
}
