//! Initialisers as values: for locals as stores, for statics as values at the start, for compound literals as either.

mod items;
mod lists;
mod model;

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::{Operand, Place, PlaceKind};
use crate::lower::graph::{Address, InitialValue, ObjectId, Op, Storage};
use crate::lower::initializer::items::{Item, ItemValue, Items};
use crate::types::Type;
use lang_c::ast::{self, Expression, Initializer};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use smt::Term;

/// What a static object or a part of it is at the start.
enum StaticValue {
    Scalar(Term),
    Aggregate(Vec<InitialValue>),
}

impl<'a> Lowerer<'a> {
    /// The type of a variable, with the length of an array from its initialiser.
    pub(crate) fn completed(
        &mut self,
        ty: Type,
        initializer: Option<&'a Node<Initializer>>,
    ) -> Lowered<Type> {
        let (Type::Array(element, None), Some(initializer)) = (&ty, initializer) else { return Ok(ty) };
        let count = match &initializer.node {
            Initializer::Expression(expression) => match self.string_for(element, expression)? {
                Some(text) => text.units.len() as u64 + 1,
                None if matches!(expression.node, Expression::CompoundLiteral(_)) => {
                    return self.type_of(expression);
                }
                None => return wrong(initializer.span, "an array needs a list in braces"),
            },
            Initializer::List(items) => self.list_length(element, items)?,
        };
        Ok(Type::Array(element.clone(), Some(count)))
    }

    /// Stores the initial values of a local.
    pub(crate) fn local_initializer(
        &mut self,
        place: &Place,
        initializer: &'a Node<Initializer>,
    ) -> Lowered<()> {
        let items = self.items_of(&place.ty.clone(), initializer)?;
        self.store_items(place, items)
    }

    fn store_items(&mut self, place: &Place, items: Items<'a>) -> Lowered<()> {
        for item in items.all {
            let target = self.part_at(place, &item);
            match item.value {
                ItemValue::Unit(unit) => {
                    let value = self.number(&item.ty, i128::from(unit));
                    self.write(&target, value);
                }
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
            // Only whole objects and registers are initialised, and a register has one part.
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
        let items = self.items_of(&ty, initializer)?;
        let values = self.static_values(items)?;
        self.objects[object.index()].init = Some(values);
        Ok(())
    }

    /// The last value of each scalar.
    fn static_values(&mut self, items: Items<'a>) -> Lowered<Vec<InitialValue>> {
        let mut values: Vec<InitialValue> = Vec::new();
        let mut known: FxHashMap<u64, usize> = FxHashMap::default();
        for item in items.all {
            let offset = item.path.absolute;
            let found = match item.value {
                ItemValue::Unit(unit) => {
                    vec![InitialValue { offset, value: self.number(&item.ty, i128::from(unit)) }]
                }
                ItemValue::Number(number) => {
                    vec![InitialValue { offset, value: self.number(&item.ty, number) }]
                }
                ItemValue::Expression(expression) => match self.static_value(expression, &item)? {
                    StaticValue::Scalar(value) => vec![InitialValue { offset, value }],
                    StaticValue::Aggregate(source) => source
                        .into_iter()
                        .map(|value| InitialValue { offset: value.offset + offset, ..value })
                        .collect(),
                },
            };
            for value in found {
                match known.get(&value.offset) {
                    Some(index) => values[*index] = value,
                    None => {
                        known.insert(value.offset, values.len());
                        values.push(value);
                    }
                }
            }
        }
        Ok(values)
    }

    fn static_value(&mut self, expression: &'a Node<Expression>, item: &Item<'a>) -> Lowered<StaticValue> {
        let builder = self.builder.take();
        let result = self.static_operand(expression, item);
        self.builder = builder;
        let value = result?;
        let StaticValue::Scalar(term) = &value else { return Ok(value) };
        let is_address = |c: &Term| c.as_constant().is_some_and(|s| s.as_str().starts_with('&'));
        if !item.ty.is_float() && !term.constants().iter().all(is_address) {
            return wrong(expression.span, "the initial value of a static variable must be constant");
        }
        match item.bits {
            Some(bits) if !term.sort().is_bool() => Ok(StaticValue::Scalar(term.resize_unsigned(bits))),
            _ => Ok(value),
        }
    }

    fn static_operand(&mut self, expression: &'a Node<Expression>, item: &Item<'a>) -> Lowered<StaticValue> {
        match self.hinted(expression, &item.ty)? {
            Operand::Scalar(value) => {
                Ok(StaticValue::Scalar(self.convert(&value, &item.ty, expression.span)?.term))
            }
            Operand::Aggregate(place) => match (&strip(expression).node, place.kind) {
                (
                    Expression::CompoundLiteral(_),
                    PlaceKind::Memory(Address::Object { object, offset: 0, indices }),
                ) if indices.is_empty() => {
                    let values = self.objects[object.index()].init.clone();
                    Ok(StaticValue::Aggregate(values.unwrap_or_default()))
                }
                _ => wrong(expression.span, "a constant is needed here"),
            },
            Operand::Void => wrong(expression.span, "a value is needed here"),
        }
    }

    /// `(T){ ... }`: an object of its own.
    pub(crate) fn compound_literal(
        &mut self,
        literal: &'a Node<ast::CompoundLiteral>,
        span: Span,
    ) -> Lowered<Place> {
        let ty = self.compound_literal_type(literal)?;
        if !self.is_complete(&ty) {
            return wrong(span, "a compound literal needs a complete type");
        }
        let is_static = self.builder.is_none();
        let storage = if is_static { Storage::Static } else { Storage::Automatic };
        let name = format!("{}::$literal", self.function_name());
        let object = self.new_object(&name, ty.clone(), storage, span.start);
        let items = self.items_of_list(&ty, &literal.node.initializer_list)?;
        if is_static {
            let values = self.static_values(items)?;
            self.objects[object.index()].init = Some(values);
        } else {
            self.emit(Op::Clear(object));
            self.store_items(&Place::object(object, ty.clone()), items)?;
        }
        Ok(Place::object(object, ty))
    }

    /// The type of a compound literal, with the length of an array from its list.
    pub(crate) fn compound_literal_type(&mut self, literal: &'a Node<ast::CompoundLiteral>) -> Lowered<Type> {
        let ty = self.type_name(&literal.node.type_name)?;
        let Type::Array(element, None) = &ty else { return Ok(ty) };
        let count = self.list_length(element, &literal.node.initializer_list)?;
        Ok(Type::Array(element.clone(), Some(count)))
    }
}

/// Without conversions to the same type around it.
fn strip(mut expression: &Node<Expression>) -> &Node<Expression> {
    while let Expression::Cast(cast) = &expression.node {
        expression = &cast.node.expression;
    }
    expression
}
