//! From declaration specifiers and declarators to types; structs, unions, enumerations and typedefs (C11 6.7).

use super::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::types::{CHAR, Field, FunctionType, INT, IntKind, Type, UNSIGNED};
use lang_c::ast;
use lang_c::span::{Node, Span};
use smt::Term;
use std::rc::Rc;

/// What the specifiers of a declaration say besides the type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StorageClass {
    pub typedef: bool,
    pub external: bool,
    pub fixed: bool,
    pub thread_local: bool,
    pub volatile: bool,
}

/// The type specifiers of a declaration, counted.
#[derive(Default)]
struct Specifiers {
    ty: Option<Type>,
    char: bool,
    short: bool,
    int: bool,
    long: u32,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
    atomic: bool,
}

impl Specifiers {
    fn finish(self) -> Type {
        let base = match self.ty {
            Some(ty) => ty,
            None if self.char && self.unsigned => Type::Int(IntKind::UChar),
            None if self.char && self.signed => Type::Int(IntKind::SChar),
            None if self.char => CHAR,
            None if self.float => Type::Float(4),
            None if self.double && self.long > 0 => Type::Float(16),
            None if self.double => Type::Float(8),
            None => {
                let kind = match (self.short, self.long) {
                    (true, _) => IntKind::Short,
                    (_, 0) => IntKind::Int,
                    (_, 1) => IntKind::Long,
                    _ => IntKind::LongLong,
                };
                Type::Int(if self.unsigned { kind.to_unsigned() } else { kind })
            }
        };
        if self.atomic { Type::Atomic(Rc::new(base)) } else { base }
    }
}

