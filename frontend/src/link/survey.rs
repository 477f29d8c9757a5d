//! What a file says at file scope, as far as linking is concerned: words with what they stand for, declarations that define types, names that
//! stay inside of the file, and bodies of functions.
//!
//! Words are taken from the tokens rather than from the tree, so that none is missed; the tree says which of them are members, labels or tags.

use crate::parse::{Unit, declared_names};
use crate::tokens::lexer::{Kind, lex};
use lang_c::ast::{self, ExternalDeclaration};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The two spaces of names that matter here; members and labels are found by what they belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Space {
    Ordinary,
    Tag,
}

/// A name where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'u> {
    pub start: usize,
    pub name: &'u str,
    pub space: Space,
}

/// What may be left out of a declaration if an earlier file has the same one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spare {
    /// All of it.
    Whole,
    /// The body of its type, which has a tag.
    Body(Span),
    /// Nothing: its type has no name to refer to it by.
    Nothing,
}

/// A declaration that defines types.
#[derive(Debug)]
pub(super) struct TypeDeclaration<'u> {
    pub span: Span,
    /// Tags, names of types and constants of enumerations that it defines.
    pub defines: Vec<(Space, &'u str)>,
    pub spare: Spare,
    /// Its tokens, and the packing that holds for it.
    pub text: String,
}

/// What the declarations of a function or variable say together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linkage {
    pub is_static: bool,
    /// Some declaration is not `inline`, or is `extern`: the definition is for other files, too (C11 6.7.4).
    pub is_offered: bool,
    pub has_body: bool,
}

/// The body of a function that another definition may replace.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeakBody<'u> {
    pub name: &'u str,
    pub body: Span,
    pub is_weak: bool,
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct Survey<'u> {
    pub words: Vec<Word<'u>>,
    pub types: Vec<TypeDeclaration<'u>>,
    pub linkage: BTreeMap<&'u str, Linkage>,
    pub bodies: Vec<WeakBody<'u>>,
}

impl<'u> Survey<'u> {
    /// Looks through the part of a unit that begins at `start`, an offset of its parsed text.
    pub(super) fn of(unit: &'u Unit, start: usize, end: usize) -> Survey<'u> {
        let mut roles = Roles::default();
        let mut survey = Survey::default();
        for external in &unit.ast.0 {
            if external.span.start < start || external.span.start >= end {
                continue;
            }
            roles.visit_external_declaration(&external.node, &external.span);
            match &external.node {
                ExternalDeclaration::Declaration(declaration) => survey.declaration(unit, declaration),
                ExternalDeclaration::FunctionDefinition(definition) => {
                    survey.types_of_function(unit, definition);
                    survey.function(definition);
                }
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        survey.words = words(&unit.text[start..end], start, &roles);
        survey
    }

    /// The names that a piece of the text mentions.
    pub(super) fn words_in(&self, span: Span) -> &[Word<'u>] {
        let first = self.words.partition_point(|word| word.start < span.start);
        let behind = self.words.partition_point(|word| word.start < span.end);
        &self.words[first..behind.max(first)]
    }

    /// Whether a function or variable of this file is for this file only.
    pub(super) fn is_internal(&self, name: &str) -> bool {
        self.linkage
            .get(name)
            .is_some_and(|linkage| linkage.is_static || (linkage.has_body && !linkage.is_offered))
    }

    fn declaration(&mut self, unit: &'u Unit, declaration: &'u Node<ast::Declaration>) {
        let specifiers = &declaration.node.specifiers;
        let is_typedef = has_storage(specifiers, &ast::StorageClassSpecifier::Typedef);
        let names = declared_names(declaration.node.declarators.iter().map(|d| &d.node.declarator));
        let mut defines = definitions(specifiers);
        if is_typedef {
            defines.extend(names.iter().map(|name| (Space::Ordinary, name.node.name.as_str())));
        } else {
            names.iter().for_each(|name| self.link(&name.node.name, specifiers, false));
        }
        if !defines.is_empty() {
            let spare = if is_typedef || names.is_empty() { Spare::Whole } else { spare_body(specifiers) };
            self.types.push(TypeDeclaration {
                span: declaration.span,
                defines,
                spare,
                text: text(unit, declaration.span),
            });
        }
    }

    /// `struct s {...} f(void) {...}` defines a type, too.
    fn types_of_function(&mut self, unit: &'u Unit, definition: &'u Node<ast::FunctionDefinition>) {
        let specifiers = &definition.node.specifiers;
        let defines = definitions(specifiers);
        if let (false, Some(first), Some(last)) = (defines.is_empty(), specifiers.first(), specifiers.last())
        {
            let span = Span::span(first.span.start, last.span.end);
            let spare = spare_body(specifiers);
            self.types.push(TypeDeclaration { span, defines, spare, text: text(unit, span) });
        }
    }

    fn function(&mut self, definition: &'u Node<ast::FunctionDefinition>) {
        let [name] = declared_names(std::iter::once(&definition.node.declarator))[..] else { return };
        self.link(&name.node.name, &definition.node.specifiers, true);
        // In the old style, parameters are declared before the body.
        let first = definition.node.declarations.first().map(|declaration| declaration.span.start);
        let body = definition.node.statement.span;
        self.bodies.push(WeakBody {
            name: &name.node.name,
            body: Span::span(first.unwrap_or(body.start), body.end),
            is_weak: is_weak(definition),
        });
    }

    fn link(&mut self, name: &'u str, specifiers: &[Node<ast::DeclarationSpecifier>], has_body: bool) {
        let linkage = self.linkage.entry(name).or_default();
        linkage.is_static |= has_storage(specifiers, &ast::StorageClassSpecifier::Static);
        let is_inline = specifiers.iter().any(|specifier| {
            matches!(&specifier.node, ast::DeclarationSpecifier::Function(function)
                if function.node == ast::FunctionSpecifier::Inline)
        });
        linkage.is_offered |= !is_inline || has_storage(specifiers, &ast::StorageClassSpecifier::Extern);
        linkage.has_body |= has_body;
    }
}

fn has_storage(specifiers: &[Node<ast::DeclarationSpecifier>], class: &ast::StorageClassSpecifier) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(storage) if storage.node == *class)
    })
}

