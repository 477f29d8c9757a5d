//! Programs without `main`: libraries and drivers, whose functions others call.
//!
//! The user names functions, and a program around them is written as C text ([`harness`]), so that every later stage sees ordinary
//! functions and threads: first the initialisations, one after the other; then any number of threads, each of which calls entries one after the
//! other, any of them, any number of times. An entry with a number of threads is called by so many threads of its own only, as interrupt handlers are. What
//! arguments are is said by [`Argument`]. If no entries are named, [`offer`](offer::offer) finds functions that could be meant.

mod harness;
pub(crate) mod offer;
mod parse;

use crate::link::File;
use crate::parse::Unit;
pub use harness::FILE;
pub(crate) use harness::{CHOICE, harness};
use lang_c::ast::{self, DerivedDeclarator, ExternalDeclaration};
use lang_c::span::Node;
use std::str::FromStr;

/// What a parameter gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Argument {
    /// Any number, or a pointer to a fresh object.
    #[default]
    Usual,
    /// Any value. A pointer that may be any number is an over-approximation.
    Any,
    /// A pointer to an object of this call, with any content.
    Fresh,
    /// A pointer to an object of this call, all zero.
    Zero,
    /// A pointer to the one object that all calls share which say so, zero at the start; one for each type.
    Shared,
    /// A null pointer.
    Null,
    /// A number, a variable, or the address of a variable.
    Value(String),
}

/// A function that threads call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub function: String,
    /// What its first parameters get; the others get what is usual.
    pub arguments: Vec<Argument>,
    /// How many threads call it at most, and nothing else; otherwise any number do.
    pub threads: Option<u32>,
}

/// A function that is called before there are threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// Its name.
    pub function: String,
    /// As for [`Entry`].
    pub arguments: Vec<Argument>,
    /// What it has to return; if it returns something else, nothing more happens.
    pub result: Option<i64>,
}

/// What runs instead of `main`.
#[derive(Clone, Debug, Default)]
pub struct EntryPoints {
    /// In this order.
    pub inits: Vec<Init>,
    /// By any threads.
    pub entries: Vec<Entry>,
}

impl FromStr for Entry {
    type Err = String;

    fn from_str(text: &str) -> Result<Entry, String> {
        parse::entry(text)
    }
}

impl FromStr for Init {
    type Err = String;

    fn from_str(text: &str) -> Result<Init, String> {
        parse::init(text)
    }
}

/// A definition of a function in the tree.
type Definition = Node<ast::FunctionDefinition>;

/// The functions that a tree defines from an offset on.
fn definitions(unit: &ast::TranslationUnit, from: usize) -> impl Iterator<Item = (&str, &Definition)> {
    unit.0.iter().filter(move |external| external.span.start >= from).filter_map(|external| {
        match &external.node {
            ExternalDeclaration::FunctionDefinition(definition) => Some((name(definition)?, definition)),
            _ => None,
        }
    })
}

/// The functions that the user's text defines, in order.
pub fn functions(unit: &Unit) -> Vec<String> {
    let names = definitions(&unit.ast, unit.user_start()).map(|(name, _)| unit.name(name).to_owned());
    names.collect()
}

/// Whether a file defines a function.
pub(crate) fn is_defined(files: &[File], function: &str) -> bool {
    files.iter().any(|file| definitions(&file.unit.ast, 0).any(|(name, _)| file.unit.name(name) == function))
}

/// Likewise, in the user's own text.
pub(crate) fn is_defined_by_user(files: &[File], function: &str) -> bool {
    let defines =
        |file: &File| definitions(&file.unit.ast, file.unit.user_start()).any(|(name, _)| name == function);
    files.iter().any(defines)
}

fn name(definition: &Definition) -> Option<&str> {
    let names = crate::parse::declared_names(std::iter::once(&definition.node.declarator));
    names.first().map(|name| name.node.name.as_str())
}

/// How many parameters a function has; those that follow `...` are not given.
fn parameter_count(definition: &Definition) -> usize {
    fn count(declarator: &Node<ast::Declarator>) -> Option<usize> {
        if let ast::DeclaratorKind::Declarator(inner) = &declarator.node.kind.node
            && let Some(found) = count(inner)
        {
            return Some(found);
        }
        declarator.node.derived.iter().find_map(|derived| match &derived.node {
            DerivedDeclarator::Function(function) => Some(match function.node.parameters.as_slice() {
                [only] if is_void(only) => 0,
                parameters => parameters.len(),
            }),
            DerivedDeclarator::KRFunction(names) => Some(names.len()),
            _ => None,
        })
    }
    count(&definition.node.declarator).unwrap_or(0)
}

fn is_void(parameter: &Node<ast::ParameterDeclaration>) -> bool {
    let is_void = |specifier: &Node<ast::DeclarationSpecifier>| matches!(&specifier.node, ast::DeclarationSpecifier::TypeSpecifier(ty) if ty.node == ast::TypeSpecifier::Void);
    parameter.node.declarator.is_none() && parameter.node.specifiers.iter().all(is_void)
}

/// Whether something is said to be `static`.
fn is_static(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(&specifier.node, ast::DeclarationSpecifier::StorageClass(class)
            if class.node == ast::StorageClassSpecifier::Static)
    })
}

#[cfg(test)]
mod tests;
