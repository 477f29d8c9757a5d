//! Walks a list in braces: elements, members, designators.

use super::items::{Cursor, Item, ItemValue, MAX_ITEMS, Path};
use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::types::{Field, Record, RecordId, Type};
use lang_c::ast::{Designator, Expression, Initializer};
use lang_c::span::Node;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// Elements of an array from a position on; returns how many elements there are then. Without braces of its own the array ends
    /// with its last element, or before a designator, which is about something further out.
    pub(super) fn elements(
        &mut self,
        element: &Rc<Type>,
        count: Option<u64>,
        from: u64,
        cursor: &mut Cursor<'a, '_>,
        braced: bool,
        path: &Path,
    ) -> Lowered<u64> {
        let (mut next, mut length) = (from, from);
        while cursor.item().is_some() {
            let designation = cursor.designation();
            let (mut last, mut rest) = (next, designation);
            if let Some((first, others)) = designation.split_first() {
                if !braced {
                    break;
                }
                (next, last) = self.index_range(first)?;
                rest = others;
                cursor.items.designated = true;
            }
            if count.is_some_and(|count| last >= count) {
                if braced {
                    return wrong(cursor.span(), "there are more values than the array has elements");
                }
                break;
            }
            self.range(element, count, (next, last), cursor, rest, path)?;
            next = last + 1;
            length = length.max(next);
        }
        Ok(length)
    }

    /// Gives each element of a range the same.
    fn range(
        &mut self,
        element: &Rc<Type>,
        count: Option<u64>,
        (first, last): (u64, u64),
        cursor: &mut Cursor<'a, '_>,
        rest: &'a [Node<Designator>],
        path: &Path,
    ) -> Lowered<()> {
        if last - first > 0 && self.has_effects(cursor) {
            return unsupported(
                cursor.span(),
                "a range of elements with a value that calls or assigns is not modelled",
            );
        }
        let start = cursor.at;
        for index in first..=last {
            cursor.at = start;
            let inner = self.indexed(path, element, count, index);
            self.part_items(element, None, cursor, rest, &inner)?;
        }
        Ok(())
    }

    /// Whether evaluating the value of the item here twice could be noticed.
    fn has_effects(&self, cursor: &Cursor<'a, '_>) -> bool {
        cursor
            .item()
            .is_some_and(|item| crate::lower::expression::order::initializer_has_effects(&item.initializer))
    }

    fn index_range(&mut self, designator: &'a Node<Designator>) -> Lowered<(u64, u64)> {
        let (first, last) = match &designator.node {
            Designator::Index(index) => {
                let index = self.index_constant(index)?;
                (index, index)
            }
            Designator::Range(range) => {
                (self.index_constant(&range.node.from)?, self.index_constant(&range.node.to)?)
            }
            Designator::Member(name) => return wrong(name.span, "an array has no members"),
        };
        if last < first || last - first > MAX_ITEMS as u64 {
            return wrong(designator.span, "this range of elements is empty or too large");
        }
        Ok((first, last))
    }

    fn index_constant(&mut self, index: &'a Node<Expression>) -> Lowered<u64> {
        let value = self.constant(index)?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => wrong(index.span, "an index must not be negative"),
        }
    }

    /// Members of a struct or union from a position on, in braces of its own or not.
    pub(super) fn members(
        &mut self,
        id: RecordId,
        from: usize,
        cursor: &mut Cursor<'a, '_>,
        braced: bool,
        path: &Path,
    ) -> Lowered<()> {
        let record = self.types.record(id).clone();
        let mut position = from;
        while cursor.item().is_some() {
            let designation = cursor.designation();
            let mut rest = designation;
            if let Some(first) = designation.first() {
                if !braced {
                    return Ok(());
                }
                cursor.items.designated = true;
                (position, rest) = self.designated_member(&record, first, designation)?;
            } else {
                let is_padding = |f: &Field| f.name.is_none() && f.bits.is_some();
                while record.fields.get(position).is_some_and(is_padding) {
                    position += 1;
                }
                let is_full = position >= record.fields.len() || (record.union && position > 0);
                if is_full && braced {
                    return wrong(cursor.span(), "there are more values than members");
                }
                if is_full {
                    return Ok(());
                }
            }
            self.member_items(id, &record, position, cursor, rest, path)?;
            position += 1;
        }
        Ok(())
    }

    /// The position of the member that a designator names, and the designators that remain for it: the same ones if the name is that
    /// of a member of a member without name.
    fn designated_member(
        &self,
        record: &Record,
        first: &'a Node<Designator>,
        designation: &'a [Node<Designator>],
    ) -> Lowered<(usize, &'a [Node<Designator>])> {
        let Designator::Member(name) = &first.node else {
            return wrong(first.span, "a struct is not indexed");
        };
        let name = name.node.name.as_str();
        if let Some(position) = record.fields.iter().position(|f| f.name.as_deref() == Some(name)) {
            return Ok((position, &designation[1..]));
        }
        let inside = |field: &Field| match field.ty.unatomic() {
            Type::Record(inner) => field.name.is_none() && self.types.field(*inner, name).is_some(),
            _ => false,
        };
        match record.fields.iter().position(inside) {
            Some(position) => Ok((position, designation)),
            None => wrong(first.span, format!("there is no member '{name}'")),
        }
    }

    fn member_items(
        &mut self,
        id: RecordId,
        record: &Record,
        position: usize,
        cursor: &mut Cursor<'a, '_>,
        rest: &'a [Node<Designator>],
        path: &Path,
    ) -> Lowered<()> {
        let Some(field) = record.fields.get(position) else { return Ok(()) };
        if record.union {
            // Another member than before: nothing of that one remains.
            if cursor.items.active.get(&(path.absolute, id)).is_some_and(|active| *active != position) {
                cursor.items.restart(path.absolute, record.size.saturating_mul(8));
            }
            cursor.items.active.insert((path.absolute, id), position);
        }
        let inner = Self::member_path(path, field);
        self.part_items(&field.ty, field.bits, cursor, rest, &inner)
    }

    /// One member or element: takes one item of the list, or several if its braces were left out.
    fn part_items(
        &mut self,
        ty: &Type,
        bits: Option<u32>,
        cursor: &mut Cursor<'a, '_>,
        designators: &'a [Node<Designator>],
        path: &Path,
    ) -> Lowered<()> {
        if !designators.is_empty() {
            return self.designated(ty, cursor, designators, path);
        }
        let Some(item) = cursor.item() else { return Ok(()) };
        let expression = match &item.initializer.node {
            Initializer::List(inner) => {
                cursor.at += 1;
                return self.list_items(ty, inner, path, cursor.items);
            }
            Initializer::Expression(expression) => expression,
        };
        match ty.unatomic() {
            Type::Array(element, count) => {
                if let Some(text) = self.string_for(element, expression)? {
                    cursor.at += 1;
                    cursor.items.restart(path.absolute, self.types.size(ty).unwrap_or(0).saturating_mul(8));
                    self.string_items(element, *count, &text, path, cursor.items);
                    return Ok(());
                }
                if count.is_none() {
                    return unsupported(
                        expression.span,
                        "values for an array without length are not modelled",
                    );
                }
                self.first_element(element, *count, cursor, path)
            }
            Type::Record(id) if !matches!(self.type_of(expression)?.unatomic(), Type::Record(_)) => {
                if self.is_model_initializer(ty, expression.span.start) {
                    cursor.at += 1;
                    let number = self.constant(expression)?;
                    return self.model_items(ty, &[number], expression.span, path, cursor.items);
                }
                self.first_member(*id, cursor, path)
            }
            _ => {
                cursor.at += 1;
                if ty.is_aggregate() {
                    cursor.items.restart(path.absolute, self.types.size(ty).unwrap_or(0).saturating_mul(8));
                }
                cursor.items.push(path, ty, bits, ItemValue::Expression(expression));
                Ok(())
            }
        }
    }

    /// An array whose braces were left out. The item here is its first, also if it has designators, which led to the array.
    fn first_element(
        &mut self,
        element: &Rc<Type>,
        count: Option<u64>,
        cursor: &mut Cursor<'a, '_>,
        path: &Path,
    ) -> Lowered<()> {
        if count == Some(0) {
            return wrong(cursor.span(), "there are more values than the array has elements");
        }
        let inner = self.indexed(path, element, count, 0);
        self.part_items(element, None, cursor, &[], &inner)?;
        self.elements(element, count, 1, cursor, false, path).map(|_| ())
    }

    fn first_member(&mut self, id: RecordId, cursor: &mut Cursor<'a, '_>, path: &Path) -> Lowered<()> {
        let record = self.types.record(id).clone();
        let is_member = |f: &Field| f.name.is_some() || f.bits.is_none();
        let Some(first) = record.fields.iter().position(is_member) else {
            return wrong(cursor.span(), "there are more values than members");
        };
        self.member_items(id, &record, first, cursor, &[], path)?;
        self.go_on(id, &record, first, cursor, path)
    }

    /// What follows a member in a list without braces of its own.
    fn go_on(
        &mut self,
        id: RecordId,
        record: &Record,
        position: usize,
        cursor: &mut Cursor<'a, '_>,
        path: &Path,
    ) -> Lowered<()> {
        if record.union || !cursor.goes_on() {
            return Ok(());
        }
        self.members(id, position + 1, cursor, false, path)
    }

    /// The subobject that designators name, and then what follows it.
    pub(super) fn designated(
        &mut self,
        ty: &Type,
        cursor: &mut Cursor<'a, '_>,
        designators: &'a [Node<Designator>],
        path: &Path,
    ) -> Lowered<()> {
        let Some(first) = designators.first() else { return Ok(()) };
        let is_whole = |item: &Item<'a>| item.path.absolute == path.absolute && item.ty.is_aggregate();
        if cursor.items.all.iter().any(is_whole) {
            return unsupported(
                first.span,
                "a part of a struct that has a value already is initialised again: compilers disagree on the rest",
            );
        }
        match ty.unatomic().clone() {
            Type::Record(id) => {
                let record = self.types.record(id).clone();
                let (position, rest) = self.designated_member(&record, first, designators)?;
                self.member_items(id, &record, position, cursor, rest, path)?;
                self.go_on(id, &record, position, cursor, path)
            }
            Type::Array(element, count) => {
                let (from, to) = self.index_range(first)?;
                if count.is_none_or(|count| to >= count) {
                    return wrong(first.span, "there is no such element");
                }
                self.range(&element, count, (from, to), cursor, &designators[1..], path)?;
                if cursor.goes_on() {
                    self.elements(&element, count, to + 1, cursor, false, path)?;
                }
                Ok(())
            }
            _ => wrong(first.span, "this designator does not fit the type"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{is_refused, outcome};
    use crate::program::PropertyKind::Limit;

    #[test]
    fn too_many_values_are_refused() {
        for declaration in [
            "int a[2] = { 1, 2, 3 };",
            "int a = { 1, 2 };",
            "struct { int x; } a = { 1, 2 };",
            "union { int x; char c; } a = { 1, 2 };",
            "int a[2] = { [2] = 1 };",
            "struct { int x; } a = { .y = 1 };",
            "int a[2] = 1;",
        ] {
            assert!(is_refused(&format!("int main(void) {{ {declaration} return 0; }}")), "{declaration}");
            assert!(is_refused(&format!("{declaration} int main(void) {{ return 0; }}")), "{declaration}");
        }
    }

    #[test]
    fn what_compilers_disagree_on_is_a_limit() {
        let text = "struct s { int a, b; }; struct o { struct s s; }; int main(void) { struct s w = { 1, 2 }; struct o o = { .s = w, .s.a = 3 }; return o.s.b; }";
        assert!(outcome(text).has(Limit));
        let text = "int f(void) { static int n; return n++; } int main(void) { int a[4] = { [0 ... 2] = f() }; return a[0]; }";
        assert!(outcome(text).has(Limit));
    }
}