fn is_weak(definition: &Node<ast::FunctionDefinition>) -> bool {
    let of_specifiers = definition.node.specifiers.iter().filter_map(|specifier| match &specifier.node {
        ast::DeclarationSpecifier::Extension(list) => Some(list),
        _ => None,
    });
    let mut all = of_specifiers.chain([&definition.node.declarator.node.extensions]).flatten();
    all.any(|extension| {
        matches!(&extension.node, ast::Extension::Attribute(attribute)
            if attribute.name.node.trim_matches('_') == "weak")
    })
}

/// The tags and constants that specifiers define, also those inside of bodies.
fn definitions(specifiers: &[Node<ast::DeclarationSpecifier>]) -> Vec<(Space, &str)> {
    let mut found = Definitions::default();
    for specifier in specifiers {
        found.visit_declaration_specifier(&specifier.node, &specifier.span);
    }
    found.0
}

/// The body of a type with a tag, and the attributes behind it.
fn spare_body(specifiers: &[Node<ast::DeclarationSpecifier>]) -> Spare {
    for (index, specifier) in specifiers.iter().enumerate() {
        let ast::DeclarationSpecifier::TypeSpecifier(ty) = &specifier.node else { continue };
        let tag = match &ty.node {
            ast::TypeSpecifier::Struct(record) if record.node.declarations.is_some() => {
                &record.node.identifier
            }
            ast::TypeSpecifier::Enum(enumeration) if !enumeration.node.enumerators.is_empty() => {
                &enumeration.node.identifier
            }
            _ => continue,
        };
        let Some(tag) = tag else { return Spare::Nothing };
        let behind = specifiers[index + 1..].iter();
        let attributes = behind.take_while(|s| matches!(s.node, ast::DeclarationSpecifier::Extension(_)));
        let end = attributes.last().map_or(ty.span.end, |last| last.span.end);
        return Spare::Body(Span::span(tag.span.start + tag.node.name.len(), end));
    }
    Spare::Nothing
}

/// The tokens of a declaration, and what `#pragma pack` says there.
fn text(unit: &Unit, span: Span) -> String {
    let piece = &unit.text[span.start..span.end];
    let mut text = String::new();
    for token in lex(piece).tokens {
        text.push_str(token.of(piece));
        text.push(' ');
    }
    text.push_str(&unit.pack_at(span.end).unwrap_or(0).to_string());
    text
}

