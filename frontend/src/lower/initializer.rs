//! Initialisers (C11 6.7.9): braces, designators, left-out braces, strings; for locals as stores, for statics as values.

use super::context::{Lowered, Lowerer, unsupported, wrong};
use super::expression::{Operand, Place, PlaceKind};
use super::graph::{Address, Index, InitialValue, ObjectId, Storage};
use crate::types::Type;
use lang_c::ast::{self, Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};
use smt::Term;
use std::rc::Rc;

/// How many elements a range designator or a string may give.
const MAX_ITEMS: usize = 1 << 20;

/// Where inside of the initialised object.
#[derive(Clone, Debug, Default)]
struct Path {
    offset: u64,
    indices: Vec<Index>,
}

/// One scalar (or a struct by value) and what it gets.
struct Item<'a> {
    path: Path,
    ty: Type,
    bits: Option<u32>,
    value: ItemValue<'a>,
}

enum ItemValue<'a> {
    Expression(&'a Node<Expression>),
    Byte(u8),
    Number(i128),
}

type Items<'a> = Vec<Item<'a>>;

impl<'a> Lowerer<'a> {
    /// The type of a variable, with the length of an array from its initialiser.
    pub(crate) fn completed(
        &mut self,
        ty: Type,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<Type> {
        let (Type::Array(element, None), Some(initializer)) = (&ty, initializer) else { return Ok(ty) };
        let count = match &initializer.node {
            Initializer::Expression(expression) => match string_of(expression) {
                Some(bytes) => bytes.len() as u64 + 1,
                None => return wrong(initializer.span, "an array needs a list in braces"),
            },
            Initializer::List(items) => match items.as_slice() {
                [only]
                    if only.node.designation.is_empty()
                        && braced_string(&only.node.initializer).is_some()
                        && is_char(element) =>
                {
                    braced_string(&only.node.initializer).map_or(0, |b| b.len() as u64 + 1)
                }
                _ => {
                    let mut all = Vec::new();
                    self.array_items(element, None, items, &Path::default(), &mut all)?
                }
            },
        };
        Ok(Type::Array(element.clone(), Some(count)))
    }

    /// Stores the initial values of a local.
    pub(crate) fn local_initializer(
        &mut self,
        place: &Place,
        initializer: &'a Node<Initializer>,
    ) -> Lowered<()> {
        if let Initializer::Expression(expression) = &initializer.node
            && (place.ty.is_scalar() || string_of(expression).is_none())
            && !self.is_model_initializer(&place.ty, expression.span.start)
        {
            return match self.hinted(expression, &place.ty)? {
                Operand::Scalar(value) => {
                    let value = self.convert(&value, &place.ty, expression.span)?;
                    self.write(place, value.term);
                    Ok(())
                }
                Operand::Aggregate(source) => self.copy(place, &source, expression.span),
                Operand::Void => wrong(expression.span, "a value is needed here, and this has none"),
            };
        }
        for item in self.items_of(&place.ty.clone(), initializer)? {
            let target = self.part_at(place, &item);
            match item.value {
                ItemValue::Byte(byte) => self.write(&target, Term::bv(8, u128::from(byte))),
                ItemValue::Number(number) => {
                    let value = self.number(&item.ty, number);
                    self.write(&target, value);
                }
                ItemValue::Expression(expression) => match self.hinted(expression, &item.ty)? {
                    Operand::Scalar(value) => {
                        let value = self.convert(&value, &item.ty, expression.span)?;
                        self.write(&target, value.term);
                    }
                    Operand::Aggregate(source) => self.copy(&target, &source, expression.span)?,
                    Operand::Void => {
                        return wrong(expression.span, "a value is needed here, and this has none");
                    }
                },
            }
        }
        Ok(())
    }

    fn number(&self, ty: &Type, number: i128) -> Term {
        if *ty.unatomic() == Type::Bool {
            Term::bool(number != 0)
        } else {
            Term::bv_signed(self.types.width(ty), number)
        }
    }

    /// The scalars of a model struct that a list of the system's headers gives.
    fn model_items(
        &mut self,
        ty: &Type,
        numbers: &[i128],
        span: Span,
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        for (offset, ty, number) in self.model_values(ty, numbers, span)? {
            let mut inner = path.clone();
            inner.offset += offset;
            items.push(Item { path: inner, ty, bits: None, value: ItemValue::Number(number) });
        }
        Ok(())
    }

    fn part_at(&self, place: &Place, item: &Item<'a>) -> Place {
        let kind = match &place.kind {
            PlaceKind::Memory(Address::Object { object, offset, indices }) => {
                let indices = indices.iter().chain(&item.path.indices).cloned().collect();
                PlaceKind::Memory(Address::Object {
                    object: *object,
                    offset: offset + item.path.offset,
                    indices,
                })
            }
            other => other.clone(),
        };
        Place { bits: item.bits, ..Place::new(kind, item.ty.clone()) }
    }

    /// The values of a static object at the start.
    pub(crate) fn static_initializer(
        &mut self,
        object: ObjectId,
        initializer: &'a Node<Initializer>,
    ) -> Lowered<()> {
        let ty = self.completed(self.objects[object.index()].ty.clone(), Some(initializer))?;
        self.objects[object.index()].ty = ty.clone();
        let mut values: Vec<InitialValue> = Vec::new();
        for item in self.items_of(&ty, initializer)? {
            let indexed: u64 = item.path.indices.iter().map(|i| literal(i.term) * i.stride * 8).sum();
            let offset = item.path.offset + indexed;
            let value = match item.value {
                ItemValue::Byte(byte) => Term::bv(8, u128::from(byte)),
                ItemValue::Number(number) => self.number(&item.ty, number),
                ItemValue::Expression(expression) => match self.static_value(expression, &item)? {
                    StaticValue::Scalar(term) => term,
                    StaticValue::Aggregate(source) => {
                        values.extend(
                            source.into_iter().map(|v| InitialValue { offset: v.offset + offset, ..v }),
                        );
                        continue;
                    }
                },
            };
            values.retain(|v| v.offset != offset);
            values.push(InitialValue { offset, value });
        }
        self.objects[object.index()].init = Some(values);
        Ok(())
    }

    fn static_value(&mut self, expression: &'a Node<Expression>, item: &Item<'a>) -> Lowered<StaticValue> {
        let builder = self.builder.take();
        let operand = self.hinted(expression, &item.ty);
        let converted = match operand {
            Ok(Operand::Scalar(value)) => {
                self.convert(&value, &item.ty, expression.span).map(|v| StaticValue::Scalar(v.term))
            }
            Ok(Operand::Aggregate(place)) => match place.kind {
                // A compound literal.
                PlaceKind::Memory(Address::Object { object, offset: 0, .. }) => {
                    Ok(StaticValue::Aggregate(self.objects[object.index()].init.clone().unwrap_or_default()))
                }
                _ => wrong(expression.span, "a constant is needed here"),
            },
            Ok(Operand::Void) => wrong(expression.span, "a value is needed here"),
            Err(refusal) => Err(refusal),
        };
        self.builder = builder;
        let value = converted?;
        if let StaticValue::Scalar(term) = &value
            && !item.ty.is_float()
            && term.constants().iter().any(|c| c.as_constant().is_none_or(|s| !s.as_str().starts_with('&')))
        {
            return wrong(expression.span, "the initial value of a static variable must be constant");
        }
        if let StaticValue::Scalar(term) = &value
            && let Some(bits) = item.bits
            && !term.sort().is_bool()
        {
            return Ok(StaticValue::Scalar(term.resize_unsigned(bits)));
        }
        Ok(value)
    }

    /// `(T){ ... }`: an object of its own.
    pub(crate) fn compound_literal(
        &mut self,
        literal: &'a Node<ast::CompoundLiteral>,
        span: Span,
    ) -> Lowered<Place> {
        let ty = self.type_name(&literal.node.type_name)?;
        let items = &literal.node.initializer_list;
        let ty = match &ty {
            Type::Array(element, None) => {
                let count = self.array_items(element, None, items, &Path::default(), &mut Vec::new())?;
                Type::Array(element.clone(), Some(count))
            }
            _ => ty,
        };
        let is_static = self.builder.is_none();
        let storage = if is_static { Storage::Static } else { Storage::Automatic };
        let name = format!("{}::$literal", self.function_name());
        let object = self.new_object(&name, ty.clone(), storage, span.start);
        let place = Place::object(object, ty.clone());
        let mut all = Vec::new();
        self.list_items(&ty, items, &Path::default(), &mut all)?;
        if is_static {
            let mut values = Vec::new();
            for item in all {
                let indexed: u64 =
                    item.path.indices.iter().map(|i| self::literal(i.term) * i.stride * 8).sum();
                let offset = item.path.offset + indexed;
                match item.value {
                    ItemValue::Byte(byte) => {
                        values.push(InitialValue { offset, value: Term::bv(8, u128::from(byte)) })
                    }
                    ItemValue::Number(number) => {
                        values.push(InitialValue { offset, value: self.number(&item.ty, number) })
                    }
                    ItemValue::Expression(expression) => {
                        if let StaticValue::Scalar(value) = self.static_value(expression, &item)? {
                            values.push(InitialValue { offset, value });
                        }
                    }
                }
            }
            self.objects[object.index()].init = Some(values);
            return Ok(place);
        }
        self.emit(super::graph::Op::Clear(object));
        for item in all {
            let target = self.part_at(&place, &item);
            if let ItemValue::Expression(expression) = item.value {
                match self.hinted(expression, &item.ty)? {
                    Operand::Scalar(value) => {
                        let value = self.convert(&value, &item.ty, expression.span)?;
                        self.write(&target, value.term);
                    }
                    Operand::Aggregate(source) => self.copy(&target, &source, expression.span)?,
                    Operand::Void => return wrong(expression.span, "a value is needed here"),
                }
            } else if let ItemValue::Byte(byte) = item.value {
                self.write(&target, Term::bv(8, u128::from(byte)));
            } else if let ItemValue::Number(number) = item.value {
                let value = self.number(&item.ty, number);
                self.write(&target, value);
            }
        }
        Ok(place)
    }

    // From the syntax to scalars

    fn items_of(&mut self, ty: &Type, initializer: &'a Node<Initializer>) -> Lowered<Items<'a>> {
        let mut items = Vec::new();
        match &initializer.node {
            Initializer::List(list) => self.list_items(ty, list, &Path::default(), &mut items)?,
            Initializer::Expression(expression) => match (ty.unatomic(), string_of(expression)) {
                (Type::Array(element, count), Some(bytes)) if is_char(element) => {
                    self.string_items(element, *count, &bytes, &Path::default(), &mut items);
                }
                _ if self.is_model_initializer(ty, expression.span.start)
                    && !matches!(self.type_of(expression), Ok(Type::Record(_))) =>
                {
                    let number = self.constant(expression)?;
                    self.model_items(ty, &[number], expression.span, &Path::default(), &mut items)?;
                }
                _ => items.push(Item {
                    path: Path::default(),
                    ty: ty.clone(),
                    bits: None,
                    value: ItemValue::Expression(expression),
                }),
            },
        }
        Ok(items)
    }

    fn string_items(
        &mut self,
        element: &Rc<Type>,
        count: Option<u64>,
        bytes: &[u8],
        path: &Path,
        items: &mut Items<'a>,
    ) {
        let limit = count.unwrap_or(u64::MAX);
        for (index, byte) in bytes.iter().chain(&[0]).enumerate().take(MAX_ITEMS) {
            if (index as u64) < limit {
                let path = self.indexed(path, element, count, index as u64);
                items.push(Item { path, ty: (**element).clone(), bits: None, value: ItemValue::Byte(*byte) });
            }
        }
    }

    fn indexed(&self, path: &Path, element: &Type, count: Option<u64>, index: u64) -> Path {
        let stride = self.types.size(element).unwrap_or(1);
        let term = Term::bv(self.pointer_width(), u128::from(index));
        let mut path = path.clone();
        path.indices.push(Index { term, stride, count });
        path
    }

    /// A list in braces for an object of a type.
    fn list_items(
        &mut self,
        ty: &Type,
        list: &'a [Node<InitializerListItem>],
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        if let Some(first) = list.first()
            && self.is_model_initializer(ty, first.span.start)
        {
            let mut numbers = Vec::new();
            list.iter().for_each(|item| self.flatten(&item.node.initializer, &mut numbers));
            return self.model_items(ty, &numbers, first.span, path, items);
        }
        match ty.unatomic() {
            Type::Array(element, count) => {
                if let [only] = list
                    && only.node.designation.is_empty()
                    && is_char(element)
                    && let Some(bytes) = braced_string(&only.node.initializer)
                {
                    self.string_items(element, *count, &bytes, path, items);
                    return Ok(());
                }
                self.array_items(element, *count, list, path, items).map(|_| ())
            }
            Type::Record(_) => self.record_items(ty, list, path, items),
            _ => match list.first() {
                None => Ok(()),
                Some(first) => match &first.node.initializer.node {
                    Initializer::List(inner) => self.list_items(ty, inner, path, items),
                    Initializer::Expression(expression) => {
                        let value = ItemValue::Expression(expression);
                        items.push(Item { path: path.clone(), ty: ty.clone(), bits: None, value });
                        Ok(())
                    }
                },
            },
        }
    }

    /// Elements of an array; returns how many the list gives.
    fn array_items(
        &mut self,
        element: &Rc<Type>,
        count: Option<u64>,
        list: &'a [Node<InitializerListItem>],
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<u64> {
        let (mut at, mut next, mut length) = (0, 0u64, 0u64);
        while at < list.len() {
            let mut rest: &'a [Node<Designator>] = &[];
            let mut last = next;
            if let Some((first, others)) = list[at].node.designation.split_first() {
                rest = others;
                (next, last) = match &first.node {
                    Designator::Index(index) => {
                        let index = self.index_constant(index)?;
                        (index, index)
                    }
                    Designator::Range(range) => {
                        (self.index_constant(&range.node.from)?, self.index_constant(&range.node.to)?)
                    }
                    Designator::Member(name) => return wrong(name.span, "an array has no members"),
                };
                if last < next || last - next > MAX_ITEMS as u64 {
                    return wrong(first.span, "this range of elements is empty or too large");
                }
            }
            if count.is_some_and(|c| last >= c) {
                return wrong(list[at].span, "there are more values than the array has elements");
            }
            let start = at;
            for index in next..=last {
                at = start;
                let inner = self.indexed(path, element, count, index);
                self.element_items(element, None, list, &mut at, rest, &inner, items)?;
            }
            next = last + 1;
            length = length.max(next);
        }
        Ok(length)
    }

    fn index_constant(&mut self, index: &'a Node<Expression>) -> Lowered<u64> {
        let value = self.constant(index)?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => wrong(index.span, "an index must not be negative"),
        }
    }

    fn record_items(
        &mut self,
        ty: &Type,
        list: &'a [Node<InitializerListItem>],
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        let mut at = 0;
        self.members(ty, list, &mut at, path, items, true)
    }

    /// Members of a struct from a list, in braces of its own or not.
    fn members(
        &mut self,
        ty: &Type,
        list: &'a [Node<InitializerListItem>],
        at: &mut usize,
        path: &Path,
        items: &mut Items<'a>,
        braced: bool,
    ) -> Lowered<()> {
        let Type::Record(id) = *ty.unatomic() else { return Ok(()) };
        let record = self.types.record(id).clone();
        let mut position = 0;
        while *at < list.len() {
            let designation = &list[*at].node.designation;
            let mut rest: &'a [Node<Designator>] = &[];
            let field = if let Some((first, others)) = designation.split_first() {
                if !braced {
                    return Ok(());
                }
                let Designator::Member(name) = &first.node else {
                    return wrong(first.span, "a struct is not indexed");
                };
                let Some((offset, field)) = self.types.field(id, &name.node.name) else {
                    return wrong(first.span, format!("there is no member '{}'", name.node.name));
                };
                let mut field = field.clone();
                field.offset = offset;
                position = record
                    .fields
                    .iter()
                    .position(|f| {
                        f.offset + self.bits(f) > offset || f.name.as_deref() == Some(&name.node.name)
                    })
                    .map_or(record.fields.len(), |p| p + 1);
                rest = others;
                field
            } else {
                while record.fields.get(position).is_some_and(|f| f.name.is_none() && f.bits.is_some()) {
                    position += 1;
                }
                let Some(field) = record.fields.get(position) else {
                    if braced {
                        return wrong(list[*at].span, "there are more values than members");
                    }
                    return Ok(());
                };
                position += 1;
                field.clone()
            };
            let mut inner = path.clone();
            inner.offset += field.offset;
            self.element_items(&field.ty, field.bits, list, at, rest, &inner, items)?;
            if record.union && designation.is_empty() {
                if braced {
                    return Ok(());
                }
                return Ok(());
            }
        }
        Ok(())
    }

    fn bits(&self, field: &crate::types::Field) -> u64 {
        field.bits.map_or(self.types.size(&field.ty).unwrap_or(0) * 8, u64::from)
    }

    /// One member or element: takes one item of the list, or several if its braces were left out.
    #[allow(clippy::too_many_arguments, reason = "a position in the list and one in the object")]
    fn element_items(
        &mut self,
        ty: &Type,
        bits: Option<u32>,
        list: &'a [Node<InitializerListItem>],
        at: &mut usize,
        designators: &'a [Node<Designator>],
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        if let Some((first, rest)) = designators.split_first() {
            return self.designated(ty, first, rest, list, at, path, items);
        }
        let item = &list[*at];
        match &item.node.initializer.node {
            Initializer::List(inner) => {
                *at += 1;
                self.list_items(ty, inner, path, items)
            }
            Initializer::Expression(expression) => {
                if let Type::Array(element, count) = ty.unatomic() {
                    if is_char(element)
                        && let Some(bytes) = string_of(expression)
                    {
                        *at += 1;
                        self.string_items(element, *count, &bytes, path, items);
                        return Ok(());
                    }
                    let Some(count) = *count else {
                        return unsupported(
                            expression.span,
                            "values for an array without length are not modelled",
                        );
                    };
                    for index in 0..count {
                        if *at >= list.len() || (index > 0 && !list[*at].node.designation.is_empty()) {
                            break;
                        }
                        let inner = self.indexed(path, element, Some(count), index);
                        self.element_items(element, None, list, at, &[], &inner, items)?;
                    }
                    return Ok(());
                }
                if let Type::Record(_) = ty.unatomic()
                    && !matches!(self.type_of(expression), Ok(Type::Record(_)))
                {
                    if self.is_model_initializer(ty, expression.span.start) {
                        *at += 1;
                        let number = self.constant(expression)?;
                        return self.model_items(ty, &[number], expression.span, path, items);
                    }
                    return self.members_elided(ty, list, at, path, items);
                }
                *at += 1;
                let value = ItemValue::Expression(expression);
                items.push(Item { path: path.clone(), ty: ty.clone(), bits, value });
                Ok(())
            }
        }
    }

    fn members_elided(
        &mut self,
        ty: &Type,
        list: &'a [Node<InitializerListItem>],
        at: &mut usize,
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        let Type::Record(id) = *ty.unatomic() else { return Ok(()) };
        let record = self.types.record(id).clone();
        for (index, field) in record.fields.iter().enumerate() {
            if *at >= list.len() || (index > 0 && !list[*at].node.designation.is_empty()) {
                break;
            }
            if field.name.is_none() && field.bits.is_some() {
                continue;
            }
            let mut inner = path.clone();
            inner.offset += field.offset;
            self.element_items(&field.ty, field.bits, list, at, &[], &inner, items)?;
            if record.union {
                break;
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "a position in the list and one in the object")]
    fn designated(
        &mut self,
        ty: &Type,
        first: &'a Node<Designator>,
        rest: &'a [Node<Designator>],
        list: &'a [Node<InitializerListItem>],
        at: &mut usize,
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        match (&first.node, ty.unatomic().clone()) {
            (Designator::Member(name), Type::Record(id)) => {
                let Some((offset, field)) = self.types.field(id, &name.node.name) else {
                    return wrong(first.span, format!("there is no member '{}'", name.node.name));
                };
                let (ty, bits) = (field.ty.clone(), field.bits);
                let mut inner = path.clone();
                inner.offset += offset;
                self.element_items(&ty, bits, list, at, rest, &inner, items)
            }
            (Designator::Index(index), Type::Array(element, count)) => {
                let index = self.index_constant(index)?;
                let inner = self.indexed(path, &element, count, index);
                self.element_items(&element, None, list, at, rest, &inner, items)
            }
            _ => wrong(first.span, "this designator does not fit the type"),
        }
    }
}

enum StaticValue {
    Scalar(Term),
    Aggregate(Vec<InitialValue>),
}

fn literal(term: Term) -> u64 {
    term.as_bits().and_then(|b| b.to_u128()).and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

fn is_char(ty: &Type) -> bool {
    use crate::types::IntKind::{Char, SChar, UChar};
    matches!(ty.unatomic(), Type::Int(Char | SChar | UChar))
}

fn string_of(expression: &Node<Expression>) -> Option<Vec<u8>> {
    match &expression.node {
        Expression::StringLiteral(literal) => Some(super::literal::string_bytes(&literal.node)),
        _ => None,
    }
}

fn braced_string(initializer: &Node<Initializer>) -> Option<Vec<u8>> {
    match &initializer.node {
        Initializer::Expression(expression) => string_of(expression),
        Initializer::List(_) => None,
    }
}
