//! Places: variables, members, elements, and what pointers point to.

use super::generator::{Generator, Object, Pointer, Value};
use super::scalar::{Int, Range};
use super::tree::{Tree, tree};
use super::types::{Type, declare};

/// What can be read or assigned to.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) tree: Tree,
    pub(super) ty: Type,
    pub(super) bits: Option<u32>,
    /// The numbers it holds, if it is a scalar.
    pub(super) range: Range,
    /// The objects that it may be in.
    pub(super) roots: Vec<usize>,
}

impl Place {
    /// The integer type of a scalar.
    pub(super) fn kind(&self) -> Option<Int> {
        match &self.ty {
            Type::Int(scalar) => Some(scalar.kind),
            _ => None,
        }
    }
}

impl Generator {
    /// A scalar to read or to write.
    pub(super) fn place(&mut self, write: bool, depth: u32) -> Option<Place> {
        for _ in 0..4 {
            let root = self.root(write, depth)?;
            let place = self.descend(root, depth);
            if place.kind().is_some() {
                return Some(self.viewed(place, write, depth));
            }
        }
        None
    }

    /// A struct or union of this type to read or to write.
    pub(super) fn record_place(&mut self, id: usize, write: bool) -> Option<Place> {
        for _ in 0..6 {
            let mut place = self.root(write, 1)?;
            while place.ty != Type::Record(id) && place.kind().is_none() {
                place = self.inner(place, 1)?;
            }
            if place.ty == Type::Record(id) {
                return Some(place);
            }
        }
        None
    }

    /// A whole variable, or what a pointer points to.
    fn root(&mut self, write: bool, depth: u32) -> Option<Place> {
        let candidates: Vec<usize> =
            self.visible.iter().copied().filter(|&id| self.is_candidate(id, write)).collect();
        if candidates.is_empty() {
            return None;
        }
        // Recent variables more often.
        let start = if self.chance(1, 2) { candidates.len().saturating_sub(4) } else { 0 };
        let id = self.pick(&candidates[start..]);
        let variable = self.variables[id].clone();
        match variable.object {
            Object::Data(ty) => {
                if !write {
                    self.read(id);
                }
                Some(Place {
                    tree: Tree::text(variable.name),
                    ty,
                    bits: None,
                    range: variable.range,
                    roots: vec![id],
                })
            }
            Object::Pointer(pointer) => {
                self.read(id);
                Some(self.pointed(&variable.name, &pointer, write, depth))
            }
            Object::Double(inner) => {
                self.read(id);
                self.read(inner);
                let Object::Pointer(pointer) = self.variables[inner].object.clone() else { return None };
                Some(self.pointed(&format!("(*{})", variable.name), &pointer, write, depth))
            }
            Object::Hidden => None,
        }
    }

    fn is_candidate(&self, id: usize, write: bool) -> bool {
        let allowed = |id: usize| if write { self.may_write(id) } else { self.may_read(id) };
        match &self.variables[id].object {
            Object::Data(_) => allowed(id),
            Object::Pointer(pointer) => {
                self.may_read(id) && pointer.targets.iter().all(|&target| allowed(target))
            }
            Object::Double(inner) => self.may_read(id) && self.is_candidate(*inner, write),
            Object::Hidden => false,
        }
    }

    /// An element that a pointer reaches.
    fn pointed(&mut self, name: &str, pointer: &Pointer, write: bool, depth: u32) -> Place {
        if !write {
            pointer.targets.iter().for_each(|&target| self.read(target));
        }
        let offsets = Range {
            low: -i128::from(pointer.low),
            high: i128::from(pointer.count) - 1 - i128::from(pointer.high),
        };
        let tree = if self.chance(1, 2) {
            tree![format!("(*{name})")]
        } else {
            let index = self.index(offsets, depth);
            match self.random.below(3) {
                0 => tree!["(*(", name, " + ", index.tree, "))"],
                1 if offsets.as_point().is_none() => tree![index.tree, "[", name, "]"],
                _ => tree![name, "[", index.tree, "]"],
            }
        };
        let range = match &pointer.to {
            Type::Int(scalar) => scalar.kind.range(self.model),
            _ => Range::point(0),
        };
        Place { tree, ty: pointer.to.clone(), bits: None, range, roots: pointer.targets.clone() }
    }

