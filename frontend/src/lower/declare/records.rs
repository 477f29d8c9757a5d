//! Structs, unions and enumerations (C11 6.7.2).

use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::declare::attributes::Attributes;
use crate::types::{Field, INT, IntKind, RecordId, Shape, Type, UNSIGNED};
use lang_c::ast;
use lang_c::span::{Node, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;

/// What is known about structs and unions beside their types.
#[derive(Default)]
pub(crate) struct Records {
    /// Where their bodies begin.
    places: FxHashMap<RecordId, usize>,
    /// Those that cannot be used, and why.
    unmodelled: FxHashMap<RecordId, String>,
    /// Unions that take an argument of the type of any of their members.
    transparent: FxHashSet<RecordId>,
    /// How many have no name.
    anonymous: u32,
    /// Enumerations that are mentioned before their values (GNU C).
    forward_enums: FxHashSet<String>,
}

impl Records {
    pub(crate) fn place_of(&self, id: RecordId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    pub(crate) fn is_transparent(&self, id: RecordId) -> bool {
        self.transparent.contains(&id)
    }

    pub(super) fn make_transparent(&mut self, id: RecordId) {
        self.transparent.insert(id);
    }
}

impl<'a> Lowerer<'a> {
    /// A struct or union, with what the attributes behind its body say.
    pub(crate) fn record_type(
        &mut self,
        record: &'a Node<ast::StructType>,
        attributes: Attributes,
    ) -> Lowered<Type> {
        let union = record.node.kind.node == ast::StructKind::Union;
        let tag = record.node.identifier.as_ref().map(|i| i.node.name.clone());
        let Some(declarations) = &record.node.declarations else {
            let Some(tag) = tag else { return wrong(record.span, "a struct without a name and members") };
            return self.known_record(tag, union, record.span);
        };
        let own = tag.as_ref().and_then(|t| self.scopes.last()?.tags.get(t)).cloned();
        let id = match own {
            Some(Type::Record(id)) if !self.types.record(id).complete => id,
            // The models' structs stay as they are when the user's headers declare them again.
            Some(Type::Record(id)) if self.models.own(id) && !self.is_model(record.span.start) => {
                let place = self.records.place_of(id).unwrap_or(0);
                if !self.steps_back(place, record.span.start) {
                    return Ok(Type::Record(id));
                }
                self.new_record(tag, union)
            }
            // The same text, seen once more: `sizeof` and parameters are looked at several times.
            Some(Type::Record(id)) if self.records.place_of(id) == Some(record.span.start) => {
                return Ok(Type::Record(id));
            }
            Some(_) if !self.is_model(record.span.start) => {
                return wrong(record.span, format!("'{}' is defined twice", tag.unwrap_or_default()));
            }
            Some(_) | None => self.new_record(tag, union),
        };
        self.records.places.insert(id, record.span.start);
        match self.record_body(id, declarations, &attributes, record.span) {
            Err(refusal) if !refusal.error => {
                self.records.unmodelled.insert(id, refusal.message.clone());
                return Err(refusal);
            }
            other => other?,
        }
        if self.is_model(record.span.start) {
            self.models.define_record(id);
        }
        Ok(Type::Record(id))
    }

    fn new_record(&mut self, tag: Option<String>, union: bool) -> RecordId {
        let written = tag.as_ref().map(|tag| self.unit.name(tag).to_owned());
        let name = written.unwrap_or_else(|| self.anonymous_name());
        let id = self.types.declare(name, union);
        if let Some(tag) = tag {
            self.bind_tag(tag, Type::Record(id));
        }
        id
    }

    /// `struct s` without a body.
    fn known_record(&mut self, tag: String, union: bool, span: Span) -> Lowered<Type> {
        match self.lookup_tag(&tag).cloned() {
            Some(Type::Record(id)) if self.records.unmodelled.contains_key(&id) => {
                unsupported(span, self.records.unmodelled[&id].clone())
            }
            Some(Type::Record(id)) if self.types.record(id).union != union => {
                wrong(span, format!("'{tag}' is not the same kind of type as before"))
            }
            Some(known) => Ok(known),
            None => {
                let name = self.unit.name(&tag).to_owned();
                let ty = Type::Record(self.types.declare(name, union));
                self.bind_tag(tag, ty.clone());
                Ok(ty)
            }
        }
    }

    fn record_body(
        &mut self,
        id: RecordId,
        declarations: &'a [Node<ast::StructDeclaration>],
        attributes: &Attributes,
        span: Span,
    ) -> Lowered<()> {
        attributes.of_a_type()?;
        let mut fields = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                ast::StructDeclaration::Field(field) => self.fields(field, &mut fields)?,
                ast::StructDeclaration::StaticAssert(check) => self.static_assert(check)?,
            }
        }
        let pack = self.unit.pack_at(span.end);
        let shape = Shape { packed: attributes.packed, align: attributes.align, pack };
        self.types.complete(id, fields, shape);
        if attributes.transparent {
            self.records.make_transparent(id);
        }
        Ok(())
    }

    fn anonymous_name(&mut self) -> String {
        self.records.anonymous += 1;
        format!("<anonymous {}>", self.records.anonymous)
    }

    /// `struct s;` alone in a block declares a type of the block, whatever the name means outside (C11 6.7.2.3).
    pub(crate) fn hide_tags(&mut self, specifiers: &'a [Node<ast::DeclarationSpecifier>]) {
        for specifier in specifiers {
            let ast::DeclarationSpecifier::TypeSpecifier(specifier) = &specifier.node else { continue };
            let ast::TypeSpecifier::Struct(record) = &specifier.node else { continue };
            let (Some(tag), None) = (&record.node.identifier, &record.node.declarations) else { continue };
            let is_own = self.scopes.last().is_some_and(|scope| scope.tags.contains_key(&tag.node.name));
            if !is_own {
                self.new_record(Some(tag.node.name.clone()), record.node.kind.node == ast::StructKind::Union);
            }
        }
    }

    fn bind_tag(&mut self, tag: String, ty: Type) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(tag, ty);
        }
    }

    fn fields(&mut self, field: &'a Node<ast::StructField>, fields: &mut Vec<Field>) -> Lowered<()> {
        let (base, type_align, common) = self.qualified(&field.node.specifiers)?;
        let member = |attributes: &Attributes, ty: Type| Field {
            ty,
            align: attributes.align,
            packed: attributes.packed,
            thread_local: attributes.thread_local,
            ..Field::default()
        };
        if field.node.declarators.is_empty() {
            // Without a name, only a struct or union has members to offer; a tag alone declares nothing here.
            if matches!(base, Type::Record(_)) {
                fields.push(Field { type_align, ..member(&common, base) });
            }
            return Ok(());
        }
        for declarator in &field.node.declarators {
            let mut attributes = common.clone();
            let (name, ty) = match &declarator.node.declarator {
                Some(declarator) => {
                    let (name, ty) = self.declarator(base.clone(), declarator)?;
                    let class = crate::lower::declare::StorageClass {
                        attributes: common.clone(),
                        ..Default::default()
                    };
                    attributes = self.declared_attributes(declarator, &class)?;
                    attributes.of_a_variable(declarator.span)?;
                    (name, ty)
                }
                None => (None, base.clone()),
            };
            let bits = match &declarator.node.bit_width {
                Some(width) => Some(self.bit_width(width, &ty)?),
                None => None,
            };
            let ty = if bits.is_some() { ty.unatomic().clone() } else { ty };
            if bits.is_none()
                && (matches!(ty, Type::Void | Type::Function(_)) || !self.is_possible_member(&ty))
            {
                return wrong(
                    declarator.span,
                    format!("a member of incomplete type '{}'", self.types.show(&ty)),
                );
            }
            // What is said about a type is not about pointers to it.
            let type_align = type_align.filter(|_| ty == base || matches!(ty, Type::Array(..)));
            let name = name.map(|n| n.node.name.clone());
            fields.push(Field { name, bits, type_align, ..member(&attributes, ty) });
        }
        Ok(())
    }

    fn is_possible_member(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.is_possible_member(element),
            other => self.is_complete(other),
        }
    }

    fn bit_width(&mut self, width: &'a Node<ast::Expression>, ty: &Type) -> Lowered<u32> {
        if !ty.is_integer() {
            return wrong(width.span, "a bit-field must be an integer");
        }
        let value = self.constant(width)?;
        let limit = i128::from(if *ty.unatomic() == Type::Bool { 1 } else { self.types.width(ty) });
        match u32::try_from(value) {
            Ok(bits) if value <= limit => Ok(bits),
            _ => wrong(width.span, "the width of a bit-field does not fit its type"),
        }
    }

    /// An enumeration: constants that fit are of type `int`, others of the enumeration's type, as gcc has it.
    pub(crate) fn enum_type(
        &mut self,
        enumeration: &'a Node<ast::EnumType>,
        attributes: Attributes,
    ) -> Lowered<Type> {
        attributes.of_a_type()?;
        let tag = enumeration.node.identifier.as_ref().map(|i| i.node.name.clone());
        if enumeration.node.enumerators.is_empty() {
            let Some(tag) = tag else { return Ok(UNSIGNED) };
            if let Some(known) = self.lookup_tag(&tag) {
                return Ok(known.clone());
            }
            self.records.forward_enums.insert(tag);
            return Ok(UNSIGNED);
        }
        let mut next = 0i128;
        let mut values: Vec<(&'a str, i128)> = Vec::new();
        for enumerator in &enumeration.node.enumerators {
            let mut own = Attributes::default();
            self.attributes(&enumerator.node.extensions, &mut own)?;
            own.of_a_type()?;
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant(expression)?;
            }
            let name = enumerator.node.identifier.node.name.as_str();
            values.push((name, next));
            // Until the end is known, a constant is an `int`, or has the first type that fits.
            let is_int = i32::try_from(next).is_ok();
            let Some(ty) = is_int.then_some(INT).or_else(|| self.enum_range(next, next, false)) else {
                return wrong(enumerator.span, "this value of an enumeration does not fit an integer type");
            };
            self.bind_enumerator(name, next, &ty);
            next += 1;
        }
        let range = values.iter().map(|(_, value)| *value);
        let (least, most) = (range.clone().min().unwrap_or(0), range.max().unwrap_or(0));
        let Some(ty) = self.enum_range(least, most, attributes.packed) else {
            return wrong(enumeration.span, "the values of an enumeration do not fit one integer type");
        };
        if ty != UNSIGNED && tag.as_ref().is_some_and(|tag| self.records.forward_enums.contains(tag)) {
            return wrong(
                enumeration.span,
                "an enumeration that is used before its values, of which some do not fit unsigned int, are known: define it first",
            );
        }
        for (name, value) in values {
            let own = if i32::try_from(value).is_ok() { &INT } else { &ty };
            self.bind_enumerator(name, value, own);
        }
        if let Some(tag) = tag {
            self.bind_tag(tag, ty.clone());
        }
        Ok(ty)
    }

    fn bind_enumerator(&mut self, name: &str, value: i128, ty: &Type) {
        let term = Term::bv_signed(self.types.width(ty), value);
        self.bind(name, Entity::Enumerator(term, ty.clone()));
    }

    /// The type of an enumeration with these values: unsigned if none is negative, `int` at least unless packed.
    fn enum_range(&self, least: i128, most: i128, packed: bool) -> Option<Type> {
        let small = [IntKind::SChar, IntKind::Short];
        let small = small.iter().filter(|_| packed);
        let kinds = small.chain(&[IntKind::Int, IntKind::Long, IntKind::LongLong]);
        let fits = |kind: &&IntKind| {
            let width = kind.width(self.types.model);
            if least < 0 {
                least >= -(1i128 << (width - 1)) && most < 1i128 << (width - 1)
            } else {
                most < 1i128 << width
            }
        };
        let kind = kinds.into_iter().find(fits)?;
        Some(Type::Int(if least < 0 { *kind } else { kind.to_unsigned() }))
    }
}