fn words<'u>(text: &'u str, start: usize, roles: &Roles) -> Vec<Word<'u>> {
    let tokens = lex(text).tokens.into_iter().filter(|token| token.kind == Kind::Word);
    let words = tokens.map(|token| (start + token.start as usize, token.of(text)));
    let words = words.filter(|(at, _)| !roles.others.contains(at));
    let space = |at: usize| if roles.tags.contains(&at) { Space::Tag } else { Space::Ordinary };
    words.map(|(at, name)| Word { start: at, name, space: space(at) }).collect()
}

#[derive(Default)]
struct Definitions<'u>(Vec<(Space, &'u str)>);

impl<'u> Visit<'u> for Definitions<'u> {
    fn visit_struct_type(&mut self, record: &'u ast::StructType, span: &'u Span) {
        if let (Some(tag), Some(_)) = (&record.identifier, &record.declarations) {
            self.0.push((Space::Tag, &tag.node.name));
        }
        visit::visit_struct_type(self, record, span);
    }

    fn visit_enum_type(&mut self, enumeration: &'u ast::EnumType, span: &'u Span) {
        if let (Some(tag), false) = (&enumeration.identifier, enumeration.enumerators.is_empty()) {
            self.0.push((Space::Tag, &tag.node.name));
        }
        let constants = enumeration.enumerators.iter();
        self.0.extend(constants.map(|c| (Space::Ordinary, c.node.identifier.node.name.as_str())));
        visit::visit_enum_type(self, enumeration, span);
    }
}

/// Where words are not ordinary names.
#[derive(Default)]
struct Roles {
    tags: FxHashSet<usize>,
    others: FxHashSet<usize>,
}

impl Roles {
    fn tag(&mut self, tag: Option<&Node<ast::Identifier>>) {
        if let Some(tag) = tag {
            self.tags.insert(tag.span.start);
        }
    }

    fn other(&mut self, name: &Node<ast::Identifier>) {
        self.others.insert(name.span.start);
    }
}

impl<'u> Visit<'u> for Roles {
    fn visit_struct_type(&mut self, record: &'u ast::StructType, span: &'u Span) {
        self.tag(record.identifier.as_ref());
        visit::visit_struct_type(self, record, span);
    }

    fn visit_enum_type(&mut self, enumeration: &'u ast::EnumType, span: &'u Span) {
        self.tag(enumeration.identifier.as_ref());
        visit::visit_enum_type(self, enumeration, span);
    }

    fn visit_member_expression(&mut self, member: &'u ast::MemberExpression, span: &'u Span) {
        self.other(&member.identifier);
        visit::visit_member_expression(self, member, span);
    }

    fn visit_designator(&mut self, designator: &'u ast::Designator, span: &'u Span) {
        if let ast::Designator::Member(member) = designator {
            self.other(member);
        }
        visit::visit_designator(self, designator, span);
    }

    fn visit_offset_designator(&mut self, designator: &'u ast::OffsetDesignator, span: &'u Span) {
        self.other(&designator.base);
        visit::visit_offset_designator(self, designator, span);
    }

    fn visit_offset_member(&mut self, member: &'u ast::OffsetMember, span: &'u Span) {
        if let ast::OffsetMember::Member(name) | ast::OffsetMember::IndirectMember(name) = member {
            self.other(name);
        }
        visit::visit_offset_member(self, member, span);
    }

    fn visit_struct_declarator(&mut self, declarator: &'u ast::StructDeclarator, span: &'u Span) {
        declared_names(declarator.declarator.iter()).into_iter().for_each(|name| self.other(name));
        visit::visit_struct_declarator(self, declarator, span);
    }

    fn visit_label(&mut self, label: &'u ast::Label, span: &'u Span) {
        if let ast::Label::Identifier(name) = label {
            self.other(name);
        }
        visit::visit_label(self, label, span);
    }

    fn visit_statement(&mut self, statement: &'u ast::Statement, span: &'u Span) {
        if let ast::Statement::Goto(name) = statement {
            self.other(name);
        }
        visit::visit_statement(self, statement, span);
    }

    fn visit_attribute(&mut self, attribute: &'u ast::Attribute, span: &'u Span) {
        self.others.insert(attribute.name.span.start);
        visit::visit_attribute(self, attribute, span);
    }

    fn visit_gnu_asm_operand(&mut self, operand: &'u ast::GnuAsmOperand, span: &'u Span) {
        if let Some(name) = &operand.symbolic_name {
            self.other(name);
        }
        visit::visit_gnu_asm_operand(self, operand, span);
    }
}