    /// An index in a range.
    pub(super) fn index(&mut self, range: Range, depth: u32) -> Value {
        if depth == 0 || range.as_point().is_some() || self.chance(1, 2) {
            let span = (range.high - range.low + 1) as u32;
            let number = range.low + i128::from(self.random.below(span));
            return self.number(number);
        }
        let value = self.value(depth.min(2) - 1);
        self.fit(value, range)
    }

    /// A scalar in a place.
    fn descend(&mut self, place: Place, depth: u32) -> Place {
        let mut place = place;
        while place.kind().is_none() {
            match self.inner(place.clone(), depth) {
                Some(next) => place = next,
                None => return place,
            }
        }
        place
    }

    /// A member or an element.
    pub(super) fn inner(&mut self, place: Place, depth: u32) -> Option<Place> {
        let Place { tree, ty, roots, .. } = place;
        let (tree, ty, bits, range) = match ty {
            Type::Int(_) => return None,
            Type::Array(element, count) => {
                let index = self.index(Range { low: 0, high: i128::from(count) - 1 }, depth);
                let tree = match self.random.below(6) {
                    0 => tree!["(*(", tree, " + ", index.tree, "))"],
                    _ => tree![tree, "[", index.tree, "]"],
                };
                let range = match &*element {
                    Type::Int(scalar) => scalar.kind.range(self.model),
                    _ => Range::point(0),
                };
                (tree, (*element).clone(), None, range)
            }
            Type::Record(id) => {
                let fields: Vec<_> =
                    self.records[id].fields.iter().filter(|field| !field.is_padding()).cloned().collect();
                let field = self.pick(&fields);
                let tree = match (field.name.as_str(), dereferenced(&tree)) {
                    ("", _) => tree,
                    (name, Some(pointer)) if self.chance(1, 2) => tree![format!("{pointer}->{name}")],
                    (name, _) => tree![tree, format!(".{name}")],
                };
                let range = field.range(self.model).unwrap_or(Range::point(0));
                (tree, field.ty, field.bits, range)
            }
        };
        Some(Place { tree, ty, bits, range, roots })
    }

    /// Sometimes a single byte of a number.
    fn viewed(&mut self, place: Place, write: bool, depth: u32) -> Place {
        let Some(kind) = place.kind() else { return place };
        let whole = place.range == kind.range(self.model);
        if !self.features.pointers
            || place.bits.is_some()
            || kind == Int::Bool
            || (write && !whole)
            || !self.chance(1, 12)
        {
            return place;
        }
        let size = kind.size(self.model);
        let index = self.index(Range { low: 0, high: i128::from(size) - 1 }, depth);
        let byte = self.pick(&[Int::UChar, Int::SChar, Int::Char]);
        let tree = tree![format!("(({} *)&", byte.name()), place.tree, ")[", index.tree, "]"];
        let ty = Type::Int(super::types::Scalar::plain(byte));
        Place { tree, ty, range: byte.range(self.model), ..place }
    }

    /// The value of a scalar place.
    pub(super) fn load(&mut self, place: Place) -> Value {
        let kind = place.kind().unwrap_or(Int::Int);
        let mut value = Value::new(kind, place.range, vec![place.tree.into()]);
        value.bits = place.bits;
        self.narrowed(value)
    }

    /// Bit-fields wider than `int` have a type of their own in GNU C; they are converted at once.
    pub(super) fn narrowed(&mut self, value: Value) -> Value {
        match value.bits {
            Some(bits) if bits > 32 && bits < value.kind.width(self.model) => {
                let kind = value.kind;
                self.cast(value, kind)
            }
            _ => value,
        }
    }

