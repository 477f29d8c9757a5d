//! From the syntax of an initialiser to the scalars that it gives values (C11 6.7.9): braces, left-out braces, designators, strings.
//!
//! A list is walked with a position in it and one in the object. A designator moves the latter; what follows goes on behind the
//! subobject that it names, at whichever depth. What is initialised again counts from the last time only.

use crate::lower::context::{Lowered, Lowerer, wrong};
use crate::lower::expression::literal::Text;
use crate::lower::graph::Index;
use crate::types::{Field, RecordId, Type};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use smt::Term;
use std::rc::Rc;

/// How many elements a range designator or a string may give.
pub(super) const MAX_ITEMS: usize = 1 << 20;

/// Where inside of the initialised object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Offset in bits, without indices.
    pub offset: u64,
    pub indices: Vec<Index>,
    /// Offset in bits, with indices.
    pub absolute: u64,
}

/// One scalar (or a struct by value) and what it gets.
pub(crate) struct Item<'a> {
    pub path: Path,
    pub ty: Type,
    pub bits: Option<u32>,
    pub value: ItemValue<'a>,
}

pub(crate) enum ItemValue<'a> {
    Expression(&'a Node<Expression>),
    /// An element of a string.
    Unit(u32),
    Number(i128),
}

pub(super) type List<'a> = &'a [Node<InitializerListItem>];

/// What has been found so far.
#[derive(Default)]
pub(crate) struct Items<'a> {
    pub all: Vec<Item<'a>>,
    /// The member of each union that has a value, by the union's offset.
    pub(super) active: FxHashMap<(u64, RecordId), usize>,
    /// Whether a designator has been met: only then something can be initialised twice.
    pub(super) designated: bool,
}

impl<'a> Items<'a> {
    pub(super) fn push(&mut self, path: &Path, ty: &Type, bits: Option<u32>, value: ItemValue<'a>) {
        self.all.push(Item { path: path.clone(), ty: ty.clone(), bits, value });
    }

    /// The bits from an offset on are initialised as a whole: what they got before does not count.
    pub(super) fn restart(&mut self, from: u64, bits: u64) {
        if self.designated {
            let range = from..from.saturating_add(bits);
            self.all.retain(|item| !range.contains(&item.path.absolute));
            self.active.retain(|(offset, _), _| !range.contains(offset));
        }
    }
}

/// A position in a list, and what the list has given so far.
pub(super) struct Cursor<'a, 'i> {
    pub(super) list: List<'a>,
    pub(super) at: usize,
    pub(super) items: &'i mut Items<'a>,
}

