//! GNU C's attributes in three lists: those that are modelled, those that change nothing ([`crate::tokens`] has that list, and takes most
//! of them away before the parser sees them), and all others. What one of the others is about cannot be used: a limit at the place.

use crate::lower::context::{Lowered, Lowerer};
use crate::tokens::attributes::{is_harmless, plain};
use crate::types::{IntKind, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};

/// What the attributes of a declaration, declarator, member or type say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attributes {
    pub packed: bool,
    /// The largest alignment that is asked for, in bytes; 0 for none.
    pub align: u64,
    /// A call does not return.
    pub noreturn: bool,
    /// A call may return a second time: a promise about others that jump, which the body does not have to keep.
    pub returns_twice: bool,
    /// Not an error if nobody defines it.
    pub weak: bool,
    /// Runs before `main`, the smaller number first.
    pub constructor: Option<i128>,
    /// Runs after `main`.
    pub destructor: bool,
    /// The function that gets the address of a variable when control leaves its scope.
    pub cleanup: Option<String>,
    /// A union that takes an argument of the type of any of its members.
    pub transparent: bool,
    /// One copy of a member for each thread (models only).
    pub thread_local: bool,
    /// Its name for the assembler, which others may have, too.
    pub label: Option<String>,
    mode: Option<String>,
    /// What is not modelled: the first such attribute.
    pub unmodelled: Option<(usize, String)>,
}

/// What `aligned` means without a number.
const LARGEST_ALIGNMENT: u64 = 16;

/// When constructors run that do not say when: after all others.
const LATE: i128 = 65536;

impl<'a> Lowerer<'a> {
    /// Adds what a list of attributes says.
    pub(crate) fn attributes(
        &mut self,
        extensions: &'a [Node<ast::Extension>],
        into: &mut Attributes,
    ) -> Lowered<()> {
        for extension in extensions {
            match &extension.node {
                ast::Extension::Attribute(attribute) => self.attribute(attribute, extension.span, into)?,
                ast::Extension::AsmLabel(label) => {
                    let label = crate::lower::expression::literal::string_bytes(&label.node);
                    into.label = Some(String::from_utf8_lossy(&label).into_owned());
                }
                // Which versions of a system have it.
                ast::Extension::AvailabilityAttribute(_) => {}
            }
        }
        Ok(())
    }

    fn attribute(&mut self, attribute: &'a ast::Attribute, span: Span, into: &mut Attributes) -> Lowered<()> {
        let name = plain(&attribute.name.node);
        let argument = attribute.arguments.first();
        match name {
            "packed" => into.packed = true,
            "aligned" => {
                let asked = match argument {
                    Some(bytes) => self.constant(bytes)?,
                    None => i128::from(LARGEST_ALIGNMENT),
                };
                match u64::try_from(asked) {
                    Ok(0) => {}
                    Ok(bytes) if bytes.is_power_of_two() && bytes <= 1 << 28 => {
                        into.align = into.align.max(bytes);
                    }
                    _ => return crate::lower::context::wrong(span, "an alignment must be a power of two"),
                }
            }
            "mode" => match argument.map(|argument| &argument.node) {
                Some(ast::Expression::Identifier(mode)) => {
                    into.mode = Some(plain(&mode.node.name).to_owned());
                }
                _ => into.refuse(span, "the attribute 'mode'"),
            },
            "noreturn" => into.noreturn = true,
            "returns_twice" => into.returns_twice = true,
            "weak" => into.weak = true,
            "transparent_union" => into.transparent = true,
            "constructor" => {
                into.constructor = Some(match argument {
                    Some(priority) => self.constant(priority)?,
                    None => LATE,
                });
            }
            "cleanup" => match argument.map(|argument| &argument.node) {
                Some(ast::Expression::Identifier(name)) => into.cleanup = Some(name.node.name.clone()),
                _ => into.refuse(span, "the attribute 'cleanup' without a function"),
            },
            "destructor" => into.destructor = true,
            "thread_local" if self.is_model(span.start) => into.thread_local = true,
            _ if is_harmless(name) => {}
            _ => into.refuse(span, &format!("the attribute '{name}'")),
        }
        Ok(())
    }

    /// GNU C's way to choose the width of a number: `__attribute__((mode(DI)))`.
    pub(crate) fn with_mode(&self, ty: Type, attributes: &mut Attributes, span: Span) -> Type {
        let Some(mode) = attributes.mode.take() else { return ty };
        let changed = match &ty {
            Type::Int(kind) => self
                .integer_mode(&mode)
                .map(|signed| Type::Int(if kind.signed() { signed } else { signed.to_unsigned() })),
            Type::Float(_) => float_mode(&mode).map(Type::Float),
            _ => None,
        };
        changed.unwrap_or_else(|| {
            attributes.refuse(span, &format!("the mode '{mode}'"));
            ty
        })
    }

    fn integer_mode(&self, mode: &str) -> Option<IntKind> {
        Some(match mode {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if IntKind::Long.width(self.types.model) == 64 => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => IntKind::Long,
            _ => return None,
        })
    }
}

/// Bytes of the number.
fn float_mode(mode: &str) -> Option<u32> {
    match mode {
        "SF" => Some(4),
        "DF" => Some(8),
        "XF" => Some(16),
        _ => None,
    }
}

impl Attributes {
    fn refuse(&mut self, span: Span, what: &str) {
        self.unmodelled.get_or_insert_with(|| (span.start, format!("{what} is not modelled")));
    }

    /// What both say.
    pub(crate) fn and(mut self, other: &Attributes) -> Attributes {
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.noreturn |= other.noreturn;
        self.returns_twice |= other.returns_twice;
        self.weak |= other.weak;
        self.transparent |= other.transparent;
        self.constructor = self.constructor.or(other.constructor);
        self.destructor |= other.destructor;
        self.thread_local |= other.thread_local;
        self.cleanup = self.cleanup.or_else(|| other.cleanup.clone());
        self.label = self.label.or_else(|| other.label.clone());
        self.mode = self.mode.or_else(|| other.mode.clone());
        self.unmodelled = self.unmodelled.or_else(|| other.unmodelled.clone());
        self
    }

    /// What is not about functions but about variables, members and types: a pointer to a function that does not return is not known.
    pub(crate) fn of_a_variable(&self, span: Span) -> Lowered<()> {
        if self.label.is_some() {
            return crate::lower::context::unsupported(span, "a name for the assembler is not modelled");
        }
        if self.noreturn {
            return crate::lower::context::unsupported(
                span,
                "the attribute 'noreturn' of something other than a function is not modelled",
            );
        }
        if self.cleanup.is_some() {
            return crate::lower::context::unsupported(
                span,
                "the attribute 'cleanup' of something other than a variable of a block is not modelled",
            );
        }
        self.of_a_type()
    }

    /// What is about a type, and not about what is declared with it: nothing else may be there.
    pub(crate) fn of_a_type(&self) -> Lowered<()> {
        match &self.unmodelled {
            Some((offset, message)) => {
                crate::lower::context::unsupported(Span { start: *offset, end: *offset }, message.clone())
            }
            None => Ok(()),
        }
    }
}