    // Pointers

    /// A random part of a variable that a pointer can point to: how to write the address of its first element, the type of
    /// elements, their number.
    pub(super) fn subobject(&mut self, id: usize) -> Option<(String, Type, u64)> {
        let variable = self.variables[id].clone();
        let Object::Data(mut ty) = variable.object else { return None };
        let mut path = variable.name;
        // A variable that must stay in a range cannot be changed through a pointer.
        if let Type::Int(scalar) = &ty
            && (variable.range != scalar.kind.range(self.model) || !variable.writable)
        {
            return None;
        }
        if !variable.writable {
            return None;
        }
        loop {
            match ty {
                Type::Array(element, count) => {
                    if self.chance(2, 3) {
                        return Some((path, (*element).clone(), count));
                    }
                    path = format!("{path}[{}]", self.random.below(count as u32));
                    ty = (*element).clone();
                }
                Type::Record(record) => {
                    if self.chance(1, 2) {
                        return Some((format!("&{path}"), ty, 1));
                    }
                    let fields: Vec<_> =
                        self.records[record].fields.iter().filter(|f| f.bits.is_none()).cloned().collect();
                    if fields.is_empty() {
                        return Some((format!("&{path}"), ty, 1));
                    }
                    let field = self.pick(&fields);
                    if !field.name.is_empty() {
                        path = format!("{path}.{}", field.name);
                    }
                    ty = field.ty;
                }
                Type::Int(_) => return Some((format!("&{path}"), ty, 1)),
            }
        }
    }

    /// A pointer into one or two of the given variables.
    pub(super) fn pointer_into(&mut self, candidates: &[usize]) -> Option<Pointer> {
        let first = self.pick(candidates);
        let (base, to, count) = self.subobject(first)?;
        let mut pointer =
            Pointer { to, targets: vec![first], count, low: 0, high: count - 1, bases: vec![base] };
        for _ in 0..6 {
            if pointer.targets.len() == 1 && self.chance(1, 2) {
                let other = self.pick(candidates);
                if let Some((base, to, count)) = self.subobject(other)
                    && (to == pointer.to && count == pointer.count && base != pointer.bases[0])
                {
                    pointer.targets.push(other);
                    pointer.bases.push(base);
                }
            }
        }
        let ends = [self.random.below(count as u32), self.random.below(count as u32)];
        (pointer.low, pointer.high) = (u64::from(ends[0].min(ends[1])), u64::from(ends[0].max(ends[1])));
        Some(pointer)
    }

    /// An address that a pointer may hold.
    pub(super) fn address(&mut self, pointer: &Pointer, constant: bool) -> Tree {
        let bases = pointer.bases.clone();
        let base = self.pick(&bases);
        let range = Range { low: pointer.low.into(), high: pointer.high.into() };
        let index = if constant { self.known_constant(range).0 } else { self.index(range, 2) };
        match (range.high, self.random.below(3)) {
            (0, 0 | 1) => tree![base],
            (_, 0) => tree![format!("&({base})["), index.tree, "]"],
            _ => tree![format!("({base}) + "), index.tree],
        }
    }

    /// The declaration of a pointer variable.
    pub(super) fn pointer_declaration(&self, to: &Type, name: &str, stars: &str) -> String {
        match to {
            Type::Array(..) => declare(&self.records, to, &format!("({stars}{name})")),
            _ => declare(&self.records, to, &format!("{stars}{name}")),
        }
    }
}

/// The pointer in `(*pointer)`.
fn dereferenced(tree: &Tree) -> Option<String> {
    let text = tree.print("@");
    let inner = text.strip_prefix("(*")?.strip_suffix(')')?;
    inner.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@').then(|| inner.to_owned())
}