impl<'a> Cursor<'a, '_> {
    pub(super) fn item(&self) -> Option<&'a InitializerListItem> {
        self.list.get(self.at).map(|item| &item.node)
    }

    /// The designators of the item here.
    pub(super) fn designation(&self) -> &'a [Node<Designator>] {
        self.item().map_or(&[], |item| &item.designation)
    }

    pub(super) fn span(&self) -> Span {
        self.list.get(self.at).or(self.list.last()).map_or(Span { start: 0, end: 0 }, |item| item.span)
    }

    /// Whether an item follows that belongs to whatever is being initialised.
    pub(super) fn goes_on(&self) -> bool {
        self.item().is_some_and(|item| item.designation.is_empty())
    }
}
impl<'a> Lowerer<'a> {
    /// The scalars that an initialiser gives values, for an object of a type.
    pub(crate) fn items_of(&mut self, ty: &Type, initializer: &'a Node<Initializer>) -> Lowered<Items<'a>> {
        let (mut items, path) = (Items::default(), Path::default());
        match &initializer.node {
            Initializer::List(list) => self.list_items(ty, list, &path, &mut items)?,
            Initializer::Expression(expression) => {
                if let Type::Array(element, count) = ty.unatomic() {
                    if let Expression::CompoundLiteral(literal) = &expression.node {
                        // GNU C: an array from a compound literal.
                        return self.items_of_list(ty, &literal.node.initializer_list);
                    }
                    let Some(text) = self.string_for(element, expression)? else {
                        return wrong(expression.span, "an array needs a list in braces");
                    };
                    self.string_items(element, *count, &text, &path, &mut items);
                } else if self.is_model_initializer(ty, expression.span.start)
                    && !matches!(self.type_of(expression)?.unatomic(), Type::Record(_))
                {
                    let number = self.constant(expression)?;
                    self.model_items(ty, &[number], expression.span, &path, &mut items)?;
                } else {
                    items.push(&path, ty, None, ItemValue::Expression(expression));
                }
            }
        }
        Ok(items)
    }

    /// The scalars that a list in braces gives values.
    pub(crate) fn items_of_list(&mut self, ty: &Type, list: List<'a>) -> Lowered<Items<'a>> {
        let mut items = Items::default();
        self.list_items(ty, list, &Path::default(), &mut items)?;
        Ok(items)
    }

    /// How many elements a list gives to an array without a length.
    pub(crate) fn list_length(&mut self, element: &Rc<Type>, list: List<'a>) -> Lowered<u64> {
        if let Some(text) = self.only_string(element, list)? {
            return Ok(text.units.len() as u64 + 1);
        }
        let mut cursor = Cursor { list, at: 0, items: &mut Items::default() };
        self.elements(element, None, 0, &mut cursor, true, &Path::default())
    }

    /// The text of a string literal, if it can initialise an array of the elements.
    pub(crate) fn string_for(&self, element: &Type, expression: &Node<Expression>) -> Lowered<Option<Text>> {
        let Expression::StringLiteral(literal) = &expression.node else { return Ok(None) };
        let text = crate::lower::expression::literal::string(&literal.node, expression.span)?;
        Ok(Some(text).filter(|text| text.fits(element, self.types.model)))
    }

    /// A list with nothing but a string.
    fn only_string(&self, element: &Type, list: List<'a>) -> Lowered<Option<Text>> {
        match list {
            [only] if only.node.designation.is_empty() => match &only.node.initializer.node {
                Initializer::Expression(expression) => self.string_for(element, expression),
                Initializer::List(_) => Ok(None),
            },
            _ => Ok(None),
        }
    }

    pub(super) fn string_items(
        &mut self,
        element: &Rc<Type>,
        count: Option<u64>,
        text: &Text,
        path: &Path,
        items: &mut Items<'a>,
    ) {
        let limit = count.map_or(MAX_ITEMS, |count| usize::try_from(count).unwrap_or(MAX_ITEMS));
        for (index, unit) in text.units.iter().chain(&[0]).enumerate().take(limit) {
            let path = self.indexed(path, element, count, index as u64);
            items.push(&path, element, None, ItemValue::Unit(*unit));
        }
    }

    pub(super) fn indexed(&self, path: &Path, element: &Type, count: Option<u64>, index: u64) -> Path {
        let stride = self.types.size(element).unwrap_or(1);
        let term = Term::bv(self.pointer_width(), u128::from(index));
        let mut path = path.clone();
        path.indices.push(Index { term, stride, count });
        path.absolute += index.saturating_mul(stride).saturating_mul(8);
        path
    }

    pub(super) fn member_path(path: &Path, field: &Field) -> Path {
        let (offset, absolute) = (path.offset + field.offset, path.absolute + field.offset);
        Path { offset, absolute, indices: path.indices.clone() }
    }

    /// The scalars of a model struct that a list of the system's headers gives.
    pub(super) fn model_items(
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
            inner.absolute += offset;
            items.push(&inner, &ty, None, ItemValue::Number(number));
        }
        Ok(())
    }

    /// A list in braces for an object of a type.
    pub(super) fn list_items(
        &mut self,
        ty: &Type,
        list: List<'a>,
        path: &Path,
        items: &mut Items<'a>,
    ) -> Lowered<()> {
        items.restart(path.absolute, self.types.size(ty).unwrap_or(0).saturating_mul(8));
        if let Some(first) = list.first()
            && self.is_model_initializer(ty, first.span.start)
        {
            let mut numbers = Vec::new();
            list.iter().for_each(|item| self.flatten(&item.node.initializer, &mut numbers));
            return self.model_items(ty, &numbers, first.span, path, items);
        }
        match ty.unatomic() {
            Type::Array(element, count) => {
                if let Some(text) = self.only_string(element, list)? {
                    self.string_items(element, *count, &text, path, items);
                    return Ok(());
                }
                let mut cursor = Cursor { list, at: 0, items };
                self.elements(element, *count, 0, &mut cursor, true, path).map(|_| ())
            }
            Type::Record(id) => self.members(*id, 0, &mut Cursor { list, at: 0, items }, true, path),
            _ => match list {
                [] => {
                    items.push(path, ty, None, ItemValue::Number(0));
                    Ok(())
                }
                [only] if only.node.designation.is_empty() => match &only.node.initializer.node {
                    Initializer::List(inner) => self.list_items(ty, inner, path, items),
                    Initializer::Expression(expression) => {
                        items.push(path, ty, None, ItemValue::Expression(expression));
                        Ok(())
                    }
                },
                [first, ..] => wrong(first.span, "there are more values than the one that a number takes"),
            },
        }
    }
}
