//! From declaration specifiers and declarators to types; structs, unions, enumerations and typedefs (C11 6.7).

mod attributes;
mod constant;
mod declarator;
mod global;
mod linkage;
mod private;
mod records;

pub(crate) use global::Marks;
pub(crate) use private::Models;
pub(crate) use records::Records;

use crate::lower::context::{Entity, Lowered, Lowerer, unsupported, wrong};
use crate::lower::declare::attributes::Attributes;
use crate::types::{CHAR, DataModel, IntKind, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};
use std::rc::Rc;

/// What the specifiers of a declaration say besides the type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StorageClass {
    pub typedef: bool,
    pub external: bool,
    pub fixed: bool,
    pub thread_local: bool,
    pub volatile: bool,
    pub constant: bool,
    pub inline: bool,
    pub attributes: Attributes,
    /// The alignment of the type in bytes, if its name says so.
    pub type_align: Option<u64>,
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
    /// The alignment of the type in bytes, if its name says so.
    align: Option<u64>,
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
        let mut rest = specifiers;
        while let Some((specifier, behind)) = rest.split_first() {
            rest = behind;
            match &specifier.node {
                ast::DeclarationSpecifier::StorageClass(storage) => match storage.node {
                    ast::StorageClassSpecifier::Typedef => class.typedef = true,
                    ast::StorageClassSpecifier::Extern => class.external = true,
                    ast::StorageClassSpecifier::Static => class.fixed = true,
                    ast::StorageClassSpecifier::ThreadLocal => class.thread_local = true,
                    ast::StorageClassSpecifier::Auto | ast::StorageClassSpecifier::Register => {}
                },
                ast::DeclarationSpecifier::TypeSpecifier(ty) => {
                    let (mut own, mut count) = (Attributes::default(), 0);
                    if has_body(&ty.node) {
                        for next in behind {
                            let ast::DeclarationSpecifier::Extension(list) = &next.node else { break };
                            self.attributes(list, &mut own)?;
                            count += 1;
                        }
                    }
                    rest = &behind[count..];
                    self.type_specifier(ty, own, &mut types)?;
                }
                ast::DeclarationSpecifier::TypeQualifier(qualifier) => {
                    types.atomic |= qualifier.node == ast::TypeQualifier::Atomic;
                    class.volatile |= qualifier.node == ast::TypeQualifier::Volatile;
                    class.constant |= qualifier.node == ast::TypeQualifier::Const;
                }
                ast::DeclarationSpecifier::Function(function) => match function.node {
                    ast::FunctionSpecifier::Inline => class.inline = true,
                    ast::FunctionSpecifier::Noreturn => class.attributes.noreturn = true,
                },
                ast::DeclarationSpecifier::Alignment(alignment) => {
                    let bytes = self.alignment(alignment)?;
                    class.attributes.align = class.attributes.align.max(bytes);
                }
                ast::DeclarationSpecifier::Extension(list) => self.attributes(list, &mut class.attributes)?,
            }
        }
        class.type_align = types.align;
        let ty = self.finished(types, &mut class.attributes, specifiers.first().map(|s| s.span))?;
        Ok((ty, class))
    }

    /// `_Alignas(...)` in bytes.
    fn alignment(&mut self, alignment: &'a Node<ast::AlignmentSpecifier>) -> Lowered<u64> {
        match &alignment.node {
            ast::AlignmentSpecifier::Type(name) => {
                let ty = self.type_name(name)?;
                Ok(self.types.align(&ty))
            }
            ast::AlignmentSpecifier::Constant(bytes) => match u64::try_from(self.constant(bytes)?) {
                Ok(bytes) if bytes == 0 || bytes.is_power_of_two() => Ok(bytes),
                _ => wrong(alignment.span, "an alignment must be a power of two"),
            },
        }
    }

    /// The type that specifiers without a storage class give, the alignment that its name has, and what attributes say.
    pub(crate) fn qualified(
        &mut self,
        specifiers: &'a [Node<ast::SpecifierQualifier>],
    ) -> Lowered<(Type, Option<u64>, Attributes)> {
        let (mut types, mut attributes) = (Specifiers::default(), Attributes::default());
        let mut rest = specifiers;
        while let Some((specifier, behind)) = rest.split_first() {
            rest = behind;
            match &specifier.node {
                ast::SpecifierQualifier::TypeSpecifier(ty) => {
                    let (mut own, mut count) = (Attributes::default(), 0);
                    if has_body(&ty.node) {
                        for next in behind {
                            let ast::SpecifierQualifier::Extension(list) = &next.node else { break };
                            self.attributes(list, &mut own)?;
                            count += 1;
                        }
                    }
                    rest = &behind[count..];
                    self.type_specifier(ty, own, &mut types)?;
                }
                ast::SpecifierQualifier::TypeQualifier(qualifier) => {
                    types.atomic |= qualifier.node == ast::TypeQualifier::Atomic;
                }
                ast::SpecifierQualifier::Extension(list) => self.attributes(list, &mut attributes)?,
            }
        }
        let align = types.align;
        let ty = self.finished(types, &mut attributes, specifiers.first().map(|s| s.span))?;
        Ok((ty, align, attributes))
    }

    fn finished(
        &mut self,
        types: Specifiers,
        attributes: &mut Attributes,
        span: Option<Span>,
    ) -> Lowered<Type> {
        let ty = self.with_mode(types.finish(), attributes, span.unwrap_or_else(Span::none));
        attributes.of_a_type()?;
        Ok(ty)
    }

    fn type_specifier(
        &mut self,
        specifier: &'a Node<ast::TypeSpecifier>,
        attributes: Attributes,
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
            ast::TypeSpecifier::Struct(record) => types.ty = Some(self.record_type(record, attributes)?),
            ast::TypeSpecifier::Enum(enumeration) => {
                types.ty = Some(self.enum_type(enumeration, attributes)?)
            }
            ast::TypeSpecifier::TypedefName(name) => {
                types.ty = Some(self.typedef(name)?);
                let is_local = self.scopes.iter().skip(1).any(|s| s.names.contains_key(&name.node.name));
                types.align = self.marks.type_alignment(&name.node.name).filter(|_| !is_local);
            }
            ast::TypeSpecifier::TypeOf(of) => {
                types.ty = Some(match &of.node {
                    ast::TypeOf::Type(name) => self.type_name(name)?,
                    ast::TypeOf::Expression(expression) => self.type_as_such(expression)?,
                });
            }
            ast::TypeSpecifier::TS18661Float(float) => {
                types.ty = Some(self.float_type(float, specifier.span)?);
            }
        }
        Ok(())
    }

    /// `_Float32` and relatives.
    fn float_type(&self, float: &ast::TS18661FloatType, span: Span) -> Lowered<Type> {
        use ast::TS18661FloatFormat as Format;
        let extended = match float.format {
            Format::BinaryInterchange => false,
            Format::BinaryExtended => true,
            Format::DecimalInterchange | Format::DecimalExtended => {
                return unsupported(span, "decimal floating point is not modelled");
            }
        };
        if float.width == 128 && self.types.model == DataModel::Ilp32 {
            return unsupported(span, "numbers of 128 bits are not modelled here");
        }
        Ok(Type::Float(match (float.width, extended) {
            (0..=16, _) => 2,
            (17..=32, false) => 4,
            (17..=32, true) | (33..=64, false) => 8,
            _ => 16,
        }))
    }

    fn typedef(&mut self, name: &Node<ast::Identifier>) -> Lowered<Type> {
        match (self.lookup(&name.node.name), name.node.name.as_str()) {
            (Some(Entity::Typedef(ty)), _) => Ok(ty.clone()),
            (Some(Entity::Object(object)), _) if self.unmodelled.contains_key(object) => {
                unsupported(name.span, self.unmodelled[object].clone())
            }
            (_, "__builtin_va_list") => Ok(self.va_list_type()),
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

    /// The type that a type name in parentheses denotes.
    pub(crate) fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> Lowered<Type> {
        let (base, ..) = self.qualified(&name.node.specifiers)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator)?.1),
            None => Ok(base),
        }
    }
}

/// Whether attributes that follow are about the type.
fn has_body(ty: &ast::TypeSpecifier) -> bool {
    match ty {
        ast::TypeSpecifier::Struct(record) => record.node.declarations.is_some(),
        ast::TypeSpecifier::Enum(enumeration) => !enumeration.node.enumerators.is_empty(),
        _ => false,
    }
}
