//! From declaration specifiers and declarators to types; structs, unions, enumerations and typedefs (C11 6.7).

use super::attributes::Attributes;
use super::context::{Entity, Lowered, Lowerer, Refusal, unsupported, wrong};
use super::graph::Storage;
use crate::types::{CHAR, DataModel, FunctionType, INT, IntKind, Type};
use lang_c::ast;
use lang_c::span::Node;
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
        span: Option<lang_c::span::Span>,
    ) -> Lowered<Type> {
        let ty = self.with_mode(types.finish(), attributes, span.unwrap_or_else(lang_c::span::Span::none));
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
                types.align = self.type_alignments.get(&name.node.name).copied().filter(|_| !is_local);
            }
            ast::TypeSpecifier::TypeOf(of) => {
                types.ty = Some(match &of.node {
                    ast::TypeOf::Type(name) => self.type_name(name)?,
                    ast::TypeOf::Expression(expression) => self.type_of(expression)?,
                });
            }
            ast::TypeSpecifier::TS18661Float(float)
                if matches!(
                    float.format,
                    ast::TS18661FloatFormat::DecimalInterchange | ast::TS18661FloatFormat::DecimalExtended
                ) =>
            {
                return unsupported(specifier.span, "decimal floating point is not modelled");
            }
            ast::TypeSpecifier::TS18661Float(float)
                if float.width == 128 && self.types.model == DataModel::Ilp32 =>
            {
                return unsupported(specifier.span, "numbers of 128 bits are not modelled here");
            }
            ast::TypeSpecifier::TS18661Float(float) => {
                let extended = float.format == ast::TS18661FloatFormat::BinaryExtended;
                types.ty = Some(Type::Float(match (float.width, extended) {
                    (0..=16, _) => 2,
                    (17..=32, false) => 4,
                    (17..=32, true) | (33..=64, false) => 8,
                    _ => 16,
                }));
            }
        }
        Ok(())
    }

    fn typedef(&mut self, name: &Node<ast::Identifier>) -> Lowered<Type> {
        match (self.lookup(&name.node.name), name.node.name.as_str()) {
            (Some(Entity::Typedef(ty)), _) => Ok(ty.clone()),
            (Some(Entity::Object(object)), _) if self.unmodelled.contains_key(object) => {
                unsupported(name.span, self.unmodelled[object].clone())
            }
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

    /// The type that a type name in parentheses denotes.
    pub(crate) fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> Lowered<Type> {
        let (base, ..) = self.qualified(&name.node.specifiers)?;
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
                && self.is_atomic_pointer(qualifiers)?
            {
                ty = Type::Atomic(Rc::new(ty));
            }
        }
        let suffixes = derived.iter().filter(|d| !is_pointer(d)).count();
        let is_inner = matches!(declarator.node.kind.node, ast::DeclaratorKind::Declarator(_));
        for (index, suffix) in derived.iter().filter(|d| !is_pointer(d)).rev().enumerate() {
            ty = match &suffix.node {
                ast::DerivedDeclarator::Array(array) => {
                    let size = self.array_size(array)?;
                    // The type of the variable itself may have any length; it is kept with the variable.
                    if size.is_none() && is_variable(array) && (is_inner || index + 1 < suffixes) {
                        return unsupported(
                            array.span,
                            "an array of this length, which is not constant, is modelled only by itself: not in other arrays, and not behind pointers; make the inner lengths constant, or compute the index (a[i * m + j])",
                        );
                    }
                    Type::Array(Rc::new(ty), size)
                }
                ast::DerivedDeclarator::Function(function) => self.function_type(ty, function)?,
                ast::DerivedDeclarator::KRFunction(_) => Type::Function(Rc::new(FunctionType {
                    result: ty,
                    parameters: Vec::new(),
                    variadic: true,
                })),
                ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => ty,
            };
        }
        let mut attributes = Attributes::default();
        self.attributes(&declarator.node.extensions, &mut attributes)?;
        let ty = self.with_mode(ty, &mut attributes, declarator.span);
        attributes.of_a_type()?;
        match &declarator.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok((None, ty)),
            ast::DeclaratorKind::Identifier(name) => Ok((Some(name), ty)),
            ast::DeclaratorKind::Declarator(inner) => self.declarator(ty, inner),
        }
    }

    /// Whether the pointer itself is atomic; refuses attributes that are not modelled.
    fn is_atomic_pointer(&mut self, qualifiers: &'a [Node<ast::PointerQualifier>]) -> Lowered<bool> {
        let mut atomic = false;
        for qualifier in qualifiers {
            match &qualifier.node {
                ast::PointerQualifier::TypeQualifier(t) => atomic |= t.node == ast::TypeQualifier::Atomic,
                ast::PointerQualifier::Extension(list) => {
                    let mut attributes = Attributes::default();
                    self.attributes(list, &mut attributes)?;
                    attributes.of_a_type()?;
                }
            }
        }
        Ok(atomic)
    }

    /// What is said behind the name, also inside of parentheses, and by the specifiers.
    pub(crate) fn declared_attributes(
        &mut self,
        declarator: &'a Node<ast::Declarator>,
        class: &StorageClass,
    ) -> Lowered<Attributes> {
        let mut attributes = Attributes::default();
        let mut level = declarator;
        loop {
            self.attributes(&level.node.extensions, &mut attributes)?;
            match &level.node.kind.node {
                ast::DeclaratorKind::Declarator(inner) => level = inner,
                ast::DeclaratorKind::Abstract | ast::DeclaratorKind::Identifier(_) => break,
            }
        }
        Ok(attributes.and(&class.attributes))
    }

    /// The declared names exist but cannot be used: what they are is not modelled.
    pub(crate) fn set_aside(&mut self, names: &[&'a Node<ast::Identifier>], refusal: &Refusal) {
        for name in names {
            let text = name.node.name.as_str();
            let known = self.scopes.last().and_then(|scope| scope.names.get(text)).cloned();
            let object = match known {
                Some(Entity::Function(id)) => self.functions[id.index()].object,
                Some(Entity::Object(object)) => object,
                Some(
                    Entity::Typedef(_)
                    | Entity::Register(..)
                    | Entity::Enumerator(..)
                    | Entity::Unevaluated(_),
                )
                | None => {
                    let object = self.new_object(text, INT, Storage::Static, name.span.start);
                    self.bind(text, Entity::Object(object));
                    object
                }
            };
            self.unmodelled.entry(object).or_insert_with(|| refusal.message.clone());
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
        // Lengths of arrays speak of the parameters before; all that is needed is that these are not constant.
        self.scopes.push(super::context::Scope::default());
        for parameter in &function.node.parameters {
            match self.parameter(parameter) {
                Ok((name, ty)) => {
                    if let Some(name) = name {
                        self.bind(&name.node.name, Entity::Unevaluated(ty.clone()));
                    }
                    parameters.push(ty);
                }
                Err(refusal) => {
                    self.scopes.pop();
                    return Err(refusal);
                }
            }
        }
        self.scopes.pop();
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
        let mut attributes = Attributes::default();
        self.attributes(&parameter.node.extensions, &mut attributes)?;
        attributes.of_a_type()?;
        let (name, ty) = match &parameter.node.declarator {
            Some(declarator) => self.declarator(base, declarator)?,
            None => (None, base),
        };
        let ty = if matches!(ty, Type::Array(..) | Type::Function(_)) { ty.decay() } else { ty };
        Ok((name, ty))
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

/// Whether the text says a length.
fn is_variable(array: &Node<ast::ArrayDeclarator>) -> bool {
    !matches!(array.node.size, ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown)
}

/// Whether attributes that follow are about the type.
fn has_body(ty: &ast::TypeSpecifier) -> bool {
    match ty {
        ast::TypeSpecifier::Struct(record) => record.node.declarations.is_some(),
        ast::TypeSpecifier::Enum(enumeration) => !enumeration.node.enumerators.is_empty(),
        _ => false,
    }
}