impl<'a> Lowerer<'a> {
    /// The type and the storage class that declaration specifiers give.
    pub(crate) fn specifiers(
        &mut self,
        specifiers: &'a [Node<ast::DeclarationSpecifier>],
    ) -> Lowered<(Type, StorageClass)> {
        let (mut types, mut class) = (Specifiers::default(), StorageClass::default());
        for specifier in specifiers {
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(storage) => match storage.node {
                    ast::StorageClassSpecifier::Typedef => class.typedef = true,
                    ast::StorageClassSpecifier::Extern => class.external = true,
                    ast::StorageClassSpecifier::Static => class.fixed = true,
                    ast::StorageClassSpecifier::ThreadLocal => class.thread_local = true,
                    ast::StorageClassSpecifier::Auto | ast::StorageClassSpecifier::Register => {}
                },
                ast::DeclarationSpecifier::TypeSpecifier(ty) => self.type_specifier(ty, &mut types)?,
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => {
                    types.atomic |= qualifier.node == ast::TypeQualifier::Atomic;
                    class.volatile |= qualifier.node == ast::TypeQualifier::Volatile;
                }
                // Inline, noreturn and attributes change nothing that matters here, nor does the alignment of a whole object.
                ast::DeclarationSpecifier::Function(_)
                | ast::DeclarationSpecifier::Alignment(_)
                | ast::DeclarationSpecifier::Extension(_) => {}
            }
        }
        Ok((types.finish(), class))
    }

    fn qualified(&mut self, specifiers: &'a [Node<ast::SpecifierQualifier>]) -> Lowered<Type> {
        let mut types = Specifiers::default();
        for specifier in specifiers {
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(ty) => self.type_specifier(ty, &mut types)?,
                ast::SpecifierQualifier::TypeQualifier(qualifier) => {
                    types.atomic |= qualifier.node == ast::TypeQualifier::Atomic;
                }
                ast::SpecifierQualifier::Extension(_) => {}
            }
        }
        Ok(types.finish())
    }

    fn type_specifier(
        &mut self,
        specifier: &'a Node<ast::TypeSpecifier>,
        types: &mut Specifiers,
    ) -> Lowered<()> {
        match &specifier.node {
            ast::TypeSpecifier::Void => types.ty = Some(Type::Void),
            ast::TypeSpecifier::Char => types.char = true,
            ast::TypeSpecifier::Short => types.short = true,
            ast::TypeSpecifier::Int => types.int = true,
            ast::TypeSpecifier::Long => types.long += 1,
            ast::TypeSpecifier::Float => types.float = true,
            ast::TypeSpecifier::Double => types.double = true,
            ast::TypeSpecifier::Signed => types.signed = true,
            ast::TypeSpecifier::Unsigned => types.unsigned = true,
            ast::TypeSpecifier::Bool => types.ty = Some(Type::Bool),
            ast::TypeSpecifier::Complex => {
                return unsupported(specifier.span, "complex numbers are not modelled");
            }
            ast::TypeSpecifier::Atomic(name) => {
                types.ty = Some(self.type_name(name)?);
                types.atomic = true;
            }
            ast::TypeSpecifier::Struct(record) => types.ty = Some(self.record_type(record)?),
            ast::TypeSpecifier::Enum(enumeration) => types.ty = Some(self.enum_type(enumeration)?),
            ast::TypeSpecifier::TypedefName(name) => types.ty = Some(self.typedef(name)?),
            ast::TypeSpecifier::TypeOf(of) => {
                types.ty = Some(match &of.node {
                    ast::TypeOf::Type(name) => self.type_name(name)?,
                    ast::TypeOf::Expression(expression) => self.type_of(expression)?,
                });
            }
            ast::TypeSpecifier::TS18661Float(float) => {
                types.ty = Some(Type::Float(match float.width {
                    0..=32 => 4,
                    33..=64 => 8,
                    _ => 16,
                }));
            }
        }
        Ok(())
    }

    fn typedef(&mut self, name: &Node<ast::Identifier>) -> Lowered<Type> {
        match (self.lookup(&name.node.name), name.node.name.as_str()) {
            (Some(Entity::Typedef(ty)), _) => Ok(ty.clone()),
            (_, "__builtin_va_list") => Ok(Type::Void.pointer()),
            (_, other) => wrong(name.span, format!("there is no type named '{other}'")),
        }
    }

    /// Whether a declaration takes its type from the initial value (`__auto_type`).
    pub(crate) fn is_automatic_type(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
        specifiers.iter().any(|specifier| {
            matches!(&specifier.node, ast::DeclarationSpecifier::TypeSpecifier(ty)
                if matches!(&ty.node, ast::TypeSpecifier::TypedefName(name) if name.node.name == crate::tokens::AUTO_TYPE))
        })
    }

    /// GNU C's way to choose the width of an integer: `__attribute__((mode(DI)))`.
    fn with_mode(&self, ty: Type, extensions: &[Node<ast::Extension>]) -> Type {
        let Type::Int(kind) = ty else { return ty };
        for extension in extensions {
            let ast::Extension::Attribute(attribute) = &extension.node else { continue };
            if !matches!(attribute.name.node.as_str(), "mode" | "__mode__") {
                continue;
            }
            let Some(ast::Expression::Identifier(mode)) = attribute.arguments.first().map(|a| &a.node) else {
                continue;
            };
            let signed = match mode.node.name.trim_matches('_') {
                "QI" | "byte" => IntKind::SChar,
                "HI" => IntKind::Short,
                "SI" => IntKind::Int,
                "DI" => IntKind::LongLong,
                "TI" => IntKind::Int128,
                "word" | "pointer" => IntKind::Long,
                _ => continue,
            };
            return Type::Int(if kind.signed() { signed } else { signed.to_unsigned() });
        }
        ty
    }

    /// The type that a type name in parentheses denotes.
    pub(crate) fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> Lowered<Type> {
        let base = self.qualified(&name.node.specifiers)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator)?.1),
            None => Ok(base),
        }
    }

    /// Applies a declarator to a type: the name, if any, and the type.
    pub(crate) fn declarator(
        &mut self,
        base: Type,
        declarator: &'a Node<ast::Declarator>,
    ) -> Lowered<(Option<&'a Node<ast::Identifier>>, Type)> {
        let mut ty = base;
        let derived = &declarator.node.derived;
        let is_pointer = |d: &&Node<ast::DerivedDeclarator>| {
            matches!(d.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_))
        };
        for pointer in derived.iter().filter(is_pointer) {
            ty = ty.pointer();
            if let ast::DerivedDeclarator::Pointer(qualifiers) = &pointer.node
                && qualifiers.iter().any(|q| matches!(&q.node, ast::PointerQualifier::TypeQualifier(t) if t.node == ast::TypeQualifier::Atomic))
            {
                ty = Type::Atomic(Rc::new(ty));
            }
        }
        for suffix in derived.iter().filter(|d| !is_pointer(d)).rev() {
            ty = match &suffix.node {
                ast::DerivedDeclarator::Array(array) => Type::Array(Rc::new(ty), self.array_size(array)?),
                ast::DerivedDeclarator::Function(function) => self.function_type(ty, function)?,
                ast::DerivedDeclarator::KRFunction(_) => Type::Function(Rc::new(FunctionType {
                    result: ty,
                    parameters: Vec::new(),
                    variadic: true,
                })),
                ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => ty,
            };
        }
        let ty = self.with_mode(ty, &declarator.node.extensions);
        match &declarator.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok((None, ty)),
            ast::DeclaratorKind::Identifier(name) => Ok((Some(name), ty)),
            ast::DeclaratorKind::Declarator(inner) => self.declarator(ty, inner),
        }
    }

    fn array_size(&mut self, array: &'a Node<ast::ArrayDeclarator>) -> Lowered<Option<u64>> {
        match &array.node.size {
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => Ok(None),
            ast::ArraySize::VariableExpression(size) | ast::ArraySize::StaticExpression(size) => {
                let value = self.dry(|s| s.rvalue(size))?;
                match value.term.as_bits().and_then(|b| b.to_i128()) {
                    Some(count) if count < 0 => wrong(size.span, "the size of an array is negative"),
                    Some(count) => match u64::try_from(count) {
                        Ok(count) if count <= u64::from(u32::MAX) => Ok(Some(count)),
                        _ => unsupported(size.span, "this array is too large to be modelled"),
                    },
                    None if self.at_file_scope() => {
                        wrong(size.span, "the size of an array must be constant here")
                    }
                    None => Ok(None),
                }
            }
        }
    }

    fn function_type(&mut self, result: Type, function: &'a Node<ast::FunctionDeclarator>) -> Lowered<Type> {
        let mut parameters = Vec::new();
        for parameter in &function.node.parameters {
            parameters.push(self.parameter(parameter)?.1);
        }
        let unknown = parameters.is_empty();
        if parameters == [Type::Void] {
            parameters.clear();
        }
        let variadic = matches!(function.node.ellipsis, ast::Ellipsis::Some) || unknown;
        Ok(Type::Function(Rc::new(FunctionType { result, parameters, variadic })))
    }

    /// Name and type of a parameter; arrays and functions become pointers.
    pub(crate) fn parameter(
        &mut self,
        parameter: &'a Node<ast::ParameterDeclaration>,
    ) -> Lowered<(Option<&'a Node<ast::Identifier>>, Type)> {
        let (base, _) = self.specifiers(&parameter.node.specifiers)?;
        let (name, ty) = match &parameter.node.declarator {
            Some(declarator) => self.declarator(base, declarator)?,
            None => (None, base),
        };
        let ty = if matches!(ty, Type::Array(..) | Type::Function(_)) { ty.decay() } else { ty };
        Ok((name, ty))
    }

    fn record_type(&mut self, record: &'a Node<ast::StructType>) -> Lowered<Type> {
        let union = record.node.kind.node == ast::StructKind::Union;
        let tag = record.node.identifier.as_ref().map(|i| i.node.name.clone());
        let Some(declarations) = &record.node.declarations else {
            let Some(tag) = tag else { return wrong(record.span, "a struct without a name and members") };
            if let Some(known) = self.lookup_tag(&tag) {
                return Ok(known.clone());
            }
            let ty = Type::Record(self.types.declare(tag.clone(), union));
            self.bind_tag(tag, ty.clone());
            return Ok(ty);
        };
        let own = tag.as_ref().and_then(|t| self.scopes.last()?.tags.get(t)).cloned();
        let id = match own {
            Some(Type::Record(id)) if !self.types.record(id).complete => id,
            // The models' structs stay as they are when the user's headers declare them again.
            Some(Type::Record(id))
                if self.model_records.contains(&id) && !self.is_model(record.span.start) =>
            {
                return Ok(Type::Record(id));
            }
            _ => {
                let name = tag.clone().unwrap_or_else(|| self.anonymous_name());
                let id = self.types.declare(name, union);
                if let Some(tag) = tag {
                    self.bind_tag(tag, Type::Record(id));
                }
                id
            }
        };
        let mut fields = Vec::new();
        for declaration in declarations {
            if let ast::StructDeclaration::Field(field) = &declaration.node {
                self.fields(field, &mut fields)?;
            }
        }
        let behind = self.attributes_behind(record.span);
        let packed = self.text(record.span).contains("packed") || behind.contains("packed");
        let least = aligned(behind);
        self.types.complete(id, fields, packed, least);
        if self.is_model(record.span.start) {
            self.model_records.insert(id);
        }
        Ok(Type::Record(id))
    }

    /// Attributes that follow the closing brace.
    fn attributes_behind(&self, span: Span) -> &str {
        let rest = self.unit.text.get(span.end..).unwrap_or("").trim_start();
        if rest.starts_with("__attribute") { rest.split(';').next().unwrap_or("") } else { "" }
    }

    fn anonymous_name(&mut self) -> String {
        self.anonymous += 1;
        format!("<anonymous {}>", self.anonymous)
    }

    fn bind_tag(&mut self, tag: String, ty: Type) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(tag, ty);
        }
    }

    fn fields(&mut self, field: &'a Node<ast::StructField>, fields: &mut Vec<Field>) -> Lowered<()> {
        let base = self.qualified(&field.node.specifiers)?;
        // What is inside of the braces of an inner structure is not about this member.
        let align = aligned(self.text(field.span).rsplit('}').next().unwrap_or(""));
        let thread_local = self.is_model(field.span.start)
            && self.text(field.span).trim_start().starts_with("__attribute__((thread_local))");
        if field.node.declarators.is_empty() {
            fields.push(Field { name: None, ty: base, offset: 0, bits: None, align, thread_local });
            return Ok(());
        }
        for declarator in &field.node.declarators {
            let (name, ty) = match &declarator.node.declarator {
                Some(declarator) => self.declarator(base.clone(), declarator)?,
                None => (None, base.clone()),
            };
            let bits = match &declarator.node.bit_width {
                Some(width) => Some(self.bit_width(width, &ty)?),
                None => None,
            };
            let ty = if bits.is_some() { ty.unatomic().clone() } else { ty };
            if bits.is_none() && !self.is_complete(&ty) && !matches!(ty, Type::Array(..)) {
                return wrong(
                    declarator.span,
                    format!("a member of incomplete type '{}'", self.types.show(&ty)),
                );
            }
            fields.push(Field {
                name: name.map(|n| n.node.name.clone()),
                ty,
                offset: 0,
                bits,
                align,
                thread_local,
            });
        }
        Ok(())
    }

    fn bit_width(&mut self, width: &'a Node<ast::Expression>, ty: &Type) -> Lowered<u32> {
        let value = self.constant(width)?;
        let limit = i128::from(if *ty.unatomic() == Type::Bool { 1 } else { self.types.width(ty) });
        match u32::try_from(value) {
            Ok(bits) if value <= limit => Ok(bits),
            _ => wrong(width.span, "the width of a bit-field does not fit its type"),
        }
    }

    pub(crate) fn is_complete(&self, ty: &Type) -> bool {
        self.types.size(ty).is_some()
    }

    fn enum_type(&mut self, enumeration: &'a Node<ast::EnumType>) -> Lowered<Type> {
        let tag = enumeration.node.identifier.as_ref().map(|i| i.node.name.clone());
        if enumeration.node.enumerators.is_empty() {
            return Ok(tag.and_then(|t| self.lookup_tag(&t).cloned()).unwrap_or(UNSIGNED));
        }
        let (mut next, mut negative, mut large) = (0i128, false, false);
        let mut values = Vec::new();
        for enumerator in &enumeration.node.enumerators {
            if let Some(expression) = &enumerator.node.expression {
                next = self.constant(expression)?;
            }
            negative |= next < 0;
            large |= next > i128::from(u32::MAX)
                || (next > i128::from(i32::MAX) && negative)
                || next < i128::from(i32::MIN);
            let ty = if i32::try_from(next).is_ok() {
                INT
            } else if u32::try_from(next).is_ok() {
                UNSIGNED
            } else {
                Type::Int(IntKind::Long)
            };
            let term = Term::bv_signed(self.types.width(&ty), next);
            self.bind(&enumerator.node.identifier.node.name, Entity::Enumerator(term, ty));
            values.push(next);
            next += 1;
        }
        let ty = match (large, negative) {
            (true, true) => Type::Int(IntKind::Long),
            (true, false) => Type::Int(IntKind::ULong),
            (false, true) => INT,
            (false, false) => UNSIGNED,
        };
        if let Some(tag) = tag {
            self.bind_tag(tag, ty.clone());
        }
        Ok(ty)
    }

    /// The value of an integer constant expression.
    pub(crate) fn constant(&mut self, expression: &'a Node<ast::Expression>) -> Lowered<i128> {
        let value = self.dry(|s| s.rvalue(expression))?;
        let term = if value.term.sort().is_bool() {
            value.term.as_bool().map(i128::from)
        } else {
            self.literal(&value)
        };
        match term {
            Some(number) => Ok(number),
            None => wrong(expression.span, "a constant is needed here"),
        }
    }

    /// The number that a constant value is, read with its type's sign.
    pub(crate) fn literal(&self, value: &super::expression::Value) -> Option<i128> {
        let bits = value.term.as_bits()?;
        if self.types.signed(&value.ty) {
            bits.to_i128()
        } else {
            bits.to_u128().and_then(|n| i128::try_from(n).ok())
        }
    }
}

/// The largest alignment in bytes that attributes in a text ask for, `aligned(16)` or, for the largest one, `aligned`; 1 if none. The
/// alignment of another type, as in `aligned(__alignof__(long))`, is what members of that type have anyway.
fn aligned(text: &str) -> u64 {
    let mut most = 1;
    for (at, word) in text.match_indices("aligned") {
        let is_part = |c: char| c.is_alphanumeric();
        if text[..at].ends_with(is_part) {
            continue;
        }
        let rest = text[at + word.len()..].trim_start_matches('_');
        if rest.starts_with(is_part) {
            continue;
        }
        let asked = match rest.trim_start().strip_prefix('(') {
            Some(argument) => {
                let number: String =
                    argument.trim_start().chars().take_while(char::is_ascii_alphanumeric).collect();
                let number = number.trim_end_matches(['u', 'U', 'l', 'L']);
                match number.strip_prefix("0x").or(number.strip_prefix("0X")) {
                    Some(digits) => u64::from_str_radix(digits, 16).ok(),
                    None => number.parse().ok(),
                }
            }
            None => Some(LARGEST_ALIGNMENT),
        };
        most = asked.filter(|asked| asked.is_power_of_two()).unwrap_or(1).max(most);
    }
    most
}

/// What `aligned` means without a number.
const LARGEST_ALIGNMENT: u64 = 16;

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn alignments_are_read() {
        for (text, expected) in [
            ("int x", 1),
            ("__attribute__((aligned(16))) int x", 16),
            ("int x __attribute__ ((__aligned__ ( 0x20u )))", 32),
            ("__attribute__((packed, aligned)) ", 16),
            ("__attribute__((aligned(4), aligned(8)))", 8),
            ("long x __attribute__((__aligned__(__alignof__(long))))", 1),
            ("int unaligned, aligned_x", 1),
            ("__attribute__((aligned(3)))", 1),
        ] {
            assert_eq!(aligned(text), expected, "{text}");
        }
    }
}
